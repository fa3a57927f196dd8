"""Pace requests and messages, so that moves never wait for pictures, nor quick requests for slow ones.

Requests that can wait have a budget of processor time in each of two lanes: one for the networks that have taken little
lately, one for the others. While the budget of a lane is used up, its networks take turns: one request of one network
for some milliseconds, then one of the next, however many requests each has sent. Moves, and what else people do at a
table, go at once; only networks that have made far more of them than people do take turns too, in a third lane.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Final

from ludotheque.server.errors import too_many
from ludotheque.server.http.limits import Bucket, Rule
from ludotheque.server.recent_work import RecentWork

LANE_TIME: Final = Rule(1, 0.25)
"""Seconds of processor time for the work of one lane: a quarter of the process, and a second at once."""
TURN: Final = 0.02
"""Seconds of processor time of one turn: most requests are carried out in one, although they have a dozen steps."""
LITTLE: Final = 0.3
"""Seconds of recent processor time up to which a network has taken little: some ten pages."""
FORGOTTEN: Final = 0.02
"""Seconds of a network's time that are forgotten each second, so that a dozen networks cannot crowd the first lane."""
MANY_MOVES: Final = 2.0
"""Seconds of recent processor time of a network's urgent work, from which on it takes turns with others of its kind: a
thousand moves. A club of 100 who play all the time makes 20 a second, which take as much as is forgotten."""
MOVES_FORGOTTEN: Final = 0.03
"""Seconds of that time that are forgotten each second."""
MOST_WAITING: Final = 64
"""The most requests of one network that may wait for their turn."""


class Pacer:
    """The lanes, and the time that each network has taken lately."""

    def __init__(self) -> None:
        self._recent, self._recent_urgent = RecentWork(FORGOTTEN), RecentWork(MOVES_FORGOTTEN)
        self._little, self._much, self._urgent = Lane(), Lane(), Lane()

    def check(self, network: str) -> None:
        """Raise if too many requests of a network wait already."""
        if max(lane.waiting(network) for lane in (self._lane(network), self._urgent)) >= MOST_WAITING:
            raise too_many(1)

    def is_busy(self, network: str) -> bool:
        """Whether a network would have to wait for its turn."""
        return self._lane(network).is_busy

    async def turn(self, network: str) -> None:
        """Wait until it is the turn of a network."""
        await self._lane(network).turn(network)

    def spend(self, network: str, seconds: float) -> None:
        """Count processor time that a step has taken."""
        self._recent.add(network, seconds)
        self._lane(network).spend(seconds)

    async def urgent_turn(self, network: str) -> None:
        """Wait until a network may do urgent work; at once unless it has done much."""
        if self._recent_urgent.seconds(network) > MANY_MOVES:
            await self._urgent.turn(network)

    def spend_urgent(self, network: str, seconds: float) -> None:
        """Count processor time that urgent work has taken."""
        self._recent_urgent.add(network, seconds)
        if self._recent_urgent.seconds(network) > MANY_MOVES:
            self._urgent.spend(seconds)

    def _lane(self, network: str) -> Lane:
        return self._little if self._recent.seconds(network) <= LITTLE else self._much


class Lane:
    """A budget that networks share, and their requests that wait for it."""

    def __init__(self) -> None:
        self._bucket = Bucket(LANE_TIME)
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._is_waking = False

    def waiting(self, network: str) -> int:
        """The number of requests of a network that wait for their turn."""
        return len(self._waiting.get(network, ()))

    @property
    def is_busy(self) -> bool:
        """Whether the budget is used up, or others wait for it."""
        return bool(self._waiting) or self._bucket.debt(LANE_TIME) > 0

    async def turn(self, network: str) -> None:
        """Wait until it is the turn of a network."""
        if not self.is_busy:
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        self._wake_later()
        await turn

    def spend(self, seconds: float) -> None:
        """Count processor time that a step has taken."""
        self._bucket.left -= seconds

    def _wake_later(self) -> None:
        if not self._is_waking:
            self._is_waking = True
            asyncio.get_running_loop().call_later(self._bucket.debt(LANE_TIME), self._wake)

    def _wake(self) -> None:
        """Let the next network go, unless the budget is used up; look again afterwards."""
        self._is_waking = False
        if not self._bucket.debt(LANE_TIME):
            self._let_next_go()
        if self._waiting:
            self._wake_later()

    def _let_next_go(self) -> None:
        network, turns = self._waiting.popitem(last=False)
        while turns:
            turn = turns.popleft()
            if not turn.done():  # it is, if the request was cancelled
                turn.set_result(None)
                break
        if turns:
            self._waiting[network] = turns

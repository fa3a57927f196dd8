"""Pace requests and messages, so that moves never wait for pictures, nor quick requests for slow ones.

Requests that can wait have a budget of processor time in each of two lanes: one for the networks that have taken little
lately, one for the others. While the budget of a lane is used up, its networks take turns: one request of the network
that has taken least lately, for some milliseconds, then one of the next, however many requests each has sent. Moves,
and what else people do at a table, have no such budget; only networks that have made far more of them than people do
share one, in a third lane. While a move is under way, nothing of these three lanes is begun, for half of the time at
most.

Each round of the event loop has little time for either kind of work, so that what arrives meanwhile is soon looked at.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from typing import Final

from ludotheque.server.errors import too_many
from ludotheque.server.http.limits import Bucket, Rule
from ludotheque.server.pauses import without_pauses
from ludotheque.server.recent_work import RecentWork

LANE_TIME: Final = Rule(1, 0.25)
"""Seconds of processor time for the work of one lane: a quarter of the process, and a second at once."""
UNLIMITED: Final = Rule(math.inf, 1)
TURN: Final = 0.02
"""Seconds of processor time of one turn: most requests are carried out in one, although they have a dozen steps."""
ROUND_TIME: Final = 0.004
"""Seconds of processor time in one round of the event loop for work of one kind; its last step may take longer."""
MOVES_FIRST: Final = Rule(0.5, 0.5)
"""Seconds for which moves under way hold back everything else: half of the time, so that no flood of moves stops it."""
CLOSED_TIME: Final = 0.001
"""Seconds until a lane looks again whether moves still hold it back."""
LITTLE: Final = 0.3
"""Seconds of recent processor time up to which a network has taken little: some ten pages."""
FORGOTTEN: Final = 0.02
"""Seconds of a network's time that are forgotten each second, so that a dozen networks cannot crowd the first lane."""
MANY_MOVES: Final = 0.05
"""Seconds of recent processor time of a network's urgent work, from which on it takes turns with others of its kind:
some thirty moves. A club of 100 who play all the time makes 20 a second, which take less than is forgotten."""
MOVES_FORGOTTEN: Final = 0.05
"""Seconds of that time that are forgotten each second."""
MOVES_AT_ONCE: Final = 2
"""Urgent pieces of work of one network that are under way at once. More of them, such as the moves of one who plays at
ten tables without end, would only fill the commits and the rounds of the event loop that all share."""
MOST_WAITING: Final = 64
"""The most requests of one network that may wait for their turn."""


class Pacer:
    """The lanes, and the time that each network has taken lately."""

    def __init__(self) -> None:
        self._recent, self._recent_urgent = RecentWork(FORGOTTEN), RecentWork(MOVES_FORGOTTEN)
        self._precedence = Precedence()
        waiting, many = (LoopRound(self._precedence.holds_back) for _ in range(2))
        self._little, self._much = (Lane(LANE_TIME, waiting, self._recent) for _ in range(2))
        self._moves = Lane(UNLIMITED, LoopRound(), self._recent_urgent, keeps=True)
        self._many_moves = Lane(LANE_TIME, many, self._recent_urgent, keeps=True)
        self._places = Places(MOVES_AT_ONCE, self._recent_urgent)

    def check(self, network: str) -> None:
        """Raise if too many requests of a network wait already."""
        if max(lane.waiting(network) for lane in (self._lane(network), self._urgent(network))) >= MOST_WAITING:
            raise too_many(1)

    def is_busy(self, network: str) -> bool:
        """Whether a network would have to wait for its turn."""
        return self._lane(network).is_busy

    async def turn(self, network: str, is_granted: bool = False) -> None:
        """Wait until it is the turn of a network; one that is granted already waits only for the next round."""
        await self._lane(network).turn(network, is_granted)

    def spend(self, network: str, seconds: float) -> None:
        """Count processor time that a step has taken."""
        self._recent.add(network, seconds)
        self._lane(network).spend(seconds)

    def urgent_place(self, network: str) -> AbstractAsyncContextManager[None]:
        """One of the few places for urgent work of a network."""
        return self._places.taken(network)

    async def urgent_turn(self, network: str) -> None:
        """Wait until a network may do urgent work: for the next round at most, unless it has done much."""
        await self._urgent(network).turn(network)

    def moves_lately(self, network: str) -> float:
        """The seconds of urgent work that a network has caused lately."""
        return self._recent_urgent.seconds(network)

    async def let_moves_pass(self) -> None:
        """Wait while moves hold back everything else."""
        while self._precedence.holds_back():
            await asyncio.sleep(CLOSED_TIME)

    def must_let_moves_pass(self, network: str) -> bool:
        """Whether a network has made many moves, which others hold back."""
        return not self._goes_first(network) and self._precedence.holds_back()

    @contextmanager
    def going_first(self, network: str) -> Iterator[None]:
        """Hold back everything else while urgent work of a network is under way, unless it has done much of it."""
        if self._goes_first(network):
            with self._precedence.held(), without_pauses():
                yield
        else:
            yield

    def spend_urgent(self, network: str, seconds: float) -> None:
        """Count processor time that urgent work has taken."""
        self._recent_urgent.add(network, seconds)
        self._urgent(network).spend(seconds)

    def _lane(self, network: str) -> Lane:
        return self._little if self._recent.seconds(network) <= LITTLE else self._much

    def _urgent(self, network: str) -> Lane:
        return self._moves if self._goes_first(network) else self._many_moves

    def _goes_first(self, network: str) -> bool:
        return self._recent_urgent.seconds(network) <= MANY_MOVES


class Places:
    """A number of places for the work of each network, taken in the order in which it was asked for."""

    def __init__(self, each: int, recent: RecentWork) -> None:
        self._each = each
        self._recent = recent
        self._networks: dict[str, asyncio.Semaphore] = {}
        self._present: Counter[str] = Counter()
        """Pieces of work that have a place or wait for one."""

    @asynccontextmanager
    async def taken(self, network: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        self._present[network] += 1
        try:
            places = self._networks.setdefault(network, asyncio.Semaphore(self._each))
            with self._recent.kept(network) if places.locked() else nullcontext():
                await places.acquire()
            try:
                yield
            finally:
                places.release()
        finally:
            self._present[network] -= 1
            if not self._present[network]:
                del self._present[network], self._networks[network]


class Precedence:
    """Moves under way, and the time for which they may hold back everything else.

    A move has some ten steps, on the event loop and in the thread of the database: without this, it would wait for a
    round full of pages between any two of them.
    """

    def __init__(self) -> None:
        self._bucket = Bucket(MOVES_FIRST)
        self._under_way = 0
        self._settled = time.monotonic()
        """When the time until then was counted."""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold back everything else."""
        self._settle()
        self._under_way += 1
        try:
            yield
        finally:
            self._settle()
            self._under_way -= 1

    def holds_back(self) -> bool:
        self._settle()
        return self._under_way > 0 and self._bucket.left > 0

    def _settle(self) -> None:
        """Count the time since it was counted last, if something was held back."""
        now = time.monotonic()
        if self._under_way and self._bucket.left > 0:
            self._bucket.left -= now - self._settled
        self._bucket.debt(MOVES_FIRST)
        self._settled = now


class LoopRound:
    """The time that work of one kind has taken in the present round of the event loop."""

    def __init__(self, is_closed: Callable[[], bool] = bool) -> None:
        """`is_closed` is whether there is no time for this kind of work now."""
        self.is_closed = is_closed
        self._spent = 0.0

    @property
    def is_full(self) -> bool:
        return self._spent >= ROUND_TIME or self.is_closed()

    def spend(self, seconds: float) -> None:
        if seconds and not self._spent:
            asyncio.get_running_loop().call_soon(self._end)
        self._spent += seconds

    def _end(self) -> None:
        self._spent = 0.0


class Lane:
    """A budget that networks share, and their requests that wait for it."""

    def __init__(self, rule: Rule, round: LoopRound, recent: RecentWork, keeps: bool = False) -> None:
        """`keeps`: what a network has taken is not forgotten while it waits here."""
        self._keeps = keeps
        self._rule = rule
        self._bucket = Bucket(rule)
        self._round = round
        self._recent = recent
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._is_waking = False

    def waiting(self, network: str) -> int:
        """The number of requests of a network that wait for their turn."""
        return len(self._waiting.get(network, ()))

    @property
    def is_busy(self) -> bool:
        """Whether the budget or the round is used up, or others wait for it."""
        return bool(self._waiting) or self._round.is_full or self._bucket.debt(self._rule) > 0

    async def turn(self, network: str, is_granted: bool = False) -> None:
        """Wait until it is the turn of a network; one that is granted already waits only for the next round."""
        if not (self._round.is_full if is_granted else self.is_busy):
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        self._wake_later()
        with self._recent.kept(network) if self._keeps else nullcontext():
            await turn

    def spend(self, seconds: float) -> None:
        """Count processor time that a step has taken."""
        self._bucket.left -= seconds
        self._round.spend(seconds)

    def _wake_later(self) -> None:
        if not self._is_waking:
            self._is_waking = True
            wait = self._bucket.debt(self._rule) or (CLOSED_TIME if self._round.is_closed() else 0)
            asyncio.get_running_loop().call_later(wait, self._wake)

    def _wake(self) -> None:
        """Let the next network go, unless the budget or the round is used up; look again afterwards."""
        self._is_waking = False
        if not self._round.is_full and not self._bucket.debt(self._rule):
            self._let_next_go()
        if self._waiting:
            self._wake_later()

    def _let_next_go(self) -> None:
        """Let a request go of the network that has taken least lately; among equals, of the one that waits longest."""
        network = min(self._waiting, key=self._recent.seconds)
        turns = self._waiting.pop(network)
        while turns:
            turn = turns.popleft()
            if not turn.done():  # it is, if the request was cancelled
                turn.set_result(None)
                break
        if turns:
            self._waiting[network] = turns

"""The address that pays for processor time: the one whose request or message the present work follows from.

Tasks and callbacks inherit it from what started them, so that work pays for what it causes: views that are rendered for
others, moves of bots.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from contextvars import ContextVar
from typing import Final

from ludotheque.server.http.addresses import network_of
from ludotheque.server.http.limits import Limits
from ludotheque.server.http.pacing import TURN, Pacer
from ludotheque.server.pauses import may_pause


class Spender:
    """An address that spends its own processor time, and for what can wait also the time that all share."""

    def __init__(self, limits: Limits, pacer: Pacer, address: str) -> None:
        self._limits = limits
        self._pacer = pacer
        self._address = address
        self.network = network_of(address)
        self._granted = 0.0
        """Seconds of processor time that are left of its latest turn."""

    def check(self) -> None:
        """Raise if the address has asked too often, or taken more time than it has."""
        self._limits.count_address("any", self._address)
        self._limits.check_time(self._address)
        self._pacer.check(self.network)

    def spend(self, seconds: float, can_wait: bool) -> None:
        """Count processor time that some work has taken."""
        self._limits.spend_time(self._address, seconds)
        if can_wait:
            self._granted -= seconds
            self._pacer.spend(self.network, seconds)
        else:
            self._pacer.spend_urgent(self.network, seconds)

    def must_wait(self, can_wait: bool) -> bool:
        """Whether there is no time left for more work."""
        return self._limits.time_debt(self._address) > 0 or (can_wait and self._pacer.is_busy(self.network))

    async def turn(self, can_wait: bool) -> None:
        """Wait until there is time for more work."""
        await asyncio.sleep(self._limits.time_debt(self._address))
        if can_wait:
            await self.pace()

    async def pace(self) -> None:
        """Wait until there is time that all share: while a turn lasts only for the next round of the event loop, and
        not at all while others wait for what the work holds."""
        if not may_pause():
            return
        is_granted = self._granted > 0
        await self._pacer.turn(self.network, is_granted)
        if not is_granted:
            self._granted = TURN

    @property
    def moves_lately(self) -> float:
        """The seconds of work that moves and other urgent requests of the network have caused lately."""
        return self._pacer.moves_lately(self.network)

    async def let_moves_pass(self) -> None:
        """Wait while moves of others are under way, but not for processor time."""
        await self._pacer.let_moves_pass()

    @property
    def must_let_moves_pass(self) -> bool:
        """Whether the network has made many moves, and moves of others are under way."""
        return self._pacer.must_let_moves_pass(self.network)

    def going_first(self) -> AbstractContextManager[None]:
        """Hold back what can wait while urgent work is under way."""
        return self._pacer.going_first(self.network)

    def urgent_place(self) -> AbstractAsyncContextManager[None]:
        """One of the few places for urgent work of the network."""
        return self._pacer.urgent_place(self.network)

    async def pace_urgent(self) -> None:
        """Wait, before work that goes before all that can wait, if the network has had much of it done lately."""
        await self._pacer.urgent_turn(self.network)


SPENDER: Final[ContextVar[Spender | None]] = ContextVar("spender", default=None)
"""The address that pays for the present work; none where there are no limits, or the server itself started it."""

"""Ends rated games against bots whose person has run out of time: no one else at the table could.

Nobody loses because the server was down: after a start it waits before it ends a game.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import msgspec

from ludotheque.server.repeated import Repeated
from ludotheque.server.storage.bot_games import BotGame, running_bot_games
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.endings import lose_on_time
from ludotheque.server.tables.facts import TableFacts
from ludotheque.server.tables.writing import TableWriter
from ludotheque.table.clock import Clock, time_left
from ludotheque.table.steady_time import steady_time

EVERY_SECONDS: Final = 10.0
"""Between two looks."""
AFTER_START: Final = 600.0
"""Seconds after a start of the server in which no game ends."""
_LOG: Final = logging.getLogger("ludotheque.server.club.bot_games")


class BotGames:
    """Watches the clocks of rated games against bots."""

    def __init__(self, live_tables: LiveTables, writer: TableWriter, now: Callable[[], float] = steady_time) -> None:
        self._live_tables = live_tables
        self._writer = writer
        self._now = now
        self._started = now()
        failure = "rated games against bots were not looked at; the next try is soon"
        self.looking: Final = Repeated(self.look, EVERY_SECONDS, failure)

    async def look(self) -> None:
        """End the games whose person has run out of time."""
        if self._now() < self._started + AFTER_START:
            return
        for game in await running_bot_games(self._live_tables.storage):
            try:
                if _is_late(game, self._now()):
                    await self._end(game.table)
            except Exception:  # one game must not keep the others waiting
                _LOG.exception("a rated game against bots cannot be ended", extra={"table": game.table})

    async def _end(self, id: str) -> None:
        table = await self._live_tables.table(id)
        await self._live_tables.refresh(table)  # another process may have changed it

        def law(facts: TableFacts) -> TableFacts:
            seat = table.match.to_move
            is_late = seat >= 0 and facts.seats[seat].who == "person" and facts.time_left(seat, self._now()) == 0
            return lose_on_time(facts, table.match, seat) if is_late else facts

        await self._writer.change(table, law, "seats")


def _is_late(game: BotGame, at: float) -> bool:
    """Whether it is the person's turn, and their time is up."""
    clock = msgspec.convert(game.clock, Clock | None)
    if clock is None or game.to_move < 0 or game.seats[game.to_move]["who"] == "bot":
        return False
    return time_left(clock, game.to_move, at, game.seated_at) == 0

"""Custom bots at the tables of a server: each seat has a separate process, which ends when the bot fails."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from librt.random import Random

from ludotheque.bots.bot import Bot
from ludotheque.bots.isolated import python_command
from ludotheque.bots.registry import is_program, seat_bot, without_alias
from ludotheque.core.errors import BotFailed
from ludotheque.core.phrases import phrase
from ludotheque.server.table_bots import TableBots, is_builtin_level
from ludotheque.server.tables.live import LiveTable

LEAST_SECONDS: Final = 1.0
"""Seconds for a bot whose clock has run out."""
_MOST: Final = 64
"""Programs that run at once; the one that has not moved for longest ends first, and starts again at its move."""


class CustomBots:
    """The programs that play at tables."""

    def __init__(self, bots: TableBots, clock: float, at_once: int) -> None:
        self._bots = bots
        self._clock = clock
        self._seated: dict[tuple[str, int], Bot] = {}
        """The bots by table and seat; those that have moved most recently last."""
        self._threads = ThreadPoolExecutor(at_once, "custom-bot")

    def plays(self, level: str) -> bool:
        """Whether a seat's bot is not one of the levels."""
        return not is_builtin_level(level)

    async def choose(self, table: LiveTable, seat: int, left: float | None = None) -> int:
        """Ask the program of a seat for a legal action; after a `BotFailed` it has ended. `left`: of its clock."""
        level = table.facts.seats[seat].level
        if level not in self._bots.custom:
            raise BotFailed(phrase("{name} is not offered on this server any more.", name=level))
        clock = self._clock if left is None else min(self._clock, max(LEAST_SECONDS, left))
        turn = table.match.turn(seat, Random(secrets.randbits(62)), clock)
        key = table.id, seat
        bot = self._seated.pop(key, None) or self._seat(table, seat, level)
        try:
            action = await asyncio.get_running_loop().run_in_executor(self._threads, bot.choose, turn)
        except BaseException:
            self._threads.submit(bot.close)
            raise
        self._seated[key] = bot
        while len(self._seated) > _MOST:
            self._threads.submit(self._seated.pop(next(iter(self._seated))).close)
        return action

    def leave(self, table: str) -> None:
        """End the programs of a table."""
        for key in [key for key in self._seated if key[0] == table]:
            self._threads.submit(self._seated.pop(key).close)

    async def stop(self) -> None:
        """End all programs; one that is thinking gets the time it has left."""
        for table, _ in list(self._seated):
            self.leave(table)
        await asyncio.to_thread(self._threads.shutdown, wait=True)

    def _seat(self, table: LiveTable, seat: int, level: str) -> Bot:
        name = self._bots.custom[level]
        if is_program(name):
            command = without_alias(name).partition(":")[2]
        else:  # in a process of its own too, so that it can be ended
            command = python_command(name, table.game)
        return seat_bot(f"{level}=engine:{command}", table.game, seat, secrets.randbits(53), self._clock)

"""The workers of bots: people who wait come first, then short searches."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Final, TypeVar

import msgspec
from librt.random import Random

from ludotheque.bots.levels import level
from ludotheque.bots.workers import WorkerPool
from ludotheque.server.bots.worker import HINT_SECONDS, THOROUGH_SECONDS, Question, answer, begin, hint_answer
from ludotheque.server.fair_queue import FairQueue
from ludotheque.server.table_bots import RANDOM, level_number
from ludotheque.server.tables.live import LiveTable
from ludotheque.study.hints import Hint

T = TypeVar("T")
HINT_LEVEL: Final = "4"
FEWEST: Final = 2
"""The fewest worker processes: long searches leave one to short ones, for which people would wait in vain else."""


def expected_seconds(name: str) -> float:
    """The time that a bot of a level needs for a move, typically."""
    return 0.0 if name == RANDOM else level(ceil(level_number(name))).seconds


def question(table: LiveTable, seat: int, chosen_level: str) -> Question:
    """Ask a bot for a move: the question holds a position that its seat cannot tell from the true one.

    The plies before it are there only where nothing is hidden.
    """
    seed = secrets.randbits(62)
    known = table.match.resampled(seat, Random(seed))
    game = table.game
    return Question(
        table=table.id,
        game=game.name,
        players=game.players,
        settings=game.settings,
        position=game.write_position(known),
        events=[] if game.has_hidden_information else table.match.viewing.events(seat),
        seat=seat,
        level=chosen_level,
        seed=seed,
    )


class BotWorkers:
    """The worker processes in which the bots of all tables think."""

    def __init__(self, count: int) -> None:
        processes = max(FEWEST, count)
        self._queue = FairQueue(processes)
        self._pool = WorkerPool(processes, begin)
        self._pool.start()
        self.waiting = 0
        self.running = 0

    async def choose(self, question: Question, people_wait: bool = True, network: str = "") -> int:
        """Wait for a free worker, and return the action that the bot chooses; `network`: of those who watch."""
        return await self._work(answer, question, people_wait, expected_seconds(question.level), network)

    async def hints(self, table: LiveTable, seat: int, thorough: bool) -> list[Hint]:
        """Wait for a free worker, and return the best few moves of a seat."""
        seconds = THOROUGH_SECONDS if thorough else HINT_SECONDS
        return await self._work(partial(hint_answer, seconds=seconds), question(table, seat, HINT_LEVEL), True, seconds)

    async def _work(
        self,
        work: Callable[[bytes], T],
        asked: Question,
        people_wait: bool,
        seconds: float,
        network: str | None = None,
    ) -> T:
        self.waiting += 1
        try:
            await self._queue.acquire(people_wait=people_wait, seconds=seconds, network=network)
        finally:
            self.waiting -= 1
        self.running += 1
        try:
            # The worker that thought for this table before may still have its tree.
            return await asyncio.wrap_future(self._pool.submit_for(asked.table, work, msgspec.msgpack.encode(asked)))
        finally:
            self.running -= 1
            self._queue.release(seconds)

    async def stop(self) -> None:
        """End the workers once they have finished their present question."""
        await asyncio.to_thread(self._pool.close)

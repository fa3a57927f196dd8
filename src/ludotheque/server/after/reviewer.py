"""Reviews of finished games, made in the background and stored with their tables.

A worker process of low priority judges one decision at a time, so that no review slows down those who play. Tables take
turns, one decision each. Every decision is stored as soon as it is judged; after a restart the review continues there.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Literal

import msgspec
import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.exc import IntegrityError

from ludotheque.bots.workers import new_workers, work_in_background
from ludotheque.core.errors import BotFailed, LudothequeError, StillHidden
from ludotheque.core.phrases import ENGLISH, Phrase, Translation, phrase
from ludotheque.server.after.worker import judged
from ludotheque.server.errors import too_many
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.playable import is_playable
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.schema import DECISIONS, REVIEWS, TABLES
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.facts import as_plain
from ludotheque.server.tables.live import LiveTable
from ludotheque.study.review import VERSION, Budget, Decision, PendingDecision, pending_decisions, read_decision

_LOG: Final = logging.getLogger("ludotheque.server.after.reviewer")
_AGAIN_AFTER: Final = 2.0
"""Seconds until a decision is judged again after its worker died."""
_MOST_DEATHS: Final = 3
"""After this many deaths of the worker a review fails, until it is requested again or the server restarts."""
MOST_REVIEWS: Final = 200
"""How many reviews may be unfinished before no more are started."""
REVIEWS_PER_ADDRESS: Final = 3
"""How many of them may be started from one address."""
_BUSY_SECONDS: Final = 30
"""When a client that may not start a review now should ask again."""


class Progress(Struct, frozen=True):
    """The progress of a review."""

    state: Literal["none", "running", "failed", "outdated", "done"]
    """Outdated: judged by another version of this program; it is not shown, and can be made again."""
    done: int = 0
    total: int = 0
    simulations: int = 0
    seconds: float = 0.0
    """The budget for each decision: simulations or seconds."""
    bot: str = ""
    """The operator's custom bot that proposes the better moves; empty if search does."""
    problem: str = ""
    """Why its bot made the review fail."""


NONE: Final = Progress("none")


# The worker.


class BackgroundWorker:
    """A process for work that is not urgent, started when it is first needed, and again after it died."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, work: Callable[[bytes], bytes], asked: bytes) -> bytes:
        """Run a function in the worker, after the work that it was given before."""
        if self._pool is None:
            self._pool = new_workers(1, work_in_background)
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, asked)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise

    async def stop(self) -> None:
        """End the worker once it has finished its present work."""
        if self._pool:
            await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)


# On disk.


class Reviews:
    """The reviews on disk."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def begin(self, table: str, budget: Budget, total: int, bot: str) -> None:
        """Store a new review in place of an earlier one."""
        row = {
            "table_id": table,
            "simulations": budget.simulations,
            "seconds": budget.seconds,
            "total": total,
            "version": VERSION,
            "started": now(),
            "bot": bot,
        }
        async with self._storage.writing() as connection:
            await connection.execute(sql.delete(DECISIONS).where(DECISIONS.c.table_id == table))
            await connection.execute(sql.delete(REVIEWS).where(REVIEWS.c.table_id == table))
            await connection.execute(sql.insert(REVIEWS), row)

    async def add(self, table: str, decision: Decision) -> None:
        row = {"table_id": table, "ply": decision.ply, "decision": as_plain(decision)}
        try:
            async with self._storage.writing() as connection:
                await connection.execute(sql.insert(DECISIONS), row)
        except IntegrityError:
            _LOG.debug("ply %s of table %s was judged before, by another process", decision.ply, table)

    async def decisions(self, table: str) -> list[Decision]:
        """The decisions that this version has judged, in the order of plies."""
        query = (
            sql.select(DECISIONS.c.decision)
            .join(REVIEWS, REVIEWS.c.table_id == DECISIONS.c.table_id)
            .where(DECISIONS.c.table_id == table, REVIEWS.c.version == VERSION)
            .order_by(DECISIONS.c.ply)
        )
        async with self._storage.reading() as connection:
            rows = (await connection.execute(query)).scalars().all()
        return [read_decision(row) for row in rows]

    async def progress(self, table: str) -> Progress:
        async with self._storage.reading() as connection:
            row = (await connection.execute(_PROGRESS.where(REVIEWS.c.table_id == table))).mappings().one_or_none()
        return _progress(row) if row else NONE

    async def unfinished(self) -> list[str]:
        """The tables whose review is not finished and can go on, the oldest first."""
        query = _PROGRESS.join(TABLES, TABLES.c.id == REVIEWS.c.table_id).where(is_playable())
        async with self._storage.reading() as connection:
            rows = (await connection.execute(query.order_by(REVIEWS.c.started))).mappings().all()
        return [row["table_id"] for row in rows if row["done"] < row["total"]]


_PROGRESS: Final = (
    sql.select(*REVIEWS.c, sql.func.count(DECISIONS.c.ply).label("done"))
    .select_from(REVIEWS.outerjoin(DECISIONS, DECISIONS.c.table_id == REVIEWS.c.table_id))
    .group_by(*REVIEWS.c)
)


def _progress(row: sql.RowMapping) -> Progress:
    state: Literal["running", "outdated", "done"] = "running" if row["done"] < row["total"] else "done"
    if row["version"] != VERSION:
        state = "outdated"
    return Progress(state, row["done"], row["total"], row["simulations"], row["seconds"], row["bot"])


# In the background.


class _Unfinished:
    """A review under way. Each decision is built when it is judged, because it holds all that was played before it."""

    def __init__(self, asked: Sequence[PendingDecision], address: str) -> None:
        """`address`: of the client that started it; empty: it does not count."""
        self._last = asked[-1]
        self._history = (*self._last.history, self._last.action)
        self.plies = deque(question.ply for question in asked)
        """The decisions that are left."""
        self.address = address

    def first(self) -> PendingDecision:
        """The next decision to judge."""
        before = self.plies[0] - 1
        return msgspec.structs.replace(self._last, history=self._history[:before], action=self._history[before])


class Reviewer:
    """Makes the reviews."""

    def __init__(self, live_tables: LiveTables, bots: TableBots, clock: float) -> None:
        """`clock`: seconds for a move of a custom bot."""
        self._live_tables = live_tables
        self._bots = bots
        self._clock = clock
        self.reviews = Reviews(live_tables.storage)
        self._waiting: dict[str, _Unfinished] = {}
        """By table: its review, if it is unfinished. The first table is next."""
        self._failed: dict[str, str | Phrase] = {}
        """By table whose review failed: what its bot did wrong; empty for other reasons."""
        self._deaths: Counter[str] = Counter()
        """By table: how often the worker died during its review."""
        self._changing = asyncio.Lock()
        """Held while a decision is stored or a review starts: no decision gets into a review of another budget."""
        self._working: asyncio.Task[None] | None = None
        self._resuming: asyncio.Task[None] | None = None
        self.worker = BackgroundWorker()

    def budget(self, simulations: int, seconds: float, bot: str) -> Budget:
        """The budget of a review, in which a custom bot of the server may propose the better moves."""
        budget = Budget(simulations, seconds)
        if bot:
            registered = self._bots.registered(bot)
            budget = msgspec.structs.replace(budget, bot=registered, clock=self._clock)
        budget.check()
        return budget

    async def start(self, table: LiveTable, budget: Budget, bot: str = "", address: str = "") -> None:
        """Start the review of a finished game, unless one with the same budget and bot is finished or under way.

        `address`: of the client, which may have only a few under way; empty: any number.
        """
        if not table.match.is_over:
            raise StillHidden(phrase("A game is reviewed once it is over."))
        async with self._changing:
            progress = await self.progress(table)
            same = (progress.simulations, progress.seconds, progress.bot) == (budget.simulations, budget.seconds, bot)
            if same and progress.state in ("running", "done"):
                return
            self._check_room(table.id, address)
            asked = pending_decisions(table.match, budget)
            await self.reviews.begin(table.id, budget, len(asked), bot)
            self._queue(table.id, asked, address)

    def _check_room(self, id: str, address: str) -> None:
        """Raise if too many other reviews are unfinished, in all or of this address."""
        others = [review.address for other, review in self._waiting.items() if other != id]
        if len(others) >= MOST_REVIEWS or (address and others.count(address) >= REVIEWS_PER_ADDRESS):
            raise too_many(_BUSY_SECONDS)

    async def progress(self, table: LiveTable, translate: Translation = ENGLISH) -> Progress:
        progress = await self.reviews.progress(table.id)
        problem = self._failed.get(table.id)
        if problem is None or progress.state != "running":
            return progress
        words = problem.render(translate) if isinstance(problem, Phrase) else problem
        return msgspec.structs.replace(progress, state="failed", problem=words)

    def resume(self) -> None:
        """Continue, in the background, the reviews that the last stop of the server interrupted."""
        self._resuming = asyncio.create_task(self._resume_all())

    async def _resume_all(self) -> None:
        try:
            for id in await self.reviews.unfinished():
                await self._try_to_resume(id)
        except Exception:
            _LOG.exception("the interrupted reviews cannot be resumed")

    async def _try_to_resume(self, id: str) -> None:
        try:
            async with self._changing:
                if id not in self._waiting:  # else somebody has just started it anew
                    await self._resume(id)
        except Exception as error:
            _LOG.exception("the review of table %s cannot be resumed", id)
            self._failed[id] = error.sentence if isinstance(error, LudothequeError) else ""

    async def _resume(self, id: str) -> None:
        table, progress = await self._live_tables.table(id), await self.reviews.progress(id)
        kept = {decision.ply for decision in await self.reviews.decisions(id)}
        budget = self.budget(progress.simulations, progress.seconds, progress.bot)
        if progress.state == "outdated":
            await self.reviews.begin(id, budget, progress.total, progress.bot)
        self._queue(id, [question for question in pending_decisions(table.match, budget) if question.ply not in kept])

    async def stop(self) -> None:
        """Stop; the decision that is being judged now is judged again after the next start."""
        tasks = [task for task in (self._resuming, self._working) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.worker.stop()

    def _queue(self, id: str, asked: Sequence[PendingDecision], address: str = "") -> None:
        self._failed.pop(id, None)
        del self._deaths[id]
        self._waiting.pop(id, None)
        if asked:
            self._waiting[id] = _Unfinished(asked, address)
        if self._waiting and (self._working is None or self._working.done()):
            self._working = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._waiting:
            id, review = next(iter(self._waiting.items()))
            try:
                decision = await self._judge(review.first())
                async with self._changing:
                    if self._waiting.get(id) is review:
                        await self.reviews.add(id, decision)
            except BrokenProcessPool:
                self._deaths[id] += 1
                if self._deaths[id] < _MOST_DEATHS:
                    await asyncio.sleep(_AGAIN_AFTER)
                    continue
                self._fail(id, review)
            except BotFailed as error:
                self._fail(id, review, error.sentence)
            except Exception:
                self._fail(id, review)
            self._next_turn(id, review)

    def _fail(self, id: str, review: _Unfinished, problem: str | Phrase = "") -> None:
        _LOG.exception("the review of table %s failed", id)
        self._failed[id] = problem
        review.plies.clear()

    def _next_turn(self, id: str, review: _Unfinished) -> None:
        """Move a table to the end of the queue, unless its review has been restarted meanwhile."""
        if self._waiting.get(id) is not review:
            return
        del self._waiting[id]
        if review.plies:
            review.plies.popleft()
        if review.plies:
            self._waiting[id] = review

    async def _judge(self, question: PendingDecision) -> Decision:
        answer = await self.worker.run(judged, msgspec.msgpack.encode(question))
        return msgspec.msgpack.decode(answer, type=Decision)

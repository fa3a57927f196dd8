"""Reviews of finished games, made in the background and stored with their tables.

A worker process of low priority judges one decision at a time, so that no review slows down those who play. Tables take
turns, one decision each. Every decision is stored as soon as it is judged; after a restart the review continues there.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import msgspec

from ludotheque.bots.workers import WorkerDied, WorkerPool, work_in_background
from ludotheque.core.errors import BotFailed, LudothequeError, StillHidden
from ludotheque.core.phrases import ENGLISH, Phrase, Translation, phrase
from ludotheque.server.after.review_store import Progress, Reviews
from ludotheque.server.after.worker import judged
from ludotheque.server.errors import too_many
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.live import LiveTable
from ludotheque.study.review import Budget, Decision, PendingDecision, pending_decisions

_LOG: Final = logging.getLogger("ludotheque.server.after.reviewer")
_AGAIN_AFTER: Final = 2.0
"""Seconds until a decision is judged again after its worker died."""
_MOST_DEATHS: Final = 3
"""After this many deaths of the worker a review fails, until it is requested again or the server restarts."""
MOST_REVIEWS: Final = 200
"""Unfinished reviews beyond which no more are started."""
REVIEWS_PER_ADDRESS: Final = 3
"""Unfinished reviews that may be started from one address."""
_BUSY_SECONDS: Final = 30
"""When a client that may not start a review now should ask again."""


class _Queued:
    """A review under way. Each decision is built when it is judged, because it holds all that was played before it."""

    def __init__(self, asked: Sequence[PendingDecision], address: str) -> None:
        """`address`: of the client that started it; if empty, it does not count."""
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

    def __init__(
        self,
        live_tables: LiveTables,
        bots: TableBots,
        clock: float,
        claim: Callable[[Sequence[str]], Awaitable[Sequence[str]]] | None = None,
    ) -> None:
        """`clock`: seconds for a move of a custom bot; `claim`: takes over those of these tables whose process is dead,
        where there may be other processes."""
        self._claim = claim
        self._live_tables = live_tables
        self._bots = bots
        self._clock = clock
        self.reviews = Reviews(live_tables.storage)
        self._waiting: dict[str, _Queued] = {}
        """Unfinished reviews by table. The first table is next."""
        self._failed: dict[str, str | Phrase] = {}
        """Failed reviews by table: what the bot did wrong; empty for other reasons."""
        self._deaths: Counter[str] = Counter()
        """Number of times that the worker died during a table's review."""
        self._changing = asyncio.Lock()
        """Held while a decision is stored or a review starts: no decision gets into a review of another budget."""
        self._working: asyncio.Task[None] | None = None
        self._resuming: asyncio.Task[None] | None = None
        self.worker = WorkerPool(1, work_in_background)

    def budget(self, simulations: int, seconds: float, bot: str) -> Budget:
        """The budget of a review, in which a custom bot of the server may propose the better moves."""
        budget = Budget(simulations, seconds)
        if bot:
            registered = self._bots.registered_name(bot)
            budget = msgspec.structs.replace(budget, bot=registered, clock=self._clock)
        budget.check()
        return budget

    async def start(self, table: LiveTable, budget: Budget, bot: str = "", address: str = "") -> None:
        """Start the review of a finished game, unless one with the same budget and bot is finished or under way.

        `address`: of the client, which may have only a few under way; if empty, any number.
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
        """Continue, in the background, the reviews that the last stop of the server or of another process
        interrupted."""
        self._resuming = asyncio.create_task(self._resume_all(self._resuming))

    async def _resume_all(self, before: asyncio.Task[None] | None) -> None:
        try:
            if before:
                await before
            unfinished: Sequence[str] = await self.reviews.unfinished()
            for id in await self._claim(unfinished) if self._claim else unfinished:
                await self._try_to_resume(id)
        except Exception:
            _LOG.exception("the interrupted reviews cannot be resumed")

    async def _try_to_resume(self, id: str) -> None:
        try:
            async with self._changing:
                if id not in self._waiting:  # else someone has just started it anew
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
        await asyncio.to_thread(self.worker.close)

    def _queue(self, id: str, asked: Sequence[PendingDecision], address: str = "") -> None:
        self._failed.pop(id, None)
        del self._deaths[id]
        self._waiting.pop(id, None)
        if asked:
            self._waiting[id] = _Queued(asked, address)
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
            except WorkerDied:
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

    def _fail(self, id: str, review: _Queued, problem: str | Phrase = "") -> None:
        _LOG.exception("the review of table %s failed", id)
        self._failed[id] = problem
        review.plies.clear()

    def _next_turn(self, id: str, review: _Queued) -> None:
        """Move a table to the end of the queue, unless its review has been restarted meanwhile."""
        if self._waiting.get(id) is not review:
            return
        del self._waiting[id]
        if review.plies:
            review.plies.popleft()
        if review.plies:
            self._waiting[id] = review

    async def _judge(self, question: PendingDecision) -> Decision:
        answer = await asyncio.wrap_future(self.worker.submit(judged, msgspec.msgpack.encode(question)))
        return msgspec.msgpack.decode(answer, type=Decision)

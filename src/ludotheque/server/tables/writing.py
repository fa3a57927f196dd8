"""The one way to change a table: its facts (`change`), or its position (`advance`).

Both take the same path: a rule says what is to change, it is stored, the live table takes it over, and the event is
published. So nothing is shown that is not on disk.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Final, Literal, TypeVar

from msgspec import Struct, structs

from ludotheque.core.errors import StaleVersion
from ludotheque.core.game import TERMINAL
from ludotheque.server.storage.failures import STORAGE_ERRORS
from ludotheque.server.storage.rows import Change, now
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents, What
from ludotheque.server.tables.facts import TableFacts, UndoRequest, as_plain, changed_columns
from ludotheque.server.tables.live import LiveTable
from ludotheque.table.clock import Clock
from ludotheque.table.match import Match, Plan
from ludotheque.table.steady_time import steady_time

_LOG: Final = logging.getLogger("ludotheque.server.tables.writing")
_ATTEMPTS: Final = 10
"""Attempts to change facts while other processes change the same table."""
_AGAIN_AFTER: Final = 2.0
"""Seconds after which a table is compared with a database that failed."""

T = TypeVar("T")
Law = Callable[[TableFacts], TableFacts]
"""A rule about facts: it returns them changed, or raises. It may run again, on newer facts."""
ActionOutcome = Literal["done", "asked", "refused"]


class Step(Struct, frozen=True):
    """The next version of a position: plies that are added, or taken back, or a request to take some back."""

    plan: Plan | None = None
    """The moves and draws to add."""
    to_ply: int | None = None
    """The ply to go back to."""
    request: UndoRequest | None = None
    outcome: ActionOutcome = "done"

    @property
    def changes_nothing(self) -> bool:
        """Whether no draw is due where draws were to be made."""
        return self.plan is not None and not self.plan.plies


class Done(Struct, frozen=True):
    """A change that is on disk."""

    version: int
    ply: int
    outcome: ActionOutcome = "done"


class TableWriter:
    """Changes tables: on disk, then in memory, then for the subscribers of events."""

    def __init__(self, live_tables: LiveTables, events: TableEvents, now: Callable[[], float] = steady_time) -> None:
        """`now` tells the time for clocks."""
        self.now = now
        self.events: Final = events
        self.storage: Final = live_tables.storage
        self._live_tables = live_tables
        self._under_way: set[asyncio.Task[Any]] = set()
        """The changes that have begun."""
        self._comparing: dict[str, asyncio.Task[None]] = {}
        """The tasks that compare a table with the database after a change that failed, by table."""

    # Facts.

    async def change(self, table: LiveTable, law: Law, *events: What, even_if_closed: bool = False) -> None:
        """Change the facts of a table by a rule, and publish these events."""
        await self._to_the_end(self._change(table, law, events, even_if_closed))

    async def _change(self, table: LiveTable, law: Law, events: Iterable[What], even_if_closed: bool) -> None:
        async with table.lock:
            await self._try(table, law, even_if_closed)
        for what in events:
            self.events.publish(table.id, what)

    async def _try(self, table: LiveTable, law: Law, even_if_closed: bool) -> None:
        """Change facts; again if another process was quicker."""
        for attempts_left in reversed(range(_ATTEMPTS)):
            if not even_if_closed:
                table.facts.check_not_closed()
            try:
                await self._store(table, law(table.facts))
                return
            except StaleVersion:
                if not attempts_left:
                    raise

    async def _store(self, table: LiveTable, facts: TableFacts) -> None:
        """Change facts on disk, in memory, and for everyone if the position gets a new version. Within the lock."""
        before = table.facts
        ends = facts.ending != before.ending and facts.ending.ends(len(facts.seats))
        facts = facts.with_clock_ended(self.now()) if ends else facts
        columns = changed_columns(facts, before) | _taken_back(table, facts)
        if ends:
            columns |= {"over": True, "to_move": TERMINAL, "updated": now()}
        added, dropped = facts.keys.rows - before.keys.rows, before.keys.rows - facts.keys.rows
        if not (columns or added or dropped):
            return
        version = table.version if facts.outdates_moves(before) else None
        writing = self.storage.set_facts(table.id, table.revision, columns, added, dropped, version)
        await self._or_reload(table, writing)
        table.revision += 1
        table.take_over(facts)
        if version is not None:
            table.version += 1
            self.events.publish(table.id, "position")

    # Positions.

    async def advance(self, table: LiveTable, rule: Callable[[], Step]) -> Done:
        """Change the position of a table as a rule says, once no one else changes it."""
        return await self._to_the_end(self._advance(table, rule))

    async def _advance(self, table: LiveTable, rule: Callable[[], Step]) -> Done:
        """Change a position on disk, in memory, and for everyone."""
        async with table.lock:
            step = rule()
            if step.changes_nothing:
                return Done(table.version, table.match.ply)
            await self._note_rewind(table, step)
            change, clock = self._planned(table, step)
            await self._or_reload(table, self.storage.change(change))
            _apply(table.match, step)
            table.next_version(step.request, clock)
            self.events.publish(table.id, "position", change=change)
            if change.over:
                plies = change.keep + len(change.plies)
                _LOG.info("a game is over", extra={"table": table.id, "game": table.game.name, "plies": plies})
            return Done(table.version, table.match.ply, step.outcome)

    async def _note_rewind(self, table: LiveTable, step: Step) -> None:
        """Note that draws which are taken back have been seen, and forget what was decided ahead: it would be played
        again at once."""
        match, facts = table.match, table.facts
        if step.to_ply is not None:
            is_peeked = facts.peeked < match.ply and match.undo_rules.learnt_since(step.to_ply)
            peeked = match.ply if is_peeked else facts.peeked
            await self._store(table, structs.replace(facts, peeked=peeked, ahead={}))

    def _planned(self, table: LiveTable, step: Step) -> tuple[Change, Clock | None]:
        """The change that a step stores, and the clock after it."""
        match = table.match
        to_move, keep, plies = match.to_move, match.ply, step.plan.plies if step.plan else ()
        if step.plan:
            to_move = step.plan.to_move
        elif step.to_ply is not None:
            keep, to_move = step.to_ply, match.actions()[step.to_ply][0]
        clock = table.facts.clock_after(to_move, self.now())
        change = Change(
            table=table.id,
            version=table.version,
            keep=keep,
            plies=plies,
            to_move=to_move,
            over=to_move == TERMINAL,
            undo_request=as_plain(step.request),
            clock=as_plain(clock),
        )
        return change, clock

    # Failures.

    async def _or_reload(self, table: LiveTable, writing: Awaitable[None]) -> None:
        """Wait until a change is stored; if that fails, bring the table up to date with the database."""
        try:
            await writing
        except StaleVersion:
            # Another process was quicker, so the table in memory is out of date.
            await self._live_tables.reload(table)
            self.events.publish(table.id, "reloaded")
            raise
        except STORAGE_ERRORS:
            self._compare_soon(table)
            raise

    def _compare_soon(self, table: LiveTable) -> None:
        """Compare a table with the database once that works again.

        A change that failed may be stored after all: the connection was lost before PostgreSQL's answer came.
        """
        if table.id not in self._comparing:
            self._comparing[table.id] = asyncio.create_task(self._compare(table))
            self._comparing[table.id].add_done_callback(lambda _: self._comparing.pop(table.id))

    async def _compare(self, table: LiveTable) -> None:
        while True:
            await asyncio.sleep(_AGAIN_AFTER)
            try:
                if await self._live_tables.refresh(table):
                    self.events.publish(table.id, "reloaded")
                return
            except STORAGE_ERRORS as error:
                _LOG.warning("table %s could not be compared with the database: %s", table.id, type(error).__name__)

    # Changes that must not stop halfway.

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start something that is finished even if the client that asked for it disconnects, or the server stops."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a change even if the client that asked for it disconnects."""
        if asyncio.current_task() in self._under_way:
            return await work
        return await asyncio.shield(self.start(work))

    async def finish(self) -> None:
        """Wait until the changes that have begun are on disk, and published: the server stops."""
        for task in self._comparing.values():
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)


def _taken_back(table: LiveTable, facts: TableFacts) -> dict[str, int]:
    """The columns that change when fresh dice take draws back."""
    kept = table.plies_kept(facts)
    return {"ply": kept, "to_move": table.match.movers[kept]} if kept < table.match.ply else {}


def _apply(match: Match, step: Step) -> None:
    """Carry out in memory what is on disk."""
    if step.plan:
        match.apply(step.plan)
    elif step.to_ply is not None:
        match.rewind(step.to_ply)

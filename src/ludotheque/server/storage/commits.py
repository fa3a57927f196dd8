"""Commits that several changes share.

A commit waits for the disk, and SQLite has one writer at a time, so changes that arrive during a commit share the next
one. For SQLite one thread executes them together: switching between the event loop and a thread for every statement
would cost more than the statements.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final, Protocol

from msgspec import Struct
from sqlalchemy.exc import IntegrityError

from ludotheque.core.errors import StaleVersion
from ludotheque.server.storage.failures import STORAGE_ERRORS, stale_table
from ludotheque.server.storage.rows import Change

_AT_ONCE: Final = 2
"""Changes committed together that are shown before other requests get their turn."""
_COMMIT_SECONDS: Final = 0.01
"""From one commit to the next, at least, while several tables change: a commit costs as much as several changes."""


_LOOK_AGAIN: Final = 0.001
"""Seconds until changes that are held back look again whether they may be shown."""


class Cause(Protocol):
    """The address that caused some work, such as a `Spender`."""

    network: str

    @property
    def moves_lately(self) -> float: ...

    @property
    def must_let_moves_pass(self) -> bool: ...

    def spend(self, seconds: float, can_wait: bool) -> None: ...

    async def let_moves_pass(self) -> None: ...


def no_cause() -> Cause | None:
    """Return no cause: the callers need not be told apart."""
    return None


class ChangeWriter(Protocol):
    """Commits changes, all or none."""

    async def apply(self, changes: Sequence[Change]) -> None: ...


class Waiting(Struct, frozen=True):
    """A change that someone waits for."""

    change: Change
    done: asyncio.Future[None]
    cause: Cause | None

    @property
    def moves_lately(self) -> float:
        return self.cause.moves_lately if self.cause else 0.0

    @property
    def is_held_back(self) -> bool:
        """Whether moves of others go first."""
        return self.cause is not None and self.cause.must_let_moves_pass

    def settle(self, error: Exception | None = None) -> None:
        """Report how the change ended, if anyone still waits for it."""
        if self.done.done():
            return
        if error:
            self.done.set_exception(error)
        else:
            self.done.set_result(None)


class ToShow:
    """Changes that are on disk and wait to be shown, a few in each round of the event loop.

    Those of people who have made few moves lately go first: most may come from one who makes moves without end.
    """

    def __init__(self) -> None:
        self._waiting: list[Waiting] = []

    def add(self, stored: Sequence[Waiting]) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._show_some)
        self._waiting += stored
        self._waiting.sort(key=attrgetter("moves_lately"))

    def _show_some(self) -> None:
        shown = list(islice((waiting for waiting in self._waiting if not waiting.is_held_back), _AT_ONCE))
        for waiting in shown:
            self._waiting.remove(waiting)
            waiting.settle()
        if self._waiting:
            asyncio.get_running_loop().call_later(0 if shown else _LOOK_AGAIN, self._show_some)


class GroupCommit:
    """Commits changes of positions together while there are many."""

    def __init__(
        self, writer: ChangeWriter, writing: asyncio.Lock, cause: Callable[[], Cause | None] = no_cause
    ) -> None:
        """`writing` is held during a commit; `cause` names who caused the present work."""
        self._writer, self._writing, self._cause = writer, writing, cause
        self._pending: list[Waiting] = []
        self._to_show = ToShow()
        self._flushing: asyncio.Task[None] | None = None
        self._committed: set[str] = set()
        """The tables that changed by the latest commit."""
        self._committed_at = 0.0

    async def add(self, change: Change) -> None:
        """Make a change durable, or raise `StaleVersion` if the table is no longer at that version."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append(Waiting(change, done, self._cause()))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_all())
        await done

    async def _flush_all(self) -> None:
        """Commit pending changes until there are none."""
        try:
            while self._pending:
                await asyncio.sleep(self._seconds_to_wait())
                async with self._writing:
                    await self._flush()
        finally:
            self._flushing = None

    def _seconds_to_wait(self) -> float:
        """Return how long to wait for changes to share a commit; 0 unless several tables change all the time."""
        tables = {waiting.change.table for waiting in self._pending}
        if tables == self._committed:
            return 0
        return max(0, self._committed_at + _COMMIT_SECONDS - time.monotonic())

    async def _flush(self) -> None:
        """Commit all pending changes together; if one of them fails, one by one."""
        pending, self._pending = self._pending, []
        self._committed = {waiting.change.table for waiting in pending}
        try:
            await self._writer.apply([waiting.change for waiting in pending])
            self._committed_at = time.monotonic()
        except (StaleVersion, IntegrityError):
            await self._flush_singly(pending)
        except Exception as error:
            for waiting in pending:
                waiting.settle(error)
        except BaseException:
            for waiting in pending:
                waiting.done.cancel()
            raise
        else:
            self._to_show.add(pending)

    async def _flush_singly(self, pending: list[Waiting]) -> None:
        """Commit changes one by one. Once the database fails, the rest fails with it: each of them would wait for its
        time limit in vain, and all later changes after it."""
        failure: Exception | None = None
        for waiting in pending:
            error = failure or await self._why_not_changed(waiting.change)
            if isinstance(error, STORAGE_ERRORS):
                failure = error
            waiting.settle(error)

    async def _why_not_changed(self, change: Change) -> Exception | None:
        """Commit one change; return what went wrong, if anything."""
        try:
            await self._writer.apply([change])
        except IntegrityError:
            return stale_table()
        except Exception as error:
            return error
        return None

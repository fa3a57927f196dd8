"""Commits that several changes share.

A commit waits for the disk, and SQLite has one writer at a time, so changes that arrive during a commit share the next
one. For SQLite one thread executes them together: switching between the event loop and a thread for every statement
would cost more than the statements.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final, Protocol

from sqlalchemy.exc import IntegrityError

from ludotheque.core.errors import StaleVersion
from ludotheque.server.storage.failures import STORAGE_ERRORS, stale_table
from ludotheque.server.storage.rows import Change

_AT_ONCE: Final = 8
"""Changes committed together that are shown before other requests get their turn."""
_COMMIT_SECONDS: Final = 0.01
"""From one commit to the next, at least, while several tables change: a commit costs as much as several changes."""


class ChangeWriter(Protocol):
    """Commits changes, all or none."""

    async def apply(self, changes: Sequence[Change]) -> None: ...


class GroupCommit:
    """Commits changes of positions together while there are many."""

    def __init__(self, writer: ChangeWriter, writing: asyncio.Lock) -> None:
        """`writing` is held during a commit."""
        self._writer, self._writing = writer, writing
        self._pending: list[tuple[Change, asyncio.Future[None]]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._committed: set[str] = set()
        """The tables that changed by the latest commit."""
        self._committed_at = 0.0
        self.is_waiting = False
        """Whether changes wait for another transaction to end."""

    async def add(self, change: Change) -> None:
        """Make a change durable, or raise `StaleVersion` if the table is no longer at that version."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((change, done))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_all())
        await done

    async def _flush_all(self) -> None:
        """Commit pending changes until there are none."""
        try:
            while self._pending:
                await asyncio.sleep(self._seconds_to_wait())
                self.is_waiting = True
                async with self._writing:
                    self.is_waiting = False
                    await self._flush()
        finally:
            self._flushing, self.is_waiting = None, False

    def _seconds_to_wait(self) -> float:
        """Return how long to wait for changes to share a commit; 0 unless several tables change all the time."""
        tables = {change.table for change, _ in self._pending}
        if tables == self._committed:
            return 0
        return max(0, self._committed_at + _COMMIT_SECONDS - time.monotonic())

    async def _flush(self) -> None:
        """Commit all pending changes together; if one of them fails, one by one."""
        waiting, self._pending = self._pending, []
        self._committed = {change.table for change, _ in waiting}
        try:
            await self._writer.apply([change for change, _ in waiting])
            self._committed_at = time.monotonic()
        except (StaleVersion, IntegrityError):
            await self._flush_singly(waiting)
        except Exception as error:
            for _, done in waiting:
                _settle(done, error)
        except BaseException:
            for _, done in waiting:
                done.cancel()
            raise
        else:
            for number, (_, done) in enumerate(waiting, 1):
                _settle(done)
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)

    async def _flush_singly(self, waiting: list[tuple[Change, asyncio.Future[None]]]) -> None:
        """Commit changes one by one. Once the database fails, the rest fails with it: each of them would wait for its
        time limit in vain, and all later changes after it."""
        failure: Exception | None = None
        for change, done in waiting:
            error = failure or await self._why_not_changed(change)
            if isinstance(error, STORAGE_ERRORS):
                failure = error
            _settle(done, error)

    async def _why_not_changed(self, change: Change) -> Exception | None:
        """Commit one change; return what went wrong, if anything."""
        try:
            await self._writer.apply([change])
        except IntegrityError:
            return stale_table()
        except Exception as error:
            return error
        return None


def _settle(done: asyncio.Future[None], error: Exception | None = None) -> None:
    """Report how a change ended, if anyone still waits for it."""
    if done.done():
        return
    if error:
        done.set_exception(error)
    else:
        done.set_result(None)

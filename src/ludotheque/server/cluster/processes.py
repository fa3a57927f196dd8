"""The other server processes: this one reports that it is alive, shares who is present, and takes over from the dead.

The process that made the latest change of a table plays for its bots. When it dies or stops, another one takes over.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Final

from ludotheque.server.cluster.remote import RemoteEvents
from ludotheque.server.storage import processes
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.processes import ALIVE_SECONDS, SeatsAndWatchers
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.view_shapes import Presence

REPORT_SECONDS: Final = 0.7
_LOG: Final = logging.getLogger("ludotheque.server.cluster.processes")


class Processes:
    """This process among the others."""

    def __init__(
        self,
        storage: Storage,
        remote: RemoteEvents,
        presences: Presences,
        events: TableEvents,
        take_over: Callable[[Collection[str]], Awaitable[None]],
        resume_reviews: Callable[[], None],
    ) -> None:
        """`take_over` plays for the bots of these tables, and what was decided ahead there; `resume_reviews` continues
        reviews that a dead process left."""
        self._resume_reviews = resume_reviews
        self._storage = storage
        self._remote = remote
        self._presences = presences
        self._events = events
        self._take_over = take_over
        self._alive: frozenset[str] = frozenset()
        self._steady_since = self._reported = time.monotonic()
        self._to_read: set[str] = set()
        self._woken = presences.changed
        self._task: asyncio.Task[None] | None = None
        events.subscribe(self._on_event)

    async def start(self) -> None:
        """Report this process, and play for the bots that no other process plays for."""
        await processes.report_alive(self._storage)
        self._alive = await processes.alive(self._storage)
        await self._claim()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        try:
            await processes.leave(self._storage)
        except Exception as error:
            _LOG.warning("the other processes were not notified of the stop: %s", type(error).__name__)

    def _on_event(self, event: TableEvent) -> None:
        if event.what == "presence" and not self._events.is_own(event):
            self._to_read.add(event.table)
            self._woken.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._report()
                await self._share_presence()
            except Exception as error:
                _LOG.warning("this process could not report to the others: %s", type(error).__name__)
                await asyncio.sleep(REPORT_SECONDS)
            await self._wait()

    async def _wait(self) -> None:
        """Wait until the next report is due, or someone comes or goes."""
        try:
            await asyncio.wait_for(self._woken.wait(), REPORT_SECONDS)
        except TimeoutError:
            return
        self._woken.clear()

    async def _report(self) -> None:
        now = time.monotonic()
        if now - self._reported < REPORT_SECONDS / 2:
            return
        if await processes.report_alive(self._storage):
            self._presences.mark_all()
        if now - self._reported > ALIVE_SECONDS / 2:
            self._steady_since = now
        self._reported = now
        # After an outage of the database every process looks dead, so each waits until all had time to report.
        if now - self._steady_since >= ALIVE_SECONDS:
            await processes.forget_dead(self._storage)
        await self._notice_changes()

    async def _notice_changes(self) -> None:
        before, self._alive = self._alive, await processes.alive(self._storage)
        if before - self._alive - {self._storage.process}:
            _LOG.info("another server process stopped")
            self._to_read |= self._presences.open_tables
            await self._claim()
            self._resume_reviews()

    async def _claim(self) -> None:
        claimed = await processes.claim_bots(self._storage)
        if claimed:
            await self._remote.check()
            await self._take_over(claimed)

    async def _share_presence(self) -> None:
        """Write who came and went here, and read who is present elsewhere."""
        changed = self._presences.take_changed()
        try:
            if changed:
                here = {id: self._presences.here(id) for id in changed}
                await processes.write_presences(self._storage, {id: _stored(who) for id, who in here.items()})
        except BaseException:
            self._presences.mark(changed)
            raise
        for id in changed:
            self._events.publish(id, "presence")
        reading = (self._to_read | changed) & self._presences.open_tables
        self._to_read = set()
        if reading:
            for id, others in (await processes.present_elsewhere(self._storage, reading)).items():
                self._presences.set_elsewhere(id, _sum(others))


def _stored(who: Presence) -> SeatsAndWatchers:
    return SeatsAndWatchers(tuple(sorted(who.seats)), who.watchers)


def _sum(others: Collection[SeatsAndWatchers]) -> Presence:
    seats = frozenset(seat for who in others for seat in who.seats)
    return Presence(seats, sum(who.watchers for who in others))

"""The context that every request comes to: who asks, and the services of the server behind it."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.after.results import ResultLog
from ludotheque.server.after.reviewer import Reviewer
from ludotheque.server.bots.runner import BotRunner, Thinkers
from ludotheque.server.errors import Refused, forbidden, stale_version
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.limits import Limits
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.live import LiveTable, LiveTables, Rights, Summary, choose_viewer, summary
from ludotheque.server.tables.presence import Presences
from ludotheque.show.language import Reader


class Services(Struct, frozen=True):
    """The parts of a running server."""

    live_tables: LiveTables
    actions: TableActions
    presences: Presences
    limits: Limits
    thinkers: Thinkers
    runner: BotRunner
    results: ResultLog
    reviewer: Reviewer


class RequestContext(Struct, frozen=True):
    """One request: who asks, in which language, and whom they can be passed on to."""

    services: Services
    caller: Caller
    reader: Reader

    @property
    def live_tables(self) -> LiveTables:
        return self.services.live_tables

    @property
    def storage(self) -> Storage:
        return self.services.live_tables.storage

    @property
    def actions(self) -> TableActions:
        return self.services.actions

    def limit(self, kind: str) -> None:
        """Count a request against its client."""
        self.services.limits.count(kind, self.caller)

    async def enter(self, table_id: str) -> tuple[LiveTable, Rights]:
        """A table, and what the caller may do there; nothing if they may not even know of it."""
        table = await self.live_tables.table(table_id)
        return table, table.rights(self.caller.digests)

    async def enter_seat(self, table_id: str, seat: int) -> tuple[LiveTable, Rights]:
        """The same for one who acts for a seat."""
        table, rights = await self.enter(table_id)
        check_seat(table, seat)
        rights.check_seat(seat)
        return table, rights

    async def my_tables(self) -> list[Summary]:
        digests = self.caller.digests
        found = [item for digest in digests for item in await self.storage.held_by(digest)]
        return [summary(stored, seats, digests) for stored, seats in found]

    async def open_tables(self) -> list[Summary]:
        return [summary(stored, (), self.caller.digests) for stored in await self.storage.with_open_seat()]


def check_seat(table: LiveTable, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Refused(404, "no-such-seat", phrase("There is no such seat at this table."))


def check_to_move(table: LiveTable, seat: int, version: int) -> None:
    if version != table.version:
        raise stale_version()
    if table.match.to_move != seat:
        raise Refused(409, "not-your-turn", phrase("It is not your turn."))


def viewer_for(table: LiveTable, rights: Rights, asked: int | None) -> int:
    """Through which eyes a caller looks; only through their own."""
    if asked is None:
        return choose_viewer(table, rights)[0]
    if asked != SPECTATOR and asked not in rights.seats:
        raise forbidden(phrase("You do not hold that seat."))
    return asked

"""The desk that every request comes to: who asks, and the rooms of the server behind it."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.game import SPECTATOR
from ludotheque.core.words import say
from ludotheque.server.acting import Acting
from ludotheque.server.bots import BotRunner, Thinkers
from ludotheque.server.caller import Caller
from ludotheque.server.chronicle import Chronicle
from ludotheque.server.drawing import eyes
from ludotheque.server.errors import Refused, forbidden, moved_meanwhile
from ludotheque.server.house import House, LiveTable, Rights, Summary, summary
from ludotheque.server.limits import Limits
from ludotheque.server.reviewing import Reviewer
from ludotheque.server.sockets import Presences
from ludotheque.server.storage import Storage
from ludotheque.server.words import Reader


class Rooms(Struct, frozen=True):
    """The parts of a running server."""

    house: House
    acting: Acting
    presences: Presences
    limits: Limits
    thinkers: Thinkers
    runner: BotRunner
    chronicle: Chronicle
    reviewer: Reviewer


class Desk(Struct, frozen=True):
    """One request: who asks, in which language, and whom they can be passed on to."""

    rooms: Rooms
    caller: Caller
    reader: Reader

    @property
    def house(self) -> House:
        return self.rooms.house

    @property
    def storage(self) -> Storage:
        return self.rooms.house.storage

    @property
    def acting(self) -> Acting:
        return self.rooms.acting

    def limit(self, kind: str) -> None:
        """Count a request against its client."""
        self.rooms.limits.count(kind, self.caller)

    async def enter(self, table_id: str) -> tuple[LiveTable, Rights]:
        """A table, and what the caller may do there; nothing if they may not even know of it."""
        table = await self.house.table(table_id)
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
        raise Refused(404, "no-such-seat", say("There is no such seat at this table."))


def check_to_move(table: LiveTable, seat: int, version: int) -> None:
    if version != table.version:
        raise moved_meanwhile()
    if table.match.to_move != seat:
        raise Refused(409, "not-your-turn", say("It is not your turn."))


def viewer_for(table: LiveTable, rights: Rights, asked: int | None) -> int:
    """Through which eyes a caller looks; only through their own."""
    if asked is None:
        return eyes(table, rights)[0]
    if asked != SPECTATOR and asked not in rights.seats:
        raise forbidden(say("You do not hold that seat."))
    return asked

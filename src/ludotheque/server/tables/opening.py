"""How a table begins: from a set-up, from a record, or from a moment of another table."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ludotheque.core.errors import BadOption
from ludotheque.core.game import SPECTATOR
from ludotheque.core.registry import game_class
from ludotheque.server.bots.levels import check_level, level_name
from ludotheque.server.http.bodies import Branch, NewSeat, NewTable
from ludotheque.server.keys import digest, new_secret, new_table_id
from ludotheque.server.storage.changes import now
from ludotheque.server.storage.database import Kind, StoredKey, StoredTable
from ludotheque.server.tables.live import LiveTable, LiveTables, Pace, Seat, as_plain
from ludotheque.show.language import Reader
from ludotheque.table import Match, Record

_LOG: Final = logging.getLogger("ludotheque.server")
WITH_PEOPLE: Final = 0.6
WITHOUT_PEOPLE: Final = 1.0
"""Seconds that a bot's move takes at least, unless somebody says otherwise."""


class SeatLink(Struct, frozen=True):
    """A link to a seat."""

    seat: int
    url: str


class Opened(Struct, frozen=True):
    """A new table, and the links to it; nobody can be told these again."""

    id: str
    url: str
    links: tuple[SeatLink, ...]
    watch: str = ""


class Origin(Struct, frozen=True):
    """Where a table comes from."""

    kind: Kind
    table: str = ""
    ply: int = 0


SET_UP: Final = Origin("played")


class _Keys:
    """The keys of a new table."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.stored: list[StoredKey] = []

    def link(self, seat: int) -> str:
        secret = new_secret()
        self.stored.append(StoredKey(digest(secret), self.table, seat, "link"))
        return f"/t/{self.table}#{secret}"

    def browser(self, host: bytes, seat: int) -> None:
        self.stored.append(StoredKey(host, self.table, seat, "browser"))


async def open_table(
    live_tables: LiveTables, wanted: NewTable, host: bytes, reader: Reader
) -> tuple[LiveTable, Opened]:
    """Start a table as somebody wants it."""
    game = game_class(wanted.game)(len(wanted.seats), wanted.options)
    match = Match.start(game, _names(wanted.seats, reader))
    has_people = any(seat.who != "bot" for seat in wanted.seats)
    seconds = wanted.pace if wanted.pace is not None else WITH_PEOPLE if has_people else WITHOUT_PEOPLE
    return await _store(live_tables, match, wanted.seats, host, Pace(seconds), wanted.watch)


async def open_record(live_tables: LiveTables, record: Record, host: bytes) -> tuple[LiveTable, Opened]:
    """Start a table where a record leaves off, all seats the host's."""
    if record.viewer is not None:
        raise BadOption("This record was made for one viewer and hides what they did not see: it cannot be taken up.")
    match = record.to_match()
    if match.dice and match.dice.seed is None and not match.is_over:
        raise BadOption("This record does not hold the seed of its dice, so the game cannot go on from there.")
    seats = [NewSeat(who="me") for _ in range(match.game.players)]
    return await _store(live_tables, match, seats, host, Pace(WITH_PEOPLE), True, Origin("record"))


async def open_side(live_tables: LiveTables, table: LiveTable, wanted: Branch, host: bytes) -> tuple[LiveTable, Opened]:
    """Start a table at a moment of another one, against bots; nobody else finds it."""
    match = table.match.branch(wanted.ply)
    bot = NewSeat(who="bot", level=check_level(wanted.level))
    seats = [NewSeat(who="me") if seat == wanted.seat else bot for seat in range(match.game.players)]
    pace = Pace(WITHOUT_PEOPLE if wanted.seat == SPECTATOR else WITH_PEOPLE)
    return await _store(live_tables, match, seats, host, pace, False, Origin("side", table.id, wanted.ply))


async def _store(
    live_tables: LiveTables,
    match: Match,
    wanted: Sequence[NewSeat],
    host: bytes,
    pace: Pace,
    watch: bool,
    origin: Origin = SET_UP,
) -> tuple[LiveTable, Opened]:
    id = new_table_id()
    keys = _Keys(id)
    links = tuple(SeatLink(number, keys.link(number)) for number, seat in enumerate(wanted) if seat.who == "link")
    for number, seat in enumerate(wanted):
        if seat.who == "me":
            keys.browser(host, number)
    keys.browser(host, SPECTATOR)
    opened = Opened(id, f"/t/{id}", links, keys.link(SPECTATOR) if watch else "")
    seats = [_seat(seat) for seat in wanted]
    stored = StoredTable(
        id=id,
        game=match.game.name,
        settings=as_plain(match.game.settings),
        names=[*match.names],
        seats=as_plain(seats),
        seed=match.dice.seed if match.dice else None,
        host=host,
        version=1,
        ply=match.ply,
        to_move=match.to_move,
        over=match.is_over,
        pace=as_plain(pace),
        updated=now(),
        has_open_seat=any(seat.open for seat in seats),
        kind=origin.kind,
        origin=origin.table,
        origin_ply=origin.ply,
        commitment=match.dice.commitment if match.dice else "",
        dice_since=match.branched_at,
    )
    await live_tables.storage.add_table(stored, keys.stored, match.actions())
    _LOG.info("a table was opened", extra={"table": id, "game": match.game.name, "players": match.game.players})
    return await live_tables.table(id), opened


def _seat(wanted: NewSeat) -> Seat:
    if wanted.who == "bot":
        return Seat("bot", check_level(wanted.level), taken=True)
    if wanted.level:
        raise BadOption("Only a bot has a level.")
    return Seat("person", open=wanted.who == "open", taken=wanted.who == "me")


def _names(seats: Sequence[NewSeat], reader: Reader) -> list[str]:
    """What the seats are called: as asked, else bots by their level and people by their number."""
    names: list[str] = []
    for number, seat in enumerate(seats, 1):
        name = seat.name
        if not name and seat.who == "bot":
            name = f"{level_name(seat.level).render(reader.translate)} {number}"
        names.append(name or f"{reader.translate('Seat {number}').format(number=number)}")
    return names

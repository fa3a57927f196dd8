"""How a table starts: from a set-up, from a record, or as a branch of another table."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct, structs

from ludotheque.bots.registry import TableBots
from ludotheque.core.errors import BadOption, BadRecord
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class
from ludotheque.server.errors import Refused
from ludotheque.server.http.bodies import Branch, NewSeat, NewTable
from ludotheque.server.keys import digest, new_secret, new_table_id
from ludotheque.server.storage.rows import Kind, StoredKey, StoredTable, now
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.gathering import Gathering
from ludotheque.server.tables.joining import colour_as_name, given_name
from ludotheque.server.tables.live import LiveTable, Pace, Seat, Terms, as_plain, seated_at
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.show.language import Reader
from ludotheque.table import Dice, Match
from ludotheque.table.clock import start_clock
from ludotheque.table.names import check_new_name

_LOG: Final = logging.getLogger("ludotheque.server.tables.opening")
WITH_PEOPLE: Final = 0.6
"""Seconds that a bot's move takes at least, unless the host sets another delay."""
WITHOUT_PEOPLE: Final = 1.0
"""The same where only bots play."""


class SeatLink(Struct, frozen=True):
    """A link to a seat."""

    seat: int
    url: str


class Opened(Struct, frozen=True):
    """A new table, and the links to it, which are not stored and cannot be shown again."""

    id: str
    url: str
    links: tuple[SeatLink, ...]
    watch: str = ""
    """The spectator link."""
    commitment: str = ""
    """The commitment of the dice, if the browser is to reveal its nonces now."""


class Source(Struct, frozen=True):
    """Where a new table comes from."""

    kind: Kind
    table: str = ""
    ply: int = 0


SET_UP: Final = Source("played")
NO_TERMS: Final = Terms()
CLOSED: Final = Gathering()


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


class TableOpener:
    """Opens tables."""

    def __init__(
        self,
        live_tables: LiveTables,
        events: TableEvents,
        reader: UntrustedReader,
        bots: TableBots,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`now` tells the time for clocks."""
        self._now = now
        self._live_tables = live_tables
        self._events = events
        self._reader = reader
        self._bots = bots

    async def open_new(self, wanted: NewTable, host: bytes, reader: Reader, address: str) -> Opened:
        """Open a table for a new game."""
        await self._reader.check_options(address, wanted.game, len(wanted.seats), wanted.options)
        game = game_class(wanted.game)(len(wanted.seats), wanted.options)
        gathering = _gathering(wanted) if game.has_chance else Gathering()
        match = Match(game, _names(game, wanted.seats, reader, self._bots), _new_dice(game, gathering))
        match.roll()
        has_people = any(seat.who != "bot" for seat in wanted.seats)
        seconds = wanted.pace if wanted.pace is not None else WITH_PEOPLE if has_people else WITHOUT_PEOPLE
        terms = Terms(hints=wanted.hints, clock=wanted.clock)
        return await self._store(
            match, wanted.seats, host, Pace(seconds), wanted.watch, gathering=gathering, terms=terms
        )

    async def open_record(self, text: str, host: bytes, address: str) -> Opened:
        """Open a table at the end of a record; the host holds all seats."""
        try:
            record = await self._reader.read_record(address, text)
        except BadRecord as error:
            raise BadRecord(phrase("This record cannot be opened. {reason}", reason=error.sentence)) from error
        if record.viewer is not None:
            raise BadOption(
                "This record was made for one viewer and hides what they did not see: it cannot be taken up."
            )
        match = await asyncio.to_thread(record.to_match)
        if match.game.has_chance and not match.is_over:
            # The host may know the seed of the record; and one whose draws were made elsewhere has no dice.
            match.dice = Dice.fresh(since=match.ply)
            match.roll()
        seats = [NewSeat(who="me") for _ in range(match.game.players)]
        return await self._store(match, seats, host, Pace(WITH_PEOPLE), True, Source("record"))

    async def open_branch(self, table: LiveTable, wanted: Branch, host: bytes, ply: int, line: Sequence[int]) -> Opened:
        """Open a table at a position of another one, against bots; only the host knows of it. The position follows
        from `ply` of the other table by the actions of a line."""
        match = table.match.branch(ply, line)
        bot = NewSeat(who="bot", level=self._bots.check(wanted.level))
        seats = [NewSeat(who="me") if seat == wanted.seat else bot for seat in range(match.game.players)]
        pace = Pace(WITHOUT_PEOPLE if wanted.seat == SPECTATOR else WITH_PEOPLE)
        return await self._store(match, seats, host, pace, False, Source("branch", table.id, ply))

    async def open_rematch(self, table: LiveTable, reader: Reader, shared_dice: bool) -> str:
        """Let the same people and bots play again, each one seat further; return the id of the table. There is one
        rematch, no matter how many ask for it. `shared_dice`: the browsers of the people add to the dice."""
        if not table.match.is_over:
            raise Refused(409, "not-over", phrase("The game is not over."))
        if table.rematch:
            return table.rematch
        id, players = new_table_id(), len(table.seats)
        game = game_class(table.game.name)(players, table.game.settings)
        order = [(seat + 1) % players for seat in range(players)]
        names = [given_name(table, old) or colour_as_name(game, seat, reader) for seat, old in enumerate(order)]
        seats = [_again(table.seats[old]) for old in order]
        has_people = any(seat.who == "person" for seat in seats)
        gathering = Gathering.of_seated() if shared_dice and has_people and game.has_chance else CLOSED
        match = Match(game, names, _new_dice(game, gathering))
        match.roll()
        pace = structs.replace(table.pace, paused=False)
        stored = _stored(id, match, seats, table.host, pace, SET_UP, gathering, table.terms, self._now())
        stored = structs.replace(stored, password=table.password)
        keys = _rotated_keys(table, id, order)
        table.rematch = await self._live_tables.storage.add_rematch(table.id, stored, keys, match.actions())
        self._events.publish(table.id, "rematch")
        if table.rematch == id:
            await self._live_tables.table(id)
            self._events.publish(id, "position")
        return table.rematch

    async def open_match(self, match: Match, seat: int, level: str, host: bytes, kind: Kind, reader: Reader) -> Opened:
        """Open a table at the present position of a match, against bots; only the host knows of it."""
        bot = NewSeat(who="bot", level=self._bots.check(level))
        seats = [NewSeat(who="me") if number == seat else bot for number in range(match.game.players)]
        for number, name in enumerate(_names(match.game, seats, reader, self._bots)):
            match.rename(number, name)
        return await self._store(match, seats, host, Pace(WITH_PEOPLE), False, Source(kind))

    async def _store(
        self,
        match: Match,
        wanted: Sequence[NewSeat],
        host: bytes,
        pace: Pace,
        watch: bool,
        source: Source = SET_UP,
        gathering: Gathering = CLOSED,
        terms: Terms = NO_TERMS,
    ) -> Opened:
        id = new_table_id()
        keys = _Keys(id)
        links = tuple(SeatLink(number, keys.link(number)) for number, seat in enumerate(wanted) if seat.who == "link")
        for number, seat in enumerate(wanted):
            if seat.who == "me":
                keys.browser(host, number)
        keys.browser(host, SPECTATOR)
        commitment = match.dice.commitment if match.dice and gathering.state == "reveal" else ""
        opened = Opened(id, f"/t/{id}", links, keys.link(SPECTATOR) if watch else "", commitment)
        stored = _stored(
            id, match, [_seat(seat, self._bots) for seat in wanted], host, pace, source, gathering, terms, self._now()
        )
        await self._live_tables.storage.add_table(stored, keys.stored, match.actions())
        await self._live_tables.table(id)
        _LOG.info("a table was opened", extra={"table": id, "game": match.game.name, "players": match.game.players})
        self._events.publish(id, "position")
        return opened


def _again(seat: Seat) -> Seat:
    """A seat at the rematch: what nobody holds is open, and who was replaced by a bot plays again."""
    if seat.stands_in:
        return Seat("person", taken=True)
    return seat if seat.who == "bot" or seat.taken else Seat("person", open=True)


def _rotated_keys(table: LiveTable, id: str, order: Sequence[int]) -> list[StoredKey]:
    """The keys to the rematch: those who hold a seat, or watch, may do so there."""
    places = {old: seat for seat, old in enumerate(order)} | {SPECTATOR: SPECTATOR}
    return [
        StoredKey(key, id, places[seat], table.kinds[key])
        for key, seats in table.keys.items()
        for seat in seats
        if table.kinds[key] != "once"
    ]


def _gathering(wanted: NewTable) -> Gathering:
    """What people may add to the dice of a new table."""
    if not wanted.shared_dice or all(seat.who == "bot" for seat in wanted.seats):
        return CLOSED
    commitments = {number: seat.commitment for number, seat in enumerate(wanted.seats) if seat.who == "me"}
    return Gathering("open").seated(commitments, all(seat.who in ("me", "bot") for seat in wanted.seats))


def _new_dice(game: Game, gathering: Gathering) -> Dice | None:
    return Dice.fresh(is_open=gathering.state != "closed") if game.has_chance else None


def _stored(
    id: str,
    match: Match,
    seats: Sequence[Seat],
    host: bytes,
    pace: Pace,
    source: Source,
    gathering: Gathering,
    terms: Terms,
    at: float,
) -> StoredTable:
    return StoredTable(
        id=id,
        game=match.game.name,
        game_version=match.game.version,
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
        kind=source.kind,
        branched_from=source.table,
        branch_ply=source.ply,
        commitment=match.dice.commitment if match.dice else "",
        dice_since=match.branched_at,
        terms=as_plain(terms),
        nonces=as_plain(gathering),
        clock=as_plain(start_clock(terms.clock, len(seats), match.to_move, at)) if terms.clock else None,
        seated_at=seated_at(seats, None, at),
    )


def _seat(wanted: NewSeat, bots: TableBots) -> Seat:
    if wanted.who == "bot":
        return Seat("bot", bots.check(wanted.level), taken=True)
    if wanted.level:
        raise BadOption("Only a bot has a level.")
    if wanted.commitment and wanted.who != "me":
        raise BadOption("Only this browser's seats have a commitment.")
    return Seat("person", open=wanted.who == "open", taken=wanted.who == "me")


def _names(game: Game, seats: Sequence[NewSeat], reader: Reader, bots: TableBots) -> list[str]:
    """The names of the seats: as requested, else bots by their level and people by their colour."""
    names: list[str] = []
    for number, seat in enumerate(seats, 1):
        name = seat.name
        if not name and seat.who == "bot":
            name = f"{bots.title(seat.level).render(reader.translate)} {number}"
        names.append(check_new_name(name) if name else colour_as_name(game, number - 1, reader))
    return names

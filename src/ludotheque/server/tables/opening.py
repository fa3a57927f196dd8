"""Open tables: from a set-up, from a record, or as a branch of another table."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct, structs
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.bots.fixed_points import fixed_points
from ludotheque.core.errors import BadOption, BadRecord
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class
from ludotheque.server.commands import Branch, NewSeat, NewTable
from ludotheque.server.config import Most
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest, new_secret, new_table_id
from ludotheque.server.storage.bot_games import claim_bot_game
from ludotheque.server.storage.keys import NO_SEATS, Key, Keys
from ludotheque.server.storage.rows import Kind, StoredTable, now
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import Pace, Seat, TableFacts, TableLink, TableTerms, as_plain, changed_columns
from ludotheque.server.tables.joining import colour_as_name, given_name
from ludotheque.server.tables.listed import ListedTables
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.nonces import NonceRound
from ludotheque.server.tables.proposals import holders, is_agreed
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.seats import without_host
from ludotheque.show.language import Reader
from ludotheque.table import Dice, Match
from ludotheque.table.clock import start_clock
from ludotheque.table.names import check_new_name, is_unlike
from ludotheque.table.steady_time import steady_time

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
    link: str = ""
    """The link for several friends, each of whom takes a free seat; empty if no seat is for whoever comes first."""
    watch: str = ""
    """The spectator link."""
    commitment: str = ""
    """The commitment of the dice, if the browser is to reveal its nonces now."""


class SeatedPerson(Struct, frozen=True):
    """Someone for whom the server opens a table."""

    key: bytes
    """The digest of their browser's secret."""
    name: str = ""


class _Keys:
    """The keys of a new table."""

    def __init__(self, table: str) -> None:
        self._table = table
        self.made: set[Key] = set()

    def link(self, seat: int) -> str:
        secret = new_secret()
        self.made.add(Key(digest(secret), seat, "link"))
        return f"/t/{self._table}#{secret}"

    def table_link(self, wanted: Sequence[NewSeat]) -> tuple[str, TableLink | None]:
        """A link to the seats that are for whoever comes first: not to those of people who are challenged."""
        seats = frozenset(number for number, seat in enumerate(wanted) if seat.who == "link" and not seat.profile)
        if not seats:
            return "", None
        secret = new_secret()
        return f"/t/{self._table}#{secret}", TableLink((digest(secret).hex(),), seats)

    def browser(self, host: bytes, seat: int) -> None:
        self.made.add(Key(host, seat, "browser"))


class TableOpener:
    """Opens tables."""

    def __init__(
        self,
        live_tables: LiveTables,
        events: TableEvents,
        reader: UntrustedReader,
        bots: TableBots,
        now: Callable[[], float] = steady_time,
        most_listed: int = Most().open_tables,
    ) -> None:
        """`now` tells the time for clocks; `most_listed`: the most tables of one network in the public list."""
        self._now = now
        self._live_tables = live_tables
        self._events = events
        self._reader = reader
        self._bots = bots
        self._listed = ListedTables(most_listed)

    async def open_new(self, wanted: NewTable, host: bytes, reader: Reader, address: str, profile: str = "") -> Opened:
        """Open a table for a new game; `profile`: that of the host of a rated table."""
        if wanted.rated:
            _check_rated(wanted)
        is_listed = wanted.watchable or any(seat.who == "open" for seat in wanted.seats)
        if is_listed:
            await self._check_room_in_lists(address)
        await self._reader.check_options(address, wanted.game, len(wanted.seats), wanted.options)
        game = game_class(wanted.game)(len(wanted.seats), wanted.options)
        against_bots = wanted.rated and any(seat.who == "bot" for seat in wanted.seats)
        if against_bots:
            _check_fixed_points(wanted, game)
        nonce_round = _nonce_round(wanted) if game.has_chance else NonceRound()
        match = Match(game, _names(game, wanted.seats, reader, self._bots), _new_dice(game, nonce_round))
        match.roll()
        has_people = any(seat.who != "bot" for seat in wanted.seats)
        seconds = wanted.pace if wanted.pace is not None else WITH_PEOPLE if has_people else WITHOUT_PEOPLE
        facts = TableFacts(
            host=host,
            names=match.names,
            seats=self._seats(game, wanted.seats),
            pace=Pace(seconds),
            terms=TableTerms(hints=wanted.hints, clock=wanted.clock, rated=wanted.rated),
            language=reader.language,
            watchable=wanted.watchable,
            nonce_round=nonce_round,
        )
        opened = await self._open(match, facts, wanted.seats, wanted.watch, profile if against_bots else "")
        if is_listed:
            self._listed.add(address, opened.id)
        return opened

    async def list_table(self, address: str, id: str) -> None:
        """Count a table that its host lets everyone watch against the most of the host's network."""
        await self._check_room_in_lists(address)
        self._listed.add(address, id)

    async def _check_room_in_lists(self, address: str) -> None:
        storage = self._live_tables.storage
        listed = [*await storage.with_open_seat(), *await storage.watchable()]
        self._listed.check_room(address, {table.id for table in listed})

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
        wanted = [NewSeat(who="me") for _ in range(match.game.players)]
        facts = TableFacts(
            kind="record", host=host, names=match.names, seats=self._seats(match.game, wanted), pace=Pace(WITH_PEOPLE)
        )
        return await self._open(match, facts, wanted, watch=True)

    async def open_branch(self, table: LiveTable, wanted: Branch, host: bytes, ply: int, line: Sequence[int]) -> Opened:
        """Open a table at a position of another one, against bots; only the host knows of it. The position follows
        from `ply` of the other table by the actions of a line."""
        match = table.match.branch(ply, line)
        seats = self._against_bots(match, wanted.seat, wanted.level)
        facts = TableFacts(
            kind="branch",
            branched_from=table.id,
            branch_ply=ply,
            host=host,
            names=match.names,
            seats=self._seats(match.game, seats),
            pace=Pace(WITHOUT_PEOPLE if wanted.seat == SPECTATOR else WITH_PEOPLE),
        )
        return await self._open(match, facts, seats)

    async def open_match(self, match: Match, seat: int, level: str, host: bytes, kind: Kind, reader: Reader) -> Opened:
        """Open a table at the present position of a match, against bots; only the host knows of it."""
        seats = self._against_bots(match, seat, level)
        names = tuple(_names(match.game, seats, reader, self._bots))
        facts = TableFacts(
            kind=kind, host=host, names=names, seats=self._seats(match.game, seats), pace=Pace(WITH_PEOPLE)
        )
        return await self._open(match, facts, seats)

    def _against_bots(self, match: Match, seat: int, level: str) -> list[NewSeat]:
        bot = NewSeat(who="bot", level=self._bots.check(level, match.game))
        return [NewSeat(who="me") if number == seat else bot for number in range(match.game.players)]

    async def open_rematch(self, table: LiveTable, reader: Reader, shared_dice: bool) -> str:
        """Let the same people and bots play again, each one seat further; return the id of the table. There is one
        rematch, no matter how many ask for it. `shared_dice`: the browsers of the people add to the dice."""
        async with table.lock:
            if not table.facts.rematch:
                await self._add_rematch(table, reader, shared_dice)
        return table.facts.rematch

    async def _add_rematch(self, table: LiveTable, reader: Reader, shared_dice: bool) -> None:
        """Open the rematch of a table, unless another process has just done so."""
        facts, players = table.facts, len(table.facts.seats)
        game = game_class(table.game.name)(players, table.game.settings)
        order = [(seat + 1) % players for seat in range(players)]
        names = [
            given_name(facts.names[old], game, old) or colour_as_name(game, seat, reader)
            for seat, old in enumerate(order)
        ]
        seats = tuple(_again(facts.seats[old]) for old in order)
        has_people = any(seat.who == "person" for seat in seats)
        nonce_round = NonceRound.of_seated() if shared_dice and has_people and game.has_chance else NonceRound()
        match = Match(game, names, _new_dice(game, nonce_round))
        match.roll()
        again = TableFacts(
            host=facts.host,
            names=match.names,
            seats=seats,
            keys=_rotated_keys(facts.keys, order),
            password=facts.password,
            watchable=facts.watchable,
            pace=structs.replace(facts.pace, paused=False),
            terms=structs.replace(facts.terms, tournament=None, rated=_is_rated_again(facts), rematch=True),
            language=facts.language,
            nonce_round=nonce_round,
            awaited=frozenset(seat for seat, player in enumerate(seats) if player.who == "person" and player.taken),
        )
        new = self._new_table(new_table_id(), match, again)
        rematch = await self._live_tables.storage.add_rematch(
            table.id, _stored(new), new.facts.keys.rows, match.actions()
        )
        table.take_over(structs.replace(facts, rematch=rematch))
        self._events.publish(table.id, "rematch")
        if rematch == new.id:
            self._live_tables.add(new)
            self._events.publish(new.id, "position")

    # Tables that the server opens for people who are known already.

    def prepare(
        self, game: Game, people: Sequence[SeatedPerson], terms: TableTerms, reader: Reader, awaited: bool = False
    ) -> LiveTable:
        """Make a table at which everyone is seated and no one is the host, so that no one can end it for the others.

        `awaited`: whether the clock waits until all have come."""
        match = Match(game, _unlike_names(game, people, reader), _new_dice(game, NonceRound()))
        match.roll()
        keys = Keys(frozenset(Key(person.key, seat, "browser") for seat, person in enumerate(people)))
        facts = TableFacts(
            host=digest(new_secret()),
            names=match.names,
            seats=(Seat("person", taken=True),) * len(people),
            keys=keys,
            terms=terms,
            awaited=frozenset(range(len(people))) if awaited else NO_SEATS,
        )
        return self._new_table(new_table_id(), match, facts)

    async def insert(self, connection: AsyncConnection, table: LiveTable) -> None:
        """Store a prepared table as a part of a transaction; announce it after the commit."""
        storage, match = self._live_tables.storage, table.match
        await storage.insert_table(connection, _stored(table), table.facts.keys.rows, match.actions())

    def announce(self, table: LiveTable) -> None:
        """Keep a table that has just been stored in memory, and let people know of it."""
        self._live_tables.add(table)
        self._events.publish(table.id, "position")
        self._events.publish(table.id, "opened")

    # All tables.

    async def _open(
        self, match: Match, facts: TableFacts, wanted: Sequence[NewSeat], watch: bool = False, claimed_by: str = ""
    ) -> Opened:
        """Store a table, and keep it in memory as it is on disk. `claimed_by`: the profile whose only unfinished rated
        game against bots it is."""
        id = new_table_id()
        keys = _Keys(id)
        links = tuple(SeatLink(number, keys.link(number)) for number, seat in enumerate(wanted) if seat.who == "link")
        for number, seat in enumerate(wanted):
            if seat.who == "me":
                keys.browser(facts.host, number)
        keys.browser(facts.host, SPECTATOR)
        spectator_link = keys.link(SPECTATOR) if watch else ""
        url, link = keys.table_link(wanted)
        facts = structs.replace(facts, keys=Keys(frozenset(keys.made)), link=link)
        table = self._new_table(id, match, without_host(facts))

        async def store(connection: AsyncConnection) -> None:
            await self.insert(connection, table)
            if claimed_by and not await claim_bot_game(connection, claimed_by, id):
                raise Refused(409, "unfinished", phrase("Finish your other rated game against bots first."))

        await self._live_tables.storage.write(store)
        self._live_tables.add(table)
        _LOG.info("a table was opened", extra={"table": id, "game": match.game.name, "players": match.game.players})
        self._events.publish(id, "position")
        commitment = table.facts.commitment if facts.nonce_round.state == "reveal" else ""
        return Opened(id, f"/t/{id}", links, url, spectator_link, commitment)

    def _new_table(self, id: str, match: Match, facts: TableFacts) -> LiveTable:
        """A table as it would be read from disk, with the plies of a match that is given up."""
        facts = _started(facts, match, self._now())
        history = [action for _, action in match.actions()]
        kept = Match(match.game, facts.names, facts.dice(), history, match)
        kept.ending = facts.ending
        return LiveTable(id, kept, facts, driver=self._live_tables.storage.process)

    def _seats(self, game: Game, wanted: Sequence[NewSeat]) -> tuple[Seat, ...]:
        return tuple(_seat(seat, game, self._bots) for seat in wanted)


def _started(facts: TableFacts, match: Match, at: float) -> TableFacts:
    """The facts of a new table with what follows from its match: its dice and its clock."""
    rule, dice = facts.terms.clock, match.dice
    return structs.replace(
        facts,
        ending=match.ending,
        seed=dice.seed if dice else None,
        commitment=dice.commitment if dice else "",
        dice_since=match.branched_at,
        clock=start_clock(rule, len(facts.seats), match.to_move, at) if rule else None,
        seated_at=at if facts.is_full and not facts.awaited else None,
    )


def _stored(table: LiveTable) -> StoredTable:
    match = table.match
    return StoredTable(
        id=table.id,
        game=match.game.name,
        game_version=match.game.version,
        settings=as_plain(match.game.settings),
        ply=match.ply,
        to_move=match.to_move,
        over=match.is_over,
        updated=now(),
        facts=changed_columns(table.facts),
    )


def _again(seat: Seat) -> Seat:
    """A seat at the rematch: one that no one holds is open, and a person whom a bot substituted plays again."""
    if seat.substitutes:
        return Seat("person", taken=True)
    return seat if seat.who == "bot" or seat.taken else Seat("person", open=True)


def _rotated_keys(keys: Keys, order: Sequence[int]) -> Keys:
    """The keys to the rematch: those who hold a seat, or watch, may do so there."""
    places = {old: seat for seat, old in enumerate(order)} | {SPECTATOR: SPECTATOR}
    kept = [key for key in keys.rows if key.kind != "once"]
    return Keys(frozenset(structs.replace(key, seat=places[key.seat]) for key in kept))


def _is_rated_again(facts: TableFacts) -> bool:
    """Whether a rematch changes ratings: not if someone began it without the others, nor against bots, where a person
    has one rated game at a time."""
    agreed = is_agreed(facts.rematch_request, holders(facts))
    return facts.terms.rated and agreed and not facts.is_rated_against_bots


def _check_rated(wanted: NewTable) -> None:
    """Raise unless the result of a table can change ratings."""
    if wanted.clock is None:
        raise BadOption(phrase("A rated game needs a clock."))
    if wanted.hints:
        raise BadOption(phrase("There are no hints in a rated game."))
    count = Counter(seat.who for seat in wanted.seats)
    if count["me"] != 1 or 0 < count["bot"] < len(wanted.seats) - 1:
        raise BadOption(phrase("In a rated game your opponents are either all people or all bots."))


def _check_fixed_points(wanted: NewTable, game: Game) -> None:
    """Raise unless the ratings of all bots are known."""
    known = fixed_points(game)
    if not all(seat.level in known for seat in wanted.seats if seat.who == "bot"):
        raise BadOption(phrase("The rating of these bots at such a table is not known well enough."))


def _nonce_round(wanted: NewTable) -> NonceRound:
    """The nonces that people may add to the dice of a new table."""
    if not wanted.shared_dice or all(seat.who == "bot" for seat in wanted.seats):
        return NonceRound()
    commitments = {number: seat.commitment for number, seat in enumerate(wanted.seats) if seat.who == "me"}
    return NonceRound("open").seated(commitments, all(seat.who in ("me", "bot") for seat in wanted.seats))


def _new_dice(game: Game, nonce_round: NonceRound) -> Dice | None:
    return Dice.fresh(awaits_nonces=nonce_round.state != "closed") if game.has_chance else None


def _seat(wanted: NewSeat, game: Game, bots: TableBots) -> Seat:
    if wanted.who == "bot":
        return Seat("bot", bots.check(wanted.level, game), taken=True)
    if wanted.level:
        raise BadOption("Only a bot has a level.")
    if wanted.commitment and wanted.who != "me":
        raise BadOption("Only this browser's seats have a commitment.")
    if wanted.profile and wanted.who != "link":
        raise BadOption("Only someone who gets a link can be challenged.")
    return Seat("person", open=wanted.who == "open", taken=wanted.who == "me")


def _unlike_names(game: Game, people: Sequence[SeatedPerson], reader: Reader) -> list[str]:
    """The names that people chose, except where one looks like that of someone before them: colours."""
    names: list[str] = []
    for seat, person in enumerate(people):
        colour = colour_as_name(game, seat, reader)
        names.append(person.name if person.name and is_unlike(person.name, names) else colour)
    return names


def _names(game: Game, seats: Sequence[NewSeat], reader: Reader, bots: TableBots) -> list[str]:
    """The names of the seats: as requested, else bots by their level and people by their colour."""
    names: list[str] = []
    for number, seat in enumerate(seats, 1):
        name = seat.name
        if not name and seat.who == "bot":
            name = f"{bots.title(seat.level).render(reader.translate)} {number}"
        names.append(check_new_name(name) if name else colour_as_name(game, number - 1, reader))
    return names

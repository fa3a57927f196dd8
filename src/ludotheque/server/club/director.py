"""The director of tournaments: opens the tables of each round, records results, and decides games that never end.

A change of a tournament is one transaction, which locks it first: of two processes whose games end at once, the second
sees what the first one stored, so each round is opened once. What a process that was killed left undone, any process
finds when it next looks. Nobody is late because the server was down: after a start it waits before it decides a game.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from datetime import datetime, timedelta
from functools import partial
from random import SystemRandom
from typing import Any, Final

import msgspec
from msgspec import structs
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import cached_game
from ludotheque.server.after.results import final_ranks, has_result
from ludotheque.server.club import tournament_rules as rules
from ludotheque.server.config import Most
from ludotheque.server.errors import Refused, forbidden, no_profile
from ludotheque.server.keys import digest, new_secret, new_table_id
from ludotheque.server.repeated import Repeated
from ludotheque.server.storage.keys import NO_SEATS
from ludotheque.server.storage.locks import keep_club, keep_profiles, lock_profiles
from ludotheque.server.storage.profiles import Profile
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.tournaments import (
    RoundTable,
    TableUnderWay,
    Tournament,
    TournamentTerms,
    insert_tournament,
    left_open,
    past_deadline,
    read_tournament,
    store_tournament,
    tables_under_way,
    unfinished,
)
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvent, TableEvents
from ludotheque.server.tables.facts import Seat, TableFacts, TableTerms, TournamentRound
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import SeatedPerson, TableOpener
from ludotheque.server.tables.seats import change_player, close
from ludotheque.server.tables.writing import TableWriter
from ludotheque.show.language import Reader
from ludotheque.table.clock import Clock, time_left

MOST_JOINED: Final = 20
"""Unfinished tournaments that one person may play in."""
EVERY_SECONDS: Final = 10.0
"""Between two looks at what is due."""
COME_WITHIN: Final = timedelta(minutes=10)
"""Time that a live table waits for its players, and every table after a start of the server."""
_SUBSTITUTE: Final = "3"
"""The level of the bot that plays on for someone who is absent from a table of more than two."""
_LOG: Final = logging.getLogger("ludotheque.server.club.director")
Law = Callable[[Tournament], Tournament]


class TournamentDirector:
    """Runs the tournaments."""

    def __init__(
        self,
        live_tables: LiveTables,
        opener: TableOpener,
        writer: TableWriter,
        events: TableEvents,
        clock: Callable[[], datetime] = now,
        most_organised: int = Most().tournaments,
    ) -> None:
        """`most_organised`: unfinished tournaments that one person may organise."""
        self._live_tables = live_tables
        self._storage = live_tables.storage
        self._opener = opener
        self._writer = writer
        self._most_organised = most_organised
        self._now = clock
        self._started = clock()
        self._recording: set[asyncio.Task[None]] = set()
        self._looking = Repeated(self.look, EVERY_SECONDS, "tournaments were not looked at; the next try is soon")
        events.subscribe(self._on_event)

    # People.

    async def create(
        self, organiser: Profile, title: str, terms: TournamentTerms, plays: bool, club: str = ""
    ) -> tuple[Tournament, str]:
        """Create a tournament, in which its organiser may play; return it with the secret of its link. Members of a
        club need no link."""
        rules.check_terms(terms)
        secret = new_secret()
        tournament = Tournament(
            id=new_table_id(),
            title=title,
            organiser=organiser.id,
            club=club,
            link=digest(secret),
            terms=terms,
            created=self._now(),
        )
        async with self._storage.writing() as connection:
            if club and not await keep_club(connection, club):
                raise forbidden(phrase("Only members can do that."))
            if not await lock_profiles(connection, [organiser.id]):  # locked: someone creates one at a time
                raise no_profile()
            organised, _ = await unfinished(connection, organiser.id)
            if organised >= self._most_organised:
                raise Refused(409, "too-many", phrase("You are already organising too many tournaments."))
            await insert_tournament(connection, tournament)
            if plays:
                joined = rules.join(tournament, organiser.id, organiser.name)
                await store_tournament(connection, tournament, joined, tournament.created)
        _LOG.info("a tournament was created", extra={"tournament": tournament.id, "game": terms.game})
        return tournament, secret

    async def join(self, id: str, person: Profile) -> None:
        """Let someone join."""
        await self._change(id, lambda tournament: rules.join(tournament, person.id, person.name), joins=person.id)

    async def withdraw(self, id: str, person: Profile) -> None:
        await self._change(id, lambda tournament: rules.withdraw(tournament, person.id))

    async def new_link(self, id: str, organiser: Profile) -> str:
        """Replace the link; return the secret of the new one."""
        secret = new_secret()

        def law(tournament: Tournament) -> Tournament:
            rules.check_organiser(tournament, organiser.id)
            return structs.replace(tournament, link=digest(secret))

        await self._change(id, law)
        return secret

    async def start(self, id: str, organiser: Profile) -> None:
        """Begin the first round, with the players in an order drawn by lot."""

        def law(tournament: Tournament) -> Tournament:
            order = SystemRandom().sample(tournament.numbers, len(tournament.numbers))
            return rules.start(tournament, organiser.id, order, self._now())

        await self._change(id, law)

    async def forfeit(self, id: str, organiser: Profile, table: int, player: int) -> None:
        """Decide a game of the present round for the organiser: a player has lost it."""

        def law(tournament: Tournament) -> Tournament:
            rules.check_organiser(tournament, organiser.id)
            where, seat = rules.seat_of(tournament, table, player)
            return rules.forfeit(tournament, where, [seat], self._now())

        await self._change(id, law, by_organiser=True)

    # Changes.

    async def _change(self, id: str, law: Law, joins: str = "", by_organiser: bool = False) -> None:
        """Change a tournament, open the tables that it needs then, and close those that were decided without a game.

        `joins`: the profile of someone who joins by it.
        """
        async with self._storage.writing() as connection:
            before = await read_tournament(connection, id, lock=True)
            if before is None:
                raise no_tournament()
            if joins:
                await _check_room(connection, joins)
            profiles = [each.profile for each in before.entrants if each.profile]
            keys = await keep_profiles(connection, profiles)
            after = law(rules.without_deleted(before, keys))
            tables = {each.number: self._prepare(after, each, keys) for each in after.tables if each.is_to_open}
            for table in tables.values():
                await self._opener.insert(connection, table)
            after = rules.opened(after, {number: table.id for number, table in tables.items()})
            await store_tournament(connection, before, after, self._now())
        for table in tables.values():
            self._opener.announce(table)
        for forfeited in _forfeited(before, after):
            await self._close(forfeited.table, None if by_organiser else _loser(forfeited))

    def _prepare(self, tournament: Tournament, table: RoundTable, keys: dict[str, bytes]) -> LiveTable:
        terms = tournament.terms
        known = {each.number: each for each in tournament.entrants}
        people = [known[number] for number in table.meeting.players]
        seated = [SeatedPerson(keys[each.profile], each.name) for each in people]
        place = TournamentRound(tournament.id, tournament.title, table.meeting.round)
        return self._opener.prepare(
            cached_game(terms.game, len(seated), terms.options),
            seated,
            TableTerms(clock=terms.clock, rated=terms.rated, tournament=place),
            Reader("en"),
            awaited=terms.is_live,
        )

    async def _close(self, id: str, loser: int | None = None) -> None:
        """Close a table that was decided before the game was over: no move counts any more."""
        try:
            table = await self._live_tables.table(id)
            law = partial(_closed, table, loser)
            await self._writer.change(table, law, "seats", "facts", even_if_closed=True)
        except (LudothequeError, Refused):
            _LOG.info("a decided table could not be closed", extra={"table": id}, exc_info=True)

    # Results.

    def _on_event(self, event: TableEvent) -> None:
        """Record the result of a game that has just ended."""
        table = self._live_tables.in_memory(event.table)
        if event.what == "position" and table and table.match.is_over and table.facts.terms.tournament:
            self._begin(self.record(table))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._recording.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._recording.discard(task)
        if not task.cancelled() and task.exception():
            _LOG.error("a result was not recorded; the next look does it", exc_info=task.exception())

    async def record(self, table: LiveTable) -> None:
        """Record the result of a finished game, unless that is done."""
        place = table.facts.terms.tournament
        assert place is not None
        law: Law
        if has_result(table):
            law = partial(rules.record, table=table.id, ranks=final_ranks(table), at=self._now())
        else:  # nobody was left to play
            law = partial(rules.forfeit, table=table.id, absent=table.facts.ending.seats, at=self._now())
        try:
            await self._change(place.id, law)
        except Refused:
            _LOG.info("the tournament of a table is gone", extra={"table": table.id})

    # Games that never end.

    def start_looking(self) -> None:
        self._looking.start()

    async def stop(self) -> None:
        await self._looking.stop()
        await asyncio.gather(*self._recording, return_exceptions=True)

    async def look(self) -> None:
        """Do what is due: results that were not recorded, players who are absent, rounds that last too long."""
        at = self._now()  # nobody is late by what happens after their table is read
        for id in await left_open(self._storage):
            await self._close(id)
        under_way = await tables_under_way(self._storage)
        for table in under_way:
            try:
                await self._look_at(table, at)
            except Exception:  # one table must not keep the others waiting
                _LOG.exception("a table cannot be looked at", extra={"table": table.table})
        for id in await past_deadline(self._storage, at) if self._is_settled(at) else ():
            late = [table for table in under_way if table.tournament == id]
            try:
                await self._change(id, partial(self._decide_late, late))
            except Exception:
                _LOG.exception("a round that lasts too long cannot be decided", extra={"tournament": id})

    def _is_settled(self, at: datetime) -> bool:
        """Whether people have had time to come back since the server started."""
        return at >= self._started + COME_WITHIN

    async def _look_at(self, table: TableUnderWay, at: datetime) -> None:
        if table.over:
            finished = await self._live_tables.table(table.table)
            await self._live_tables.refresh(finished)  # another process may have ended it
            await self.record(finished)
            return
        absent = left_seats(table) or (late_seats(table, at) if self._is_settled(at) else [])
        if not table.exists or (absent and len(table.seats) == 2):
            law = partial(rules.forfeit, table=table.table, absent=absent, at=self._now())
            await self._change(table.tournament, law)
        elif absent:
            await self._substitute(table.table, absent)

    async def _substitute(self, id: str, absent: Iterable[int]) -> None:
        """Let bots play on for those who are absent from a table of more than two; they come last."""
        table = await self._live_tables.table(id)

        def law(facts: TableFacts) -> TableFacts:
            for seat in absent:
                if not table.match.is_over and facts.seats[seat].who == "person":
                    bot = Seat("bot", _SUBSTITUTE, taken=True, substitutes=True)
                    facts = change_player(facts, seat, bot, self._writer.now())
            return facts

        await self._writer.change(table, law, "seats")

    def _decide_late(self, late: Iterable[TableUnderWay], tournament: Tournament) -> Tournament:
        """Decide the games that are not over at the end of a round against those whose turn it is."""
        at = self._now()
        if tournament.deadline is None or tournament.deadline > at:
            return tournament
        for table in late:
            tournament = rules.forfeit(tournament, table.table, [table.to_move] if table.to_move >= 0 else [], at)
        return tournament


def left_seats(table: TableUnderWay) -> list[int]:
    """The seats whose people have left for good."""
    return [number for number, seat in enumerate(table.seats) if seat["who"] == "person" and not seat["taken"]]


def late_seats(table: TableUnderWay, at: datetime) -> list[int]:
    """The seats whose people have not come in time, or whose time is up."""
    if table.awaited and table.created and at >= table.created + COME_WITHIN:
        return [*table.awaited]
    clock = msgspec.convert(table.clock, Clock | None)
    if clock is None or table.to_move < 0 or table.seats[table.to_move]["who"] == "bot":
        return []
    left = time_left(clock, table.to_move, at.timestamp(), table.seated_at)
    return [] if left else [table.to_move]


async def _check_room(connection: AsyncConnection, profile: str) -> None:
    """Raise if someone plays in too many tournaments; until the transaction ends, they can join no other."""
    if not await lock_profiles(connection, [profile]):
        raise no_profile()
    _, joined = await unfinished(connection, profile)
    if joined >= MOST_JOINED:
        raise Refused(409, "too-many", phrase("You are already playing in too many tournaments."))


def _forfeited(before: Tournament, after: Tournament) -> list[RoundTable]:
    """The tables that this change has decided without a game."""
    undecided = {table.table for table in before.tables if not table.meeting.is_decided}
    return [table for table in after.tables if table.table in undecided and table.meeting.decided == "forfeit"]


def _loser(table: RoundTable) -> int | None:
    """The seat that lost at a table of two; None if there are more, or both are equal."""
    points = table.meeting.points
    return points.index(0.0) if sorted(points) == [0.0, 1.0] else None


def _closed(table: LiveTable, loser: int | None, facts: TableFacts) -> TableFacts:
    """Close a table; nobody is awaited there any more. A loser loses the game too if both have moved, as in chess: a
    game that was never played costs no rating."""
    facts = structs.replace(close(facts), awaited=NO_SEATS)
    match = table.match
    if loser is None or match.is_over or not {0, 1} <= {*match.movers}:
        return facts
    return structs.replace(facts, ending=facts.ending.time_out(loser, match.ply), undo_request=None)


def no_tournament() -> Refused:
    return Refused(404, "not-found", phrase("There is no such tournament, or you have no link to it."))

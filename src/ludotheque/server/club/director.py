"""The director of tournaments: opens the tables of each round, records results, and decides games that never end.

A change of a tournament is one transaction, which locks it first: of two processes whose games end at once, the second
sees what the first one stored, so each round is opened once. What a process that was killed left undone, any process
finds when it next looks.
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

from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class
from ludotheque.server.after.results import final_ranks, has_result
from ludotheque.server.club import tournament_rules as rules
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest, new_secret, new_table_id
from ludotheque.server.storage.keys import NO_SEATS
from ludotheque.server.storage.profiles import Profile
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.tournaments import (
    RoundTable,
    TableUnderWay,
    Tournament,
    TournamentTerms,
    insert_tournament,
    keys_of,
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

MOST_ORGANISED: Final = 5
"""Unfinished tournaments that one person may organise."""
MOST_JOINED: Final = 20
"""Unfinished tournaments that one person may play in."""
EVERY_SECONDS: Final = 10.0
"""Between two looks at what is due."""
COME_WITHIN: Final = timedelta(minutes=10)
"""How long a live table waits for its players."""
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
    ) -> None:
        self._live_tables = live_tables
        self._storage = live_tables.storage
        self._opener = opener
        self._writer = writer
        self._now = clock
        self._recording: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None
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
            await keys_of(connection, [organiser.id])  # locked: someone creates one at a time
            organised, _ = await unfinished(connection, organiser.id)
            if organised >= MOST_ORGANISED:
                raise Refused(409, "too-many", phrase("You organise too many tournaments that are not over."))
            await insert_tournament(connection, tournament)
            if plays:
                joined = rules.join(tournament, organiser.id, organiser.name)
                await store_tournament(connection, tournament, joined, tournament.created)
        _LOG.info("a tournament was created", extra={"tournament": tournament.id, "game": terms.game})
        return tournament, secret

    async def join(self, id: str, person: Profile) -> None:
        """Let someone join."""
        async with self._storage.reading() as connection:
            _, joined = await unfinished(connection, person.id)
        if joined >= MOST_JOINED:
            raise Refused(409, "too-many", phrase("You play in too many tournaments that are not over."))
        await self._change(id, lambda tournament: rules.join(tournament, person.id, person.name))

    async def withdraw(self, id: str, person: Profile) -> None:
        await self._change(id, lambda tournament: rules.withdraw(tournament, person.id))

    async def new_link(self, id: str, organiser: Profile) -> str:
        """Replace the link; return the secret of the new one."""
        secret = new_secret()

        def law(tournament: Tournament) -> Tournament:
            rules.check_organiser(tournament, organiser.id)
            return msgspec.structs.replace(tournament, link=digest(secret))

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

        await self._change(id, law)

    # Changes.

    async def _change(self, id: str, law: Law) -> Tournament:
        """Change a tournament, open the tables that it needs then, and close those that were decided without a game."""
        async with self._storage.writing() as connection:
            before = await read_tournament(connection, id, lock=True)
            if before is None:
                raise no_tournament()
            after = law(before)
            profiles = [each.profile for each in after.entrants if each.profile]
            to_open = [table for table in after.tables if table.is_to_open]
            keys = await keys_of(connection, profiles) if to_open else {}
            tables = {table.number: self._prepare(after, table, keys) for table in to_open}
            for table in tables.values():
                await self._opener.insert(connection, table)
            after = rules.opened(after, {number: table.id for number, table in tables.items()})
            await store_tournament(connection, before, after, self._now())
        for table in tables.values():
            self._opener.announce(table)
        await self._close(_forfeited(before, after))
        return after

    def _prepare(self, tournament: Tournament, table: RoundTable, keys: dict[str, bytes]) -> LiveTable:
        terms = tournament.terms
        known = {each.number: each for each in tournament.entrants}
        people = [known[number] for number in table.meeting.players]
        seated = [SeatedPerson(keys[each.profile], each.name) for each in people]
        place = TournamentRound(tournament.id, tournament.title, table.meeting.round)
        return self._opener.prepare(
            game_class(terms.game)(len(seated), terms.options),
            seated,
            TableTerms(clock=terms.clock, rated=terms.rated, tournament=place),
            Reader("en"),
            awaited=terms.is_live,
        )

    async def _close(self, tables: Iterable[str]) -> None:
        """Close tables that were decided before the game was over: no move counts any more."""
        for id in tables:
            try:
                table = await self._live_tables.table(id)
                await self._writer.change(table, _close, "seats", "facts", even_if_closed=True)
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
        self._looking = asyncio.create_task(self._look_again_and_again())

    async def stop(self) -> None:
        if self._looking:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await asyncio.gather(*self._recording, return_exceptions=True)

    async def _look_again_and_again(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:
                _LOG.exception("tournaments were not looked at; the next try is soon")
            await asyncio.sleep(EVERY_SECONDS)

    async def look(self) -> None:
        """Do what is due: results that were not recorded, players who are absent, rounds that last too long."""
        at = self._now()  # nobody is late by what happens after their table is read
        under_way = await tables_under_way(self._storage)
        for table in under_way:
            try:
                await self._look_at(table, at)
            except Exception:  # one table must not keep the others waiting
                _LOG.exception("a table cannot be looked at", extra={"table": table.table})
        for id in await past_deadline(self._storage, at):
            late = [table for table in under_way if table.tournament == id]
            try:
                await self._change(id, partial(self._decide_late, late))
            except Exception:
                _LOG.exception("a round that lasts too long cannot be decided", extra={"tournament": id})

    async def _look_at(self, table: TableUnderWay, at: datetime) -> None:
        if table.over:
            finished = await self._live_tables.table(table.table)
            await self._live_tables.refresh(finished)  # another process may have ended it
            await self.record(finished)
            return
        absent = absent_seats(table, at)
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


def absent_seats(table: TableUnderWay, at: datetime) -> list[int]:
    """The seats whose people have left for good, have not come in time, or whose time is up."""
    left_for_good = [number for number, seat in enumerate(table.seats) if seat["who"] == "person" and not seat["taken"]]
    if left_for_good:
        return left_for_good
    if table.awaited and table.created and at >= table.created + COME_WITHIN:
        return [*table.awaited]
    clock = msgspec.convert(table.clock, Clock | None)
    if clock is None or table.to_move < 0 or table.seats[table.to_move]["who"] == "bot":
        return []
    left = time_left(clock, table.to_move, at.timestamp(), table.seated_at)
    return [] if left else [table.to_move]


def _forfeited(before: Tournament, after: Tournament) -> list[str]:
    """The tables that this change has decided without a game."""
    undecided = {table.table for table in before.tables if not table.meeting.is_decided}
    return [table.table for table in after.tables if table.table in undecided and table.meeting.decided == "forfeit"]


def _close(facts: TableFacts) -> TableFacts:
    """Close a table; nobody is awaited there any more."""
    return msgspec.structs.replace(close(facts), awaited=NO_SEATS)


def no_tournament() -> Refused:
    return Refused(404, "not-found", phrase("There is no such tournament, or you have no link to it."))

"""Rules of tournaments: pure functions from a tournament to the next one, or a refusal.

Rounds follow each other by themselves: what decides the last game of a round also draws up the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from msgspec import structs

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import find_game
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.storage.tournaments import Entrant, RoundTable, Tournament, TournamentTerms
from ludotheque.table.names import is_unlike
from ludotheque.tournament.rounds import next_round, number_of_rounds
from ludotheque.tournament.values import Decided, Meeting, System, points_by_place

MOST_PLAYERS: Final[dict[System, int]] = {"round-robin": 16, "swiss": 64, "knockout": 64, "groups": 64}
"""Players by system: a round robin opens a table for every two."""
MOST_SEATS: Final = 6
LEAST_PLAYERS: Final = 2


def check_terms(terms: TournamentTerms) -> None:
    """Raise unless a tournament can be played by these terms."""
    kind = find_game(terms.game)
    if kind is None:
        raise Refused(404, "not-found", phrase("There is no such game."))
    if not max(2, kind.min_players) <= terms.seats <= min(MOST_SEATS, kind.max_players):
        raise _malformed(phrase("The game does not take that number of players."))
    if (terms.system == "groups") != (terms.seats > 2):
        raise _malformed(phrase("Groups are for tables of three or more; the other systems are for tables of two."))
    for seats in table_seats(terms):
        kind(seats, terms.options)  # raises `BadOption`


def _malformed(sentence: Phrase) -> Refused:
    return Refused(400, "malformed", sentence)


def table_seats(terms: TournamentTerms) -> range:
    """The numbers of seats that a table may have."""
    kind = find_game(terms.game)
    least = max(2, kind.min_players) if kind and terms.system == "groups" else terms.seats
    return range(min(least, terms.seats), terms.seats + 1)


def rounds_of(tournament: Tournament) -> int:
    """The rounds that there will be, for as many players as have joined."""
    terms = tournament.terms
    return number_of_rounds(terms.system, max(LEAST_PLAYERS, len(tournament.entrants)), terms.rounds)


def tables_of(tournament: Tournament) -> int:
    """About how many tables all rounds together will open."""
    return rounds_of(tournament) * ceil(len(tournament.entrants) / tournament.terms.seats)


# People.


def join(tournament: Tournament, profile: str, name: str) -> Tournament:
    """Let someone join; one who has joined already stays as they are."""
    if tournament.entrant(profile):
        return tournament
    if tournament.state != "open":
        raise Refused(409, "not-now", phrase("This tournament has begun; nobody can join it any more."))
    others = [each for each in tournament.entrants if not each.gone]
    if len(others) >= MOST_PLAYERS[tournament.terms.system]:
        raise Refused(409, "full", phrase("This tournament is full."))
    if not is_unlike(name, [each.name for each in others]):
        sentence = phrase("Someone whose name looks like yours has joined: change yours on My page.")
        raise Refused(409, "name-taken", sentence)
    return structs.replace(tournament, entrants=_numbered([*others, Entrant(0, profile, name)]))


def _numbered(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    return tuple(structs.replace(each, number=number) for number, each in enumerate(entrants, 1))


def withdraw(tournament: Tournament, profile: str) -> Tournament:
    """Let someone withdraw: before the start as if they had not come, later from the next round on."""
    entrant = tournament.entrant(profile)
    if entrant is None or tournament.state == "over":
        raise Refused(409, "not-now", phrase("You do not play in this tournament."))
    if tournament.state == "open":
        return structs.replace(tournament, entrants=_numbered([e for e in tournament.entrants if e != entrant]))
    gone = structs.replace(entrant, gone=True)
    return structs.replace(tournament, entrants=tuple(gone if e == entrant else e for e in tournament.entrants))


def without_deleted(tournament: Tournament, existing: Collection[str]) -> Tournament:
    """Forget the entrants whose profiles were deleted meanwhile."""

    def after(each: Entrant) -> Entrant:
        return each if each.profile in existing else Entrant(each.number, "", "", gone=True)

    return structs.replace(tournament, entrants=tuple(after(each) for each in tournament.entrants))


def check_organiser(tournament: Tournament, profile: str) -> None:
    if not profile or tournament.organiser != profile:
        raise forbidden(phrase("Only the organiser can do that."))


# Rounds.


def start(tournament: Tournament, profile: str, order: Sequence[int], at: datetime) -> Tournament:
    """Begin the first round; `order`: the numbers of the entrants as they were drawn by lot."""
    check_organiser(tournament, profile)
    if tournament.state != "open":
        raise Refused(409, "not-now", phrase("This tournament has begun already."))
    present = {each.number: each for each in tournament.entrants if not each.gone}
    if len(present) < table_seats(tournament.terms).start:
        raise Refused(409, "too-few", phrase("There are too few players."))
    entrants = _numbered([present[number] for number in order if number in present])
    return advance(structs.replace(tournament, state="running", entrants=entrants), at)


def advance(tournament: Tournament, at: datetime) -> Tournament:
    """Draw up the next round if all of the present one is decided, and end the tournament after the last."""
    while tournament.state == "running" and all(meeting.is_decided for meeting in tournament.meetings):
        tournament = _next_round(tournament, at)
    return tournament


def _next_round(tournament: Tournament, at: datetime) -> Tournament:
    terms, number = tournament.terms, tournament.round + 1
    gone = frozenset(each.number for each in tournament.entrants if each.gone)
    is_last = tournament.round >= rounds_of(tournament)
    drawn = (
        [] if is_last else next_round(terms.system, tournament.numbers, gone, tournament.meetings, table_seats(terms))
    )
    if not drawn:
        return structs.replace(tournament, state="over", deadline=None)
    tables = tuple(RoundTable(place, meeting) for place, meeting in enumerate(drawn, 1))
    deadline = at + timedelta(hours=terms.hours)
    return structs.replace(tournament, round=number, deadline=deadline, tables=tournament.tables + tables)


def opened(tournament: Tournament, ids: Mapping[int, str]) -> Tournament:
    """Note the tables that were opened for the present round, by their numbers."""
    return structs.replace(
        tournament,
        tables=tuple(
            structs.replace(table, table=ids[table.number]) if table.is_to_open else table
            for table in tournament.tables
        ),
    )


# Results.


def record(tournament: Tournament, table: str, ranks: Sequence[float], at: datetime) -> Tournament:
    """Note the result of a table, unless it is decided; the first who say so count."""
    return _decide(tournament, table, _after_tie(tournament.terms.system, points_by_place(ranks)), "played", at)


def forfeit(tournament: Tournament, table: str, absent: Collection[int], at: datetime) -> Tournament:
    """Decide a table without the game: these seats have lost, the others are equal."""
    known = next((each for each in tournament.tables if each.table == table), None)
    if known is None or known.meeting.is_decided:
        return tournament
    points = points_by_place([0.0] * len(known.meeting.players), absent)
    return _decide(tournament, table, _after_tie(tournament.terms.system, points), "forfeit", at)


def _after_tie(system: System, points: tuple[float, ...]) -> tuple[float, ...]:
    """In a knockout someone must go on: after a tie, the player in the later seat."""
    return (0.0, 1.0) if system == "knockout" and points == (0.5, 0.5) else points


def _decide(
    tournament: Tournament, table: str, points: tuple[float, ...], decided: Decided, at: datetime
) -> Tournament:
    def after(each: RoundTable) -> RoundTable:
        if each.table != table or each.meeting.is_decided:
            return each
        meeting = Meeting(each.meeting.round, each.meeting.players, points, decided)
        return structs.replace(each, meeting=meeting)

    return advance(structs.replace(tournament, tables=tuple(after(each) for each in tournament.tables)), at)


def seat_of(tournament: Tournament, table: int, player: int) -> tuple[str, int]:
    """The id of a table of the present round by its number, and the seat of a player there."""
    for each in tournament.tables:
        if each.meeting.round == tournament.round and each.number == table and player in each.meeting.players:
            if each.meeting.is_decided:
                raise Refused(409, "not-now", phrase("This game is decided already."))
            return each.table, each.meeting.players.index(player)
    raise Refused(404, "not-found", phrase("There is no such table in this round."))

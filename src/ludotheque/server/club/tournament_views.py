"""Tournaments as their pages and files show them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.core.registry import cached_game, find_game
from ludotheque.server.club.tournament_rules import rounds_of
from ludotheque.server.storage.profiles import picture_url
from ludotheque.server.storage.tournaments import Entrant, RoundTable, Tournament, TournamentState, TournamentTerms
from ludotheque.show.language import Reader, game_translator
from ludotheque.table.clock import ClockRule
from ludotheque.tournament.standings import Standing, standings
from ludotheque.tournament.values import Decided, System

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First signs of a cell that a spreadsheet would carry out."""


class EntrantView(Struct, frozen=True):
    """A player of a tournament."""

    number: int
    name: str
    picture: str
    """The address of the portrait; empty once the profile is deleted."""
    gone: bool
    me: bool


class RoundTableView(Struct, frozen=True):
    """A table of a round."""

    number: int
    table: str
    """The id of the table; empty for a bye."""
    players: tuple[int, ...]
    """Their numbers, by seat."""
    points: tuple[float, ...]
    """Empty while the game is played."""
    decided: Decided
    mine: bool


class RoundView(Struct, frozen=True):
    number: int
    tables: tuple[RoundTableView, ...]


class CrossCell(Struct, frozen=True):
    """The result of one player at one table."""

    points: float | None
    opponents: tuple[int, ...]
    table: str
    decided: Decided


class CrossRow(Struct, frozen=True):
    """The results of a player: in a round robin by opponent, else by round."""

    player: int
    cells: tuple[CrossCell | None, ...]


class TournamentView(Struct, frozen=True, kw_only=True):
    """A tournament as one reader sees it."""

    id: str
    url: str
    title: str
    game: str
    game_title: str
    system: System
    seats: int
    rounds: int
    round: int
    """The present round; 0 before the start."""
    state: TournamentState
    deadline: datetime | None
    clock: ClockRule
    rated: bool
    organiser: bool
    """Whether the reader is the organiser."""
    me: int
    """The reader's number; 0 if they do not play."""
    my_table: str
    """The table at which the reader plays in the present round; empty if they do not."""
    my_bye: bool
    """Whether the reader has a bye in the present round."""
    players: tuple[EntrantView, ...]
    standings: tuple[Standing, ...]
    """The best first."""
    tables: tuple[RoundView, ...]
    """The latest round first."""
    cross: tuple[CrossRow, ...]
    """In the order of the standings."""

    def player(self, number: int) -> EntrantView:
        return self.players[number - 1]


def tournament_view(tournament: Tournament, profile: str, reader: Reader) -> TournamentView:
    """Show a tournament to the owner of a profile; an empty one for someone who has none."""
    terms = tournament.terms
    mine = tournament.entrant(profile)
    me = mine.number if mine else 0
    present = [each for each in tournament.tables if each.meeting.round == tournament.round]
    ranked = standings(terms.system, tournament.numbers, tournament.meetings)
    return TournamentView(
        id=tournament.id,
        url=f"/tournaments/{tournament.id}",
        title=tournament.title,
        game=terms.game,
        game_title=_game_title(terms, reader),
        system=terms.system,
        seats=terms.seats,
        rounds=rounds_of(tournament),
        round=tournament.round,
        state=tournament.state,
        deadline=tournament.deadline,
        clock=terms.clock,
        rated=terms.rated,
        organiser=bool(profile) and tournament.organiser == profile,
        me=me,
        my_table=next((each.table for each in present if me in each.meeting.players and not each.meeting.decided), ""),
        my_bye=any(each.meeting.players == (me,) for each in present),
        players=tuple(_entrant(each, me, reader) for each in tournament.entrants),
        standings=tuple(ranked),
        tables=tuple(_rounds(tournament, me)),
        cross=tuple(_cross_row(tournament, each.player) for each in ranked),
    )


def _game_title(terms: TournamentTerms, reader: Reader) -> str:
    kind = find_game(terms.game)
    translate = game_translator(terms.game, reader.language)
    return translate(cached_game(terms.game, terms.seats, terms.options).shown_title()) if kind else terms.game


def _entrant(entrant: Entrant, me: int, reader: Reader) -> EntrantView:
    nameless = phrase("Player {number}", number=entrant.number).render(reader.translate)
    picture = picture_url(entrant.profile) if entrant.profile else ""
    return EntrantView(entrant.number, entrant.name or nameless, picture, entrant.gone, entrant.number == me)


def _rounds(tournament: Tournament, me: int) -> Iterator[RoundView]:
    for number in range(tournament.round, 0, -1):
        tables = [table for table in tournament.tables if table.meeting.round == number and table.meeting.players]
        yield RoundView(number, tuple(_table(table, me) for table in tables))


def _table(table: RoundTable, me: int) -> RoundTableView:
    meeting = table.meeting
    return RoundTableView(
        table.number, table.table, meeting.players, meeting.points, meeting.decided, me in meeting.players
    )


def _cross_row(tournament: Tournament, player: int) -> CrossRow:
    tables = [table for table in tournament.tables if player in table.meeting.players]
    if tournament.terms.system == "round-robin":
        by_opponent = {other: table for table in tables for other in table.meeting.players if other != player}
        return CrossRow(player, tuple(_cell(by_opponent.get(other), player) for other in tournament.numbers))
    by_round = {table.meeting.round: table for table in tables}
    return CrossRow(player, tuple(_cell(by_round.get(number + 1), player) for number in range(tournament.round)))


def _cell(table: RoundTable | None, player: int) -> CrossCell | None:
    if table is None:
        return None
    meeting = table.meeting
    points = meeting.points_of(player) if meeting.is_decided else None
    others = tuple(other for other in meeting.players if other != player)
    return CrossCell(points, others, table.table, meeting.decided)


# Files.


def results_csv(view: TournamentView) -> str:
    """The standings as a CSV file, with a column of opponents and points for each round or opponent."""
    written = io.StringIO()
    writer = csv.writer(written)
    columns = [
        f"{_column(view)} {number}" for number in range(1, 1 + max((len(row.cells) for row in view.cross), default=0))
    ]
    writer.writerow(["rank", "number", "name", "points", "buchholz", "sonneborn", "direct", "wins", "played", *columns])
    for standing, row in zip(view.standings, view.cross, strict=True):
        writer.writerow(_line(view, standing, row))
    return written.getvalue()


def _column(view: TournamentView) -> str:
    return "against" if view.system == "round-robin" else "round"


def _line(view: TournamentView, standing: Standing, row: CrossRow) -> Sequence[object]:
    name = safe_cell(view.player(standing.player).name)
    values = standing.points, standing.buchholz, standing.sonneborn, standing.direct, standing.wins, standing.played
    return [standing.rank, standing.player, name, *values, *(_cell_text(cell) for cell in row.cells)]


def _cell_text(cell: CrossCell | None) -> str:
    if cell is None:
        return ""
    points = "" if cell.points is None else f"{cell.points:g}"
    return f"{points} ({'+'.join(map(str, cell.opponents)) or cell.decided})"


def safe_cell(text: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text

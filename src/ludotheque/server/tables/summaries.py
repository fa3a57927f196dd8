"""Tables as lists show them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal

import msgspec
from msgspec import Struct, structs

from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.registry import find_game
from ludotheque.server.storage.challenges import Challenge
from ludotheque.server.storage.rows import Kind, ListedTable
from ludotheque.server.tables.facts import TournamentRound
from ludotheque.study.game_length import about_minutes
from ludotheque.table.clock import ClockRule

Problem = Literal["", "not-installed", "other-version"]
"""The reason why a table cannot be replayed here; empty if it can."""


class Summary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table in a list."""

    id: str
    url: str
    game: str
    title: str
    names: tuple[str, ...]
    seats: tuple[int, ...]
    host: bool
    ply: int
    to_move: int
    my_turn: bool
    over: bool
    updated: datetime
    kind: Kind = "played"
    open: tuple[int, ...] = ()
    problem: Problem = ""
    locked: bool = False
    """Whether one needs a password to enter."""
    closed: bool = False
    rematch: str = ""
    """The path of the rematch; empty for none."""
    rematch_asked: bool = False
    """Whether others wait for this client's answer about a rematch."""
    seated: tuple[str, ...] = ()
    """The names of those who are there: people and bots."""
    people: tuple[str, ...] = ()
    """The names of those of them who are people."""
    watchers: int = 0
    """The number of spectators; only in the list of games to watch."""
    clock: ClockRule | None = None
    minutes: int = 0
    """About how long the game takes; only of tables that one can join, unless a move may take days."""
    rated: bool = False
    """Whether the result changes ratings."""
    language: str = ""
    """The language of the host."""
    awaited: bool = False
    """Whether the clock waits for this client to come."""
    challenger: str = ""
    """The name of the person who challenges this client to it; the address is that of the challenge."""
    tournament: TournamentRound | None = None
    """The round of a tournament that the table is for."""


def summary(stored: ListedTable, seats: Sequence[int], digests: Sequence[bytes]) -> Summary:
    """Summarise a stored table for a client that holds these seats."""
    mine = tuple(seat for seat in seats if seat != SPECTATOR)
    kind = find_game(stored.game)
    problem = _problem(stored, kind)
    return Summary(
        id=stored.id,
        url=f"/t/{stored.id}",
        game=stored.game,
        title=_title(stored, kind),
        names=tuple(stored.names),
        seats=mine,
        host=stored.host in digests,
        ply=stored.ply,
        to_move=stored.to_move,
        my_turn=stored.to_move in mine and _plays(stored) and not stored.closed and not problem,
        awaited=not {*mine}.isdisjoint(stored.awaited) and not (stored.over or stored.closed or problem),
        over=stored.over,
        updated=stored.updated,
        kind=stored.kind,
        open=(free := tuple(number for number, seat in enumerate(stored.seats) if seat.get("open"))),
        problem=problem,
        locked=bool(stored.password),
        closed=stored.closed,
        rematch=f"/t/{stored.rematch}" if stored.rematch else "",
        rematch_asked=_is_asked(stored, mine),
        seated=_seated(stored, ("person", "bot")),
        people=_seated(stored, ("person",)),
        clock=(clock := msgspec.convert(stored.terms.get("clock"), ClockRule | None)),
        minutes=_minutes(stored, clock) if free and not problem else 0,
        rated=stored.terms.get("rated", False),
        language=stored.language,
        tournament=msgspec.convert(stored.terms.get("tournament"), TournamentRound | None),
    )


def challenged_to(challenge: Challenge) -> Summary:
    """Summarise a table for someone who is challenged to it."""
    found = summary(challenge.table, (), ())
    minutes = _minutes(challenge.table, found.clock)
    return structs.replace(found, challenger=challenge.name, url=f"/#challenge-{found.id}", minutes=minutes)


def _minutes(stored: ListedTable, clock: ClockRule | None) -> int:
    """About how long the game of a table takes."""
    people = sum(seat["who"] == "person" for seat in stored.seats)
    return about_minutes(stored.game, len(stored.seats), people, clock)


def _seated(stored: ListedTable, kinds: Collection[str]) -> tuple[str, ...]:
    """The names at the seats that are taken by people, or by bots."""
    seats = zip(stored.names, stored.seats, strict=True)
    return tuple(name for name, seat in seats if seat.get("taken") and seat["who"] in kinds)


def _title(stored: ListedTable, kind: type[Game] | None) -> str:
    """The title of the variant that is played, else of the game; its name where it is not installed."""
    if not kind:
        return stored.game
    return next((each.title for each in kind.variants if each.describes(stored.settings)), kind.title)


def _plays(stored: ListedTable) -> bool:
    """Whether a person is to move, not a bot in their place."""
    return bool(stored.seats[stored.to_move]["who"] == "person")


def _is_asked(stored: ListedTable, seats: Sequence[int]) -> bool:
    """Whether others ask for a rematch that one of these seats has neither agreed to nor refused."""
    request = stored.rematch_request
    if not request or stored.rematch or request.get("refused"):
        return False
    return any(seat not in request["agreed"] for seat in seats)


def _problem(stored: ListedTable, kind: type[Game] | None) -> Problem:
    if kind is None:
        return "not-installed"
    return "" if kind.version == stored.game_version else "other-version"

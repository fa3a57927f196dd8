"""Joining a table: the free seats, each with its colour, and the names of those who give none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from ludotheque.core.colours import colour_name, seat_letter
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.server.tables.facts import TableFacts
from ludotheque.show.language import Reader
from ludotheque.study.game_length import about_minutes
from ludotheque.table import Match
from ludotheque.table.clock import ClockRule
from ludotheque.table.names import check_new_name, check_unlike
from ludotheque.web import LANGUAGES


class Newcomer(Struct, frozen=True):
    """Someone who sits down."""

    reader: Reader
    name: str = ""
    seat: int | None = None
    """The free seat that they want; None for that of their link."""
    commitment: str = ""
    """The commitment to the nonce that the browser adds to the dice."""


class SeatTaken(Struct, frozen=True):
    """The seat that a client now holds; -5: it watches."""

    seat: int


class FreeSeat(Struct, frozen=True):
    """A seat that a newcomer may take, with its colour."""

    seat: int
    colour: str
    """In English, for styles."""
    colour_name: str
    letter: str
    name: str
    """The name that the host gave it; empty for none."""


class Invitation(Struct, frozen=True):
    """The seats that a link opens, for someone who has not joined yet."""

    seat: int
    """The seat of the link, or the next one of the table's link; -5: to watch."""
    is_settled: bool
    """Whether there is nothing to ask: the link is to watch, or someone sits there already."""
    free: tuple[FreeSeat, ...]
    """The seats to choose from: that of the link first. None if all that the table's link leads to are taken."""
    host: str = ""
    """The name of the person who invites; empty if they gave none or do not play, or a password hides the table."""
    others: tuple[str, ...] = ()
    """The other players who are there already; none if a password hides the table."""
    clock: ClockRule | None = None
    minutes: int = 0
    """About how long the game takes; 0 if a move may take days, or a password hides the table."""
    rated: bool = False
    """Whether the result changes ratings, so that one needs a profile."""


def invitation(facts: TableFacts, match: Match, seats: Sequence[int], is_settled: bool, reader: Reader) -> Invitation:
    """Describe what a link opens: these seats, the first of which is suggested; to watch, if there are none."""
    seat = seats[0] if seats else SPECTATOR
    open_seats = [number for number in seats if number >= 0 and not is_settled]
    free = tuple(_free_seat(facts.names[number], match.game, number, reader) for number in open_seats)
    if facts.password:
        return Invitation(seat, is_settled, free, rated=facts.terms.rated)
    hosts = sorted(number for number in facts.keys.seats(facts.host) if number >= 0)
    others = [name for number, name in enumerate(facts.names) if facts.seats[number].taken and number not in hosts[:1]]
    host = given_name(facts.names[hosts[0]], match.game, hosts[0]) if hosts else ""
    minutes = about_minutes(match.game.name, len(facts.seats), len(facts.people), facts.terms.clock)
    return Invitation(seat, is_settled, free, host, tuple(others), facts.terms.clock, minutes, facts.terms.rated)


def colour_as_name(game: Game, seat: int, reader: Reader) -> str:
    """The name of a seat whose player has given none: its colour."""
    return colour_name(game.seat_colours()[seat]).render(reader.translate).capitalize()


@lru_cache(maxsize=256)
def _is_colour(name: str, colour: str) -> bool:
    """Whether a name is a colour in one of our languages."""
    spoken = (colour_name(colour).render(Reader(language).translate) for language in LANGUAGES)
    return name in [each.capitalize() for each in spoken]


def given_name(name: str, game: Game, seat: int) -> str:
    """The name that someone gave a seat; empty if it is only called by its colour."""
    return "" if _is_colour(name, game.seat_colours()[seat]) else name


def may_be_chosen(facts: TableFacts, match: Match, seat: int) -> bool:
    """Whether a newcomer may take a seat: it is for a person, no one holds it, and no one has played for it."""
    found = facts.seats[seat]
    return found.who == "person" and not found.taken and match.undo_rules.ply_before_latest_move(seat) is None


def seats_to_choose(facts: TableFacts, match: Match, first: int) -> list[int]:
    """The seats that someone with a link to `first` may take; only that one once it has been played for."""
    if first < 0 or not may_be_chosen(facts, match, first):
        return [first]
    others = [seat for seat in range(len(facts.seats)) if seat != first]
    return [first, *(seat for seat in others if may_be_chosen(facts, match, seat))]


def _free_seat(name: str, game: Game, seat: int, reader: Reader) -> FreeSeat:
    colour, translate = game.seat_colours()[seat], reader.translate
    spoken, letter = colour_name(colour).render(translate), seat_letter(colour, seat).render(translate)
    return FreeSeat(seat, colour, spoken, letter, given_name(name, game, seat))


def swapped_names(names: Sequence[str], game: Game, first: int, wanted: int, newcomer: Newcomer) -> tuple[str, ...]:
    """The names once a newcomer with a link to `first` takes `wanted`: who was invited to that one gets the first."""
    swapped = [*names]
    for seat, other in ((first, wanted), (wanted, first)) if first != wanted else ():
        swapped[seat] = given_name(names[other], game, other) or colour_as_name(game, seat, newcomer.reader)
    if newcomer.name:
        others = [name for seat, name in enumerate(swapped) if seat != wanted]
        swapped[wanted] = check_unlike(check_new_name(newcomer.name), others)
    return tuple(swapped)

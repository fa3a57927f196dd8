"""Joining a table: the free seats, each with its colour, and the names of those who give none."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from ludotheque.core.colours import colour_name, seat_letter
from ludotheque.core.game import Game
from ludotheque.server.tables.live import LiveTable, Seat
from ludotheque.show.language import Reader
from ludotheque.web import LANGUAGES


class FreeSeat(Struct, frozen=True):
    """A seat that a newcomer may take, with its colour."""

    seat: int
    colour: str
    """In English, for styles."""
    colour_name: str
    letter: str
    name: str
    """The name that the host gave it; empty: none."""


class Invitation(Struct, frozen=True):
    """What a link opens, for somebody who has not joined yet."""

    seat: int
    """The seat of the link; -5: to watch."""
    is_settled: bool
    """Whether there is nothing to ask: the link is to watch, or somebody sits there already."""
    free: tuple[FreeSeat, ...]
    """The seats to choose from: that of the link first."""


class SeatSwap(Struct, frozen=True):
    """The seats and names of a table after somebody with a link to one free seat took another one."""

    seats: dict[int, Seat]
    names: list[str]


def colour_as_name(game: Game, seat: int, reader: Reader) -> str:
    """The name of a seat whose player has given none: its colour."""
    return colour_name(game.seat_colours()[seat]).render(reader.translate).capitalize()


@lru_cache(maxsize=256)
def _is_colour(name: str, colour: str) -> bool:
    """Whether a name is a colour in one of our languages."""
    spoken = (colour_name(colour).render(Reader(language).translate) for language in LANGUAGES)
    return name in [each.capitalize() for each in spoken]


def given_name(table: LiveTable, seat: int) -> str:
    """The name that somebody gave a seat; empty if it is only called by its colour."""
    name = table.match.names[seat]
    return "" if _is_colour(name, table.game.seat_colours()[seat]) else name


def may_be_chosen(table: LiveTable, seat: int) -> bool:
    """Whether a newcomer may take a seat: it is for a person, nobody holds it, and nobody has played for it."""
    found = table.seats[seat]
    return found.who == "person" and not found.taken and table.match.undo_rules.ply_before_latest_move(seat) is None


def free_seats(table: LiveTable, first: int, reader: Reader) -> tuple[FreeSeat, ...]:
    """The seats that somebody with a link to `first` may take; only that one once it has been played for."""
    chosen = [first]
    if may_be_chosen(table, first):
        chosen += [seat for seat in range(len(table.seats)) if seat != first and may_be_chosen(table, seat)]
    return tuple(_free_seat(table, seat, reader) for seat in chosen)


def _free_seat(table: LiveTable, seat: int, reader: Reader) -> FreeSeat:
    colour, translate = table.game.seat_colours()[seat], reader.translate
    name, letter = colour_name(colour).render(translate), seat_letter(colour, seat).render(translate)
    return FreeSeat(seat, colour, name, letter, given_name(table, seat))


def swapped(table: LiveTable, first: int, wanted: int, name: str, reader: Reader) -> SeatSwap:
    """Let a newcomer with a link to `first` take `wanted`: who was invited to that one gets the first."""
    names = [*table.match.names]
    other = given_name(table, wanted)
    if first != wanted:
        names[wanted] = given_name(table, first) or colour_as_name(table.game, wanted, reader)
        names[first] = other or colour_as_name(table.game, first, reader)
    if name:
        names[wanted] = name
    return SeatSwap(
        {wanted: Seat("person", taken=True), **({first: table.seats[wanted]} if first != wanted else {})}, names
    )

"""Where the points of Cable Car come from: lines, power stations and, with The Companies, shares and majorities."""

from __future__ import annotations

from collections.abc import Iterator

from ludotheque.core.bits import places
from ludotheque.core.colours import colour_name
from ludotheque.core.earnings import Earning, differences
from ludotheque.core.phrases import phrase
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.observe import line
from ludotheque.games.cable_car.rules import CableCarState


def earnings(before: CableCarState, action: int, after: CableCarState) -> list[Earning]:
    """Points for each finished line; with The Companies, the change in the value of each seat's shares."""
    return list(_from_shares(before, after) if after.companies else _from_lines(before, after))


def _from_lines(before: CableCarState, after: CableCarState) -> Iterator[Earning]:
    """A point for each tile; the power station doubles them."""
    for station in places(after.finished & ~before.finished):
        finished = line(after, station)
        yield Earning(finished.owner, phrase("Lines"), finished.run)
        if finished.points > finished.run:
            yield Earning(finished.owner, phrase("Power station"), finished.points - finished.run)


def _from_shares(before: CableCarState, after: CableCarState) -> Iterator[Earning]:
    for company, colour in enumerate(board.COLOURS):
        source = phrase("Shares of {company}", company=colour_name(colour))
        yield from differences(source, _share_points(before, company), _share_points(after, company))
    yield from differences(phrase("Majorities"), _majority_points(before), _majority_points(after))


def _share_points(state: CableCarState, company: int) -> list[int]:
    """By seat: what its shares of a company are worth."""
    value = state.value(company)
    return [state.holding(seat, company) * value for seat in range(state.players)]


def _majority_points(state: CableCarState) -> list[int]:
    return [state.majority_points(seat) for seat in range(state.players)]

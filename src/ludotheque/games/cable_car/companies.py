"""The Companies as one viewer knows them: values, holdings and majorities if the game ended now."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ludotheque.core.observation import HIDDEN
from ludotheque.games.cable_car import board


class SharePile(Struct, frozen=True):
    """The shares of one percentage, by colour; `?` where the viewer does not know."""

    percent: int
    hands: tuple[str, ...]
    open: str
    undrawn: int
    """Face-down shares that have never been drawn; they lie on top."""
    given: tuple[str, ...]
    """The shares given back under the pile, the topmost first."""


class Company(Struct, frozen=True):
    """A company, and the percentages of it that the viewer knows to be in hands."""

    colour: str
    points: int
    value: int
    """The points for each 10%."""
    holdings: tuple[int, ...]
    """Percentages by seat, as far as the viewer knows."""
    most_possible: tuple[int, ...]
    """Percentages by seat if every share that may be of this company is."""

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the largest holding that the viewer knows of; none if no one is known to hold any."""
        most = max(self.holdings)
        return tuple(seat for seat, held in enumerate(self.holdings) if held == most > 0)

    @property
    def is_majority_certain(self) -> bool:
        """Whether no share that the viewer does not know can change who leads."""
        most = max(self.holdings)
        rivals = [seat for seat in range(len(self.holdings)) if self.leaders != (seat,)]
        return all(self.most_possible[seat] < most or not self._may_hold_more(seat) for seat in rivals)

    def _may_hold_more(self, seat: int) -> bool:
        return self.most_possible[seat] > self.holdings[seat]

    def shares(self, seat: int) -> int:
        """The points of a seat for its shares of this company."""
        return self.holdings[seat] // 10 * self.value

    def majority(self, seat: int) -> int:
        """The points of a seat for the majority in this company."""
        return self.points // 10 if seat in self.leaders else 0

    def gain(self, seat: int) -> int:
        """The points of a seat for all that it holds of this company."""
        return self.shares(seat) + self.majority(seat)


def companies(points: Sequence[int], piles: Sequence[SharePile]) -> list[Company]:
    """The companies, most points first."""
    found = [_company(colour, own, points, piles) for colour, own in zip(board.COLOURS, points, strict=True)]
    return sorted(found, key=lambda company: -company.points)


def _company(colour: str, points: int, all_points: Sequence[int], piles: Sequence[SharePile]) -> Company:
    seats = range(len(piles[0].hands))
    holdings = tuple([sum([pile.percent for pile in piles if pile.hands[seat] == colour]) for seat in seats])
    unknown = [pile for pile in piles if not _is_located(pile, colour)]
    hidden = [sum([pile.percent for pile in unknown if pile.hands[seat] == HIDDEN]) for seat in seats]
    return Company(
        colour=colour,
        points=points,
        value=board.COMPANIES - len({other for other in all_points if other > points}),
        holdings=holdings,
        most_possible=tuple([held + more for held, more in zip(holdings, hidden, strict=True)]),
    )


def _is_located(pile: SharePile, colour: str) -> bool:
    """Whether the viewer knows the place of a company's share of one percentage."""
    return colour in pile.hands or colour == pile.open or colour in pile.given

"""The cards of Pays noir: what one shows, and what a set of them is."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Final

from msgspec import Struct

COUNTRY: Final = "country"
RAIL: Final = "rail"
TOWN: Final = "town"
EDGE_KINDS: Final = (COUNTRY, RAIL, TOWN)
SIDE_LETTERS: Final = "NESW"
"""The sides of a card, clockwise. Half edges are numbered clockwise too: `2 * side` and `2 * side + 1`."""
HALVES: Final = tuple(f"{side}{half}" for side in SIDE_LETTERS for half in (1, 2))

SITE_KINDS: Final = ("mine", "factory", "port")
BOURGEOIS: Final = "bourgeois"
CORONS: Final = "corons"
SLUM: Final = "slum"
QUARTER_KINDS: Final = (BOURGEOIS, CORONS, SLUM)
SYMBOLS: Final = ("water", "sewers", "lighting")

Spot = tuple[float, float]
"""A place on a card where something is drawn: hundredths of its side, to the right and downwards."""


class Quarter(Struct, frozen=True):
    """A town area of a card."""

    sides: tuple[int, ...]
    kind: str
    station: bool
    urbanism: str
    """`water`, `sewers`, `lighting`, or nothing."""


class Track(Struct, frozen=True):
    """A track of a card. An end is a side, or the name of a stop on the card."""

    ends: tuple[int | str, int | str]


class Station(Struct, frozen=True):
    """A station in the country."""

    at: Spot | None = None


class Site(Struct, frozen=True):
    """A mine, a factory or a port."""

    kind: str
    at: Spot | None = None


class Patch(Struct, frozen=True):
    """A green area of a card."""

    halves: tuple[int, ...]
    touches: tuple[str, ...]


class Card(Struct, frozen=True, dict=True):
    """One picture, and how many cards show it."""

    id: str
    copies: int
    start: bool
    name: str
    edges: tuple[str, str, str, str]
    quarters: tuple[Quarter, ...]
    tracks: tuple[Track, ...]
    stations: tuple[Station, ...]
    sites: tuple[Site, ...]
    patches: tuple[Patch, ...]

    @cached_property
    def site_names(self) -> tuple[str, ...]:
        """The names of the sites: `mine:0`, `port:0`, `port:1`; each kind is numbered by itself."""
        seen: Counter[str] = Counter()
        names = []
        for site in self.sites:
            names.append(f"{site.kind}:{seen[site.kind]}")
            seen[site.kind] += 1
        return tuple(names)

    @cached_property
    def spots(self) -> tuple[str, ...]:
        """The names of the places for a member: quarters, tracks, sites, country patches."""
        return (
            *(f"quarter:{i}" for i in range(len(self.quarters))),
            *(f"track:{i}" for i in range(len(self.tracks))),
            *self.site_names,
            *(f"country:{i}" for i in range(len(self.patches))),
        )

    def nets(self) -> list[set[str]]:
        """The names of the tracks, stations, sites and sides that each rail net of the card joins; towns join none."""
        pieces: list[set[str]] = [{name} for name in self.site_names]
        for i, track in enumerate(self.tracks):
            ends = {str(end) for end in track.ends if not str(end).startswith("quarter")}
            pieces = _merged(pieces, {f"track:{i}", *ends})
        return pieces

    def barriers(self) -> list[set[int]]:
        """The sides that each connected piece of tracks, stops and town reaches: country ends at these pieces."""
        pieces: list[set[str]] = []
        for i, track in enumerate(self.tracks):
            joined = {f"track:{i}", *(str(end) for end in track.ends)}
            pieces = _merged(pieces, joined)
        for i, quarter in enumerate(self.quarters):
            pieces = _merged(pieces, {f"quarter:{i}", *(str(side) for side in quarter.sides)})
        return [{int(name) for name in piece if name.isdigit()} for piece in pieces]


class CardSet(Struct, frozen=True):
    """All the cards of a game, and what a file says about playing with them."""

    title: str
    cards: tuple[Card, ...]
    least_players: int
    most_players: int
    members: int
    hand: int
    score_track: int
    score_track_by_players: dict[int, int] = {}

    @property
    def total(self) -> int:
        """All copies together, the start card included."""
        return sum(card.copies for card in self.cards)

    def last_space(self, players: int) -> int:
        """The number of the last space of the score track."""
        return self.score_track_by_players.get(players, self.score_track)


def _merged(pieces: list[set[str]], added: set[str]) -> list[set[str]]:
    apart = [piece for piece in pieces if not piece & added]
    return [*apart, added.union(*(piece for piece in pieces if piece & added))]

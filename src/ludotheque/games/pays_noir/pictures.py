"""The pictures of cards with the shapes and places of their spots, each made when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ludotheque.core.memo import cached_by_identity
from ludotheque.games.pays_noir.card_art import Path, Point, patch_outline, quarter_shape, stop_point, track_path
from ludotheque.games.pays_noir.cards import Card
from ludotheque.games.pays_noir.spots import spot_points


class Picture:
    """The places of the spots of a card, computed once."""

    def __init__(self, card: Card) -> None:
        self.card = card
        self.points = spot_points(card)
        """The places of members."""
        self.paths = {spot: spot_path(card, spot) for spot in card.spots}
        """Outlines of quarters, patches and sites; tracks from end to end."""

    def middle(self, site: str) -> Point:
        """Return the place of a site."""
        return stop_point(self.card, site)


def spot_path(card: Card, spot: str) -> Path:
    """The outline of a quarter, a patch or a site, or a track from end to end."""
    kind, _, number = spot.partition(":")
    if kind == "quarter":
        return quarter_shape(card, int(number))[0]
    if kind == "track":
        return track_path(card, int(number))
    if kind == "country":
        return patch_outline(card, int(number))
    x, y = stop_point(card, spot)
    return [[(x + a, y + b) for a, b in points] for points in _ROUND]


_ROUND: Final[Path] = [
    [(-17, 0)],
    [(-17, -9.4), (-9.4, -17), (0, -17)],
    [(9.4, -17), (17, -9.4), (17, 0)],
    [(17, 9.4), (9.4, 17), (0, 17)],
    [(-9.4, 17), (-17, 9.4), (-17, 0)],
]


@lru_cache(maxsize=1024)
def _picture(card: Card) -> Picture:
    """Made once for all tables that play with the card."""
    return Picture(card)


class Pictures:
    """The pictures of a card set by the ids of its cards, each made when it is first wanted."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = {card.id: card for card in cards}
        self._made: dict[str, Picture] = {}

    def __getitem__(self, id: str) -> Picture:
        if id not in self._made:
            self._made[id] = _picture(self.cards[id])
        return self._made[id]


@cached_by_identity(32)
def pictures_of(cards: tuple[Card, ...]) -> Pictures:
    """The pictures of a card set, the same ones for all tables that play with it."""
    return Pictures(cards)

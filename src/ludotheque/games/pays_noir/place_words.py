"""Places of Pays noir in players' words: beside the neighbour that is found most easily, and on which side of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from ludotheque.core.phrases import Phrase, phrase, plural
from ludotheque.games.pays_noir.board import Board
from ludotheque.games.pays_noir.cards import Card
from ludotheque.games.pays_noir.observation import Place
from ludotheque.games.pays_noir.tabletop import card_places

Landmark = tuple[str, int]
"""A neighbour of a place that is easily found, and the side of it on which the place is."""
COMPASS: Final = (phrase("north"), phrase("east"), phrase("south"), phrase("west"))
_DIRECTIONS: Final = (phrase("to the north"), phrase("to the east"), phrase("to the south"), phrase("to the west"))
_LANDMARKS: Final = {
    "start": phrase("of the start card"),
    "port": phrase("of a port"),
    "mine": phrase("of a mine"),
    "factory": phrase("of a factory"),
    "station": phrase("of a station"),
    "town": phrase("of a town"),
    "line": phrase("of a railway line"),
    "country": phrase("of open country"),
}
"""Things that may lie beside a place; those that are found most easily come first."""
_ORDER: Final = {landmark: number for number, landmark in enumerate(_LANDMARKS)}
_AROUND: Final = ((0, -1), (-1, 0), (0, 1), (1, 0))
"""From a place to the neighbour that has the place in the north, east, south or west."""


def landmark_beside(board: Board, place: Place) -> Landmark:
    """The neighbour by which players find a place."""
    return _nearest(_cards(board), place)


def beside(landmark: Landmark) -> Phrase:
    """A place in words."""
    what, side = landmark
    return phrase("{direction} {landmark}", direction=_DIRECTIONS[side], landmark=_LANDMARKS[what])


@lru_cache(maxsize=8)
def gap_words(board: Board, laid: int) -> dict[Place, Phrase]:
    """Describe the empty places next to the `laid` cards of a board, each in different words."""
    return distinct_words(_cards(board))


def distinct_words(cards: Mapping[Place, Card]) -> dict[Place, Phrase]:
    """The empty places next to cards in words; those with the same words say how far the start card is."""
    found = {place: _nearest(cards, place) for place in sorted(_gaps(cards), key=lambda place: (-place[1], place[0]))}
    total = Counter(found.values())
    words: dict[Place, Phrase] = {}
    for place, nearest in found.items():
        words[place] = beside(nearest)
        if total[nearest] > 1:
            words[place] = phrase("{where}, {steps} of the start card", where=words[place], steps=_steps(*place))
    return words


def _steps(x: int, y: int) -> Phrase:
    """The number of cards that a place is east or west, and north or south of the start card."""
    across, down = _across(x), _down(y)
    if not (x and y):
        return across if x else down
    return phrase("{across} and {down}", across=across, down=down)


def _across(x: int) -> Phrase:
    if x > 0:
        return plural(x, "{count} card east", "{count} cards east")
    return plural(-x, "{count} card west", "{count} cards west")


def _down(y: int) -> Phrase:
    if y > 0:
        return plural(y, "{count} card north", "{count} cards north")
    return plural(-y, "{count} card south", "{count} cards south")


def _cards(board: Board) -> dict[Place, Card]:
    return {where: board.deck.cards[board.type_of(number)] for number, where in enumerate(card_places(board))}


def _gaps(cards: Mapping[Place, Card]) -> set[Place]:
    return {place for x, y in cards for a, b in _AROUND if (place := (x + a, y + b)) not in cards}


def _nearest(cards: Mapping[Place, Card], place: Place) -> Landmark:
    """The neighbour of a place that is found most easily, and the side of it on which the place is."""
    return min(_neighbours(cards, place), key=lambda one: _ORDER[one[0]])


def _neighbours(cards: Mapping[Place, Card], place: Place) -> Iterator[Landmark]:
    x, y = place
    for side, (a, b) in enumerate(_AROUND):
        card = cards.get((x + a, y + b))
        if card is not None:
            yield _landmark(card), side


def _landmark(card: Card) -> str:
    """The thing on a card by which it is found."""
    if card.start:
        return "start"
    if card.sites:
        return card.sites[0].kind
    if card.stations or any(quarter.station for quarter in card.quarters):
        return "station"
    return "town" if card.quarters else "line" if card.tracks else "country"

"""Places of Pays noir in players' words: beside the neighbour that is found most easily, and on which side of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.pays_noir.board import Board
from ludotheque.games.pays_noir.cards import Card
from ludotheque.games.pays_noir.observation import Place
from ludotheque.games.pays_noir.tabletop import card_places

Landmark = tuple[str, int]
"""A neighbour of a place that is easily found, and the side of it on which the place is."""
COMPASS: Final = (phrase("north"), phrase("east"), phrase("south"), phrase("west"))
_LANDMARKS: Final = {
    "start": phrase("beside the start card"),
    "port": phrase("beside a port"),
    "mine": phrase("beside a mine"),
    "factory": phrase("beside a factory"),
    "station": phrase("beside a station"),
    "town": phrase("beside a town"),
    "line": phrase("beside a railway line"),
    "country": phrase("beside open country"),
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
    return phrase("{beside}, on its {side} side", beside=_LANDMARKS[what], side=COMPASS[side])


@lru_cache(maxsize=8)
def gap_words(board: Board, laid: int) -> dict[Place, Phrase]:
    """Describe the empty places next to the `laid` cards of a board, each in different words."""
    return distinct_words(_cards(board))


def distinct_words(cards: Mapping[Place, Card]) -> dict[Place, Phrase]:
    """The empty places next to cards in words; those with the same words are numbered from north to south."""
    found = {place: _nearest(cards, place) for place in sorted(_gaps(cards), key=lambda place: (-place[1], place[0]))}
    total, so_far = Counter(found.values()), Counter[Landmark]()
    words: dict[Place, Phrase] = {}
    for place, nearest in found.items():
        so_far[nearest] += 1
        words[place] = beside(nearest)
        if total[nearest] > 1:
            number, count = so_far[nearest], total[nearest]
            words[place] = phrase("{where} ({number} of {count})", where=words[place], number=number, count=count)
    return words


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

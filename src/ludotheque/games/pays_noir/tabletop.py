"""The cards, members and groups on the table of Pays noir, as observations show them. Compiled.

From one look to the next most cards and groups stay as they were, so a look takes over what the look before made of the
same numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from ludotheque.games.pays_noir.board import GROUP_ROW, Board
from ludotheque.games.pays_noir.deck import Deck
from ludotheque.games.pays_noir.observation import Group, LaidCard, Place
from ludotheque.games.pays_noir.rules import SLOTS, PaysNoirState

_GROUPS = ("town", "line", "mine", "factory", "port", "country")
"""Names of whole groups of connected parts, by the kinds of `deck`."""

Edges = dict[str, tuple[str, str, str, str]]
"""Edges N, E, S, W of cards, before they are turned."""


@final
class Tabletop:
    """The content of the table, and the numbers it was made of."""

    cards: tuple[LaidCard, ...]
    groups: tuple[Group, ...]
    edges: Edges
    """Those of the cards that lie there, in the order laid."""
    final_count: tuple[int, ...]
    """Points that the final count would add now, by seat; zeros once it has been made."""
    card_rows: vec[i32]
    laid: i64
    """Number of cards on the table."""
    group_rows: vec[i32]
    group_at: vec[i16]
    """The group that a node is the oldest node of, from 1, by node; 0 for none."""


def bare_tabletop() -> Tabletop:
    """A table on which nothing lies."""
    bare = Tabletop()
    bare.cards = ()
    bare.groups = ()
    bare.edges = {}
    bare.final_count = ()
    bare.card_rows = vec[i32]()
    bare.laid = 0
    bare.group_rows = vec[i32]()
    bare.group_at = vec[i16]()
    return bare


def look(state: PaysNoirState, before: Tabletop) -> Tabletop:
    """Return the content of the table; `before` is any other look at a table with this deck and as many players."""
    board = state.board
    where = board.coordinates()
    roots = board.roots()
    seen = Tabletop()
    seen.card_rows = board.card_rows(where, roots)
    seen.laid = board.laid
    seen.cards = _laid_cards(board.deck, seen, before)
    seen.group_rows = board.group_rows(where, roots)
    seen.group_at = vec[i16]([i16(0)] * board.used)
    seen.groups = _groups(state.players, seen, before)
    all_edges = card_edges(board.deck)
    seen.edges = {card.card: all_edges[card.card] for card in seen.cards}
    seen.final_count = _final_count(state)
    return seen


@lru_cache(maxsize=32)
def card_edges(deck: Deck) -> Edges:
    """The edges of all cards."""
    return {card.id: card.edges for card in deck.cards}


def _final_count(state: PaysNoirState) -> tuple[int, ...]:
    scores = state.game.new_scores()
    state.scores_into(scores)
    return tuple([int(scores[seat] - state.points[seat]) for seat in range(state.players)])


def _laid_cards(deck: Deck, seen: Tabletop, before: Tabletop) -> tuple[LaidCard, ...]:
    rows = seen.card_rows
    width = 4 + 2 * deck.most_spots
    cards: list[LaidCard] = []
    card: i64 = 0
    while card < seen.laid:
        row = width * card
        if card < before.laid and _is_same(rows, row, before.card_rows, row, width):
            cards.append(before.cards[card])
        else:
            cards.append(_laid_card(deck, rows, row))
        card += 1
    return tuple(cards)


def _groups(players: i64, seen: Tabletop, before: Tabletop) -> tuple[Group, ...]:
    rows = seen.group_rows
    groups: list[Group] = []
    row: i64 = 0
    end = i64(len(rows))
    while row < end:
        oldest = i64(rows[row]) >> 3
        at: i64 = i64(before.group_at[oldest]) - 1 if oldest < i64(len(before.group_at)) else -1
        if at >= 0 and _is_same(rows, row, before.group_rows, GROUP_ROW * at, GROUP_ROW):
            groups.append(before.groups[at])
        else:
            groups.append(_group(players, rows, row))
        row += GROUP_ROW
        seen.group_at[oldest] = i16(row // GROUP_ROW)
    return tuple(groups)


def _is_same(rows: vec[i32], row: i64, others: vec[i32], other: i64, width: i64) -> bool:
    i: i64 = 0
    while i < width:
        if rows[row + i] != others[other + i]:
            return False
        i += 1
    return True


def _laid_card(deck: Deck, rows: vec[i32], row: i64) -> LaidCard:
    turned = i64(rows[row])
    card = deck.cards[turned >> 2]
    bears = i64(rows[row + 3])
    groups = row + 4
    networks = groups + deck.most_spots
    spots = range(len(card.spots))
    return LaidCard(
        card.id,
        int(rows[row + 1]),
        int(rows[row + 2]),
        int(turned & 3),
        tuple([_group_name(int(rows[groups + spot])) for spot in spots]),
        tuple([_network_name(int(rows[networks + spot])) for spot in spots]),
        int((bears & 7) - 1),
        card.spots[bears >> 3] if bears != 0 else "",
    )


def _group(players: i64, rows: vec[i32], row: i64) -> Group:
    marks = i64(rows[row + 4])
    return Group(
        _group_name(int(rows[row])),
        int(rows[row + 1]),
        int(rows[row + 2]),
        int(rows[row + 3]),
        marks & 1 != 0,
        _by_seat(int(rows[row + 5]), int(players)),
        int(rows[row + 6]),
        int(rows[row + 7]),
        marks & 2 != 0,
    )


@lru_cache(maxsize=4096)
def _group_name(number: int) -> str:
    """The name of a whole by `8 * oldest node + kind`."""
    return f"{_GROUPS[number & 7]}:{number >> 3}"


@lru_cache(maxsize=4096)
def _network_name(root: int) -> str:
    return "" if root < 0 else f"network:{root}"


@lru_cache(maxsize=4096)
def _by_seat(members: int, players: int) -> tuple[int, ...]:
    """Return the number of members of each seat, from a record."""
    return tuple([(members >> 4 * seat) & 15 for seat in range(players)])


# Readers of the table and of hands.


def card_places(board: Board) -> list[Place]:
    """Return the place of each card."""
    where = list(board.coordinates())
    return list(zip(where[::2], where[1::2], strict=True))


def gap_places(board: Board) -> dict[int, Place]:
    """The empty places next to cards, by their numbers."""
    rows = list(board.gap_rows())
    return dict(zip(rows[::3], zip(rows[1::3], rows[2::3], strict=True), strict=True))


def held(state: PaysNoirState, seat: int) -> list[int]:
    """The entries of a hand: `2 * type`, one more for a card that all have seen."""
    first = seat * state.seat_size + SLOTS
    return [int(entry) for entry in state.seats[first : first + state.held(seat)]]

"""What one viewer may know of a game of Pays noir. The only place that decides secrecy.

Hidden are the hands of the others, the pile, and the card that another player has chosen until it lies on the table.
A player who discards shows the whole hand: those cards stay known to all. The table, the members, the points and the
discarded cards are open.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain
from operator import add, sub
from typing import Final, TypeVar

from msgspec import Struct

from ludotheque.core.bits import places
from ludotheque.core.game import CHANCE
from ludotheque.core.observation import HIDDEN
from ludotheque.games.pays_noir.board import GROUP_ROW, Board
from ludotheque.games.pays_noir.deck import Deck
from ludotheque.games.pays_noir.observation import Fit, Group, LaidCard, PaysNoirObservation, Place
from ludotheque.games.pays_noir.rules import CARD, HELD, NOTHING, OVER, PLACE, SLOTS, SPOT, TURN, PaysNoirState

PHASES = ("deal", "draw", "card", "place", "turn", "spot", "over")
"""The names of the decisions of a turn, by the numbers of `rules`."""

_GROUPS = ("town", "line", "mine", "factory", "port", "country")
"""What a whole group of connected parts is called, by the kinds of `deck`."""


def card_places(board: Board) -> list[Place]:
    """Where each card lies."""
    where = list(board.coordinates())
    return list(zip(where[::2], where[1::2], strict=True))


def gap_places(board: Board) -> dict[int, Place]:
    """The empty places next to cards, by their numbers."""
    rows = list(board.gap_rows())
    return dict(zip(rows[::3], zip(rows[1::3], rows[2::3], strict=True), strict=True))


def observe(state: PaysNoirState, viewer: int) -> PaysNoirObservation:
    """What `viewer` may know of the position."""
    hands, shown = _hands(state, viewer)
    table = _table(state)
    points = tuple(state.points)
    fits = _fits(state) if state.chosen != NOTHING else ()
    chosen = _chosen(state, viewer)
    return PaysNoirObservation(
        viewer=viewer,
        to_move=state.current_player(),
        players=state.players,
        returns=tuple(state.returns()) if state.is_terminal() else (),
        turn=state.seat,
        phase=PHASES[state.phase],
        cards=table.cards,
        groups=table.groups,
        points=points,
        scores=tuple(map(add, points, table.final_count)),
        last_space=state.last_space,
        supply=tuple([state.supply(seat) for seat in range(state.players)]),
        pile=state.left,
        hands=hands,
        shown=shown,
        discards=discards(state),
        chosen=chosen,
        place=(fits[0].x, fits[0].y) if state.place != NOTHING else None,
        fits=() if chosen == HIDDEN else fits,
        spots=_spots(state),
        edges=_edges(state.deck, table, hands),
    )


def sees(state: PaysNoirState, action: int, viewer: int) -> bool:
    """Whether `viewer` learns which card is drawn or chosen: only the seat itself does. All else is public."""
    if state.current_player() == CHANCE or (state.phase == CARD and action < state.deck.first_discard):
        return viewer == state.seat
    return True


def seen_by_now(before: PaysNoirState, action: int, present: PaysNoirState, viewer: int) -> bool:
    """Whether a card that was chosen in secret has been laid since."""
    chosen = before.phase == CARD and action < before.deck.first_discard
    return chosen and present.board.laid > before.board.laid


def reveals(state: PaysNoirState, action: int) -> bool:
    """Whether an action shows a card of a hidden hand: a discard shows them all, and what is laid is seen."""
    if state.phase == CARD:
        return action >= state.deck.first_discard
    if state.phase == PLACE:
        turns = state.board.turns_at(state.chosen, action - state.deck.first_place)
        return turns & (turns - 1) == 0
    return state.phase == TURN


# Hands.


def held(state: PaysNoirState, seat: int) -> list[int]:
    """The entries of a hand: `2 * type`, one more for a card that all have seen."""
    first = seat * state.seat_size + SLOTS
    return [int(entry) for entry in state.seats[first : first + state.held(seat)]]


_Hands = tuple[tuple[str, ...], ...]


def _hands(state: PaysNoirState, viewer: int) -> tuple[_Hands, _Hands]:
    """By seat: the cards of its hand as the viewer knows them, and those of them that all have seen."""
    return _all_hands(state.deck, bytes(state.seats), state.players, viewer)


@lru_cache(maxsize=2048)
def _all_hands(deck: Deck, numbers: bytes, players: int, viewer: int) -> tuple[_Hands, _Hands]:
    """The same, by all that the state keeps of the seats."""
    size = len(numbers) // players
    hands = [_hand(deck, numbers[seat * size : (seat + 1) * size], seat == viewer) for seat in range(players)]
    cards, shown = zip(*hands, strict=True)
    return cards, shown


@lru_cache(maxsize=8192)
def _hand(deck: Deck, numbers: bytes, own: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cards of a hand in order, of another's hand first those that all have seen; and those that all have seen.
    `numbers`: all that the state keeps of the seat."""
    kept = struct.unpack(f"{len(numbers) // 2}h", numbers)
    entries = kept[SLOTS : SLOTS + kept[HELD]]
    cards = [deck.cards[entry >> 1].id if own or entry & 1 else HIDDEN for entry in entries]
    return tuple(sorted(cards, key=HIDDEN.__eq__)), tuple([deck.cards[entry >> 1].id for entry in entries if entry & 1])


def _chosen(state: PaysNoirState, viewer: int) -> str:
    if state.chosen == NOTHING:
        return ""
    return state.deck.cards[state.chosen].id if viewer == state.seat else HIDDEN


def discards(state: PaysNoirState) -> tuple[str, ...]:
    """The cards that are nowhere else: not on the table, in a hand or in the pile."""
    return tuple([state.deck.cards[card].id for card in state.discarded()])


_Edges = dict[str, tuple[str, str, str, str]]


def _edges(deck: Deck, table: _Table, hands: _Hands) -> _Edges:
    """The edges of the cards that the viewer sees: those on the table in the order laid, then those in hands."""
    all_edges, seen = _all_edges(deck), table.edges.copy()
    for hand in hands:
        for card in hand:
            if card != HIDDEN:
                seen[card] = all_edges[card]
    return seen


@lru_cache(maxsize=32)
def _all_edges(deck: Deck) -> _Edges:
    return {card.id: card.edges for card in deck.cards}


_TURNS = [tuple(places(turns)) for turns in range(16)]
"""By bits: the turns."""


def _fits(state: PaysNoirState) -> tuple[Fit, ...]:
    """Where the chosen card fits, row by row from the north; the place alone once it is chosen."""
    rows = struct.iter_unpack("3i", bytes(state.board.fit_rows(state.chosen, state.place)))
    in_order = sorted([(-y, x, turns) for x, y, turns in rows])
    return tuple([Fit(x, -south, _TURNS[turns]) for south, x, turns in in_order])


def _spots(state: PaysNoirState) -> tuple[str, ...]:
    if state.phase != SPOT:
        return ()
    names = state.deck.cards[state.board.type_of(state.board.laid - 1)].spots
    return tuple(name for spot, name in enumerate(names) if state.may_stand(spot))


# The table. It looks the same to all who look at it one after the other.


class _Table(Struct, frozen=True):
    """What lies on the table."""

    cards: tuple[LaidCard, ...]
    groups: tuple[Group, ...]
    edges: _Edges
    """Those of the cards that lie there."""
    final_count: tuple[int, ...]
    """By seat: the points that the final count would add now; zeros once it has been made."""


_TABLES: Final[dict[tuple[object, ...], _Table]] = {}
_MOST_TABLES: Final = 512


def _table(state: PaysNoirState) -> _Table:
    """What lies on the table, remembered by what lies there."""
    board, players = state.board, state.players
    cards_lie, records = bytes(board.cards[: 4 * board.laid]), bytes(board.records[: board.used])
    content = board.deck, players, state.phase == OVER, cards_lie, records
    known = _TABLES.get(content)
    if known is not None:
        return known
    cards = _laid_cards(board.deck).look_up(bytes(board.card_rows()))
    groups = _all_groups(players).look_up(bytes(board.group_rows()))
    if len(_TABLES) >= _MOST_TABLES:
        _TABLES.clear()
    final_count = tuple(map(sub, state.scores(), state.points))
    all_edges = _all_edges(board.deck)
    made = _TABLES[content] = _Table(cards, groups, {card.card: all_edges[card.card] for card in cards}, final_count)
    return made


def group_name(board: Board, node: int) -> str:
    """The name of the whole that a spot belongs to: its kind and its oldest node."""
    return _group_name(8 * board.root(node) + board.kind(node))


@lru_cache(maxsize=4096)
def _group_name(number: int) -> str:
    return f"{_GROUPS[number & 7]}:{number >> 3}"


# Most cards and groups are as they were at the last look, so what was made of a row is remembered, and of several rows
# together.

_Seen = TypeVar("_Seen")
_TOGETHER: Final = 8
"""How many rows are looked up at once."""
_MOST_RECENT: Final = 2_000
_MOST_REMEMBERED: Final = 50_000


class _Rows(dict[bytes, tuple[_Seen, ...]]):
    """What rows of numbers stand for, made once. This holds the recent ones, several together; `_remembered` holds
    more, one by one."""

    def __init__(self, make: Callable[[bytes], _Seen], numbers: int) -> None:
        """`numbers`: how many a row has, of four bytes each."""
        super().__init__()
        self._make = make
        self._width = 4 * numbers
        self._remembered: dict[bytes, _Seen] = {}

    def __missing__(self, rows: bytes) -> tuple[_Seen, ...]:
        if len(self) > _MOST_RECENT:
            self.clear()
        found = self[rows] = tuple(map(self._one, _divide(self._width, len(rows))(rows)))
        return found

    def _one(self, row: bytes) -> _Seen:
        found = self._remembered.get(row)
        if found is None:
            if len(self._remembered) > _MOST_REMEMBERED:
                self._remembered.clear()
            found = self._remembered[row] = self._make(row)
        return found

    def look_up(self, rows: bytes) -> tuple[_Seen, ...]:
        """What each of the rows stands for."""
        parts = _divide(_TOGETHER * self._width, len(rows))(rows)
        return tuple(chain.from_iterable(map(self.__getitem__, parts)))


@lru_cache(maxsize=1024)
def _divide(width: int, size: int) -> Callable[[bytes], tuple[bytes, ...]]:
    """Divides bytes into parts of one width; the last may be shorter."""
    whole, rest = divmod(size, width)
    return struct.Struct(f"{width}s" * whole + (f"{rest}s" if rest else "")).unpack


@lru_cache(maxsize=32)
def _laid_cards(deck: Deck) -> _Rows[LaidCard]:
    return _Rows(partial(_laid_card, deck), 4 + 2 * int(deck.most_spots))


@lru_cache(maxsize=8)
def _all_groups(players: int) -> _Rows[Group]:
    return _Rows(partial(_group, players), GROUP_ROW)


def _laid_card(deck: Deck, row: bytes) -> LaidCard:
    turned, x, y, bears, *parts = _numbers(len(row))(row)
    card = deck.cards[turned >> 2]
    spots, width = len(card.spots), len(parts) // 2
    return LaidCard(
        card.id,
        x,
        y,
        turned & 3,
        tuple(map(_group_name, parts[:spots])),
        tuple(map(_network_name, parts[width : width + spots])),
        bears % 8 - 1,
        card.spots[bears // 8] if bears else "",
    )


@lru_cache(maxsize=32)
def _numbers(size: int) -> Callable[[bytes], tuple[int, ...]]:
    """Reads a row of this many bytes."""
    return struct.Struct(f"{size // 4}i").unpack


@lru_cache(maxsize=4096)
def _network_name(root: int) -> str:
    return "" if root < 0 else f"network:{root}"


def _group(players: int, row: bytes) -> Group:
    number, x, y, open_ends, marks, members, size, worth = _GROUP_NUMBERS(row)
    finished, station = bool(marks & 1), bool(marks & 2)
    by_seat = _by_seat(members, players)
    return Group(_group_name(number), x, y, open_ends, finished, by_seat, size, worth, station)


_GROUP_NUMBERS: Final = struct.Struct(f"{GROUP_ROW}i").unpack


@lru_cache(maxsize=4096)
def _by_seat(members: int, players: int) -> tuple[int, ...]:
    """How many members each seat has, from a record."""
    return tuple([(members >> 4 * seat) & 15 for seat in range(players)])

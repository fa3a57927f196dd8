"""What one viewer may know of a game of Pays noir. The only place that decides secrecy.

Hidden are the hands of the others, the pile, and the card that another player has chosen until it lies on the table.
A player who discards shows the whole hand: those cards stay known to all. The table, the members, the points and the
discarded cards are open.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

from msgspec import Struct

from ludotheque.core.bits import places
from ludotheque.core.game import CHANCE, TERMINAL
from ludotheque.core.observation import HIDDEN, Observation
from ludotheque.games.pays_noir.board import GROUP_ROW, Board
from ludotheque.games.pays_noir.cards import COUNTRY, RAIL, TOWN
from ludotheque.games.pays_noir.deck import Deck
from ludotheque.games.pays_noir.rules import CARD, NOTHING, PLACE, SLOTS, SPOT, TURN, PaysNoirState

FAMILIES = ("blue", "red", "yellow", "green", "violet")
"""The colour of each seat's family."""
LETTERS = {"blue": "B", "red": "R", "yellow": "Y", "green": "G", "violet": "V"}
PHASES = ("deal", "draw", "card", "place", "turn", "spot", "over")
"""The names of the decisions of a turn, by the numbers of `rules`."""

Place = tuple[int, int]
"""Steps to the east and to the north from the start card."""

_GROUPS = ("town", "line", "mine", "factory", "port", "country")
"""What a whole group of connected parts is called, by the kinds of `deck`."""


def place_name(place: Place) -> str:
    return f"({place[0]},{place[1]})"


def card_places(board: Board) -> list[Place]:
    """Where each card lies."""
    where = list(board.coordinates())
    return list(zip(where[::2], where[1::2], strict=True))


def gap_places(board: Board) -> dict[int, Place]:
    """The empty places next to cards, by their numbers."""
    rows = list(board.gap_rows())
    return dict(zip(rows[::3], zip(rows[1::3], rows[2::3], strict=True), strict=True))


class LaidCard(Struct, frozen=True):
    """A card on the table."""

    card: str
    x: int
    y: int
    turn: int
    """Clockwise quarter turns."""
    groups: tuple[str, ...]
    """By spot: the name of the whole town, line, site or country it belongs to."""
    networks: tuple[str, ...]
    """By spot: the name of the rail network of a track or site; nothing for the others."""
    member: int = -1
    """The seat whose member is on it."""
    spot: str = ""
    """The spot of that member."""


class Group(Struct, frozen=True):
    """A whole town, line, mine, factory, port or country."""

    name: str
    """Its kind, and a number that it keeps while it grows: `town:12`."""
    x: int
    y: int
    """Where its oldest part lies."""
    open_ends: int
    finished: bool
    members: tuple[int, ...]
    """By seat."""
    size: int
    """Quarters of a town, cards of a line, parts of a country; 1 for a site."""
    worth: int
    """Points: of a line by its length, of a port by its network, of a country by its sites, as things stand."""
    station: bool = False
    """Whether a town has a station."""

    @property
    def kind(self) -> str:
        return self.name.partition(":")[0]


class Fit(Struct, frozen=True):
    """A place where the chosen card fits, and in which turns."""

    x: int
    y: int
    turns: tuple[int, ...]


class PaysNoirObservation(Observation, frozen=True, kw_only=True):
    """A position of Pays noir as one viewer knows it."""

    turn: int
    """The seat whose turn it is, also while chance draws for it."""
    phase: str
    cards: tuple[LaidCard, ...]
    """In the order of laying."""
    groups: tuple[Group, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    """The points with the final count, as if the game ended now."""
    last_space: int
    supply: tuple[int, ...]
    pile: int
    hands: tuple[tuple[str, ...], ...]
    shown: tuple[tuple[str, ...], ...]
    """By seat: the cards of its hand that all have seen."""
    discards: tuple[str, ...]
    chosen: str = ""
    """The card being placed."""
    place: Place | None = None
    """The place chosen for it."""
    fits: tuple[Fit, ...] = ()
    """Where the viewer can place it."""
    spots: tuple[str, ...] = ()
    """Where on the card just laid the seat may place a member."""
    edges: dict[str, tuple[str, str, str, str]]
    """By card that the viewer sees: its edges N, E, S, W, before it is turned."""

    def __str__(self) -> str:
        return "\n".join([*_drawn_table(self), "", *_drawn_facts(self)])


def observe(state: PaysNoirState, viewer: int) -> PaysNoirObservation:
    """What `viewer` may know of the position."""
    hands = tuple(_hand(state, seat, seat == viewer) for seat in range(state.players))
    table = _table(_Lying(state.board, state.players))
    chosen = _chosen(state, viewer)
    edges = _edges(state.deck)
    seen = table.ids.union(*hands) - {HIDDEN}
    return PaysNoirObservation(
        viewer=viewer,
        to_move=state.current_player(),
        players=state.players,
        returns=tuple(state.returns()) if state.is_terminal() else (),
        turn=state.seat,
        phase=PHASES[state.phase],
        cards=table.cards,
        groups=table.groups,
        points=tuple(state.points),
        scores=tuple(state.scores()),
        last_space=state.last_space,
        supply=tuple(state.supply(seat) for seat in range(state.players)),
        pile=state.left,
        hands=hands,
        shown=tuple(_shown(state, seat, hand, viewer) for seat, hand in enumerate(hands)),
        discards=discards(state),
        chosen=chosen,
        place=gap_places(state.board)[state.place] if state.place != NOTHING else None,
        fits=_fits(state) if chosen not in ("", HIDDEN) else (),
        spots=_spots(state),
        edges={card: edges[card] for card in sorted(seen)},
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


def _hand(state: PaysNoirState, seat: int, own: bool) -> tuple[str, ...]:
    """The cards of a hand in order; of another's hand first those that all have seen."""
    first = seat * state.seat_size + SLOTS
    return _hand_of(state.deck, bytes(state.seats[first : first + state.held(seat)]), own)


@lru_cache(maxsize=32768)
def _hand_of(deck: Deck, entries: bytes, own: bool) -> tuple[str, ...]:
    numbers = struct.unpack(f"{len(entries) // 2}h", entries)
    cards = [deck.cards[entry >> 1].id if own or entry & 1 else HIDDEN for entry in numbers]
    return tuple(sorted(cards, key=lambda card: card == HIDDEN))


def _shown(state: PaysNoirState, seat: int, hand: tuple[str, ...], viewer: int) -> tuple[str, ...]:
    """The cards of a hand that all have seen."""
    if seat == viewer:
        hand = _hand(state, seat, False)
    return tuple([card for card in hand if card != HIDDEN])


def _chosen(state: PaysNoirState, viewer: int) -> str:
    if state.chosen == NOTHING:
        return ""
    return state.deck.cards[state.chosen].id if viewer == state.seat else HIDDEN


def discards(state: PaysNoirState) -> tuple[str, ...]:
    """The cards that are nowhere else: not on the table, in a hand or in the pile."""
    return tuple([state.deck.cards[card].id for card in state.discarded()])


@lru_cache(maxsize=32)
def _edges(deck: Deck) -> dict[str, tuple[str, str, str, str]]:
    return {card.id: card.edges for card in deck.cards}


def _fits(state: PaysNoirState) -> tuple[Fit, ...]:
    found = []
    for place, (x, y) in gap_places(state.board).items():
        turns = places(state.board.turns_at(state.chosen, place))
        if turns and state.place in (NOTHING, place):
            found.append(Fit(x, y, tuple(turns)))
    return tuple(sorted(found, key=lambda fit: (-fit.y, fit.x)))


def _spots(state: PaysNoirState) -> tuple[str, ...]:
    if state.phase != SPOT:
        return ()
    names = state.deck.cards[state.board.type_of(state.board.laid - 1)].spots
    return tuple(name for spot, name in enumerate(names) if state.may_stand(spot))


# The table. It looks the same to all who look at it one after the other.


class _Lying:
    """A board as it lies now, to be remembered by what lies there."""

    def __init__(self, board: Board, players: int) -> None:
        self.board = board
        self.players = players
        self._content = board.deck, players, bytes(board.cards[: 4 * board.laid]), bytes(board.records[: board.used])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Lying) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


class _Table(Struct, frozen=True):
    """What lies on the table."""

    cards: tuple[LaidCard, ...]
    groups: tuple[Group, ...]
    ids: frozenset[str]
    """Which cards lie there."""


@lru_cache(maxsize=512)
def _table(lying: _Lying) -> _Table:
    board = lying.board
    deck, players = board.deck, lying.players
    cards = _remembered(_laid_cards(deck), bytes(board.card_rows()), 4 + 2 * int(deck.most_spots), _laid_card, deck)
    groups = _remembered(_all_groups(players), bytes(board.group_rows()), GROUP_ROW, _group, players)
    return _Table(cards, groups, frozenset([card.card for card in cards]))


def group_name(board: Board, node: int) -> str:
    """The name of the whole that a spot belongs to: its kind and its oldest node."""
    return _group_name(8 * board.root(node) + board.kind(node))


def _group_name(number: int) -> str:
    return f"{_GROUPS[number & 7]}:{number >> 3}"


# Most cards and groups are as they were at the last look, so what was made of a row is remembered.

_Seen = TypeVar("_Seen")
_Context = TypeVar("_Context")
_MOST_REMEMBERED: Final = 50_000


@lru_cache(maxsize=32)
def _laid_cards(deck: Deck) -> dict[bytes, LaidCard]:
    return {}


@lru_cache(maxsize=8)
def _all_groups(players: int) -> dict[bytes, Group]:
    return {}


def _remembered(
    made: dict[bytes, _Seen], rows: bytes, numbers: int, make: Callable[[_Context, bytes], _Seen], context: _Context
) -> tuple[_Seen, ...]:
    """What each row means, computed once; a row has `numbers` integers of four bytes."""
    width = 4 * numbers
    keys = [rows[at : at + width] for at in range(0, len(rows), width)]
    try:
        return tuple(map(made.__getitem__, keys))
    except KeyError:
        if len(made) > _MOST_REMEMBERED:
            made.clear()
        for key in keys:
            if key not in made:
                made[key] = make(context, key)
        return tuple(map(made.__getitem__, keys))


def _laid_card(deck: Deck, row: bytes) -> LaidCard:
    turned, x, y, bears, *parts = struct.unpack(f"{len(row) // 4}i", row)
    card = deck.cards[turned >> 2]
    networks = parts[len(parts) // 2 :]
    return LaidCard(
        card.id,
        x,
        y,
        turned & 3,
        tuple(_group_name(number) for number in parts[: len(card.spots)]),
        tuple("" if network < 0 else f"network:{network}" for network in networks[: len(card.spots)]),
        bears % 8 - 1,
        card.spots[bears // 8] if bears else "",
    )


def _group(players: int, row: bytes) -> Group:
    number, x, y, open_ends, marks, members, size, worth = struct.unpack(f"{GROUP_ROW}i", row)
    return Group(
        name=_group_name(number),
        x=x,
        y=y,
        open_ends=open_ends,
        finished=bool(marks & 1),
        members=tuple((members >> 4 * seat) & 15 for seat in range(players)),
        size=size,
        worth=worth,
        station=bool(marks & 2),
    )


# The position drawn in text.

_EDGE_SIGNS = {COUNTRY: ".", RAIL: "=", TOWN: "T"}


def edge_signs(edges: tuple[str, str, str, str], turn: int = 0) -> str:
    """What the sides N, E, S, W of a turned card show: `.` country, `=` rail, `T` town."""
    return "".join(_EDGE_SIGNS[edges[(side - turn) % 4]] for side in range(4))


def _drawn_table(seen: PaysNoirObservation) -> list[str]:
    """Each card is framed by its edges; inside, the seat and the spot of its member."""
    at = {(laid.x, laid.y): laid for laid in seen.cards}
    columns = range(min(x for x, _ in at), max(x for x, _ in at) + 1)
    rows = range(max(y for _, y in at), min(y for _, y in at) - 1, -1)
    lines = ["      " + "".join(f"{x:^8}" for x in columns).rstrip()]
    for y in rows:
        lines.append("     " + _frame(seen, at, columns, y))
        lines.append(f"{y:>4} " + _inside(seen, at, columns, y))
    lines.append("     " + _frame(seen, at, columns, rows[-1] - 1))
    return lines


def _frame(seen: PaysNoirObservation, at: dict[Place, LaidCard], columns: range, y: int) -> str:
    """The line between the rows y + 1 and y."""
    words = []
    for x in (*columns, columns[-1] + 1):
        around = [(x - 1, y), (x - 1, y + 1), (x, y), (x, y + 1)]
        words.append("+" if any(place in at for place in around) else " ")
        if (x, y) in at:
            words.append(f"---{_signs(seen, at[x, y])[0]}---")
        elif (x, y + 1) in at:
            words.append(f"---{_signs(seen, at[x, y + 1])[2]}---")
        else:
            words.append("       ")
    return "".join(words).rstrip()


def _inside(seen: PaysNoirObservation, at: dict[Place, LaidCard], columns: range, y: int) -> str:
    words = []
    for x in (*columns, columns[-1] + 1):
        if (x, y) in at:
            words.append(_signs(seen, at[x, y])[3])
            words.append(f"{_content(seen, at[x, y]):^7}")
        else:
            words.append(_signs(seen, at[x - 1, y])[1] if (x - 1, y) in at else " ")
            words.append("       ")
    return "".join(words).rstrip()


def _signs(seen: PaysNoirObservation, laid: LaidCard) -> str:
    return edge_signs(seen.edges[laid.card], laid.turn)


def _content(seen: PaysNoirObservation, laid: LaidCard) -> str:
    """The sites on a card, the seat and spot of its member, and a mark on the last one."""
    sites = "".join(group[0].upper() for group in laid.groups if group.partition(":")[0] in ("mine", "factory", "port"))
    member = f"{laid.member + 1}{laid.spot[0]}" if laid.spot else ""
    last = "*" if laid == seen.cards[-1] and len(seen.cards) > 1 else ""
    return " ".join(word for word in (sites, member, last) if word)


def _drawn_facts(seen: PaysNoirObservation) -> list[str]:
    lines = [f"Pile: {seen.pile}. Score track: {seen.last_space}. Discarded: {', '.join(seen.discards) or 'none'}."]
    for group in seen.groups:
        if any(group.members):
            owners = ", ".join(f"seat {seat + 1}: {count}" for seat, count in enumerate(group.members) if count)
            state = "" if group.kind == "country" or group.open_ends == 0 else f", open ends: {group.open_ends}"
            lines.append(f"{group.kind.capitalize()} at {place_name((group.x, group.y))}, {owners}{state}")
    for seat, hand in enumerate(seen.hands):
        cards = ", ".join(f"{card} {edge_signs(seen.edges[card])}" if card != HIDDEN else HIDDEN for card in hand)
        words = f"Seat {seat + 1}, {FAMILIES[seat]}, {seen.points[seat]} points, {seen.supply[seat]} members"
        lines.append(f"{'> ' if seat == seen.to_move else '  '}{words}, cards {cards or 'none'}")
    if seen.chosen:
        where = f" at {place_name(seen.place)}" if seen.place else ""
        lines.append(f"Seat {seen.turn + 1} places {seen.chosen}{where}.")
    if seen.to_move == TERMINAL:
        lines.append(seen.won_by)
    return lines

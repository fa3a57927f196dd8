"""What one viewer may know of a game of Pays noir. The only place that decides secrecy.

Hidden are the hands of the others, the pile, and the card that another player has chosen until it lies on the table.
Whoever discards shows the whole hand: those cards stay known to all. The table, the members, the points and the
discarded cards are open.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from ludotheque.core.bits import places
from ludotheque.core.game import CHANCE, TERMINAL
from ludotheque.core.observation import HIDDEN, Observation
from ludotheque.games.pays_noir.board import BEARS, TURNED, Board
from ludotheque.games.pays_noir.cards import COUNTRY, RAIL, TOWN
from ludotheque.games.pays_noir.deck import (
    COUNT,
    MEMBERS,
    OPEN_ENDS,
    PATCH,
    PORT,
    QUARTER,
    QUARTERS_FROM,
    STATIONS_FROM,
    TRACK,
)
from ludotheque.games.pays_noir.rules import CARD, NOTHING, PLACE, SLOTS, SPOT, TURN, PaysNoirState

FAMILIES = ("blue", "red", "yellow", "green", "violet")
"""The colour of each seat's family."""
LETTERS = {"blue": "B", "red": "R", "yellow": "Y", "green": "G", "violet": "V"}
PHASES = ("deal", "draw", "card", "place", "turn", "spot", "over")
"""The names of the decisions of a turn, by the numbers of `rules`."""

Place = tuple[int, int]
"""Steps to the east and to the north from the start card."""

_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_GROUPS = {QUARTER: "town", TRACK: "line", PATCH: "country"}


def place_name(place: Place) -> str:
    return f"({place[0]},{place[1]})"


def card_places(board: Board) -> list[Place]:
    """Where each card lies. Every card but the first lies next to an earlier one."""
    found: list[Place] = [(0, 0)]
    for card in range(1, board.laid):
        for side in range(4):
            neighbour = board.neighbour(card, side)
            if 0 <= neighbour < card:
                x, y = found[neighbour]
                found.append((x - _STEPS[side][0], y - _STEPS[side][1]))
                break
    return found


def gap_places(board: Board) -> dict[int, Place]:
    """The empty places next to cards, by their numbers."""
    found: dict[int, Place] = {}
    for card, (x, y) in enumerate(card_places(board)):
        for side in range(4):
            if board.neighbour(card, side) < 0:
                beside = (x + _STEPS[side][0], y + _STEPS[side][1])
                found[board.deck.place_at(*beside)] = beside
    return found


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
    cards, groups = _table(_Lying(state.board, state.players))
    chosen = _chosen(state, viewer)
    seen = sorted({*(laid.card for laid in cards), *(card for hand in hands for card in hand)} - {HIDDEN})
    edges = {card.id: card.edges for card in state.deck.cards}
    return PaysNoirObservation(
        viewer=viewer,
        to_move=state.current_player(),
        players=state.players,
        returns=tuple(state.returns()) if state.is_terminal() else (),
        turn=state.seat,
        phase=PHASES[state.phase],
        cards=cards,
        groups=groups,
        points=tuple(state.points),
        scores=tuple(state.scores()),
        last_space=state.last_space,
        supply=tuple(state.supply(seat) for seat in range(state.players)),
        pile=state.left,
        hands=hands,
        shown=tuple(
            tuple(card for card in _hand(state, seat, False) if card != HIDDEN) for seat in range(state.players)
        ),
        discards=discards(state),
        chosen=chosen,
        place=gap_places(state.board)[state.place] if state.place != NOTHING else None,
        fits=_fits(state) if chosen not in ("", HIDDEN) else (),
        spots=_spots(state),
        edges={card: edges[card] for card in seen},
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
    cards = [state.deck.cards[entry >> 1].id if own or entry & 1 else HIDDEN for entry in held(state, seat)]
    return tuple(sorted(cards, key=lambda card: card == HIDDEN))


def _chosen(state: PaysNoirState, viewer: int) -> str:
    if state.chosen == NOTHING:
        return ""
    return state.deck.cards[state.chosen].id if viewer == state.seat else HIDDEN


def discards(state: PaysNoirState) -> tuple[str, ...]:
    """The cards that are nowhere else: not on the table, in a hand or in the pile."""
    missing = [int(copies) for copies in state.deck.copies]
    for card in range(1, state.board.laid):
        missing[state.board.type_of(card)] -= 1
    for seat in range(state.players):
        for entry in held(state, seat):
            missing[entry >> 1] -= 1
    found = []
    for card, copies in enumerate(missing):
        found += [state.deck.cards[card].id] * (copies - state.pile[card])
    return tuple(found)


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
        self._content = board.deck, players, tuple(board.cards[: 4 * board.laid]), tuple(board.records[: board.used])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Lying) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


@lru_cache(maxsize=512)
def _table(lying: _Lying) -> tuple[tuple[LaidCard, ...], tuple[Group, ...]]:
    return _laid_cards(lying.board), _groups(lying.board, lying.players)


def group_name(board: Board, node: int) -> str:
    """The name of the whole that a spot belongs to: its kind and its oldest node."""
    root = board.root(node)
    card = board.card_of(root)
    spot = board.deck.cards[board.type_of(card)].spots[root - board.base(card)]
    return f"{_GROUPS.get(board.kind(root)) or spot.partition(':')[0]}:{root}"


def _network_name(board: Board, node: int) -> str:
    has_network = board.kind(node) not in (QUARTER, PATCH)
    return f"network:{board.network(node)}" if has_network else ""


def _laid_cards(board: Board) -> tuple[LaidCard, ...]:
    laid = []
    for card, (x, y) in enumerate(card_places(board)):
        picture = board.deck.cards[board.type_of(card)]
        nodes = range(board.base(card), board.base(card) + board.spots(card))
        bears = board.cards[4 * card + BEARS]
        laid.append(
            LaidCard(
                picture.id,
                x,
                y,
                board.cards[4 * card + TURNED] % 4,
                tuple(group_name(board, node) for node in nodes),
                tuple(_network_name(board, node) for node in nodes),
                bears % 8 - 1,
                picture.spots[bears // 8] if bears else "",
            )
        )
    return tuple(laid)


def _groups(board: Board, players: int) -> tuple[Group, ...]:
    where = card_places(board)
    roots = [
        node
        for card in range(board.laid)
        for node in range(board.base(card), board.base(card) + board.spots(card))
        if board.root(node) == node
    ]
    return tuple(_group(board, players, node, where[board.card_of(node)]) for node in roots)


def _group(board: Board, players: int, root: int, place: Place) -> Group:
    record = board.records[root]
    members = record & MEMBERS
    kind = board.kind(root)
    return Group(
        name=group_name(board, root),
        x=place[0],
        y=place[1],
        open_ends=(record & OPEN_ENDS) >> 20,
        finished=board.is_finished(root),
        members=tuple((members >> 4 * seat) & 15 for seat in range(players)),
        size=_size(board, root, kind),
        worth=_worth(board, root, kind),
        station=kind == QUARTER and (record >> STATIONS_FROM) & COUNT != 0,
    )


def _size(board: Board, root: int, kind: int) -> int:
    if kind == QUARTER:
        return (board.records[root] >> QUARTERS_FROM) & COUNT
    if kind == TRACK:
        return board.line_length(root)
    parts = 1
    node = board.following(root)
    while node != root:
        parts += 1
        node = board.following(node)
    return parts


def _worth(board: Board, root: int, kind: int) -> int:
    if kind == TRACK:
        return board.line_length(root)
    if kind == PORT:
        return board.port_value(root)
    return board.country_value(root) if kind == PATCH else 0


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

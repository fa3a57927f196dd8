"""The view of one viewer of a game of Pays noir. The only place that decides secrecy.

Hidden are the hands of the others, the pile, and the card that another player has chosen until it lies on the table.
A player who discards shows the whole hand: those cards stay known to all. The table, the members, the points and the
discarded cards are open. Compiled.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import structs
from mypy_extensions import i64

from ludotheque.core.bits import places
from ludotheque.core.events import Event
from ludotheque.core.game import CHANCE
from ludotheque.core.observation import HIDDEN
from ludotheque.games.pays_noir.deck import Deck
from ludotheque.games.pays_noir.events import CardChosen, CardDiscarded, CardDrawn, NoMemberPlaced, events
from ludotheque.games.pays_noir.observation import Fit, PaysNoirObservation
from ludotheque.games.pays_noir.rules import CARD, NOTHING, OVER, PLACE, SPOT, TURN, PaysNoirState
from ludotheque.games.pays_noir.tabletop import Edges, Tabletop, bare_tabletop, card_edges, held, look

PHASES = ("deal", "draw", "card", "place", "turn", "spot", "over")
"""The names of the decisions of a turn, by the numbers of `rules`."""


def observe(state: PaysNoirState, viewer: int) -> PaysNoirObservation:
    """Return what `viewer` may know of the position."""
    hands, shown = _hands(state, viewer)
    table = _table(state)
    seats = range(state.players)
    fits = _fits(state, viewer)
    return PaysNoirObservation(
        viewer=viewer,
        to_move=state.current_player(),
        players=state.players,
        returns=tuple(state.returns()) if state.is_terminal() else (),
        turn=state.seat,
        phase=PHASES[state.phase],
        cards=table.cards,
        groups=table.groups,
        points=tuple([int(state.points[seat]) for seat in seats]),
        scores=tuple([int(state.points[seat]) + table.final_count[seat] for seat in seats]),
        last_space=state.last_space,
        supply=tuple([int(state.supply(seat)) for seat in seats]),
        pile=state.left,
        hands=hands,
        shown=shown,
        discards=discards(state),
        chosen=_chosen(state, viewer),
        place=(fits[0].x, fits[0].y) if state.place != NOTHING else None,
        fits=fits if viewer == state.seat else (),
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


def seen_events(before: PaysNoirState, action: int, after: PaysNoirState, viewer: int) -> list[Event]:
    """The events as far as `viewer` may know them."""
    return [seen_event(event, viewer) for event in events(before, action, after)]


def seen_event(event: Event, viewer: int) -> Event:
    """An event without what only its seat sees: cards drawn and chosen, and what lies in its tray."""
    if event.seat == viewer:
        return event
    if isinstance(event, CardDrawn | CardChosen):
        return structs.replace(event, card=None, places=())
    return structs.replace(event, places=()) if isinstance(event, CardDiscarded | NoMemberPlaced) else event


# Hands.


_Hands = tuple[tuple[str, ...], ...]


def _hands(state: PaysNoirState, viewer: int) -> tuple[_Hands, _Hands]:
    """Return the hand of each seat as the viewer knows it, of another's hand first the cards that all have seen; and
    those that all have seen."""
    cards, hands, shown = state.deck.cards, [], []
    for seat in range(state.players):
        entries = held(state, seat)
        seen = [cards[entry >> 1].id for entry in entries if entry & 1]
        own = seat == viewer
        hand = [cards[entry >> 1].id for entry in entries] if own else seen + [HIDDEN] * (len(entries) - len(seen))
        hands.append(tuple(hand))
        shown.append(tuple(seen))
    return tuple(hands), tuple(shown)


def _chosen(state: PaysNoirState, viewer: int) -> str:
    if state.chosen == NOTHING:
        return ""
    return state.deck.cards[state.chosen].id if viewer == state.seat else HIDDEN


def discards(state: PaysNoirState) -> tuple[str, ...]:
    """The cards that are nowhere else: not on the table, in a hand or in the pile."""
    return tuple([state.deck.cards[card].id for card in state.discarded()])


def _edges(deck: Deck, table: Tabletop, hands: _Hands) -> Edges:
    """The edges of the cards that the viewer sees: those on the table in the order laid, then those in hands."""
    all_edges, seen = card_edges(deck), table.edges.copy()
    for hand in hands:
        for card in hand:
            if card != HIDDEN:
                seen[card] = all_edges[card]
    return seen


_TURNS = [tuple(places(turns)) for turns in range(16)]
"""Turns by bits."""


_FAR: Final = 1024
"""More steps than a table can reach from the start card."""


def _fits(state: PaysNoirState, viewer: int) -> tuple[Fit, ...]:
    """Return where the chosen card fits, row by row from the north; only the place once it is chosen. Others than the
    seat that chose it see no more than that place."""
    if state.chosen == NOTHING or (state.place == NOTHING and viewer != state.seat):
        return ()
    rows = state.board.fit_rows(state.chosen, state.place)
    numbers: list[int] = []
    row: i64 = 0
    while row < i64(len(rows)):
        numbers.append(((_FAR - i64(rows[row + 1])) * 2 * _FAR + _FAR + i64(rows[row])) * 16 + i64(rows[row + 2]))
        row += 3
    numbers.sort()
    return tuple([_fit(number) for number in numbers])


@lru_cache(maxsize=8192)
def _fit(number: int) -> Fit:
    south, east = divmod(number >> 4, 2 * _FAR)
    return Fit(east - _FAR, _FAR - south, _TURNS[number & 15])


def _spots(state: PaysNoirState) -> tuple[str, ...]:
    if state.phase != SPOT:
        return ()
    names = state.deck.cards[state.board.type_of(state.board.laid - 1)].spots
    return tuple([name for spot, name in enumerate(names) if state.may_stand(spot)])


# The table. It looks the same to all who look at it one after the other.


_TABLES: Final[dict[tuple[object, ...], Tabletop]] = {}
_MOST_TABLES: Final = 512
_LAST_LOOK: Final[dict[tuple[Deck, int, bytes], Tabletop]] = {}
_MOST_LOOKS: Final = 256
_FIRST_CARDS: Final = 4
"""Number of cards that tell one game from the others."""


def _table(state: PaysNoirState) -> Tabletop:
    """Return the cards and groups on the table, cached by what lies there."""
    board = state.board
    cards_lie, records = bytes(board.cards[: 4 * board.laid]), bytes(board.records[: board.used])
    content = board.deck, int(state.players), state.phase == OVER, cards_lie, records
    known = _TABLES.get(content)
    if known is not None:
        return known
    if len(_TABLES) >= _MOST_TABLES:
        _TABLES.clear()
    made = _TABLES[content] = _new_look(state)
    return made


def _new_look(state: PaysNoirState) -> Tabletop:
    """Return the cards and groups of a table that has, most often, changed a little since the last look."""
    game = state.deck, int(state.players), bytes(state.board.cards[: 4 * _FIRST_CARDS])
    seen = look(state, _LAST_LOOK.get(game) or bare_tabletop())
    if len(_LAST_LOOK) >= _MOST_LOOKS:
        _LAST_LOOK.clear()
    _LAST_LOOK[game] = seen
    return seen

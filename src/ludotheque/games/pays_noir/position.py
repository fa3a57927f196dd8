"""A whole position of Pays noir as one line of text, and back.

Five fields with a blank between:

    table     the cards in the order of laying, `;` between: `id@x,y`, then `,90` if turned so far and `+2:mine:0` for
              a member of seat 2 on that spot
    points    seat by seat, `,` between
    hands     seat by seat, `|` between; the cards with `,` between, `!` after those that all have seen; `-` for none
    discards  the discarded cards, `,` between; `-` for none
    turn      `deal` in the set-up, `end` after the game; else a seat from 1: `1?` to draw, `1` to choose a card,
              `1:straight` to place it, `1:straight@2,0` to turn it there, `1+` to place a member on the last card

The cards that are nowhere else are in the pile.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ludotheque.core.bits import places
from ludotheque.core.errors import BadPosition
from ludotheque.core.game import CHANCE
from ludotheque.games.pays_noir.board import CARD_MEMBER, TURNED
from ludotheque.games.pays_noir.deck import Deck
from ludotheque.games.pays_noir.observation import Place, place_name
from ludotheque.games.pays_noir.observe import discards
from ludotheque.games.pays_noir.rules import (
    CARD,
    DEAL,
    DRAW,
    NOTHING,
    OVER,
    PLACE,
    SPOT,
    SUPPLY,
    TURN,
    PaysNoirState,
)
from ludotheque.games.pays_noir.tabletop import card_places, gap_places, held

_AT = r"(?P<id>\w{1,60})@(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3})"
_CARD = re.compile(_AT + r"(?:,(?P<degrees>90|180|270))?(?:\+(?P<seat>[1-5]):(?P<spot>[a-z]{1,10}:\d{1,2}))?", re.ASCII)
_TURN = re.compile(
    r"(?P<seat>[1-5])(?P<sign>[?+])?(?::(?P<id>\w{1,60}))?(?:@(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3}))?", re.ASCII
)
_POINTS = re.compile(r"\d{1,5}", re.ASCII)


# Writing.


def write_position(state: PaysNoirState) -> str:
    """The whole position as one line of text."""
    table = ";".join(_write_card(state, card, where) for card, where in enumerate(card_places(state.board)))
    points = ",".join(str(points) for points in state.points)
    hands = "|".join(_write_hand(state, seat) for seat in range(state.players))
    return " ".join([table, points, hands, ",".join(discards(state)) or "-", _write_turn(state)])


def _write_card(state: PaysNoirState, card: int, where: Place) -> str:
    picture = state.deck.cards[state.board.type_of(card)]
    turn = state.board.cards[4 * card + TURNED] % 4
    standing = state.board.cards[4 * card + CARD_MEMBER]
    turned = f",{90 * turn}" if turn else ""
    member = f"+{standing % 8}:{picture.spots[standing // 8]}" if standing else ""
    return f"{picture.id}@{where[0]},{where[1]}{turned}{member}"


def _write_hand(state: PaysNoirState, seat: int) -> str:
    cards = [state.deck.cards[entry >> 1].id + ("!" if entry & 1 else "") for entry in held(state, seat)]
    return ",".join(cards) or "-"


def _write_turn(state: PaysNoirState) -> str:
    seat = str(state.seat + 1)
    chosen = state.deck.cards[state.chosen].id if state.chosen != NOTHING else ""
    if state.phase == TURN:
        x, y = gap_places(state.board)[state.place]
        return f"{seat}:{chosen}@{x},{y}"
    return {
        DEAL: "deal",
        DRAW: f"{seat}?",
        CARD: seat,
        PLACE: f"{seat}:{chosen}",
        SPOT: f"{seat}+",
        OVER: "end",
    }[state.phase]


# Reading.


def read_position(state: PaysNoirState, text: str) -> PaysNoirState:
    """Read a position into a new state of the same table."""
    fields = text.split(" ")
    if len(fields) != 5:
        raise BadPosition(f"A position of Pays noir has 5 fields (table, points, hands, ...), not {len(fields)}.")
    _read_table(state, fields[0])
    _read_points(state, fields[1])
    _read_hands(state, fields[2])
    _read_discards(state, fields[3])
    _read_turn(state, fields[4])
    _check_members(state)
    return state


@lru_cache(maxsize=32)
def _types(deck: Deck) -> dict[str, int]:
    return {card.id: number for number, card in enumerate(deck.cards)}


def _type_of(state: PaysNoirState, id: str) -> int:
    try:
        return _types(state.deck)[id]
    except KeyError:
        raise BadPosition(f"There is no card {id[:60]!r}.") from None


def _take(state: PaysNoirState, id: str) -> int:
    """The type of a card of that id, which leaves the pile."""
    card = _type_of(state, id)
    if state.pile[card] == 0:
        raise BadPosition(f"There are more cards {id} than the game has.")
    state.pile[card] -= 1
    state.left -= 1
    return card


class _Laid(NamedTuple):
    """A card of the table, as written."""

    id: str
    where: Place
    turn: int
    spot: str
    """The spot of its member, if it has one."""
    seat: int


@lru_cache(maxsize=16384)
def _laid(words: str) -> _Laid | None:
    """Read a card of the table; None if it cannot be read."""
    found = _CARD.fullmatch(words)
    if not found:
        return None
    id, x, y, degrees, seat, spot = found.groups()
    return _Laid(id, (int(x), int(y)), int(degrees or 0) // 90, spot or "", int(seat or 0) - 1)


def _read_table(state: PaysNoirState, text: str) -> None:
    start = state.deck.cards[state.deck.start].id
    lying = {(0, 0)}
    for number, words in enumerate(text.split(";")):
        laid = _laid(words)
        if laid is None:
            raise BadPosition(f"Card {number + 1} of the table cannot be read: {words[:60]!r}.")
        if number > 0:
            _lay(state, laid, lying)
            lying.add(laid.where)
        elif laid[:3] != (start, (0, 0), 0):
            raise BadPosition(f"The first card of the table must be {start}@0,0.")
        if laid.spot:
            _stand(state, number, laid.spot, laid.seat)


def _lay(state: PaysNoirState, laid: _Laid, lying: set[Place]) -> None:
    id, where, turn, _, _ = laid
    card = _take(state, id)
    x, y = where
    if where in lying or lying.isdisjoint(((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))):
        raise BadPosition(f"The card {id} cannot lie at {place_name(where)}: that is taken, or not next to a card.")
    place = state.deck.place_at(x, y)
    if not state.board.turns_at(card, place) >> turn & 1:
        raise BadPosition(f"The card {id} at {place_name(where)} cannot lie turned by {90 * turn}.")
    state.board.lay(4 * card + turn, place)


def _stand(state: PaysNoirState, number: int, spot: str, seat: int) -> None:
    spots = state.deck.cards[state.board.type_of(number)].spots
    if spot not in spots:
        raise BadPosition(f"Card {number + 1} of the table has no spot {spot}.")
    if seat >= state.players or state.supply(seat) == 0:
        raise BadPosition(f"Seat {seat + 1} has no member to stand on card {number + 1} of the table.")
    state.seats[seat * state.seat_size + SUPPLY] -= 1
    state.board.place_member(number, spots.index(spot), seat)


def _read_points(state: PaysNoirState, text: str) -> None:
    points = text.split(",")
    if len(points) != state.players or not all(_POINTS.fullmatch(word) for word in points):
        raise BadPosition(f"The points are {state.players} whole numbers, not {text[:40]!r}.")
    for seat, word in enumerate(points):
        state.points[seat] = int(word)


def _read_hands(state: PaysNoirState, text: str) -> None:
    hands = text.split("|")
    if len(hands) != state.players:
        raise BadPosition(f"There are {state.players} hands, not {len(hands)}.")
    for seat, words in enumerate(hands):
        cards = [] if words == "-" else words.split(",")
        if len(cards) > state.deck.hand + 1:
            raise BadPosition(f"Seat {seat + 1} holds {len(cards)} cards; no hand has so many.")
        for id in cards:
            state.hold(seat, 2 * _take(state, id.removesuffix("!")) + id.endswith("!"))


def _read_discards(state: PaysNoirState, text: str) -> None:
    for id in [] if text == "-" else text.split(","):
        _take(state, id)


def _read_turn(state: PaysNoirState, text: str) -> None:
    state.dealt = state.players * state.deck.hand
    if text == "deal":
        _read_deal(state)
        return
    if text == "end":
        _read_end(state)
        return
    turn = _TURN.fullmatch(text)
    if not turn or int(turn["seat"]) > state.players:
        raise BadPosition(f"Whose turn it is cannot be read: {text[:60]!r}.")
    if state.track_is_full():
        raise BadPosition(f"The game is over: someone has {state.last_space} points.")
    state.seat = int(turn["seat"]) - 1
    state.player = state.seat
    if turn["sign"] and turn["id"]:
        raise BadPosition(f"Whose turn it is cannot be read: {text[:60]!r}.")
    if turn["sign"] == "?":
        state.phase = DRAW
        state.player = CHANCE
        if state.left == 0:
            raise BadPosition("Nobody can draw: the pile is empty.")
    elif turn["sign"]:
        _read_spot(state)
    elif turn["id"]:
        _read_chosen(state, turn["id"], (int(turn["x"]), int(turn["y"])) if turn["x"] else None)
    else:
        state.phase = CARD
    _check_hands(state)


def _read_deal(state: PaysNoirState) -> None:
    hand = state.deck.hand
    state.dealt = sum(state.held(seat) for seat in range(state.players))
    in_order = all(state.held(seat) == min(hand, max(0, state.dealt - seat * hand)) for seat in range(state.players))
    untouched = state.board.laid == 1 and state.left + state.dealt == state.deck.total - 1
    if not in_order or not untouched or any(state.points) or state.dealt == state.players * hand:
        raise BadPosition("The set-up deals cards seat by seat, with nothing but the start card on the table.")
    state.seat = state.dealt // hand


def _read_end(state: PaysNoirState) -> None:
    held_cards = sum(state.held(seat) for seat in range(state.players))
    if not state.track_is_full() and (held_cards or state.left):
        raise BadPosition("The game ends when all hands are empty or someone reaches the end of the score track.")
    state.end()


def _read_spot(state: PaysNoirState) -> None:
    state.phase = SPOT
    if state.board.laid == 1 or state.board.member_node(state.board.laid - 1) >= 0 or len(state.legal_actions()) < 2:
        raise BadPosition(f"Seat {state.seat + 1} cannot place a member on the last card.")


def _read_chosen(state: PaysNoirState, id: str, where: Place | None) -> None:
    card = _type_of(state, id)
    if card not in [entry >> 1 for entry in held(state, state.seat)]:
        raise BadPosition(f"Seat {state.seat + 1} does not hold {id}.")
    if not state.board.fits_somewhere(card):
        raise BadPosition(f"The card {id} fits nowhere.")
    state.chosen = card
    state.phase = PLACE
    if where:
        state.place = state.deck.place_at(*where)
        state.phase = TURN
        gaps = gap_places(state.board)
        if gaps.get(state.place) != where or len(places(state.board.turns_at(card, state.place))) < 2:
            raise BadPosition(f"The card {id} has no choice of turns at {place_name(where)}.")


def _check_hands(state: PaysNoirState) -> None:
    """While the pile lasts every hand is full, and one card more is in the hand to play from."""
    choosing = state.phase in (CARD, PLACE, TURN)
    for seat in range(state.players):
        full = state.deck.hand + (1 if choosing and seat == state.seat else 0)
        if state.held(seat) > full or (state.left and state.held(seat) < full):
            raise BadPosition(f"Seat {seat + 1} holds {state.held(seat)} cards while the pile has {state.left}.")
    if choosing and state.held(state.seat) == 0:
        raise BadPosition(f"Seat {state.seat + 1} has no card to place.")


def _check_members(state: PaysNoirState) -> None:
    """Members have left what is finished, but for what the last card has just finished."""
    if state.phase == SPOT:
        return
    for number, where in enumerate(card_places(state.board)):
        node = state.board.member_node(number)
        if node >= 0 and state.board.is_finished(node):
            raise BadPosition(f"A member stands at {place_name(where)} on something that is finished.")

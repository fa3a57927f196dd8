"""Pays noir in text: moves and choices.

straight           choose the card straight of the hand, to be placed
discard straight   show a hand in which no card fits, and discard that card
at 2,-1            place it two steps east and one step south of the start card
turn 90            lay it turned clockwise by 90 degrees
member mine:0      place a member on that spot of the card; `no member` for none
straight           what chance draws: a card

A whole turn may stand on one line: `straight at 2,-1 turn 90 member track:0`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from ludotheque.core.bits import places
from ludotheque.core.errors import AmbiguousMove, IllegalMove, UnreadableMove
from ludotheque.core.game import CHANCE
from ludotheque.core.game_words import NOT_ALLOWED
from ludotheque.core.phrases import NOTHING, Phrase, Step, listed, phrase, seat_name
from ludotheque.games.pays_noir.board import TURNED
from ludotheque.games.pays_noir.cards import Card
from ludotheque.games.pays_noir.deck import MEMBERS, PATCH, QUARTER, TRACK
from ludotheque.games.pays_noir.events import gain_by_member
from ludotheque.games.pays_noir.observation import place_name
from ludotheque.games.pays_noir.place_words import COMPASS, gap_words
from ludotheque.games.pays_noir.rules import CARD, PLACE, SPOT, TURN, PaysNoirState
from ludotheque.games.pays_noir.tabletop import card_places, gap_places, held

_PLACE = re.compile(r"\(? ?(?P<x>[+-]?\d{1,3}) ?[, ] ?(?P<y>[+-]?\d{1,3}) ?\)?")
_TURN = re.compile(r"(?:turn(?:ed)? ?(?:by ?)?)?(?P<degrees>\d{1,3}) ?°?")
_LINE = re.compile(
    r"(?:(?P<card>(?!at )[a-z][^(,]*?) )?(?P<place>(?:at )?(?:\( ?[+-]?\d+ ?, ?[+-]?\d+ ?\)|[+-]?\d+ ?, ?[+-]?\d+))"
    r"(?: (?P<turn>(?:turn |turned |by )*\d+ ?°?))?(?: (?P<spot>[a-z].*))?"
)
"""A whole turn, or its rest from the place on."""
_NO_MEMBER = ("no member", "none", "no", "nobody")


def card_name(card: Card) -> Phrase:
    """The name of a card, to be translated."""
    return phrase(card.name or card.id)


# Moves.


def action_to_string(state: PaysNoirState, action: int) -> str:
    """The notation of a legal action or a chance outcome."""
    deck = state.deck
    if state.current_player() == CHANCE or action < deck.first_discard:
        return deck.cards[action].id
    if action < deck.first_turn:
        return f"discard {deck.cards[action - deck.first_discard].id}"
    if action < deck.first_member:
        return f"turn {90 * (action - deck.first_turn)}"
    if action == deck.first_member:
        return "no member"
    if action < deck.first_place:
        return f"member {last_card(state).spots[action - deck.first_member - 1]}"
    x, y = gap_places(state.board)[action - deck.first_place]
    return f"at {x},{y}"


def string_to_action(state: PaysNoirState, text: str) -> int:
    """Parse a legal action or a chance outcome; a `MoveError` says why it cannot be played."""
    words = " ".join(text.lower().split())
    if state.is_terminal():
        raise IllegalMove(phrase("The game is over."))
    if not words:
        raise UnreadableMove(phrase("The move is empty; write one like {example}.", example=_example(state)))
    if state.current_player() == CHANCE:
        return _read_drawn(state, words)
    if state.phase == CARD:
        return _read_card(state, words)
    if state.phase == PLACE:
        return _read_place(state, words)
    if state.phase == TURN:
        return _read_turn(state, words)
    return _read_spot(state, words)


def string_to_actions(state: PaysNoirState, text: str) -> list[int]:
    """The actions of a whole turn on one line, as far as they are given."""
    words = " ".join(text.lower().split())
    line = _LINE.fullmatch(words)
    if state.phase not in (CARD, PLACE) or not line or (state.phase == CARD) != bool(line["card"]):
        return [string_to_action(state, text)]
    after = state.clone()
    actions: list[int] = []
    for part, phase in (("card", CARD), ("place", PLACE), ("turn", TURN), ("spot", SPOT)):
        if not line[part]:
            continue
        if after.phase != phase or after.seat != state.seat:
            _check_needless(state, after, part, line[part])
            continue
        actions.append(string_to_action(after, line[part]))
        after.apply(actions[-1])
    return actions


def _check_needless(state: PaysNoirState, after: PaysNoirState, part: str, words: str) -> None:
    """A turn that is not asked for must be the only one that fits; a spot must be asked for."""
    if part == "spot" and words not in _NO_MEMBER:
        raise IllegalMove(phrase("No member can be placed on that card there; leave the member out."))
    found = _TURN.fullmatch(words)
    board = after.board
    turn = board.cards[4 * (board.laid - 1) + TURNED] % 4
    if found and board.laid > state.board.laid:
        turns = int(after.deck.turns[board.type_of(board.laid - 1)])
        if int(found["degrees"]) // 90 % turns != turn:
            raise IllegalMove(
                phrase("The card fits there only turned by {degrees}: edges must match.", degrees=90 * turn)
            )


def _example(state: PaysNoirState) -> str:
    return repr(action_to_string(state, state.legal_actions()[0]))


def last_card(state: PaysNoirState) -> Card:
    """The card laid last."""
    return state.deck.cards[state.board.type_of(state.board.laid - 1)]


def _named_card(state: PaysNoirState, words: str, among: Sequence[int]) -> int:
    """The type that the words name, in full or, of those in question, by a beginning that only one has."""
    name = words.replace(" ", "_").replace("-", "_")
    ids = [card.id.lower() for card in state.deck.cards]
    if name in ids:
        return ids.index(name)
    found = sorted({card for card in among if ids[card].startswith(name)})
    if len(found) > 1:
        names = ", ".join(state.deck.cards[card].id for card in found[:4])
        raise AmbiguousMove(phrase("{words} could be one of these: {moves}.", words=repr(words[:40]), moves=names))
    if not found:
        raise UnreadableMove(
            phrase(
                "{words} names no card here; write a move like {example}.",
                words=repr(words[:40]),
                example=_example(state),
            )
        )
    return found[0]


def _read_drawn(state: PaysNoirState, words: str) -> int:
    legal = state.legal_actions()
    card = _named_card(state, words, legal)
    if card not in legal:
        raise IllegalMove(phrase("No card {card} is left in the pile.", card=state.deck.cards[card].id))
    return card


def _read_card(state: PaysNoirState, words: str) -> int:
    deck = state.deck
    discards = words.startswith("discard ")
    hand = _hand(state)
    card = _named_card(state, words.removeprefix("discard ").removeprefix("place "), hand)
    action = card + deck.first_discard if discards else card
    legal = state.legal_actions()
    if action in legal:
        return action
    if discards and card in hand:
        raise IllegalMove(phrase("You may discard a card only if none in your hand fits anywhere; one of yours does."))
    if card in hand and legal[0] >= deck.first_discard:
        example = _example(state)
        raise IllegalMove(
            phrase("None of your cards fits anywhere: show them and discard one, like {example}.", example=example)
        )
    raise IllegalMove(_why_no_card(state, card))


def _read_place(state: PaysNoirState, words: str) -> int:
    found = _PLACE.fullmatch(words.removeprefix("at "))
    if not found:
        raise UnreadableMove(
            phrase(
                "{words} is not a place; write a move like {example}.", words=repr(words[:40]), example=_example(state)
            )
        )
    where = (int(found["x"]), int(found["y"]))
    reason = _why_no_place(state, where)
    if reason:
        raise IllegalMove(reason)
    return state.deck.first_place + _gap_numbers(state)[where]


def _gap_numbers(state: PaysNoirState) -> dict[tuple[int, int], int]:
    """The numbers of the empty places next to a card."""
    return {place: number for number, place in gap_places(state.board).items()}


def _read_turn(state: PaysNoirState, words: str) -> int:
    found = _TURN.fullmatch(words)
    if not found or int(found["degrees"]) not in (0, 90, 180, 270):
        raise UnreadableMove(
            phrase(
                "{words} is not a rotation by 0, 90, 180 or 270; write a move like {example}.",
                words=repr(words[:40]),
                example=_example(state),
            )
        )
    turn = int(found["degrees"]) // 90 % int(state.deck.turns[state.chosen])
    if turn not in places(state.board.turns_at(state.chosen, state.place)):
        raise IllegalMove(_wrong_turn(found["degrees"]))
    return state.deck.first_turn + turn


def _read_spot(state: PaysNoirState, words: str) -> int:
    none = state.deck.first_member
    if words in _NO_MEMBER:
        return none
    spots = last_card(state).spots
    name = words.removeprefix("member ").removeprefix("on ").replace(" ", ":")
    found = [name] if name in spots else [spot for spot in spots if spot.startswith(name) or _short(spot) == name]
    if not found:
        raise UnreadableMove(
            phrase("{words} is not a spot on the card; it has {spots}.", words=repr(words[:40]), spots=", ".join(spots))
        )
    free = [spot for spot in found if state.may_stand(spots.index(spot))]
    if not free:
        raise IllegalMove(_why_not_there(state, spots.index(found[0])))
    if len(free) > 1:
        raise AmbiguousMove(
            phrase("{words} could be one of these: {moves}.", words=repr(words[:40]), moves=", ".join(free))
        )
    return none + 1 + spots.index(free[0])


def _short(spot: str) -> str:
    """`country:1` as `c1`."""
    kind, _, number = spot.partition(":")
    return kind[0] + number


# Why not.

_ASKED: Final = {
    CARD: phrase("First choose a card of your hand."),
    PLACE: phrase("Your card is chosen: now choose its place."),
    TURN: phrase("The place is chosen: now choose which way round the card lies."),
    SPOT: phrase("The card is laid: now place a member on it, or none."),
}


def why_not(state: PaysNoirState, picks: Mapping[str, str]) -> Phrase:
    """Say which rule forbids what the seat to act picked, or what it is asked first."""
    kind, value = list(picks.items())[-1]
    if kind == "card":
        return _why_no_named_card(state, value)
    if kind not in _PHASE_OF_KIND:
        return NOT_ALLOWED
    if state.phase != _PHASE_OF_KIND[kind]:
        return _ASKED[state.phase]
    if kind == "place":
        found = _PLACE.fullmatch(value)
        return (_why_no_place(state, (int(found["x"]), int(found["y"]))) if found else None) or NOT_ALLOWED
    if kind == "turn":
        return _wrong_turn(value) if value in ("0", "90", "180", "270") else NOT_ALLOWED
    spots = last_card(state).spots
    return _why_not_there(state, spots.index(value)) if value in spots else NOT_ALLOWED


_PHASE_OF_KIND: Final = {"place": PLACE, "turn": TURN, "spot": SPOT}


def _why_no_named_card(state: PaysNoirState, name: str) -> Phrase:
    """A card of the hand that fits is refused only while another question is asked."""
    ids = [card.id for card in state.deck.cards]
    if name not in ids:
        return NOT_ALLOWED
    card = ids.index(name)
    fits = card in _hand(state) and state.board.fits_somewhere(card)
    return _ASKED[state.phase] if fits or state.phase in (TURN, SPOT) else _why_no_card(state, card)


def _hand(state: PaysNoirState) -> list[int]:
    """The types of the cards that the seat to act holds."""
    return [entry >> 1 for entry in held(state, state.seat)]


def _why_no_card(state: PaysNoirState, card: int) -> Phrase:
    if card not in _hand(state):
        return phrase("You do not hold {card}.", card=state.deck.cards[card].id)
    return phrase("The card {card} fits nowhere.", card=card_name(state.deck.cards[card]))


def _why_no_place(state: PaysNoirState, where: tuple[int, int]) -> Phrase | None:
    numbers = _gap_numbers(state)
    if where in card_places(state.board):
        return phrase("A card lies at {place} already.", place=place_name(where))
    if where not in numbers:
        return phrase("{place} is not next to a card.", place=place_name(where))
    if not state.board.turns_at(state.chosen, numbers[where]):
        return phrase(
            "The card does not fit at {place} whichever way it is turned: edges must match.", place=place_name(where)
        )
    return None


def _wrong_turn(degrees: str) -> Phrase:
    return phrase("Turned by {degrees} the card does not fit there: edges must match.", degrees=degrees)


_MINE_THERE: Final = {
    QUARTER: phrase("You already have a member in this town."),
    TRACK: phrase("You already have a member on this line."),
    PATCH: phrase("You already have a member in this country."),
}


def _why_not_there(state: PaysNoirState, spot: int) -> Phrase:
    node = state.board.base(state.board.laid - 1) + spot
    kind = state.board.kind(node)
    members = state.board.record(node) & MEMBERS
    others = [seat for seat in range(state.players) if (members >> 4 * seat) & 15 and seat != state.seat]
    if not others:
        return _MINE_THERE.get(kind, phrase("You already have a member on this site."))
    seat = seat_name(others[0])
    if kind == QUARTER:
        return phrase("{seat} already has a member in this town.", seat=seat)
    if kind == TRACK:
        return phrase("{seat} already has a member on this line.", seat=seat)
    if kind == PATCH:
        return phrase("{seat} already has a member in this country.", seat=seat)
    return phrase("{seat} already has a member on this site.", seat=seat)


# Choices.


def steps(state: PaysNoirState, action: int) -> list[Step]:
    """The choices that make up an action, from the first to the last."""
    deck = state.deck
    if action < deck.first_discard:
        card = deck.cards[action]
        return [Step(f"card:{card.id}", phrase("Place: {card}", card=card_name(card)))]
    if action < deck.first_turn:
        card = deck.cards[action - deck.first_discard]
        return [
            Step(f"card:{card.id}", phrase("Nothing fits: show the hand and discard: {card}", card=card_name(card)))
        ]
    if action < deck.first_member:
        degrees = 90 * (action - deck.first_turn)
        return [Step(f"turn:{degrees}", way_round(degrees))]
    if action == deck.first_member:
        return [Step("spot:none", phrase("No member"))]
    if action < deck.first_place:
        spot = last_card(state).spots[action - deck.first_member - 1]
        name = last_spot_name(state, spot)
        words = phrase("A member in {spot}", spot=name) if is_country(spot) else phrase("A member on {spot}", spot=name)
        gain = gain_by_member(state, action)
        return [Step(f"spot:{spot}", words, phrase("+{number}", number=gain) if gain > 0 else NOTHING)]
    x, y = gap_places(state.board)[action - deck.first_place]
    where = gap_words(state.board, state.board.laid)[x, y]
    return [Step(f"place:{x},{y}", phrase("Lay it {where}", where=where))]


def last_spot_name(state: PaysNoirState, spot: str) -> Phrase:
    """The name of a spot of the card laid last."""
    turn = state.board.cards[4 * (state.board.laid - 1) + TURNED] % 4
    return spot_name(last_card(state), turn, spot)


def way_round(degrees: int) -> Phrase:
    """Return how a card lies."""
    return phrase("Turned by {degrees}°", degrees=degrees) if degrees else phrase("Not turned")


def spot_name(card: Card, turn: int, spot: str) -> Phrase:
    """The name of a spot of a turned card; if it has several of a kind, with the sides that the spot reaches."""
    kind, _, number = spot.partition(":")
    name = kind_name(spot)
    same = [name for name in card.spots if name.startswith(f"{kind}:")]
    if len(same) == 1:
        return name
    reached = [_sides_of(card, turn, name) for name in same]
    sides = reached[same.index(spot)]
    if sides and reached.count(sides) == 1:
        return phrase("{spot} ({sides})", spot=name, sides=sides)
    return phrase("{spot} no. {number}", spot=name, number=int(number) + 1)


def is_country(spot: str) -> bool:
    """Whether a spot is in a country: a member is in it, and on anything else."""
    return spot.startswith("country")


def kind_name(spot: str) -> Phrase:
    """The kind of a spot: "the mine"."""
    return {
        "quarter": phrase("the quarter"),
        "track": phrase("the track"),
        "mine": phrase("the mine"),
        "factory": phrase("the factory"),
        "port": phrase("the port"),
        "country": phrase("the country"),
    }[spot.partition(":")[0]]


def _sides_of(card: Card, turn: int, spot: str) -> Phrase | None:
    """The sides of a turned card that a spot reaches, `north, west`; none if it reaches none."""
    kind, _, text = spot.partition(":")
    if kind == "quarter":
        sides = list(card.quarters[int(text)].sides)
    elif kind == "country":
        sides = [half // 2 for half in card.patches[int(text)].halves]
    else:
        tracks = [card.tracks[int(text)]] if kind == "track" else [t for t in card.tracks if spot in t.ends]
        sides = [end for track in tracks for end in track.ends if isinstance(end, int)]
    names = [COMPASS[side] for side in sorted({(side + turn) % 4 for side in sides})]
    return listed(names) if names else None

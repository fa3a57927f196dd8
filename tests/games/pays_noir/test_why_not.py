"""Reasons why a card or a member may not be placed, checked by looking at the table."""

from __future__ import annotations

import re
from collections import Counter

from librt.random import Random

from ludotheque.core.choices import refusal
from ludotheque.games.pays_noir.notation import last_card
from ludotheque.games.pays_noir.observation import PaysNoirObservation
from ludotheque.games.pays_noir.rules import PaysNoirState
from tests.games.pays_noir.positions import play, position
from tests.games.why_not import positions, refused
from tests.speeds import few, several

BESIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""North, east, south and west; y counts northwards."""


def edge(seen: PaysNoirObservation, card: str, turn: int, side: int) -> str:
    return seen.edges[card][(side - turn) % 4]


def fits(seen: PaysNoirObservation, card: str, place: tuple[int, int], turn: int) -> bool:
    """Whether all edges of a card match those of the cards beside it."""
    laid = {(other.x, other.y): other for other in seen.cards}
    for side, (x, y) in enumerate(BESIDE):
        other = laid.get((place[0] + x, place[1] + y))
        if other and edge(seen, card, turn, side) != edge(seen, other.card, other.turn, (side + 2) % 4):
            return False
    return True


def places_around(seen: PaysNoirObservation) -> set[tuple[int, int]]:
    """The places of the cards and beside them, and a few beyond."""
    return {(laid.x + x, laid.y + y) for laid in seen.cards for x in (-1, 0, 1) for y in (-1, 0, 1)}


def check_place(seen: PaysNoirObservation, place: tuple[int, int], reason: str) -> str:
    """Check the reason why the chosen card may not lie at a place; return its kind."""
    laid = {(other.x, other.y) for other in seen.cards}
    name = f"({place[0]},{place[1]})"
    if reason == f"A card lies at {name} already.":
        assert place in laid
        return "taken"
    if reason == f"{name} is not next to a card.":
        assert not any((place[0] + x, place[1] + y) in laid for x, y in BESIDE)
        return "apart"
    assert reason == f"The card does not fit at {name} whichever way it is turned: edges must match."
    assert not any(fits(seen, seen.chosen, place, turn) for turn in range(4))
    return "edges"


def check_spot(seen: PaysNoirObservation, spot: int, reason: str) -> str:
    """Check the reason why no member may stand on a spot of the card just laid; return its kind."""
    found = re.fullmatch(r"(You|Seat \d) already ha(?:ve|s) a member [io]n this (town|line|country|site)\.", reason)
    assert found, reason
    group = next(group for group in seen.groups if group.name == seen.cards[-1].groups[spot])
    assert group.members[seen.turn if found[1] == "You" else int(found[1][-1]) - 1]
    assert found[2] == (group.kind if group.kind in ("town", "line", "country") else "site")
    return found[2]


def test_reasons_are_true() -> None:
    kinds: Counter[str] = Counter()
    for seed in [19, *range(several(3, 30))]:  # in game 19 a mine could have stood beside a town
        for state in few(positions("pays-noir", seed, 3), 16):
            assert isinstance(state, PaysNoirState)
            kinds.update(checked_kinds(state))
    assert kinds.keys() >= {"taken", "apart", "edges", "town", "line", "country"}


def checked_kinds(state: PaysNoirState) -> list[str]:
    """Check the reasons why places, spots and cards are refused; return their kinds."""
    seen = state.observation(state.seat)
    if seen.phase == "place":
        told = {place: refusal(state, [f"place:{place[0]},{place[1]}"]) for place in places_around(seen)}
        return [check_place(seen, place, str(reason)) for place, reason in told.items() if reason]
    if seen.phase == "spot":
        spots = {number: refusal(state, [f"spot:{spot}"]) for number, spot in enumerate(last_card(state).spots)}
        return [check_spot(seen, spot, str(reason)) for spot, reason in spots.items() if reason]
    return [check_card(seen, picks[0].partition(":")[2], reason) for picks, reason in refused(state, 0, Random(1))]


def check_card(seen: PaysNoirObservation, card: str, reason: str) -> str:
    """Check the reason why a card of the hand may not be chosen; return its kind."""
    assert reason.endswith("fits nowhere."), reason
    assert seen.phase == "card"
    laid = {(other.x, other.y) for other in seen.cards}
    gaps = {(x + a, y + b) for x, y in laid for a, b in BESIDE} - laid
    assert not any(fits(seen, card, gap, turn) for gap in gaps for turn in range(4))
    return "nowhere"


def test_a_card_that_fits_nowhere_cannot_be_chosen() -> None:
    state = position("cap_slum@0,1,180", "straight heart_bourgeois")  # the town is closed
    reason = str(refusal(state, ["card:heart_bourgeois"]))
    assert check_card(state.observation(0), "heart_bourgeois", reason) == "nowhere"


def test_what_is_asked_later_is_refused_with_what_is_asked_now() -> None:
    state = position(hand="straight curve")
    assert str(refusal(state, ["place:1,0"])) == "First choose a card of your hand."
    play(state, "curve")
    assert str(refusal(state, ["card:straight"])) == "Your card is chosen: now choose its place."
    assert str(refusal(state, ["card:junction"])) == "You do not hold junction."
    play(state, "1,0")
    assert str(refusal(state, ["turn:0"])) == "Turned by 0 the card does not fit there: edges must match."
    assert str(refusal(state, ["spot:track:0"])).startswith("The place is chosen")

"""What a move of Pays noir changes: members that stay or come home, and what the others get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ludotheque.core.phrases import Phrase, phrase, plural
from ludotheque.games.pays_noir.log import awards, describe
from ludotheque.games.pays_noir.observation import Group, PaysNoirObservation
from ludotheque.games.pays_noir.observe import card_places, observe
from ludotheque.games.pays_noir.rules import (
    CARD,
    FOR_COUNTRY,
    FOR_FACTORY,
    FOR_LINE,
    FOR_MINE,
    FOR_PORT,
    FOR_QUARTER,
    FOR_URBANISM,
    SPOT,
    PaysNoirState,
)
from ludotheque.games.pays_noir.scene import group_label

_SITE: Final = phrase("Mine, factory or port")
_THEMES: Final = {
    FOR_LINE: phrase("Railway line"),
    FOR_PORT: _SITE,
    FOR_MINE: _SITE,
    FOR_FACTORY: _SITE,
    FOR_QUARTER: phrase("Town"),
    FOR_URBANISM: phrase("Town"),
    FOR_COUNTRY: phrase("Country"),
}
MEANINGS: Final = {
    "Railway line": phrase("The turn scores a railway line."),
    "Mine, factory or port": phrase("The turn scores a mine, a factory or a port."),
    "Town": phrase("The turn scores in a town."),
    "Country": phrase("The turn scores country."),
    "Member": phrase("Place a member that will score later."),
    "Place": phrase("Placement decides: find the best spot."),
}
"""What the themes of puzzles mean."""


def effects(before: PaysNoirState, action: int, after: PaysNoirState, seat: int) -> list[Phrase]:
    """How many members the seat has left."""
    if before.phase != SPOT:
        return []
    left = after.supply(seat)
    members = plural(left, "{count} member", "{count} members")
    if left > before.supply(seat):
        return [phrase("brings members home: you have {members} to place", members=members)]
    return [phrase("leaves you {members} to place", members=members)]


def forecast(before: PaysNoirState, action: int, after: PaysNoirState, seat: int) -> list[Phrase]:
    """The points that an action gives at once; then how far the towns, lines and sites on the card have grown, or what
    the member would stand on and how many are left."""
    told = describe(before, action, after, seat)
    if before.phase == SPOT and action > before.deck.first_member:
        group = _groups_on_last(before)[action - before.deck.first_member - 1]
        return [*told, _sentence(group_label(group)), _left(after.supply(seat))]
    if after.board.laid > before.board.laid:
        groups = [group for group in dict.fromkeys(_groups_on_last(after)) if group.kind != "country" or group.worth]
        return [*told, *(_sentence(group_label(group)) for group in groups)]
    return [*told, *_room(observe(after, seat))]


def _left(members: int) -> Phrase:
    return plural(members, "You have {count} member left to place.", "You have {count} members left to place.")


def _room(seen: PaysNoirObservation) -> Iterator[Phrase]:
    """Where a chosen card fits, or which ways round at the chosen place."""
    if seen.phase == "place":
        count = len(seen.fits)
        yield plural(count, "It fits at {count} place.", "It fits at {count} places.")
    if seen.phase == "turn" and seen.fits:
        yield plural(len(seen.fits[0].turns), "It fits there in {count} way.", "It fits there in {count} ways.")


def _groups_on_last(state: PaysNoirState) -> list[Group]:
    """By spot of the card laid last: the town, line, site or country that it belongs to."""
    seen = observe(state, state.seat)
    groups = {group.name: group for group in seen.groups}
    return [groups[name] for name in seen.cards[-1].groups]


def _sentence(words: Phrase) -> Phrase:
    return phrase("{words}.", words=words)


def moved_pieces(before: PaysNoirState, action: int, after: PaysNoirState, viewer: int) -> list[str]:
    """The card of the hand that is chosen, the place for it, the card as it is laid, the member on it."""
    if before.is_chance_node():
        return []
    if after.board.laid > before.board.laid:
        return [f"card:{_at(after)}"]
    if before.phase == CARD:
        return _chosen(before, action) if viewer == before.seat else []
    if before.phase == SPOT:
        return [f"member:{_at(before)}"] if action > before.deck.first_member else ["no-member"]
    return ["ghost"]


def _at(state: PaysNoirState) -> str:
    """Where the card laid last is."""
    x, y = card_places(state.board)[-1]
    return f"{x},{y}"


def _chosen(state: PaysNoirState, action: int) -> list[str]:
    """The place of a card in the hand, where it is to be laid or discarded."""
    deck = state.deck
    card = deck.cards[action - deck.first_discard if action >= deck.first_discard else action]
    return [f"hand:{observe(state, state.seat).hands[state.seat].index(card.id)}"]


def themes(before: PaysNoirState, actions: Sequence[int]) -> list[Phrase]:
    """What the turn scores; else the member that it places, or where its card goes."""
    state, found, places_member = before.clone(), dict[str, Phrase](), False
    for action in actions:
        found |= {str(_THEMES[award.reason]): _THEMES[award.reason] for award in awards(state, action)}
        places_member = state.phase == SPOT and action > state.deck.first_member
        state.apply(action)
    if found:
        return list(found.values())
    return [phrase("Member") if places_member else phrase("Place")]

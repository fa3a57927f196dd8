"""Effects of a move of Pays noir: members that stay or come home, and points of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ludotheque.core.events import Event
from ludotheque.core.phrases import Phrase, phrase, plural, points
from ludotheque.games.pays_noir.events import (
    CountryCounted,
    FactoryFinished,
    LineFinished,
    MemberPlaced,
    MineFinished,
    PortCounted,
    QuarterLaid,
    Scored,
    TownClosed,
    TrackFull,
    UrbanismLaid,
    events_without_prospects,
    gain_by_member,
    points_at_once,
)
from ludotheque.games.pays_noir.log import describe, describe_event, reason
from ludotheque.games.pays_noir.observation import Group, PaysNoirObservation
from ludotheque.games.pays_noir.observe import observe
from ludotheque.games.pays_noir.rules import SPOT, PaysNoirState
from ludotheque.games.pays_noir.scene import group_state

_MOST_SENTENCES: Final = 2
"""A forecast is read at a glance."""
_SITE: Final = phrase("Mine, factory or port")
_THEMES: Final[dict[type[Event], Phrase]] = {
    LineFinished: phrase("Railway line"),
    PortCounted: _SITE,
    MineFinished: _SITE,
    FactoryFinished: _SITE,
    QuarterLaid: phrase("Town"),
    UrbanismLaid: phrase("Town"),
}
MEANINGS: Final = {
    "Railway line": phrase("Your turn scores a railway line."),
    "Mine, factory or port": phrase("Your turn scores a mine, a factory or a port."),
    "Town": phrase("Your turn scores in a town."),
    "Country": phrase("The final count pays for country: place a member there in time."),
    "Foothold": phrase("Place a member in country that is worth nothing yet: it may grow, or meet another."),
    "Member": phrase("Place a member that may score later."),
    "Place": phrase("Placement decides: find the best spot."),
}
"""Meanings of the themes of puzzles."""


def effects(before: PaysNoirState, action: int, after: PaysNoirState, seat: int) -> list[Phrase]:
    """Say how many members the seat has left."""
    if before.phase != SPOT:
        return []
    left = after.supply(seat)
    members = plural(left, "{count} member", "{count} members")
    if left > before.supply(seat):
        return [phrase("brings members home: you have {members} to place", members=members)]
    return [phrase("leaves you {members} to place", members=members)]


def forecast(before: PaysNoirState, action: int, after: PaysNoirState, seat: int) -> list[Phrase]:
    """The reasons of the points that an action gives at once, of a card those of the turn; then what a member would
    bring, and how far the towns, lines and sites have grown. No more than can be read at a glance."""
    if before.phase == SPOT:
        reasons = [*_reasons(before, action)]
        if action == before.deck.first_member:
            return reasons[:_MOST_SENTENCES]
        group = _groups_on_last(before)[action - before.deck.first_member - 1]
        return [*(reasons or [_sentence(group_state(group))])[: _MOST_SENTENCES - 1], _left(after.supply(seat))]
    if after.board.laid > before.board.laid:
        reasons = [*_reasons(*_ending(before, action, after))]
        told = [*reasons, *_with_member(after)]
        return (told if reasons else [*told, *_growth(after, seat)])[:_MOST_SENTENCES]
    return [*describe(before, action, after, seat), *_room(observe(after, seat))]


def expected_gains(before: PaysNoirState, action: int, after: PaysNoirState, seat: int) -> list[int]:
    """The points of each seat at once, of a card those of the turn without a member."""
    if before.phase != SPOT and after.board.laid == before.board.laid:
        return []
    return points_at_once(*_ending(before, action, after))


def _ending(before: PaysNoirState, action: int, after: PaysNoirState) -> tuple[PaysNoirState, int]:
    """The decision that ends the turn: the one for no member if that is still asked for, otherwise the action."""
    return (after, after.deck.first_member) if after.phase == SPOT else (before, action)


def _reasons(before: PaysNoirState, action: int) -> Iterator[Phrase]:
    """Say that the game ends, what points are given for, and that a town is closed."""
    found = [event for event in _events(before, action) if not (isinstance(event, Scored) and _is_final(event))]
    for event in found:
        if isinstance(event, TrackFull):
            yield from describe_event(event)
    reasons = [_sentence(reason(event)) for event in found if isinstance(event, Scored)]
    yield from {str(words): words for words in reasons}.values()
    if any(isinstance(event, TownClosed) for event in found):
        yield phrase("A town is closed.")


def _with_member(laid: PaysNoirState) -> Iterator[Phrase]:
    """Say how many points more a member on the card just laid would bring at once."""
    if laid.phase != SPOT:
        return
    members = [action for action in laid.legal_actions() if action > laid.deck.first_member]
    most = max([gain_by_member(laid, action) for action in members], default=0)
    if most > 0:
        yield phrase("A member would bring up to {points}.", points=points(most))


def _growth(laid: PaysNoirState, seat: int) -> Iterator[Phrase]:
    """Say how far what lies on the last card has grown: first what the seat has a member on, countries last."""
    groups = dict.fromkeys(_groups_on_last(laid))
    told = [group for group in groups if group.kind != "country" or group.worth]
    for group in sorted(told, key=lambda group: (group.kind == "country", -group.members[seat], -group.size)):
        yield _sentence(group_state(group))


def _events(before: PaysNoirState, action: int) -> Sequence[Event]:
    after = before.clone()
    after.apply(action)
    return events_without_prospects(before, action, after)


def _is_final(event: Scored) -> bool:
    """Whether an event belongs to the final count."""
    return isinstance(event, CountryCounted) or (isinstance(event, PortCounted) and not event.finished)


def _left(members: int) -> Phrase:
    return plural(members, "You have {count} member left to place.", "You have {count} members left to place.")


def _room(seen: PaysNoirObservation) -> Iterator[Phrase]:
    """Say where a chosen card fits, or which ways round at the chosen place."""
    if seen.phase == "place":
        count = len(seen.fits)
        yield plural(count, "It fits at {count} place.", "It fits at {count} places.")
    if seen.phase == "turn" and seen.fits:
        yield plural(len(seen.fits[0].turns), "It fits there in {count} way.", "It fits there in {count} ways.")


def _groups_on_last(state: PaysNoirState) -> list[Group]:
    """Return the town, line, site or country of each spot of the card laid last."""
    seen = observe(state, state.seat)
    groups = {group.name: group for group in seen.groups}
    return [groups[name] for name in seen.cards[-1].groups]


def _sentence(words: Phrase) -> Phrase:
    return phrase("{words}.", words=words)


def themes(before: PaysNoirState, actions: Sequence[int]) -> list[Phrase]:
    """Name what the turn scores for its seat; else the member that it places, or where its card goes."""
    seat, found, otherwise = int(before.seat), dict[str, Phrase](), phrase("Place")
    for action in actions:
        after = before.clone()
        after.apply(action)
        last, *followed = events_without_prospects(before, action, after)
        otherwise = _member_theme(before, action) if isinstance(last, MemberPlaced) else phrase("Place")
        scored = [event for event in followed if isinstance(event, Scored) and seat in event.seats]
        named = [_THEMES[type(event)] for event in scored if type(event) in _THEMES]
        found |= {str(theme): theme for theme in named}
        before = after
    return list(found.values()) or [otherwise]


def _member_theme(before: PaysNoirState, action: int) -> Phrase:
    """A member in a country that has something or not yet, or elsewhere."""
    group = _groups_on_last(before)[action - before.deck.first_member - 1]
    if group.kind != "country":
        return phrase("Member")
    return phrase("Country") if group.worth else phrase("Foothold")

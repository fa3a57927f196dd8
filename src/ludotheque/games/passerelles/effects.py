"""Effects of a move of Passerelles, for hints, previews and puzzles: heights, squares covered, areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ludotheque.core.earnings import totals
from ludotheque.core.events import all_earnings
from ludotheque.core.phrases import Phrase, phrase, plural, seat_name
from ludotheque.games.passerelles.events import Laid, RoundOver, events
from ludotheque.games.passerelles.log import describe_event
from ludotheque.games.passerelles.rules import PasserellesState

MEANINGS: Final = {
    "Bridge": phrase("Lay a piece over others."),
    "Cut": phrase("Take squares from the other player."),
    "Enclose": phrase("Enclose more squares at once."),
    "Prepare": phrase("Nothing scores yet: plan ahead."),
    "Pass": phrase("Decide whether to lay a neutral piece."),
}
"""Meanings of the themes of puzzles."""


def effects(before: PasserellesState, action: int, after: PasserellesState, seat: int) -> list[Phrase]:
    """The height of a bridge and the squares of the other player that it covers."""
    laid = events(before, action, after)[0]
    if not isinstance(laid, Laid) or not laid.height:
        return []
    covered = _squares(laid.covered)
    return [
        phrase(
            "bridges at height {height} and covers {squares} of the other player", height=laid.height, squares=covered
        )
    ]


def forecast(before: PasserellesState, action: int, after: PasserellesState, seat: int) -> list[Phrase]:
    """Say whose areas would change, the seat's first; for other actions, what the log would say."""
    found = events(before, action, after)
    if not isinstance(found[0], Laid) or any(isinstance(event, RoundOver) for event in found):
        return [line for event in found for line in describe_event(event)]
    now, change, other = after.score_now(), totals(all_earnings(found), 2), 1 - seat
    if not any(change):
        return [phrase("No area would change.") if any(now) else phrase("It would enclose nothing yet.")]
    told = {
        seat: phrase("You would enclose {now}", now=_squares(now[seat])),
        other: phrase("{other} would enclose {now}", other=seat_name(other), now=_squares(now[other])),
    }
    return [_encloses(what, change[owner]) for owner, what in told.items() if change[owner]]


def _encloses(what: Phrase, change: int) -> Phrase:
    if change > 0:
        return phrase("{what}, {count} more than now.", what=what, count=change)
    return phrase("{what}, {count} fewer than now.", what=what, count=-change)


def _squares(count: int) -> Phrase:
    return plural(count, "{count} square", "{count} squares")


def themes(before: PasserellesState, actions: Sequence[int]) -> list[Phrase]:
    """A bridge, a cut through the other's areas, larger areas of the seat."""
    after = before.clone()
    after.apply(actions[0])
    found = events(before, actions[0], after)
    laid, change = found[0], totals(all_earnings(found), 2)
    if not isinstance(laid, Laid):
        return [phrase("Pass")]
    named = [phrase("Bridge")] if laid.height else []
    if change[1 - laid.seat] < 0:
        named.append(phrase("Cut"))
    if change[laid.seat] > 0:
        named.append(phrase("Enclose"))
    return named or [phrase("Prepare")]

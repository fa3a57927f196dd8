"""What a move of Passerelles changes: how high a piece lies, and what it bridges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ludotheque.core.phrases import Phrase, counted, phrase, seat_name
from ludotheque.games.passerelles.board import PASS
from ludotheque.games.passerelles.log import describe
from ludotheque.games.passerelles.observation import OWNER_LETTERS, PasserellesObservation
from ludotheque.games.passerelles.observe import observe
from ludotheque.games.passerelles.rules import PasserellesState

MEANINGS: Final = {
    "Bridge": phrase("Lay a piece over others."),
    "Cut": phrase("Take squares from the other player."),
    "Enclose": phrase("Enclose more squares at once."),
    "Prepare": phrase("Nothing scores yet: plan ahead."),
    "Pass": phrase("Decide whether to lay a neutral piece."),
}
"""What the themes of puzzles mean."""


def effects(before: PasserellesState, action: int, after: PasserellesState, seat: int) -> list[Phrase]:
    """The height of a bridge and the squares of the other player that it covers."""
    if action == PASS or before.laying or after.round != before.round:
        return []
    was, now = observe(before, seat), observe(after, seat)
    piece = now.pieces[-1]
    if not piece.height:
        return []
    covered = sum(_owner(was, square) == 1 - seat for square in piece.squares)
    return [
        phrase(
            "bridges at height {height} and covers {squares} of the other player",
            height=piece.height,
            squares=_squares(covered),
        )
    ]


def forecast(before: PasserellesState, action: int, after: PasserellesState, seat: int) -> list[Phrase]:
    """What both players would enclose, the seat first; for other actions, what the log would say."""
    if action == PASS or before.laying or after.round != before.round or after.is_terminal():
        return describe(before, action, after, seat)
    was, now = before.score_now(), after.score_now()
    return [
        _encloses(phrase("You would enclose {now}", now=_squares(now[seat])), now[seat] - was[seat]),
        _encloses(
            phrase("{other} would enclose {now}", other=seat_name(1 - seat), now=_squares(now[1 - seat])),
            now[1 - seat] - was[1 - seat],
        ),
    ]


def _encloses(what: Phrase, change: int) -> Phrase:
    if change == 0:
        return phrase("{what}, as before.", what=what)
    if change > 0:
        return phrase("{what}, {count} more than now.", what=what, count=change)
    return phrase("{what}, {count} fewer than now.", what=what, count=-change)


def _squares(count: int) -> Phrase:
    return counted(count, phrase("1 square"), phrase("{count} squares", count=count))


def moved_pieces(before: PasserellesState, action: int, after: PasserellesState, viewer: int) -> list[str]:
    """The piece that is laid, with its height."""
    if action == PASS or after.round != before.round:
        return []
    pieces = observe(after, viewer).pieces
    laid = pieces[-1]
    copies = sum(piece.owner == laid.owner and len(piece.squares) == len(laid.squares) for piece in pieces)
    name = f"{OWNER_LETTERS[laid.owner]}{len(laid.squares)}.{copies}"
    return [f"piece:{name}", f"height:{name}"]


def themes(before: PasserellesState, actions: Sequence[int]) -> list[Phrase]:
    """A bridge, a cut through the other's area, an area of one's own."""
    action = actions[0]
    if action == PASS or before.laying:
        return [phrase("Pass")]
    seat, after = before.player, before.clone()
    after.apply(action)
    found = []
    if after.round == before.round and observe(after, seat).pieces[-1].height:
        found.append(phrase("Bridge"))
    was, now = before.score_now(), after.score_now()
    if now[1 - seat] < was[1 - seat]:
        found.append(phrase("Cut"))
    if now[seat] > was[seat]:
        found.append(phrase("Enclose"))
    return found or [phrase("Prepare")]


def _owner(seen: PasserellesObservation, square: int) -> int:
    """Whose piece is on top of a square; -1 where it is bare."""
    top = seen.tops[square]
    return -1 if top < 0 else seen.pieces[top].owner

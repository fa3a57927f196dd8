"""Passerelles in text: moves and choices.

5h C4     place a piece of length 5 across, its first square on C4 (columns A-K from the left, rows 1-10 from the top)
3v D2     the same down; whether it lies flat or is a bridge, and how high, follows from the position
1h E5     a neutral piece of length 1, which has one direction
pass      place nothing
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from ludotheque.core.errors import AmbiguousMove, IllegalMove, UnreadableMove
from ludotheque.core.game_words import NOT_ALLOWED
from ludotheque.core.phrases import Phrase, Step, phrase, plural
from ludotheque.games.passerelles import board
from ludotheque.games.passerelles.board import NEUTRAL, PASS, SQUARES
from ludotheque.games.passerelles.observation import placement_name, square_name
from ludotheque.games.passerelles.rules import PasserellesState, owner_of, placement_of

_PLACE: Final = re.compile(
    r"(?P<length>[1-5]) ?(?P<direction>h|v|across|down|horizontal|vertical)? ?(?P<square>[a-k](?:10|[1-9]))"
)
_TURNS: Final = ("h", "v")
_DOWN: Final = ("v", "down", "vertical")
_SQUARES: Final = {square_name(square).lower(): square for square in range(SQUARES)}

# Moves.


def action_to_string(state: PasserellesState, action: int) -> str:
    """The notation of a legal action or a chance outcome."""
    return "pass" if action == PASS else placement_name(action)


def string_to_action(state: PasserellesState, text: str) -> int:
    """Parse a legal action or a chance outcome; a `MoveError` says why it cannot be played."""
    words = " ".join(text.lower().split())
    if state.is_terminal():
        raise IllegalMove(phrase("The game is over."))
    if words and "pass".startswith(words):
        return _checked(state, PASS, _MUST_PLACE)
    found = _PLACE.fullmatch(words)
    if not found:
        example = action_to_string(state, state.legal_actions()[0])
        raise UnreadableMove(
            phrase("{words} is not a move; write it like {example}.", words=repr(text[:40]), example=repr(example))
        )
    if found["direction"] or found["length"] == "1":
        placement = read_placement(words)
        assert placement is not None
        return _checked(state, placement, why_no_placement(state, _mover(state), placement))
    return _only_placement(state, int(found["length"]), _SQUARES[found["square"]])


def read_placement(text: str) -> int | None:
    """The placement that a text such as `5h C4` names, on the board or not; None if it names none."""
    found = _PLACE.fullmatch(" ".join(text.lower().split()))
    if not found or not (found["direction"] or found["length"] == "1"):
        return None
    length, square = int(found["length"]), found["square"]
    down = found["direction"] in _DOWN
    if length == 1 and down:
        raise UnreadableMove(
            phrase(
                "A piece of length 1 has one direction; write it like {example}.", example=repr(f"1h {square.upper()}")
            )
        )
    return SQUARES * board.kind_of(length, down) + _SQUARES[square]


def _mover(state: PasserellesState) -> int:
    """Return the owner of the piece that is placed now."""
    return NEUTRAL if state.laying else state.player


def _checked(state: PasserellesState, action: int, reason: Phrase | None) -> int:
    if action not in state.legal_actions():
        assert reason is not None, "a rule forbids it"
        raise IllegalMove(reason)
    return action


def _only_placement(state: PasserellesState, length: int, square: int) -> int:
    """Without a direction, the move is named if only one direction is legal."""
    across, down = _both_ways(length, square)
    legal = [placement for placement in (across, down) if placement in state.legal_actions()]
    if len(legal) == 2:
        names = (repr(placement_name(placement)) for placement in legal)
        raise AmbiguousMove(phrase("Across or down: {moves}?", moves=", ".join(names)))
    if not legal:
        raise IllegalMove(_why_neither(state, across, down))
    return legal[0]


# Why not.


def why_not(state: PasserellesState, picks: Mapping[str, str]) -> Phrase:
    """Say which rule forbids what the seat to act picked: a piece, its direction and its first square, or a pass."""
    if "pass" in picks:
        return phrase("Place a piece or pass, not both.") if len(picks) > 1 else _MUST_PLACE
    if not picks.keys() & {"piece", "turn", "cell"}:
        return NOT_ALLOWED
    lengths = [length for length in range(1, board.LONGEST + 1) if picks.get("piece", str(length)) == str(length)]
    square = _SQUARES.get(picks.get("cell", "").lower())
    if not lengths or picks.get("turn", "h") not in _TURNS or ("cell" in picks and square is None):
        return NOT_ALLOWED
    held = [length for length in lengths if state.held(_mover(state), length)]
    if not held:
        return _none_left(_mover(state), lengths[0])
    if held[-1] == 1 and "turn" in picks:
        return phrase("A piece of length 1 has one direction.")
    return _why_not_there(state, held, picks.get("turn", ""), square)


def _why_not_there(state: PasserellesState, held: Sequence[int], turn: str, square: int | None) -> Phrase:
    """Say why none of the pieces of these lengths, which are left, may be placed; anywhere if no square is given."""
    length = next(length for length in held if length > 1 or not turn)
    if square is None:
        return _why_nowhere(length, turn)
    across, down = _both_ways(length, square)
    if turn or length == 1:
        reason = why_no_placement(state, _mover(state), down if turn == "v" else across)
        assert reason is not None, "a rule forbids it"
    else:
        reason = _why_neither(state, across, down)
    return reason if len(held) == 1 else phrase("Not even the shortest piece fits. {reason}", reason=reason)


def _why_nowhere(length: int, turn: str) -> Phrase:
    if turn == "h":
        return phrase("Across, no such piece fits anywhere.")
    if turn == "v":
        return phrase("Down, no such piece fits anywhere.")
    return phrase("Pieces of length {length} fit nowhere.", length=length)


def _both_ways(length: int, square: int) -> tuple[int, int]:
    """The placements of a piece across and down."""
    return SQUARES * board.kind_of(length, False) + square, SQUARES * board.kind_of(length, True) + square


def _why_neither(state: PasserellesState, across: int, down: int) -> Phrase:
    """Say why a piece may lie neither across nor down."""
    why, why_down = (why_no_placement(state, _mover(state), placement) for placement in (across, down))
    assert why is not None, "a rule forbids it across"
    assert why_down is not None, "a rule forbids it down"
    return why if why == why_down else phrase("Across: {why} Down: {why_down}", why=why, why_down=why_down)


def _none_left(owner: int, length: int) -> Phrase:
    if owner == NEUTRAL:
        return phrase("No neutral piece of length {length} is left.", length=length)
    return phrase("No piece of yours of length {length} is left.", length=length)


_MUST_PLACE: Final = phrase("You can place a piece, so you must.")


def why_no_placement(state: PasserellesState, owner: int, placement: int) -> Phrase | None:
    """The first rule that forbids a placement, as a sentence to its owner; none if the owner may place it."""
    squares = board.squares_of(placement)
    if not squares:
        return phrase("It would reach beyond the edge of the board.")
    if not state.held(owner, len(squares)):
        return _none_left(owner, len(squares))
    heights = [state.height(square) for square in squares]
    if max(heights) < 0:
        return None
    if owner == NEUTRAL:
        covered = next(square for square, height in zip(squares, heights, strict=True) if height >= 0)
        return phrase("Neutral pieces are laid flat, and {square} is covered.", square=square_name(covered))
    return _why_no_ends(squares, heights) or _why_no_supports(state, owner, squares, heights)


def _why_no_ends(squares: list[int], heights: list[int]) -> Phrase | None:
    first, last = square_name(squares[0]), square_name(squares[-1])
    if heights[0] != heights[-1] and -1 in (heights[0], heights[-1]):
        bare, covered = (first, last) if heights[0] == -1 else (last, first)
        return phrase(
            "One end would lie on the bare board at {bare}, the other on a piece at {covered}.",
            bare=bare,
            covered=covered,
        )
    if heights[0] != heights[-1]:
        return phrase(
            "The ends would rest at different heights: {low} at {first}, {high} at {last}.",
            low=heights[0], first=first, high=heights[-1], last=last,
        )  # fmt: skip
    between = next((square for square, height in zip(squares, heights, strict=True) if height > heights[0]), None)
    if between is not None and heights[0] == -1:
        covered = square_name(between)
        return phrase("{square} between the ends is covered: a flat piece needs empty squares.", square=covered)
    if between is not None:
        return phrase("A higher piece is in the way at {square}.", square=square_name(between))
    return None


def _why_no_supports(state: PasserellesState, owner: int, squares: list[int], heights: list[int]) -> Phrase | None:
    pieces = state.laid_pieces()
    supports = [state.tops[square] for square, height in zip(squares, heights, strict=True) if height == heights[0]]
    for support in supports:
        if supports.count(support) > 1:
            below = board.squares_of(placement_of(pieces[support]))
            count = supports.count(support)
            return plural(
                count,
                "It would rest on {count} square of the piece from {first} to {last}; one is allowed.",
                "It would rest on {count} squares of the piece from {first} to {last}; one is allowed.",
                first=square_name(below[0]),
                last=square_name(below[-1]),
            )
    owners = {owner_of(pieces[support]) for support in supports}
    if owner in owners or owners == {NEUTRAL}:
        return None
    return phrase("It would rest on the other player's piece and on none of yours.")


# Choices.


def steps(state: PasserellesState, action: int) -> Sequence[Step]:
    """The piece, its direction, its first square."""
    if action == PASS:
        return _PASS
    kind, first = divmod(action, SQUARES)
    return _placement(kind, first, state.height(first) + 1)


@cache
def _placement(kind: int, first: int, height: int) -> tuple[Step, ...]:
    length = board.length_of(kind)
    if length == 1:
        return _take(length), _lay(first, height)
    return _take(length), _DOWNWARDS if board.step_of(kind) == board.DOWN else _ACROSS, _lay(first, height)


_PASS: Final = (Step("pass", phrase("Pass")),)
_ACROSS: Final = Step("turn:h", phrase("across"))
_DOWNWARDS: Final = Step("turn:v", phrase("down"))


@cache
def _take(length: int) -> Step:
    return Step(f"piece:{length}", phrase("piece of length {length}", length=length))


@cache
def _lay(first: int, height: int) -> Step:
    square = square_name(first)
    if height:
        return Step(f"cell:{square}", phrase("{square}, at height {height}", square=square, height=height))
    return Step(f"cell:{square}", phrase("{square}", square=square))

"""Hand-made positions: pieces as `B5hC4` (blue, length 5, across, from C4), laid one after the other."""

from __future__ import annotations

from ludotheque.games.passerelles import Passerelles, board
from ludotheque.games.passerelles.notation import read_placement, why_no_placement
from ludotheque.games.passerelles.observation import OWNER_LETTERS
from ludotheque.games.passerelles.rules import PasserellesState
from tests.games.passerelles.reference import Square


def placement(text: str) -> int:
    """The number of a placement such as `5hC4`."""
    found = read_placement(text)
    assert found is not None
    return found


def lay(state: PasserellesState, pieces: str) -> None:
    """Lay pieces of whatever owner, each as the rules allow, without turns."""
    for piece in pieces.split():
        owner = OWNER_LETTERS.index(piece[0])
        assert not why_no_placement(state, owner, placement(piece[1:])), piece
        state.lay(owner, placement(piece[1:]))


def table(pieces: str = "", to_move: str = "B", **options: object) -> PasserellesState:
    """A position of a round with these pieces; neutral ones make up the landscape."""
    neutral = [piece[1:] for piece in pieces.split() if piece[0] == "N"]
    if neutral:
        options["landscape_file"] = {"pieces": neutral}
    state = Passerelles(settings=options).new_initial_state()
    lay(state, " ".join(piece for piece in pieces.split() if piece[0] != "N"))
    state.resume(OWNER_LETTERS.index(to_move), False, 0)
    return state


def may(state: PasserellesState, piece: str) -> bool:
    """Whether the owner of a piece such as `B5hC4`, which must be left to them, may place it if it is their turn."""
    copy, owner = state.clone(), OWNER_LETTERS.index(piece[0])
    assert copy.held(owner, int(piece[1])), f"{piece} is used up"
    copy.resume(owner, False, 0)
    return placement(piece[1:]) in copy.legal_actions()


def heights(state: PasserellesState) -> list[int]:
    """The heights of the pieces in the order laid."""
    return [piece >> 10 & 15 for piece in state.laid_pieces()]


def play(state: PasserellesState, moves: str) -> None:
    """Play moves with a comma between, `5h C4, 3v D2, pass`."""
    for move in moves.split(","):
        state.apply_action(state.string_to_action(move))


def square(number: int) -> Square:
    """Column and row, as the slow model counts."""
    row, column = divmod(number, board.COLUMNS)
    return column, row

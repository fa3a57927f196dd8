"""Hand-made positions of Cable Car."""

from __future__ import annotations

from collections.abc import Mapping

from ludotheque.games.cable_car import CableCar, board
from ludotheque.games.cable_car.notation import string_to_action
from ludotheque.games.cable_car.observation import CableCarObservation
from ludotheque.games.cable_car.observe import observe
from ludotheque.games.cable_car.rules import BLOCK, CableCarState


def game(players: int = 2, **options: object) -> CableCar:
    return CableCar(players, options)


def position(
    tiles: Mapping[str, str] | None = None, *, turn: str = "1", hands: str = "", players: int = 2, **options: object
) -> CableCarState:
    """A position with these tiles (cell: tile) on the board, the hands given seat by seat (`aaaa|bbbb`)."""
    tiles = tiles or {}
    rows = []
    for row in range(8):
        words = ""
        for column, letter in enumerate("ABCDEFGH"):
            words += "#" if (row, column) not in board.CELL_AT else tiles.get(f"{letter}{row + 1}", "1")
        rows.append(words)
    last = list(tiles)[-1] if tiles else "-"
    hands = hands or "|".join(["acba", "baac", "cbaa", "aacb", "bcbc", "cbcb"][:players])
    shares, swaps = "-", "-"
    if options.get("companies"):
        shares, swaps = "/".join([_dealt_shares(players)] * 4), ",".join(["0"] * players)
    return game(players, **options).read_position(f"{'/'.join(rows)} {last} {turn} {hands} {shares} {swaps}")


def _dealt_shares(players: int) -> str:
    letters = "YBOGPKRN"
    hands = ",".join(f"{letters[seat]}{seat + 1}" for seat in range(players))
    return f"{hands}:{letters[players]}*:-:{letters[players + 1 :]}"


def play(state: CableCarState, *moves: str) -> CableCarState:
    """Carry out moves and draws, by their names."""
    for move in moves:
        state.apply_action(string_to_action(state, move))
    return state


def seen(state: CableCarState, viewer: int) -> CableCarObservation:
    return observe(state, viewer)


def legal(state: CableCarState) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def cells_of(state: CableCarState, tile: str) -> set[str]:
    """Where the tile may be placed."""
    return {move.split()[1] for move in legal(state) if move.split()[0] == tile}


def give_share(state: CableCarState, seat: int, percent: int, colour: str) -> None:
    """Let a seat hold a share, whatever else there is: for counting only."""
    state.shares[BLOCK * (percent // 10 - 1) + seat] = board.COLOURS.index(colour)

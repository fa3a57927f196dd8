"""Landscapes, the neutral pieces that lie on the board before a round: those of `board.toml`, or from a user's file.

A landscape, in either, is a list of pieces written as moves:

    pieces = ["3h D3", "2v G6", "1h E5"]
"""

from __future__ import annotations

from typing import Any, Final

from ludotheque.core.errors import BadOption, MoveError
from ludotheque.core.options import OptionValue
from ludotheque.games.passerelles import board
from ludotheque.games.passerelles.notation import read_placement
from ludotheque.games.passerelles.observation import placement_name, square_name

NONE: Final = "none"
NAMES: Final = tuple(board.FACTS["landscapes"])
NEUTRAL_SUPPLY: Final = {int(length): copies for length, copies in board.FACTS["pieces"]["neutral"].items()}


def read_settings(name: OptionValue, document: OptionValue) -> list[int]:
    """The placements of the neutral pieces by the options landscape and landscape_file; only one may be set."""
    if isinstance(document, dict):
        if name != NONE:
            raise BadOption("Give either landscape or landscape_file, not both.")
        return read_landscape(document)
    return read_landscape(board.FACTS["landscapes"][name]) if name in NAMES else []


def read_landscape(document: dict[str, Any]) -> list[int]:
    """The placements of a landscape; BadOption says what is wrong with it."""
    unknown = [key for key in document if key not in ("name", "pieces")]
    if unknown:
        raise BadOption(f"A landscape has a name and pieces, but no {str(unknown[0])[:40]!r}.")
    pieces = document.get("pieces")
    if not isinstance(pieces, list):
        raise BadOption("A landscape must have a list of pieces, such as ['3h D3', '1h E5'].")
    placements = [_read_piece(piece) for piece in pieces]
    _check_supply(placements)
    _check_overlap(placements)
    return placements


def _read_piece(piece: object) -> int:
    if not isinstance(piece, str):
        raise BadOption(f"A piece of a landscape is written like '3h D3', not {str(piece)[:40]!r}.")
    try:
        placement = read_placement(piece)
    except MoveError as error:
        raise BadOption(str(error)) from error
    if placement is None:
        raise BadOption(f"A piece of a landscape is written like '3h D3', not {piece[:40]!r}.")
    if not board.squares_of(placement):
        raise BadOption(f"{placement_name(placement)} of the landscape does not fit on the board.")
    return placement


def _check_supply(placements: list[int]) -> None:
    lengths = [len(board.squares_of(placement)) for placement in placements]
    for length in lengths:
        copies = NEUTRAL_SUPPLY.get(length, 0)
        if lengths.count(length) > copies:
            raise BadOption(
                f"The landscape has {lengths.count(length)} pieces of length {length}; there are {copies} neutral ones."
            )


def _check_overlap(placements: list[int]) -> None:
    lies: dict[int, int] = {}
    for placement in placements:
        for square in board.squares_of(placement):
            if square in lies:
                one, two = placement_name(lies[square]), placement_name(placement)
                raise BadOption(f"{one} and {two} of the landscape both lie on {square_name(square)}.")
            lies[square] = placement

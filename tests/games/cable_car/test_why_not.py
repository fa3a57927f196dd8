"""Reasons why a tile may not be placed, checked by looking at the board."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from librt.random import Random

from ludotheque.core.choices import refusal
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.observation import cell_name
from ludotheque.games.cable_car.rules import DRAW, CableCarState
from tests.games.cable_car.positions import play, position
from tests.games.why_not import positions, refused
from tests.speeds import several

OPTIONS: list[dict[str, object]] = [{}, {"rotation": True, "hand": 3}, {"companies": True}]
CELLS = {cell_name(cell): cell for cell in range(board.CELLS)}


def laid(state: CableCarState) -> set[str]:
    tiles = state.observation(0).tiles
    return {name for name, cell in CELLS.items() if tiles[cell]}


def is_within_reach(state: CableCarState, name: str) -> bool:
    """Whether a cell is at the edge of the board, or a tile lies beside it."""
    column, row = "ABCDEFGH".index(name[0]), int(name[1]) - 1
    beside = {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
    if any(not (0 <= x < 8 and 0 <= y < 8) for x, y in beside):
        return True
    return bool({f"{'ABCDEFGH'[x]}{y + 1}" for x, y in beside} & laid(state))


def makes_short_line(state: CableCarState, tile: int, turn: int, cell: int) -> bool:
    """Whether a tile would end a line that runs over it alone."""
    after = state.clone()
    after.lay(256 * tile + 64 * turn + cell)
    new = zip(state.stretches[board.DEPARTURES :], after.stretches[board.DEPARTURES :], strict=True)
    lines = list(new)[: board.STATIONS]
    return any(line != before and line >> 9 == 1 and line & 511 >= board.ARRIVALS for before, line in lines)


def check_short_lines(state: CableCarState, picks: Mapping[str, str]) -> None:
    """Each tile in question makes a line of one tile there, in each turn in question, and is legal elsewhere."""
    held = [tile for tile in range(board.TYPES) if board.COPIES[tile] & state.tiles_to_place()]
    for tile in [board.TYPE_OF_CODE[picks["tile"]]] if "tile" in picks else held:
        turns = range(board.TURNS[tile]) if state.rotation else [0]
        for turn in [int(picks["turn"]) // 90] if "turn" in picks else turns:
            assert turn not in turns or makes_short_line(state, tile, turn, CELLS[picks["cell"]])
        assert any(action < DRAW and action >> 8 == tile for action in state.legal_actions())


def check(state: CableCarState, picks: Mapping[str, str], reason: str) -> str:
    """Check a reason; return its kind."""
    if found := re.fullmatch(r"(..) is neither at the edge nor next to a tile\.", reason):
        assert found[1] == picks["cell"]
        assert not is_within_reach(state, found[1])
        return "reach"
    if found := re.fullmatch(r"On (..) (the|each of your) tiles? would make a line of one tile, .*", reason):
        assert found[1] == picks["cell"]
        check_short_lines(state, picks)
        return "short"
    if reason == "The tile looks the same when it is turned less.":
        tile, turn = board.TYPE_OF_CODE[picks["tile"]], int(picks["turn"]) // 90
        assert any(board.TRACKS[256 * tile + 64 * less] == board.TRACKS[256 * tile + 64 * turn] for less in range(turn))
        return "turn"
    if reason == "Turned this way, the tile would make a line of one tile everywhere.":
        for name in set(CELLS) - laid(state):
            assert not is_within_reach(state, name) or makes_short_line(
                state, board.TYPE_OF_CODE[picks["tile"]], int(picks["turn"]) // 90, CELLS[name]
            )
        return "turn"
    if reason.endswith("one of these at a time."):
        assert len({kind in ("draw", "swap", "open", "hidden") for kind in picks}) == 2 or "draw" in picks
        return "conflict"
    if reason == "You must place the tile you have drawn.":
        assert picks["tile"] != state.observation(state.seat).drawn
        return "drawn"
    if reason == "You have no tile to place.":
        assert not state.observation(state.seat).hands[state.seat]
        return "no tile"
    if reason == "You have drawn already: place that tile.":
        assert "draw" in picks
        assert state.observation(state.seat).drawn
        return "drawn"
    if reason == "The pile is empty.":
        assert "draw" in picks
        assert not state.observation(0).pile
        return "pile"
    return check_swap(state, picks, reason)


def check_swap(state: CableCarState, picks: Mapping[str, str], reason: str) -> str:
    assert picks.keys() & {"swap", "open", "hidden"}
    seen = state.observation(state.seat)
    if reason == "You have drawn a tile: place it.":
        assert seen.drawn
    elif reason == "Swapping is closed: a company has 25 points.":
        assert max(seen.points) >= 25
    elif reason == "A share is swapped for one other share of the same size.":
        sizes = {picks[kind] for kind in ("swap", "open", "hidden") if kind in picks}
        assert len(sizes) > 1 or {"open", "hidden"} <= picks.keys()
    else:
        assert reason == "Everyone has swapped for 3 turns: you must place a tile."
        assert min(seen.swap_runs) == 3
    return "swap"


@pytest.mark.parametrize("options", OPTIONS)
def test_reasons_are_true(options: Mapping[str, object]) -> None:
    kinds = set()
    for seed in range(several(2, 20)):
        for state in positions("cable-car", seed, 4, options):
            assert isinstance(state, CableCarState)
            for keys, reason in refused(state, 6, Random(seed)):
                kinds.add(check(state, dict(key.partition(":")[::2] for key in keys), reason))
    assert kinds >= {"reach", "short"}


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["cell:A1"], "On A1 the tile would make a line of one tile, and it fits elsewhere."),
        (["tile:bbbb", "cell:A1"], "You do not hold bbbb."),
        (["tile:cccc", "cell:C3"], "C3 is neither at the edge nor next to a tile."),
        (["cell:C3"], "C3 is neither at the edge nor next to a tile."),
        (["cell:B1"], "B1 is taken."),
        (["cell:C3", "cell:B1"], "B1 is taken."),
        (["swap:10"], "Shares are swapped only in The Companies."),
    ],
)
def test_a_place_gets_the_first_rule_that_forbids_it(steps: list[str], reason: str) -> None:
    assert str(refusal(position({"B1": "aaaa"}, hands="cccc|baac"), steps)) == reason


def test_a_drawn_tile_must_be_placed() -> None:
    state = play(position(hands="acba|baac"), "draw", "bbbb")
    assert str(refusal(state, ["tile:acba"])) == "You must place the tile you have drawn."
    assert str(refusal(state, ["draw"])) == "You have drawn already: place that tile."

"""What a player is told before a move: numbers, and nothing that depends on what is hidden."""

from __future__ import annotations

import re
from typing import Any

import pytest
from librt.random import Random

from ludotheque import CHANCE, choices, load_game
from ludotheque.core.game import State
from ludotheque.core.phrases import points
from ludotheque.table import Match
from tests.games.pays_noir.positions import play, position
from tests.ours import OURS
from tests.table.matches import random_match


def forecast(state: State, move: str) -> list[str]:
    action = state.string_to_action(move)
    after = state.clone()
    after.apply_action(action)
    return [str(line) for line in state.game.forecast(state, action, after, int(state.current_player()))]


NO_CHANGE = ("It would enclose nothing yet.", "No area would change.")


@pytest.mark.parametrize("name", OURS)
def test_most_moves_that_change_something_are_foretold_with_numbers(name: str) -> None:
    match = random_match(load_game(name), 6)
    told = []
    for ply, (who, action) in enumerate(match.actions()):
        if who == CHANCE:
            continue
        before, after = match._timeline.state_at(ply), match._timeline.state_at(ply + 1)
        told.append(" ".join(map(str, match.game.forecast(before, action, after, who))))
    numbers = [text for text in told if re.search(r"\d", re.sub(r"Seat \d", "", text))]
    assert numbers
    assert len(numbers) > 0.5 * sum(text not in NO_CHANGE for text in told)


def test_a_tile_of_cable_car_says_how_each_line_would_run() -> None:
    match = Match(load_game("cable-car", 2))
    for tile in ("aaaa", "cccc"):
        match.add(CHANCE, tile)
    assert forecast(match._timeline.present, "aaaa B1") == ["Line 2 of Seat 2 would run over 1 tile and stay open."]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_swap_for_an_open_share_says_what_it_would_change_at_once(seed: int) -> None:
    match = random_match(load_game("cable-car", 3, companies=True), seed)
    told = 0
    for ply, (who, _) in enumerate(match.actions()):
        state: Any = match._timeline.state_at(ply)
        if who == CHANCE or not any(state.points):
            continue
        for move in (f"swap {percent} open" for percent in (10, 20, 30, 40)):
            if move not in [state.action_to_string(action) for action in state.legal_actions()]:
                continue
            after = state.clone()
            after.apply_action(state.string_to_action(move))
            was, then = (known_worth(position, who) for position in (state, after))
            change = ", as now" if was == then else f" instead of {was}"
            assert forecast(state, move)[-1] == f"Your shares would then bring {points(then)}{change}."
            told += 1
    assert told


def test_a_swap_foretells_no_hidden_share_that_the_seat_does_not_know() -> None:
    """It named one if the few positions that a preview tries had the same by chance, as if that were certain."""
    match = random_match(load_game("cable-car", 3, companies=True), 0)
    tried = 0
    for ply, (who, _) in enumerate(match.actions()):
        state: Any = match._timeline.state_at(ply)
        moves = [] if who == CHANCE else [state.action_to_string(action) for action in state.legal_actions()]
        swaps = [move for move in moves if move.endswith("hidden")]
        if swaps:
            others = [state.resample_from_infostate(who, Random(number)) for number in range(2)]
            tried += 1
        for move in swaps:
            assert {tuple(forecast(other, move)) for other in others} == {tuple(forecast(state, move))}
    assert tried


def known_worth(state: Any, seat: int) -> int:
    """The score that the card of the seat shows to its owner."""
    *_, players = state.game.scene(state.game.observe(state, seat)).tables
    return int(players.rows[seat][-1])


def test_a_bid_says_what_the_share_would_pay_and_what_is_left() -> None:
    match = Match(load_game("chicago-express", 3))
    told = forecast(match._timeline.present, "bid 7")
    assert told[1:] == ["The share of PRR would pay $7 at a dividend.", "You would have $33 left."]


def test_a_piece_of_passerelles_says_only_which_areas_would_change() -> None:
    match = Match(load_game("passerelles"))
    while match.view().observation.laying:  # type: ignore[attr-defined]
        match.play(match.to_move, "pass")
    state = match._timeline.present
    told = forecast(state, state.action_to_string(state.legal_actions()[0]))
    assert told == ["It would enclose nothing yet."]
    for seat, move in enumerate(("3v C1", "5h F5", "2h A3", "5h F7")):
        if move == "2h A3":
            assert forecast(match._timeline.present, move) == ["You would enclose 4 squares, 4 more than now."]
        if move == "5h F7":
            assert forecast(match._timeline.present, move) == ["No area would change."]
        match.play(seat % 2, move)


def test_a_card_of_pays_noir_says_how_far_its_lines_have_come() -> None:
    match = Match(load_game("pays-noir", 2))
    for card in ["straight", "junction", "crossing", "mine_end", "port_end", "terminus", "curve"]:
        match.add(CHANCE, card)
    for move in ("curve", "at 1,0"):
        match.add(0, move)
    told = " ".join(forecast(match._timeline.present, "turn 180"))
    assert "Railway line over 2 cards, 1 open end" in told


def gains(state: State, move: str) -> list[int]:
    action = state.string_to_action(move)
    after = state.clone()
    after.apply_action(action)
    return list(state.game.expected_gains(state, action, after, int(state.current_player())))


def test_a_card_of_pays_noir_says_what_the_turn_scores() -> None:
    joined = position("straight@1,0,90+2:track:0", "mine_end")
    play(joined, "mine_end")
    assert gains(joined, "at 2,0") == [0, 3]
    assert forecast(joined, "at 2,0")[0] == "Railway line from the station to the mine, over 3 cards."
    alone = position("", "terminus")
    play(alone, "terminus")
    assert gains(alone, "at 1,0") == [0, 0]
    assert forecast(alone, "at 1,0")[0] == "A member would bring up to 2 points."
    play(alone, "at 1,0")
    assert gains(alone, "member track:0") == [2, 0]
    tags = {choice.step.key: str(choice.step.tag) for choice in choices(alone)}
    assert tags["spot:track:0"] == "+2", "on its spot too, for a tap on it plays it"
    assert set(tags.values()) == {"+2", ""}


def test_a_spot_of_pays_noir_has_no_points_that_the_turn_brings_without_a_member() -> None:
    match = random_match(load_game("pays-noir", 3), 1)
    seen = 0
    for ply, (who, _) in enumerate(match.actions()):
        state: Any = match._timeline.state_at(ply)
        if who == CHANCE or "no member" not in map(state.action_to_string, state.legal_actions()):
            continue
        without = gains(state, "no member")[who]
        for choice in choices(state):
            if choice.step.key.startswith("spot:") and choice.action is not None:
                more = gains(state, state.action_to_string(choice.action))[who] - without
                assert str(choice.step.tag) == (f"+{more}" if more > 0 else "")
                seen += without > 0
    assert seen


def test_a_forecast_of_pays_noir_is_read_at_a_glance() -> None:
    for seed in range(3):
        match = random_match(load_game("pays-noir", 3), seed)
        for ply, (who, action) in enumerate(match.actions()):
            before, after = match._timeline.state_at(ply), match._timeline.state_at(ply + 1)
            if who != CHANCE:
                lines = [str(line) for line in match.game.forecast(before, action, after, who)]
                assert len(lines) <= 2
                assert len(" ".join(lines)) < 110

"""Hints: the best few moves, with reasons; the tests of the command line cover the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from ludotheque import load_game
from ludotheque.bots.candidate import Candidate
from ludotheque.bots.pool import Pool, ThisProcess
from ludotheque.bots.tuning import speed
from ludotheque.core.game import State
from ludotheque.errors import NoSuchPly
from ludotheque.study.hints import Hint, bot_move, hints, position_hints, reason
from ludotheque.table import Match
from tests.ours import OURS
from tests.table.matches import random_match


def test_there_is_no_hint_for_a_ply_that_has_not_been_played() -> None:
    match = Match.start(load_game("passerelles"))
    with pytest.raises(NoSuchPly, match="No player is to move at ply 1;"):
        hints(match, 1, seconds=0.01)
    with pytest.raises(NoSuchPly, match="No player is to move at ply 1;"):
        bot_move(match, 1, "policy")


def test_a_hint_thinks_for_its_seconds_at_the_speed_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def note(*position: object, simulations: int, most: int) -> list[Hint]:
        asked.append(simulations)
        return []

    monkeypatch.setattr("ludotheque.study.hints.position_hints", note)
    tables = [load_game("cable-car", 4, companies=on) for on in (False, True)]
    for game in tables:
        match = Match.start(game)
        hints(match, match.ply, seconds=2)
    assert asked == [2 * speed(game).simulations for game in tables]
    assert asked[0] > asked[1], "The Companies takes longer for a simulation"


def test_any_bot_can_be_asked_for_its_move() -> None:
    match = Match.start(load_game("cable-car", 2))
    found = bot_move(match, match.ply, "mine=policy")
    assert found.bot == "mine"
    match.play(match.to_move, found.move)
    assert match.view().decisions == 1


def hint_of(match: Match, seat: int, simulations: int = 200) -> list[Hint]:
    return position_hints(match._timeline.present, seat, ThisProcess(), simulations=simulations)


@pytest.mark.parametrize("name", OURS)
def test_a_hint_is_the_best_few_moves_each_with_a_reason_of_numbers(name: str) -> None:
    match = random_match(load_game(name), 2, plies=24)
    found = hint_of(match, match.to_move)
    assert 1 <= len(found) <= 3
    legal = match._timeline.present.legal_actions()
    assert len({hint.action for hint in found} & set(legal)) == len(found)
    assert [hint.visits for hint in found] == sorted((hint.visits for hint in found), reverse=True)
    for hint in found:
        assert 0 <= hint.returns[match.to_move] <= 1
        assert hint.error >= 0
        assert re.search(r"\d", str(hint.reason)), "no reason without a number"


@pytest.mark.parametrize("name", ["cable-car", "pays-noir"])
def test_the_same_position_gives_the_same_hint_whatever_is_hidden(name: str) -> None:
    """The other player's hand is dealt anew, and a pool of processes searches instead of this one."""
    match = random_match(load_game(name, 2), 2, plies=24)
    seat = match.to_move
    first = hint_of(match, seat)
    assert hint_of(match, seat) == first
    with Pool(1) as pool:
        assert position_hints(match._timeline.present, seat, pool, simulations=200) == first


def test_a_reason_speaks_like_players() -> None:
    match = random_match(load_game("cable-car", 2), 2, plies=24)
    reasons = " ".join(str(hint.reason) for hint in hint_of(match, match.to_move))
    assert not re.search(r"\b[a-h]{4}\b", reasons), "a tile in notation"


def test_a_move_that_loses_points_costs_them() -> None:
    position = load_game("passerelles").new_initial_state()
    for words in ("5v F1", "4h H9", "5h A6", "3h B9"):
        position.apply(*position.string_to_actions(words))
    (action,) = position.string_to_actions("2h A1")
    move = Candidate(action, 100, (0.5, 0.5), (20.0, 20.0))
    assert str(reason(position, 0, move, [move])).startswith("would cost you 2 points at the end")


def reasons_of_pays_noir(position: str, *moves: str) -> list[str]:
    """The reasons for the last of some moves of seat 1."""
    state = load_game("pays-noir", 2).read_position(position)
    *first, last = moves
    for words in first:
        state.apply(state.string_to_action(words))
    move = Candidate(state.string_to_action(last), 100, (0.5, 0.5), (20.0, 20.0))
    return str(reason(state, 0, move, [move])).split("; ")


def test_a_reason_keeps_apart_what_counts_at_once_and_at_the_end() -> None:
    hands = "fields_factory,terminus,straight,curve|crossing,junction,mine_end"
    country = reasons_of_pays_noir(
        f"start_station@0,0 0,0 {hands} - 1", "fields_factory", "at 0,-1", "member country:0"
    )
    assert country[0] == "would bring you 1 point at the end"
    line = "start_station@0,0;straight@1,0,90+1:track:0"
    finished = reasons_of_pays_noir(f"{line} 0,0 {hands} - 1", "terminus", "at 2,0", "member country:0")
    assert finished[0] == "brings you 3 points at once"
    port = "start_station@0,0;port_end@-1,0,90+1:port:0"
    realised = reasons_of_pays_noir(f"{port} 0,0 {hands} - 1", "terminus", "at 1,0", "no member")
    assert realised[0] == "brings you 1 point at once, instead of 1 point at the end"


def test_a_bid_that_answers_is_named_once() -> None:
    reasons = " ".join(str(hint.reason) for hint in hint_of(Match.start(load_game("chicago-express", 3)), 0))
    assert "“Bid $" in reasons
    assert "Bid, from" not in reasons


def found_moves(*values: tuple[int, float]) -> list[Candidate]:
    """Moves of a search at the beginning of Passerelles, by what they win."""
    legal = Match.start(load_game("passerelles"))._timeline.present.legal_actions()
    return [Candidate(legal[place], 100, (won, 1 - won), (20.0, 20.0)) for place, won in values]


@pytest.mark.parametrize(
    ("best", "other", "of_best", "of_other"),
    [
        (0.5, 0.4, "The next best move wins 40 of 100 games from here", "The best move wins 50 of 100 games from here"),
        (
            0.53,
            0.56,
            "The next best move wins 56 of 100 games from here, but was tried less often",
            "The best move wins 53 of 100 games from here and is surer: it was tried more often",
        ),
        (
            0.5,
            0.49,
            "The next best move is about as good: it wins 49 of 100 games from here",
            "The best move is about as good: it wins 50 of 100 games from here",
        ),
    ],
)
def test_a_reason_says_what_the_move_beside_it_wins(best: float, other: float, of_best: str, of_other: str) -> None:
    state = Match.start(load_game("passerelles"))._timeline.present
    first, second = found = found_moves((0, best), (1, other))
    assert of_best.lower() in str(reason(state, 0, first, found)).lower()
    assert of_other.lower() in str(reason(state, 0, second, found)).lower()


class Searched:
    """Searches that have found these moves."""

    def __init__(self, *moves: Candidate) -> None:
        self.moves = moves

    def think_apart(self, state: State, seat: int, *, seeds: Sequence[int], simulations: int) -> list[list[Candidate]]:
        return [list(self.moves) for _ in seeds]


def test_no_guess_is_shown_that_is_worth_more_than_a_move_worked_out_to_the_end() -> None:
    state = Match.start(load_game("passerelles"))._timeline.present
    first, second, third = found_moves((0, 0.3), (1, 0.6), (2, 0.2))
    exact = Candidate(first.action, 100, first.returns, first.scores, (), True)
    assert [hint.action for hint in position_hints(state, 0, Searched(exact, second, third), simulations=8)] == [
        exact.action,
        third.action,
    ]


def test_a_reason_says_how_the_turn_goes_on() -> None:
    state = load_game("chicago-express", 3).new_initial_state()
    for word in ("bid 7", "pass", "pass", "bid 6", "pass", "pass", "bid 5", "pass", "pass", "bid 8", "pass", "pass"):
        state.apply(state.string_to_action(word))
    auction = state.string_to_action("auction")
    after = state.clone()
    after.apply(auction)
    company = after.legal_actions()[0]
    move = Candidate(auction, 100, (0.5, 0.3, 0.2), (80.0, 70.0, 60.0), (company,))
    assert "goes on with “" in str(reason(state, int(state.current_player()), move, [move]))

"""Puzzles: their evidence is stored, and a plain search with a fixed budget finds their best moves."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

import pytest

from ludotheque import game_class, load_game
from ludotheque.errors import BadPuzzle
from ludotheque.games.passerelles.rules import PasserellesState
from ludotheque.study.hints import turn_of
from ludotheque.study.puzzle_making import (
    FINDER_SEEDS,
    FINDERS,
    MARGIN,
    balanced,
    choice,
    graded,
    is_clear,
    judge_again,
    judge_position,
    look,
    make_puzzles,
    policy_choice,
)
from ludotheque.study.puzzles import (
    DIFFICULTIES,
    Puzzle,
    grades,
    puzzle_named,
    puzzle_of_day,
    puzzle_variants,
    puzzles,
    puzzles_of,
    refutation,
    solution,
    stake,
)
from tests.ours import OURS

SHIPPED = {"cable-car": 218, "chicago-express": 107, "passerelles": 110, "pays-noir": 100}
SAMPLE = 6
ENOUGH = 5
"""So many of the sample a plain search must solve: search itself may change a little."""


def sample(name: str, count: int) -> list[Puzzle]:
    found = puzzles(game_class(name))
    return [found[number * len(found) // count] for number in range(count)]


@pytest.mark.parametrize("name", OURS)
def test_every_game_ships_enough_puzzles_with_their_evidence(name: str) -> None:
    found = puzzles(game_class(name))
    assert len(found) >= SHIPPED[name]
    assert len({puzzle.id for puzzle in found}) == len(found)
    for puzzle in found:
        evidence = puzzle.evidence
        assert min(evidence.margins) >= MARGIN, puzzle.id
        assert evidence.seeds[0] != evidence.seeds[1], puzzle.id
        assert evidence.policy != puzzle.best, puzzle.id
        assert evidence.confirmed is not False, puzzle.id
        assert puzzle.values[0].action == puzzle.best, puzzle.id
        assert puzzle.themes, puzzle.id


@pytest.mark.parametrize("companies", [False, True])
def test_cable_car_and_the_companies_have_a_hundred_puzzles_each_of_many_themes(companies: bool) -> None:
    found = [
        puzzle for puzzle in puzzles(game_class("cable-car")) if bool(puzzle.settings.get("companies")) == companies
    ]
    themes = Counter(puzzle.themes[0] for puzzle in found)
    assert len(found) >= 100
    assert len(themes) >= 6
    assert max(themes.values()) <= 0.4 * len(found)


def test_each_theme_of_chicago_express_has_a_dozen_puzzles_and_none_a_third() -> None:
    found = puzzles(game_class("chicago-express"))
    themes = Counter(puzzle.themes[0] for puzzle in found)
    assert {*themes} == {"Expansion", "Dials", "New share", "Auction", "Development", "Chicago"}
    assert min(themes.values()) >= 12
    assert max(themes.values()) <= len(found) / 3


@pytest.mark.parametrize("name", OURS)
def test_the_position_of_every_puzzle_can_be_played(name: str) -> None:
    for puzzle in puzzles(game_class(name)):
        state = puzzle.state()
        assert state.current_player() == puzzle.seat, puzzle.id
        assert puzzle.best in state.legal_actions(), puzzle.id
        assert {value.action for value in puzzle.values} <= set(state.legal_actions()), puzzle.id


@pytest.mark.parametrize("name", OURS)
def test_a_plain_search_finds_the_best_moves_of_a_sample(name: str) -> None:
    found = [look(puzzle.state(), puzzle.seat, 4000, seed=1).best == puzzle.best for puzzle in sample(name, SAMPLE)]
    assert sum(found) >= ENOUGH


@pytest.mark.full
@pytest.mark.parametrize("name", OURS)
def test_a_plain_search_finds_nearly_all_best_moves(name: str) -> None:
    all_of_them = puzzles(game_class(name))
    found = [look(puzzle.state(), puzzle.seat, puzzle.evidence.simulations, seed=1).best for puzzle in all_of_them]
    right = sum(best == puzzle.best for best, puzzle in zip(found, all_of_them, strict=True))
    assert right >= 0.9 * len(all_of_them)


@pytest.mark.parametrize(("name", "variant"), [*((name, "") for name in OURS), ("cable-car", "companies")])
def test_the_puzzle_of_the_day_follows_from_the_date(name: str, variant: str) -> None:
    kind = game_class(name)
    day, own = date(2026, 11, 15), {puzzle.id for puzzle in puzzles_of(kind, variant)}
    assert puzzle_of_day(kind, day, variant) is puzzle_of_day(kind, day, variant)
    days = {puzzle_of_day(kind, day + timedelta(days=number), variant).id for number in range(len(own))}
    assert days == own, "each comes once before any comes again"


def test_a_puzzle_belongs_to_the_game_or_to_one_of_its_variants() -> None:
    kind = game_class("cable-car")
    plain, companies = puzzles_of(kind), puzzles_of(kind, "companies")
    assert not any(puzzle.settings.get("companies") for puzzle in plain)
    assert all(puzzle.settings["companies"] for puzzle in companies)
    assert {puzzle.id for puzzle in (*plain, *companies)} == {puzzle.id for puzzle in puzzles(kind)}
    assert puzzles_of(kind, "nothing") == ()


@pytest.mark.parametrize("name", OURS)
def test_a_third_of_the_puzzles_is_easy_and_a_third_is_hard(name: str) -> None:
    kind = game_class(name)
    found = {puzzle.id: puzzle.evidence.finders for puzzle in puzzles(kind)}
    graded = grades(kind)
    thirds = [[found[id] for id, grade in graded.items() if grade.difficulty == level] for level in (0, 1, 2)]
    assert len(DIFFICULTIES) == len(thirds)
    assert max(map(len, thirds)) - min(map(len, thirds)) <= 1
    assert all(min(easier) >= max(harder) for easier, harder in pairwise(thirds))
    assert min(found.values()) < len(FINDERS) * len(FINDER_SEEDS), "some are missed by a short search"
    ratings = [grade.rating for grade in graded.values()]
    assert ratings == sorted(ratings)
    assert ratings[0] < 1000 < 1800 < ratings[-1]


def test_grading_counts_the_short_searches_that_find_the_move() -> None:
    puzzle = next(puzzle for puzzle in puzzles(game_class("passerelles")) if puzzle.evidence.finders == 0)
    assert graded(puzzle) == puzzle


@pytest.mark.parametrize("name", OURS)
def test_a_wrong_move_is_played_on_until_it_is_the_seats_turn_again(name: str) -> None:
    puzzle = puzzles(game_class(name))[0]
    tried = puzzle.values[1].action
    line = refutation(name, puzzle.id, tried)
    assert line[0] == tried
    assert refutation(name, puzzle.id, tried) == line, "the same for everyone"
    state = puzzle.state()
    movers = []
    for action in line:
        movers.append(int(state.current_player()))
        state.apply(action)
    others = {seat for seat in movers if seat >= 0} - {puzzle.seat}
    assert state.is_terminal() or others == set(range(puzzle.players)) - {puzzle.seat}


@pytest.mark.parametrize("name", OURS)
def test_the_best_move_of_a_puzzle_has_reasons(name: str) -> None:
    for puzzle in sample(name, SAMPLE):
        best, other = solution(puzzle, puzzle.best)
        assert (best.action, other.action) == (puzzle.best, puzzle.values[1].action)
        assert any(sign.isdigit() for sign in str(best.reason)), "no reason without a number"
        assert 0 <= other.returns[puzzle.seat] < best.returns[puzzle.seat] <= 1


def test_a_tried_move_is_compared_with_the_best_as_far_as_it_is_known() -> None:
    puzzle = puzzles(game_class("passerelles"))[0]
    tried = puzzle.values[2].action
    assert [hint.action for hint in solution(puzzle, tried)] == [puzzle.best, tried]
    assert [hint.action for hint in solution(puzzle, -1)] == [puzzle.best]


def test_only_what_is_worked_out_to_the_end_of_the_game_is_certain() -> None:
    found = [(puzzle, solution(puzzle, puzzle.best)[0]) for puzzle in puzzles(game_class("passerelles"))]
    last_rounds = {puzzle.id for puzzle, best in found if best.exact and _is_last_round(puzzle)}
    assert {puzzle.id for puzzle, best in found if best.certain} == last_rounds
    assert {best.returns[puzzle.seat] for puzzle, best in found if best.certain} == {0.5, 1.0}
    assert any(best.exact and not best.certain for _, best in found), "the first of two rounds"


def _is_last_round(puzzle: Puzzle) -> bool:
    state = puzzle.state()
    assert isinstance(state, PasserellesState)
    return state.round == state.rounds - 1


@pytest.mark.parametrize("game", OURS)
def test_each_puzzle_is_of_the_game_itself_or_of_one_of_its_variants(game: str) -> None:
    kind = game_class(game)
    listed = [puzzle.id for variant in puzzle_variants(kind) for puzzle in puzzles_of(kind, variant)]
    assert sorted(listed) == sorted(puzzle.id for puzzle in puzzles(kind))


STAKE = r"At stake: from here the best move wins (\d+) of 100 games, any other at most (\d+)\."


def test_the_stake_is_what_the_best_move_wins_and_the_most_that_another_does() -> None:
    for puzzle in puzzles(game_class("passerelles"))[:20]:
        best, other = [round(100 * move.returns[puzzle.seat]) for move in solution(puzzle, puzzle.best)]
        said = re.fullmatch(STAKE, str(stake(puzzle)))
        assert said, "no theme is named"
        assert int(said[1]) == best > int(said[2]) >= other


def test_an_unknown_puzzle_is_refused() -> None:
    with pytest.raises(BadPuzzle, match="no such puzzle"):
        puzzle_named(game_class("passerelles"), "none")


def test_puzzles_are_made_from_games_of_bots() -> None:
    found = make_puzzles(
        load_game("passerelles", rounds=1), count=1, simulations=400, bot_simulations=40, seconds=600, jobs=1
    )
    assert len(found) == 1
    (puzzle,) = found
    state = puzzle.state()
    assert policy_choice(state, puzzle.seat) == puzzle.evidence.policy != puzzle.best
    first = look(state, puzzle.seat, 400, puzzle.evidence.seeds[0])
    assert first.best == puzzle.best
    assert is_clear(first, 400, puzzle.seat)
    assert judge_again(puzzle) == puzzle, "the same searches find the same"
    themed = judge_position(puzzle.history, state, 400, 1, puzzle.id, themes=["no such theme"])
    assert themed is None


def test_the_first_plies_can_be_left_to_a_quick_bot() -> None:
    found = make_puzzles(
        load_game("passerelles", rounds=1), count=1, simulations=400, bot_simulations=40, seconds=600, jobs=1, skipped=9
    )
    assert [len(puzzle.history) >= 9 for puzzle in found] == [True]


@pytest.mark.parametrize("name", OURS)
def test_a_search_that_stops_early_makes_the_same_choice(name: str) -> None:
    for puzzle in sample(name, 2):
        state = puzzle.state()
        assert choice(state, puzzle.seat, 500, seed=3) == look(state, puzzle.seat, 500, seed=3).best


def test_what_follows_in_the_same_turn_belongs_to_the_theme() -> None:
    puzzle = next(puzzle for puzzle in puzzles(game_class("chicago-express")) if puzzle.themes == ("New share",))
    state = puzzle.state()
    turn = turn_of(state, [puzzle.best, *puzzle.line])
    assert len(turn) > 1
    assert [str(theme) for theme in state.game.themes(state, turn)] == ["New share"]
    assert [str(theme) for theme in state.game.themes(state, turn[:1])] == ["Dials"]


def test_a_position_where_the_policy_finds_the_best_move_is_no_puzzle() -> None:
    puzzle = puzzles(game_class("passerelles"))[0]
    start = puzzle.state().game.new_initial_state()
    assert judge_position([], start, 400, 1, "start") is None


def test_puzzles_are_chosen_from_all_themes() -> None:
    found = puzzles(game_class("chicago-express"))
    chosen = balanced(found, 6)
    assert {puzzle.themes for puzzle in chosen} == {puzzle.themes for puzzle in found}
    assert balanced(found, len(found) + 9) != []


@pytest.mark.parametrize("name", OURS)
def test_every_theme_says_what_it_means(name: str) -> None:
    kind = game_class(name)
    named = [(kind(puzzle.players, puzzle.settings), theme) for puzzle in puzzles(kind) for theme in puzzle.themes]
    assert [theme for game, theme in named if not str(game.theme_meaning(theme))] == []

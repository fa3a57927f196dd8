"""Sentences about moves, held against the rules in many positions: reasons of hints and puzzles, and lines of the log.

What a sentence says is read from its English text and compared with what the states before and after a move hold, not
with the events that the sentence was made from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from librt.random import Random

from ludotheque import game_class, load_game
from ludotheque.bots.candidate import Candidate
from ludotheque.core.game import SPECTATOR, Game, State
from ludotheque.games.cable_car.board import DEPARTURES, STATIONS
from ludotheque.study.hints import reason, turn_of
from ludotheque.study.puzzles import puzzles, solution
from tests.ours import OURS
from tests.speeds import few, several

SETUPS: Final[tuple[tuple[str, int, dict[str, Any]], ...]] = (
    ("cable-car", 3, {}),
    ("cable-car", 2, {"companies": True}),
    ("chicago-express", 3, {}),
    ("passerelles", 2, {}),
    ("pays-noir", 3, {}),
    ("pays-noir", 2, {"track": 30}),
)
GAMES: Final = several(2, 40)
PUZZLES: Final = several(6, 1000)

# By game: what each seat has for sure.
HAS_NOW: Final[dict[str, Callable[[Any], list[int]]]] = {
    "cable-car": lambda state: [
        0 if state.companies and not state.is_terminal() else score for score in state.scores()
    ],
    "chicago-express": lambda state: [int(state.cash[seat]) for seat in range(state.players)],
    "passerelles": lambda state: (
        list(state.scores()) if state.is_terminal() else [int(state.first_points), int(state.second_points)]
    ),
    "pays-noir": lambda state: [int(state.points[seat]) for seat in range(state.players)],
}


def now(state: State) -> list[int]:
    """What each seat has for sure, whatever happens next."""
    return HAS_NOW[state.game.name](state)


def pending(state: State) -> list[int]:
    """What each seat would get besides if the position stayed as it is."""
    return [score - has for score, has in zip(state.scores(), now(state), strict=True)]


def gains(before: list[int], after: list[int]) -> list[int]:
    return [has - had for had, has in zip(before, after, strict=True)]


def random_moves(game: Game, seed: int) -> Iterator[tuple[State, int, State]]:
    """The moves and draws of a random game, with the states before and after each."""
    state, rng = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        action = int(state.sample(rng))
        after = state.child(action)
        yield state, action, after
        state = after


# Reasons.

AMOUNT: Final = r"\$?(\d+)(?: points?)?"
AT_ONCE: Final = re.compile(rf"(?<!would )(brings?|costs?) (you|Seat \d+) {AMOUNT}", re.IGNORECASE)
AT_END: Final = re.compile(rf"would (bring|cost) (you|Seat \d+) {AMOUNT} at the end", re.IGNORECASE)
INSTEAD: Final = re.compile(
    rf"brings (you|Seat \d+) {AMOUNT}(?: at once)?, instead of {AMOUNT} at the end", re.IGNORECASE
)


def said_in(text: str, seat: int, players: int) -> tuple[list[int], list[int]]:
    """What a reason says that each seat gets at once and at the end."""
    at_once, at_end = [0] * players, [0] * players
    for verb, who, amount in AT_ONCE.findall(text):
        at_once[_seat(who, seat)] += _signed(verb, amount)
    for verb, who, amount in AT_END.findall(text):
        at_end[_seat(who, seat)] += _signed(verb, amount)
    for who, _, lost in INSTEAD.findall(text):
        at_end[_seat(who, seat)] -= int(lost)
    return at_once, at_end


def _seat(who: str, seat: int) -> int:
    return seat if who == "you" else int(who.split()[1]) - 1


def _signed(verb: str, amount: str) -> int:
    return -int(amount) if verb.lower().startswith("cost") else int(amount)


def check_reason(text: str, before: State, action: int, seat: int) -> None:
    after = before.child(action)
    true = gains(now(before), now(after)), gains(pending(before), pending(after))
    assert said_in(text, seat, before.game.players) == true, text


@pytest.mark.parametrize(("name", "players", "settings"), SETUPS)
def test_a_reason_says_what_each_seat_gets_at_once_and_at_the_end(
    name: str, players: int, settings: dict[str, Any]
) -> None:
    game = load_game(name, players, **settings)
    even = (1 / players,) * players
    for seed in range(GAMES):
        for before, action, _ in random_moves(game, seed):
            seat = int(before.current_player())
            if seat < 0 or not game.shows_scores(before, seat):
                continue
            move = Candidate(action, 1, even, (0.0,) * players)
            check_reason(str(reason(before, seat, move, [move])), before, action, seat)


@pytest.mark.parametrize("name", OURS)
def test_the_reasons_of_puzzles_say_what_each_seat_gets(name: str) -> None:
    for puzzle in few(puzzles(game_class(name)), PUZZLES):
        state = puzzle.state()
        if state.game.shows_scores(state, puzzle.seat):
            for hint in solution(puzzle, puzzle.best):
                check_reason(str(hint.reason), state, hint.action, puzzle.seat)


# The log.

LOGGED: Final = (
    (re.compile(r"(?P<amount>\d+) points? (?:for|to) (?P<seats>Seat \d.*)\."), 1),
    (re.compile(r"(?P<seats>Seat \d+) gets \$(?P<amount>\d+)"), 1),
    (re.compile(r"(?P<seats>Seat \d+) buys a share of .* for \$(?P<amount>\d+)"), -1),
    (re.compile(r"(?P<seats>Seat \d+) scores (?P<amount>\d+)"), 1),
    (re.compile(r"(?P<seats>Seat \d+): (?P<amount>\d+) points? for shares"), 1),
    (re.compile(r"(?P<seats>Seat \d+): .* (?P<amount>\d+) for majorities"), 1),
)
FINAL_COUNT: Final = re.compile(r"^Country|unfinished")
ENDS: Final = re.compile(r"\bwins (with|by)\b|\bshares? the win\b|^A draw:")


def logged(lines: list[str], players: int) -> list[int]:
    """What the log says that each seat got."""
    got = [0] * players
    for line in lines:
        for pattern, sign in LOGGED:
            for found in pattern.finditer(line):
                for number in re.findall(r"Seat (\d+)", found["seats"]):
                    got[int(number) - 1] += sign * int(found["amount"])
    return got


@pytest.mark.parametrize(("name", "players", "settings"), SETUPS)
def test_the_log_says_what_each_seat_got_and_when_the_game_is_over(
    name: str, players: int, settings: dict[str, Any]
) -> None:
    game = load_game(name, players, **settings)
    for seed in range(GAMES):
        for before, action, after in random_moves(game, seed):
            lines = [str(line) for line in game.describe(before, action, after, SPECTATOR)]
            assert logged(lines, players) == gains(now(before), now(after)), lines
            assert any(map(ENDS.search, lines)) == after.is_terminal(), lines
            if any("score track ends" in line for line in lines):
                assert not any(map(FINAL_COUNT.search, lines)), lines


# Ideas of puzzles.


def idea_is_true_in_cable_car(idea: str, states: list[Any], seat: int) -> bool:
    before, after = states[0], states[-1]
    changed = [station for station in range(STATIONS) if _length(before, station) != _length(after, station)]
    ended = [station for station in changed if (after.finished & ~before.finished) >> station & 1]
    mine = [station for station in changed if before.owners[station] == seat]
    others = [station for station in changed if before.owners[station] != seat]
    if "25 points" in idea:
        return bool(max(before.points) < 25 <= max(after.points))
    if "a line of yours" in idea:
        return bool(mine)
    if "a line of another player" in idea:
        return bool(set(ended) & set(others)) if idea.startswith("End") else bool(others) and not mine
    if "a company's line" in idea:
        return before.companies and bool(ended if idea.startswith("End") else changed)
    return changed == [] and ("changes no line" in idea or "Draw" in idea or "Swap" in idea)


def _length(state: Any, station: int) -> int:
    return int(state.stretches[DEPARTURES + station]) >> 9


def idea_is_true_in_pays_noir(idea: str, states: list[Any], seat: int) -> bool:
    before, laid, after = states[0], states[-2], states[-1]
    if "Your turn scores" in idea:
        return bool(after.points[seat] > before.points[seat])
    places_member = after.supply(seat) < before.supply(seat)
    if "worth nothing yet" in idea:
        return bool(places_member) and pending(after)[seat] == pending(laid)[seat]
    return bool(places_member) if "place a member" in idea.lower() else not places_member


IDEA_CHECKS: Final[dict[str, Callable[[str, list[Any], int], bool]]] = {
    "cable-car": idea_is_true_in_cable_car,
    "pays-noir": idea_is_true_in_pays_noir,
}


@pytest.mark.parametrize("name", OURS)
def test_the_idea_of_a_puzzle_is_what_its_best_turn_does(name: str) -> None:
    for puzzle in puzzles(game_class(name)):
        before = puzzle.state()
        turn = turn_of(before, [puzzle.best, *puzzle.line])
        assert tuple(map(str, before.game.themes(before, turn))) == puzzle.themes, puzzle.id
        idea = str(before.game.theme_meaning(puzzle.themes[0]))
        if is_true := IDEA_CHECKS.get(name):
            states = [before]
            for action in turn:
                states.append(states[-1].child(action))
            assert is_true(idea, states, puzzle.seat), puzzle.id

"""A refused place has a reason, a legal one has none, and a reason tells nothing that is hidden."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from librt.random import Random

from ludotheque.core.choices import choices, refusal
from ludotheque.core.game import State
from ludotheque.core.game_words import NOT_ALLOWED
from ludotheque.core.phrases import Phrase
from tests.games.why_not import paths, positions, some_picks
from tests.speeds import few, several
from tests.toy import Orchard

GAMES: list[tuple[str, int, dict[str, object]]] = [
    ("cable-car", 2, {}),
    ("cable-car", 3, {"companies": True, "rotation": True, "hand": 2}),
    ("cable-car", 6, {"companies": True}),
    ("passerelles", 2, {}),
    ("passerelles", 2, {"landscape": "free"}),
    ("pays-noir", 2, {}),
    ("pays-noir", 4, {"quarters": True}),
    ("chicago-express", 3, {}),
]
SEEDS = several(1, 12)
TOGETHER = several(15, 60)


def reasons(state: State, seed: int) -> dict[tuple[str, ...], Phrase | None]:
    return {picks: refusal(state, picks) for picks in some_picks(state, TOGETHER, Random(seed))}


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_what_no_legal_move_has_gets_a_reason_and_nothing_else_does(
    name: str, players: int, options: Mapping[str, object]
) -> None:
    for seed in range(SEEDS):
        for state in few(positions(name, seed, players, options), 12):
            legal = [set(path) for path in paths(choices(state))]
            for picks, reason in reasons(state, seed).items():
                assert (reason is None) == any(path.issuperset(picks) for path in legal), picks
                assert reason != NOT_ALLOWED, picks


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_a_reason_is_the_same_wherever_the_seat_may_be(name: str, players: int, options: Mapping[str, object]) -> None:
    for state in few(positions(name, 5, players, options), 6):
        told = reasons(state, 5)
        for seed in range(3):
            other = state.resample_from_infostate(state.current_player(), Random(seed))
            assert {picks: refusal(other, picks) for picks in told} == told


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_steps_that_do_not_exist_are_not_allowed(name: str, players: int, options: Mapping[str, object]) -> None:
    state = next(positions(name, 1, players, options))
    for picks in ("cell:Z9", "cell:", "cell", "tile:", "piece:9", "piece:x", "nothing:1", "", ":"):
        assert refusal(state, [picks]) == NOT_ALLOWED, picks


def test_a_game_need_not_say_why() -> None:
    state = Orchard(2).new_initial_state()
    assert refusal(state, ["nothing"]) == NOT_ALLOWED

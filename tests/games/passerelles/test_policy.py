"""What the policy of Passerelles expects of a match."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque import load_game
from ludotheque.games.passerelles.board import LONGEST, PASS, SQUARES, length_of, squares_of
from ludotheque.games.passerelles.endgame import in_hand
from ludotheque.games.passerelles.policy import ROUND, PasserellesPolicy, gain, nearly_enclosed
from ludotheque.games.passerelles.rules import PasserellesState
from tests.games.rollouts import check_rollout_draws_as_sample
from tests.speeds import several

pytestmark = pytest.mark.both


def outlook(state: PasserellesState) -> list[float]:
    scores = vec[float]([0.0, 0.0])
    PasserellesPolicy(state.game).estimate_scores_into(state, scores)
    return list(scores)


def test_the_areas_of_a_round_count_the_more_the_fewer_pieces_are_left() -> None:
    """What counts early is what a round brings; in the end, what was made of it."""
    state = load_game("passerelles", rounds=2).new_initial_state()
    assert isinstance(state, PasserellesState)
    assert outlook(state) == [2 * ROUND, 2 * ROUND]
    rng = Random(1)
    while state.round == 0:
        state.apply(state.sample(rng))
    assert outlook(state) == [score + ROUND for score in state.scores()]
    for _ in range(12):
        state.apply(state.sample(rng))
    points = (int(state.first_points), int(state.second_points))
    halves = [point + (score - point) / 2 for point, score in zip(points, state.scores(), strict=True)]
    assert outlook(state) == pytest.approx([half + ROUND / 2 for half in halves])


def test_a_rollout_draws_its_moves_as_sample_does() -> None:
    game = load_game("passerelles", rounds=1)
    policy = PasserellesPolicy(game)
    policy.tries = 1
    check_rollout_draws_as_sample(policy, game.new_initial_state())


def positions(seed: int, steps: int, rounds: int, landscape: str = "none") -> Iterator[PasserellesState]:
    """The positions of a random match where pieces are placed, and a few steps lie between two."""
    state = load_game("passerelles", rounds=rounds, landscape=landscape).new_initial_state()
    assert isinstance(state, PasserellesState)
    rng = Random(seed)
    while not state.is_terminal():
        if not state.laying:
            yield state
        for _ in range(steps):
            if not state.is_terminal():
                state.apply(state.sample(rng))


@pytest.mark.parametrize("seed", range(several(3, 60)))
def test_a_single_placement_fits_where_it_is_legal(seed: int) -> None:
    """`fits` says of one placement what the sets of open ones say of all."""
    for state in positions(seed, 3, rounds=1, landscape="free" if seed % 2 else "none"):
        seat = int(state.current_player())
        held = {length for length in range(1, LONGEST + 1) if state.held(seat, length) > 0}
        fitting = [
            action
            for action in range(PASS)
            if squares_of(action) and int(length_of(action // SQUARES)) in held and state.fits(seat, action)
        ]
        assert (fitting or [PASS]) == state.legal_actions()


@pytest.mark.parametrize("seed", range(several(3, 60)))
def test_the_moves_of_a_rollout_are_legal_and_lead_to_its_end(seed: int) -> None:
    """A rollout does not list what can be placed: the match that does so ends the round at the same move."""
    policy = PasserellesPolicy(load_game("passerelles", rounds=2))
    for state in positions(seed, 7, rounds=2, landscape="free" if seed % 2 else "none"):
        finished, replayed = state.clone(), state.clone()
        steps = policy.play_on(finished, Random(seed))
        for step in range(steps):
            assert replayed.round == state.round
            assert not replayed.is_terminal()
            action, seat = divmod(int(policy.rollout_moves[step]), 2)
            assert seat == replayed.current_player()
            replayed.apply_action(action)
        assert replayed.is_terminal() or replayed.round == state.round + 1
        assert finished.position() == replayed.position()
        assert finished.legal_actions() == replayed.legal_actions()


def test_placements_drawn_without_a_list_are_equally_likely() -> None:
    """Late in a round, where few are left of all that the pieces could be placed at."""
    state = next(state.clone() for state in positions(1, 1, rounds=1) if 20 <= len(state.legal_actions()) <= 40)
    legal = state.legal_actions()
    rng = Random(1)
    draws = 400 * len(legal)
    counts = dict.fromkeys(legal, 0)
    for _ in range(draws):
        state.listed = False
        counts[int(state.draw(rng))] += 1
    surprise = sum((count - 400) ** 2 / 400 for count in counts.values())
    assert surprise < len(legal) + 5 * (2 * len(legal)) ** 0.5


def refined(state: PasserellesState) -> dict[int, float]:
    actions = state.legal_actions()
    weights = vec[float]([0.0] * len(actions))
    PasserellesPolicy(state.game).refined_weights_into(
        state, vec[i64]([i64(action) for action in actions]), len(actions), weights
    )
    return {action: float(weights[place]) for place, action in enumerate(actions)}


def test_refined_weights_go_by_the_walls_early_and_by_the_areas_late() -> None:
    state = load_game("passerelles", rounds=1).new_initial_state()
    assert isinstance(state, PasserellesState)
    weights = refined(state)
    best = max(weights, key=lambda action: weights[action])
    assert gain(state, best) == max(gain(state, action) for action in weights)
    rng = Random(1)
    while in_hand(state) > 2:
        state.apply(state.sample(rng))
    weights = refined(state)
    leads = {action: lead_after(state, action) for action in weights}
    best, worst = (choose(leads, key=lambda action: leads[action]) for choose in (max, min))
    assert leads[best] > leads[worst]
    assert weights[best] > weights[worst]


def lead_after(state: PasserellesState, action: int) -> int:
    after = state.clone()
    after.apply(action)
    scores = after.scores()
    return scores[int(state.player)] - scores[1 - int(state.player)]


def two_pieces_left(seed: int) -> PasserellesState:
    """The end of a round of random placements, with two pieces to come."""
    state = load_game("passerelles", rounds=1).new_initial_state()
    assert isinstance(state, PasserellesState)
    rng = Random(seed)
    while in_hand(state) > 2:
        state.apply(state.sample(rng))
    return state


def lead_after_reply(state: PasserellesState, action: int) -> int:
    """The lead that the best reply leaves."""
    after = state.clone()
    after.apply(action)
    return min(-lead_after(after, reply) for reply in after.legal_actions())


def test_greedy_encloses_no_area_that_the_best_reply_takes_away() -> None:
    """One of 29 placements would be 38 points ahead at once, and 4 behind after the reply that cuts its wall."""
    state = two_pieces_left(38)
    leads = {action: lead_after(state, action) for action in state.legal_actions()}
    kept = {action: lead_after_reply(state, action) for action in leads}
    values = PasserellesPolicy(state.game).turn_values(state)
    tempting, taken = (max(choice, key=lambda action: choice[action]) for choice in (leads, values))
    assert (leads[tempting], kept[tempting]) == (38, -4)
    assert (leads[taken], kept[taken]) == (25, 15)
    assert values[taken] == kept[taken] == max(kept.values())


def test_an_area_is_nearly_enclosed_until_the_other_keeps_its_gap_open() -> None:
    """The gap is E6, and E4 to E6 lead to it."""
    game = load_game("passerelles", rounds=1)
    gap = game.read_position("1 Y 0-0 B5vF1^0,B4hA6^0")
    blocked = game.read_position("1 B 0-0 B5vF1^0,B4hA6^0,Y3vE4^0")
    assert isinstance(gap, PasserellesState)
    assert isinstance(blocked, PasserellesState)
    assert gap.scores() == blocked.scores() == [0, 0]
    assert [nearly_enclosed(gap, 0), nearly_enclosed(gap, 1)] == [16, 0]
    assert nearly_enclosed(blocked, 0) == 0

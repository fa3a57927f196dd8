"""The players by name."""

from __future__ import annotations

from collections.abc import Sequence
from time import sleep

import pytest
from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque import load_game, policy_of
from ludotheque.bots.bot import Bot
from ludotheque.bots.candidate import Candidate
from ludotheque.bots.levels import LEVELS, Level
from ludotheque.bots.names import bot_named
from ludotheque.bots.players import (
    LEAST_OPEN,
    PLAIN_SCALE,
    SHORT_LIST,
    GreedyBot,
    PolicyBot,
    RandomBot,
    SearchBot,
    openness,
)
from ludotheque.bots.search import BATCH
from ludotheque.core.game import Game, State
from ludotheque.core.policy import TURN_POSITIONS, Policy
from ludotheque.core.turn import SeenPly, Turn
from ludotheque.errors import BadPosition, LudothequeError, NotYourTurn
from tests.bots.positions import HIDDEN_MOST, TABLES, a_decision
from tests.toy import Nim, NimState

NAMES = ["random", "myopic", "greedy", "policy", "search:20"]


def played(game: Game, bots: Sequence[Bot], seed: int) -> tuple[list[SeenPly], list[int]]:
    """A game between these bots: all that happened, and the scores."""
    state = game.new_initial_state()
    rng = Random(seed)
    events: list[SeenPly] = []
    while not state.is_terminal():
        seat = int(state.current_player())
        action = int(state.sample(rng)) if seat < 0 else bots[seat].choose(Turn(state, seat, events))
        events.append((seat, None if game.has_hidden_information else action))
        state.apply_action(action)
    return events, state.scores()


@pytest.mark.parametrize("game", TABLES, ids=repr)
@pytest.mark.parametrize("name", NAMES)
def test_every_bot_plays_whole_games_and_repeats_them(game: Game, name: str) -> None:
    games = [played(game, [bot_named(name, game, seat) for seat in range(game.players)], 1) for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize("game", [game for game in TABLES if game.has_hidden_information], ids=repr)
@pytest.mark.parametrize("name", [*NAMES, "bot:1"])
def test_no_bot_looks_at_what_is_hidden(game: Game, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Level, "simulations", lambda level, game, divisor=1: 100)
    for steps in (0, 25, 60):
        state = a_decision(game, steps, steps)
        seat = int(state.current_player())
        moves = set()
        for seed in range(4):
            other = state.resample_from_infostate(seat, Random(seed))
            moves.add(bot_named(name, game, 9).choose(Turn(other, seat)))
        assert len(moves) == 1


def test_asking_a_bot_leaves_the_position_alone() -> None:
    state = a_decision(HIDDEN_MOST, 4, 30)
    before = state.position()
    for name in NAMES:
        bot_named(name, HIDDEN_MOST, 1).choose(Turn(state, int(state.current_player())))
    assert state.position() == before


def test_policy_beats_random_and_search_beats_greedy_in_cable_car() -> None:
    game = TABLES[0]
    for strong, weak in ((PolicyBot, RandomBot), (SearchBot, GreedyBot)):
        for seat in range(2):
            bots: list[Bot] = [weak(game, 1), weak(game, 2)]
            bots[seat] = SearchBot(game, 3, simulations=400) if strong is SearchBot else strong(game, 3)
            _, scores = played(game, bots, 5)
            assert scores[seat] == max(scores)


def test_myopic_takes_the_move_after_which_its_lead_is_greatest() -> None:
    state = a_decision(load_game("passerelles"), 2, 14)
    seat = int(state.current_player())
    leads = {}
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        leads[action] = after.scores()[seat] - after.scores()[1 - seat]
    assert min(leads.values()) < max(leads.values())
    assert leads[bot_named("myopic", state.game, 1).choose(Turn(state, seat))] == max(leads.values())


def test_a_bot_takes_its_tree_along_and_only_adds_what_is_missing() -> None:
    state = a_decision(load_game("chicago-express"), 3, 12)
    bot = SearchBot(state.game, 1, simulations=400)
    seat = int(state.current_player())
    best = bot.think(Turn(state, seat))[0]
    state.apply(best.action)
    found = bot.think(Turn(state, int(state.current_player()), [(seat, best.action)]))
    unripe = int(policy_of(state.game).expand_after_visits)
    assert sum(move.visits for move in found) == 400 - unripe, "before that, the node was left to rollouts"


def test_the_wildest_slip_stays_on_the_short_list() -> None:
    game = load_game("cable-car", rotation=True, hand=3)
    state = a_decision(game, 4, 30)
    seat = int(state.current_player())
    places = set()
    for seed in range(12):
        found = [move.action for move in SearchBot(game, seed, simulations=400).think(Turn(state, seat))]
        places.add(
            found.index(SearchBot(game, seed, simulations=400, error_scale=PLAIN_SCALE).choose(Turn(state, seat)))
        )
        assert len(found) > SHORT_LIST
    assert len(places) > 1
    assert max(places) < SHORT_LIST


def test_a_beginner_slips_but_only_among_moves_that_look_good() -> None:
    game = TABLES[0]
    state = a_decision(game, 4, 4)
    seat = int(state.current_player())
    moves = {SearchBot(game, seed, simulations=300, error_scale=0.15).choose(Turn(state, seat)) for seed in range(12)}
    assert 1 < len(moves) < len(state.legal_actions())


def test_a_slip_gives_away_less_of_the_win_the_clearer_the_game_is() -> None:
    assert openness(0.5, 2) == openness(0.25, 4) == openness(0.5, 4) == 1
    assert openness(0.9, 2) == pytest.approx(openness(0.1, 2)) == pytest.approx(0.36)
    assert openness(0.0, 3) == openness(1.0, 3) == LEAST_OPEN
    assert openness(1.0, 1) == 1


def test_a_beginner_goes_on_playing_for_points_in_a_lost_game() -> None:
    state = a_decision(load_game("passerelles"), 2, 14)
    seat = int(state.current_player())
    values = policy_of(state.game).turn_values(state)
    good, worse = sorted(values, key=lambda action: -values[action])[:2]

    def slips(best: float) -> int:
        """How often, of 200 times, it takes a move that loses a twentieth of the win."""
        found = [
            Candidate(good, 9, (best,) * 2, (0.0,) * 2),
            Candidate(worse, 8, (best - 0.05,) * 2, (0.0,) * 2),
        ]
        bots = [SearchBot(state.game, seed, simulations=1, error_scale=0.1) for seed in range(200)]
        return [bot._slip(found, state, seat) for bot in bots].count(worse)

    assert slips(0.5) > 60
    assert slips(0.06) < slips(0.5) / 2


def test_a_weak_level_doubts_what_it_hardly_tried() -> None:
    """Passerelles: a move that looks best after two visits is no slip that people make."""
    game = load_game("passerelles")
    state = a_decision(game, 7, 12)
    seat = int(state.current_player())
    values = policy_of(game).turn_values(state)
    tried, lucky = sorted(values, key=lambda action: -values[action])[:2]
    found = [Candidate(tried, 400, (0.5, 0.5), (0.0, 0.0)), Candidate(lucky, 2, (0.6, 0.6), (0.0, 0.0))]
    chosen = {SearchBot(game, seed, simulations=1, error_scale=0.01)._slip(found, state, seat) for seed in range(50)}
    assert chosen == {tried}


def slips_in_points(game: Game) -> list[float]:
    """By level, about: the loss in points that makes a move half as likely as the best while the game is even."""
    return [4 * level.error_scale(game) * policy_of(game).lead_scale for level in LEVELS[:4]]


def test_slips_of_good_players_are_no_larger_with_more_seats() -> None:
    for name in ("cable-car", "chicago-express"):
        of_two, of_three = (slips_in_points(load_game(name, players=seats))[2:] for seats in (2, 3))
        assert all(three <= two for two, three in zip(of_two, of_three, strict=True))


def test_weak_levels_of_the_companies_also_slip_to_moves_never_tried() -> None:
    for seats in (2, 4):
        base, companies = (policy_of(load_game("cable-car", players=seats, companies=on)) for on in (False, True))
        assert (base.slips_unseen, companies.slips_unseen) == (False, True)


def test_a_bot_with_a_time_limit_answers() -> None:
    state = a_decision(TABLES[0], 4, 30)
    turn = Turn(state, int(state.current_player()))
    assert bot_named("search:0.01s", TABLES[0], 1).choose(turn) in turn.legal


def test_a_search_without_time_still_runs_one_batch() -> None:
    state = a_decision(TABLES[0], 4, 30)
    found = SearchBot(TABLES[0], 1, seconds=1e-7).think(Turn(state, int(state.current_player())))
    assert sum(move.visits for move in found) == BATCH


class LongTurn(NimState):
    """Two moves, then ten in every step of a turn that does not end."""

    tried = 0

    def legal_into(self, actions: vec[i64]) -> i64:
        count = 2 if self.matches == 300 else 10
        for action in range(count):
            actions[action] = action
        return count

    def apply(self, action: i64) -> None:
        LongTurn.tried += 1
        self.matches -= 1

    def clone(self) -> LongTurn:
        return LongTurn(self.rules, self.matches, self.seat)


class LongNim(Nim):
    def new_initial_state(self) -> LongTurn:
        return LongTurn(self, 300, 0)

    def num_distinct_actions(self) -> int:
        return 10


def test_a_lookahead_over_a_long_turn_ends() -> None:
    state = LongNim(1, {"matches": 300}).new_initial_state()
    LongTurn.tried = 0
    assert policy_of(state.game).turn_values(state) == {0: 0.0, 1: 0.0}
    assert TURN_POSITIONS < LongTurn.tried < 3 * TURN_POSITIONS, "not 2 * 10 ** 8"


class SlowToSolve(Policy):
    def solve(self, state: State, effort: i64) -> list[int]:
        sleep(0.02)
        return []


class NimThatIsHardToSolve(Nim):
    def policy(self) -> Policy:
        return SlowToSolve(self)


def test_the_time_of_a_search_includes_that_of_the_solver() -> None:
    state = NimThatIsHardToSolve(2, {"matches": 300}).new_initial_state()
    found = SearchBot(state.game, 1, seconds=0.02).think(Turn(state, 0))
    assert sum(move.visits for move in found) == BATCH, "the solver took all the time; a search runs one batch at least"


@pytest.mark.parametrize(
    "name",
    ["", "nobody", "search", "search:", "search:0", "search:-3s", "search:x", "level:7", "bot:5/0", "search:20/10"],
)
def test_a_name_that_no_bot_has_gets_a_sentence(name: str) -> None:
    with pytest.raises(LudothequeError, match=r"[A-Z].*\."):
        bot_named(name, TABLES[0], 1)


def test_a_level_can_be_measured_in_a_part_of_its_time() -> None:
    part, whole = bot_named("bot:5/10", TABLES[0], 1), bot_named("bot:5", TABLES[0], 1)
    assert isinstance(part, SearchBot)
    assert isinstance(whole, SearchBot)
    assert 10 * part.simulations == pytest.approx(whole.simulations, abs=10)


@pytest.mark.parametrize("name", [*NAMES, "bot:1"])
def test_a_bot_refuses_a_position_of_another_game(name: str) -> None:
    state = a_decision(load_game("passerelles"), 1, 10)
    turn = Turn(state, int(state.current_player()))
    with pytest.raises(BadPosition, match=r"This bot plays cable_car.*, not passerelles"):
        bot_named(name, load_game("cable-car"), 1).choose(turn)
    with pytest.raises(BadPosition, match=r"This bot plays passerelles.*rounds=1.*, not passerelles"):
        bot_named(name, load_game("passerelles", rounds=1), 1).choose(turn)


def test_a_turn_belongs_to_the_seat_that_is_to_act() -> None:
    game = load_game("cable-car")
    state = game.new_initial_state()
    with pytest.raises(NotYourTurn, match="A draw comes next: no seat is to act"):
        Turn(state, 0)
    while state.is_chance_node():
        state.apply(state.sample(Random(1)))
    seat = int(state.current_player())
    with pytest.raises(NotYourTurn, match=f"Seat {1 - seat} is not to act; seat {seat} is"):
        Turn(state, 1 - seat)
    while not state.is_terminal():
        state.apply(state.sample(Random(1)))
    with pytest.raises(NotYourTurn, match="The game is over"):
        Turn(state, 0)


def test_a_bot_whose_moves_were_taken_back_starts_a_new_tree() -> None:
    state = a_decision(load_game("chicago-express"), 3, 12)
    seat = int(state.current_player())
    bot = SearchBot(state.game, 1, simulations=100)
    bot.think(Turn(state, seat, [(0, 1), (1, 2)]))
    found = bot.think(Turn(state, seat, [(0, 1)]))
    assert sum(move.visits for move in found) == 100

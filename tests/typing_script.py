"""A user's script, for type checkers: nothing in it may be `Any`, and nothing needs a cast."""

from typing import assert_type

import ludotheque
from ludotheque.arena import Report, SprtResult, play, sprt
from ludotheque.games.cable_car import CableCar
from ludotheque.games.cable_car.observation import CableCarObservation
from ludotheque.games.pays_noir.observation import PaysNoirObservation
from ludotheque.search import SearchResult, think

game = ludotheque.load_game("cable-car", players=3)
assert_type(game, CableCar)
state = game.new_initial_state()
seen = state.observation(1)
assert_type(seen, CableCarObservation)
assert_type(seen.hands, tuple[tuple[str, ...], ...])
assert_type(state.clone().observation(0).lines[0].run, int)
assert_type(state.legal_actions(), list[int])
assert_type(state.legal_actions_mask(), bytearray)
assert_type(state.returns(), list[float])
assert_type(ludotheque.load_game("pays_noir").new_initial_state().observation(0), PaysNoirObservation)
assert_type(ludotheque.load_game("orchard"), ludotheque.Game)

found = think(ludotheque.load_game("passerelles").new_initial_state(), simulations=10)
assert_type(found, SearchResult)
assert_type(found.best.returns, tuple[float, ...])
assert_type(found.line, tuple[int, ...])
assert_type(found.visit_shares(), dict[int, float])
report = play("passerelles", ["greedy", "random"], games=2)
assert_type(report, Report)
assert_type([bot.rating for bot in report.bots], list[float])
assert_type(sprt(game, "greedy", "random", max_games=2), SprtResult)

rng = ludotheque.Random(7)
while not state.is_terminal():
    state.apply_action(state.sample(rng))
best = max(range(game.num_players()), key=lambda seat: state.returns()[seat])
assert_type(best, int)

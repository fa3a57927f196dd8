"""A user's script, for type checkers: nothing in it may be `Any`, and nothing needs a cast."""

from typing import assert_type

import ludotheque
from ludotheque.games.cable_car import CableCar
from ludotheque.games.cable_car.observation import CableCarObservation
from ludotheque.games.pays_noir.observation import PaysNoirObservation

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

rng = ludotheque.Random(7)
while not state.is_terminal():
    state.apply_action(state.sample(rng))
best = max(range(game.num_players()), key=lambda seat: state.returns()[seat])
assert_type(best, int)

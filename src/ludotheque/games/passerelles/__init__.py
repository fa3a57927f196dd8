"""Passerelles."""

from __future__ import annotations

from collections.abc import Mapping

from ludotheque.core.game import Game
from ludotheque.core.observation import Observation
from ludotheque.core.options import Option
from ludotheque.games.passerelles import board, rules
from ludotheque.games.passerelles.rules import PasserellesState


class Passerelles(Game[PasserellesState, Observation]):
    """Passerelles, as set up for a table."""

    name = "passerelles"
    title = "Passerelles"
    sentence = "x"
    min_players = 2
    max_players = 2
    has_chance = False
    has_hidden_information = False

    def new_initial_state(self) -> PasserellesState:
        return rules.new_state(self, 1, [], False, False)

    def num_distinct_actions(self) -> int:
        return board.ACTIONS

    def max_legal_actions(self) -> int:
        return 671

    def max_chance_outcomes(self) -> int:
        return 0

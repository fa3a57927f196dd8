"""Cable Car (San Francisco Cable Car) with The Companies, by Dirk Henn."""

from __future__ import annotations

from collections.abc import Mapping

from ludotheque.core.game import Game
from ludotheque.core.options import Option
from ludotheque.games.cable_car import board, rules


class CableCar(Game):
    """Cable Car, as set up for a table."""

    name = "cable-car"
    title = "Cable Car"
    sentence = "Lay track over San Francisco so that your own lines run long and the others' end early."
    min_players = 2
    max_players = 6
    options = (
        Option(name="companies", default=False, help="The Companies: hidden shares in all eight colours."),
        Option(name="rotation", default=False, help="Tiles may be turned."),
        Option(name="hand", default=1, choices=(1, 2, 3), help="How many tiles a hand holds."),
    )
    has_chance = True
    has_hidden_information = True

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        self.companies = bool(self.settings["companies"])
        self.rotation = bool(self.settings["rotation"])
        self.hand = int(str(self.settings["hand"]))

    def new_initial_state(self) -> rules.CableCarState:
        return rules.new_state(self, self.hand, self.rotation, self.companies)

    def num_distinct_actions(self) -> int:
        return rules.ACTIONS

    def max_legal_actions(self) -> int:
        return self.hand * (4 if self.rotation else 1) * board.CELLS + 9

    def max_chance_outcomes(self) -> int:
        return board.TYPES

    def max_game_length(self) -> int:
        # Each tile is placed, perhaps drawn first; between two placements come at most three swaps of each player and
        # one more of each who holds no tile.
        return board.TILES * (2 + (4 * self.players if self.companies else 0))

"""Cable Car (San Francisco Cable Car) with The Companies, by Dirk Henn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludotheque.core.connect import connect
from ludotheque.core.game import Game
from ludotheque.core.options import Option, Variant
from ludotheque.core.phrases import NOTHING, Phrase
from ludotheque.core.planes import Planes
from ludotheque.core.policy import Policy
from ludotheque.core.scene import KeyEntry
from ludotheque.games.cable_car import (
    board,
    effects,
    event_notices,
    events,
    log,
    notation,
    observe,
    position,
    rules,
    scene,
)
from ludotheque.games.cable_car.key import KEY
from ludotheque.games.cable_car.observation import CableCarObservation
from ludotheque.games.cable_car.planes import CableCarPlanes
from ludotheque.games.cable_car.policy import CableCarPolicy
from ludotheque.games.cable_car.rules import CableCarState


@connect(effects, event_notices, events, log, notation, observe, position, scene)
class CableCar(Game):
    """Cable Car, as set up for a table."""

    name = "cable-car"
    title = "Cable Car"
    sentence = "Lay track over San Francisco so that your own lines run long and the others' end early."
    min_players = 2
    max_players = 6
    options = (
        Option(
            name="companies",
            default=False,
            help="Play The Companies: each player holds four hidden shares, one of each percentage",
        ),
        Option(name="rotation", default=False, help="Tiles may be turned before they are laid"),
        Option(
            name="hand",
            default=1,
            choices=(1, 2, 3),
            help="Tiles in hand",
            meanings=("One tile", "Two tiles to choose from", "Three tiles to choose from"),
        ),
    )
    variants = (
        Variant(
            name="companies",
            title="The Companies",
            sentence="Cable Car with eight companies: nobody knows which shares you hold, so build unnoticed.",
            settings={"companies": True},
        ),
    )
    has_chance = True
    has_hidden_information = True

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        self.companies = bool(self.settings["companies"])
        self.rotation = bool(self.settings["rotation"])
        self.hand = int(str(self.settings["hand"]))

    def new_initial_state(self) -> CableCarState:
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

    def observe(self, state: CableCarState, viewer: int) -> CableCarObservation:
        return observe.observe(state, viewer)

    def read_position(self, text: str) -> CableCarState:
        return position.read_position(self.new_initial_state(), text)

    def theme_meaning(self, theme: str) -> Phrase:
        meanings = effects.COMPANIES_MEANINGS if self.companies else effects.MEANINGS
        return meanings.get(theme, NOTHING)

    def shows_scores(self, state: CableCarState, viewer: int) -> bool:
        return not self.companies or state.is_terminal()

    def seat_colours(self) -> Sequence[str]:
        return super().seat_colours() if self.companies else board.COLOURS[: self.players]

    @classmethod
    def key(cls) -> Sequence[KeyEntry]:
        return KEY

    def policy(self) -> Policy:
        return CableCarPolicy(self)

    def planes(self) -> Planes:
        return CableCarPlanes(self)

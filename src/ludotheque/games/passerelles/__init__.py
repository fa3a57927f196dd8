"""Passerelles: straight pieces, bridges over them, and the areas they enclose. The name is a working title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludotheque.core.connect import connect
from ludotheque.core.game import Game
from ludotheque.core.game_picture import Sound
from ludotheque.core.options import Option
from ludotheque.core.phrases import NOTHING, Phrase
from ludotheque.core.planes import Planes
from ludotheque.core.policy import Policy
from ludotheque.core.scene import KeyEntry
from ludotheque.games.passerelles import (
    board,
    document,
    effects,
    event_notices,
    events,
    log,
    notation,
    observe,
    overlay,
    position,
    rules,
    scene,
)
from ludotheque.games.passerelles.key import KEY
from ludotheque.games.passerelles.observation import COLOURS, PasserellesObservation
from ludotheque.games.passerelles.planes import PasserellesPlanes
from ludotheque.games.passerelles.policy import PasserellesPolicy
from ludotheque.games.passerelles.rules import PasserellesState

FREE = "free"


@connect(effects, event_notices, events, log, notation, observe, overlay, position, scene)
class Passerelles(Game):
    """Passerelles, as set up for a table."""

    name = "passerelles"
    title = "Passerelles"
    sentence = "Lay straight pieces, flat or as bridges, and enclose more squares than the other player."
    min_players = 2
    max_players = 2
    options = (
        Option(
            name="rounds",
            default=2,
            choices=(2, 1),
            help="Rounds",
            meanings=("Two: each starts one", "One round"),
        ),
        Option(
            name="landscape",
            default=document.NONE,
            choices=(document.NONE, *document.NAMES, FREE),
            help="Neutral pieces",
            meanings=(
                "None: the board is empty",
                *(f"As in {name.title().replace('-', ' ')}" for name in document.NAMES),
                "Laid by the players in turn",
            ),
        ),
        Option(name="landscape_file", default=None, help="A custom landscape: pieces such as 3h D3"),
        Option(
            name="diagonal",
            default="closed",
            choices=("closed", "open"),
            help="Diagonal walls",
            meanings=("Closed", "Passable"),
        ),
    )
    has_chance = False
    has_hidden_information = False

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        self.rounds = int(str(self.settings["rounds"]))
        self.free = self.settings["landscape"] == FREE
        self.landscape = document.read_settings(self.settings["landscape"], self.settings["landscape_file"])
        self.diagonal = self.settings["diagonal"] == "open"

    def new_initial_state(self) -> PasserellesState:
        return rules.new_state(self, self.rounds, self.landscape, self.free, self.diagonal)

    def num_distinct_actions(self) -> int:
        return board.ACTIONS

    def max_legal_actions(self) -> int:
        # All placements of the lengths that players have; fewer, with a pass, while neutral pieces are laid.
        return 670

    def max_game_length(self) -> int:
        # At most one pass comes before each piece, neutral ones included, and two passes end the laying of those.
        placements = 24 + (board.NEUTRAL_PIECES if self.free else 0)
        return self.rounds * 2 * placements

    def observe(self, state: PasserellesState, viewer: int) -> PasserellesObservation:
        return observe.observe(state, viewer)

    def read_position(self, text: str) -> PasserellesState:
        return position.read_position(self.new_initial_state(), text)

    def theme_meaning(self, theme: str) -> Phrase:
        return effects.MEANINGS.get(theme, NOTHING)

    @classmethod
    def key(cls) -> Sequence[KeyEntry]:
        return KEY

    @classmethod
    def sounds(cls) -> Mapping[str, Sound]:
        return {"piece": "wood"}

    def seat_colours(self) -> Sequence[str]:
        return COLOURS[: self.players]

    def policy(self) -> Policy:
        return PasserellesPolicy(self)

    def planes(self) -> Planes:
        return PasserellesPlanes(self)

"""Chicago Express (Wabash Cannonball), by Harry Wu."""

from __future__ import annotations

from collections.abc import Mapping

from ludotheque.core.game import Game
from ludotheque.core.observation import Observation
from ludotheque.core.options import Option
from ludotheque.games.chicago_express import rules
from ludotheque.games.chicago_express.board import new_board
from ludotheque.games.chicago_express.facts import read_facts
from ludotheque.games.chicago_express.rules import ChicagoExpressState


class ChicagoExpress(Game[ChicagoExpressState, Observation]):
    """Chicago Express, as set up for a table."""

    name = "chicago-express"
    title = "Chicago Express"
    sentence = "Bid for shares of railways, build and develop their way to Chicago, and live on the dividends."
    min_players = 2
    max_players = 6
    options = (
        Option(
            name="printing",
            default="first",
            choices=("first", "revised"),
            help="Which printing of the rules: in the revised one a dividend is held as soon as the second dial is in "
            "the red, in the first one when the next turn begins.",
        ),
        Option(name="board", default=None, help="A board of your own, or corrections to the printed one."),
    )
    has_chance = False
    has_hidden_information = False

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        document = self.settings["board"]
        self.board = new_board(read_facts(document if isinstance(document, dict) else {}))
        self.revised = self.settings["printing"] == "revised"

    def new_initial_state(self) -> ChicagoExpressState:
        return rules.new_state(self, self.board, self.revised)

    def num_distinct_actions(self) -> int:
        return rules.BID + self.board.most_money() + 1

    def max_legal_actions(self) -> int:
        return max(self.board.most_money(), int(self.board.hexes)) + 1

    def max_chance_outcomes(self) -> int:
        return 0

    def max_game_length(self) -> int:
        return 0

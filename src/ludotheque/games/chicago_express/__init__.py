"""Chicago Express (Wabash Cannonball), by Harry Wu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludotheque.core.connect import connect
from ludotheque.core.game import Game
from ludotheque.core.game_picture import Sound
from ludotheque.core.options import Option
from ludotheque.core.phrases import NOTHING, Phrase, phrase
from ludotheque.core.planes import Planes
from ludotheque.core.policy import Policy
from ludotheque.core.scene import KeyEntry
from ludotheque.games.chicago_express import (
    effects,
    event_notices,
    events,
    log,
    map_art,
    notation,
    observe,
    position,
    premoves,
    rules,
    scene,
)
from ludotheque.games.chicago_express.board import new_board
from ludotheque.games.chicago_express.document import read_board
from ludotheque.games.chicago_express.key import KEY
from ludotheque.games.chicago_express.observation import ChicagoExpressObservation
from ludotheque.games.chicago_express.planes import ChicagoExpressPlanes
from ludotheque.games.chicago_express.policy import ChicagoExpressPolicy
from ludotheque.games.chicago_express.rules import ChicagoExpressState
from ludotheque.games.chicago_express.worth import Worth, worth

__all__ = ["ChicagoExpress", "ChicagoExpressObservation", "ChicagoExpressState", "Worth", "worth"]


@connect(effects, event_notices, events, log, notation, observe, position, premoves, scene)
class ChicagoExpress(Game):
    """Chicago Express, as set up for a table."""

    name = "chicago-express"
    title = "Chicago Express"
    sentence = "Bid for shares in railways, build and develop their way to Chicago, and live on the dividends."
    min_players = 2
    max_players = 6
    options = (
        Option(
            name="printing",
            default="first",
            choices=("first", "revised"),
            help="Dividend once two dials are in the red",
            meanings=("Next turn (first printing)", "At once (revised printing)"),
        ),
        Option(name="board", default=None, help="A custom board, or corrections to the printed one"),
    )
    has_chance = False
    has_hidden_information = False

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        document = self.settings["board"]
        self.board = new_board(read_board(document if isinstance(document, dict) else {}))
        self.revised = self.settings["printing"] == "revised"
        self.most_bid = self.board.most_bid()

    def new_initial_state(self) -> ChicagoExpressState:
        return rules.new_state(self, self.board, self.revised)

    def num_distinct_actions(self) -> int:
        return rules.BID + self.most_bid + 1

    def max_legal_actions(self) -> int:
        return max(self.most_bid, self.board.hexes) + 1

    def max_game_length(self) -> int:
        # A turn chooses, names, and builds or says done. A bid is higher than the one before, so an auction that sells
        # has at most as many bids as dollars, and all the dollars paid are at most all those that players ever had.
        # In each auction each seat passes at most once.
        turns = self.board.most_turns() * (2 + self.board.expansion_limit)
        offered = self.board.limit[rules.AUCTION] * self.board.most_dividends()
        auctions = rules.OPENINGS + 1 + offered
        return turns + self.most_bid + auctions * self.players

    def observe(self, state: ChicagoExpressState, viewer: int) -> ChicagoExpressObservation:
        return observe.observe(state, viewer)

    def read_position(self, text: str) -> ChicagoExpressState:
        return position.read_position(self.new_initial_state(), text)

    def backdrop(self) -> str:
        return map_art.backdrop(self.board.facts)

    def unit(self) -> Phrase:
        return phrase("Dollars")

    def amount(self, number: int) -> Phrase:
        return phrase("${dollars}", dollars=number) if number >= 0 else phrase("\u2212${dollars}", dollars=-number)

    def score_text(self, score: int) -> Phrase:
        return self.amount(score)

    def worth(self, state: ChicagoExpressState) -> Sequence[int]:
        return [seat.total for seat in worth(state)]

    def theme_meaning(self, theme: str) -> Phrase:
        return effects.MEANINGS.get(theme, NOTHING)

    @classmethod
    def key(cls) -> Sequence[KeyEntry]:
        return KEY

    @classmethod
    def sounds(cls) -> Mapping[str, Sound]:
        return {"engine": "steam", "house": "wood"}

    def policy(self) -> Policy:
        return ChicagoExpressPolicy(self)

    def planes(self) -> Planes:
        return ChicagoExpressPlanes(self)

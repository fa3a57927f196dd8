"""Pays noir, by J.M. Deniaux and R. Battman."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ludotheque.core.connect import connect
from ludotheque.core.errors import BadOption
from ludotheque.core.game import Game
from ludotheque.core.game_picture import Sound
from ludotheque.core.options import Option
from ludotheque.core.phrases import NOTHING, Phrase
from ludotheque.core.planes import Planes
from ludotheque.core.policy import Policy
from ludotheque.core.scene import KeyEntry, Scene
from ludotheque.games.pays_noir import effects, event_notices, events, log, notation, observe, position, rules, scene
from ludotheque.games.pays_noir.deck import Deck
from ludotheque.games.pays_noir.document import built_in_cards, read_cards
from ludotheque.games.pays_noir.key import KEY
from ludotheque.games.pays_noir.observation import FAMILIES, PaysNoirObservation
from ludotheque.games.pays_noir.pictures import pictures_of
from ludotheque.games.pays_noir.planes import PaysNoirPlanes
from ludotheque.games.pays_noir.policy import PaysNoirPolicy
from ludotheque.games.pays_noir.rules import PaysNoirState


@cache
def _built_in_deck() -> Deck:
    """Return the tables of the built-in cards, which never change."""
    return Deck(built_in_cards())


_TRACKS = (30, 40, 45, 50, 60, 70, 80, 90, 100, 120, 150, 200, 300)


@connect(effects, event_notices, events, log, notation, observe, position, scene)
class PaysNoir(Game):
    """Pays noir, as set up for a table."""

    name = "pays-noir"
    title = "Pays noir"
    sentence = "Lay out a mining country and place your family on its towns, railways, pits and fields."
    min_players = 2
    max_players = 5
    options = (
        Option(name="quarters", default=False, help="Bourgeois quarters give 2 points, corons 1, slums none"),
        Option(
            name="track",
            default=0,
            choices=(0, *_TRACKS),
            help="End of the score track",
            meanings=(
                "As the card set says",
                *("At {choice} points" for _ in _TRACKS),
            ),
        ),
        Option(name="cards", default=None, help="A card file to play with instead of our own cards"),
    )
    has_chance = True
    has_hidden_information = True

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        document = self.settings["cards"]
        self.deck = Deck(read_cards(document)) if isinstance(document, dict) else _built_in_deck()
        card_set = self.deck.card_set
        if not card_set.least_players <= self.players <= card_set.most_players:
            span = f"{card_set.least_players} to {card_set.most_players}"
            raise BadOption(f"The card file is for {span} players, not {self.players}.")
        self.pictures = pictures_of(card_set.cards)
        self._backdrop = ""
        self.graded = bool(self.settings["quarters"])
        self.last_space = int(str(self.settings["track"])) or card_set.last_space(self.players)

    def new_initial_state(self) -> PaysNoirState:
        return rules.new_state(self, self.deck, self.last_space, self.graded)

    def num_distinct_actions(self) -> int:
        return self.deck.actions

    def max_legal_actions(self) -> int:
        # N cards that hang together have at most 2N + 2 free edges, so no more places next to them.
        return max(2 * self.deck.total + 2, self.deck.hand + 1, self.deck.most_spots + 1)

    def max_chance_outcomes(self) -> int:
        return self.deck.types

    def max_game_length(self) -> int:
        # Each card but the start card is chosen, placed, turned, and bears a member or not.
        return 4 * (self.deck.total - 1)

    def observe(self, state: PaysNoirState, viewer: int) -> PaysNoirObservation:
        return observe.observe(state, viewer)

    def read_position(self, text: str) -> PaysNoirState:
        return position.read_position(self.new_initial_state(), text)

    def scene(self, observation: PaysNoirObservation) -> Scene:
        return scene.scene(observation, self.pictures)

    def backdrop(self) -> str:
        if not self._backdrop:
            self._backdrop = scene.backdrop(self.deck.cards)
        return self._backdrop

    def theme_meaning(self, theme: str) -> Phrase:
        return effects.MEANINGS.get(theme, NOTHING)

    def shows_scores(self, state: PaysNoirState, viewer: int) -> bool:
        return True

    def seat_colours(self) -> Sequence[str]:
        return FAMILIES[: self.players]

    @classmethod
    def words_in_data(cls) -> Sequence[str]:
        return [card.name for card in built_in_cards().cards if card.name]

    @classmethod
    def key(cls) -> Sequence[KeyEntry]:
        return KEY

    @classmethod
    def sounds(cls) -> Mapping[str, Sound]:
        return {"card": "card", "member": "wood"}

    def policy(self) -> Policy:
        return PaysNoirPolicy(self)

    def planes(self) -> Planes:
        return PaysNoirPlanes(self)

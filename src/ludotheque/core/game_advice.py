"""The advice of a game to players, bots and learners: estimates, policy, planes and premoves. Compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mypy_extensions import mypyc_attr

from ludotheque.core.game_picture import GamePicture
from ludotheque.core.game_setup import missing
from ludotheque.core.premoves import PremoveOffer


@mypyc_attr(allow_interpreted_subclasses=True)
class GameAdvice(GamePicture):
    """A game that advises."""

    # May, with the default; nothing is a must.

    def worth(self, state: Any) -> Sequence[int]:
        """A quick estimate of the score that each seat will end with. Default: the present score."""
        scores: list[int] = state.scores()
        return scores

    def policy(self) -> object:
        """A `ludotheque.Policy` for the bots. Default: None, and the bots consider all moves equally good. Callers use
        `ludotheque.policy_of(game)`. (`Policy` is built on `Game`, so its class is not known here.)"""
        return None

    def planes(self) -> object:
        """A `ludotheque.Planes`: how observations are written for learners. Default: None, and what a viewer sees is
        hashed. Callers use `ludotheque.planes_of(game)`."""
        return None

    def premove_context(self, state: Any) -> str:
        """Name the situation in which seats may decide ahead of their turn; their premoves end when the name changes.
        Default: empty, there are no premoves."""
        return ""

    def premove_offers(self, state: Any, seat: int) -> Sequence[PremoveOffer]:
        """The premoves that a seat may make. Default: none."""
        return ()

    def premove_action(self, state: Any, key: str, amount: int) -> int:
        """The action of the seat to act that follows from its premove."""
        raise missing(self, "premove_action")

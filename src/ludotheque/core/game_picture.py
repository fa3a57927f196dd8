"""The picture of a game: scene, backdrop, key and colours. Compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from mypy_extensions import mypyc_attr

from ludotheque.core.colours import SEAT_COLOURS
from ludotheque.core.game_setup import missing
from ludotheque.core.game_words import GameWords
from ludotheque.core.phrases import NOTHING, Phrase
from ludotheque.core.scene import KeyEntry, Overlay, Scene

Sound = Literal["card", "coin", "shuffle", "steam", "tile", "wood"]
"""The sound of a piece: by its matter, or by what it stands for."""
PICTURE_MUST: Final = ("scene", "backdrop")


@mypyc_attr(allow_interpreted_subclasses=True)
class GamePicture(GameWords):
    """A game that is drawn."""

    # Must.

    def scene(self, observation: Any) -> Scene:
        """The picture of an observation: pieces to draw over the backdrop."""
        raise missing(self, "scene")

    def backdrop(self) -> str:
        """The part of the picture that never changes during a match, as SVG: symbols, styles and board."""
        raise missing(self, "backdrop")

    # May, with the default.

    def moved_pieces(self, before: Any, action: int, after: Any, viewer: int) -> Sequence[str]:
        """The ids of the pieces of the scene that an action puts, moves or points at, the main one first, as far as
        `viewer` may know them: moves are drawn on the board by these. Default: the places of the first event."""
        seen = self.seen_events(before, action, after, viewer)
        return seen[0].places if seen else ()

    def before_clearing(self, before: Any, action: int, after: Any) -> Any:
        """The position (a `State`) that shows what an action did, where `after` does not, because the action also
        cleared the board, as at the end of a round. Moves are drawn, and events are told, on its board. Default:
        `after`."""
        return after

    def seat_colours(self) -> Sequence[str]:
        """The colour of each seat, in English (`colour_name` and `seat_letter` translate it). Default: six colours
        that the games of this package use for nothing else."""
        return [SEAT_COLOURS[seat % len(SEAT_COLOURS)] for seat in range(self.players)]

    @classmethod
    def key(cls) -> Sequence[KeyEntry]:
        """The key to the board: every symbol that needs an explanation. Default: none."""
        return ()

    @classmethod
    def sounds(cls) -> Mapping[str, Sound]:
        """The sounds that pieces make when they are laid, by the first part of their ids: `{"engine": "steam"}`.
        Others are silent then. Default: all sound like tiles."""
        return {}

    @classmethod
    def overlay_name(cls) -> Phrase:
        """The name of what a viewer can have drawn over the board on demand, in a word or two, for its button (see
        `overlay`). Default: nothing, and there is no button."""
        return NOTHING

    def overlay(self, state: Any, viewer: int) -> Overlay:
        """Return what is drawn over the board on demand, as far as `viewer` may know it: what cannot be seen at once,
        such as the areas that one more piece would close. Default: nothing."""
        return Overlay()

    # The whole picture follows.

    def svg(self, observation: Any) -> str:
        """The whole picture of an observation, as an SVG document."""
        return self.scene(observation).to_svg(self.backdrop())

"""Spaces and render modes that our environments for PettingZoo and Gymnasium share."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from ludotheque.arrays import row_size
from ludotheque.core.errors import BadOption
from ludotheque.core.game import Game
from ludotheque.core.layout import Layout

RENDER_MODES: Final = ["ansi"]
LARGEST: Final = 1e4
"""Features are scaled to lie around 0 to 1; none is ever larger than this."""


def observation_spaces(game: Game, layout: Layout) -> dict[str, Any]:
    """The spaces of what a seat sees, and of the mask of its actions."""
    mask = spaces.Box(0, 1, (game.num_distinct_actions(),), np.int8)
    return {"observation": spaces.Box(0.0, LARGEST, (row_size(layout),), np.float32), "action_mask": mask}


def check_render_mode(mode: str | None) -> str | None:
    """The render mode, if it is one that these environments have; `BadOption` otherwise."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"There is no render mode {mode!r} here: positions are drawn as text (ansi).")
    return mode

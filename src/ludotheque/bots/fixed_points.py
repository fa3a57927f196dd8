"""Ratings of levels that rated games with people do not change, in `fixed_points.toml` beside the class of a game.

`research/bots/fixed_points.py` writes the file from games between levels. A level is in it only where its interval is
narrow enough, and counts only with the error scales with which it was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ludotheque.bots.tuning import ForTables, error_scales
from ludotheque.core.game import Game
from ludotheque.core.registry import game_folder

WIDEST_MARGIN: Final = 150.0
"""The most points that half of a fixed point's 95% interval may have."""
FILE: Final = "fixed_points.toml"


class FixedPoint(Struct, frozen=True, array_like=True):
    """The rating of a level."""

    rating: float
    """On the scale of people's ratings."""
    margin: float
    """Half of its 95% interval."""


class FixedPoints(ForTables, frozen=True, kw_only=True):
    """The ratings of levels at some tables."""

    scales: tuple[float, ...]
    """The error scales of those tables when the levels were measured."""
    levels: dict[str, FixedPoint]


class _Page(Struct, frozen=True, forbid_unknown_fields=True):
    tables: tuple[FixedPoints, ...]


def known_fixed_points(kind: type[Game]) -> tuple[FixedPoints, ...]:
    """The fixed points of a game; empty if there is no file of them."""
    file = game_folder(kind) / FILE
    return _read(file) if file.is_file() else ()


@lru_cache(maxsize=64)
def _read(file: Path) -> tuple[FixedPoints, ...]:
    return msgspec.toml.decode(file.read_bytes(), type=_Page, strict=False).tables


def fixed_points(game: Game) -> Mapping[str, FixedPoint]:
    """The fixed points of a table, by level; none with a custom board or cards, nor after a change of error scales."""
    if any(option.kind == "document" and game.settings[option.name] is not None for option in game.options):
        return {}
    scales = tuple(error_scales(game))
    return next(
        (each.levels for each in known_fixed_points(type(game)) if each.fit(game) and each.scales == scales), {}
    )

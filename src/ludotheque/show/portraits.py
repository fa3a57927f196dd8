"""Portraits: the generated picture of a profile, always the same for the same id.

A meeple before a pattern: colours, pattern, headwear and face follow from the digest of the id. No text and no styles,
so the picture is safe wherever it is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeVar

T = TypeVar("T")
_GROUNDS: Final = ("#f3d9a4", "#c9e4de", "#f6c9c0", "#cfd8f0", "#e2d1ee", "#d8e6b5", "#f2e3ee", "#bfdcec")
_FIGURES: Final = ("#b3261e", "#1d5aa6", "#1f7a3d", "#8a4b08", "#6a3d9a", "#0c6b6b", "#9c2463", "#3d4451")
_MEEPLE: Final = (
    "M50 26c-9 0-15 6-15 14 0 3 1 5 2 7-10 3-21 7-21 14 0 4 4 6 10 6 5 0 9-1 12-2-2 9-9 17-9 23 0 3 2 4 5 4h10c3 0 4-1"
    " 6-6c2 5 3 6 6 6h10c3 0 5-1 5-4 0-6-7-14-9-23 3 1 7 2 12 2 6 0 10-2 10-6 0-7-11-11-21-14 1-2 2-4 2-7 0-8-6-14"
    "-15-14z"
)
_PATTERNS: Final = (
    "M0 20H100M0 50H100M0 80H100",
    "M20 0V100M50 0V100M80 0V100",
    "M-10 40L40 -10M-10 110L110 -10M60 110L110 60",
    "M50 50m-30 0a30 30 0 1 0 60 0a30 30 0 1 0-60 0M50 50m-44 0a44 44 0 1 0 88 0a44 44 0 1 0-88 0",
    "M50 50L0 0M50 50L100 0M50 50L0 100M50 50L100 100M50 50V-5M50 50H-5M50 50H105",
    "M0 30Q25 10 50 30T100 30M0 70Q25 50 50 70T100 70",
)
_HEADWEAR: Final = (
    "",
    "M33 30h34l-4-4v-13h-26v13z",
    "M34 31l-2-18 9 8 9-12 9 12 9-8-2 18z",
    "M33 33c0-12 8-19 17-19s17 7 17 19z",
    "M50 6l-14 25h28z",
    "M30 32c0-3 6-4 8-5 1-8 5-13 12-13s11 5 12 13c2 1 8 2 8 5z",
)
_FACES: Final = (
    "M44 39v4M56 39v4",
    "M42 41h5M53 41h5",
    "M44 38v4M56 38v4M46 47q4 4 8 0",
    "M40 40h8v5h-8zM52 40h8v5h-8zM48 41h4",
    "M44 39v4M53 41h6M46 48h8",
)


@lru_cache(maxsize=1024)
def portrait(id: str) -> str:
    """Draw the portrait of an id (SVG)."""
    choices = iter(hashlib.sha256(f"portrait {id}".encode()).digest())
    ground, figure = _pick(_GROUNDS, choices), _pick(_FIGURES, choices)
    hat_colour = _pick([colour for colour in _FIGURES if colour != figure], choices)
    pattern, hat, face = (_pick(shapes, choices) for shapes in (_PATTERNS, _HEADWEAR, _FACES))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<path d="M0 0h100v100H0z" fill="{ground}"/>'
        f'<path d="{pattern}" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="7"/>'
        f'<path d="{_MEEPLE}" fill="{figure}"/>'
        f'<path d="{hat}" fill="{hat_colour}" stroke="{ground}" stroke-width="1.5" stroke-linejoin="round"/>'
        f'<path d="{face}" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>'
        "</svg>"
    )


def _pick(values: Sequence[T], choices: Iterator[int]) -> T:
    return values[next(choices) % len(values)]

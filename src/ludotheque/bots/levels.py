"""Six levels of strength, the same idea in every game: how long a bot thinks, and how much it slips.

A level is a number of simulations, so that it plays the same on every machine; the time is what they take on one core
of a plain machine. A beginner does not play nonsense: it looks at the position as the others do, only briefly, and then
takes one of the moves that look good to it, now and then a worse one, as people do. How much such slips cost depends on
the game, so its policy says how big they are at each level.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ludotheque.bots.players import SearchBot
from ludotheque.bots.styles import STYLED_LEVELS, style_named
from ludotheque.bots.tuning import Style, error_scales, newcomer, speed
from ludotheque.core.errors import NoSuchBot
from ludotheque.core.game import Game
from ludotheque.core.phrases import Phrase, phrase

BUDGET_FACTOR: Final = 1.4
"""Largest number of simulations of a search, as a multiple of the mean. Without this it took two thirds to three
quarters of its time, since it stops early where the choice is clear."""
WIDE_LEVELS: Final = 3
"""Levels that may slip to any move which loses little by the lookahead, not only to those that a short search tried."""


class Level(Struct, frozen=True):
    """The strength of a bot."""

    number: int
    name: str
    title: Phrase
    seconds: float
    """Typical time for a move on one core, with all the decisions it is made of."""

    def simulations(self, game: Game, divisor: int = 1) -> int:
        """For each decision, at most, so that a move takes the level's time on one core, or that divided by a number:
        a search stops where the choice is clear, and what that saves goes to the moves that are hard."""
        known = speed(game)
        return max(8, round(BUDGET_FACTOR * self.seconds * known.simulations / known.decisions / divisor))

    def error_scale(self, game: Game) -> float:
        """The loss, as a part of the win, that makes a move half as likely as the best; strong levels never slip."""
        scales = error_scales(game)
        return scales[self.number - 1] if self.number <= len(scales) else 0.0


LEVELS: Final = (
    Level(1, "beginner", phrase("Beginner"), 0.03),
    Level(2, "casual", phrase("Casual player"), 0.04),
    Level(3, "club", phrase("Club player"), 0.06),
    Level(4, "strong", phrase("Strong player"), 0.25),
    Level(5, "expert", phrase("Expert"), 0.7),
    Level(6, "master", phrase("Master"), 5.0),
)


def level(number: int) -> Level:
    """The level of that number, from 1."""
    if not 1 <= number <= len(LEVELS):
        raise NoSuchBot(f"The levels are 1 to {len(LEVELS)}; there is no level {number}.")
    return LEVELS[number - 1]


def level_bot(number: float, game: Game, seed: int, divisor: int = 1, style: str = "") -> SearchBot:
    """A bot that plays at that level, or between two: 2.5 is halfway from 2 to 3; with a divisor, in a part of its
    time; in one of the game's styles, if the level has styles."""
    below, above, part = level(floor(number)), level(ceil(number)), number - floor(number)
    fewer, more = (each.simulations(game, divisor) for each in (below, above))
    chosen = _style(number, style, game) if style else _newcomer(number, game)
    return SearchBot(
        game,
        seed,
        simulations=round(fewer ** (1 - part) * more**part),
        error_scale=_scale_between(below.error_scale(game), above.error_scale(game), part)
        * (chosen.error if chosen else 1.0),
        slips_unseen=True if number <= WIDE_LEVELS else None,
        style=chosen,
    )


def _style(number: float, name: str, game: Game) -> Style:
    if number not in STYLED_LEVELS:
        raise NoSuchBot(f"The levels {STYLED_LEVELS[0]} to {STYLED_LEVELS[-1]} have styles; level {number:g} has none.")
    return style_named(name, game)


def _newcomer(number: float, game: Game) -> Style | None:
    """The style of level 1, less of it up to level 2; None from there on and where it has none."""
    style, part = newcomer(game), LEVELS[1].number - number
    if style is None or part <= 0:
        return None
    return replace(style, points=part * style.points, prospects=part * style.prospects)


def _scale_between(weak: float, strong: float, part: float) -> float:
    """Return the error scale between those of two levels, by ratio; by difference if the stronger never slips."""
    return float(weak ** (1 - part) * strong**part) if strong else weak * (1 - part)

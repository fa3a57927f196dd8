"""Tuning of the bots of a game, in `bots.toml` beside its class: how fast they search, how much weak levels slip, and
the styles of those in the middle.

`ludotheque calibrate --write` measures the speeds. Options that do not change the speed (a custom board, custom cards)
do not count. A table that is not in the file, or a game without one, has the estimates of its policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.policy import policy_of
from ludotheque.core.registry import game_folder


class Speed(Struct, frozen=True, array_like=True):
    """The speed of a search at one kind of table."""

    simulations: int
    """Simulations a second, on one core."""
    decisions: float
    """Decisions for each move at the table: to choose a card, its place, its turn."""


class ForTables(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """Constants of some tables."""

    seats: tuple[int, ...] = ()
    """The numbers of seats to which they apply; empty for any number."""
    options: dict[str, str] = {}
    """The values of options with which they apply."""

    def fit(self, game: Game) -> bool:
        """Whether they apply at this table."""
        values = settings_key(game, tuple(self.options))
        return values == _key(self.options) and game.players in (self.seats or (game.players,))


class ErrorScales(ForTables, frozen=True):
    """The error scales of some tables."""

    scales: tuple[float, ...]
    """The loss, as a part of the win, that makes a move half as likely as the best: at level 1, at level 2, and so on
    as far as levels slip."""
    eager: float = 0.0
    """The weight of the points in hand for level 1, as a style has it: newcomers take points as soon as they can. For
    tables where a larger error scale does not make a level weaker."""
    shortsighted: float = 0.0
    """The weight with which level 1 overlooks what its points may become, as a style with negative `prospects` does:
    newcomers do not see what a move brings later. For the same tables."""


class MergedLevels(ForTables, frozen=True):
    """Levels that some tables do not offer, because they play no better there than the next weaker one."""

    levels: tuple[int, ...]


class Style(ForTables, frozen=True, kw_only=True):
    """A way to play (`ludotheque.bots.styles`). Weights are in doublings: of two moves that look equally good, the one
    with most of a thing is 2 ** weight times as likely as the one with least; a negative weight avoids it."""

    name: str
    about: str
    """A line that tells a player what to expect, in English; the catalogues translate both."""
    points: float = 0.0
    """The weight of the points in hand at the end of the turn."""
    prospects: float = 0.0
    """The weight of the points that they may become."""
    rival: float = 0.0
    """The weight of the points that the best of the others can expect."""
    error: float = 1.0
    """The error scale, as a multiple of the level's, at which the style is as strong as the level without it."""


class Tuning(Struct, frozen=True, forbid_unknown_fields=True):
    """The tuning of one game."""

    error_scales: tuple[ErrorScales, ...] = ()
    """The first that fits a table counts."""
    merged: tuple[MergedLevels, ...] = ()
    styles: tuple[Style, ...] = ()
    """Those of a name that fit a table: the first counts."""
    speed_options: tuple[str, ...] = ()
    """The options that change the speed."""
    speeds: dict[str, dict[int, Speed]] = {}
    """Speeds by the values of those options and by seats."""


def tuning(kind: type[Game]) -> Tuning:
    """The tuning of a game; empty if there is no `bots.toml` beside its class."""
    file = tuning_file(kind)
    return _read(file) if file.is_file() else Tuning()


def tuning_file(kind: type[Game]) -> Path:
    """The file with the tuning of a game."""
    return game_folder(kind) / "bots.toml"


@lru_cache(maxsize=64)
def _read(file: Path) -> Tuning:
    return msgspec.toml.decode(file.read_bytes(), type=Tuning, strict=False)


def speed(game: Game) -> Speed:
    """The speed at this table, measured or estimated."""
    found = tuning(type(game))
    known = found.speeds.get(settings_key(game, found.speed_options), {}).get(game.players)
    if known is not None:
        return known
    policy = policy_of(game)
    return Speed(policy.simulations_per_second, policy.decisions_per_move)


def error_scales(game: Game) -> Sequence[float]:
    """The error scales of the levels that slip at this table."""
    tuned = _tuned_scales(game)
    return tuned.scales if tuned else policy_of(game).error_scales()


def newcomer(game: Game) -> Style | None:
    """The style of level 1 at this table; None if it has none."""
    tuned = _tuned_scales(game)
    if tuned is None or not (tuned.eager or tuned.shortsighted):
        return None
    return Style(name="newcomer", about="", points=tuned.eager, prospects=-tuned.shortsighted)


def _tuned_scales(game: Game) -> ErrorScales | None:
    """The first error scales that fit a table."""
    return next((each for each in tuning(type(game)).error_scales if each.fit(game)), None)


def merged_levels(game: Game) -> set[int]:
    """The levels that this table does not offer: a weaker one is as good."""
    return {level for each in tuning(type(game)).merged if each.fit(game) for level in each.levels}


def styles(game: Game) -> list[Style]:
    """The styles that this table offers."""
    by_name: dict[str, Style] = {}
    for style in tuning(type(game)).styles:
        if style.fit(game):
            by_name.setdefault(style.name, style)
    return [*by_name.values()]


def settings_key(game: Game, options: Sequence[str]) -> str:
    """The values of these options at a table, as the file names them."""
    known = {option.name: option for option in game.options}
    return _key({name: known[name].write(game.settings[name]) for name in options})


def _key(values: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())


# Writing.


def write_tuning(tuned: Tuning) -> str:
    """The text of a `bots.toml`, one line for each kind of table."""
    scales, merged, offered = (
        "".join(f"    {_inline(msgspec.to_builtins(each))},\n" for each in lines)
        for lines in (tuned.error_scales, tuned.merged, tuned.styles)
    )
    speeds = "".join(f"{_toml(key)} = {_inline(msgspec.to_builtins(at))}\n" for key, at in tuned.speeds.items())
    return _TEXT.format(
        scales=scales, merged=merged, styles=offered, options=_toml(list(tuned.speed_options)), speeds=speeds
    )


def _inline(table: Mapping[object, object]) -> str:
    return "{ " + ", ".join(f"{key} = {_toml(value)}" for key, value in table.items()) + " }"


def _toml(value: object) -> str:
    match value:
        case dict():
            return _inline(value)
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return msgspec.json.encode(value).decode()


_TEXT = """\
# Tuning of the bots (`ludotheque.bots.tuning`).

# The loss, as a part of the win, that makes a move half as likely as the best: at level 1, at level 2, and so on. The
# first line that fits a table counts. Level 1 likes points at once by `eager`, as a style does by `points`, and avoids
# what they may become by `shortsighted`, as a style does by negative `prospects`.
error_scales = [
{scales}]

# Levels that a table does not offer, because they play no better there than the next weaker one.
merged = [
{merged}]

# Styles of the middle levels: how likely they are to keep what they have in hand (`points`), to build on what it may
# become (`prospects`) and to leave something to the best of the others (`rival`).
styles = [
{styles}]

# The options that change the speed of a search.
speed_options = {options}

# Simulations a second on one core, and decisions for a move at the table, by those options and by seats, as measured by
# `ludotheque calibrate --write`.
[speeds]
{speeds}"""

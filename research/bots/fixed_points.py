"""Write the fixed points of ratings from games between levels.

`python -m research.bots.fixed_points RESULTS` takes the games from a folder of `ludotheque ladder --results` over into
`data/fixed-points.csv`, in place of older ones of the same pairing, seed and error scales, and writes
`fixed_points.toml` of each game. Games of several seeds count together. Games at error scales that are not today's stay
in the file and do not count.

A step between two levels is the difference of ratings at which the higher one wins as often as it did, in the model
that rates people: Plackett-Luce, whose spread grows with the number of seats. Level 1 is the anchor of every table,
because it was tuned by the same yardstick everywhere: its even share against players who look one action ahead
(`first-evening.md`). The margins of the steps from there add up as independent ones do. A level whose margin is wider
than `WIDEST_MARGIN` is left out, and with it all that are measured by way of it.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import hypot, log10, sqrt
from pathlib import Path
from statistics import mean
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ludotheque.bots.fixed_points import FILE, WIDEST_MARGIN, FixedPoint, FixedPoints
from ludotheque.bots.levels import LEVELS
from ludotheque.bots.tuning import error_scales
from ludotheque.core.game import Game
from ludotheque.core.registry import game_class, game_folder
from ludotheque.study.arena import Contest, Outcome
from ludotheque.study.pairing import Pairing, interval_of

DATA: Final = Path(__file__).parent / "data" / "fixed-points.csv"
ANCHOR: Final = FixedPoint(1200.0, 0.0)
"""Level 1. People begin with 1500, so a newcomer comes down to it."""
HEAD: Final = """\
# Ratings of levels that rated games with people do not change, written by research/bots/fixed_points.py: each with half
# of its 95% interval, for the error scales with which they were measured. Level 1 is the anchor.
tables = [
"""


class Step(Struct, frozen=True):
    """The games of a level against the next lower one at a kind of table."""

    game: str
    seats: int
    options: str
    """As in the file with fixed points: `companies=off rotation=off`."""
    scales: str
    """The error scales of the table, when the games were played."""
    bot: str
    against: str
    version: str
    """Version of the bots."""
    seed: int
    results: str
    """Each game by its number: 1 for a win of `bot`, 0, or = for half a win."""

    @property
    def counts(self) -> bool:
        """Whether both levels have the same error scales today."""
        below = int(self.against.removeprefix("bot:")) - 1
        then, now = map(float, self.scales.split()), scales_today(self)
        return [*then][below : below + 2] == [*now][below : below + 2]

    @property
    def shares(self) -> list[float]:
        return [{"1": 1.0, "0": 0.0, "=": 0.5}[result] for result in self.results]

    @property
    def rise(self) -> FixedPoint:
        """The rating of the higher level above the lower one: the middle of its interval, which is finite."""
        low, high = (self._difference(rate) for rate in interval_of(self.shares, self.seats))
        return FixedPoint((low + high) / 2, (high - low) / 2)

    def _difference(self, win_rate: float) -> float:
        """The difference of ratings at which the higher level wins this part of the games."""
        higher = self.seats // 2 if self.seats % 2 == 0 else 1
        if not 0 < win_rate < 1:
            return float("inf") if win_rate else -float("inf")
        odds = win_rate / (1 - win_rate) * (self.seats - higher) / higher
        return 400 * sqrt(self.seats / 2) * log10(odds)


# Games.


def read_results(file: Path) -> Step | None:
    """Return the games of a file of results between two levels, without a deal that is not complete."""
    head, *lines = file.read_bytes().splitlines()
    contest = msgspec.json.decode(head, type=Contest)
    played = sorted((msgspec.json.decode(line, type=Outcome) for line in lines), key=lambda game: game.number)
    whole = len(played) // contest.players * contest.players
    bot, against = contest.bots[0], contest.bots[-1]
    if whole < 2 * contest.players or not (bot.startswith("bot:") and against.startswith("bot:")):
        return None
    game = contest.load_game()
    chosen = [option for option in game.options if option.kind != "document"]
    written = [f"{option.name}={option.write(game.settings[option.name])}" for option in chosen]
    scales = " ".join(map(str, error_scales(game)))
    return Step(
        game=contest.game,
        seats=contest.players,
        options=" ".join(written),
        scales=scales,
        bot=bot,
        against=against,
        version=contest.version,
        seed=contest.seed,
        results="".join(_result(share) for share in Pairing(contest, played[:whole]).shares),
    )


def _result(share: float) -> str:
    return {1.0: "1", 0.0: "0"}.get(share, "=")


def read_steps() -> list[Step]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return [msgspec.convert(row, Step, strict=False) for row in csv.DictReader(file)]


def write_steps(steps: Iterable[Step]) -> None:
    with DATA.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, Step.__struct_fields__, lineterminator="\n")
        writer.writeheader()
        writer.writerows(msgspec.structs.asdict(step) for step in steps)


def _table(step: Step) -> tuple[str, int, str]:
    return step.game, step.seats, step.options


def _games(step: Step) -> tuple[object, ...]:
    """What tells the games of one run from those of others."""
    return *_table(step), step.bot, step.against, step.seed, step.scales


def scales_today(step: Step) -> tuple[float, ...]:
    """The error scales of the table now."""
    kind = game_class(step.game)
    options = {option.name: option for option in kind.options}
    settings = {name: options[name].read(value) for name, value in _options(step).items()}
    return tuple(error_scales(kind(step.seats, settings)))


def _options(step: Step) -> dict[str, str]:
    return dict(word.split("=") for word in step.options.split())


def pooled(steps: Iterable[Step]) -> list[Step]:
    """The steps whose games count, those of all seeds together."""
    found: dict[tuple[object, ...], Step] = {}
    for step in steps:
        key = *_table(step), step.bot, step.against
        earlier = found[key].results if key in found else ""
        if step.counts:
            found[key] = replace(step, results=earlier + step.results)
    return [*found.values()]


# Fixed points.


def levels_above(steps: Mapping[tuple[str, str], Step]) -> dict[str, FixedPoint]:
    """The levels that are known well enough, from the anchor up."""
    known = {str(LEVELS[0].number): ANCHOR}
    for below, above in pairwise(str(level.number) for level in LEVELS):
        step = steps.get((f"bot:{above}", f"bot:{below}"))
        if step is None:
            break
        margin = hypot(known[below].margin, step.rise.margin)
        if not margin <= WIDEST_MARGIN:
            break
        known[above] = FixedPoint(round(known[below].rating + step.rise.rating), round(margin))
    return known


def fixed_points_of(game: str, steps: Sequence[Step]) -> list[FixedPoints]:
    """The fixed points of the tables of a game at which more than the anchor is known."""
    found = []
    counting = [step for step in pooled(steps) if step.game == game]
    for table in dict.fromkeys(map(_table, counting)):
        at = [step for step in counting if _table(step) == table]
        levels = levels_above({(step.bot, step.against): step for step in at})
        if len(levels) > 1:
            scales = scales_today(at[0])
            found.append(FixedPoints(seats=(at[0].seats,), options=_options(at[0]), scales=scales, levels=levels))
    return found


def page(tables: Iterable[FixedPoints]) -> str:
    """The text of a game's file."""
    return HEAD + "".join(f"    {_toml(msgspec.to_builtins(table))},\n" for table in tables) + "]\n"


def _toml(value: object) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_toml(each)}" for name, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return msgspec.json.encode(value).decode()


def _key(name: str) -> str:
    return name if name.isidentifier() else msgspec.json.encode(name).decode()


def file_of(kind: type[Game]) -> Path:
    return game_folder(kind) / FILE


def main(folder: Path) -> None:
    """Take games over and write all files."""
    new = [step for file in sorted(folder.glob("*.jsonl")) if (step := read_results(file))]
    replaced = set(map(_games, new))
    old = read_steps() if DATA.is_file() else []
    steps = sorted(
        [*(step for step in old if _games(step) not in replaced), *new],
        key=lambda step: (*_table(step), step.bot, step.seed),
    )
    write_steps(steps)
    for step in pooled(steps):
        low, high = interval_of(step.shares, step.seats)
        title = f"{game_class(step.game).title}, {'The Companies, ' if 'companies=on' in step.options else ''}"
        print(
            f"| {title}{step.seats} seats "
            f"| {step.bot} | {step.against} | {len(step.results)} | {mean(step.shares):.1%} | {low:.0%} to {high:.0%} "
            f"| {step.rise.rating:.0f} ± {step.rise.margin:.0f} |"
        )
    for game in dict.fromkeys(step.game for step in steps):
        tables = fixed_points_of(game, steps)
        file_of(game_class(game)).unlink(missing_ok=True)
        if tables:
            file_of(game_class(game)).write_text(page(tables), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

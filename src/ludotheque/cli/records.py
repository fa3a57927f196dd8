"""`simulate`, `replay` and `render`: work with records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer
from librt.random import Random
from rich.table import Table

from ludotheque.cli.terminal import (
    Language,
    Options,
    Players,
    RecordFile,
    Seed,
    TableGame,
    console,
    make_folder,
    print_json,
    progress,
    read_viewer,
    set_up,
    write_file,
)
from ludotheque.core.errors import BadOption
from ludotheque.core.game import SPECTATOR, TERMINAL, Game
from ludotheque.core.options import OptionValue
from ludotheque.core.seeds import seed_bytes, seed_number
from ludotheque.table import Dice, Match, Record, View, read_record, write_json, write_text

At = Annotated[
    int | None, typer.Option("--at", show_default="the last", help="The ply to show, counting moves and draws.")
]
As = Annotated[str, typer.Option("--as", metavar="SEAT", help="Whose view: a seat (1, 2, ...) or spectator.")]


def register(app: typer.Typer) -> None:
    app.command()(simulate)
    app.command()(replay)
    app.command()(render)


def simulate(
    game: TableGame,
    players: Players = 0,
    seed: Seed = 1,
    option: Options = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Save a record of each game there.")] = None,
    text: Annotated[bool, typer.Option("--text", help="Save records as text instead of JSON.")] = False,
) -> None:
    """Play random games, print statistics, and save records.

    Example: `ludotheque simulate cable-car --players 4 --option companies=on --games 100 --out games`
    """
    table = set_up(game, players, option)
    if out is not None:
        make_folder(out)
    results = []
    with progress("Playing", games) as advance:
        for number in range(1, games + 1):
            match = random_match(table, seed, number)
            view = match.view()
            results.append(_Result(view.decisions, view.scores, view.returns))
            if out is not None:
                name = f"{table.name}-{seed}-{number:0{len(str(games))}}"
                _write(Record.full(match), out / f"{name}.{'txt' if text else 'json'}")
            advance()
    console.print(_summary(table, results))


def _write(record: Record, path: Path) -> None:
    write_file(path, write_text(record) if path.suffix == ".txt" else write_json(record), silent=True)


class _Result(msgspec.Struct, frozen=True):
    """The facts of a game for the statistics: whole views of many games would fill the memory."""

    decisions: int
    scores: tuple[int, ...]
    returns: tuple[float, ...]


def random_match(game: Game, seed: int, number: int) -> Match:
    """Play the random game with this number to its end; dice and moves follow from the seed."""
    rng = Random(seed_number(seed, number, "moves"))
    match = Match.start(game, dice=Dice(seed_bytes(seed, number, "dice")) if game.has_chance else None)
    while not match.is_over:
        match.play(match.to_move, int(match.resampled(match.to_move, rng).sample(rng)))
    return match


def _summary(game: Game, results: list[_Result]) -> Table:
    games = len(results)
    moves = sum(result.decisions for result in results) / games
    counted = "1 random game" if games == 1 else f"{games} random games"
    table = Table("Seat", "Wins", "Mean score", "Min", "Max", title=f"{game.title}: {counted}, {moves:.1f} moves each")
    for seat in range(game.players):
        scores = [result.scores[seat] for result in results]
        wins = sum(result.returns[seat] for result in results)
        table.add_row(str(seat + 1), f"{wins:g}", f"{sum(scores) / games:.1f}", str(min(scores)), str(max(scores)))
    return table


def replay(
    record: RecordFile,
    at: At = None,
    viewer: As = "spectator",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a record against the rules, and print a position and the scores.

    Example: `ludotheque replay games/cable-car-1-1.json --at 40 --as 2`
    """
    match = read_record(record).to_match()
    view = match.view(read_viewer(viewer, match.game.players), at)
    if as_json:
        print_json(_replayed(match, view))
        return
    print(view.observation)
    for line in view.log[-4:]:
        print(f"{line.ply:>4}. {line.phrase.render(names=view.names)}")
    print(f"Ply {view.ply} of {view.last_ply}." + ("" if view.to_move == TERMINAL else " The game is not over here."))
    if view.scores:
        for name, score, share in zip(view.names, view.scores, view.returns, strict=True):
            won = " (wins)" if share == 1 else " (shares the win)" if share else ""
            print(f"{name}: {match.game.score_text(score)}{won}")


class ReplayedPosition(msgspec.Struct, frozen=True, kw_only=True):
    """The object that `replay --json` prints."""

    game: str
    players: int
    settings: dict[str, OptionValue]
    names: tuple[str, ...]
    viewer: int | Literal["spectator"]
    """A seat, counted from 1."""
    ply: int
    last_ply: int
    to_move: int
    observation: Any
    log: tuple[ReplayedLine, ...]
    scores: tuple[int, ...] | None
    """None before the end, as `returns`."""
    returns: tuple[float, ...] | None


class ReplayedLine(msgspec.Struct, frozen=True):
    """A line of the log."""

    ply: int
    text: str


def _replayed(match: Match, view: View) -> ReplayedPosition:
    return ReplayedPosition(
        game=match.game.name,
        players=match.game.players,
        settings=match.game.settings,
        names=view.names,
        viewer="spectator" if view.viewer == SPECTATOR else view.viewer + 1,
        ply=view.ply,
        last_ply=view.last_ply,
        to_move=view.to_move,
        observation=view.observation,
        log=tuple(ReplayedLine(line.ply, line.phrase.render(names=view.names)) for line in view.log),
        scores=view.scores or None,
        returns=view.returns or None,
    )


def render(
    record: RecordFile,
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="FILE", help="The file to write: .svg for a position, .html for the whole match."
        ),
    ],
    at: At = None,
    viewer: As = "spectator",
    language: Language = "en",
) -> None:
    """Draw a position of a record as SVG, or write the whole match as a page that replays it offline.

    Examples: `ludotheque render games/cable-car-1-1.json --at 40 --out board.svg` ·
    `ludotheque render games/cable-car-1-1.json --out game.html`
    """
    match = read_record(record).to_match()
    seat = read_viewer(viewer, match.game.players)
    kind = out.suffix.lower()
    if kind in (".html", ".htm"):
        from ludotheque.show.offline import replay_file

        write_file(out, replay_file(match, seat, language, at))
    elif kind == ".svg":
        from ludotheque.show.language import game_translator

        scene = match.viewing.scene(seat, at)
        write_file(out, scene.to_svg(match.game.backdrop(), game_translator(match.game.name, language), match.names))
    else:
        raise BadOption(f"The output file must end in .svg or .html, not {out.name[:40]!r}.")

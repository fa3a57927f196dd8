"""`puzzles`: make puzzles from games of bots, and check those there are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludotheque.cli.terminal import GameName, Jobs, Options, Players, TableGame, fail, set_up, write_file
from ludotheque.core.errors import BadPuzzle
from ludotheque.core.registry import game_class, game_folder
from ludotheque.study.puzzle_making import confirm_puzzles, graded, judge_puzzles_again, look, make_puzzles
from ludotheque.study.puzzles import Puzzle, puzzles as puzzles_of

puzzles = typer.Typer(help="Make and check puzzles.", no_args_is_help=True)
File = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", show_default="the game's own puzzles.json", help="The file of puzzles."),
]


def register(app: typer.Typer) -> None:
    app.add_typer(puzzles, name="puzzles")


@puzzles.command()
def make(
    game: TableGame,
    count: Annotated[int, typer.Option("--count", min=1, help="Number of puzzles to look for.")] = 60,
    players: Players = 0,
    option: Options = None,
    simulations: Annotated[
        int, typer.Option("--simulations", min=100, help="Simulations of each of the two long searches.")
    ] = 20000,
    bot_simulations: Annotated[
        int, typer.Option("--bot-simulations", min=8, help="Simulations per move of the bots that play.")
    ] = 2000,
    seconds: Annotated[float, typer.Option("--seconds", min=1, help="Seconds to look for puzzles, at most.")] = 600.0,
    confirming: Annotated[
        float,
        typer.Option(
            "--confirm",
            min=0,
            show_default="do not confirm",
            help="Seconds to confirm them, by searches ten times as long.",
        ),
    ] = 0.0,
    theme: Annotated[
        list[str] | None,
        typer.Option("--theme", metavar="NAME", help="Keep only puzzles of this theme; repeatable."),
    ] = None,
    skip: Annotated[
        int,
        typer.Option("--skip", min=0, help="Plies of each game that a quick bot plays before the search begins."),
    ] = 0,
    first: Annotated[int, typer.Option("--first", min=0, help="Number of the first bot game to search.")] = 0,
    jobs: Jobs = 1,
    out: File = None,
) -> None:
    """Find positions of strong bots' games where one move is clearly best, and add them to the game's puzzles.

    Example: `ludotheque puzzles make cable-car --count 20 --seconds 60 --jobs 2`
    """
    table = set_up(game, players, option)
    page = out or _page(table.name)
    known = _read(page, table.name)
    found = make_puzzles(
        table,
        count=count,
        simulations=simulations,
        bot_simulations=bot_simulations,
        seconds=seconds,
        jobs=jobs,
        first=first,
        themes=theme or (),
        skipped=skip,
    )
    print(f"Found {len(found)}.")
    if confirming and found:
        found = confirm_puzzles(found, seconds=confirming, jobs=jobs)
        print(_confirmations(found))
    _keep(page, [*known, *found])


def _page(game: str) -> Path:
    return game_folder(game_class(game)) / "puzzles.json"


def _read(page: Path, game: str) -> list[Puzzle]:
    """The puzzles of a file; none if there is none."""
    try:
        found = msgspec.json.decode(page.read_bytes(), type=list[Puzzle]) if page.is_file() else []
    except (OSError, msgspec.DecodeError) as error:
        raise BadPuzzle(f"The file {str(page)!r} does not hold puzzles: {error}.") from error
    return [msgspec.structs.replace(puzzle, game=game) for puzzle in found]


def _keep(page: Path, found: list[Puzzle]) -> None:
    """Write the puzzles, each once, without those that a longer search refuted."""
    kept = {puzzle.id: puzzle for puzzle in found if puzzle.evidence.confirmed is not False}
    write_file(page, _written(list(kept.values())))


def _written(found: list[Puzzle]) -> str:
    """One puzzle to a line, so that changes can be read."""
    lines = (msgspec.json.encode(msgspec.structs.replace(puzzle, game="")).decode() for puzzle in found)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _confirmations(found: list[Puzzle]) -> str:
    answers = Counter(puzzle.evidence.confirmed for puzzle in found)
    tried = answers[True] + answers[False]
    return f"A search ten times as long confirms {answers[True]} of {tried}; {answers[None]} were not tried."


@puzzles.command()
def confirm(
    game: GameName,
    seconds: Annotated[float, typer.Option("--seconds", min=1, help="Seconds to search, at most.")] = 600.0,
    jobs: Jobs = 1,
    out: File = None,
) -> None:
    """Search unconfirmed puzzles for ten times as long as before, and drop those that are refuted.

    Example: `ludotheque puzzles confirm pays-noir --seconds 60 --jobs 2`
    """
    page = out or _page(game)
    known = _read(page, game)
    open_ones = [puzzle for puzzle in known if puzzle.evidence.confirmed is None]
    found = confirm_puzzles(open_ones, seconds=seconds, jobs=jobs)
    print(_confirmations(found))
    _keep(page, [*(puzzle for puzzle in known if puzzle.evidence.confirmed), *found])


@puzzles.command()
def judge(game: GameName, jobs: Jobs = 1, out: File = None) -> None:
    """Search every puzzle again as when it was made, for use after a change of the search, the policy or the themes.

    Values and themes are written anew; puzzles in which no move is clearly best any more are dropped.

    Example: `ludotheque puzzles judge cable-car --jobs 2`
    """
    page = out or _page(game)
    known = _read(page, game)
    found = judge_puzzles_again(known, jobs=jobs)
    print(f"{len(found)} of {len(known)} are still puzzles.")
    _keep(page, found)


@puzzles.command()
def grade(game: GameName, out: File = None) -> None:
    """Count for every puzzle how many short searches find its best move: the fewer, the harder.

    Example: `ludotheque puzzles grade passerelles`
    """
    page = out or _page(game)
    _keep(page, [graded(puzzle) for puzzle in _read(page, game)])


@puzzles.command()
def check(
    game: GameName,
    simulations: Annotated[
        int, typer.Option("--simulations", min=0, show_default="as when it was made", help="Simulations per puzzle.")
    ] = 0,
) -> None:
    """Search every puzzle of a game once more, and report those where another move is found.

    Example: `ludotheque puzzles check passerelles --simulations 2000`
    """
    found = puzzles_of(game_class(game))
    if not found:
        raise BadPuzzle(f"{game_class(game).title} has no puzzles.")
    missed = [puzzle for puzzle in found if not _is_found(puzzle, simulations)]
    for puzzle in missed:
        print(f"{puzzle.id}: another move is found.")
    print(f"{len(found) - len(missed)} of {len(found)} best moves are found.")
    if missed:
        fail(f"{len(missed)} puzzles of {game} are in doubt.")


def _is_found(puzzle: Puzzle, simulations: int) -> bool:
    budget = simulations or puzzle.evidence.simulations
    return look(puzzle.state(), puzzle.seat, budget, seed=1).best == puzzle.best

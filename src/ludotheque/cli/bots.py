"""`arena`, `ladder` and `hint`: measure the bots and ask them for a move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.box import SIMPLE
from rich.table import Table

from ludotheque.bots.registry import bot_title, check_bot
from ludotheque.cli.terminal import (
    Jobs,
    Options,
    Players,
    RecordFile,
    Seed,
    TableGame,
    console,
    fail,
    game_kind,
    make_folder,
    print_json,
    progress,
    set_up,
    write_file,
)
from ludotheque.core.game import Game
from ludotheque.core.turn import CLOCK
from ludotheque.study.arena import (
    Contest,
    Outcome,
    Report,
    Runner,
    make_report,
    on_ray,
    run_contest,
    runner_on,
)
from ludotheque.study.hints import BotMove, Hint, bot_move, hints
from ludotheque.study.ladder import custom_pairings, is_level, pairings, play_ladder, section, with_section
from ludotheque.table import Match, read_record

ClockOption = Annotated[
    float,
    typer.Option("--clock", min=0.01, max=86400, help="Seconds per move for custom bots; a slower one loses."),
]
On = Annotated[
    Literal["cores", "ray"], typer.Option("--on", help="Run on the cores of this machine or on a Ray cluster.")
]


def register(app: typer.Typer) -> None:
    app.command()(arena)
    app.command()(ladder)
    app.command()(hint)


def arena(
    game: TableGame,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT BOT...",
            help="random, myopic, greedy, policy, bot:1 to bot:6, bot:3-patient, search:2000, search:1.5s, an "
            "installed bot, python:package.module:Class, engine:COMMAND, or one of these with a name: "
            "NAME=engine:COMMAND.",
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", min=1, help="Number of games; each deal is played once per rotation of the bots.")
    ] = 20,
    players: Annotated[
        int, typer.Option("--players", min=0, show_default="one per bot, up to the maximum", help="Number of players.")
    ] = 0,
    seed: Seed = 1,
    option: Options = None,
    jobs: Jobs = 1,
    on: On = "cores",
    results: Annotated[
        Path | None, typer.Option("--results", metavar="FILE", help="Save results there, and resume from them.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            metavar="DIR",
            help="Save a record of every game there (with Ray, on the machine that played it).",
        ),
    ] = None,
    clock: ClockOption = CLOCK,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play bots against each other, in every seat with the same dice, and print how strong they are.

    Examples: `ludotheque arena cable-car bot:3 greedy --games 100 --jobs 2` ·
    `ludotheque arena cable-car bot:3 policy policy --players 3 --results arena.jsonl`
    """
    table = set_up(game, players, option, default_players=min(len(bots), game_kind(game).max_players))
    contest = Contest(table.name, table.players, table.settings, tuple(bots), seed, clock=clock)
    contest.check()
    if records is not None:
        make_folder(records)
    with _interruptible(), progress("Playing", games) as advance:
        outcomes = run_contest(contest, games, _runner(jobs, on), results, records, _advance_each(advance))
    found = make_report(contest, outcomes)
    if as_json:
        print_json(found)
    else:
        console.print(_standings(table, found))
        console.print(_cross_table(found))
    for outcome in outcomes:
        if outcome.failure:
            print(f"Game {outcome.number + 1} was lost. {outcome.failure}", file=sys.stderr)


def _runner(jobs: int, on: str) -> Runner:
    return on_ray if on == "ray" else runner_on(jobs)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Turn Ctrl-C into a message."""
    try:
        yield
    except KeyboardInterrupt:
        fail("Interrupted; results already written to a file are kept.")


def _advance_each(advance: Callable[[], None]) -> Callable[[Outcome], None]:
    """Return a callback that advances the progress bar by one game."""
    return lambda outcome: advance()


def _standings(game: Game, found: Report) -> Table:
    columns = ("Bot", "Games", "Wins", "Win rate", "Mean score", "Rating", "95% interval", "Time per move")
    table = Table(*columns, box=SIMPLE, title=f"{game.title}, {game.players} seats: {found.games} games")
    for bot in found.bots:
        rated = f"{bot.rating:.0f}", f"{bot.rating_low:.0f} to {bot.rating_high:.0f}"
        figures = str(bot.games), f"{bot.wins:g}", f"{bot.win_rate:.1%}", f"{bot.mean_score:.1f}"
        table.add_row(bot_title(bot.name), *figures, *rated, f"{1000 * bot.seconds_per_move:.1f} ms")
    return table


def _cross_table(found: Report) -> Table:
    names = [bot.name for bot in found.bots]
    table = Table("Finishes ahead of", *map(bot_title, names), box=SIMPLE)
    for name in names:
        cells = [found.beats.get(name, {}).get(other) for other in names]
        table.add_row(bot_title(name), *("" if cell is None else f"{cell:.1%}" for cell in cells))
    return table


def ladder(
    game: TableGame,
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games of each pairing.")] = 40,
    plain: Annotated[
        int, typer.Option("--plain", min=0, show_default="as --games", help="Number of games against each plain bot.")
    ] = 0,
    top: Annotated[
        int, typer.Option("--top", min=2, max=6, help="The highest level to measure; high levels take long.")
    ] = 5,
    divisor: Annotated[
        int,
        typer.Option("--divide-time", metavar="N", min=1, max=9999, help="Give every level 1/N of its simulations."),
    ] = 1,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="BOT", help="Measure a custom bot too: NAME=python:... or NAME=engine:..."),
    ] = None,
    players: Players = 0,
    seed: Seed = 1,
    option: Options = None,
    jobs: Jobs = 1,
    on: On = "cores",
    results: Annotated[
        Path | None,
        typer.Option("--results", "--resume", metavar="DIR", help="Save results there, and resume from them."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The page to write.")] = Path("ladder.md"),
) -> None:
    """Measure the bot levels of a game against each other and the plain bots, and write the page of results.

    Each level plays the one below it; the lowest plays `random` and `greedy`, the highest also `policy`. A custom bot
    plays these three and every level.

    Example: `ludotheque ladder cable-car --games 100 --plain 40 --jobs 2 --results ladder`
    """
    table = set_up(game, players, option)
    custom = bot or []
    for name in custom:
        check_bot(name, table)
    total = sum(
        games if is_level(other) else plain or games for _, other in [*pairings(top), *custom_pairings(custom, top)]
    )
    # Fail before hours of play, not after them, if the page cannot be written.
    page = out.read_text(encoding="utf-8") if out.exists() else ""
    make_folder(out.parent)
    if results is not None:
        make_folder(results)
    with _interruptible(), progress("Playing", total) as advance:
        played = play_ladder(
            table,
            games,
            plain=plain,
            top=top,
            divisor=divisor,
            custom=custom,
            seed=seed,
            run=_runner(jobs, on),
            folder=results,
            on_outcome=_advance_each(advance),
        )
    text = section(table, played)
    print(text)
    write_file(out, with_section(page, text))


def hint(
    record: RecordFile,
    at: Annotated[int | None, typer.Option("--at", show_default="the last", help="The ply to look at.")] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=600, help="Seconds that the bot thinks, on one core.")
    ] = 2.0,
    jobs: Jobs = 1,
    most: Annotated[int, typer.Option("--moves", min=1, max=20, help="Number of moves to show.")] = 3,
    bot: Annotated[
        str, typer.Option("--bot", metavar="BOT", show_default="the search", help="The bot to ask for its move.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Print what a bot would play: its best moves, the result it expects for each seat, and why.

    Examples: `ludotheque hint games/cable-car-1-1.json --at 40 --seconds 1` ·
    `ludotheque hint games/cable-car-1-1.json --at 40 --bot python:my_package:MyBot`
    """
    match = read_record(record).to_match()
    ply = match.ply if at is None else at
    if bot:
        _print_bot_move(match, bot_move(match, ply, bot), as_json)
        return
    found = hints(match, ply, seconds=seconds, workers=jobs, most=most)
    if as_json:
        print_json(found)
    else:
        console.print(_hints(match, match.view(at=ply).to_move, found))
        for move in found:
            console.print(f"{move.move}: {move.reason.render(names=match.names)}")


def _print_bot_move(match: Match, found: BotMove, as_json: bool) -> None:
    if as_json:
        print_json(found)
    else:
        console.print(f"{found.bot} would play {found.move}: {found.words.render(names=match.names)}", markup=False)


def _hints(match: Match, seat: int, found: list[Hint]) -> Table:
    unit = str(match.game.unit()).lower()
    title = f"{match.names[seat]} to move. Expected {unit}, and wins in 100 games from here"
    table = Table("Move", *match.names, "Visits", "Likely continuation", box=SIMPLE, title=title)
    for move in found:
        expected = [f"{score:.0f}, {100 * share:.0f}" for score, share in zip(move.scores, move.returns, strict=True)]
        expected[seat] += f" (± {move.score_margin:.1f}, {100 * move.margin:.1f})"
        visits = "exact" if move.certain else "round" if move.exact else str(move.visits)
        table.add_row(move.move, *expected, visits, ", ".join(move.follows[:4]))
    return table

"""`play`: a game at the terminal, from the same tree of choices as everywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from librt.random import Random
from rich.columns import Columns
from rich.text import Text

from ludotheque.bots.names import bot_named
from ludotheque.bots.players import Bot
from ludotheque.cli.terminal import Options, console, read_number, set_up, write_file
from ludotheque.core.choices import Choice
from ludotheque.core.errors import LudothequeError, MoveError
from ludotheque.core.game import SPECTATOR
from ludotheque.core.registry import game_class, game_names
from ludotheque.table import Match, Record, View, write_json, write_text

MANY = 8
"""More choices than this are not listed one to a line."""

HELP = """Type the number of a choice or its words, or a whole move such as the log shows.
  back   to the choices before     undo   to take a move back
  log    all that has happened     save FILE   write the record so far
  quit   to leave"""


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game; none: you are asked.")] = "",
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="WHO",
            help="Who sits there: me, me:NAME, or a bot such as bot:3 (bot:1 to bot:5); repeatable.",
        ),
    ] = None,
    option: Options = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the record there at the end.")
    ] = None,
) -> None:
    """Play a game at the terminal, alone or several at one keyboard.

    Examples: `ludotheque play cable-car` · `ludotheque play cable-car --seat me:Ann --seat bot:3 --seat me:Bob`
    """
    name = game or _ask_game()
    who = seat or ["me"] + ["bot:2"] * (game_class(name).min_players - 1)
    table = set_up(name, len(who), option)
    bots = [None if word.partition(":")[0] == "me" else bot_named(word, table, _luck()) for word in who]
    match = Match.start(table, [_seat_name(word, number) for number, word in enumerate(who, 1)])
    try:
        Terminal(match, bots).play()
    except KeyboardInterrupt:  # while a bot was thinking
        console.print()
    if save is not None:
        save_record(match, save)


def _ask_game() -> str:
    names = game_names()
    for number, name in enumerate(names, 1):
        kind = game_class(name)
        console.print(Text.assemble(f"{number}. ", (kind.title, "bold"), f": {kind.sentence}"))
    while True:
        answer = ask("Which game? ")
        if answer == "quit":
            raise typer.Exit
        chosen = read_number(answer)
        if chosen is not None and 1 <= chosen <= len(names):
            return names[chosen - 1]
        if answer in names:
            return answer
        console.print(f"Type a number from 1 to {len(names)}, or quit.")


def ask(prompt: str) -> str:
    """What a person types; `quit` at the end of the input."""
    try:
        return console.input(prompt, markup=False, emoji=False).strip()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return "quit"


def _seat_name(word: str, number: int) -> str:
    """What a seat is called: a person by name, a bot by its own name and the seat."""
    kind, _, name = word.partition(":")
    if kind == "me":
        return name or f"Seat {number}"
    return f"{word.capitalize()} ({number})"


def _luck() -> int:
    """A seed that nobody foresees."""
    return int(Random().randrange(2**53))


def save_record(match: Match, path: Path) -> None:
    """Write all of a finished game, or what a spectator saw of a running one."""
    record = Record.seen_by(match)
    write_file(path, write_text(record) if path.suffix == ".txt" else write_json(record))


class Terminal:
    """A match between the people at one keyboard and bots."""

    def __init__(self, match: Match, bots: Sequence[Bot | None]) -> None:
        self.match = match
        self.bots = bots
        self.people = [bot is None for bot in bots]
        self.rng = Random()
        self.looking = SPECTATOR
        """Whose eyes are on the screen."""
        self.told = 0
        """How many lines of the log have been shown."""

    def play(self) -> None:
        """Until the game is over, or everybody has left."""
        while not self.match.is_over:
            seat = self.match.to_move
            bot = self.bots[seat]
            if bot is not None:
                self.match.play(seat, bot.choose(self.match.resampled(seat, self.rng), seat))
            elif not self.turn(seat):
                return
        self.show(self.match.view(self.looking))

    def turn(self, seat: int) -> bool:
        """Let a person move; whether they stay."""
        if sum(self.people) > 1 and seat != self.looking and self.match.game.has_hidden_information:
            console.clear()
            if ask(f"{self.match.names[seat]}, press Enter when only you can see the screen. ") == "quit":
                return False
            self.told = 0
        self.looking = seat
        view = self.match.view(seat)
        self.show(view)
        return self.choose(view)

    def show(self, view: View) -> None:
        print()
        print(view.observation)
        print()
        self.told = min(self.told, len(view.log))
        for line in view.log[self.told :][-12:]:
            print(line.phrase.render(names=view.names))
        self.told = len(view.log)

    def choose(self, view: View) -> bool:
        """Narrow the choices until a move has been made; whether the person stays."""
        path: list[Choice] = []
        while True:
            offered = path[-1].children if path else view.choices
            if len(offered) == 1 and offered[0].action is None:
                path.append(offered[0])
                continue
            list_choices(offered)
            answer = ask(f"{view.names[view.viewer]}> ")
            if answer == "quit":
                return False
            if answer == "back":
                path = []
                continue
            if self.command(answer):
                if self.match.ply != view.ply:
                    return True
                continue
            chosen = find_choice(offered, answer)
            if chosen is not None and chosen.action is None:
                path.append(chosen)
                continue
            if self.move(view.viewer, answer if chosen is None or chosen.action is None else chosen.action):
                return True

    def command(self, answer: str) -> bool:
        """Carry out what is not a move; whether it was such a thing."""
        word, _, rest = answer.partition(" ")
        if word in ("help", "?", "h"):
            console.print(HELP)
        elif word == "log":
            view = self.match.view(self.looking)
            for line in view.log:
                print(f"{line.ply:>4}. {line.phrase.render(names=view.names)}")
        elif word == "save" and rest:
            self.save(Path(rest))
        elif word == "undo":
            self.undo()
        else:
            return not answer
        return True

    def save(self, path: Path) -> None:
        """Write the record so far; a file that cannot be written ends no game."""
        try:
            save_record(self.match, path)
        except LudothequeError as error:
            console.print(str(error))

    def undo(self) -> None:
        """Take a move back by the rules of the table; against bots, freely to one's own last move."""
        seat = self.looking
        try:
            self.match.undo(seat)
        except LudothequeError as error:
            mine = [ply for ply, (who, _) in enumerate(self.match.actions()) if who == seat]
            if sum(self.people) > 1 or not mine:
                console.print(str(error))
                return
            self.match.take_back(mine[-1])

    def move(self, seat: int, move: int | str) -> bool:
        try:
            self.match.play(seat, move)
        except MoveError as error:
            console.print(f"{error} Type help for help.")
            return False
        return True


def _amounts(offered: Sequence[Choice]) -> dict[str, Choice]:
    """The choices by their amounts, where all of them are amounts, such as bids."""
    amounts = {choice.step.key.partition(":")[2]: choice for choice in offered}
    return amounts if len(amounts) == len(offered) and all(map(str.isdecimal, amounts)) else {}


def _numbered(offered: Sequence[Choice]) -> dict[str, Choice]:
    """The choices by the numbers to type: their amounts, or their places in the list."""
    return _amounts(offered) or {str(number): choice for number, choice in enumerate(offered, 1)}


def list_choices(offered: Sequence[Choice]) -> None:
    """Print what can be chosen, with numbers to type."""
    if len(amounts := list(_amounts(offered))) > MANY:
        console.print(f"Type an amount from {amounts[0]} to {amounts[-1]}.")
        return
    numbered = _numbered(offered).items()
    words = [Text.assemble((f"{number:>3}", "dim"), f" {choice.step.label}") for number, choice in numbered]
    console.print(Columns(words) if len(words) > MANY else Text("\n").join(words))


def find_choice(offered: Sequence[Choice], answer: str) -> Choice | None:
    """The choice that a number, its words or the end of its key names."""
    number = answer.removeprefix("$")
    if number.isdecimal():
        return _numbered(offered).get(number)
    for choice in offered:
        key = choice.step.key.lower()
        if answer.lower() in (str(choice.step.label).lower(), key, key.partition(":")[2]):
            return choice
    return None

"""`play`: a game at the terminal, with the same tree of choices as in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from librt.random import Random
from rich.columns import Columns
from rich.text import Text

from ludotheque.bots.bot import Bot
from ludotheque.bots.registry import bot_title, seat_bot
from ludotheque.cli.greeting import slowness
from ludotheque.cli.scene_text import scene_lines
from ludotheque.cli.terminal import Options, console, read_number, set_up, write_file
from ludotheque.core.choices import Choice
from ludotheque.core.errors import BadOption, BotFailed, LudothequeError, MoveError
from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import ENGLISH, Translation, phrase
from ludotheque.core.registry import game_classes
from ludotheque.core.turn import CLOCK
from ludotheque.table import Match, Record, View, write_json, write_text
from ludotheque.table.names import placeholder_names

MANY = 8
"""Up to this many choices are listed one per line."""

HELP = """Type the number or the label of a choice, or a whole move in the notation of the log.
  back   return to the first choice   undo        undo a move
  log    show the whole log           save FILE   save the record so far
  quit   leave the game"""


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", show_default="you are asked", help="A game, such as cable-car or cable_car(players=3)."
        ),
    ] = "",
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="WHO",
            show_default="you, then bots of level 2",
            help="Who plays the next seat: me, me:NAME, or a bot (bot:1 to bot:6, bot:3-patient, "
            "python:package.module:Class, engine:COMMAND); repeatable.",
        ),
    ] = None,
    option: Options = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Save the record there at the end.")
    ] = None,
) -> None:
    """Play a game at the terminal, against bots or with several people at one keyboard.

    Examples: `ludotheque play cable-car` · `ludotheque play cable-car --seat me:Ann --seat bot:3 --seat me:Bob`
    """
    table = set_up(game or _ask_game(), 0, option, default_players=len(seat or []))
    who = seat or ["me"] + ["bot:2"] * (table.players - 1)
    if len(who) != table.players:
        raise BadOption(f"A game of {table.players} players takes {table.players} times --seat, not {len(who)}.")
    bots = [
        None if word.partition(":")[0] == "me" else seat_bot(word, table, seat, _random_seed())
        for seat, word in enumerate(who)
    ]
    greet_slowness()
    match = Match.start(table, [_seat_name(word, number) for number, word in enumerate(who, 1)])
    try:
        Terminal(match, bots).play()
    except KeyboardInterrupt:  # while a bot is thinking
        console.print()
    except BotFailed as error:
        console.print(f"The game ends here: {error}")
    finally:
        for bot in filter(None, bots):
            bot.close()
    if save is not None:
        save_record(match, save)


def greet_slowness() -> None:
    """Say that bots are slow here, if they are."""
    for line in slowness():
        console.print(line, soft_wrap=True)


def _ask_game() -> str:
    kinds = game_classes()
    names = [kind.name for kind in kinds]
    for number, kind in enumerate(kinds, 1):
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
    """Read what a person types; `quit` at the end of the input."""
    try:
        return console.input(prompt, markup=False, emoji=False).strip()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return "quit"


def _seat_name(word: str, number: int) -> str:
    """Return the name of a seat: the person's name, or the bot's with the seat number."""
    kind, _, name = word.partition(":")
    if kind == "me":
        return name or placeholder_names(number)[-1]
    return f"{bot_title(word).capitalize()} ({number})"


def _random_seed() -> int:
    """Return an unpredictable seed."""
    return int(Random().randrange(2**53))


def save_record(match: Match, path: Path) -> None:
    """Save a finished game in full, or what a spectator may know of a running one."""
    record = Record.seen_by(match)
    write_file(path, write_text(record) if path.suffix == ".txt" else write_json(record))


class Terminal:
    """A match between the people at one keyboard and bots."""

    def __init__(self, match: Match, bots: Sequence[Bot | None]) -> None:
        self.match = match
        self.bots = bots
        self.people = [bot is None for bot in bots]
        self.rng = Random()
        self.viewer = SPECTATOR
        """The seat whose view is on the screen."""
        self.lines_shown = 0
        """Number of lines of the log already printed."""

    def play(self) -> None:
        """Play until the game is over or a person quits."""
        while not self.match.is_over:
            seat = self.match.to_move
            bot = self.bots[seat]
            if bot is not None:
                self.match.play(seat, bot.choose(self.match.turn(seat, self.rng, CLOCK)))
            elif not self.turn(seat):
                return
        self.show(self.match.view(self.viewer))

    def turn(self, seat: int) -> bool:
        """Let a person move; return False if they quit."""
        if sum(self.people) > 1 and seat != self.viewer and self.match.game.has_hidden_information:
            console.clear()
            if ask(f"{self.match.names[seat]}, press Enter when only you can see the screen. ") == "quit":
                return False
            self.lines_shown = 0
        self.viewer = seat
        view = self.match.view(seat)
        self.show(view)
        return self.choose(view)

    def show(self, view: View) -> None:
        print()
        print(view.observation)
        print("\n".join(scene_lines(self.match.viewing.scene(view.viewer), view.names)))
        print()
        self.lines_shown = min(self.lines_shown, len(view.log))
        for line in view.log[self.lines_shown :][-12:]:
            print(line.phrase.render(names=view.names))
        self.lines_shown = len(view.log)

    def choose(self, view: View) -> bool:
        """Narrow the choices until a move has been made; return False if the person quits."""
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
        """Run a command such as `log`; return whether the input was one."""
        word, _, rest = answer.partition(" ")
        if word in ("help", "?", "h"):
            console.print(HELP)
        elif word == "log":
            view = self.match.view(self.viewer)
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
        """Save the record so far; if that fails, print why and go on."""
        try:
            save_record(self.match, path)
        except LudothequeError as error:
            console.print(str(error))

    def undo(self) -> None:
        """Undo a move if that reveals nothing; against bots only, go back to the person's last move."""
        seat = self.viewer
        try:
            self.match.undo(seat)
        except LudothequeError as error:
            before = self.match.undo_rules.ply_before_latest_move(seat)
            if sum(self.people) > 1 or before is None:
                console.print(str(error))
                return
            self.match.rewind(before)

    def move(self, seat: int, move: int | str) -> bool:
        try:
            self.match.play(seat, move)
        except MoveError as error:
            console.print(f"{error} Type help for a list of commands.")
            return False
        return True


def _amounts(offered: Sequence[Choice]) -> dict[str, Choice]:
    """Return the choices by amount if all of them are amounts, such as bids; else nothing."""
    amounts = {choice.step.key.partition(":")[2]: choice for choice in offered}
    return amounts if len(amounts) == len(offered) and all(map(str.isdecimal, amounts)) else {}


def _numbered(offered: Sequence[Choice]) -> dict[str, Choice]:
    """Return the choices by the number to type: their amounts, or their positions in the list."""
    return _amounts(offered) or {str(number): choice for number, choice in enumerate(offered, 1)}


def list_choices(offered: Sequence[Choice], translate: Translation = ENGLISH) -> None:
    """Print what can be chosen, with numbers to type."""
    if len(amounts := list(_amounts(offered))) > MANY:
        range_of = phrase("Type an amount from {least} to {most}.", least=amounts[0], most=amounts[-1])
        console.print(range_of.render(translate))
        return
    labels = {number: choice.step.label.render(translate) for number, choice in _numbered(offered).items()}
    words = [Text.assemble((f"{number:>3}", "dim"), f" {label}") for number, label in labels.items()]
    console.print(Columns(words) if len(words) > MANY else Text("\n").join(words))


def find_choice(offered: Sequence[Choice], answer: str) -> Choice | None:
    """Return the choice with this number, label, key or end of a key."""
    number = answer.removeprefix("$")
    if number.isdecimal():
        return _numbered(offered).get(number)
    for choice in offered:
        key = choice.step.key.lower()
        if answer.lower() in (str(choice.step.label).lower(), key, key.partition(":")[2]):
            return choice
    return None

"""`learn` and `lesson check`: guided first games."""

from __future__ import annotations

from typing import Annotated

import typer

from ludotheque.bots.registry import seat_bot
from ludotheque.cli.play import Terminal, ask, find_choice, greet_slowness, list_choices
from ludotheque.cli.terminal import GameName, Language, console, fail
from ludotheque.core.choices import Choice
from ludotheque.core.errors import MoveError
from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class, game_names
from ludotheque.show.language import game_translator
from ludotheque.study.lesson_check import faults
from ludotheque.study.lesson_search import doubts
from ludotheque.study.lessons import Lesson, LessonRun, lesson_named, lessons
from ludotheque.web import LANGUAGES

lesson = typer.Typer(help="Check the lessons of games.", no_args_is_help=True)
BEGINNER = 1


def register(app: typer.Typer) -> None:
    app.command()(learn)
    app.add_typer(lesson, name="lesson")


@lesson.command()
def check(
    game: Annotated[str, typer.Argument(metavar="GAME", show_default="all", help="The name of a game.")] = "",
    simulations: Annotated[
        int,
        typer.Option(
            "--simulations", min=0, show_default="do not search", help="Simulations per move of strategy lessons."
        ),
    ] = 0,
) -> None:
    """Play every lesson through: each move, each text in each language, and each claim about a move.

    Example: `ludotheque lesson check cable-car`
    """
    checked = [(kind, each) for kind in _kinds(game) for each in lessons(kind)]
    wrong = 0
    for kind, each in checked:
        found = faults(each, {code: game_translator(kind.name, code).sentences for code in LANGUAGES if code != "en"})
        found += doubts(each, simulations=simulations) if simulations and each.strategy else []
        wrong += len(found)
        for fault in found:
            print(f"{kind.name}, {each.name}: {fault}.")
        print(_measured(each))
    if wrong:
        fail(f"{wrong} faults in {len(checked)} lessons.")


def _kinds(game: str) -> list[type[Game]]:
    return [game_class(name) for name in ([game] if game else game_names())]


def _measured(each: Lesson) -> str:
    words = sum(len(text.split()) for text in each.texts())
    return f"{each.game}, {each.name}: {len(each.steps)} steps, {words} words."


def learn(
    game: GameName,
    name: Annotated[str, typer.Argument(metavar="LESSON", show_default="the first", help="The name of a lesson.")] = "",
    language: Language = "en",
) -> None:
    """Learn a game by playing: a guided first game, then on from there against a beginner.

    Example: `ludotheque learn cable-car`
    """
    greet_slowness()
    Lecture(LessonRun(lesson_named(game_class(game), name)), language).give()


class Lecture:
    """A lesson at the terminal."""

    def __init__(self, run: LessonRun, language: str) -> None:
        self.run = run
        self.translate = game_translator(run.lesson.game, language)

    def give(self) -> None:
        """Go from step to step until the lesson is over or the learner leaves; then play on."""
        console.print(self.translate(self.run.lesson.title))
        while not self.run.is_over:
            if not self.take_step():
                return
        console.print(phrase("The lesson is over. Play on from here against a beginner?").render(self.translate))
        if ask("(Enter, quit) ") != "quit":
            self.play_on()

    def take_step(self) -> bool:
        """Show a step and wait until it is done; whether the learner stays."""
        print(f"\n{self.run.match().view(self.run.seat).observation}\n")
        number, last = self.run.step_number + 1, len(self.run.lesson.steps)
        console.print(f"[{number}/{last}] {self.translate(self.run.step.text)}")
        if not self.run.is_waiting:
            if ask("(Enter, quit) ") == "quit":
                return False
            self.run.next()
            return True
        return self.ask_move(number)

    def ask_move(self, number: int) -> bool:
        """Ask until the move of the step is made; whether the learner stays."""
        path: list[Choice] = []
        while self.run.step_number < number:
            offered = path[-1].children if path else self.run.match().choices(self.run.seat)
            if len(offered) == 1 and offered[0].action is None:
                path.append(offered[0])
                continue
            list_choices(offered, self.translate)
            answer = ask("> ")
            if answer == "quit":
                return False
            chosen = find_choice(offered, answer) if answer != "back" else None
            path = [*path, chosen] if chosen else []
            actions = [chosen.action] if chosen else self.read(answer)
            if actions and actions[0] is not None:
                path = []
                self.play([action for action in actions if action is not None])
        return True

    def read(self, answer: str) -> list[int]:
        """Read a line in the game's notation as actions."""
        if answer in ("", "back"):
            return []
        try:
            return self.run.read(answer)
        except MoveError as error:
            console.print(error.render(self.translate))
            return []

    def play(self, actions: list[int]) -> None:
        """Try actions one after the other, up to the first wrong one."""
        for action in actions:
            answer = self.run.play(action)
            console.print(answer.sentence.render(self.translate))
            if not answer.is_right or answer.is_complete:
                return

    def play_on(self) -> None:
        """Play the game on from the end of the lesson, against beginners."""
        match = self.run.playable()
        bots = [seat_bot(f"bot:{BEGINNER}", match.game, seat, seed=seat) for seat in range(match.game.players)]
        Terminal(match, [None if seat == self.run.seat else bot for seat, bot in enumerate(bots)]).play()

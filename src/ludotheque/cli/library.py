"""`games` and `rules`: list the games and print their rules."""

from __future__ import annotations

import re
from typing import Annotated

import typer
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from ludotheque.cli.terminal import GameName, console
from ludotheque.core.errors import BadOption, UnknownGame
from ludotheque.core.registry import game_class, game_names, rules_language, rules_page

Language = Annotated[str, typer.Option("--language", help="Language of the page: en, fr or nl for our games.")]


def register(app: typer.Typer) -> None:
    app.command()(games)
    app.command()(rules)


def games() -> None:
    """List the games, with their players and options."""
    table = Table("Game", "Players", "Description", "Options", show_lines=True)
    for name in game_names():
        try:
            kind = game_class(name)
        except UnknownGame as error:
            table.add_row(name, "", str(error), "")
            continue
        players = str(kind.min_players)
        if kind.max_players > kind.min_players:
            players += f"-{kind.max_players}"
        options = "\n".join(f"{o.name}={o.write(o.default)}: {o.help} ({o.takes})" for o in kind.options)
        table.add_row(Text.assemble(kind.title, "\n", (name, "dim")), players, kind.sentence, options)
    console.print(table)


def rules(game: GameName, language: Language = "en") -> None:
    """Print the rules of a game, with our rulings.

    Example: `ludotheque rules cable-car --language fr | less`
    """
    kind = game_class(game)
    if rules_language(kind, language) != language:
        raise BadOption(f"The rules of {kind.title} are not written in {language!r}.")
    page = rules_page(kind, language)
    if console.is_terminal:
        console.print(Markdown(_without_pictures(page)))
    else:
        print(page)


def _without_pictures(page: str) -> str:
    """Replace the pictures of a page by their descriptions."""
    return re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"*\1*", page)

"""`new-game`: write the package of a first game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Annotated, Final

import typer

from ludotheque.cli.terminal import make_folder, write_file
from ludotheque.core.errors import BadOption, LudothequeError
from ludotheque.core.registry import game_names

_TEMPLATES: Final = Path(__file__).parent / "game_template"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def register(app: typer.Typer) -> None:
    app.command("new-game")(new_game)


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the game in commands, such as `my-game`.")],
    folder: Annotated[
        Path, typer.Option("--in", metavar="DIR", help="The folder in which to create the package.")
    ] = Path(),
) -> None:
    """Create a starter package for a new game, with tests.

    Example: `ludotheque new-game hex`, then `pip install --editable hex` and `ludotheque serve --open`
    """
    _check_name(name)
    package = folder / name
    if package.exists():
        raise LudothequeError(f"The folder {str(package)!r} exists already.")
    for path, text in _files(name):
        make_folder((package / path).parent)
        write_file(package / path, text)
    print(f"Next: pip install --editable {package}, then ludotheque serve --open.")


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise BadOption(f"The name of a game is lower-case letters, digits and hyphens, not {name[:40]!r}.")
    if name in game_names():
        raise BadOption(f"There is a game {name!r} already.")
    if iskeyword(_class_name(name)):
        raise BadOption(f"Python keeps the name {_class_name(name)} for itself, so no game can be called {name!r}.")


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _files(name: str) -> Iterator[tuple[Path, str]]:
    """The files of the package, and their contents."""
    words = name.split("-")
    values = {
        "name": name,
        "title": " ".join(words).capitalize(),
        "class_name": _class_name(name),
        "distribution": f"ludotheque-{name}",
        "package": f"ludotheque_{'_'.join(words)}",
    }
    source = Path("src", values["package"])
    yield Path("pyproject.toml"), _filled("pyproject.toml", values)
    yield Path("README.md"), _filled("README.md", values)
    yield source / "__init__.py", _filled("game.py", values)
    yield source / "py.typed", ""
    yield source / "RULES.md", _filled("RULES.md", values)
    for catalogue in sorted(_TEMPLATES.glob("*.po.txt")):
        yield source / "locale" / catalogue.stem, _filled(catalogue.stem, values)
    yield Path("tests", f"test_{'_'.join(words)}.py"), _filled("test_game.py", values)


def _filled(template: str, values: dict[str, str]) -> str:
    text = (_TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(values)

"""Errors that people see are translated."""

from __future__ import annotations

import ast
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludotheque
from ludotheque import server
from ludotheque.core import errors
from ludotheque.errors import LudothequeError
from ludotheque.server.errors import refusal
from ludotheque.show.language import Reader
from ludotheque.table import Match
from ludotheque.web import LANGUAGES

PACKAGE = Path(ludotheque.__file__).parent
MET_AT_THE_TABLE = [
    *(path for path in (PACKAGE / "server").rglob("*.py") if path.name != "run.py"),  # that one speaks to the terminal
    PACKAGE / "study" / "review.py",
    PACKAGE / "table" / "match.py",
    PACKAGE / "table" / "names.py",
    *(PACKAGE / "games").glob("*/notation.py"),
]
FOR_PROGRAMS = {"malformed", "BadOption", "BadRecord", "CannotServe", "UnfairDice"}
"""About bodies and files that no page writes, and to whoever starts a server: their details stay in English."""
ERRORS = {name for name, kind in vars(errors).items() if isinstance(kind, type)} | {"Refused", "forbidden"}


def english_only(path: Path) -> Iterator[str]:
    """The errors in a file whose sentence is a plain text."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if call.func.id not in ERRORS - FOR_PROGRAMS or not call.args:
            continue
        names = [part.value for part in call.args[:-1] if isinstance(part, ast.Constant)]
        if FOR_PROGRAMS.isdisjoint(names) and isinstance(call.args[-1], ast.Constant | ast.JoinedStr):
            yield f"{path.name}:{call.lineno}"


def test_the_files_with_errors_are_found() -> None:
    modules = {module.name for module in pkgutil.walk_packages(server.__path__, "ludotheque.server.")}
    assert len(modules) > 40
    names = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in MET_AT_THE_TABLE}
    assert {name.removesuffix(".__init__") for name in names if ".server" in name} == {
        "ludotheque.server",
        *modules - {"ludotheque.server.run"},
    }
    assert len([name for name in names if name.endswith(".notation")]) == 4


@pytest.mark.parametrize("path", MET_AT_THE_TABLE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_error_that_people_meet_is_written_in_english_alone(path: Path) -> None:
    assert [*english_only(path)] == []


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "It is Ann's turn; Bob has to wait."),
        ("fr", "C'est à Ann\u00a0; Bob doit attendre."),
        ("nl", "Ann is aan de beurt; Bob moet wachten."),
    ],
)
def test_an_error_is_told_in_the_readers_language(language: str, sentence: str) -> None:
    match = Match.start(ludotheque.load_game("cable-car"), ["Ann", "Bob"])
    with pytest.raises(LudothequeError) as raised:
        match.play(1, "draw")
    assert refusal(raised.value).body(Reader(language)).sentence == sentence
    assert language in LANGUAGES


def test_what_a_person_wrote_is_shown_as_it_is_even_with_braces() -> None:
    match = Match.start(ludotheque.load_game("passerelles"), ["Ann", "Bob"])
    with pytest.raises(LudothequeError) as raised:
        match.play(0, "{0}{x}")
    assert "'{0}{x}'" in raised.value.render(Reader("fr").translate)

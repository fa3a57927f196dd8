"""The library and the terminal run without the packages of a server, and a server says what is missing."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludotheque.cli import _SERVER_PACKAGES

ROOT = Path(__file__).parent.parent
WITHOUT_SERVER = f"""
import sys

for name in {sorted(_SERVER_PACKAGES - {"markdown_it"})!r}:
    sys.modules[name] = None
"""
"""Rich needs markdown_it too."""


def run(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_SERVER + code, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_extra_names_the_packages_that_the_sentence_is_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {word.partition(">")[0].partition("[")[0] for word in project["optional-dependencies"]["server"]}
    assert {"markdown_it" if name == "markdown-it-py" else name for name in named} == _SERVER_PACKAGES
    assert len(project["dependencies"]) <= 8


def test_every_module_but_those_of_the_server_imports_without_them() -> None:
    code = """
import importlib, pkgutil, ludotheque

skipped = ("ludotheque.server", "ludotheque.adapters", "ludotheque.arrays")
for found in pkgutil.walk_packages(ludotheque.__path__, "ludotheque.", onerror=lambda name: None):
    if not found.name.startswith(skipped) and not found.name.endswith("__main__"):
        importlib.import_module(found.name)
print(len(sys.modules))
"""
    answer = run(code)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("words", [["serve"], ["check-database", "--data", "."], ["backup", "copy.sqlite3"]])
def test_a_server_command_says_what_to_install(words: list[str]) -> None:
    answer = run("from ludotheque.cli import main\nmain()", *words)
    sentence = "ludotheque: A server needs more packages; install them with: pip install 'ludotheque[server]'.\n"
    assert (answer.returncode, answer.stderr) == (1, sentence)


def test_the_terminal_works_without_a_server() -> None:
    answer = run("from ludotheque.cli import main\nmain()", "simulate", "passerelles")
    assert answer.returncode == 0, answer.stderr

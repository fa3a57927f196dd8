"""Games from other packages, found by their entry points."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludotheque import game_class, game_names, load_game
from ludotheque.cli import app
from ludotheque.core import known_games, registry
from ludotheque.core.registry import game_classes, rules_page
from ludotheque.errors import UnknownGame

PACKAGE = """
from ludotheque import Game


class Patience(Game):
    name = "patience"
    title = "Patience"
    sentence = "Wait."
    min_players = max_players = 1
    has_chance = has_hidden_information = False


NO_GAME = 3
"""
ENTRIES = """[ludotheque.games]
patience = someones_games:Patience
no-game = someones_games:NO_GAME
gone = someones_games:Gone
lost = someones_lost_games:Lost
"""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution as an installer leaves it: a module, and its metadata beside it."""
    uncached = known_games.installed_games.__wrapped__
    for module in (known_games, registry):
        monkeypatch.setattr(module, "installed_games", uncached)
    (tmp_path / "someones_games.py").write_text(PACKAGE)
    _install(tmp_path, "someones_games", ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "someones_games", raising=False)


def _install(folder: Path, name: str, entries: str) -> None:
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(entries)


def test_an_installed_game_is_listed_with_ours() -> None:
    assert {"cable-car", "patience"} <= set(game_names())
    assert load_game("patience").title == "Patience"


def test_a_game_without_a_page_of_rules_says_so() -> None:
    assert "has no page of rules" in rules_page(game_class("patience"))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("no-game", "not a subclass"),
        ("gone", "The game 'gone' cannot be loaded from someones_games:Gone"),
        ("lost", "No module named 'someones_lost_games'"),
        ("nowhere", "There is no game 'nowhere'; the games are: cable-car, "),
    ],
)
def test_a_game_that_cannot_be_loaded_gets_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(UnknownGame, match=sentence):
        load_game(name)


def test_two_packages_with_a_game_of_one_name_are_both_named(tmp_path: Path) -> None:
    _install(tmp_path, "others_games", "[ludotheque.games]\npatience = others_games:Solitaire\n")
    sentence = "a game 'patience': others_games:Solitaire and someones_games:Patience. Uninstall all but one."
    with pytest.raises(UnknownGame, match=sentence):
        load_game("patience")


def test_a_game_that_cannot_be_loaded_does_not_hide_the_others() -> None:
    listed = CliRunner().invoke(app, ["games"]).stdout
    assert "Cable Car" in listed
    assert "Patience" in listed
    assert "gone" in listed


def test_the_classes_are_those_that_can_be_loaded(caplog: pytest.LogCaptureFixture) -> None:
    names = [kind.name for kind in game_classes()]
    assert {"cable-car", "patience"} <= set(names)
    assert not {"gone", "lost", "no-game"} & set(names)
    assert game_classes() == game_classes()
    assert [line for line in caplog.messages if "'gone'" in line] == [
        "The game 'gone' cannot be loaded from someones_games:Gone: module 'someones_games' has no attribute 'Gone'."
    ]


@pytest.mark.parametrize("name", [None, 3, b"cable-car"])
def test_the_name_of_a_game_is_a_text(name: Any) -> None:
    with pytest.raises(UnknownGame, match="The name of a game is a text, not "):
        load_game(name)

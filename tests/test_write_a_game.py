"""The steps of `docs/write-a-game.md`, with packages that are written, installed and tried as the page says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludotheque import PlainGame
from ludotheque.cli import app
from ludotheque.core.known_games import installed_games
from tests.server.forking import use_new_environment
from tests.server.harness import Server, wait_until

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "write-a-game.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE, re.DOTALL))
GAME = FILES["hex/src/ludotheque_hex/__init__.py"]
NEW, FROM_THE_SHELL = ([*block.splitlines()] for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))

PACKAGES = ("./hex", "./three-stones", "./sealed-bids")


def run(command: str) -> str:
    answer = CliRunner().invoke(app, shlex.split(command)[1:])
    assert answer.exit_code == 0, f"{command}: {answer.exception}"
    return answer.stdout


def python(*words: str) -> None:
    answer = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder where the packages were written, once they are installed."""
    monkeypatch.chdir(tmp_path)
    run(NEW[0])
    run("ludotheque new-game three-stones")
    run("ludotheque new-game sealed-bids")
    shutil.copy(ROOT / "examples" / "sealed_bids.py", "sealed-bids/src/ludotheque_sealed_bids/__init__.py")
    for path, text in FILES.items():
        assert Path(path).is_file()
        Path(path).write_text(text, encoding="utf-8")
    target = str(tmp_path / "site")
    quiet = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation")
    python(*quiet, "--target", target, *PACKAGES)
    install_broken_game(Path(target))
    monkeypatch.syspath_prepend(target)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([target, str(ROOT), str(ROOT / "src")]))
    installed_games.cache_clear()
    use_new_environment()
    yield tmp_path
    installed_games.cache_clear()
    use_new_environment()


def install_broken_game(folder: Path) -> None:
    """A game that cannot be loaded: it must not keep others from being played."""
    metadata = folder / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[ludotheque.games]\nbroken = no_such_module:Game\n", encoding="utf-8")


def test_the_steps_of_the_page_make_hex_with_bots_review_and_translations(installed: Path) -> None:
    python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", *PACKAGES)
    for command in FROM_THE_SHELL:
        assert run(command)
    assert "Hex" in (installed / "review.html").read_text(encoding="utf-8")
    server = Server(installed / "server", "--no-limits")
    try:
        check_table(server)
    finally:
        server.stop()


def check_table(server: Server) -> None:
    """A person plays a move at a table of Hex, a bot answers, and the page is French."""
    with server.browser() as browser:
        assert browser.get("/").status_code == browser.get("/puzzles").status_code == 200
        assert "hex" in [game["name"] for game in browser.get("/api/games").json()]
        table = browser.open("hex", "me bot")
        view = browser.view(table.id, lang="fr")
        assert view["scene"]["asks"] == "choisissez une case vide"
        assert view["scene"]["tables"] == []
        assert browser.play(table.id, 0).status_code == 200
        wait_until(lambda: browser.view(table.id)["ply"] >= 2)


def test_hex_has_fewer_than_120_lines() -> None:
    assert len(GAME.splitlines()) < 120


def test_a_new_game_has_about_60_lines(tmp_path: Path) -> None:
    run(f"ludotheque new-game my-game --in {tmp_path}")
    text = (tmp_path / "my-game" / "src" / "ludotheque_my_game" / "__init__.py").read_text(encoding="utf-8")
    assert "class MyGame(PlainGame):" in text
    assert len(text.splitlines()) < 65


@pytest.mark.parametrize("name", ["class", "import", "json", "ludotheque", "plain", "sequence"])
def test_a_game_may_have_a_name_that_python_uses_elsewhere(name: str, tmp_path: Path) -> None:
    run(f"ludotheque new-game {name} --in {tmp_path}")
    text = (tmp_path / name / "src" / f"ludotheque_{name}" / "__init__.py").read_text(encoding="utf-8")
    made: dict[str, object] = {"__name__": f"ludotheque_{name}"}
    exec(compile(text, name, "exec"), made)
    game = made[name.capitalize()]
    assert isinstance(game, type)
    assert isinstance(game(2), PlainGame)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("My Game", "The name of a game is lower-case letters, digits and hyphens, not 'My Game'."),
        ("cable-car", "There is a game 'cable-car' already."),
        ("chicago_express", "The name of a game is lower-case letters, digits and hyphens, not 'chicago_express'."),
        ("none", "Python keeps the name None for itself, so no game can be called 'none'."),
        ("taken", "The folder 'taken' exists already."),
    ],
)
def test_new_game_says_why_it_writes_nothing(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").mkdir()
    assert str(CliRunner().invoke(app, ["new-game", name]).exception) == sentence
    assert [*tmp_path.rglob("*")] == [tmp_path / "taken"]

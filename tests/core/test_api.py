"""The public names: enough for users and for authors of games, and no private module needed."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from scripts import public_surface

import ludotheque
from ludotheque import Policy, errors, load_game, policy_of
from ludotheque.core import errors as home
from tests import toy


def test_every_public_name_exists_and_none_is_an_error() -> None:
    public = {name: getattr(ludotheque, name) for name in vars(ludotheque)["__all__"]}
    assert not [name for name, value in public.items() if isinstance(value, type) and issubclass(value, Exception)]


def test_every_error_is_in_the_errors_module() -> None:
    defined = {name for name, kind in vars(home).items() if isinstance(kind, type) and issubclass(kind, ValueError)}
    offered = {name: kind for name, kind in vars(errors).items() if not name.startswith("_")}
    assert offered.keys() == defined
    assert all(issubclass(kind, errors.LudothequeError) for kind in offered.values())


def test_a_game_can_be_written_with_the_public_names_alone() -> None:
    tree = ast.parse(Path(toy.__file__).read_text(encoding="utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in modules if name.startswith("ludotheque")} == {"ludotheque", "ludotheque.errors"}


@pytest.mark.parametrize("path", public_surface.LISTS, ids=lambda path: path.stem)
def test_the_public_surface_is_the_one_that_is_stored(path: Path) -> None:
    """A name, field or option that changes is a decision: `docs/stability.md` says what it takes."""
    pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    stored = path.read_text(encoding="utf-8").splitlines()
    assert public_surface.LISTS[path]().splitlines() == stored, "if it is meant, run python -m scripts.public_surface"


def test_a_line_that_vanishes_from_a_list_is_a_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.txt"
    path.write_text("play(game)\nrate(bots)\n")
    monkeypatch.setattr(public_surface, "LISTS", {path: lambda: "play(game, seed)\nrate(bots)\nnew()\n"})
    assert public_surface.write(breaks=False) == 1
    assert "would vanish:\n  play(game)\nOthers may rely" in capsys.readouterr().out
    assert path.read_text() == "play(game)\nrate(bots)\n"
    assert public_surface.write(breaks=True) == 0
    assert "play(game, seed)" in path.read_text()
    assert public_surface.write(breaks=False) == 0


def test_every_function_of_the_public_surface_is_typed() -> None:
    lines = public_surface.NAMES.read_text(encoding="utf-8").splitlines()
    functions = [line for line in lines if re.match(r"[\w.]+\(", line)]
    assert len(functions) > 200
    assert [line for line in functions if "->" not in line] == []


def test_the_notebook_imports_public_names_alone() -> None:
    notebook = json.loads((public_surface.ROOT / "examples" / "tour.ipynb").read_text(encoding="utf-8"))
    cells = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    nodes = [*ast.walk(ast.parse(cells))]
    modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert modules == {"ludotheque", "ludotheque.arena", "ludotheque.search"}


def test_a_game_without_a_policy_gets_the_uniform_one() -> None:
    assert type(policy_of(load_game("nim"))) is Policy


def test_a_game_with_a_policy_keeps_it() -> None:
    assert type(policy_of(load_game("cable-car"))).__name__ == "CableCarPolicy"


def test_a_policy_of_another_class_is_refused() -> None:
    class Wrong(toy.Nim):
        def policy(self) -> object:
            return "a policy"

    with pytest.raises(TypeError, match=r"Wrong.policy\(\) must return a ludotheque.Policy or None, not 'a policy'"):
        policy_of(Wrong())


@pytest.mark.parametrize("name", ["chat_player.py", "self_play.py"])
def test_an_example_imports_public_modules_alone(name: str) -> None:
    tree = ast.parse((public_surface.ROOT / "examples" / name).read_text(encoding="utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {module for module in modules if module.startswith("ludotheque")}
    assert ours <= {f"ludotheque{part}" for part in public_surface.MODULES}

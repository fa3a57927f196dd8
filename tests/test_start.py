"""Starting is quick: what the package and `ludotheque --help` load, and what they leave for later."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from scripts import command_page
from typer.testing import CliRunner

import ludotheque
from ludotheque.cli import app
from ludotheque.cli.command_index import COMMANDS
from ludotheque.cli.lazy import first_line, loaded

ROOT = Path(__file__).parents[1]
HELP = """
import sys
from ludotheque.cli import app
try:
    app(["--help"])
except SystemExit:
    pass
"""
HEAVY = ("babel", "hashlib", "jinja2", "litestar", "markdown_it", "msgspec", "numpy", "openskill", "rich", "sqlalchemy")


def modules_after(script: str) -> set[str]:
    """The modules that a fresh Python has loaded after a script."""
    script += "\nimport json, sys; print('\\n' + json.dumps(sorted(sys.modules)))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return set(json.loads(result.stdout.splitlines()[-1]))


def test_import_ludotheque_loads_no_other_module_of_ours_and_no_library() -> None:
    loaded = modules_after("import ludotheque")
    assert {name for name in loaded if name.startswith("ludotheque")} == {"ludotheque", "ludotheque._pure"}
    assert loaded.isdisjoint({*HEAVY, "typer", "importlib.metadata"})


@pytest.mark.parametrize("part", ["errors.IllegalMove", "table.Match"])
def test_the_parts_that_the_package_names_need_no_import_of_their_own(part: str) -> None:
    assert "ludotheque.core" in modules_after(f"import ludotheque\nludotheque.{part}")


def test_help_loads_no_command_no_game_and_no_library_but_typer() -> None:
    loaded = modules_after(HELP)
    assert {name for name in loaded if name.startswith("ludotheque")} == {
        "ludotheque", "ludotheque._pure", "ludotheque.cli", "ludotheque.cli.lazy", "ludotheque.cli.command_index",
    }  # fmt: skip
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize("worker", ["ludotheque.server.after.worker", "ludotheque.server.bots.worker"])
def test_a_worker_of_the_server_loads_nothing_of_the_server(worker: str) -> None:
    loaded = modules_after(f"import {worker}")
    assert loaded.isdisjoint({"alembic", "asyncio", "babel", "litestar", "sqlalchemy"})


def test_a_command_loads_only_its_own_module() -> None:
    loaded = modules_after(HELP.replace("--help", "games"))
    ours = {name for name in loaded if name.startswith("ludotheque.cli.")}
    assert ours == {f"ludotheque.cli.{name}" for name in ("command_index", "lazy", "library", "terminal")}
    assert "ludotheque.study" not in loaded


def test_the_list_of_commands_is_written_from_the_commands() -> None:
    assert command_page.LIST.read_text(encoding="utf-8") == command_page.command_list(), (
        "run python -m scripts.command_page"
    )
    for name, (module, line) in COMMANDS.items():
        assert line == first_line(loaded(module)[name].help)


def test_every_module_with_commands_is_listed() -> None:
    folder = command_page.LIST.parent
    modules = {path.stem for path in folder.glob("*.py") if "\ndef register(app: typer.Typer" in path.read_text()}
    assert modules == set(command_page.MODULES)


def test_help_shows_the_whole_line_of_every_command() -> None:
    shown = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    for name, (_, line) in COMMANDS.items():
        assert f" {name} {line}" in shown


@pytest.mark.parametrize(("typed", "offered"), [("re", {"replay", "render", "review"}), ("cards ", {"check"})])
def test_the_shell_completes_commands(typed: str, offered: set[str]) -> None:
    asked = {"_LUDOTHEQUE_COMPLETE": "complete_bash", "COMP_WORDS": f"ludotheque {typed}"}
    count = str(len(typed.split()) if not typed.endswith(" ") else len(typed.split()) + 1)
    answer = CliRunner().invoke(app, [], prog_name="ludotheque", env={**asked, "COMP_CWORD": count})
    assert set(answer.stdout.split()) == offered


# On a machine that lacks something.


def test_without_a_c_compiler_the_set_up_says_so_and_goes_on() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "LUDOTHEQUE_PURE")}
    command = [sys.executable, "setup.py", "--quiet", "--name"]
    result = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, env={**environment, "PATH": ""}
    )
    assert result.stdout.splitlines()[-1] == "ludotheque"
    assert "not compiled, because there is no C compiler (" in result.stderr
    assert "rules and bots are 80 to 220 times slower" in result.stderr


def test_an_update_leaves_no_module_of_the_version_before_it(tmp_path: Path) -> None:
    left = [tmp_path / "lib" / name for name in ("ludotheque/removed.py", "ludotheque/core/removed.so", "removed.so")]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    command = [sys.executable, "setup.py", "--quiet", "build", "--build-base", str(tmp_path)]
    environment = {**os.environ, "LUDOTHEQUE_PURE": "1"}
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True, env=environment)
    assert (tmp_path / "lib" / "ludotheque" / "core" / "game.py").is_file()
    assert [path for path in left if path.exists()] == []


@pytest.mark.parametrize("script", ["make_venv", *(path.name for path in (ROOT / "scripts").glob("need_*"))])
def test_no_script_installs_packages_of_the_system_without_a_choice(script: str) -> None:
    text = (ROOT / "scripts" / script).read_text(encoding="utf-8")
    asked = re.search(r"if scripts/may_install \w.*; then\n.*apt-get", text, re.DOTALL)
    assert "apt-get install" not in re.sub(r'echo ".*"', "", text) or asked
    assert "sudo" not in text


@pytest.mark.parametrize(("script", "package"), [("need_chromium", "chromium"), ("need_firefox", "firefox")])
def test_without_apt_a_script_names_the_packages_of_other_systems(script: str, package: str, tmp_path: Path) -> None:
    for program in ("sh", "id"):
        (tmp_path / program).symlink_to(f"/usr/bin/{program}")
    answer = subprocess.run(
        [f"scripts/{script}"], cwd=ROOT, capture_output=True, text=True, check=False, env={"PATH": str(tmp_path)}
    )
    assert answer.returncode == 1
    assert f"Fedora: dnf install {package}" in answer.stderr


# The names of the package.


def test_every_public_name_is_the_one_that_type_checkers_see() -> None:
    tree = ast.parse(Path(ludotheque.__file__).read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    homes = {
        name.name: node.module or ""
        for node in guarded.body if isinstance(node, ast.ImportFrom)
        for name in node.names
    }  # fmt: skip
    for name in set(vars(ludotheque)["__all__"]) - {"__version__", "load_game"}:
        assert getattr(ludotheque, name) is getattr(import_module(homes[name]), name)
    assert ludotheque.load_game is import_module("ludotheque.core.registry").load_game


def test_the_package_knows_its_names_before_they_are_loaded() -> None:
    script = "import ludotheque; print(set(ludotheque.__all__) <= set(dir(ludotheque)), hasattr(ludotheque, 'nothing'))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.split() == ["True", "False"]
    with pytest.raises(AttributeError, match="module 'ludotheque' has no attribute 'nothing'"):
        _ = ludotheque.nothing  # type: ignore[attr-defined]

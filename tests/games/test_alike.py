"""The four games are built alike: the same modules, the same signatures, one meaning for each constant."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

import ludotheque
from ludotheque import Game, game_class, load_game
from tests.ours import OURS

PACKAGE: Final = Path(ludotheque.__file__).parent
MODULES: Final = (
    "__init__", "board", "effects", "event_notices", "events", "log", "notation", "observation", "observe", "policy",
    "position", "rules", "scene",
)  # fmt: skip
"""The modules that every game has."""
SIGNATURES: Final = {
    "effects.effects": "before action after seat",
    "effects.forecast": "before action after seat",
    "effects.themes": "before actions",
    "event_notices.event_notices": "events",
    "events.events": "before action after",
    "log.describe_event": "event",
    "log.describe": "before action after viewer",
    "log.describe_decision": "state action",
    "notation.action_to_string": "state action",
    "notation.steps": "state action",
    "notation.string_to_action": "state text",
    "notation.string_to_actions": "state text",
    "observe.observe": "state viewer",
    "observe.reveals": "state action",
    "observe.seen_by_now": "before action present viewer",
    "observe.seen_events": "before action after viewer",
    "observe.sees": "state action viewer",
    "position.read_position": "state text",
    "position.write_position": "state",
}
NAME_A_GAME: Final = (
    PACKAGE / "__init__.py",  # for type checkers alone, in the overloads of `load_game`
    PACKAGE / "cli" / "cards.py",  # the one command of a single game
)
OPTIONAL: Final = {
    "log.describe_decision", "notation.string_to_actions", "observe.reveals", "observe.seen_by_now",
    "observe.seen_events", "observe.sees",
}  # fmt: skip
"""What a game has only where the default is not enough."""


def module(name: str, part: str) -> ModuleType:
    """A module of one of our games."""
    package = game_class(name).__module__
    return importlib.import_module(package if part == "__init__" else f"{package}.{part}")


def folder(name: str) -> Path:
    return Path(module(name, "__init__").__file__ or "").parent


@pytest.mark.parametrize("name", OURS)
def test_every_game_has_the_same_modules(name: str) -> None:
    present = {path.stem for path in folder(name).glob("*.py")}
    assert set(MODULES) <= present
    has_documents = any(option.kind == "document" for option in game_class(name).options)
    assert ("document" in present) == has_documents


@pytest.mark.parametrize("function", SIGNATURES)
def test_functions_have_the_same_parameters_in_every_game(function: str) -> None:
    part, _, called = function.partition(".")
    found = {name: getattr(module(name, part), called, None) for name in OURS}
    for name, defined in found.items():
        if defined is None:
            assert function in OPTIONAL, f"{name} has no {function}"
        else:
            assert " ".join(inspect.signature(defined).parameters) == SIGNATURES[function], name
    assert any(found.values())


@pytest.mark.parametrize("name", OURS)
def test_a_game_overrides_methods_with_the_parameters_of_the_base(name: str) -> None:
    for method, defined in vars(game_class(name)).items():
        base = getattr(Game, method, None)
        if not callable(defined) or base is None or method == "__init__":
            continue
        wanted = parameters(method)
        found = [*inspect.signature(defined).parameters]
        if isinstance(defined, staticmethod):  # a function of a module, which may call the observation something else
            assert len(found) == len(wanted) - 1, method
        else:
            assert found == wanted, method


@pytest.mark.parametrize("name", OURS)
def test_a_game_is_connected_with_its_modules(name: str) -> None:
    connected = {method for method, defined in vars(game_class(name)).items() if isinstance(defined, staticmethod)}
    assert {"action_to_string", "describe", "forecast", "steps", "write_position"} <= connected


def parameters(method: str) -> list[str]:
    """The parameters of a method of `Game`, from its source: compiled methods do not always know them."""
    for part in (PACKAGE / "core").glob("game*.py"):
        for kind in ast.parse(part.read_text(encoding="utf-8")).body:
            for defined in kind.body if isinstance(kind, ast.ClassDef) and kind.name.startswith("Game") else []:
                if isinstance(defined, ast.FunctionDef) and defined.name == method:
                    return [argument.arg for argument in defined.args.args]
    raise AssertionError(f"Game has no method {method}")


@pytest.mark.parametrize("name", OURS)
def test_a_constant_has_one_value_in_all_modules_of_a_game(name: str) -> None:
    values: dict[str, set[str]] = defaultdict(set)
    for path in folder(name).glob("*.py"):
        for constant in defined_constants(path):
            values[constant].add(repr(vars(module(name, path.stem)).get(constant)))
    assert {constant for constant, different in values.items() if len(different) > 1} == set()


def test_a_constant_is_of_one_type_in_all_games() -> None:
    types: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name in OURS:
        for path in folder(name).glob("*.py"):
            for constant in defined_constants(path):
                kind = type(vars(module(name, path.stem)).get(constant)).__name__.replace("tuple", "list")
                types[constant][kind].add(f"{name}/{path.stem}")
    assert {constant: dict(kinds) for constant, kinds in types.items() if len(kinds) > 1} == {}


def defined_constants(path: Path) -> set[str]:
    """The public constants that a module itself defines."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper()}
    return {name for name in found if not name.startswith("_")}


def test_no_other_layer_imports_a_game() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "games"):
            own = f"ludotheque.games.{path.relative_to(PACKAGE / 'games').parts[0]}"
            assert [name for name in imports(path) if not f"{name}.".startswith(f"{own}.")] == [], path
        elif path not in NAME_A_GAME:
            assert imports(path) == [], path


def imports(path: Path) -> list[str]:
    """The modules of games that a file imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    return [name for name in named if name.startswith("ludotheque.games")]


@pytest.mark.parametrize("name", OURS)
def test_a_position_is_read_into_a_state_of_the_same_table(name: str) -> None:
    game = load_game(name)
    start = game.new_initial_state()
    again = module(name, "position").read_position(game.new_initial_state(), start.position())
    assert again.game is game
    assert again.position() == start.position()

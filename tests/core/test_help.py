"""Every public name explains itself in `help`, compiled classes included."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import ludotheque

PUBLIC = {name: getattr(ludotheque, name) for name in vars(ludotheque)["__all__"]}
CLASSES = {name: value for name, value in PUBLIC.items() if isinstance(value, type)}


@pytest.mark.parametrize("name", [name for name, value in PUBLIC.items() if callable(value)])
def test_a_public_class_or_function_has_a_docstring(name: str) -> None:
    assert (PUBLIC[name].__doc__ or "").strip()


@pytest.mark.parametrize("kind", [ludotheque.Game, ludotheque.State, ludotheque.Policy, ludotheque.Batch])
def test_compiled_methods_have_the_docstrings_of_their_source(kind: type) -> None:
    for owner in kind.__mro__[:-1]:
        source = Path(ludotheque.__file__).parent.parent.joinpath(*owner.__module__.split(".")).with_suffix(".py")
        nodes = ast.parse(source.read_text(encoding="utf-8")).body
        written = next(node for node in nodes if isinstance(node, ast.ClassDef) and node.name == owner.__name__)
        assert inspect.getdoc(owner) == ast.get_docstring(written)
        for method in written.body:
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                assert inspect.getdoc(inspect.getattr_static(owner, method.name)) == ast.get_docstring(method)


def test_an_attribute_of_a_compiled_class_has_a_docstring() -> None:
    if ludotheque.COMPILED:
        assert inspect.getdoc(inspect.getattr_static(ludotheque.Game, "players")) == "Number of players at this table."

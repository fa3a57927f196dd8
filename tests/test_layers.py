"""The import graph: no circle anywhere, no long chain in the server. `make lint` checks the layers."""

from __future__ import annotations

from functools import cache

import grimp
import pytest

LONGEST_CHAIN = 10


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """All imports, those for type checking and those inside of functions included."""
    return grimp.build_graph("ludotheque", cache_dir=None)


def chain(graph: grimp.ImportGraph, start: str, within: str) -> int:
    """The length of the longest chain of imports from a module on; a circle is an error."""
    under_way: set[str] = set()

    @cache
    def length(module: str) -> int:
        assert module not in under_way, f"{module} imports itself by way of others"
        under_way.add(module)
        imported = [name for name in graph.find_modules_directly_imported_by(module) if name.startswith(within)]
        found = 1 + max((length(name) for name in imported), default=0)
        under_way.remove(module)
        return found

    return length(start)


def test_no_module_imports_itself_by_way_of_others(graph: grimp.ImportGraph) -> None:
    assert len(graph.modules) > 150
    for module in graph.modules:
        chain(graph, module, "ludotheque")


def test_import_chains_in_the_server_are_short(graph: grimp.ImportGraph) -> None:
    modules = [name for name in graph.modules if name.startswith("ludotheque.server")]
    assert max(chain(graph, module, "ludotheque.server") for module in modules) <= LONGEST_CHAIN

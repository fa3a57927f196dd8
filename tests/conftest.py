"""Tests repeat: they try the same examples in each run, none against a clock, on a busy machine too.

`pytest --all` runs what `make test` leaves out; `pytest --hypothesis-profile=explore` tries other examples;
`pytest --shuffle SEED` runs the tests in another order.
"""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from tests import speeds

settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", settings.get_profile("steady"), derandomize=False)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="try every seed, language, size and game: see tests/speeds.py")
    parser.addoption("--shuffle", metavar="SEED", help="run the modules, and the tests of each, in a random order")


def pytest_configure(config: pytest.Config) -> None:
    speeds.run_all(config.getoption("--all"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m both`, leave out the files that hold no such test: importing them takes most of the time."""
    if config.option.markexpr != "both" or not collection_path.match("test_*.py"):
        return None
    return "mark.both" not in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--all"):
        leave_out_full(config, items)
    if config.getoption("--shuffle"):
        shuffle(items, config.getoption("--shuffle"))


def shuffle(items: list[pytest.Item], seed: str) -> None:
    """Put modules, and the tests of each, into a random order. Modules stay whole, and with them their fixtures."""

    def place(item: pytest.Item) -> tuple[float, float]:
        module = item.nodeid.partition("::")[0]
        return Random(f"{seed} {module}").random(), Random(f"{seed} {item.nodeid}").random()

    items.sort(key=place)


def leave_out_full(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests marked `full`."""
    left_out = [item for item in items if item.get_closest_marker("full")]
    items[:] = [item for item in items if not item.get_closest_marker("full")]
    config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through thousands of tests, which last until the end, again and again."""
    gc.collect()
    gc.freeze()

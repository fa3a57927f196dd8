"""Pure mode runs the Python sources of this package, and leaves all others as they are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ludotheque._pure import SourceFinder

ASK = "import ludotheque, ludotheque.games.cable_car.rules as r, librt.vecs as v; print(r.__file__, v.__file__)"


@pytest.mark.parametrize("asked", ["1", "yes"])
def test_when_asked_for_the_rules_are_sources_and_others_are_compiled(asked: str) -> None:
    environment = {**os.environ, "LUDOTHEQUE_PURE": asked}
    answer = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True)
    rules, vecs = answer.stdout.split()
    assert rules.endswith("rules.py")
    assert not vecs.endswith(".py")


def test_the_finder_leaves_other_packages_alone() -> None:
    assert SourceFinder().find_spec("librt.vecs", sys.path) is None
    assert SourceFinder().find_spec("ludotheque.nowhere", sys.path) is None
    assert SourceFinder().find_spec("ludotheque.nowhere", None) is None

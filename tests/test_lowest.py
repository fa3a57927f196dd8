"""The lower bounds of our requirements, as `make test-lowest` installs them, and what `make lock` wrote."""

from __future__ import annotations

import re
import tomllib

import pytest
from scripts.lowest import PROJECT, lowest


def needed() -> list[str]:
    """What running a server needs, with the extras for operators."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = ("server", "metrics", "postgres", "push", "passkeys")
    return [*project["dependencies"], *(requirement for name in wanted for requirement in extras[name])]


def test_each_library_that_running_needs_has_a_lower_bound() -> None:
    assert len(list(lowest(needed()))) == len(needed())


def test_each_library_that_running_needs_is_locked_with_its_hashes_and_without_an_address() -> None:
    text = (PROJECT.parent / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    locked = re.findall(r"^([a-z0-9-]+)==[^ ]+ \\\n    --hash=sha256:[0-9a-f]{64}", text, flags=re.MULTILINE)
    assert len(locked) == len(re.findall(r"^\S*==", text, flags=re.MULTILINE))
    assert {re.split(r"[\[<>=]", name)[0] for name in needed()} <= set(locked)


def test_the_lowest_version_is_the_bound() -> None:
    assert [*lowest(["uvicorn[standard]>=0.35", "librt>=0.16,<0.17"])] == ["uvicorn==0.35", "librt==0.16"]
    with pytest.raises(SystemExit, match="no lower bound"):
        list(lowest(["msgspec"]))

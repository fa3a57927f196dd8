"""The lower bounds of our requirements, as `make test-lowest` installs them."""

from __future__ import annotations

import tomllib

import pytest
from scripts.lowest import PROJECT, lowest


def test_each_library_that_running_needs_has_a_lower_bound() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    assert len(list(lowest(wanted))) == len(wanted)


def test_the_lowest_version_is_the_bound() -> None:
    assert [*lowest(["uvicorn[standard]>=0.35", "librt>=0.16,<0.17"])] == ["uvicorn==0.35", "librt==0.16"]
    with pytest.raises(SystemExit, match="no lower bound"):
        list(lowest(["msgspec"]))

"""The steps of a release that change or read files: `docs/releasing.md` has all of them in order.

`python -m scripts.release prepare 1.0.0` writes the version and today's date in every place; `check v1.0.0` says
whether a tag fits them; `notes v1.0.0` prints the section of the changelog. Needs nothing but Python.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:rc\d+)?")


def prepare(version: str, today: date, root: Path = ROOT) -> None:
    """Write a version and its date wherever they stand."""
    if not _VERSION.fullmatch(version):
        raise SystemExit(f"{version!r} is no version such as 1.0.0 or 1.0.0rc1.")
    _change(root / "src" / "ludotheque" / "__init__.py", r'(?m)^__version__ = ".*"$', f'__version__ = "{version}"')
    _change(root / "pyproject.toml", r'(?m)^version = ".*"$', f'version = "{version}"')
    cited = f"version: {version}\ndate-released: {today}"
    _change(root / "CITATION.cff", r"(?m)^version: .*(\ndate-released: .*)?$", cited)
    _change(root / "CHANGELOG.md", r"(?m)^## \[[^]]+\] - .*$", f"## [{version}] - {today}")


def _change(path: Path, pattern: str, replacement: str) -> None:
    """Replace the first match of a pattern in a file."""
    text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), count=1)
    if not count:
        raise SystemExit(f"{path.name} has no line like {pattern}.")
    path.write_text(text, encoding="utf-8")


def check(tag: str, root: Path = ROOT) -> None:
    """Refuse a tag that does not fit the version of the files, or a changelog without a date."""
    version = _found(root / "pyproject.toml", r'(?m)^version = "(.*)"$')
    if tag != f"v{version}":
        raise SystemExit(f"The tag is {tag}, but pyproject.toml has version {version}: the tag should be v{version}.")
    dated = _found(root / "CHANGELOG.md", rf"(?m)^## \[{re.escape(version)}\] - (.*)$")
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", dated):
        raise SystemExit(f"CHANGELOG.md has {dated!r} for {version} instead of a date.")


def notes(tag: str, root: Path = ROOT) -> str:
    """Return the section of the changelog about a tag."""
    section = rf"(?ms)^## \[{re.escape(tag.removeprefix('v'))}\][^\n]*\n+(.*?)(?=^## |\Z)"
    return _found(root / "CHANGELOG.md", section).strip() + "\n"


def _found(path: Path, pattern: str) -> str:
    match = re.search(pattern, path.read_text(encoding="utf-8"))
    if not match:
        raise SystemExit(f"{path.name} has no line like {pattern}.")
    return match[1]


_COMMANDS: Final[dict[str, Callable[[str], object]]] = {
    "prepare": lambda version: prepare(version, datetime.now(UTC).date()),
    "check": check,
    "notes": lambda tag: print(notes(tag), end=""),
}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in _COMMANDS:
        raise SystemExit("Say: python -m scripts.release prepare VERSION, check TAG or notes TAG.")
    _COMMANDS[sys.argv[1]](sys.argv[2])

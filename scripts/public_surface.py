"""The public surface that `docs/stability.md` promises: names with their signatures, JSON and the command line.

`python -m scripts.public_surface` writes it to files in `tests`, which tests compare. A line that would vanish is a
break: the script names it and writes nothing, unless `--breaks` says that it is meant. Names are read from the sources
in pure mode, which keep annotations.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from scripts import public_commands, public_json

ROOT: Final = Path(__file__).parents[1]
NAMES: Final = ROOT / "tests" / "public_surface.txt"
MODULES: Final = (
    "", ".search", ".arena", ".arrays", ".prompts", ".selfplay", ".table", ".errors", ".testing",
    ".adapters.gymnasium", ".adapters.miniatures", ".adapters.openspiel", ".adapters.pettingzoo",
)  # fmt: skip


def names() -> str:
    """All public names, read in a process in pure mode."""
    environment = {**os.environ, "LUDOTHEQUE_PURE": "1"}
    command = [sys.executable, "-m", "scripts.public_surface", "--print"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


def _lines() -> Iterator[str]:
    for module in MODULES:
        page = importlib.import_module(f"ludotheque{module}")
        names = getattr(page, "__all__", None) or [name for name in vars(page) if not name.startswith("_")]
        public = {name: getattr(page, name) for name in sorted(names)}
        for name, value in public.items():
            yield from _name(f"{page.__name__}.{name}", value, list(public.values()))


def _name(path: str, value: Any, public: list[Any]) -> Iterator[str]:
    if inspect.isclass(value):
        bases = [base.__name__ for base in value.__mro__[1:] if base in public]
        yield f"class {path}({', '.join(bases)})"
        yield from _members(path, [owner for owner in value.__mro__ if owner is value or owner not in public])
    elif callable(value):
        yield f"{path}{_signature(value)}"
    else:
        yield f"{path}: {type(value).__name__}"


def _members(path: str, kinds: list[type]) -> Iterator[str]:
    """The fields and methods of a class and of those bases that are not public by themselves."""
    owners = [owner for owner in kinds if owner.__module__.startswith("ludotheque")]
    fields = {name: word for owner in reversed(owners) for name, word in inspect.get_annotations(owner).items()}
    methods = {name: value for owner in reversed(owners) for name, value in vars(owner).items()}
    for name in sorted(fields.keys() | methods.keys()):
        if not name.startswith("_") or (name == "__init__" and not getattr(kinds[0], "_is_protocol", False)):
            yield from _member(f"{path}.{name}", fields.get(name), methods.get(name))


def _member(path: str, field: object, value: Any) -> Iterator[str]:
    inner = getattr(value, "fget", None) or getattr(value, "func", None)
    if field is not None:
        yield f"{path}: {field}"
    elif inner is not None:
        yield f"{path}: {inspect.signature(inner).return_annotation}"
    elif callable(value) or isinstance(value, classmethod | staticmethod):
        yield f"{path}{_signature(getattr(value, '__func__', value))}"


def _signature(value: Any) -> str:
    try:
        return re.sub(r"<[^>]*>", "...", str(inspect.signature(value)).replace("'", ""))
    except ValueError:  # written in C
        return "(...)"


LISTS: Final[dict[Path, Callable[[], str]]] = {
    NAMES: names,
    ROOT / "tests" / "public_json.txt": public_json.text,
    ROOT / "tests" / "public_commands.txt": public_commands.text,
}


def vanished(before: str, now: str) -> list[str]:
    """Return the lines of a list that a newer one lacks."""
    left = set(now.splitlines())
    return [line for line in before.splitlines() if line not in left]


def write(*, breaks: bool) -> int:
    """Write all lists; where lines vanish and `breaks` does not allow it, name them instead."""
    texts = {path: make() for path, make in LISTS.items()}
    lost = [line for path, text in texts.items() if path.exists() for line in vanished(path.read_text("utf-8"), text)]
    if lost and not breaks:
        print("These lines would vanish:", *lost, sep="\n  ")
        print("Others may rely on them: docs/stability.md says how to deprecate. If it is meant, add --breaks.")
        return 1
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print("\n".join(_lines()))
    else:
        sys.exit(write(breaks="--breaks" in sys.argv[1:]))

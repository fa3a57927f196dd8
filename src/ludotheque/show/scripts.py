"""The page scripts: which modules a script imports, directly or not, and which it loads later."""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

from ludotheque.web import WEB

STATIC: Final = WEB / "static"
_IMPORT: Final = re.compile(r'^((?:import|\}) (?:.* )?from )"(\.[^"]+)";$', re.MULTILINE)
_DEFERRED: Final = re.compile(r'imported\(import\("(\.[^"]+)"\)\)')


@cache
def imports(path: str) -> tuple[str, ...]:
    """The modules that a script imports itself, as paths below `static/`."""
    source = (STATIC / path).read_text(encoding="utf-8")
    return tuple(resolve(path, found[1]) for found in _IMPORT.findall(source))


@cache
def imported(path: str) -> tuple[str, ...]:
    """All modules that a script needs, directly or through others."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting:
        new = [name for name in imports(waiting.pop()) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return tuple(found)


def deferred(path: str) -> tuple[str, ...]:
    """The modules that a script loads only when it needs them."""
    source = (STATIC / path).read_text(encoding="utf-8")
    return tuple(resolve(path, address) for address in _DEFERRED.findall(source))


def resolve(path: str, address: str) -> str:
    """The path of what a script calls `../lib/dom.js`."""
    return normpath(str(PurePosixPath(path).parent / address))


def with_bare_imports(path: str) -> str:
    """A script whose imports are paths below `static/`, to be looked up in an import map."""
    source = (STATIC / path).read_text(encoding="utf-8")
    return _IMPORT.sub(lambda found: f'{found[1]}"{resolve(path, found[2])}";', source)

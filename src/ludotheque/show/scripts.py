"""The page scripts: which modules a script imports, directly or not, which it loads later, and what browsers get."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

import msgspec

from ludotheque.core.phrases import Translation
from ludotheque.web import WEB

STATIC: Final = WEB / "static"
_IMPORT: Final = re.compile(r'^((?:import|\}) (?:.* )?from )"(\.[^"]+)";$', re.MULTILINE)
_DEFERRED: Final = re.compile(r'imported\(import\("(\.[^"]+)"\)\)')
_COMMENT: Final = re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)
"""A comment that has its lines to itself; no string or template goes over several lines."""


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


def served(file: Path) -> bytes:
    """The content of a static file as browsers get it: scripts and styles without comments, a quarter of them."""
    content = file.read_bytes()
    return without_comments(content) if file.suffix in {".js", ".css"} else content


@lru_cache(maxsize=256)
def without_comments(source: bytes) -> bytes:
    """A script or a style sheet with empty lines for comments, so that errors name the lines of the source."""
    return _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), source)


def with_bare_imports(path: str) -> str:
    """A script whose imports are paths below `static/`, to be looked up in an import map."""
    source = (STATIC / path).read_text(encoding="utf-8")
    return _IMPORT.sub(lambda found: f'{found[1]}"{resolve(path, found[2])}";', source)


def script_words(translate: Translation) -> dict[str, str]:
    """The words that the scripts use, in a language."""
    words = msgspec.json.decode((WEB / "script_words.json").read_bytes(), type=list[str])
    return {word: translate(word) for word in words}

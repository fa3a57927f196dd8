"""The static files as browsers get them: all scripts of a page in one file, all its styles in another, compressed once.

They are made when they are first asked for; a server that runs does not see that a source was changed.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final, NamedTuple

import msgspec

from ludotheque.core.phrases import Translation
from ludotheque.web import WEB

STATIC: Final = WEB / "static"
_IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ((?:async function|class|const|function) (\w+))", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
"""A comment that has its lines to itself; no string or template goes over several lines."""
_STYLES: Final = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
_INDENTATION: Final = re.compile(r"^[ \t]+", re.MULTILINE)
_EMPTY_LINES: Final = re.compile(r"\n(?:[ \t]*\n)+")


@cache
def imports(path: str) -> tuple[str, ...]:
    """The modules that a script imports itself, as paths below `static/`."""
    return tuple(resolve(path, address) for _, address in _IMPORT.findall(_source(path)))


def imported(path: str) -> tuple[str, ...]:
    """All modules that a script needs, directly or through others, each after those that it imports."""
    found: dict[str, None] = {}
    for name in imports(path):
        found |= dict.fromkeys((*imported(name), name))
    return tuple(found)


def resolve(path: str, address: str) -> str:
    """The path of what a script calls `../lib/dom.js`."""
    return normpath(str(PurePosixPath(path).parent / address))


@cache
def bundle(path: str) -> str:
    """A script and all that it imports as one file: a browser asks once instead of a hundred times.

    Every module is a function that runs once; what it exports is a constant, which those after it take apart.
    """
    return without_comments("".join([*map(_as_constant, imported(path)), _linked(path)]))


def _as_constant(path: str) -> str:
    """A module as a constant that holds what it exports."""
    source = _linked(path)
    exported = ", ".join(name for _, name in _EXPORT.findall(source))
    inner = _EXPORT.sub(r"\1", source)
    return f"const {_constant(path)} = (() => {{\n{inner}return {{ {exported} }};\n}})();\n"


def _linked(path: str) -> str:
    """A module that takes what it imports from the constants of others."""

    def link(found: re.Match[str]) -> str:
        names, address = found.groups()
        return f"const {{{names.replace(' as ', ': ')}}} = {_constant(resolve(path, address))};" if names else ""

    return _IMPORT.sub(link, _source(path))


def _constant(path: str) -> str:
    """`$lib_dom` for `lib/dom.js`; no script has names that begin so."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _source(path: str) -> str:
    return (STATIC / path).read_text(encoding="utf-8")


def without_comments(source: str) -> str:
    """A script or a style sheet without comments, which are a quarter of it, without empty lines and indentation."""
    return _EMPTY_LINES.sub("\n", _INDENTATION.sub("", _COMMENT.sub("", source)))


class StaticFile(NamedTuple):
    """A file as browsers get it."""

    content: bytes
    compressed: bytes | None
    """By gzip; None if that makes it no smaller."""
    version: str
    """A hash of its content."""


@cache
def static_file(path: str) -> StaticFile:
    """A file below `static/`."""
    content = _content(path)
    compressed = gzip.compress(content, mtime=0)
    return StaticFile(content, compressed if len(compressed) < len(content) else None, version_of(content))


def version_of(content: bytes) -> str:
    """A hash of the content of a file."""
    return hashlib.sha256(content).hexdigest()[:12]


def _content(path: str) -> bytes:
    if path.endswith(".js"):
        return bundle(path).encode()
    return style_sheet(path).encode() if path.endswith(".css") else (STATIC / path).read_bytes()


def style_sheet(path: str) -> str:
    """A style sheet, with those that it imports in their places."""

    def place(found: re.Match[str]) -> str:
        return style_sheet(resolve(path, found[1]))

    return _STYLES.sub(place, without_comments(_source(path)))


def script_words(translate: Translation) -> dict[str, str]:
    """The words that the scripts use, in a language."""
    words = msgspec.json.decode((WEB / "script_words.json").read_bytes(), type=list[str])
    return {word: translate(word) for word in words}

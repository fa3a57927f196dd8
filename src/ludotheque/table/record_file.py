"""Read records from files and pasted text; the first character tells JSON from text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ludotheque.core.errors import BadRecord
from ludotheque.table.record import Record
from ludotheque.table.record_json import read_json
from ludotheque.table.record_text import read_text

RECORD_LENGTH: Final = 1_000_000
"""The most characters that a record may have: many times the longest game with a comment on each ply."""
MOST_BYTES: Final = 4 * RECORD_LENGTH
"""Enough bytes for that many characters in UTF-8, whatever they are."""


def read_record(source: Path | str | bytes) -> Record:
    """Read a record from a file (a `Path`) or from its content, JSON or text, and check it against the rules."""
    content = _content(source) if isinstance(source, Path) else source
    text = _text(content) if len(content) <= MOST_BYTES else ""
    if len(content) > MOST_BYTES or len(text) > RECORD_LENGTH:
        raise BadRecord(f"This is too long for a record: one has at most {RECORD_LENGTH:,} characters.")
    first = text.lstrip()[:1]
    if first == "{":
        return read_json(text)
    if first == "[":
        return read_text(text)
    raise BadRecord('This is not a record: one begins with "{" (JSON) or with "[" (text).')


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadRecord(f"The file {str(path)!r} cannot be read: {reason}.") from error


def _text(content: str | bytes) -> str:
    try:
        if isinstance(content, bytes):
            content = content.decode()
        content.encode()
    except UnicodeError as error:
        raise BadRecord("This is not a record: it is not text in UTF-8.") from error
    return content.removeprefix("\ufeff")

"""Records from files and from what people paste: which form it is, shows in the first character."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ludotheque.core.errors import BadRecord
from ludotheque.table.record import Record
from ludotheque.table.record_json import read_json
from ludotheque.table.record_text import read_text

RECORD_LENGTH: Final = 1_000_000
"""So many characters, or bytes of a file, a record may have: many times as much as the longest game with a comment on
each ply."""


def read_record(source: Path | str | bytes) -> Record:
    """The record in a file (a `Path`) or in what it holds, JSON or text, checked against the rules to its end."""
    content = _content(source) if isinstance(source, Path) else source
    if len(content) > RECORD_LENGTH:
        raise BadRecord(f"This is too long for a record: one has at most {RECORD_LENGTH:,} characters.")
    text = _text(content)
    first = text.lstrip()[:1]
    if first == "{":
        return read_json(text)
    if first == "[":
        return read_text(text)
    raise BadRecord('This is not a record: one begins with "{" (JSON) or with "[" (text).')


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(RECORD_LENGTH + 1)
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

"""The file that stores a review while it is being made: JSON lines, the terms first, then one decision per line."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Final, final

import msgspec
from msgspec import Struct

from ludotheque.core.errors import BadReview
from ludotheque.core.game import SPECTATOR
from ludotheque.study.review import VERSION, Budget, Decision, read_decision
from ludotheque.table import Match

FORMAT: Final = f"ludotheque-review-{VERSION}"


class Terms(Struct, frozen=True):
    """The match, viewer and budget of a review: decisions judged on other terms cannot be mixed with it."""

    format: str
    match: str
    """A digest of the set-up and all plies."""
    viewer: int
    budget: Budget


def terms(match: Match, budget: Budget, viewer: int = SPECTATOR) -> Terms:
    """Return the terms of a review of a match as it is now."""
    game = match.game
    content = msgspec.json.encode([game.name, game.players, game.settings, match.actions()], order="sorted")
    return Terms(FORMAT, sha256(content).hexdigest(), viewer, budget)


class _Format(Struct, frozen=True):
    """The part of the first line that all versions share."""

    format: str


@final
class ReviewFile:
    """A `Store` in a file. A decision that was not completely written is judged again."""

    def __init__(self, path: Path, of: Terms) -> None:
        self.path: Final = path
        self._first: Final = msgspec.json.encode(of)
        lines = self._lines()
        if lines and lines[0] != self._first:
            raise BadReview(self._mismatch(lines[0]))
        self._decisions = [self._decision(number, line) for number, line in enumerate(lines[1:], 2)]
        if not lines:
            self._write(self._first + b"\n", "wb")
        else:
            self._cut(sum(len(line) + 1 for line in lines))

    def decisions(self) -> list[Decision]:
        return sorted(self._decisions, key=lambda decision: decision.ply)

    def add(self, decision: Decision) -> None:
        self._decisions.append(decision)
        self._write(msgspec.json.encode(decision) + b"\n", "ab")

    def _cut(self, size: int) -> None:
        """Cut off a last line that was not completely written."""
        try:
            if self.path.stat().st_size > size:
                os.truncate(self.path, size)
        except OSError as error:
            raise BadReview(f"The file {str(self.path)!r} cannot be written: {error.strerror}.") from error

    def _lines(self) -> list[bytes]:
        """Return the complete lines of the file; none if it does not exist."""
        try:
            return self.path.read_bytes().split(b"\n")[:-1] if self.path.exists() else []
        except OSError as error:
            raise BadReview(f"The file {str(self.path)!r} cannot be read: {error.strerror}.") from error

    def _mismatch(self, first: bytes) -> str:
        """Return what is wrong with a file that begins with other terms."""
        try:
            found = msgspec.json.decode(first, type=_Format).format
        except msgspec.DecodeError:
            return f"The file {str(self.path)!r} does not hold a review."
        if found != FORMAT:
            return (
                f"The file {str(self.path)!r} holds a review of another version of Ludotheque ({found}, not {FORMAT}): "
                "remove it, or name another file."
            )
        return f"The file {str(self.path)!r} holds the review of another game or on other terms."

    def _decision(self, number: int, line: bytes) -> Decision:
        try:
            return read_decision(msgspec.json.decode(line, type=dict[str, object]))
        except msgspec.DecodeError as error:
            raise BadReview(f"Line {number} of {str(self.path)!r} is not a judged decision: {error}.") from error

    def _write(self, content: bytes, mode: str) -> None:
        try:
            with self.path.open(mode) as file:
                file.write(content)
        except OSError as error:
            raise BadReview(f"The file {str(self.path)!r} cannot be written: {error.strerror}.") from error

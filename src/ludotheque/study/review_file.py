"""The file that stores a review while it is being made: JSON lines, the terms first, then one decision per line."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final, final

import msgspec
from msgspec import Struct

from ludotheque.core.errors import BadReview
from ludotheque.core.game import SPECTATOR
from ludotheque.study.line_file import LineFile
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
        self._file: Final = LineFile(path, BadReview)
        first = msgspec.json.encode(of)
        lines = self._file.lines
        if lines and lines[0] != first:
            raise BadReview(self._mismatch(lines[0]))
        self._decisions = [self._decision(number, line) for number, line in enumerate(lines[1:], 2)]
        self._file.resume(first)

    def decisions(self) -> list[Decision]:
        return sorted(self._decisions, key=lambda decision: decision.ply)

    def add(self, decision: Decision) -> None:
        self._decisions.append(decision)
        self._file.add(msgspec.json.encode(decision))

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

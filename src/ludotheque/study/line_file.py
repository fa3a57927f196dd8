"""A file of lines that a long run adds to, and that a run after a crash goes on with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, final

from ludotheque.core.errors import LudothequeError


@final
class LineFile:
    """The lines of a file. A last one that was not completely written does not count, and is cut off by `resume`."""

    def __init__(self, path: Path, error: type[LudothequeError]) -> None:
        """Read the file, if there is one, and change nothing; `error` is raised where the file does not work."""
        self.path: Final = path
        self._error: Final = error
        with self._failures("read"):
            content = path.read_bytes() if path.exists() else b""
        *self.lines, self._incomplete = content.split(b"\n")

    def resume(self, first: bytes) -> None:
        """Make the file ready for more lines; a new one begins with `first`."""
        if not first.startswith(self._incomplete) and not self.lines:
            raise self._error(f"The file {str(self.path)!r} holds something else: name another.")
        if self._incomplete:
            with self._failures("written"):
                os.truncate(self.path, sum(len(line) + 1 for line in self.lines))
        if not self.lines:
            self.add(first)

    def add(self, line: bytes) -> None:
        """Write a line at the end of the file."""
        with self._failures("written"), self.path.open("ab") as file:
            file.write(line + b"\n")

    @contextmanager
    def _failures(self, verb: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._error(f"The file {str(self.path)!r} cannot be {verb}: {error.strerror}.") from error

"""The JSON that `docs/stability.md` promises: records, the engine protocol, the files and the output of commands.

`python -m scripts.public_surface` writes their shapes to `tests/public_json.txt`, a line for each field, with
the types of TypeScript.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import inspect

from ludotheque.bots import protocol
from ludotheque.cli.records import ReplayedPosition
from ludotheque.cli.review import ReviewedMatch
from ludotheque.study.arena import Contest, Outcome, Report
from ludotheque.study.bench import Measurement
from ludotheque.study.hints import BotMove, Hint
from ludotheque.study.puzzles import Puzzle
from ludotheque.study.review import Decision
from ludotheque.study.review_file import Terms
from ludotheque.study.suite import SuiteResult
from ludotheque.table import Record
from scripts import wire_types

PROMISED: Final[dict[str, Any]] = {
    "records": Record,
    "the engine protocol, from the table": protocol.ToBot,
    "the engine protocol, from the bot": protocol.FromBot,
    "ludotheque replay --json": ReplayedPosition,
    "ludotheque hint --json": list[Hint],
    "ludotheque hint --bot --json": BotMove,
    "ludotheque review --json": ReviewedMatch,
    "ludotheque review --state, the first line": Terms,
    "ludotheque review --state, the others": Decision,
    "ludotheque arena --json": Report,
    "ludotheque arena --results, the first line": Contest,
    "ludotheque arena --results, the others": Outcome,
    "ludotheque bench --json": list[Measurement],
    "ludotheque suite run --out": SuiteResult,
    "ludotheque puzzles make --out": list[Puzzle],
}


def text() -> str:
    """Return a line for each document and for each field in it."""
    return "".join(f"{title}: {line}\n" for title, kind in PROMISED.items() for line in _lines(inspect.type_info(kind)))


def _lines(document: inspect.Type) -> Iterator[str]:
    yield wire_types.typescript(document)
    found = wire_types.structs([document])
    for name, struct in sorted(found.items()):
        for place, field in enumerate(wire_types.fields(struct)):
            yield f"{name}[{place}] {field}" if struct.array_like else f"{name}.{field}"

"""The gauges and the sheet of a scene as text, for terminals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ludotheque.core.colours import Mark
from ludotheque.core.phrases import Phrase
from ludotheque.core.scene import Gauge, Row, Scene, Sheet


def scene_lines(scene: Scene, names: Sequence[str]) -> Iterator[str]:
    """The lines below the board: how far events are, and what the present question is about."""
    for event, gauges in groupby(scene.gauges, lambda gauge: str(gauge.event)):
        yield f"{event}: {', '.join(map(_gauge_text, gauges))}"
    if scene.sheet:
        yield from _sheet_lines(scene.sheet, names)


def _gauge_text(gauge: Gauge) -> str:
    return f"{gauge.label} {gauge.at}/{gauge.end}"


def _sheet_lines(sheet: Sheet, names: Sequence[str]) -> Iterator[str]:
    yield f"{sheet.title.render(names=names)} ({_cell_text((sheet.mark,), names)})"
    yield "  " + "; ".join(" ".join(_row_texts(fact, names)) for fact in sheet.facts)
    rows = [_row_texts(row, names) for row in (sheet.table.head, *sheet.table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
    if str(sheet.note):
        yield "  " + sheet.note.render(names=names)


def _row_texts(row: Row, names: Sequence[str]) -> list[str]:
    return [_cell_text(cell, names) for cell in row]


def _cell_text(cell: object, names: Sequence[str]) -> str:
    if isinstance(cell, Phrase):
        return cell.render(names=names)
    if isinstance(cell, tuple):
        return " ".join(_cell_text(mark.text, names) for mark in cell if isinstance(mark, Mark))
    return str(cell)

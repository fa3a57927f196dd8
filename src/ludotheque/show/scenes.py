"""Scenes, choices and log lines rendered in a reader's language, and the difference between two scenes."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Final, TypeVar

from msgspec import Struct

from ludotheque.core.choices import Choice
from ludotheque.core.colours import Mark
from ludotheque.core.game import CHANCE
from ludotheque.core.ghosts import Ghost
from ludotheque.core.phrases import Detailed, Phrase, Picture
from ludotheque.core.projection import Solid
from ludotheque.core.registry import cached_game, find_game
from ludotheque.core.scene import Bar, Gauge, Piece, Renderer, Scene, ScoreTable, Sheet, TableCell
from ludotheque.show.language import Reader, game_translator
from ludotheque.table import LogLine

_MOST_RENDERED: Final = 4096
_MARKS: Final = [chr(letter) for letter in range(0xE000, 0xE100)]
"""Letters for private use; those that are not in a sentence mark where its pictures are."""
Key = TypeVar("Key")
Value = TypeVar("Value")


class RenderedPiece(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A piece of a scene, in the reader's language."""

    id: str
    symbol: str = ""
    path: str = ""
    text: str = ""
    x: float = 0
    y: float = 0
    turn: int = 0
    elevation: float = 0
    body: Solid | None = None
    classes: str = ""
    label: str = ""
    where: str = ""
    step: str = ""
    lights: str = ""
    along: str = ""
    in_tray: bool = False


class RenderedMark(Struct, frozen=True, gc=False):
    """A counter in a colour, with its letter and perhaps a word or number beside it."""

    colour: str
    letter: str
    text: str | int = ""


RenderedCell = str | int | tuple[RenderedMark, ...] | Bar


class RenderedGhost(Struct, frozen=True, omit_defaults=True):
    """The pieces that a move adds to the board or changes there, to be drawn over it."""

    pieces: tuple[RenderedPiece, ...] = ()
    """Pieces that it puts, moves or points at, the main piece first."""
    changes: tuple[RenderedPiece, ...] = ()
    """Other pieces that it changes."""
    gone: tuple[str, ...] = ()


class RenderedTable(Struct, frozen=True, omit_defaults=True):
    """A small table beside the board."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[RenderedCell, ...], ...]
    lists_seats: bool = False
    marked: int = -1
    brief: int = -1
    own: tuple[int, ...] = ()


class RenderedGauge(Struct, frozen=True):
    """The progress of something towards an event."""

    event: str
    label: str
    at: int
    end: int
    meaning: str


class RenderedSheet(Struct, frozen=True):
    """The subject of the present question, shown over the board."""

    title: str
    mark: RenderedMark
    facts: tuple[tuple[RenderedCell, ...], ...]
    table: RenderedTable
    note: str


class RenderedScene(Struct, frozen=True, kw_only=True):
    """A scene, whole or as a change to an earlier one."""

    title: str
    width: float
    height: float
    tray_width: float = 0
    tray_height: float = 0
    legible: float = 0
    """The side of a piece that must stay large enough to read; 0: the whole board is shown."""
    thickness: float = 0
    """Thickness of the board; a tilted view is offered of a board that has one."""
    base: int | None
    pieces: tuple[RenderedPiece, ...]
    gone: tuple[str, ...] = ()
    follows: dict[str, str] = {}
    """The piece right before each piece that is new or painted in another order, by id; empty if it is the first."""
    tables: tuple[RenderedTable, ...]
    gauges: tuple[RenderedGauge, ...] = ()
    sheet: RenderedSheet | None = None
    asks: str = ""
    """The task of the seat to move, addressed to it."""
    continues: bool = False
    """Whether the same seat may decide again in this turn."""


class SceneChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The differences of a scene from the one before it; without one, all of it."""

    title: str
    width: float
    height: float
    tray_width: float = 0
    tray_height: float = 0
    legible: float = 0
    thickness: float = 0
    pieces: tuple[RenderedPiece, ...]
    gone: tuple[str, ...] = ()
    follows: dict[str, str] = {}
    tables: tuple[RenderedTable, ...] | None = None


class RenderedChoice(Struct, frozen=True, omit_defaults=True, gc=False):
    """A node of the tree of choices."""

    key: str
    label: str
    children: tuple[RenderedChoice, ...] = ()
    action: int | None = None
    tag: str = ""
    """For its place on the board while it can be chosen."""
    warning: str = ""
    next: tuple[RenderedChoice, ...] = ()
    """The next decision of the same turn after the action."""
    asks: str = ""
    """The question that this step leads to; empty if none is asked after it."""


class RenderedPicture(Struct, frozen=True, omit_defaults=True, gc=False):
    """A picture in a sentence."""

    symbol: str
    """The symbol of the game's art."""
    words: str
    """Alternative text."""
    turn: int = 0
    """Degrees clockwise."""


class RenderedLine(Struct, frozen=True, omit_defaults=True, gc=False):
    """A line of the log."""

    ply: int
    text: str
    short: str | None = None
    """The line without details, for the news; empty if they leave it out, and none if it is the same."""
    seat: int = CHANCE
    """The seat that acted."""
    drawn: tuple[str | RenderedPicture, ...] = ()
    """The text with pictures in place of some words; empty without any."""


class Difference(Struct, frozen=True):
    """The changes from one scene to another."""

    changed: list[Piece]
    """The pieces that are new or different."""
    gone: tuple[str, ...]
    follows: dict[str, str]
    """The piece right before each piece that is new or painted in another order, by id; empty if it is the first."""


NO_PIECE: Final = Piece(id="")


def difference(
    old: Sequence[Piece], new: Sequence[Piece], known: dict[str, Piece] | None = None, below: Piece = NO_PIECE
) -> Difference:
    """Compare two scenes, each given as its pieces in the order of painting.

    `known`: the old pieces by id, which become the new ones; `below`: the piece under the first.
    """
    known = {piece.id: piece for piece in old} if known is None else known
    return _Comparison(old, new, known).run(below)


class _Comparison:
    """Goes through two scenes side by side. Most pieces are the same objects; the rest is found by id."""

    def __init__(self, old: Sequence[Piece], new: Sequence[Piece], known: dict[str, Piece]) -> None:
        self._old, self._new = chain(old, (NO_PIECE,)), chain(new, (NO_PIECE,))
        self._known = known
        self._changed: list[Piece] = []
        self._follows: dict[str, str] = {}
        self._passed: dict[str, None] = {}
        """The old pieces that were not found yet."""

    def run(self, last: Piece) -> Difference:
        for before, piece in zip(self._old, self._new, strict=True):
            last = piece if before is piece else self._meet(before, piece, last)
        for id in self._passed:
            del self._known[id]
        for piece in self._changed:
            self._known[piece.id] = piece
        return Difference(self._changed, tuple(self._passed), self._follows)

    def _meet(self, before: Piece, piece: Piece, last: Piece) -> Piece:
        """Go on from two pieces that differ to two with the same id; return the new one. `last`: the one before it."""
        while before.id != piece.id:
            if before.id in self._follows:  # it came earlier
                before = next(self._old)
            elif piece is NO_PIECE or self._comes_later(piece):
                self._passed[before.id] = None
                before = next(self._old)
            else:
                self._follows[piece.id] = last.id
                self._passed.pop(piece.id, None)
                self._note(self._known.get(piece.id), piece)
                last, piece = piece, next(self._new)
        self._note(before, piece)
        return piece

    def _comes_later(self, piece: Piece) -> bool:
        """Whether a piece is still among the old ones to come; one that looks different may be moved instead."""
        return piece.id not in self._passed and self._known.get(piece.id) == piece

    def _note(self, before: Piece | None, piece: Piece) -> None:
        if before is not piece and before != piece:
            self._changed.append(piece)


def renderer(game: str, reader: Reader, names: Sequence[str]) -> Renderer:
    """A function that renders phrases in a reader's language, with the game's custom catalogue and the names of the
    seats."""
    translate = game_translator(game, reader.language)
    plain, rendered = _plain(game, reader.language), _rendered(game, reader.language)

    def render(phrase: Phrase) -> str:
        if not phrase.values:
            if not phrase.text:
                return ""
            return plain.get(phrase.text) or _remember(plain, phrase.text, phrase.render(translate))
        known = rendered.get(id(phrase))
        if known is not None:
            return known[1]
        text = phrase.render(translate, names, render)
        if not phrase.names_seat:
            _remember(rendered, id(phrase), (phrase, text))
        return text

    return render


def score_text(game: str, score: float, reader: Reader) -> str:
    """A score, or a mean of scores, as its game writes it; the number of a game that is not installed."""
    kind = find_game(game)
    if not kind:
        return str(round(score))
    return renderer(game, reader, ())(cached_game(game, kind.min_players, {}).score_text(round(score)))


@cache
def _plain(game: str, language: str) -> OrderedDict[str, str]:
    """The latest phrases without values, by their English text, as they were rendered."""
    return OrderedDict()


@cache
def _rendered(game: str, language: str) -> OrderedDict[int, tuple[Phrase, str]]:
    """The latest phrases without names of players, by identity, as they were rendered: games use most again and again.

    The phrase is stored with its text, so that no later one gets its identity.
    """
    return OrderedDict()


def _remember(rendered: OrderedDict[Key, Value], key: Key, value: Value) -> Value:
    """Add to a cache; the oldest is dropped first."""
    if len(rendered) >= _MOST_RENDERED:
        rendered.popitem(last=False)
    rendered[key] = value
    return value


def render_piece(piece: Piece, render: Renderer) -> RenderedPiece:
    return RenderedPiece(
        id=piece.id,
        symbol=piece.symbol,
        path=piece.path,
        text=render_word(piece.text, render),
        x=piece.x,
        y=piece.y,
        turn=piece.turn,
        elevation=piece.elevation,
        body=piece.body,
        classes=piece.classes,
        label=render(piece.label) if piece.label else "",
        where=piece.where,
        step=piece.step,
        lights=piece.lights,
        along=piece.along,
        in_tray=piece.in_tray,
    )


def render_ghost(ghost: Ghost, render: Renderer) -> RenderedGhost:
    return RenderedGhost(
        tuple(render_piece(piece, render) for piece in ghost.pieces),
        tuple(render_piece(piece, render) for piece in ghost.changes),
        ghost.gone,
    )


def render_word(word: str | Phrase, render: Renderer) -> str:
    return render(word) if isinstance(word, Phrase) else word


def _render_cell(cell: TableCell, render: Renderer) -> RenderedCell:
    if isinstance(cell, tuple):
        return tuple(render_mark(mark, render) for mark in cell)
    return render(cell) if isinstance(cell, Phrase) else cell


def render_mark(mark: Mark, render: Renderer) -> RenderedMark:
    text = render(mark.text) if isinstance(mark.text, Phrase) else mark.text
    return RenderedMark(mark.colour, render_word(mark.letter, render), text)


def render_scene(scene: Scene, render: Renderer) -> RenderedScene:
    return RenderedScene(
        title=render(scene.title),
        width=scene.width,
        height=scene.height,
        tray_width=scene.tray_width,
        tray_height=scene.tray_height,
        legible=scene.legible,
        thickness=scene.thickness,
        base=None,
        pieces=tuple(render_piece(piece, render) for piece in scene.pieces),
        tables=render_tables(scene.tables, render),
        gauges=render_gauges(scene.gauges, render),
        sheet=render_sheet(scene.sheet, render),
        asks=render(scene.prompt),
        continues=scene.continues,
    )


def scene_change(before: Scene | None, scene: Scene, render: Renderer) -> SceneChange:
    """Return the changes from one scene to the next; only these are put into words."""
    found = difference(before.pieces if before else (), scene.pieces)
    return SceneChange(
        title=render(scene.title),
        width=scene.width,
        height=scene.height,
        tray_width=scene.tray_width,
        tray_height=scene.tray_height,
        legible=scene.legible,
        thickness=scene.thickness,
        pieces=tuple(render_piece(piece, render) for piece in found.changed),
        gone=found.gone,
        follows=found.follows if before else {},
        tables=None if before and before.tables == scene.tables else render_tables(scene.tables, render),
    )


def render_tables(tables: Iterable[ScoreTable], render: Renderer) -> tuple[RenderedTable, ...]:
    return tuple([render_table(table, render) for table in tables])


def render_table(table: ScoreTable, render: Renderer) -> RenderedTable:
    return RenderedTable(
        render(table.caption),
        tuple([render(word) for word in table.head]),
        tuple([tuple([_render_cell(cell, render) for cell in row]) for row in table.rows]),
        table.lists_seats,
        table.marked,
        table.brief,
        table.own,
    )


def render_gauges(gauges: Iterable[Gauge], render: Renderer) -> tuple[RenderedGauge, ...]:
    return tuple(
        RenderedGauge(render(each.event), render(each.label), each.at, each.end, render(each.meaning))
        for each in gauges
    )


def render_sheet(sheet: Sheet | None, render: Renderer) -> RenderedSheet | None:
    if sheet is None:
        return None
    return RenderedSheet(
        render(sheet.title),
        render_mark(sheet.mark, render),
        tuple(tuple(_render_cell(cell, render) for cell in fact) for fact in sheet.facts),
        render_table(sheet.table, render),
        render(sheet.note),
    )


def render_choices(choices: Iterable[Choice], render: Renderer) -> tuple[RenderedChoice, ...]:
    """Render choices: up to 400 in each view, of which few have more than a label."""
    return tuple(
        [
            RenderedChoice(
                node.step.key,
                render(node.step.label),
                render_choices(node.children, render) if node.children else (),
                node.action,
                node.step.tag.text and render(node.step.tag),
                node.step.warning.text and render(node.step.warning),
                render_choices(node.next_decision, render) if node.next_decision else (),
                node.step.asks.text and render(node.step.asks),
            )
            for node in choices
        ]
    )


def render_lines(lines: Iterable[LogLine], render: Renderer) -> tuple[RenderedLine, ...]:
    return tuple([render_line(line, render) for line in lines])


def render_line(line: LogLine, render: Renderer) -> RenderedLine:
    short = render(line.phrase.short) if isinstance(line.phrase, Detailed) else None
    text = render(line.phrase)
    return RenderedLine(line.ply, text, short, line.seat, tuple(drawn_parts(line.phrase, text, render)))


def drawn_parts(line: Phrase, words: str, render: Renderer) -> Iterator[str | RenderedPicture]:
    """Yield the parts of a sentence with pictures: texts and pictures; nothing of another sentence."""
    pictures = {name: value for name, value in line.values.items() if isinstance(value, Picture)}
    if not pictures:
        return
    places = dict(zip(pictures, (mark for mark in _MARKS if mark not in words), strict=False))
    marks = {mark: pictures[name] for name, mark in places.items()}
    text = render(Phrase(line.text, {**line.values, **places}, line.many))
    for part in re.split(f"([{''.join(marks)}])", text):
        picture = marks.get(part)
        if picture:
            yield RenderedPicture(picture.symbol, render(picture), picture.turn)
        elif part:
            yield part

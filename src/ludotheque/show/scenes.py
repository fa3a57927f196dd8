"""Scenes, choices and log lines rendered in a reader's language, and the difference between two scenes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from ludotheque.core.choices import Choice
from ludotheque.core.colours import Mark
from ludotheque.core.ghosts import Ghost
from ludotheque.core.phrases import Phrase
from ludotheque.core.scene import Cell, Piece, Scene, ScoreTable
from ludotheque.show.language import Reader, game_translator
from ludotheque.table import LogLine

Renderer = Callable[[Phrase], str]
_MOST_RENDERED: Final = 2048


class RenderedPiece(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A piece of a scene, in the reader's language."""

    id: str
    symbol: str = ""
    path: str = ""
    text: str = ""
    x: float = 0
    y: float = 0
    turn: int = 0
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


RenderedCell = str | int | tuple[RenderedMark, ...]


class RenderedGhost(Struct, frozen=True, omit_defaults=True):
    """What a move puts on the board or changes there, to be drawn over it."""

    pieces: tuple[RenderedPiece, ...] = ()
    """What it puts, moves or points at, the main piece first."""
    changes: tuple[RenderedPiece, ...] = ()
    """What else becomes different by it."""
    gone: tuple[str, ...] = ()


class RenderedTable(Struct, frozen=True):
    """A small table beside the board."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[RenderedCell, ...], ...]
    lists_seats: bool = False
    marked: int = -1


class RenderedScene(Struct, frozen=True, kw_only=True):
    """A scene, whole or as a change to an earlier one."""

    title: str
    width: float
    height: float
    tray_width: float = 0
    tray_height: float = 0
    base: int | None
    pieces: tuple[RenderedPiece, ...]
    gone: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None
    tables: tuple[RenderedTable, ...]
    asks: str = ""
    """What the seat to move has to do, addressed to it."""
    continues: bool = False
    """Whether the same seat may decide again in this turn."""


class SceneChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is different in a scene from the one before it; without one, all of it."""

    title: str
    width: float
    height: float
    tray_width: float = 0
    tray_height: float = 0
    pieces: tuple[RenderedPiece, ...]
    gone: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None
    tables: tuple[RenderedTable, ...] | None = None


class RenderedChoice(Struct, frozen=True, omit_defaults=True, gc=False):
    """A node of the tree of choices."""

    key: str
    label: str
    children: tuple[RenderedChoice, ...] = ()
    action: int | None = None


class RenderedLine(Struct, frozen=True, gc=False):
    """A line of the log."""

    ply: int
    text: str


class Difference(Struct, frozen=True):
    """The changes from one scene to another."""

    changed: list[Piece]
    """The pieces that are new or different."""
    gone: tuple[str, ...]
    order: tuple[str, ...] | None
    """All ids, unless they are simply the old ones without those gone and with the new ones at the end."""


def difference(old: Mapping[str, Piece], new: Mapping[str, Piece]) -> Difference:
    """Compare two scenes, each given as its pieces by id in the order of painting."""
    changed = [piece for id, piece in new.items() if (known := old.get(id)) is not piece and known != piece]
    added = [piece.id for piece in changed if piece.id not in old]
    gone: tuple[str, ...] = ()
    natural = [*old]
    if len(old) + len(added) > len(new):
        gone = tuple([id for id in old if id not in new])
        natural = [id for id in old if id in new]
    natural += added
    order = [*new]
    return Difference(changed, gone, None if natural == order else tuple(order))


def renderer(game: str, reader: Reader, names: Sequence[str]) -> Renderer:
    """A function that renders phrases in a reader's language, with what the game itself brings and the names of the
    seats."""
    translate = game_translator(game, reader.language)
    rendered = _rendered(game, reader.language)

    def render(phrase: Phrase) -> str:
        known = rendered.get(id(phrase))
        if known is not None:
            return known[1]
        text = phrase.render(translate, names)
        if not phrase.names_seat:
            if len(rendered) >= _MOST_RENDERED:
                rendered.clear()
            rendered[id(phrase)] = phrase, text
        return text

    return render


@cache
def _rendered(game: str, language: str) -> dict[int, tuple[Phrase, str]]:
    """The latest phrases without names of players, by identity, as they were rendered: games use most again and again.

    The phrase is stored with its text, so that no later one gets its identity.
    """
    return {}


def render_piece(piece: Piece, render: Renderer) -> RenderedPiece:
    return RenderedPiece(
        id=piece.id,
        symbol=piece.symbol,
        path=piece.path,
        text=render_word(piece.text, render),
        x=piece.x,
        y=piece.y,
        turn=piece.turn,
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


def _render_cell(cell: Cell, render: Renderer) -> RenderedCell:
    if isinstance(cell, tuple):
        return tuple(_render_mark(mark, render) for mark in cell)
    return render(cell) if isinstance(cell, Phrase) else cell


def _render_mark(mark: Mark, render: Renderer) -> RenderedMark:
    text = render(mark.text) if isinstance(mark.text, Phrase) else mark.text
    return RenderedMark(mark.colour, render_word(mark.letter, render), text)


def render_scene(scene: Scene, render: Renderer) -> RenderedScene:
    return RenderedScene(
        title=render(scene.title),
        width=scene.width,
        height=scene.height,
        tray_width=scene.tray_width,
        tray_height=scene.tray_height,
        base=None,
        pieces=tuple(render_piece(piece, render) for piece in scene.pieces),
        tables=render_tables(scene.tables, render),
        asks=render(scene.asks),
        continues=scene.continues,
    )


def scene_change(before: Scene | None, scene: Scene, render: Renderer) -> SceneChange:
    """What a scene changes in the one before it; only that is put into words."""
    old = {piece.id: piece for piece in before.pieces} if before else {}
    found = difference(old, {piece.id: piece for piece in scene.pieces})
    return SceneChange(
        title=render(scene.title),
        width=scene.width,
        height=scene.height,
        tray_width=scene.tray_width,
        tray_height=scene.tray_height,
        pieces=tuple(render_piece(piece, render) for piece in found.changed),
        gone=found.gone,
        order=found.order,
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
    )


def render_choices(choices: Iterable[Choice], render: Renderer) -> tuple[RenderedChoice, ...]:
    return tuple(
        [
            RenderedChoice(
                node.step.key,
                render(node.step.label),
                render_choices(node.children, render) if node.children else (),
                node.action,
            )
            for node in choices
        ]
    )


def render_lines(lines: Iterable[LogLine], render: Renderer) -> tuple[RenderedLine, ...]:
    return tuple(RenderedLine(line.ply, render(line.phrase)) for line in lines)

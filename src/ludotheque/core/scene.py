"""The picture of an observation: a short list of pieces to put over a backdrop that never changes.

The browser keeps the backdrop and creates, moves and removes pieces by id; Python joins the two into a whole SVG for
notebooks, documents, exports and tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from msgspec import Struct, field, structs

from ludotheque.core.colours import PALETTE, Mark, translate_letters
from ludotheque.core.phrases import ENGLISH, NOTHING, Phrase, Translation
from ludotheque.core.projection import FLAT, Point, Projection, Solid, path_of, placed, rectangle

PANEL_WIDTH: Final = 340
_TILTED_MARGIN: Final = 10
"""Space around a tilted board."""
_LINE: Final = 22
_MARGIN: Final = 16
_CHIP: Final = 16
"""The side of a mark in a table."""
_CHIP_PITCH: Final = 29
_BAR: Final = 36
"""The length of a full bar in a table."""
_LONGEST_NAME: Final = 11
"""Letters of a name in a table beside the board; the next column begins there."""
_NUMBERS: Final = re.compile(r"-?\d+(?:\.\d+)?")
_USED_SYMBOL: Final = re.compile(r'href="#([^"]+)"')
_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)".*?</symbol>\s*', re.DOTALL)


Renderer = Callable[[Phrase], str]
"""From a phrase to the reader's words."""


class Piece(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """One thing on the board: a symbol of the art, a path, or a text, at a place."""

    id: str
    """Stays the same as long as the piece exists, so that its moves can be animated."""
    symbol: str = ""
    path: str = ""
    text: str | Phrase = ""
    """A phrase if it must be translated."""
    x: float = 0
    y: float = 0
    turn: int = 0
    """Degrees clockwise about its position. Styles know it as `--turn`, to keep parts of a symbol upright."""
    elevation: float = 0
    """Height above the board of what is flat, or of the lower face of a body."""
    body: Solid | None = None
    """Its body, whose sides are drawn in the colour `--side`; its symbol or path is the upper face. `stacked` gives
    such pieces shadows and their order of painting."""
    classes: str = ""
    """For styles. Pages know `spot` (a place, marked where it can be chosen; with `tag-above` the tag of its choice is
    at its upper edge, not at the lower one), `last` (what was played last), `subject`
    (what the question is about, brought into view when nothing on the board can be chosen) and `sign` (a picture that
    does not say what choosing it does, so that there is a button too), `mapped` (a square of the side `legible`,
    drawn on the small map of a board that grows), `finished` (a town, a line: it is lit once when it becomes so,
    with the class `flare`), `still` (a symbol that appears where it is and does not travel), and `enlarged` (a picture
    over the board, off which the small map keeps)."""
    label: Phrase | None = None
    """A description for screen readers and tooltips."""
    where: str = ""
    """Its place for those who cannot see the board, in notation: the text description begins with it."""
    step: str = ""
    """The step that a click on it chooses, if any."""
    lights: str = ""
    """The id of another piece that is highlighted together with this one: a car and its line."""
    along: str = ""
    """A path that it moves along once, when the path is set: a car along its finished line."""
    in_tray: bool = False
    """Whether it lies in the tray below the board; its place is then counted from the corner of the tray."""

    @property
    def top(self) -> float:
        """Height above the board of its upper face."""
        return self.elevation + (self.body.thickness if self.body else 0)

    @property
    def base(self) -> list[Point]:
        """The corners of its body where it lies on the board."""
        return list(placed(self.body.outline, self.turn, self.x, self.y)) if self.body else []

    def to_svg(self, render: Renderer = str, view: Projection = FLAT) -> str:
        attributes = {
            "id": self.id,
            "class": self.classes,
            "transform": " ".join(self._transforms(view)),
            "style": f"--turn:{self.turn}deg" if self.turn else "",
            "data-step": self.step,
        }
        words = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items() if value)
        title = f"<title>{escape(render(self.label))}</title>" if self.label else ""
        return f"<g{words}>{title}{self._sides(view)}{self._shape(render)}</g>"

    def _transforms(self, view: Projection) -> Iterator[str]:
        """Yield the transforms that put it where it is seen; a text stays upright."""
        x, y = view.place(self.x, self.y, self.top)
        if view is not FLAT and (self.symbol or self.path):
            yield _matrix(view, x, y)
        elif x or y:
            yield f"translate({x:g} {y:g})"
        if self.turn:
            yield f"rotate({self.turn})"

    def _sides(self, view: Projection) -> str:
        faces = [*view.faces(self.body, self.turn)] if self.body else []
        whole = "".join(path_of(face.corners) for face in faces)
        shades = "".join(
            f'<path class="shade" d="{path_of(face.corners)}" fill-opacity="{face.shade:g}"/>'
            for face in faces
            if face.shade
        )
        return f'<path class="sides" d="{whole}"/>{shades}' if whole else ""

    def _shape(self, render: Renderer) -> str:
        if self.symbol:
            return f'<use href="#{escape(self.symbol)}"/>'
        if self.path:
            return f'<path d="{escape(self.path)}"/>'
        return f"<text>{escape(_text_of(self.text, render))}</text>"


class Bar(Struct, frozen=True):
    """A number in a table, drawn as a bar too."""

    value: int = field(name="number")
    full: int = field(name="most")
    """The value whose bar is full."""
    colour: str
    """A name of the palette."""

    def __str__(self) -> str:
        return str(self.value)


TableCell = str | int | Phrase | tuple[Mark, ...] | Bar
Row = tuple[TableCell, ...]


class ScoreTable(Struct, frozen=True):
    """A small table beside the board: points, money, hands."""

    caption: Phrase
    head: tuple[Phrase, ...]
    rows: tuple[Row, ...]
    lists_seats: bool = False
    """Whether its rows are the seats in order, which pages draw as a card each: first who it is, last the score."""
    marked: int = -1
    """The row to mark, such as the seat to move."""
    brief: int = -1
    """The column that small screens always show with the board, beside the marks in the first one; -1: none."""
    own: tuple[int, ...] = ()
    """The rows in which the viewer has a part; they are framed where the table is shown in brief."""


class Gauge(Struct, frozen=True):
    """The progress of something towards an event, always in view: a dial, what is left of a supply."""

    event: Phrase
    """The event in one word; gauges of the same event are in one row."""
    label: Phrase
    """The thing that it counts, in one word."""
    at: int
    end: int
    """The value at which the event comes."""
    meaning: Phrase
    """The cause of the event, in a sentence."""


class Sheet(Struct, frozen=True):
    """The subject of the present question, large over the board, which steps back: an auction, a vote.

    It is made from the observation, so that it tells viewers nothing that they may not know.
    """

    title: Phrase
    """What it is about. A page that shows the sheet leaves out the table of the scene with this caption, which says the
    same in short for others, such as terminals."""
    mark: Mark
    """The counter of what it is about."""
    facts: tuple[Row, ...]
    """Names and values, in pairs."""
    table: ScoreTable
    """The players who take part in it."""
    note: Phrase = NOTHING
    """The way in which it ends."""


class Overlay(Struct, frozen=True):
    """Pieces that a game draws over the board on demand."""

    pieces: tuple[Piece, ...] = ()
    lines: tuple[Phrase, ...] = ()
    """The same in a few short sentences."""


class KeyEntry(Struct, frozen=True):
    """One symbol of the key to the board: a part of a picture of the rules, and what it means."""

    picture: str
    """The name of the picture, as in `pictures.toml`."""
    around: str
    """The id of the piece in its middle."""
    reach: float
    """Distance from there to the edge of the part shown."""
    words: Phrase
    aside: tuple[float, float] = (0, 0)
    """Distance from that piece to the middle."""


class Scene(Struct, frozen=True, kw_only=True):
    """The picture of one observation."""

    title: Phrase
    width: float
    height: float
    tray_width: float = 0
    tray_height: float = 0
    """The tray below the board, with what the viewer holds; no height: no tray. Its pieces are shown in real size."""
    legible: float = 0
    """The side of a piece that must stay large enough to read on a board that grows: pages show a part of such a board
    and follow what was played last. 0: pages show the whole board."""
    thickness: float = 0
    """Thickness of the board. Pages offer a tilted view of a board that has one, in which bodies stand on it."""
    pieces: tuple[Piece, ...]
    tables: tuple[ScoreTable, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    sheet: Sheet | None = None
    origin: tuple[float, float] = (0, 0)
    """Present place of the fixed point of a board that grows."""
    shared: tuple[Piece, ...] = ()
    """The first of the pieces, those that are the same for all viewers of a position: they are compared once."""
    prompt: Phrase = NOTHING
    """The task of the player to move: "choose a tile"; empty at a draw and after the end."""
    continues: bool = False
    """Whether the same seat may decide again in this turn: pages compose such a turn and play it as a whole."""

    def to_svg(
        self, backdrop: str, translate: Translation = ENGLISH, names: Sequence[str] = (), view: Projection = FLAT
    ) -> str:
        """The whole picture as one SVG document, the tables to the right of the board; with the names of the seats."""

        def render(words: Phrase) -> str:
            return words.render(translate, names)

        left, top, board_width, board_height = self.bounds(view)
        framed = structs.replace(self, width=board_width, height=board_height)
        panel = framed._panel(render)
        width = framed._board_width + (PANEL_WIDTH if panel else 0)
        height = framed.height + self.tray_height
        title = escape(render(self.title))
        pieces = self._pieces(False, render, view)
        tray = framed._moved_tray(self._pieces(True, render))
        backdrop = translate_letters(_without_unused(backdrop, pieces + tray), translate)
        board = f'{self._ground(backdrop, view)}\n<g class="pieces">\n{pieces}</g>\n'
        if left or top:
            board = f'<g transform="translate({-left:g} {-top:g})">{board}</g>\n'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img" aria-label="{title}">\n'
            f"<title>{title}</title>\n{_STYLE}"
            f'<rect class="table" width="{width:g}" height="{height:g}"/>{board}{tray}{panel}</svg>\n'
        )

    def bounds(self, view: Projection = FLAT) -> tuple[float, float, float, float]:
        """The left, top, width and height of the board as it is seen, with what stands on it."""
        if view is FLAT:
            return 0, 0, self.width, self.height
        corners = rectangle(0, 0, self.width, self.height)
        points = [view.place(x, y, height) for x, y in corners for height in (0, -self.thickness)]
        points += [view.place(*corner, piece.top) for piece in self.pieces for corner in piece.base]
        across, down = zip(*points, strict=True)
        left, top = min(across) - _TILTED_MARGIN, min(down) - _TILTED_MARGIN
        return left, top, max(across) + _TILTED_MARGIN - left, max(down) + _TILTED_MARGIN - top

    def _ground(self, backdrop: str, view: Projection) -> str:
        """The backdrop as it is seen, on the edges of the board."""
        if view is FLAT:
            return backdrop
        board = Piece(id="board", path="M0,0", elevation=-self.thickness, classes="edge",
                      body=Solid(rectangle(0, 0, self.width, self.height), self.thickness))  # fmt: skip
        return f'{board.to_svg(view=view)}<g transform="{_matrix(view)}">{backdrop}</g>'

    def part(self, around: str, reach: float, aside: tuple[float, float] = (0, 0)) -> tuple[float, float, float]:
        """The left, top and width of the square around a piece, in the picture with the tray below the board."""
        piece = next(piece for piece in self.pieces if piece.id == around)
        x, y = (piece.x, piece.y) if piece.x or piece.y else _start_of(piece.path)
        x, y = FLAT.place(x, y, piece.top)
        y += self.height if piece.in_tray else 0
        return x + aside[0] - reach, y + aside[1] - reach, 2 * reach

    @property
    def _board_width(self) -> float:
        return max(self.width, self.tray_width)

    def _pieces(self, in_tray: bool, render: Renderer, view: Projection = FLAT) -> str:
        return "".join(piece.to_svg(render, view) + "\n" for piece in self.pieces if piece.in_tray == in_tray)

    def _moved_tray(self, tray: str) -> str:
        return f'<g class="pieces" transform="translate(0 {self.height:g})">\n{tray}</g>\n' if tray else ""

    def _panel(self, render: Renderer) -> str:
        if not self.tables:
            return ""
        lines = [f'<g class="panel"><rect x="{self._board_width:g}" width="{PANEL_WIDTH}" '
                 f'height="{self.height + self.tray_height:g}"/>']  # fmt: skip
        y = _MARGIN + 10
        for table in self.tables:
            lines.append(self._row((table.caption,), y, render, "caption"))
            y += _LINE
            if any(str(word) for word in table.head):
                lines.append(self._row(table.head, y, render, "head"))
                y += _LINE
            for number, row in enumerate(table.rows):
                lines.append(self._row(row, y, render, "row marked" if number == table.marked else "row"))
                y += _LINE
            y += _LINE // 2
        return "\n".join(lines) + "</g>\n"

    def _row(self, cells: Row, y: int, render: Renderer, kind: str) -> str:
        """A line of a table: the first cell at the left, the others flush right in columns of one width."""
        room = PANEL_WIDTH - 2 * _MARGIN
        column_width = (room - room / (len(cells) + 1)) / max(1, len(cells) - 1)
        left = self._board_width + _MARGIN
        drawn = [_cell(cells[0], left, y, kind, render)]
        for column, cell in enumerate(reversed(cells[1:])):
            drawn.append(_cell(cell, left + room - column_width * column, y, kind, render, is_flush_right=True))
        return "".join(drawn)


def _start_of(path: str) -> tuple[float, float]:
    """Return the first point of a path."""
    x, y = _NUMBERS.findall(path)[:2]
    return float(x), float(y)


def _matrix(view: Projection, x: float = 0, y: float = 0) -> str:
    """The transform that lays what is drawn onto the board, or a face at a place."""
    return f"matrix({' '.join(f'{number:.5g}' for number in (*view.across, *view.down, x, y))})"


def _without_unused(backdrop: str, pieces: str) -> str:
    """The backdrop without the symbols that the picture does not use."""
    used = set(_USED_SYMBOL.findall(backdrop + pieces))
    return _SYMBOL.sub(lambda symbol: symbol[0] if symbol[1] in used else "", backdrop)


def _cell(cell: TableCell, x: float, y: int, kind: str, render: Renderer, is_flush_right: bool = False) -> str:
    if isinstance(cell, Bar):
        return _drawn_bar(cell, x, y, kind)
    if not isinstance(cell, tuple):
        anchor = ' text-anchor="end"' if is_flush_right else ""
        return f'<text class="{kind}" x="{x:g}" y="{y}"{anchor}>{escape(_text_of(cell, render))}</text>'
    start = x - _CHIP_PITCH * len(cell) if is_flush_right else x
    return "".join(_chip(mark, start + _CHIP_PITCH * n, y, kind, render) for n, mark in enumerate(cell))


def _drawn_bar(bar: Bar, right: float, y: int, kind: str) -> str:
    """A number that ends at `right`, and its bar to the left of it."""
    fill, start = PALETTE[bar.colour][0], right - _CHIP_PITCH - _BAR
    length = _BAR * bar.value / max(bar.full, 1)
    return (
        f'<path d="M{start:g} {y - 10}h{length:g}v10h-{length:g}z" fill="{fill}"/>'
        f'<text class="{kind}" x="{right:g}" y="{y}" text-anchor="end">{bar.value}</text>'
    )


def _chip(mark: Mark, x: float, y: int, kind: str, render: Renderer) -> str:
    """A mark: a square in its colour with its letter, and the text beside it."""
    fill, ink = PALETTE[mark.colour]
    text = _text_of(mark.text, render)
    if len(text) > _LONGEST_NAME:
        text = text[: _LONGEST_NAME - 1] + "…"
    return (
        f'<path d="M{x:g} {y - 13}h{_CHIP}v{_CHIP}h-{_CHIP}z" fill="{fill}"/>'
        f'<text class="letter" x="{x + _CHIP / 2:g}" y="{y - 1}" text-anchor="middle" style="fill:{ink}">'
        f"{escape(_text_of(mark.letter, render))}</text>"
        f'<text class="{kind}" x="{x + _CHIP + 3:g}" y="{y}">{escape(text)}</text>'
    )


def _text_of(words: str | int | Phrase, render: Renderer) -> str:
    return render(words) if isinstance(words, Phrase) else str(words)


def art(path: Path) -> str:
    """The content of an SVG file without its outer element, to be put into another picture."""
    text = path.read_text(encoding="utf-8")
    return text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")].strip()


_STYLE: Final = """<style>
svg:root { max-width: 100%; max-height: 100vh; }
.sides { fill: var(--side, #6b6256); stroke: rgb(0 0 0 / 25%); stroke-width: 0.75; stroke-linejoin: round; }
.shade { fill: #000; stroke: none; }
.edge { --side: #6d5c3d; }
.shadow { fill: #1d1609; opacity: 0.36; }
.shadow path { stroke: #1d1609; stroke-width: 2.5; stroke-opacity: 0.3; stroke-linejoin: round; }
.panel rect, .table { fill: #f7f4ec; }
.panel text { font: 14px var(--reading, system-ui, sans-serif); fill: #2b2620; }
.panel .caption { font-weight: 700; font-size: 15px; }
.panel .head { font-size: 11px; fill: #6b6256; }
.panel .marked { font-weight: 700; }
.panel .letter { font: 700 11px var(--reading, system-ui, sans-serif); }
@media (prefers-color-scheme: dark) {
  .panel rect, .table { fill: #24221f; } .panel text { fill: #ece6da; } .panel .head { fill: #a89f90; }
}
</style>
"""

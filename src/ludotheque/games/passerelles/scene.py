"""The picture of a game of Passerelles: the squares as a backdrop; over it the pieces, raised and with a shadow by
their height, the areas of both players, and trays with what is left to place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Final

from msgspec import structs

from ludotheque.core.colours import colour_mark, letter_of
from ludotheque.core.event_notices import gained
from ludotheque.core.phrases import NOTHING, Phrase, phrase, seat_name
from ludotheque.core.projection import FLAT, Point, Solid, path_of, rectangle
from ludotheque.core.scene import Piece, Row, Scene, ScoreTable, art
from ludotheque.core.stacking import clipped, hull, stacked
from ludotheque.games.passerelles import board
from ludotheque.games.passerelles.board import COLUMNS, NEUTRAL, ROWS
from ludotheque.games.passerelles.observation import (
    COLOUR_NAMES,
    COLOURS,
    COLUMN_LETTERS,
    OWNER_LETTERS,
    Area,
    LaidPiece,
    PasserellesObservation,
    area_name,
    square_name,
)

CELL: Final = 48
MARGIN: Final = 18
WIDTH: Final = 2 * MARGIN + COLUMNS * CELL
BOARD: Final = 2 * MARGIN + ROWS * CELL
TRAY: Final = 112
"""Height of the tray with the pieces of a seat, or the neutral ones, and the buttons."""
SUPPLY: Final = 612
"""Width of what can be picked."""
BUTTONS: Final = 170

BAR: Final = 36
"""Width of a drawn piece."""
THICKNESS: Final = 14
"""Thickness of a piece, and so the height of a level."""
_SMALL: Final = 34
"""A square of a piece in the tray; the style of the art makes them so small."""
_LEVEL: Final = _SMALL / CELL * THICKNESS
"""Thickness of a piece in the tray."""
_LEAST_STACK: Final = 74
"""The least width and height of what is clicked to pick a piece."""
_STACKS: Final = (16, 210, 370, 496)
"""The places of the stacks of the tray; the art arranges them otherwise where there is little width, or height."""
_NEUTRAL_LENGTHS: Final = (3, 2, 1)
_LEVELS: Final = 6
"""Levels whose squares are drawn with their sides; squares of higher ones have sides as high as these."""
_OWNER: Final = 17
"""Width of the mark of the owner of an area, and of the gap between it and the number of squares."""
_DIGIT: Final = 10.5
"""Width of a digit of that number."""


@cache
def _place(square: int) -> tuple[int, int]:
    """The middle of a square."""
    row, column = divmod(square, COLUMNS)
    return MARGIN + CELL * column + CELL // 2, MARGIN + CELL * row + CELL // 2


# The backdrop.


@cache
def backdrop() -> str:
    """Symbols, styles and the board: the same at every table of this game."""
    bars = "".join(_bar_symbol(length) for length in range(1, board.LONGEST + 1))
    names = [(MARGIN + CELL * i + CELL // 2, 15, letter) for i, letter in enumerate(COLUMN_LETTERS)]
    names += [(9, MARGIN + CELL * row + CELL // 2 + 5, str(row + 1)) for row in range(ROWS)]
    words = "".join(f'<text class="pa-name" x="{x}" y="{y}">{name}</text>' for x, y, name in names)
    drawn = art(Path(__file__).with_name("art.svg"))
    owner = (
        '<symbol id="owner" overflow="visible"><circle class="pa-owner pa-round" r="6"/>'
        '<path class="pa-owner pa-diamond" d="M-8 0l8 -8l8 8l-8 8z"/></symbol>'
    )
    cells = "".join(map(_raised_square, range(1, _LEVELS + 1)))
    return f'{drawn}<defs>{bars}{owner}{cells}</defs><g class="backdrop">{_frame()}{_slabs()}{words}</g>'


def _frame() -> str:
    """A basin in a frame of lacquered wood: lit from the upper left, so its right and lower inner edges are bright."""
    left, right, low = MARGIN, MARGIN + COLUMNS * CELL, MARGIN + ROWS * CELL
    inner = f"M{left} {low}V{MARGIN}H{right}"
    return (
        f'<rect class="pa-frame" width="{WIDTH}" height="{BOARD}"/>'
        f'<rect class="pa-inlay" x="1.5" y="1.5" width="{WIDTH - 3}" height="{BOARD - 3}" rx="2"/>'
        f'<rect class="pa-ground" x="{left}" y="{MARGIN}" width="{right - left}" height="{low - MARGIN}"/>'
        f'<path class="pa-dark-edge" d="{inner}"/><path class="pa-lit-edge" d="M{left} {low}H{right}V{MARGIN}"/>'
    )


def _slabs() -> str:
    """Slabs under the water, each of one of three tones, with bright upper and left edges; light on the water."""
    paths = ["", "", ""]
    for square in range(board.SQUARES):
        (x, y), (row, column) = _place(square), divmod(square, COLUMNS)
        side = CELL - 2
        paths[(3 * row + 5 * column + row * column) % 3] += f"M{x - side // 2} {y - side // 2}h{side}v{side}h-{side}z"
    tones = "".join(f'<path class="pa-slab pa-tone-{tone}" d="{path}"/>' for tone, path in enumerate(paths))
    over = f'x="{MARGIN}" y="{MARGIN}" width="{COLUMNS * CELL}" height="{ROWS * CELL}"'
    return f'{tones}<rect fill="url(#edges)" {over}/><rect fill="url(#ripples)" {over}/>'


def _bar_symbol(length: int) -> str:
    """A piece to the right of the middle of its first square, with a mark of its owner on each square."""
    half = BAR // 2
    far = CELL * (length - 1) + BAR
    marks = "".join(
        f'<circle class="pa-round" cx="{x}" r="5"/><path class="pa-diamond" d="M{x - 6} 0l6 -6l6 6l-6 6z"/>'
        f'<path class="pa-cross" d="M{x - 6} -1.5h4.5v-4.5h3v4.5h4.5v3h-4.5v4.5h-3v-4.5h-4.5z"/>'
        for x in range(0, CELL * length, CELL)
    )
    return (
        f'<symbol id="bar-{length}" overflow="visible">'
        f'<rect class="pa-bar" x="{-half}" y="{-half}" width="{far}" height="{BAR}" rx="4"/>'
        f'<rect class="pa-gloss" x="{1 - half}" y="{1 - half}" width="{far - 2}" height="{BAR - 2}" rx="3"/>'
        f'<path class="pa-grain" d="M{4 - half} -11H{far - half - 9}M{13 - half} -6.5H{far - half - 3}'
        f'M{4 - half} 7H{far - half - 14}M{9 - half} 12H{far - half - 4}"/>{marks}'
        "</symbol>"
        f'<symbol id="shade-{length}" overflow="visible">'
        f'<rect x="{-half}" y="{-half}" width="{far}" height="{BAR}" rx="8"/></symbol>'
    )


def _raised_square(level: int) -> str:
    """A square above the board with the side below it: someone who points at the side means the square too."""
    half, (across, down) = CELL // 2, FLAT.drop(THICKNESS * level)
    right, low, left = half + across, half + down, across - half
    path = f"M{-half},{-half}H{half}L{right:g},{down - half:g}V{low:g}H{left:g}L{-half},{half}Z"
    return f'<symbol id="cell-{level}" overflow="visible"><path d="{path}"/></symbol>'


# The pieces.


def scene(seen: PasserellesObservation) -> Scene:
    """The picture of what a viewer knows."""
    pieces = [*_areas(seen), *_laid(seen), *_trays(seen), *_choices(seen), *_spots(seen), *_area_counts(seen)]
    return Scene(
        title=phrase("Passerelles, round {round} of {rounds}", round=seen.round, rounds=seen.rounds),
        width=WIDTH,
        height=BOARD,
        tray_width=SUPPLY + BUTTONS,
        tray_height=TRAY,
        thickness=2 * THICKNESS,
        pieces=tuple(pieces),
        tables=(_points(seen),),
        prompt=_prompt(seen),
    )


def _prompt(seen: PasserellesObservation) -> Phrase:
    """Return the task of the seat to move."""
    if seen.to_move < 0:
        return NOTHING
    if seen.laying:
        return phrase("lay a neutral piece, or pass")
    if seen.must_pass:
        return phrase("nothing can be placed: pass")
    return phrase("lay one of your pieces")


def _areas(seen: PasserellesObservation) -> Iterator[Piece]:
    for area in seen.areas:
        label = phrase("{colour} area of {count}", colour=COLOUR_NAMES[area.owner], count=len(area.squares))
        classes = f"area {COLOURS[area.owner]}"
        yield Piece(id=f"area:{area_name(area)}", path=_outline(area), classes=classes, label=label)


def _area_counts(seen: PasserellesObservation) -> Iterator[Piece]:
    """The sizes of the areas, each beside the mark that its owner's pieces have, over the squares, which are lit while
    a round is scored. A letter before the number would read as the name of a square."""
    for area in seen.areas:
        name, words = area_name(area), str(len(area.squares))
        x, y = _place(_middle(area))
        left = x - (_OWNER + _DIGIT * len(words)) / 2
        classes = f"area-count {COLOURS[area.owner]}"
        yield Piece(id=f"area-owner:{name}", symbol="owner", x=left + 6, y=y, classes=classes)
        yield _area_count(f"area-count:{name}", area, words, _OWNER / 2)


def _outline(area: Area) -> str:
    corners = [(x - CELL // 2, y - CELL // 2) for x, y in map(_place, area.squares)]
    return "".join(f"M{x},{y}h{CELL}v{CELL}h-{CELL}z" for x, y in corners)


def _area_count(id: str, area: Area, words: str | Phrase, right: float = 0) -> Piece:
    """The size of an area, in its middle or to the right of it."""
    x, y = _place(_middle(area))
    return Piece(id=id, text=words, x=x + right, y=y + 6, classes=f"area-count {COLOURS[area.owner]}")


def prospects(walls: Sequence[tuple[LaidPiece, Area]]) -> Iterator[Piece]:
    """Pieces that could be laid, and the squares that they would enclose, counted where no such piece lies."""
    covered = {square for piece, _ in walls for square in piece.squares}
    for piece, area in walls:
        yield Piece(id=f"would:{_name(piece)}", path=_outline(area), classes=f"area would {COLOURS[piece.owner]}")
    for piece, _ in walls:
        wall, *_ = _laid_piece(piece, _name(piece))
        yield structs.replace(wall, classes=f"would {COLOURS[piece.owner]}", label=None)
    for piece, area in walls:
        seen = tuple(square for square in area.squares if square not in covered) or area.squares
        yield _area_count(f"would-count:{_name(piece)}", Area(area.owner, seen), gained(len(area.squares)))


def _name(piece: LaidPiece) -> str:
    return f"{OWNER_LETTERS[piece.owner]}:{piece.placement}"


def _middle(area: Area) -> int:
    """The square of an area that is nearest to the middle of all."""
    places = [_place(square) for square in area.squares]
    x, y = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    return min(area.squares, key=lambda square: (_place(square)[0] - x) ** 2 + (_place(square)[1] - y) ** 2)


def _ids(pieces: tuple[LaidPiece, ...]) -> list[str]:
    """Return the names that laid pieces had in the tray: `B5.2` for the second of length 5 that blue has laid."""
    names: list[str] = []
    for piece in pieces:
        kind = f"{OWNER_LETTERS[piece.owner]}{len(piece.squares)}."
        names.append(f"{kind}{sum(name.startswith(kind) for name in names) + 1}")
    return names


def _laid(seen: PasserellesObservation) -> Iterator[Piece]:
    """The pieces, each with its height, over their reflections and the shadows that fall on what is lower; then the
    mark of the last one."""
    yield from _reflections(seen.pieces)
    yield from _stack(seen.pieces)
    if seen.last >= 0:
        last = seen.pieces[seen.last]
        x, y = _place(last.squares[0])
        far = CELL * (len(last.squares) - 1) + BAR // 2 + 2
        near = BAR // 2 + 2
        path = f"M{-near},{-near}H{far}V{near}H{-near}Z"
        yield Piece(id="last", path=path, x=x, y=y, turn=_turn(last), elevation=_top(last), classes="last",
                    label=phrase("the last piece"))  # fmt: skip


@lru_cache(maxsize=256)
def _reflections(pieces: tuple[LaidPiece, ...]) -> tuple[Piece, ...]:
    """The reflections in the water: pieces of a colour and a height, as far below the water as they are above it."""
    mirrored: dict[tuple[int, int], list[str]] = {}
    for piece in pieces:
        mirrored.setdefault((piece.height, piece.owner), []).append(path_of(_mirrored(piece)))
    return tuple(
        Piece(
            id=f"reflection:{OWNER_LETTERS[owner]}{height}",
            path="".join(paths),
            elevation=-THICKNESS * height,
            classes=f"ground reflection {COLOURS[owner]}",
        )
        for (height, owner), paths in sorted(mirrored.items(), reverse=True)
    )


def _mirrored(piece: LaidPiece) -> list[Point]:
    """The outline of a piece in the water, both faces and all between them, as far as the basin reaches."""
    drawn, *_ = _laid_piece(piece, "")
    across, down = FLAT.drop(THICKNESS)
    faces = hull([corner for x, y in drawn.base for corner in ((x, y), (x + across, y + down))])
    right, low = MARGIN + CELL * COLUMNS - across * piece.height, MARGIN + CELL * ROWS - down * piece.height
    return clipped(faces, [(0, 0), (right, 0), (right, low), (0, low)])


@lru_cache(maxsize=256)
def _stack(pieces: tuple[LaidPiece, ...]) -> tuple[Piece, ...]:
    drawn = (each for piece, name in zip(pieces, _ids(pieces), strict=True) for each in _laid_piece(piece, name))
    return tuple(stacked(drawn))


def _laid_piece(piece: LaidPiece, name: str) -> Iterator[Piece]:
    """A piece, and its height on a plate on its upper face."""
    x, y = _place(piece.squares[0])
    length, colour = len(piece.squares), COLOURS[piece.owner]
    yield Piece(id=f"piece:{name}", symbol=f"bar-{length}", x=x, y=y, turn=_turn(piece), classes=colour,
                elevation=THICKNESS * piece.height, body=_body(length), label=_piece_label(piece))  # fmt: skip
    if piece.height:
        yield Piece(id=f"plate:{name}", symbol="plate", x=x, y=y, elevation=_top(piece), classes=f"plate {colour}")
        yield Piece(id=f"height:{name}", text=str(piece.height), x=x, y=y + 5, elevation=_top(piece),
                    classes=f"height {colour}")  # fmt: skip


@cache
def _body(length: int) -> Solid:
    half = BAR // 2
    return Solid(rectangle(-half, -half, CELL * (length - 1) + BAR, BAR, cut=3), THICKNESS)


def _top(piece: LaidPiece) -> int:
    """Height of the upper face of a piece above the board."""
    return THICKNESS * (piece.height + 1)


def _turn(piece: LaidPiece) -> int:
    return 90 if piece.placement[1] == "v" else 0


def _piece_label(piece: LaidPiece) -> Phrase:
    colour, length = COLOUR_NAMES[piece.owner], len(piece.squares)
    if piece.height == 0:
        return phrase("{colour} piece of length {length}, flat", colour=colour, length=length)
    return phrase(
        "{colour} bridge of length {length} at height {height}", colour=colour, length=length, height=piece.height
    )


def _trays(seen: PasserellesObservation) -> Iterator[Piece]:
    """Yield what the seat to move can pick: its pieces, or the neutral ones while they are laid. The pieces of the
    other seat are in the same place; by the class of the caption the art shows those of the seat to move, and to the
    other seat, while it waits, its own."""
    if seen.to_move < 0:
        return
    colour = COLOURS[seen.to_move]
    words = phrase("{seat}, {letter}", seat=seat_name(seen.to_move), letter=letter_of(colour))
    yield Piece(id="tray-caption", text=phrase("Neutral pieces") if seen.laying else words, x=14, y=TRAY - 8,
                classes="caption" if seen.laying else f"caption of-{colour}", in_tray=True)  # fmt: skip
    for owner in (NEUTRAL,) if seen.laying else range(seen.players):
        yield from _tray(seen, owner)


def _tray(seen: PasserellesObservation, owner: int) -> Iterator[Piece]:
    """The pieces of an owner, those of equal length as a stack; each stack keeps its place."""
    names = _ids(seen.pieces)
    can_pick = owner in (seen.to_move, NEUTRAL)
    lengths = range(board.LONGEST, 0, -1) if owner != NEUTRAL else _NEUTRAL_LENGTHS
    for place, length in enumerate(lengths):
        left = seen.supply[owner][length - 1]
        if not left:
            continue
        x, classes = _STACKS[place], f"{COLOURS[owner]} stack-{place}"
        kind = f"{OWNER_LETTERS[owner]}{length}."
        laid = sum(name.startswith(kind) for name in names)
        width = max(_LEAST_STACK, _SMALL * length + 12)
        low = round(10 + (_LEAST_STACK + _LEVEL * left) / 2, 1)
        # Below the pieces, which let the pointer through.
        yield Piece(id=f"stack:{OWNER_LETTERS[owner]}{length}", classes=f"spot {classes}",
                    step=f"piece:{length}" if can_pick else "",
                    path=f"M{x - 3:g},10h{width:g}v{_LEAST_STACK}h-{width:g}z",
                    label=_stack_label(owner, length, left), in_tray=True)  # fmt: skip
        for below in range(left):
            yield Piece(id=f"piece:{kind}{laid + left - below}", symbol=f"bar-{length}", x=x + _SMALL // 2 + 6, y=low,
                        elevation=round(_LEVEL * below, 1) if below else 0, body=_body(length),
                        classes=f"tray {classes}", in_tray=True)  # fmt: skip
        if left > 1:
            yield Piece(id=f"left:{OWNER_LETTERS[owner]}{length}", text=f"\u00d7{left}", x=x + width - 22, y=80,
                        classes=f"left {classes}", in_tray=True)  # fmt: skip


def _stack_label(owner: int, length: int, left: int) -> Phrase:
    return phrase("{colour} pieces of length {length}: {left}", colour=COLOUR_NAMES[owner], length=length, left=left)


def _choices(seen: PasserellesObservation) -> Iterator[Piece]:
    """Buttons for what is no place on the board; none after the end."""
    if seen.to_move < 0:
        return
    x = SUPPLY + 40
    yield _button("turn:h", "turn-h", x, 48, phrase("across"))
    yield _button("turn:v", "turn-v", x + 80, 48, phrase("down"))
    if seen.laying or seen.must_pass:
        yield _button("pass", "button", x - 90, 48, phrase("Pass"))
        yield Piece(id="pass-word", text=phrase("Pass"), x=x - 90, y=53, classes="button", step="pass", in_tray=True)


def _button(step: str, symbol: str, x: float, y: float, label: Phrase) -> Piece:
    return Piece(id=step, symbol=symbol, x=x, y=y, classes="button", step=step, label=label, in_tray=True)


def _spots(seen: PasserellesObservation) -> Iterator[Piece]:
    """All squares, over everything else so that they can be clicked through the pieces; each as high as its stack."""
    scoring = {square: (area.owner, len(area.squares)) for area in seen.areas for square in area.squares}
    tops = [seen.pieces[top] if top >= 0 else None for top in seen.tops]
    spots = [_spot(square, top, scoring.get(square)) for square, top in enumerate(tops)]
    yield from sorted(spots, key=attrgetter("elevation"))


@lru_cache(maxsize=20_000)
def _spot(square: int, top: LaidPiece | None, area: tuple[int, int] | None) -> Piece:
    """A square with what lies on top of it, or the owner and the size of its area."""
    name = square_name(square)
    x, y = _place(square)
    level = min(top.height + 1, _LEVELS) if top else 0
    return Piece(id=f"cell:{name}", symbol=f"cell-{level}" if level else "cell", x=x, y=y,
                 elevation=_top(top) if top else 0, classes="spot", step=f"cell:{name}",
                 label=_square_label(name, top, area))  # fmt: skip


def _square_label(name: str, top: LaidPiece | None, area: tuple[int, int] | None) -> Phrase:
    if top is not None:
        return phrase("{square}: {piece}", square=name, piece=_piece_label(top))
    if area is not None:
        owner, size = area
        colour = COLOUR_NAMES[owner]
        return phrase("{square}, empty, in a {colour} area of {count}", square=name, colour=colour, count=size)
    return phrase("{square}, empty", square=name)


# The tables.


def _points(seen: PasserellesObservation) -> ScoreTable:
    """The points of each seat; from the second round on, what each round gave."""
    head = (phrase("Seat"), *_rounds(seen), phrase("Pieces left"), phrase("Points"))
    return ScoreTable(phrase("Round {round} of {rounds}", round=seen.round, rounds=seen.rounds), head,
                 tuple(_row(seen, seat) for seat in range(seen.players)), lists_seats=True,
                 marked=seen.to_move)  # fmt: skip


def _rounds(seen: PasserellesObservation) -> Iterator[Phrase]:
    """The heads over the points of each round; none in the first, whose points are all there is."""
    if seen.round > 1:
        yield from (phrase("Round {round}", round=number) for number in (1, 2))


def _lengths_left(seen: PasserellesObservation, seat: int) -> list[tuple[int, int]]:
    """The lengths of which a seat has pieces left, and how many of each; the longest first."""
    return [(length, count) for length, count in reversed([*enumerate(seen.supply[seat], 1)]) if count]


def _row(seen: PasserellesObservation, seat: int) -> Row:
    before, now = seen.points[seat], seen.now[seat]
    left = " ".join(f"{count}\u00d7{length}" for length, count in _lengths_left(seen, seat))
    rounds = (before, now) if seen.round > 1 else ()
    return ((colour_mark(COLOURS[seat], seat_name(seat)),), *rounds, left or 0, before + now)

"""The picture of a game of Cable Car: the board as a backdrop; cars, tiles, lines and hands as pieces over it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Final, NamedTuple

from ludotheque.core.colours import Mark, colour_mark, drawn_letter, seat_mark
from ludotheque.core.game import SPECTATOR
from ludotheque.core.memo import cached_by_identity
from ludotheque.core.observation import HIDDEN
from ludotheque.core.phrases import NOTHING, Phrase, hand_of, phrase, plural, points, seat_name
from ludotheque.core.scene import Bar, Piece, Row, Scene, ScoreTable, TableCell, art
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.companies import Company, SharePile, companies
from ludotheque.games.cable_car.observation import CableCarObservation, Line, cell_name, describe_tile
from ludotheque.games.cable_car.rules import SWAPS_CLOSE_AT

PERCENTAGES: Final = (10, 20, 30, 40)
_NOT_YET: Final = "\N{EN DASH}"
"""A number that there is not yet."""
_WORTH: Final = phrase("Worth")
CELL: Final = 72
MARGIN: Final = 64
BOARD: Final = 2 * MARGIN + 8 * CELL
TRAY: Final = 76
"""Height of the tray with the viewer's tiles and the pile."""
SHARES_TRAY: Final = 110
"""In The Companies: three rows of shares."""
CAPTION: Final = 98
"""Room for a caption beside the tiles."""
TRAY_MIDDLE: Final = 38
PITCH: Final = 84
"""From a tile in the tray to the next."""
SHARE_COLUMN: Final = 54
"""From the shares of a percentage to those of the next."""
SHARE_ROW: Final = 35
SHARE_HEADING: Final = 76
"""Room for the heading of a row of shares."""

_PORTS: Final = ((24, 0), (48, 0), (72, 24), (72, 48), (48, 72), (24, 72), (0, 48), (0, 24))
_INWARD: Final = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""Directions into the cell, by side."""
_BEND: Final = 26
_HOUSES: Final = {
    "aacb": (16, 0, 1), "acba": (0, -16, 1), "baac": (-16, 0, 1), "cbaa": (0, -16, 1), "adbb": (-2, -23, 0.72),
    "badb": (-25, -2, 0.72), "bbad": (2, -23, 0.72), "bbbb": (-21, -21, 0.72), "bcbc": (2, -23, 0.72),
    "bcdd": (-7, 6, 0.72), "cbcb": (-2, -23, 0.72), "cddb": (7, 6, 0.72), "dbba": (-25, 2, 0.72),
    "dbcd": (-7, -6, 0.72), "ddbc": (7, -6, 0.72),
}  # fmt: skip
"""Place and size of the house of a tile, where the middle is no block between the tracks."""


@cache
def _centre(cell: int) -> tuple[int, int]:
    row, column = board.PLACE_OF_CELL[cell]
    return MARGIN + CELL * column + CELL // 2, MARGIN + CELL * row + CELL // 2


# Tracks.


def _curve(entry: int, way_out: int, left: float, top: float) -> str:
    """The track from port to port, to be appended to a path that ends at the entry."""
    (x1, y1), (x2, y2) = _PORTS[entry], _PORTS[way_out]
    (in_x, in_y), (out_x, out_y) = _INWARD[entry // 2], _INWARD[way_out // 2]
    points = (
        (left + x1 + _BEND * in_x, top + y1 + _BEND * in_y),
        (left + x2 + _BEND * out_x, top + y2 + _BEND * out_y),
        (left + x2, top + y2),
    )
    return "C" + " ".join(f"{x:g},{y:g}" for x, y in points)


def _extend_path(tiles: tuple[str, ...], path: str, way_in: int) -> tuple[str, int]:
    """A line that has come to a way in, drawn over all tiles that follow, and the way in that it then comes to."""
    while way_in < board.WAYS_IN and tiles[way_in // 4]:
        curve, way_in = _passage(way_in, tiles[way_in // 4])
        path += curve
    return path, way_in


@cache
def _departure(station: int) -> str:
    """Return where the line of a station begins, as the start of a path."""
    cell, side = divmod(board.WAY_IN_OF_STATION[station], 4)
    x, y = _centre(cell)
    left, top = _PORTS[2 * side]
    return f"M{x - CELL / 2 + left:g},{y - CELL / 2 + top:g}"


@lru_cache(maxsize=2048)
def _passage(way_in: int, tile: str) -> tuple[str, int]:
    """The track over a tile that is entered by a way in, and the way in that it leads to."""
    cell, entry = way_in // 4, way_in % 4 * 2
    x, y = _centre(cell)
    way_out = _way_out(tile, entry)
    return _curve(entry, way_out, x - CELL / 2, y - CELL / 2), board.leads_to(cell, way_out)


def _way_out(tile: str, entry: int) -> int:
    """The port where the track from `entry` leaves a tile as it lies."""
    code, _, turn = tile.partition("+")
    return board.exit_port(board.turned_code(code, int(turn or 0)), entry)


# The backdrop.


@cache
def backdrop() -> str:
    """Symbols, styles and the board: the same at every table of this game."""
    symbols = [*(_tile_symbol(code) for code in board.CODES)]
    for colour in board.COLOURS:
        symbols += [_car_symbol(colour), *(_share_symbol(colour, percent) for percent in PERCENTAGES)]
    symbols += [_share_back_symbol(percent) for percent in PERCENTAGES]
    cells = "".join(
        f'<rect class="cc-cell" x="{MARGIN + CELL * column}" y="{MARGIN + CELL * row}" width="{CELL}" height="{CELL}"/>'
        for row, column in board.PLACE_OF_CELL
    )
    stops = "".join(_station(station) for station in range(board.STATIONS))
    ground = '<use href="#bay"/><use href="#city"/>'
    names = "".join(_edge_name(station) for station in range(board.STATIONS))
    printed = "".join(_printed_track(cell, port) for cell, port in board.POWER_ENTRIES)
    drawn = art(Path(__file__).with_name("art.svg"))
    return f'{drawn}<defs>{"".join(symbols)}</defs><g class="backdrop">{ground}{cells}{names}{stops}{printed}</g>'


def _edge_name(station: int) -> str:
    """The letter of a column, or the number of a row, beside the tracks of a station; small boards have them only above
    and on the left, in the outer lane."""
    cell, side = divmod(board.WAY_IN_OF_STATION[station], 4)
    row, column = board.PLACE_OF_CELL[cell]
    name = row + 1 if side % 2 else "ABCDEFGH"[column]
    x, y = _station_place(station, 10, 27)
    return f'<text class="cc-edge cc-side-{side}" x="{x:g}" y="{y:g}" dy=".35em">{name}</text>'


def _rails(path: str) -> str:
    return "".join(f'<path class="{kind}" d="{path}"/>' for kind in ("cc-rails", "cc-between"))


def _tile_symbol(code: str) -> str:
    tracks = []
    for entry in range(0, 8, 2):
        x, y = _PORTS[entry]
        tracks.append(_rails(f"M{x - 36},{y - 36}" + _curve(entry, board.exit_port(code, entry), -36, -36)))
    ground = '<g class="cc-upright"><use href="#tile-ground"/></g>'
    return f'<symbol id="tile-{code}" overflow="visible">{ground}{_house(code)}{"".join(tracks)}</symbol>'


def _house(code: str) -> str:
    """A house in one of four colours between the tracks, upright and lit from the upper left however the tile lies."""
    tint = board.CODES.index(code) % 4
    x, y, scale = _HOUSES.get(code, (0, 0, 1))
    return (
        f'<g transform="translate({x} {y}) scale({scale})"><g class="cc-upright">'
        f'<path class="cc-house cc-tint-{tint}" d="M-7 -1H7V8H-7Z"/>'
        f'<path class="cc-gable cc-gable-{tint}" d="M-9 0L0 -9L9 0Z"/></g></g>'
    )


def _car_symbol(colour: str) -> str:
    return (
        f'<symbol id="car-{colour}" overflow="visible">'
        f'<use href="#car-wheels"/><rect class="cc-car fill-{colour}" x="-10" y="-12.5" width="20" height="24" rx="4"/>'
        f'<use href="#car-roof"/>{drawn_letter(colour, f"cc-letter ink-{colour}", 6.5)}</symbol>'
    )


def _share_symbol(colour: str, percent: int) -> str:
    """A certificate: a head with the colour and letter of its company and room for its worth, and its percentage on
    engraved paper."""
    return (
        f'<symbol id="share-{colour}-{percent}" overflow="visible">'
        f'<rect class="cc-share fill-{colour}" x="-25" width="50" rx="4"/><use href="#share-art"/>'
        f'<g class="cc-share-car fill-{colour}"><use href="#share-car" y="-4"/></g>'
        f'<g class="cc-share-front fill-{colour}"><use href="#share-front" x="-17"/></g>'
        f'<g transform="translate(-17 0)">{drawn_letter(colour, f"cc-share-letter ink-{colour}", -5.5)}</g>'
        f'<text class="cc-percent" y="11.5">{percent} %</text></symbol>'
    )


def _share_back_symbol(percent: int) -> str:
    """The top of a pile of hidden certificates."""
    return (
        f'<symbol id="share-back-{percent}" overflow="visible"><use href="#share-back"/>'
        f'<text class="cc-percent cc-back-ink" y="11.5">{percent} %</text></symbol>'
    )


def _station_place(station: int, out: float, along: float) -> tuple[float, float]:
    """A point at a station: by its distance from the edge of the cells and, clockwise, from the station's middle."""
    cell, side = divmod(board.WAY_IN_OF_STATION[station], 4)
    x, y = _centre(cell)
    into_x, into_y = _INWARD[side]
    far = CELL / 2 + out
    return x - into_x * far - into_y * -along, y - into_y * far - into_x * along


def _station(station: int) -> str:
    """The tracks of a station with its number in a circle beyond them; on small boards the number is beside the car,
    where lines arrive."""
    x, y = _station_place(station, 47, 0)
    side = board.WAY_IN_OF_STATION[station] % 4
    return (
        f'{_rails(_stub(station, -12))}<g class="cc-arrival">{_rails(_stub(station, 12))}</g>'
        f'<circle class="cc-stop" cx="{x:g}" cy="{y:g}" r="15"/>'
        f'<text class="cc-number cc-side-{side}" x="{x:g}" y="{y:g}" dy=".35em">{station + 1}</text>'
    )


def _stub(station: int, along: float) -> str:
    """The track from a station to the cells."""
    (x1, y1), (x2, y2) = _station_place(station, 0, along), _station_place(station, 34, along)
    return f"M{x1:g},{y1:g}L{x2:g},{y2:g}"


def _printed_track(cell: int, port: int) -> str:
    """The tracks printed on the board between a cell and the power station."""
    x, y = _centre(cell)
    into_x, into_y = _INWARD[port // 2]
    paths = []
    for end in (port, port - 1):
        px, py = x - CELL / 2 + _PORTS[end][0], y - CELL / 2 + _PORTS[end][1]
        paths.append(_rails(f"M{px:g},{py:g}L{px - 14 * into_x:g},{py - 14 * into_y:g}"))
    return "".join(paths)


# The pieces.


def scene(seen: CableCarObservation) -> Scene:
    """The picture of what a viewer knows."""
    shared = _shared(seen.tiles, seen.last_cell, seen.lines, seen.pile, seen.companies)
    known = companies(seen.points, seen.shares) if seen.companies else []
    pieces = shared.pieces + tuple(_marks_of_own(seen)) + tuple(_hand(seen))
    if seen.companies:
        pieces += tuple(_shares(seen, known))
    return Scene(
        title=_title(seen.players),
        width=BOARD,
        height=BOARD,
        tray_width=_shares_left(seen) + SHARE_COLUMN * len(seen.shares) if seen.companies else _captions_right(seen),
        tray_height=SHARES_TRAY if seen.companies else TRAY,
        pieces=pieces,
        tables=_tables(seen, known, shared.open_lines),
        shared=shared.pieces,
        prompt=_prompt(seen),
    )


@cache
def _title(players: int) -> Phrase:
    return phrase("Cable Car, {players} players", players=players)


def _prompt(seen: CableCarObservation) -> Phrase:
    """Return the task of the seat to move."""
    if seen.to_move < 0:
        return NOTHING
    if seen.drawn:
        return phrase("lay the tile that you have drawn")
    if seen.swaps_open:
        return phrase("lay a tile, draw one, or swap a share") if seen.pile else phrase("lay a tile, or swap a share")
    return phrase("lay a tile, or draw one to lay") if seen.pile else phrase("lay a tile")


# The public part is drawn once for all who look at the same board.


class _Shared(NamedTuple):
    pieces: tuple[Piece, ...]
    open_lines: tuple[int, ...]
    """Number of lines that are not finished, by owner."""


_CELL_NAMES: Final = [cell_name(cell) for cell in range(board.CELLS)]
_Drawn = dict[int, tuple[Line, Piece, Piece, int]]
"""Lines by station: each with its track and its car, and the way in that it has come to."""
_DRAWN: Final[OrderedDict[tuple[str, ...], _Drawn]] = OrderedDict()
"""Lines of the latest positions by their tiles; the next ones are drawn from them."""
_MOST_DRAWN: Final = 256
_LOOKED_AT: Final = 128
"""Number of positions to cache: all viewers of a table look at the same one, one after the other."""


@cached_by_identity(_LOOKED_AT)
def _shared(tiles: tuple[str, ...], last_cell: str, lines: tuple[Line, ...], pile: int, companies: bool) -> _Shared:
    powered = tuple([line.station for line in lines if line.end == 0])
    drawn = (*_cells(tiles, last_cell), *_lines_and_cars(tiles, last_cell, lines), *_pile(pile, companies))
    unfinished = [line.owner for line in lines if not line.is_finished]
    return _Shared(
        (_power_station(powered), *drawn), tuple([unfinished.count(owner) for owner in range(board.COMPANIES)])
    )


def _cells(tiles: tuple[str, ...], last_cell: str) -> list[Piece]:
    """The free cells, over them the tiles, and the mark of the last tile."""
    free = compress(_spots(), map(not_, tiles))
    laid = [_tile(cell, tile) for cell, tile in enumerate(tiles) if tile]
    return [*free, *laid, _last(last_cell)] if last_cell else [*free, *laid]


@lru_cache(maxsize=256)
def _power_station(powered: tuple[int, ...]) -> Piece:
    """`powered`: the stations whose lines have ended in it."""
    label = phrase("The power station: a line that ends here earns 2 points for each tile, elsewhere 1.")
    if powered:
        stations = ", ".join(map(str, powered))
        label = phrase("{power_station} Lines that ended here: {stations}.", power_station=label, stations=stations)
    return Piece(id="power", symbol="power-station", x=BOARD / 2, y=BOARD / 2 + 4, classes="still", label=label)


@cache
def _spots() -> list[Piece]:
    return [_spot(cell) for cell in range(board.CELLS)]


def _spot(cell: int) -> Piece:
    x, y = _centre(cell)
    name = cell_name(cell)
    return Piece(id=f"cell:{name}", symbol="cell", x=x, y=y, classes="spot", step=f"cell:{name}",
                 label=phrase("{cell}, free", cell=name))  # fmt: skip


@cache
def _last(cell: str) -> Piece:
    x, y = _centre(_CELL_NAMES.index(cell))
    return Piece(id="last", path="M-34,-34H34V34H-34Z", x=x, y=y, classes="last", label=phrase("the last tile"))


@cache
def _tile(cell: int, tile: str) -> Piece:
    code, _, turn = tile.partition("+")
    x, y = _centre(cell)
    return Piece(id=f"tile:{cell_name(cell)}", symbol=f"tile-{code}", x=x, y=y, turn=90 * int(turn or 0),
                 label=phrase("{cell}: a tile, {tile}", cell=cell_name(cell), tile=describe_tile(tile)))  # fmt: skip


def _lines_and_cars(tiles: tuple[str, ...], last_cell: str, lines: tuple[Line, ...]) -> list[Piece]:
    """The lines, finished ones below, and the cars: one whose line is finished runs along it, and is turned then."""
    before = _DRAWN.get(tiles)  # only the pile has changed
    if before is None:
        before = _DRAWN.pop(_without(tiles, last_cell), {})
    drawn = _draw_lines(tiles, before, lines)
    if "" in tiles:  # more tiles will be laid
        _DRAWN[tiles] = drawn
    if len(_DRAWN) > _MOST_DRAWN:
        _DRAWN.popitem(last=False)
    finished = [track for line, track, _, _ in drawn.values() if line.end >= 0]
    fresh = [_fresh(line, track.path) for line, track, _, _ in drawn.values() if _is_fresh(tiles, line, last_cell)]
    unfinished = [track for line, track, _, _ in drawn.values() if line.end < 0 and track.path]
    powered = [_GLOW] if any(piece.classes.endswith("powered") for piece in fresh) else []
    return [*finished, *unfinished, *fresh, *[car for _, _, car, _ in drawn.values()], *powered]


_GLOW: Final = Piece(id="glow", symbol="power-glow", x=BOARD / 2, y=BOARD / 2 + 4, classes="glow still")
"""The light of the power station when a line has just ended there."""


def _is_fresh(tiles: tuple[str, ...], line: Line, last_cell: str) -> bool:
    """Whether the last tile finished a line: no line that was finished before runs over it."""
    if not last_cell or not line.is_finished:
        return False
    last, way_in = _CELL_NAMES.index(last_cell), board.WAY_IN_OF_STATION[line.station - 1]
    while way_in < board.WAYS_IN and way_in // 4 != last:
        way_in = _passage(way_in, tiles[way_in // 4])[1]
    return way_in < board.WAYS_IN


@lru_cache(maxsize=256)
def _fresh(line: Line, path: str) -> Piece:
    """The line that the last tile finished, over all others."""
    end = "powered" if line.end == 0 else "arrived"
    return Piece(id=f"fresh:{line.station}", path=path, classes=f"fresh own-{board.COLOURS[line.owner]} {end}")


def _path(tiles: tuple[str, ...], line: Line) -> str:
    """The track of a line over all its tiles."""
    way_in = board.WAY_IN_OF_STATION[line.station - 1]
    return _departure(line.station - 1) + _extend_path(tiles, "", way_in)[0]


def _draw_lines(tiles: tuple[str, ...], before: _Drawn, lines: tuple[Line, ...]) -> _Drawn:
    """Draw the lines that have grown since; a tile changes no line that does not run over it."""
    drawn: _Drawn = {}
    for line in lines:
        known = before.get(line.station)
        if known is None or (known[0] is not line and known[0] != line):
            known = _draw_line(tiles, line, known)
        drawn[line.station] = known
    return drawn


def _draw_line(
    tiles: tuple[str, ...], line: Line, before: tuple[Line, Piece, Piece, int] | None
) -> tuple[Line, Piece, Piece, int]:
    """Draw a line over all its tiles; `before`: as it was drawn when it was shorter."""
    if before and before[1].path:
        path, way_in = _extend_path(tiles, before[1].path, before[3])
    else:
        start = board.WAY_IN_OF_STATION[line.station - 1]
        path, way_in = _extend_path(tiles, "", start)
        path = _departure(line.station - 1) + path if path else ""
    return line, *_line_and_car(line, path), way_in


def _without(tiles: tuple[str, ...], cell: str) -> tuple[str, ...]:
    """The tiles before the last one was laid."""
    if not cell:
        return tiles
    number = _CELL_NAMES.index(cell)
    return (*tiles[:number], "", *tiles[number + 1 :])


@lru_cache(maxsize=2048)  # up to 5 MB
def _line_and_car(line: Line, path: str) -> tuple[Piece, Piece]:
    label = _line_label(line)
    return _line(line, path, label), _car(line, path if line.is_finished else "", label)


def _line(line: Line, path: str, label: Phrase) -> Piece:
    state = "finished" if line.is_finished else "open"
    return Piece(id=f"line:{line.station}", path=path, classes=f"line own-{board.COLOURS[line.owner]} {state}",
                 lights=f"car:{line.station}", label=label)  # fmt: skip


@lru_cache(maxsize=4096)
def _line_label(line: Line) -> Phrase:
    colour = phrase(board.COLOURS[line.owner])
    if not line.is_finished:
        tiles = plural(line.run, "{count} tile", "{count} tiles")
        return phrase("Line {station}, {colour}: {tiles} so far", station=line.station, colour=colour, tiles=tiles)
    return phrase("Line {station}, {colour}: finished, {points}", station=line.station, colour=colour,
               points=points(line.points))  # fmt: skip


def _car(line: Line, along: str, label: Phrase) -> Piece:
    x, y = _station_place(line.station - 1, 18, -12)
    return Piece(id=f"car:{line.station}", symbol=f"car-{board.COLOURS[line.owner]}", x=x, y=y,
                 turn=90 if line.is_finished else 0, classes="car", lights=f"line:{line.station}", along=along,
                 label=label)  # fmt: skip


def _marks_of_own(seen: CableCarObservation) -> Iterator[Piece]:
    """Yield marks of the viewer's cars, or of those of companies of which the viewer holds a share, and of their lines:
    only those that are not finished."""
    if seen.viewer == SPECTATOR:
        return
    owners = {seen.viewer}
    if seen.companies:
        held = {pile.hands[seen.viewer] for pile in seen.shares}
        owners = {number for number, colour in enumerate(board.COLOURS) if colour in held}
    own = [line for line in seen.lines if line.owner in owners and not line.is_finished]
    yield from [_mark_of_own_line(line.station, line.owner, _path(seen.tiles, line)) for line in own if line.run]
    yield from [_mark_of_own_car(line.station) for line in own]


@lru_cache(maxsize=1024)
def _mark_of_own_line(station: int, owner: int, path: str) -> Piece:
    return Piece(id=f"own-line:{station}", path=path, classes=f"own-line own-{board.COLOURS[owner]}")


@cache
def _mark_of_own_car(station: int) -> Piece:
    x, y = _station_place(station - 1, 18, -12)
    return Piece(id=f"own-car:{station}", symbol="own-car", x=x, y=y, classes="own-car")


# The tray.


def _hand(seen: CableCarObservation) -> Iterator[Piece]:
    """Yield the viewer's hand; a spectator sees only how many tiles the seat to move has."""
    seat = seen.turn if seen.viewer == SPECTATOR else seen.viewer
    if seat < 0:
        return
    is_drawn = bool(seen.drawn) and seat == seen.turn
    held = len(seen.hands[seat])
    for place, code in enumerate(seen.hands[seat]):
        x, y = _slot(place, seen.companies)
        covered = is_drawn and seen.companies and place == 0
        kind = "kept" if is_drawn else ""
        yield _held_tile(f"hand:{place}", code, x, y + COVERED if covered else y, place, kind)
    if is_drawn:
        place = 0 if seen.companies else held
        x, y = _slot(place, seen.companies)
        yield _held_tile("drawn", seen.drawn, x, y, place)
        yield _frame(x, y, place)
    if not seen.companies and (is_drawn or held):
        yield _drawn_caption(held) if is_drawn else _hand_caption(seat, seen.viewer, held - 1)


COVERED: Final = 32
"""Distance to the tile in hand below the one drawn, in The Companies: it is over the pile, and cannot be laid then."""


def _slot(place: int, companies: bool) -> tuple[int, int]:
    """The middle of a place in the tray; in The Companies the pile is below the first."""
    return (44 + 80 * place, 40) if companies else (132 + PITCH * place, TRAY_MIDDLE)


@cache
def _pile(count: int, companies: bool) -> tuple[Piece, ...]:
    if not count:
        return ()
    symbol, y = ("pile-back", 93) if companies else ("tile-back", TRAY_MIDDLE)
    return (
        Piece(id="pile", symbol=symbol, x=44, y=y, step="draw", in_tray=True,
              label=plural(count, "The pile: {count} tile", "The pile: {count} tiles")),
        Piece(id="pile-count", text=str(count), x=44, y=y + (6 if companies else 16), classes="count", in_tray=True),
    )  # fmt: skip


@cache
def _hand_caption(seat: int, viewer: int, place: int) -> Piece:
    return _tile_caption(hand_of(seat, viewer), place)


@cache
def _drawn_caption(place: int) -> Piece:
    return _tile_caption(phrase("Drawn tile"), place)


def _tile_caption(words: Phrase, place: int) -> Piece:
    """A caption right of a tile."""
    x, y = _slot(place, companies=False)
    return Piece(id="hand-caption", text=words, x=x + 44, y=y + 5, classes="caption", in_tray=True)


def _captions_right(seen: CableCarObservation) -> int:
    """The right end of the captions: beside the hand and a drawn tile."""
    return _slot(max(2, max(map(len, seen.hands)) + 1), companies=False)[0] - 30 + CAPTION - 14


@cache
def _frame(x: float, y: float, place: int) -> Piece:
    """The frame of the drawn tile, which must be laid."""
    return Piece(id="drawn-frame", path="M-36,-36H36V36H-36Z", x=x, y=y, classes=f"slot slot-{place} drawn-frame",
                 in_tray=True)  # fmt: skip


@cache
def _held_tile(name: str, code: str, x: float, y: float, place: int, kind: str = "") -> Piece:
    """A tile in the tray; the kind `kept` is one that cannot be laid now."""
    classes = f"slot slot-{place} {kind}".rstrip()
    if code == HIDDEN:
        words = phrase("a hidden tile")
        return Piece(id=name, symbol="tile-back", x=x, y=y, classes=classes, label=words, in_tray=True)
    return Piece(id=name, symbol=f"tile-{code}", x=x, y=y, classes=classes, step=f"tile:{code}", in_tray=True,
                 label=phrase("Tile: {tile}", tile=describe_tile(code)))  # fmt: skip


def _shares_left(seen: CableCarObservation) -> int:
    """Return where the shares begin in the tray: right of the hand and of the headings of their rows."""
    return 8 + 80 * max(1, max(map(len, seen.hands))) + SHARE_HEADING


def _shares(seen: CableCarObservation, known: list[Company]) -> Iterator[Piece]:
    """Yield a row for the viewer's shares, one for the open ones and one for the piles, by percentage."""
    left = _shares_left(seen)
    values = {company.colour: company.value if _has_begun(seen) else 0 for company in known}
    yield from _headings(left - SHARE_HEADING + 4, seen.viewer != SPECTATOR)
    for column, pile in enumerate(seen.shares):
        x = left + SHARE_COLUMN // 2 + SHARE_COLUMN * column
        own = "" if seen.viewer == SPECTATOR else pile.hands[seen.viewer]
        if own:
            yield from _own_share(pile.percent, own, x, values[own])
        if pile.open:
            yield from _open_share(pile.percent, pile.open, x, values[pile.open])
        if hidden := pile.undrawn + len(pile.given):
            yield from _share_pile(pile.percent, hidden, x)


def _row_middle(row: int) -> int:
    """The middle of a row of shares in the tray."""
    return 20 + SHARE_ROW * row


def _column(percent: int) -> int:
    return PERCENTAGES.index(percent)


@cache
def _headings(x: float, has_own: bool) -> tuple[Piece, ...]:
    words = phrase("Yours"), phrase("Face up"), phrase("Pile")
    return tuple(
        Piece(id=f"heading:{row}", text=heading, x=x, y=_row_middle(row) + 5, classes=f"caption heading row-{row}",
              in_tray=True)
        for row, heading in enumerate(words)
        if row or has_own
    )  # fmt: skip


@cache
def _own_share(percent: int, company: str, x: float, value: int) -> tuple[Piece, ...]:
    label = phrase("Your {percent}%: {company}", percent=percent, company=phrase(company))
    return _face_up("own", "swap", Share(percent, company, value), (x, 0), label)


@cache
def _open_share(percent: int, company: str, x: float, value: int) -> tuple[Piece, ...]:
    label = phrase("Open {percent}%: {company}", percent=percent, company=phrase(company))
    return _face_up("open", "open", Share(percent, company, value), (x, 1), label)


class Share(NamedTuple):
    percent: int
    company: str
    value: int
    """Points for each 10%; 0 while no company has any."""

    @property
    def worth(self) -> int:
        """The points that it brings if the game ended now, the majority apart."""
        return self.percent // 10 * self.value


def _face_up(name: str, step: str, share: Share, place: tuple[float, int], label: Phrase) -> tuple[Piece, ...]:
    """A certificate in a row of the tray, and its worth in its head."""
    (x, row), percent = place, share.percent
    kind, y = f"row-{row} column-{_column(percent)}", _row_middle(row)
    if share.worth:
        label = phrase("{share}: {points} if the game ended now", share=label, points=points(share.worth))
    worth = f"+{share.worth}" if share.worth else _NOT_YET
    return (
        Piece(id=f"{name}:{percent}", symbol=f"share-{share.company}-{percent}", x=x, y=y,
              classes=f"certificate {kind}", step=f"{step}:{percent}", in_tray=True, label=label),
        Piece(id=f"{name}-worth:{percent}", text=worth, x=x + 22.5, y=y - 5.5,
              classes=f"certificate worth {kind} ink-{share.company}", in_tray=True),
    )  # fmt: skip


@cache
def _share_pile(percent: int, hidden: int, x: float) -> tuple[Piece, ...]:
    label = plural(hidden, "{count} hidden share of {percent}%", "{count} hidden shares of {percent}%",
                   percent=percent)  # fmt: skip
    y, place = _row_middle(2), f"row-2 column-{_column(percent)}"
    return (
        Piece(id=f"hidden:{percent}", symbol=f"share-back-{percent}", x=x, y=y, classes=f"certificate {place}",
              step=f"hidden:{percent}", in_tray=True, label=label),
        Piece(id=f"hidden-count:{percent}", text=f"\N{MULTIPLICATION SIGN}{hidden}", x=x + 21, y=y - 4,
              classes=f"certificate tally {place}", in_tray=True),
    )  # fmt: skip


# The tables.


def _tables(seen: CableCarObservation, known: list[Company], open_lines: tuple[int, ...]) -> tuple[ScoreTable, ...]:
    if not seen.companies:
        return (_colours(seen.turn, open_lines, seen.scores),)
    return _companies(seen, known), _owners(seen, known)


@lru_cache(maxsize=_LOOKED_AT)
def _colours(turn: int, open_lines: tuple[int, ...], scores: tuple[int, ...]) -> ScoreTable:
    """Return the table of seats, each with a different colour."""
    head = (phrase("Seat"), phrase("Open lines"), phrase("Points"))
    rows = tuple([((_seat_mark(seat),), open_lines[seat], scores[seat]) for seat in range(len(scores))])
    return ScoreTable(phrase("Players"), head, rows, lists_seats=True, marked=turn)


@cache
def _seat_mark(seat: int) -> Mark:
    return colour_mark(board.COLOURS[seat], seat_name(seat))


def _owners(seen: CableCarObservation, known: list[Company]) -> ScoreTable:
    """The seats, each with its shares and what they are worth."""
    total = phrase("Points") if seen.scores else phrase("Points if the game ended now")
    head = (phrase("Seat"), phrase("Shares (%)"), NOTHING, total)
    rows = tuple([_owner_row(seen, known, seat) for seat in range(seen.players)])
    return ScoreTable(phrase("Players"), head, rows, lists_seats=True, marked=seen.turn)


def _owner_row(seen: CableCarObservation, known: list[Company], seat: int) -> Row:
    """A seat, its shares, the parts of its points and their sum, as far as the viewer knows them."""
    marks = tuple([_share_mark(pile, seat) for pile in seen.shares if pile.hands[seat]])
    who = (seat_mark(seat, seat_name(seat)),)
    if any(pile.hands[seat] == HIDDEN for pile in seen.shares):
        return who, marks, NOTHING, HIDDEN
    if not _has_begun(seen):
        return who, marks, NOTHING, _NOT_YET
    shares = sum(company.shares(seat) for company in known)
    majorities = sum(company.majority(seat) for company in known)
    parts = phrase("Shares {shares}, majorities {majorities}", shares=shares, majorities=majorities)
    return who, marks, parts, shares + majorities


def _share_mark(pile: SharePile, seat: int) -> Mark:
    company = pile.hands[seat]
    return Mark("slate", HIDDEN, pile.percent) if company == HIDDEN else colour_mark(company, pile.percent)


def _has_begun(seen: CableCarObservation) -> bool:
    """Whether a company has points; until then all are tied, and no share has a value that tells anything."""
    return any(seen.points)


def _companies(seen: CableCarObservation, known: list[Company]) -> ScoreTable:
    """The companies board: points, value, and what the viewer holds and would gain."""
    swaps = (
        phrase("Companies · swaps until {points} points", points=SWAPS_CLOSE_AT)
        if seen.swaps_open
        else phrase("Companies · swaps closed")
    )
    public = phrase("Company"), phrase("Points"), _WORTH, phrase("Majority")
    head = public if seen.viewer == SPECTATOR else (*public, phrase("Yours"), phrase("Gain"))
    own = [] if seen.viewer == SPECTATOR else [row for row, one in enumerate(known) if one.holdings[seen.viewer]]
    rows = tuple([_company_row(seen, company) for company in known])
    return ScoreTable(swaps, head, rows, brief=public.index(_WORTH), own=tuple(own))


def _company_row(seen: CableCarObservation, company: Company) -> Row:
    full = max(SWAPS_CLOSE_AT, *seen.points)
    begun = _has_begun(seen)
    row: Row = (
        (colour_mark(company.colour, phrase(company.colour)),),
        Bar(company.points, full, company.colour),
        company.value if begun else _NOT_YET,
        _majority(company),
    )
    if seen.viewer == SPECTATOR:
        return row
    held = company.holdings[seen.viewer]
    gain: TableCell = company.gain(seen.viewer) if begun else _NOT_YET
    return (*row, phrase("{percent}%", percent=held), gain) if held else (*row, NOTHING, NOTHING)


def _majority(company: Company) -> TableCell:
    """The seats that lead as far as the viewer knows, with a question mark if shares they do not know may change it."""
    doubt = "" if company.is_majority_certain else HIDDEN
    if not company.leaders:
        return doubt
    *tied, last = company.leaders
    return (*[seat_mark(seat) for seat in tied], seat_mark(last, doubt))

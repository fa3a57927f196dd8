"""Cable Car in text: moves and choices.

aacb D4            place the tile aacb on D4 (columns A-H from the left, rows 1-8 from the top)
aacb+1 D4          the same after one clockwise quarter turn
draw               draw a tile, to be placed
swap 20 open       give the 20% share back and take the open one; `hidden` for the top face-down one
aacb, yellow       what chance draws: a tile, a share's company
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from ludotheque.core.bits import places
from ludotheque.core.choices import are_legal
from ludotheque.core.colours import colour_name
from ludotheque.core.errors import AmbiguousMove, IllegalMove, UnreadableMove
from ludotheque.core.game import CHANCE
from ludotheque.core.game_words import NOT_ALLOWED
from ludotheque.core.phrases import Phrase, Step, phrase
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.observation import cell_name, describe_tile, tile_name
from ludotheque.games.cable_car.rules import (
    BLOCK,
    DRAW,
    OPEN,
    SWAP,
    SWAPS_IN_A_ROW,
    CableCarState,
    place_action,
    swap_action,
)

_PLACE = re.compile(r"(?:(?P<code>[abcd]{4})(?:\+(?P<turn>[0-3]))? ?)?(?P<cell>[a-h][1-8])")
_SWAP = re.compile(r"swap (?P<percent>[1-4]0) ?%? (?P<take>open|hidden)")
_WAYS = (("tile", "cell", "turn"), ("draw",), ("swap", "open", "hidden"))
"""The kinds of steps of each way to use a turn."""
_DEGREES = ("0", "90", "180", "270")
_NAMES = {cell_name(cell).lower(): cell for cell in range(board.CELLS)}


# Moves.


def action_to_string(state: CableCarState, action: int) -> str:
    """The notation of a legal action or a chance outcome."""
    if state.current_player() == CHANCE:
        return board.CODES[action] if state.draws_tile() else board.COLOURS[action]
    if action == DRAW:
        return "draw"
    if action >= SWAP:
        return f"swap {swapped_percent(action)} {'hidden' if (action - SWAP) % 2 else 'open'}"
    tile, turn, cell = placement_of(action)
    return f"{tile_name(tile, turn)} {cell_name(cell)}"


def string_to_action(state: CableCarState, text: str) -> int:
    """Parse a legal action or a chance outcome; a `MoveError` says why it cannot be played."""
    words = " ".join(text.lower().split())
    if state.is_terminal():
        raise IllegalMove(phrase("The game is over."))
    if state.current_player() == CHANCE:
        return _read_outcome(state, words)
    if words == "draw":
        return _checked(state, DRAW, _why_no_draw(state))
    if swap := _SWAP.fullmatch(words):
        action = swap_action(int(swap["percent"]) // 10 - 1, swap["take"] == "hidden")
        return _checked(state, action, _why_no_swap(state))
    if place := _PLACE.fullmatch(words):
        if place["cell"] not in _NAMES:
            raise IllegalMove(phrase("{cell} is the power station.", cell=place["cell"].upper()))
        cell = _NAMES[place["cell"]]
        if place["code"]:
            return _read_placement(state, place["code"], int(place["turn"] or 0), cell)
        return _only_placement(state, cell)
    example = action_to_string(state, state.legal_actions()[0])
    raise UnreadableMove(
        phrase("{words} is not a move; write it like {example}.", words=repr(text[:40]), example=repr(example))
    )


def placement_of(action: int) -> tuple[int, int, int]:
    """The tile type, turn and cell of an action that places a tile."""
    return action >> 8, (action >> 6) & 3, action & 63


def swapped_percent(action: int) -> int:
    """The size of the share that an action swaps."""
    return 10 * ((action - SWAP) // 2 + 1)


def _checked(state: CableCarState, action: int, why_not: Phrase) -> int:
    if action not in state.legal_actions():
        raise IllegalMove(why_not)
    return action


def _read_outcome(state: CableCarState, words: str) -> int:
    names = board.CODES if state.draws_tile() else board.COLOURS
    if words not in names:
        written, example = repr(words[:40]), repr(names[0])
        if state.draws_tile():
            sentence = phrase(
                "{words} is not a tile; one is drawn here, such as {example}.", words=written, example=example
            )
        else:
            sentence = phrase(
                "{words} is not a company; one is drawn here, such as {example}.", words=written, example=example
            )
        raise UnreadableMove(sentence)
    return _checked(state, names.index(words), phrase("No {words} is left to draw.", words=words))


def _read_placement(state: CableCarState, code: str, turn: int, cell: int) -> int:
    tile = board.TYPE_OF_CODE.get(code)
    if tile is None:
        raise UnreadableMove(phrase("There is no tile {code}: each letter must lead to a different exit.", code=code))
    if state.rotation:
        turn %= board.TURNS[tile]
    return _checked(state, place_action(tile, turn, cell), _why_no_placement(state, tile, turn, cell))


def _only_placement(state: CableCarState, cell: int) -> int:
    """A cell alone names a move if only one tile, in one turn, can lie there."""
    found = [action for action in state.legal_actions() if action < DRAW and action & 63 == cell]
    if len(found) > 1:
        moves = ", ".join(repr(action_to_string(state, action)) for action in found[:4])
        raise AmbiguousMove(
            phrase("{cell} alone is not enough; which one: {moves}?", cell=cell_name(cell), moves=moves)
        )
    if not found:
        raise IllegalMove(_why_no_tile_there(state, {"cell": cell_name(cell)}))
    return found[0]


# Why not.


def why_not(state: CableCarState, picks: Mapping[str, str]) -> Phrase:
    """Say which rule forbids what the seat to act picked: a tile, its turn and its cell, a draw or a swap."""
    way = next((way for way in _WAYS if list(picks)[-1] in way), ())
    own = {kind: value for kind, value in picks.items() if kind in way}
    if own and are_legal(state, own):
        return phrase("Place a tile, draw one or swap a share: one of these at a time.")
    if "draw" in own:
        return _why_no_draw(state)
    if "tile" in own or "cell" in own:
        return _why_no_tile_there(state, own)
    return _why_no_swap(state) if own.keys() & {"swap", "open", "hidden"} else NOT_ALLOWED


def _why_no_tile_there(state: CableCarState, picks: Mapping[str, str]) -> Phrase:
    """As `_why_no_placement`, where the tile, its turn or its cell may be open."""
    tile, cell = board.TYPE_OF_CODE.get(picks.get("tile", "")), _NAMES.get(picks.get("cell", "").lower())
    if not state.tiles_to_place():
        return phrase("You have no tile to place.")
    if tile is not None and (reason := _why_no_tile(state, tile) or _why_no_degrees(tile, picks.get("turn", "0"))):
        return reason
    if cell is None:
        is_turned = tile is not None and picks.get("turn") in _DEGREES
        return (
            phrase("Turned this way, the tile would make a line of one tile everywhere.") if is_turned else NOT_ALLOWED
        )
    return _why_no_cell(state, cell) or _why_short(state, picks, cell)


def _why_no_degrees(tile: int, degrees: str) -> Phrase | None:
    is_needless = degrees in _DEGREES and _DEGREES.index(degrees) >= board.TURNS[tile]
    return phrase("The tile looks the same when it is turned less.") if is_needless else None


def _why_short(state: CableCarState, picks: Mapping[str, str], cell: int) -> Phrase:
    """A tile may lie on the cell, so only the lines that it would make forbid it."""
    tiles = {board.CODES[board.TYPE_OF_TILE[place]] for place in places(state.tiles_to_place())}
    if picks.get("tile", min(tiles)) not in tiles or picks.get("turn", "0") not in _DEGREES:
        return NOT_ALLOWED
    return _short_line(cell) if "tile" in picks or len(tiles) == 1 else _short_lines(cell)


def _why_no_draw(state: CableCarState) -> Phrase:
    return phrase("You have drawn already: place that tile.") if state.drawn else phrase("The pile is empty.")


def _why_no_swap(state: CableCarState) -> Phrase:
    if not state.companies:
        return phrase("Shares are swapped only in The Companies.")
    if state.drawn:
        return phrase("You have drawn a tile: place it.")
    if not state.swaps_open:
        return phrase("Swapping is closed: a company has 25 points.")
    if not state.may_swap():
        return phrase("Everyone has swapped for {turns} turns: you must place a tile.", turns=SWAPS_IN_A_ROW)
    return phrase("A share is swapped for one other share of the same size.")


def _why_no_placement(state: CableCarState, tile: int, turn: int, cell: int) -> Phrase:
    return _why_no_tile(state, tile) or _why_no_turn(state, turn) or _why_no_cell(state, cell) or _short_line(cell)


def _why_no_tile(state: CableCarState, tile: int) -> Phrase | None:
    if state.tiles_to_place() & board.COPIES[tile]:
        return None
    if state.drawn:
        return phrase("You must place the tile you have drawn.")
    return phrase("You do not hold {tile}.", tile=tile_name(tile))


def _why_no_turn(state: CableCarState, turn: int) -> Phrase | None:
    return phrase("Tiles are not turned in this game.") if turn and not state.rotation else None


def _why_no_cell(state: CableCarState, cell: int) -> Phrase | None:
    if cell not in places(state.free):
        return phrase("{cell} is taken.", cell=cell_name(cell))
    if cell not in places(state.reach):
        return phrase("{cell} is neither at the edge nor next to a tile.", cell=cell_name(cell))
    return None


def _short_line(cell: int) -> Phrase:
    return phrase("On {cell} the tile would make a line of one tile, and it fits elsewhere.", cell=cell_name(cell))


def _short_lines(cell: int) -> Phrase:
    return phrase(
        "On {cell} each of your tiles would make a line of one tile, and each fits elsewhere.", cell=cell_name(cell)
    )


# Choices.


def steps(state: CableCarState, action: int) -> Sequence[Step]:
    """The choices that make up an action, from the first to the last."""
    if action < DRAW:
        tiles = state.tiles_to_place()
        return _place(action, state.rotation, not tiles & (tiles - 1))
    if action == DRAW:
        return [_DRAW]
    percent = swapped_percent(action)
    swap = Step(f"swap:{percent}", phrase("Swap your {percent}% share", percent=percent))
    if (action - SWAP) % 2:
        return [swap, Step(f"hidden:{percent}", phrase("for the top hidden one"))]
    company = board.COLOURS[state.shares[BLOCK * ((action - SWAP) // 2) + OPEN]]
    return [swap, Step(f"open:{percent}", phrase("for the open one, {company}", company=colour_name(company)))]


_DRAW = Step("draw", phrase("Draw a tile and place it"))


@cache
def _place(action: int, rotation: bool, is_only: bool) -> tuple[Step, ...]:
    """`is_only`: there is no other tile to place, so that its tracks need no words."""
    tile, turn, cell = placement_of(action)
    take = Step(f"tile:{tile_name(tile)}", phrase("Your tile")) if is_only else _take(tile)
    if not rotation:
        return take, _lay(cell)
    return take, _lay(cell), Step(f"turn:{90 * turn}", phrase("turned by {degrees}°", degrees=90 * turn))


@cache
def _take(tile: int) -> Step:
    return Step(f"tile:{tile_name(tile)}", phrase("Tile: {tile}", tile=describe_tile(tile_name(tile))))


@cache
def _lay(cell: int) -> Step:
    return Step(f"cell:{cell_name(cell)}", phrase("{cell}", cell=cell_name(cell)))

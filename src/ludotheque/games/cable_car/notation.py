"""Cable Car in text: moves, choices, the log, and the position as one line.

aacb D4            place the tile aacb on D4 (columns A-H from the left, rows 1-8 from the top)
aacb+1 D4          the same after one clockwise quarter turn
draw               draw a tile, to be placed
swap 20 open       give the 20 % share back and take the open one; `hidden` for the top face-down one
aacb, yellow       what chance draws: a tile, a share's company
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ludotheque.core.bits import places
from ludotheque.core.errors import AmbiguousMove, IllegalMove, UnreadableMove
from ludotheque.core.game import CHANCE
from ludotheque.core.observation import HIDDEN
from ludotheque.core.phrases import Phrase, Step, counted, phrase, points, seat_name, winners
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.observe import cell_name, line, sees, share_pile, tile_name
from ludotheque.games.cable_car.rules import (
    BLOCK,
    DEAL,
    DEAL_SHARE,
    DRAW,
    DRAWING,
    OPEN,
    REFILL,
    SWAP,
    SWAPS_IN_A_ROW,
    TURN_UP,
    CableCarState,
    place_action,
    swap_action,
)

_PLACE = re.compile(r"(?:(?P<code>[abcd]{4})(?:\+(?P<turn>[0-3]))? ?)?(?P<cell>[a-h][1-8])")
_SWAP = re.compile(r"swap (?P<percent>[1-4]0) ?%? (?P<take>open|hidden)")
_NAMES = {cell_name(cell).lower(): cell for cell in range(board.CELLS)}


def colour_name(colour: str) -> Phrase:
    """The name of a colour, to be translated."""
    return phrase(colour)


# Moves.


def action_to_string(state: CableCarState, action: int) -> str:
    if state.current_player() == CHANCE:
        return board.CODES[action] if state.draws_tile() else board.COLOURS[action]
    if action == DRAW:
        return "draw"
    if action >= SWAP:
        return f"swap {_percent(action)} {'hidden' if (action - SWAP) % 2 else 'open'}"
    tile, turn, cell = _placement(action)
    return f"{tile_name(tile, turn)} {cell_name(cell)}"


def string_to_action(state: CableCarState, text: str) -> int:
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


def _placement(action: int) -> tuple[int, int, int]:
    """Type, turn and cell of a placement."""
    return action >> 8, (action >> 6) & 3, action & 63


def _percent(action: int) -> int:
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
        raise UnreadableMove(phrase("There is no tile {code}: each letter leads to a way out of its own.", code=code))
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
        none = phrase("None of your tiles may be placed on {cell}.", cell=cell_name(cell))
        raise IllegalMove(_why_no_cell(state, cell) or none)
    return found[0]


def _why_no_draw(state: CableCarState) -> Phrase:
    return phrase("You have drawn already: place that tile.") if state.drawn else phrase("The pile is empty.")


def _why_no_swap(state: CableCarState) -> Phrase:
    if not state.companies:
        return phrase("Shares are swapped only in The Companies.")
    if state.drawn:
        return phrase("You have drawn a tile: place it.")
    if not state.swaps_open:
        return phrase("Swapping is closed: a company has 25 points.")
    return phrase("Everybody has swapped for {turns} turns: you must place a tile.", turns=SWAPS_IN_A_ROW)


def _why_no_cell(state: CableCarState, cell: int) -> Phrase | None:
    if cell not in places(state.free):
        return phrase("{cell} is taken.", cell=cell_name(cell))
    if cell not in places(state.reach):
        return phrase("{cell} is neither at the edge nor next to a tile.", cell=cell_name(cell))
    return None


def _why_no_placement(state: CableCarState, tile: int, turn: int, cell: int) -> Phrase:
    held = [board.TYPE_OF_TILE[place] for place in places(state.hands[state.seat])]
    if state.drawn and tile != board.TYPE_OF_TILE[places(state.drawn)[0]]:
        return phrase("You must place the tile you have drawn.")
    if not state.drawn and tile not in held:
        return phrase("You do not hold {tile}.", tile=tile_name(tile))
    if turn and not state.rotation:
        return phrase("Tiles are not turned in this game.")
    short = phrase("{tile} on {cell} would be a line of one tile.", tile=tile_name(tile, turn), cell=cell_name(cell))
    return _why_no_cell(state, cell) or short


# Choices.


def steps(state: CableCarState, action: int) -> list[Step]:
    if action == DRAW:
        return [Step("draw", phrase("Draw a tile and place it"))]
    if action >= SWAP:
        percent = _percent(action)
        swap = Step(f"swap:{percent}", phrase("Swap your {percent} % share", percent=percent))
        if (action - SWAP) % 2:
            return [swap, Step(f"hidden:{percent}", phrase("for the top hidden one"))]
        company = board.COLOURS[state.shares[BLOCK * ((action - SWAP) // 2) + OPEN]]
        return [swap, Step(f"open:{percent}", phrase("for the open one, {company}", company=colour_name(company)))]
    tile, turn, cell = _placement(action)
    way = [_take(tile), _lay(cell)]
    if state.rotation:
        way.append(Step(f"turn:{90 * turn}", phrase("turned by {degrees}°", degrees=90 * turn)))
    return way


@cache
def _take(tile: int) -> Step:
    return Step(f"tile:{tile_name(tile)}", phrase("Tile {tile}", tile=tile_name(tile)))


@cache
def _lay(cell: int) -> Step:
    return Step(f"cell:{cell_name(cell)}", phrase("{cell}", cell=cell_name(cell)))


# The log.


def describe(before: CableCarState, action: int, after: CableCarState, viewer: int) -> list[Phrase]:
    seat = seat_name(before.seat)
    if before.current_player() == CHANCE:
        return [_describe_draw(before, action, viewer)]
    if action == DRAW:
        return [phrase("{seat} draws a tile to place.", seat=seat)]
    if action >= SWAP:
        return [_describe_swap(before, action), *_describe_top_share(before, action, after, viewer)]
    tile, turn, cell = _placement(action)
    lines = [phrase("{seat} lays {tile} on {cell}.", seat=seat, tile=tile_name(tile, turn), cell=cell_name(cell))]
    lines += [_describe_line(after, station) for station in places(after.finished & ~before.finished)]
    if before.swaps_open and not after.swaps_open:
        lines.append(phrase("A company has 25 points: swapping is closed."))
    if after.is_terminal():
        lines += _describe_end(after)
    return lines


def _describe_draw(state: CableCarState, outcome: int, viewer: int) -> Phrase:
    if state.draws_tile():
        seat = seat_name(state.seat)
        tile = tile_name(outcome)
        seen, unseen = {
            DEAL: (
                phrase("{seat} is dealt {tile}.", seat=seat, tile=tile),
                phrase("{seat} is dealt a tile.", seat=seat),
            ),
            REFILL: (phrase("{seat} draws {tile}.", seat=seat, tile=tile), phrase("{seat} draws a tile.", seat=seat)),
            DRAWING: (phrase("It is {tile}.", tile=tile), phrase("Only {seat} sees it.", seat=seat)),
        }[state.awaited]
        return seen if sees(state, viewer) else unseen
    percent = 10 * (state.pile_drawn_from() + 1)
    company = board.COLOURS[outcome]
    if state.awaited == TURN_UP or (state.awaited == DEAL_SHARE and state.seat_dealt_to() == state.players):
        return _turned_up(percent, company)
    taker = state.seat_dealt_to() if state.awaited == DEAL_SHARE else state.seat
    return _gets(taker, percent, company if sees(state, viewer) else HIDDEN)


def _turned_up(percent: int, company: str) -> Phrase:
    return phrase("{percent} % of {company} is turned up.", percent=percent, company=colour_name(company))


def _gets(seat: int, percent: int, company: str) -> Phrase:
    if company == HIDDEN:
        return phrase("{seat} gets a hidden share of {percent} %.", seat=seat_name(seat), percent=percent)
    return phrase(
        "{seat} gets {percent} % of {company}.", seat=seat_name(seat), percent=percent, company=colour_name(company)
    )


def _describe_swap(state: CableCarState, action: int) -> Phrase:
    seat, percent = seat_name(state.seat), _percent(action)
    if (action - SWAP) % 2:
        return phrase("{seat} swaps the {percent} % share for the top hidden one.", seat=seat, percent=percent)
    company = colour_name(board.COLOURS[state.shares[BLOCK * ((action - SWAP) // 2) + OPEN]])
    return phrase(
        "{seat} swaps the {percent} % share for the open one, {company}.", seat=seat, percent=percent, company=company
    )


def _describe_top_share(before: CableCarState, action: int, after: CableCarState, viewer: int) -> Iterator[Phrase]:
    """What came off the pile, where that was a share given back before: no draw will tell it."""
    if after.is_chance_node():
        return
    pile = share_pile(after, (action - SWAP) // 2, viewer)
    if (action - SWAP) % 2:
        yield _gets(before.seat, pile.percent, pile.hands[before.seat])
    else:
        yield _turned_up(pile.percent, pile.open)


def _describe_line(state: CableCarState, station: int) -> Phrase:
    finished = line(state, station)
    owner = colour_name(board.COLOURS[finished.owner]) if state.companies else seat_name(finished.owner)
    tiles = counted(finished.run, phrase("1 tile"), phrase("{count} tiles", count=finished.run))
    if finished.end == 0:
        return phrase(
            "Line {station} runs {tiles} into the power station: {points} for {owner}.",
            station=station + 1, tiles=tiles, points=points(finished.points), owner=owner,
        )  # fmt: skip
    return phrase(
        "Line {station} runs {tiles} to station {end}: {points} for {owner}.",
        station=station + 1, tiles=tiles, end=finished.end, points=points(finished.points), owner=owner,
    )  # fmt: skip


def _describe_end(state: CableCarState) -> Iterator[Phrase]:
    if state.companies:
        for company in sorted(range(board.COMPANIES), key=lambda company: -state.points[company]):
            yield phrase(
                "{company} has {points} points: each 10 % is worth {value}.",
                company=colour_name(board.COLOURS[company]), points=state.points[company], value=state.value(company),
            )  # fmt: skip
        for seat in range(state.players):
            yield phrase(
                "{seat}: {shares} points for shares, {majorities} for majorities.",
                seat=seat_name(seat), shares=state.share_points(seat), majorities=state.majority_points(seat),
            )  # fmt: skip
    yield from winners(state.scores(), state.returns())

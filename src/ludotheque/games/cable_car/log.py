"""The log of Cable Car: what each action and draw did, as far as a viewer may know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ludotheque.core.bits import places
from ludotheque.core.colours import colour_name
from ludotheque.core.game import CHANCE
from ludotheque.core.observation import HIDDEN
from ludotheque.core.phrases import Phrase, counted, phrase, points, seat_name, winners
from ludotheque.games.cable_car import board
from ludotheque.games.cable_car.notation import placement_of, swapped_percent
from ludotheque.games.cable_car.observation import cell_name, describe_tile, describe_tile_by_sides, tile_name
from ludotheque.games.cable_car.observe import line, sees, share_pile
from ludotheque.games.cable_car.rules import (
    BLOCK,
    DEAL,
    DEAL_SHARE,
    DRAW,
    DRAWING,
    OPEN,
    REFILL,
    SWAP,
    TURN_UP,
    CableCarState,
)


def describe(before: CableCarState, action: int, after: CableCarState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action or a draw, as far as `viewer` may know what happened."""
    if before.current_player() == CHANCE:
        return [_describe_draw(before, action, viewer)]
    if action == DRAW:
        return [_describe_drawing(before)]
    if action >= SWAP:
        return [_describe_swap(before, action), *_describe_top_share(before, action, after, viewer)]
    lines = [_describe_laid(int(before.seat), action)]
    lines += [_describe_line(after, station) for station in places(after.finished & ~before.finished)]
    if before.swaps_open and not after.swaps_open:
        lines.append(phrase("A company has 25 points: swapping is closed."))
    if after.is_terminal():
        lines += _describe_end(after)
    return lines


def describe_decision(state: CableCarState, action: int) -> Phrase:
    """What an action decides, in one sentence of its own: two tiles with as many tracks of each kind are told apart by
    their sides. The log is not as exact, because it would tell the others of the second tile."""
    if action == DRAW:
        return _describe_drawing(state)
    if action >= SWAP:
        return _describe_swap(state, action)
    tile = placement_of(action)[0]
    others = {placement_of(other)[0] for other in state.legal_actions() if other < DRAW} - {tile}
    tracks = describe_tile(tile_name(tile))
    alike = any(describe_tile(tile_name(other)) == tracks for other in others)
    return _laid(int(state.seat), action, describe_tile_by_sides(tile_name(tile)) if alike else tracks)


def _describe_drawing(state: CableCarState) -> Phrase:
    return phrase("{seat} draws a tile to place.", seat=seat_name(state.seat))


@lru_cache(maxsize=256)  # the viewers of a table read it one after the other
def _describe_laid(seat: int, action: int) -> Phrase:
    return _laid(seat, action, describe_tile(tile_name(placement_of(action)[0])))


def _laid(seat: int, action: int, tracks: Phrase) -> Phrase:
    _, turn, cell = placement_of(action)
    name, where = seat_name(seat), cell_name(cell)
    if not turn:
        return phrase("{seat} lays a tile on {cell}: {tracks}.", seat=name, cell=where, tracks=tracks)
    return phrase(
        "{seat} lays a tile on {cell}, turned by {degrees}°: {tracks}.",
        seat=name, cell=where, degrees=90 * turn, tracks=tracks,
    )  # fmt: skip


def _describe_draw(state: CableCarState, outcome: int, viewer: int) -> Phrase:
    if state.draws_tile():
        tile = describe_tile(tile_name(outcome)) if sees(state, outcome, viewer) else None
        return _describe_drawn_tile(state, seat_name(state.seat), tile)
    percent = 10 * (state.pile_drawn_from() + 1)
    company = board.COLOURS[outcome]
    if state.awaited == TURN_UP or (state.awaited == DEAL_SHARE and state.seat_dealt_to() == state.players):
        return _turned_up(percent, company)
    taker = state.seat_dealt_to() if state.awaited == DEAL_SHARE else state.seat
    return _gets(taker, percent, company if sees(state, outcome, viewer) else HIDDEN)


def _describe_drawn_tile(state: CableCarState, seat: Phrase, tile: Phrase | None) -> Phrase:
    """`tile`: what was drawn, if the viewer sees it."""
    if state.awaited == DEAL:
        if tile is None:
            return phrase("{seat} is dealt a tile.", seat=seat)
        return phrase("{seat} is dealt a tile: {tile}.", seat=seat, tile=tile)
    if state.awaited == REFILL:
        if tile is None:
            return phrase("{seat} draws a tile.", seat=seat)
        return phrase("{seat} draws a tile: {tile}.", seat=seat, tile=tile)
    assert state.awaited == DRAWING
    return phrase("It is {tile}.", tile=tile) if tile else phrase("Only {seat} sees it.", seat=seat)


def _turned_up(percent: int, company: str) -> Phrase:
    return phrase("{percent} % of {company} is turned up.", percent=percent, company=colour_name(company))


def _gets(seat: int, percent: int, company: str) -> Phrase:
    if company == HIDDEN:
        return phrase("{seat} gets a hidden share of {percent} %.", seat=seat_name(seat), percent=percent)
    return phrase(
        "{seat} gets {percent} % of {company}.", seat=seat_name(seat), percent=percent, company=colour_name(company)
    )


def _describe_swap(state: CableCarState, action: int) -> Phrase:
    seat, percent = seat_name(state.seat), swapped_percent(action)
    if (action - SWAP) % 2:
        return phrase("{seat} swaps the {percent} % share for the top hidden one.", seat=seat, percent=percent)
    company = colour_name(board.COLOURS[state.shares[BLOCK * ((action - SWAP) // 2) + OPEN]])
    return phrase(
        "{seat} swaps the {percent} % share for the open one, {company}.", seat=seat, percent=percent, company=company
    )


def _describe_top_share(before: CableCarState, action: int, after: CableCarState, viewer: int) -> Iterator[Phrase]:
    """The share from the top of the pile if it was given back before: then no draw follows that would name it."""
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

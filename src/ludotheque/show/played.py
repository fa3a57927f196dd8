"""Moves that were played, and lines that might have been, as they are drawn on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, structs

from ludotheque.core.colours import PALETTE
from ludotheque.core.game import CHANCE
from ludotheque.core.ghosts import Ghost
from ludotheque.core.scene import Renderer
from ludotheque.show.language import Reader
from ludotheque.show.scenes import (
    RenderedGhost,
    RenderedLine,
    SceneChange,
    render_ghost,
    render_lines,
    renderer,
    scene_change,
)
from ludotheque.table import Match

MOST_PLAYED: Final = 60
"""The most plies that are drawn at once; older ones are left out."""


class PlayedMove(Struct, frozen=True):
    """A move that was played, drawn on the board."""

    ply: int
    seat: int
    colour: str
    """The seat's colour, for styles."""
    ghost: RenderedGhost
    gains: tuple[int, ...] = ()
    """The amounts that each seat gained or lost by it at once, by seat; empty if none did."""


def played_moves(match: Match, viewer: int, since: int, until: int, at: int, render: Renderer) -> list[PlayedMove]:
    """The moves after ply `since` up to ply `until`, as a viewer saw them, for the board of ply `at`."""
    plies = _decisions(match, since, until)
    return [
        played_move(match, ply, move.ghost, render, move.gains)
        for ply, move in zip(plies, match.viewing.moves(viewer, plies, at), strict=True)
    ]


def draw_played(match: Match, viewer: int, since: int, until: int) -> None:
    """Draw the moves after ply `since` while their positions are at hand; `played_moves` is quick then."""
    match.viewing.moves(viewer, _decisions(match, since, until), until)


def _decisions(match: Match, since: int, until: int) -> list[int]:
    movers = match.movers
    return [ply for ply in range(max(since, until - MOST_PLAYED) + 1, until + 1) if movers[ply - 1] != CHANCE]


def played_move(match: Match, ply: int, ghost: Ghost, render: Renderer, gains: tuple[int, ...] = ()) -> PlayedMove:
    """The move of a ply, with the ghost that draws it."""
    seat = match.movers[ply - 1]
    colour = PALETTE[match.game.seat_colours()[seat]][0]
    return PlayedMove(ply, seat, colour, render_ghost(ghost, render), gains if any(gains) else ())


# Lines.


class LinePosition(Struct, frozen=True, kw_only=True):
    """A position of a line, as one viewer sees it."""

    ply: int
    to_move: int
    scene: SceneChange
    """The differences from the position before it."""
    log: tuple[RenderedLine, ...]
    """The log of this ply."""
    marks: tuple[PlayedMove, ...]
    """The moves of the line so far, placed on the board of this position; of each only its main piece."""


class RenderedGameLine(Struct, frozen=True):
    """A possible course of a game after a better move."""

    start: int
    """The last ply that the game and the line have in common."""
    positions: tuple[LinePosition, ...]
    """Those after it."""


def render_game_line(match: Match, start: int, actions: Sequence[int], viewer: int, reader: Reader) -> RenderedGameLine:
    """Show how a match might have gone on after ply `start` by these actions."""
    history = [action for _, action in match.actions()][:start]
    line = Match(match.game, match.names, match.dice, [*history, *actions])
    return RenderedGameLine(start, tuple(_positions(line, start, viewer, reader)))


def _positions(line: Match, start: int, viewer: int, reader: Reader) -> Iterator[LinePosition]:
    render = renderer(line.game.name, reader, line.names)
    before = line.viewing.scene(viewer, start)
    marks: list[tuple[int, Ghost]] = []
    for ply in range(start + 1, line.ply + 1):
        view, scene = line.view(viewer, ply), line.viewing.scene(viewer, ply)
        marks = [(of, ghost.placed_on(scene)) for of, ghost in marks]
        if line.movers[ply - 1] != CHANCE:
            ghost = line.viewing.ghost(viewer, ply, ply)
            marks.append((ply, structs.replace(ghost, pieces=ghost.pieces[:1], changes=(), gone=())))
        yield LinePosition(
            ply=ply,
            to_move=view.to_move,
            scene=scene_change(before, scene, render),
            log=render_lines([said for said in view.log if said.ply == ply], render),
            marks=tuple(played_move(line, of, ghost, render) for of, ghost in marks),
        )
        before = scene

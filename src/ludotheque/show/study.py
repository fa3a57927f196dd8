"""A position as a learner sees it, for lessons and puzzles."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.core.scene import Renderer
from ludotheque.show.art import board_alone
from ludotheque.show.language import Reader, game_translator
from ludotheque.show.scenes import (
    RenderedChoice,
    RenderedLine,
    RenderedScene,
    render_choices,
    render_lines,
    render_scene,
    renderer,
)
from ludotheque.table import Match
from ludotheque.table.names import placeholder_names

LATEST: Final = 8
"""The number of lines of the log that are sent."""


class StudyBoard(Struct, frozen=True, kw_only=True):
    """A position as one seat sees it, with what it can do there."""

    scene: RenderedScene
    choices: tuple[RenderedChoice, ...]
    log: tuple[RenderedLine, ...]


def study_names(players: int, seat: int, reader: Reader) -> list[str]:
    """A name for each seat; the learner's says whose it is."""
    names = placeholder_names(players)
    names[seat] = phrase("{name} (you)", name=names[seat]).render(reader.translate)
    return names


def study_renderer(match: Match, seat: int, reader: Reader) -> Renderer:
    """A function that renders phrases for the learner at a seat, with the game's custom catalogue."""
    return renderer(match.game.name, reader, study_names(match.game.players, seat, reader))


def study_board(match: Match, seat: int, reader: Reader) -> StudyBoard:
    """The present position of a match for a seat."""
    view = match.view(seat)
    render = study_renderer(match, seat, reader)
    return StudyBoard(
        scene=render_scene(match.viewing.scene(seat), render),
        choices=render_choices(view.choices, render),
        log=render_lines(view.log[-LATEST:], render),
    )


def study_picture(match: Match, seat: int, reader: Reader) -> str:
    """The board of a match for a seat as one SVG document, without tray and tables."""
    board = board_alone(match.viewing.scene(seat))
    translate = game_translator(match.game.name, reader.language)
    return str(board.to_svg(match.game.backdrop(), translate, match.names))

"""What the routes of lessons and puzzles share: a position as a learner sees it, its backdrop, and playing on."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response
from litestar.params import PathParameter
from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.server.keys import digest
from ludotheque.server.routes.context import FOR_EVER, RequestContext, svg
from ludotheque.server.storage.rows import Kind
from ludotheque.server.tables.opening import Opened
from ludotheque.show.art import art_of
from ludotheque.show.language import Reader, game_translator
from ludotheque.show.scenes import (
    RenderedChoice,
    RenderedLine,
    RenderedScene,
    Renderer,
    render_choices,
    render_lines,
    render_scene,
)
from ludotheque.table import Match

GameName = Annotated[str, PathParameter(max_length=64)]
Name = Annotated[str, PathParameter(max_length=64)]
BEGINNER: Final = "1"
"""The level of the bots to play on against."""
LATEST: Final = 8
"""So many lines of the log are sent."""


class StudyBoard(Struct, frozen=True, kw_only=True):
    """A position as one seat sees it, with what it can do there."""

    scene: RenderedScene
    choices: tuple[RenderedChoice, ...]
    log: tuple[RenderedLine, ...]


def study_renderer(game: str, reader: Reader) -> Renderer:
    """Phrases in the reader's language, with what the game itself brings; seats go by their numbers."""
    translate = game_translator(game, reader.language)
    return lambda words: words.render(translate)


def study_board(match: Match, seat: int, reader: Reader) -> StudyBoard:
    """The present position of a match for a seat."""
    view = match.view(seat)
    render = study_renderer(match.game.name, reader)
    return StudyBoard(
        scene=render_scene(match.game.scene(view.observation), render),
        choices=render_choices(view.choices, render),
        log=render_lines(view.log[-LATEST:], render),
    )


def backdrop_svg(game: Game) -> Response[str]:
    return svg(art_of(game).svg, FOR_EVER)


def backdrop_css(game: Game) -> Response[str]:
    return Response(art_of(game).css, media_type="text/css", headers={"Cache-Control": FOR_EVER})


async def play_on(context: RequestContext, match: Match, seat: int, kind: Kind) -> Response[Opened]:
    """Open a table at the present position of a match, against beginners."""
    context.limit("create")
    caller = await context.known_caller()
    opened = await context.services.opener.open_match(
        match, seat, BEGINNER, digest(caller.browser), kind, context.reader
    )
    return Response(opened, cookies=[caller.cookie()])

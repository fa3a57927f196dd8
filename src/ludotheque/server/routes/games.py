"""Routes about games and bot levels."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromQuery
from msgspec import Struct

from ludotheque.bots.styles import STYLED_LEVELS
from ludotheque.bots.tuning import merged_levels
from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_classes
from ludotheque.server.errors import Refused
from ludotheque.server.game_cards import GameCard, game_card, known_game
from ludotheque.server.routes.context import ERRORS, Context, GameName, svg
from ludotheque.show.art import cover, cover_preview, lobby_picture

CACHE_FOR_A_DAY: Final = "public, max-age=86400"


class LevelCard(Struct, frozen=True):
    """A bot to play against."""

    level: str
    name: str
    has_styles: bool = False
    """Whether it may be played in one of the game's styles: level "3-patient"."""


@get("/games", responses=ERRORS)
async def games(context: Context) -> list[GameCard]:
    """The games, with their options."""
    return [game_card(kind, context.reader) for kind in game_classes()]


@get("/games/{name:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def game_picture(name: GameName, variant: FromQuery[str] = "") -> Response[str]:
    """A position in mid-game, of the game or of one of its variants."""
    return svg(lobby_picture(_known_variant(name, variant).name, variant), CACHE_FOR_A_DAY)


@get("/games/{name:str}/cover.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def game_cover(name: GameName, variant: FromQuery[str] = "") -> Response[str]:
    """The cover of the game or of one of its variants, without its title."""
    return svg(cover(_known_variant(name, variant).name, variant), CACHE_FOR_A_DAY)


@get("/games/{name:str}/cover.jpg", media_type="image/jpeg", responses=ERRORS, sync_to_thread=True)
def game_preview(name: GameName, variant: FromQuery[str] = "") -> Response[bytes]:
    """The cover with its title, for previews of links."""
    drawn = cover_preview(_known_variant(name, variant), variant)
    if drawn is None:
        raise Refused(404, "not-found", phrase("There is no such file."))
    return Response(drawn, media_type="image/jpeg", headers={"Cache-Control": CACHE_FOR_A_DAY})


def _known_variant(name: str, variant: str) -> type[Game]:
    """The game of that name; raise where it has no such variant."""
    kind = known_game(name)
    if variant not in ("", *(each.name for each in kind.variants)):
        raise Refused(404, "not-found", phrase("There is no such game."))
    return kind


@get("/levels", responses=ERRORS)
async def levels(context: Context, table: FromQuery[str] = "") -> list[LevelCard]:
    """The bots, weakest first; for a table, without levels that play no better there than a weaker one."""
    merged = set(map(str, merged_levels((await context.enter(table))[0].game))) if table else set()
    styled = [str(number) for number in STYLED_LEVELS]
    return [
        LevelCard(level, title.render(context.reader.translate), level in styled)
        for level, title in context.services.bots.titles().items()
        if level not in merged
    ]

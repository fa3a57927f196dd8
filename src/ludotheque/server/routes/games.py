"""Routes about games and bot levels."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromQuery
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_classes
from ludotheque.server.errors import Refused
from ludotheque.server.routes.cards import GameCard, game_card, known_game
from ludotheque.server.routes.context import ERRORS, Context, GameName, svg
from ludotheque.show.art import lobby_picture


class LevelCard(Struct, frozen=True):
    """A bot to play against."""

    level: str
    name: str


@get("/games", responses=ERRORS)
async def games(context: Context) -> list[GameCard]:
    """The games, with their options."""
    return [game_card(kind, context.reader) for kind in game_classes()]


@get("/games/{name:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def game_picture(name: GameName, variant: FromQuery[str] = "") -> Response[str]:
    """A position in mid-game, of the game or of one of its variants."""
    kind = known_game(name)
    if variant not in ("", *(each.name for each in kind.variants)):
        raise Refused(404, "not-found", phrase("There is no such game."))
    return svg(lobby_picture(kind.name, variant), "public, max-age=86400")


@get("/levels", responses=ERRORS)
async def levels(context: Context) -> list[LevelCard]:
    """The bots, weakest first."""
    titles = context.services.bots.titles()
    return [LevelCard(level, title.render(context.reader.translate)) for level, title in titles.items()]

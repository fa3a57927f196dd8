"""Routes about games and bot levels."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter
from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class, game_names
from ludotheque.server.bots.levels import LEVELS
from ludotheque.server.errors import Refused
from ludotheque.server.routes.handlers import ERRORS, Context, svg
from ludotheque.show.art import picture
from ludotheque.show.language import Reader


class OptionCard(Struct, frozen=True):
    """An option of a game."""

    name: str
    help: str
    kind: str
    default: Any
    choices: tuple[int | str, ...]


class GameCard(Struct, frozen=True):
    """A game on the shelf."""

    name: str
    title: str
    sentence: str
    min_players: int
    max_players: int
    options: tuple[OptionCard, ...]
    has_hidden_information: bool
    picture: str
    rules: str


class LevelCard(Struct, frozen=True):
    """A bot to play against."""

    level: str
    name: str


def game_card(kind: type[Game], reader: Reader) -> GameCard:
    translate = reader.translate
    return GameCard(
        kind.name,
        translate(kind.title),
        translate(kind.sentence),
        kind.min_players,
        kind.max_players,
        tuple(OptionCard(o.name, translate(o.help), o.kind, o.default, o.choices) for o in kind.options),
        kind.has_hidden_information,
        f"/api/games/{kind.name}/picture.svg",
        f"/rules/{kind.name}",
    )


def known_game(name: str) -> type[Game]:
    """The class of a game in an address."""
    if name not in game_names():
        raise Refused(404, "not-found", phrase("There is no such game."))
    return game_class(name)


@get("/games", responses=ERRORS)
async def games(context: Context) -> list[GameCard]:
    """The games, with their options."""
    return [game_card(game_class(name), context.reader) for name in game_names()]


@get("/games/{name:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def game_picture(name: Annotated[str, PathParameter(max_length=64)]) -> Response[str]:
    """A position in mid-game."""
    return svg(picture(known_game(name).name), "public, max-age=86400")


@get("/levels", responses=ERRORS)
async def levels(context: Context) -> list[LevelCard]:
    """The bots, weakest first."""
    return [LevelCard(level.level, level.name.render(context.reader.translate)) for level in LEVELS]

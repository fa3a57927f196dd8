"""Routes of ratings: the ranking of each game."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.phrases import plural
from ludotheque.core.registry import game_classes
from ludotheque.server.club.ratings import LEAST_GAMES, RankedPerson, ranked, ranking
from ludotheque.server.game_cards import FixedPointsCard, fixed_point_cards, known_game
from ludotheque.server.http.templates import page
from ludotheque.server.routes.context import ERRORS, Context, GameName
from ludotheque.server.table_bots import level_title
from ludotheque.show.language import Reader, game_translator


@get("/ratings/{name:str}", responses=ERRORS)
async def game_ranking(name: GameName, context: Context) -> list[RankedPerson]:
    """Return the people with enough rated games of a game who let everyone see them, best first."""
    context.require("ratings")
    return [ranked(each) for each in await ranking(context.storage, known_game(name).name)]


class RankedBots(Struct, frozen=True):
    """The bots of known rating at some tables of a game."""

    tables: str
    bots: tuple[tuple[str, int, int], ...]
    """Their titles and ratings, each with half of its 95% interval."""


def _bots(kind: type[Game], reader: Reader) -> list[RankedBots]:
    """The bots of a game whose rating is known, by table."""
    return [
        RankedBots(
            _table_words(kind, card, reader),
            tuple((level_title(each.level).render(reader.translate), each.rating, each.margin) for each in card.levels),
        )
        for card in fixed_point_cards(kind)
    ]


def _table_words(kind: type[Game], card: FixedPointsCard, reader: Reader) -> str:
    """The name of the variant that is played at these tables, and their numbers of players."""
    translate = game_translator(kind.name, reader.language)
    played = [translate(each.title) for each in kind.variants if each.settings.items() <= card.settings.items()]
    players = [plural(count, "{count} player", "{count} players").render(reader.translate) for count in card.seats]
    return ", ".join([*played, *players])


@get("/ratings", include_in_schema=False)
async def ratings_page(context: Context) -> Response[str]:
    """The rankings of all games."""
    context.require("ratings")
    found = [(kind, await ranking(context.storage, kind.name)) for kind in game_classes()]
    rankings = [(kind.title, [ranked(each) for each in people], _bots(kind, context.reader)) for kind, people in found]
    return page(
        "ratings.html", context.reader, features=context.services.features, rankings=rankings, least=LEAST_GAMES
    )


API: Final = (game_ranking,)
PAGES: Final = (ratings_page,)

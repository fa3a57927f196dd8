"""Routes of ratings: the ranking of each game."""

from __future__ import annotations

from typing import Final

from litestar import Response, get

from ludotheque.core.registry import game_classes
from ludotheque.server.club.ratings import LEAST_GAMES, RankedPerson, ranked, ranking
from ludotheque.server.game_cards import known_game
from ludotheque.server.http.templates import page
from ludotheque.server.routes.context import ERRORS, Context, GameName


@get("/ratings/{name:str}", responses=ERRORS)
async def game_ranking(name: GameName, context: Context) -> list[RankedPerson]:
    """Return the people with enough rated games of a game who let everyone see them, best first."""
    context.require("ratings")
    return [ranked(each) for each in await ranking(context.storage, known_game(name).name)]


@get("/ratings", include_in_schema=False)
async def ratings_page(context: Context) -> Response[str]:
    """The rankings of all games."""
    context.require("ratings")
    found = [(kind.title, await ranking(context.storage, kind.name)) for kind in game_classes()]
    rankings = [(title, [ranked(each) for each in people]) for title, people in found]
    return page(
        "ratings.html", context.reader, features=context.services.features, rankings=rankings, least=LEAST_GAMES
    )


API: Final = (game_ranking,)
PAGES: Final = (ratings_page,)

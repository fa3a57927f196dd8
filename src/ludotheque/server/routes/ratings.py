"""Routes of ratings: the ranking of each game."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from msgspec import Struct

from ludotheque.core.registry import game_classes
from ludotheque.server.club.ratings import LEAST_GAMES, Rated, ranking
from ludotheque.server.http.templates import page
from ludotheque.server.routes.cards import known_game
from ludotheque.server.routes.context import ERRORS, Context, GameName
from ludotheque.server.storage.profiles import picture_url


class RankedPerson(Struct, frozen=True):
    """A person in a ranking."""

    name: str
    picture: str
    url: str
    rating: int
    """On the chess scale: 400 points mean ten wins to one."""
    margin: int
    """Half of its 95 % interval."""
    played: int


def ranked(rated: Rated) -> RankedPerson:
    rating, margin = round(rated.skill.points), round(rated.skill.margin)
    return RankedPerson(
        rated.name, picture_url(rated.profile), f"/people/{rated.profile}", rating, margin, rated.played
    )


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

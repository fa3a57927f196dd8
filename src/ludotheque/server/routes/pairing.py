"""Routes of pairing: someone says what they would like to play, and waits until a table opens."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Final

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from ludotheque.core.errors import UnknownGame
from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_classes
from ludotheque.server import commands
from ludotheque.server.club.pairing import CLOCK_NAMES, CLOCKS, Pairing, wished_game
from ludotheque.server.errors import Refused
from ludotheque.server.game_cards import game_card
from ludotheque.server.http.templates import page
from ludotheque.server.keys import digest
from ludotheque.server.routes.context import ERRORS, Context, Ok, RequestContext
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.wishes import Wish, people_waiting
from ludotheque.table.names import check_new_name

MOST_WISHES: Final = 120
"""Combinations that one person may wait for."""
Wait = Annotated[float, QueryParameter(ge=0, le=25, description="Seconds to wait for a table.")]


class PairingView(Struct, frozen=True):
    """The state of someone's wishes."""

    url: str
    """The table that has opened; empty while none has."""
    waits: bool
    """Whether the wishes still count: they end when someone is paired, cancels, or has waited for long."""
    people: int
    """People who wait to be paired, for any game."""


def _pairing(context: RequestContext) -> Pairing:
    context.require("pairing")
    return context.services.pairing


def _wished_kind(name: str) -> type[Game]:
    try:
        return wished_game(name)[0]
    except UnknownGame:
        raise Refused(404, "not-found", phrase("There is no such game.")) from None


def _wishes(data: commands.PairMe) -> list[Wish]:
    """The combinations that someone would like; a number of players counts where a game takes it."""
    if unknown := [clock for clock in data.clocks if clock not in CLOCKS]:
        raise Refused(400, "malformed", phrase("There is no such clock: {clock}.", clock=repr(unknown[0])))
    wishes = []
    for name, players, clock in product(sorted({*data.games}), sorted({*data.players}), sorted({*data.clocks})):
        kind = _wished_kind(name)
        if kind.min_players <= players <= kind.max_players:
            wishes.append(Wish(name, players, clock, data.rated))
    if data.rated and "" in data.clocks:
        raise Refused(400, "malformed", phrase("A rated game needs a clock."))
    if not wishes:
        raise Refused(400, "malformed", phrase("None of these games takes that number of players."))
    if len(wishes) > MOST_WISHES:
        raise Refused(413, "too-large", phrase("That is too large."))
    return wishes


async def _view(context: RequestContext, table: str, waits: bool) -> PairingView:
    people = await people_waiting(context.storage, now())
    return PairingView(f"/t/{table}" if table else "", waits and not table, people)


@post("/pairing", status_code=200, responses=ERRORS)
async def pair_me(data: JSONBody[commands.PairMe], context: Context) -> Response[PairingView]:
    """Wait for people who would like to play the same; a table opens as soon as there are enough."""
    pairing, wishes = _pairing(context), _wishes(data)
    context.limit("pair")
    if data.rated:
        context.require("ratings")
    name = check_new_name(data.name) if data.name else ""
    name = (await context.my_profile()).name if data.rated else name
    caller = await context.known_caller()
    table = await pairing.ask(digest(caller.browser), name, wishes, context.reader)
    return Response(await _view(context, table, waits=True), cookies=[caller.cookie()])


@get("/pairing", responses=ERRORS)
async def pairing_state(context: Context, wait: Wait = 0.0) -> PairingView:
    """Return whether a table has opened, after waiting for it for some seconds at most; asking keeps wishes alive."""
    table, waits = await _pairing(context).wait(context.key, context.caller.address, wait)
    return await _view(context, table, waits)


@post("/pairing/cancel", status_code=200, responses=ERRORS)
async def cancel_pairing(data: JSONBody[commands.ProfileCommand], context: Context) -> Ok:
    """Stop waiting."""
    await _pairing(context).cancel(context.key)
    return Ok()


@get("/pair", include_in_schema=False)
async def pairing_page(context: Context) -> Response[str]:
    """The page on which someone says what they would like to play, and waits."""
    _pairing(context)
    kinds = [kind for kind in game_classes() if kind.max_players > 1]
    counts = range(min(kind.min_players for kind in kinds), max(kind.max_players for kind in kinds) + 1)
    return page(
        "pair.html",
        context.reader,
        features=context.services.features,
        games=[game_card(kind, context.reader) for kind in kinds],
        counts=counts,
        clocks={clock: words.render(context.reader.translate) for clock, words in CLOCK_NAMES.items()},
    )


API: Final = (pair_me, pairing_state, cancel_pairing)
PAGES: Final = (pairing_page,)

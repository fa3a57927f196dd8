"""Routes of tournaments: create and join one, follow its rounds, take its results along."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Final

from babel.dates import format_datetime
from babel.numbers import format_decimal
from litestar import Response, get, post
from litestar.params import FromQuery, JSONBody, PathParameter
from msgspec import Struct

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import game_classes
from ludotheque.server import commands
from ludotheque.server.club.director import no_tournament
from ludotheque.server.club.pairing import CLOCK_NAMES, CLOCKS
from ludotheque.server.club.tournament_rules import MOST_SEATS, check_organiser, tables_of
from ludotheque.server.club.tournament_views import TournamentView, results_csv, tournament_view
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.game_cards import game_card
from ludotheque.server.http.templates import page
from ludotheque.server.keys import digest, is_table_id
from ludotheque.server.routes.context import ERRORS, Context, Offset, Ok, RequestContext
from ludotheque.server.storage.clubs import clubs_of, is_member
from ludotheque.server.storage.database import LISTED
from ludotheque.server.storage.tournaments import (
    ListedTournament,
    Tournament,
    TournamentTerms,
    all_tournaments,
    delete_tournament,
    read_tournament,
    tournaments_of,
)
from ludotheque.server.tables.seats import let_watch
from ludotheque.show.language import Reader
from ludotheque.table.names import check_new_name

TournamentId = Annotated[str, PathParameter(max_length=32)]
SYSTEM_NAMES: Final[dict[str, Phrase]] = {
    "swiss": phrase("Swiss: opponents with a similar score"),
    "round-robin": phrase("Round robin: everyone plays everyone"),
    "knockout": phrase("Knockout: the loser is out"),
    "groups": phrase("Groups by standing: tables of three to six"),
}
MOST_LISTED: Final = 50
TABLE_BYTES: Final = 4000
"""About as many as a table takes in the database, for the limit of what one network may store."""
_LOCALES: Final = {"en": "en_GB"}


class NewTournamentView(Struct, frozen=True):
    """A new tournament."""

    id: str
    url: str
    """With the link by which people join, which is not stored and cannot be shown again."""


class TournamentLink(Struct, frozen=True):
    url: str


class OperatorTournaments(Struct, frozen=True):
    tournaments: tuple[ListedTournament, ...]
    """The latest first."""


async def _found(context: RequestContext, id: str) -> tuple[Tournament, str]:
    """A tournament that the caller may see, and their profile, if any: they play in it, or may join it."""
    context.require("tournaments")
    profile = await context.profile()
    mine = profile.id if profile else ""
    found = None
    if is_table_id(id):
        async with context.storage.reading() as connection:
            found = await read_tournament(connection, id)
    if found is None or not (_involves(found, mine) or await _invites(context, found, mine)):
        raise no_tournament()
    return found, mine


def _involves(tournament: Tournament, profile: str) -> bool:
    return bool(profile) and (tournament.organiser == profile or tournament.entrant(profile) is not None)


async def _invites(context: RequestContext, tournament: Tournament, profile: str) -> bool:
    """Whether the caller may join: they have the link, organise the tournament, or are a member of its club."""
    if tournament.link in context.caller.digests or (profile and tournament.organiser == profile):
        return True
    return bool(tournament.club) and await is_member(context.storage, tournament.club, profile)


# Creating, joining, organising.


@post("/tournaments", responses=ERRORS)
async def new_tournament(data: JSONBody[commands.NewTournament], context: Context) -> NewTournamentView:
    """Create a tournament; its link is sent this once."""
    context.require("tournaments")
    context.limit("create")
    context.limit_stored(data)
    if data.rated:
        context.require("ratings")
    clock = CLOCKS.get(data.clock)
    if clock is None:
        raise Refused(400, "malformed", phrase("A tournament needs a clock."))
    terms = TournamentTerms(
        data.game, data.system, data.seats, data.rounds, clock, data.hours, data.rated, data.options
    )
    profile = await context.my_profile()
    if data.club and not await is_member(context.storage, data.club, profile.id):
        raise forbidden(phrase("Only members can do that."))
    title = check_new_name(data.title)
    made, secret = await context.services.director.create(profile, title, terms, data.plays, data.club)
    return NewTournamentView(made.id, f"/tournaments/{made.id}#{secret}")


@get("/tournaments/{tournament:str}", responses=ERRORS)
async def tournament_state(tournament: TournamentId, context: Context) -> TournamentView:
    """Return a tournament with its standings, rounds and cross table."""
    found, mine = await _found(context, tournament)
    return tournament_view(found, mine, context.reader)


@get("/tournaments/{tournament:str}/results.csv", media_type="text/csv", responses=ERRORS)
async def tournament_csv(tournament: TournamentId, context: Context) -> Response[str]:
    """Return the standings as a file (CSV)."""
    found, mine = await _found(context, tournament)
    headers = {"Content-Disposition": 'attachment; filename="tournament.csv"', "Cache-Control": "no-store"}
    return Response(
        results_csv(tournament_view(found, mine, context.reader)),
        media_type="text/csv; charset=utf-8",
        headers=headers,
    )


@post("/tournaments/{tournament:str}/join", status_code=200, responses=ERRORS)
async def join_tournament(tournament: TournamentId, data: JSONBody[commands.TournamentCommand], context: Context) -> Ok:
    """Join a tournament by its link, sent as the bearer token, or as a member of its club."""
    context.limit("join")
    found, _ = await _found(context, tournament)
    profile = await context.my_profile()
    if not await _invites(context, found, profile.id):
        raise forbidden(phrase("This link is not valid here; ask for a new one."))
    await context.services.director.join(found.id, profile)
    return Ok()


@post("/tournaments/{tournament:str}/withdraw", status_code=200, responses=ERRORS)
async def withdraw_from_tournament(
    tournament: TournamentId, data: JSONBody[commands.TournamentCommand], context: Context
) -> Ok:
    """Withdraw: before the start at once, later from the next round on."""
    context.limit("join")
    found, _ = await _found(context, tournament)
    await context.services.director.withdraw(found.id, await context.my_profile())
    return Ok()


@post("/tournaments/{tournament:str}/start", status_code=200, responses=ERRORS)
async def start_tournament(
    tournament: TournamentId, data: JSONBody[commands.TournamentCommand], context: Context
) -> Ok:
    """Begin the first round, for the organiser."""
    context.limit("create")
    found, mine = await _found(context, tournament)
    check_organiser(found, mine)
    context.services.limits.count_stored(context.caller.address, TABLE_BYTES * tables_of(found))
    await context.services.director.start(found.id, await context.my_profile())
    return Ok()


@post("/tournaments/{tournament:str}/forfeit", status_code=200, responses=ERRORS)
async def forfeit(tournament: TournamentId, data: JSONBody[commands.Forfeit], context: Context) -> Ok:
    """Decide a game of the present round, for the organiser: a player has lost it."""
    context.limit("join")
    found, _ = await _found(context, tournament)
    await context.services.director.forfeit(found.id, await context.my_profile(), data.table, data.player)
    return Ok()


@post("/tournaments/{tournament:str}/link", status_code=201, responses=ERRORS)
async def new_tournament_link(
    tournament: TournamentId, data: JSONBody[commands.TournamentCommand], context: Context
) -> TournamentLink:
    """Replace the link of a tournament, for the organiser."""
    context.limit("join")
    found, _ = await _found(context, tournament)
    secret = await context.services.director.new_link(found.id, await context.my_profile())
    return TournamentLink(f"/tournaments/{found.id}#{secret}")


@post("/tournaments/{tournament:str}/delete", status_code=200, responses=ERRORS)
async def delete(tournament: TournamentId, data: JSONBody[commands.TournamentCommand], context: Context) -> Ok:
    """Delete a tournament that has not begun, or is over, for the organiser."""
    context.limit("join")
    found, mine = await _found(context, tournament)
    check_organiser(found, mine)
    if found.state == "running":
        raise Refused(409, "not-now", phrase("A tournament under way cannot be deleted."))
    await delete_tournament(context.storage, found.id)
    return Ok()


@post("/tournaments/{tournament:str}/watch", status_code=200, responses=ERRORS)
async def watch_tournament_table(
    tournament: TournamentId, data: JSONBody[commands.WatchTournamentTable], context: Context
) -> Response[Ok]:
    """Let someone who may see a tournament watch one of its games."""
    context.limit("join")
    found, _ = await _found(context, tournament)
    if not data.table or data.table not in [each.table for each in found.tables]:
        raise no_tournament()
    table = await context.live_tables.table(data.table)
    caller = await context.known_caller()
    browser = digest(caller.browser)
    await context.services.writer.change(table, lambda facts: let_watch(facts, browser), even_if_closed=True)
    return Response(Ok(), cookies=[caller.cookie()])


# The operator.


@get("/operator/tournaments", responses=ERRORS)
async def operator_tournaments(context: Context, offset: Offset = 0) -> OperatorTournaments:
    """All tournaments, for the operator."""
    context.check_operator()
    return OperatorTournaments(tuple(await all_tournaments(context.storage, offset, LISTED)))


@post("/operator/tournaments/{tournament:str}/delete", status_code=200, responses=ERRORS)
async def operator_delete(tournament: TournamentId, data: JSONBody[commands.TournamentCommand], context: Context) -> Ok:
    """Delete any tournament, for the operator; its tables stay."""
    context.check_operator()
    if not await delete_tournament(context.storage, tournament):
        raise no_tournament()
    return Ok()


# Pages.


@get("/tournaments", include_in_schema=False)
async def tournaments_page(context: Context, club: FromQuery[str] = "") -> Response[str]:
    """One's tournaments, and the form that creates one, also for a club."""
    context.require("tournaments")
    profile = await context.profile()
    clubs = await clubs_of(context.storage, profile.id) if profile else []
    reader = context.reader
    kinds = [kind for kind in game_classes() if kind.max_players > 1]
    return page(
        "tournaments.html",
        reader,
        features=context.services.features,
        has_profile=profile is not None,
        club_name=next((each.name for each in clubs if each.id == club), ""),
        tournaments=await tournaments_of(context.storage, profile.id, MOST_LISTED) if profile else [],
        games=[game_card(kind, reader) for kind in kinds],
        most_seats=MOST_SEATS,
        systems={system: words.render(reader.translate) for system, words in SYSTEM_NAMES.items()},
        clocks={clock: words.render(reader.translate) for clock, words in CLOCK_NAMES.items() if clock},
    )


@get("/tournaments/{tournament:str}", include_in_schema=False)
async def tournament_page(tournament: TournamentId, context: Context) -> Response[str]:
    """A tournament; one who comes by link sees it once the script has sent the link, which the address hides."""
    context.require("tournaments")
    if not is_table_id(tournament):
        raise no_tournament()
    try:
        shown = await _shown(context, tournament)
    except Refused:
        shown = {"tournament": None, "id": tournament}
    return page("tournament.html", context.reader, features=context.services.features, **shown)


@get("/tournaments/{tournament:str}/live", include_in_schema=False)
async def tournament_live(tournament: TournamentId, context: Context) -> Response[str]:
    """The part of a tournament's page that changes."""
    return page("tournament_live.html", context.reader, **await _shown(context, tournament))


async def _shown(context: RequestContext, id: str) -> dict[str, Any]:
    """The words of a tournament's page."""
    found, mine = await _found(context, id)
    reader = context.reader
    locale = _LOCALES.get(reader.language, reader.language)
    return {
        "id": id,
        "tournament": tournament_view(found, mine, reader),
        "has_profile": bool(mine),
        "may_join": await _invites(context, found, mine),
        "system_name": SYSTEM_NAMES[found.terms.system].render(reader.translate),
        "clock_name": _clock_name(found, reader),
        "points_text": partial(points_text, locale=locale),
        "date": partial(format_datetime, format="medium", locale=locale),
    }


def _clock_name(tournament: Tournament, reader: Reader) -> str:
    known = [key for key, rule in CLOCKS.items() if rule == tournament.terms.clock]
    return CLOCK_NAMES[known[0]].render(reader.translate) if known else ""


def points_text(points: float, locale: str) -> str:
    """Points as people write them: a half as a fraction, parts of tables of more than two as decimals."""
    whole, rest = divmod(points, 1)
    if rest == 0.5:
        return f"{int(whole) or ''}½"
    return format_decimal(points, format="0.##", locale=locale)


API: Final = (
    new_tournament,
    tournament_state,
    tournament_csv,
    join_tournament,
    withdraw_from_tournament,
    start_tournament,
    forfeit,
    new_tournament_link,
    delete,
    watch_tournament_table,
    operator_tournaments,
    operator_delete,
)
PAGES: Final = (tournaments_page, tournament_page, tournament_live)

"""Routes of profiles: one's name, page and results; a link to another browser; export and deletion."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final

import msgspec
from babel.dates import format_date
from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Struct

from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import find_game
from ludotheque.server import commands
from ludotheque.server.club.clubs import check_name_among_members
from ludotheque.server.club.forgetting import Forgetter, stored_about
from ludotheque.server.club.habits import GAP, Accuracy, DecisionFigures, accuracies, openings
from ludotheque.server.club.people import PersonMet, people_known, with_restrictions
from ludotheque.server.club.ratings import Rated, ranked, ratings_of
from ludotheque.server.club.results import (
    GamePlayed,
    GameRecord,
    Opponent,
    Tally,
    games_of,
    grouped,
    have_met,
    opponents,
    record_of,
    tally,
)
from ludotheque.server.club.solving import Solving, solving_of, solving_records
from ludotheque.server.errors import Refused, forbidden, has_profile, not_found
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.templates import page
from ludotheque.server.keys import digest, is_table_id
from ludotheque.server.routes.context import CACHE_PUBLIC_FOREVER, ERRORS, Context, Ok, RequestContext, svg
from ludotheque.server.storage.challenges import stored_challenges
from ludotheque.server.storage.clubs import clubs_of
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.passkeys import Passkey, passkeys_of
from ludotheque.server.storage.profiles import (
    Profile,
    VisibleTo,
    add_link,
    find_link,
    find_profile,
    key_of_profile,
    profile_by_id,
    renew_key,
    set_profile,
    use_link,
)
from ludotheque.server.storage.reports import reports_of
from ludotheque.server.storage.restrictions import restrictions_of
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.tournaments import tournaments_of
from ludotheque.server.table_bots import level_title
from ludotheque.show.language import Reader, game_translator
from ludotheque.show.portraits import portrait
from ludotheque.show.scenes import score_text
from ludotheque.study.puzzles import today
from ludotheque.table.names import check_new_name

ProfileId = Annotated[str, PathParameter(max_length=32)]
MOST_SEATS: Final = 64
"""Seats that any game may have."""
_DETAILS: Final = re.compile(rf"(\s*[:,;]\s*{GAP})*\.?$")
_LATEST: Final = 12
"""Games that a page lists one by one."""
_LOCALES: Final = {"en": "en_GB"}
_EXPORTED: Final = "ludotheque-profile.json"


class ProfileView(Struct, frozen=True):
    """A person, as far as the reader may see them."""

    id: str
    name: str
    picture: str
    url: str


class MyProfile(ProfileView, frozen=True):
    """One's profile."""

    visible_to: VisibleTo
    created: datetime


class ProfileLink(Struct, frozen=True):
    """A link that carries a profile to another browser, once."""

    url: str
    expires: datetime


class LinkedProfile(Struct, frozen=True):
    """The profile that a link carries, and the tables of this browser that would join it."""

    name: str
    picture: str
    tables: int


class OpeningView(Struct, frozen=True):
    """A kind of first decision: "Ann bids …"."""

    words: str
    played: int
    wins: float


class MistakesView(Struct, frozen=True):
    """A kind of decision that cost much."""

    words: str
    decisions: int
    mistakes: int
    loss: float
    """The share of the win that it cost on average."""


class AccuracyView(DecisionFigures, frozen=True):
    """The findings of reviews about one's decisions in a game."""

    kinds: tuple[MistakesView, ...]
    """The kinds of decisions that cost most in all."""


class PlayersTally(Struct, frozen=True):
    players: int
    tally: Tally


class GameResults(Struct, frozen=True):
    """Results in one game."""

    game: str
    title: str
    tally: Tally
    players: tuple[PlayersTally, ...]
    """Results by number of players."""
    record: GameRecord
    openings: tuple[OpeningView, ...] = ()
    """The kinds of one's first decisions, the most frequent first."""
    accuracy: AccuracyView | None = None
    """The findings of reviews; null if no game was reviewed."""


class ProfileResults(Struct, frozen=True):
    """Results of a person."""

    tally: Tally
    games: tuple[GameResults, ...]
    opponents: tuple[Opponent, ...]


def _view(profile: Profile) -> ProfileView:
    return ProfileView(profile.id, profile.name, profile.picture, f"/people/{profile.id}")


def _mine(profile: Profile) -> MyProfile:
    return MyProfile(
        profile.id, profile.name, profile.picture, f"/people/{profile.id}", profile.visible_to, profile.created
    )


class Habits(Struct, frozen=True):
    """Someone's way of playing, by game, in the reader's language."""

    openings: Mapping[str, tuple[OpeningView, ...]] = {}
    accuracies: Mapping[str, AccuracyView] = {}


NO_HABITS: Final = Habits()


async def _habits(context: RequestContext, games: Sequence[GamePlayed], name: str) -> Habits:
    """The habits of the player of these games; `name` is theirs."""
    storage, language = context.storage, context.reader.language
    first, judged = await openings(storage, games), await accuracies(storage, games)
    return Habits(
        {game: tuple(OpeningView(_kind_text(each.kind, game, name, language), each.played, each.wins) for each in found)
         for game, found in first.items()},
        {game: _accuracy_view(found, game, name, language) for game, found in judged.items()},
    )  # fmt: skip


def _accuracy_view(found: Accuracy, game: str, name: str, language: str) -> AccuracyView:
    kinds = tuple(
        MistakesView(_kind_text(each.kind, game, name, language), each.decisions, each.mistakes, each.loss)
        for each in found.kinds
    )
    return AccuracyView(found.games, found.decisions, found.good, found.mistakes, found.loss, found.parts, kinds)


def _kind_text(kind: Phrase, game: str, name: str, language: str) -> str:
    """A kind of decision, with the name of the player at whatever seat, and without gaps that only add details."""
    return _DETAILS.sub("", kind.render(game_translator(game, language), (name,) * MOST_SEATS))


def _results(games: list[GamePlayed], reader: Reader, habits: Habits) -> ProfileResults:
    """Summarise games, the latest first; only of games that are installed here."""
    by_game = {name: found for name, found in grouped(games, lambda game: game.game).items() if find_game(name)}
    return ProfileResults(
        tally(games),
        tuple(_game_results(name, found, reader, habits) for name, found in by_game.items()),
        tuple(opponents(games)),
    )


def _game_results(name: str, games: list[GamePlayed], reader: Reader, habits: Habits) -> GameResults:
    kind = find_game(name)
    by_players = sorted(grouped(games, lambda game: game.players).items())
    return GameResults(
        name,
        reader.translate(kind.title) if kind else name,
        tally(games),
        tuple(PlayersTally(players, tally(found)) for players, found in by_players),
        record_of(games),
        habits.openings.get(name, ()),
        habits.accuracies.get(name),
    )


# One's profile.


@get("/profile", responses=ERRORS)
async def my_profile(context: Context) -> MyProfile:
    """Return the profile of this browser."""
    return _mine(await context.my_profile())


@post("/profile", status_code=200, responses=ERRORS)
async def change_profile(data: JSONBody[commands.SetProfile], context: Context) -> Response[MyProfile]:
    """Make a profile for this browser, or change its name and who may see it."""
    context.require("profiles")
    context.limit("join")
    caller = await context.known_caller()
    key, name = digest(caller.browser), check_new_name(data.name)
    await check_name_among_members(context.storage, key, name)
    if await find_profile(context.storage, key) is None:
        context.services.limits.count_profile(caller.address)
    await set_profile(context.storage, key, name, data.visible_to)
    made = await RequestContext(context.services, caller, context.reader).my_profile()
    return Response(_mine(made), cookies=[caller.cookie()])


@get("/profile/results", responses=ERRORS)
async def my_results(context: Context) -> ProfileResults:
    """Return one's results by game, number of players and opponents."""
    name = (await context.my_profile()).name
    games = await games_of(context.storage, context.key)
    return _results(games, context.reader, await _habits(context, games, name))


@get("/profile/export", responses=ERRORS)
async def export_profile(context: Context) -> Response[bytes]:
    """Return everything that is stored about the holder of this browser, as one file (JSON)."""
    context.limit("join")
    profile = await context.my_profile()
    everything: dict[str, Any] = {
        "profile": _mine(profile),
        "results": await games_of(context.storage, context.key),
        "ratings": await ratings_of(context.storage, profile.id),
        "restrictions": await restrictions_of(context.storage, profile.id),
        "challenges": await stored_challenges(context.storage, profile.id),
        "clubs": await clubs_of(context.storage, profile.id),
        "reports": await reports_of(context.storage, profile.id),
        "tournaments": await tournaments_of(context.storage, profile.id),
        "puzzles": await _exported_puzzles(context.storage, profile.id),
        "passkeys": [
            {"created": each.created, "used": each.used} for each in await passkeys_of(context.storage, profile.id)
        ],
        **await stored_about(context.storage, context.key),
    }
    return Response(
        msgspec.json.format(msgspec.json.encode(everything), indent=1),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{_EXPORTED}"', "Cache-Control": "no-store"},
    )


async def _exported_puzzles(storage: Storage, profile: str) -> dict[str, Any]:
    records, days = await solving_records(storage, profile)
    return {"tried": records, "days": sorted(days)}


@post("/profile/delete", status_code=200, responses=ERRORS)
async def forget_profile(data: JSONBody[commands.ProfileCommand], context: Context) -> Response[Ok]:
    """Delete everything about the holder of this browser: profile, names, chat, addresses and seats. Games that count
    are resigned."""
    context.limit("join")
    await context.my_profile()
    forgetter = Forgetter(context.live_tables, context.services.writer, context.seating)
    await forgetter.forget(context.key, context.reader)
    return Response(Ok(), cookies=[context.caller.renewed().cookie()])


# Several browsers.


@post("/profile/link", status_code=201, responses=ERRORS)
async def new_profile_link(data: JSONBody[commands.ProfileCommand], context: Context) -> Response[ProfileLink]:
    """Make a link that carries one's profile and seats to another browser, which shares them from then on."""
    context.limit("join")
    profile = await context.my_profile()
    link, expires = await add_link(context.storage, profile.id, context.caller.browser, now())
    return Response(ProfileLink(f"/me#{link}", expires), headers={"Cache-Control": "no-store"})


@post("/profile/link/look", status_code=200, responses=ERRORS)
async def look_at_link(data: JSONBody[commands.ProfileSecret], context: Context) -> LinkedProfile:
    """Return whose profile a link carries. Nothing changes."""
    context.require("profiles")
    context.limit("join")
    found = await find_link(context.storage, data.secret, now())
    if found is None:
        raise _spent()
    return LinkedProfile(found.name, found.picture, len(await context.my_tables()))


@post("/profile/link/use", status_code=200, responses=ERRORS)
async def use_profile_link(data: JSONBody[commands.UseProfileLink], context: Context) -> Response[MyProfile]:
    """Continue as the person of a link in this browser too."""
    context.require("profiles")
    context.limit("join")
    await check_may_join(context, data.merge)
    taken = await use_link(context.storage, data.secret, context.key, now())
    if taken is None:
        raise _spent()
    await context.reload_tables(taken.tables)
    return await continue_as(context, taken.secret)


async def check_may_join(context: RequestContext, merge: bool) -> None:
    """Raise if this browser cannot become one of a profile's; its seats join that profile only if `merge` says so."""
    if await context.profile():
        raise has_profile()
    if not merge and await context.my_tables():
        raise Refused(409, "has-seats", phrase("This browser holds seats that would join that profile."))


@post("/profile/renew", status_code=200, responses=ERRORS)
async def renew_profile(data: JSONBody[commands.ProfileCommand], context: Context) -> Response[MyProfile]:
    """Give this browser a new secret, so that all other browsers lose the profile and its seats."""
    context.limit("join")
    await context.my_profile()
    renewed = context.caller.renewed()
    await context.reload_tables(await renew_key(context.storage, context.key, digest(renewed.browser)))
    return await continue_as(context, renewed.browser)


async def continue_as(context: RequestContext, secret: str) -> Response[MyProfile]:
    """The profile of a secret, which this browser holds from now on."""
    caller: Caller = msgspec.structs.replace(context.caller, browser=secret)
    found = await RequestContext(context.services, caller, context.reader).my_profile()
    return Response(_mine(found), cookies=[caller.cookie()])


def _spent() -> Refused:
    return forbidden(phrase("This link has been used already, or has expired; make a new one."))


# Pages and pictures.


@get("/people/{profile:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS)
async def profile_picture(profile: ProfileId, context: Context) -> Response[str]:
    """The generated picture of a profile (SVG). It is drawn for any id, so it tells nobody which ones exist."""
    if not is_table_id(profile):
        raise not_found()
    return svg(portrait(profile), CACHE_PUBLIC_FOREVER)


@get("/me", include_in_schema=False)
async def my_page(context: Context) -> Response[str]:
    """One's profile and results; without a profile, the form that makes one."""
    context.require("profiles")
    profile = await context.profile()
    games = await games_of(context.storage, context.key) if profile else []
    people = await with_restrictions(context.storage, profile.id, games) if profile else []
    habits = await _habits(context, games, profile.name) if profile else NO_HABITS
    passkeys = await passkeys_of(context.storage, profile.id) if profile else ()
    ratings = await _ratings(context, profile)
    solving = await solving_of(context.storage, profile.id, today()) if profile else None
    return _page(
        context, profile, games, ratings, is_mine=True, people=people, passkeys=passkeys, habits=habits, solving=solving
    )


@get("/people/{profile:str}", include_in_schema=False)
async def person_page(profile: ProfileId, context: Context) -> Response[str]:
    """The page of someone who lets the reader see it; as if there were no such person for all others."""
    context.require("profiles")
    found = await profile_by_id(context.storage, profile) if is_table_id(profile) else None
    if found is None or not await may_see(context, found):
        raise not_found()
    key = await key_of_profile(context.storage, found.id)
    games = await games_of(context.storage, key) if key and found.visible_to == "all" else []
    ratings = await _ratings(context, found if found.visible_to == "all" else None)
    person = await _as_met(context, found.id)
    return _page(context, found, games, ratings, is_mine=key == context.key, person=person)


async def _as_met(context: RequestContext, profile: str) -> PersonMet | None:
    """Someone as the caller has met them; None if they have not, or it is the caller."""
    mine = await context.profile()
    met = await people_known(context.storage, mine.id, context.key) if mine and mine.id != profile else []
    return next((person for person in met if person.profile == profile), None)


async def _ratings(context: RequestContext, profile: Profile | None) -> list[Rated]:
    """The ratings of a person, where there are any."""
    has_ratings = profile and "ratings" in context.services.features
    return await ratings_of(context.storage, profile.id) if profile and has_ratings else []


async def may_see(context: RequestContext, profile: Profile) -> bool:
    """Whether the caller may see the page of someone."""
    mine = await context.profile()
    if profile.visible_to == "all" or (mine and mine.id == profile.id):
        return True
    return (
        profile.visible_to == "met" and bool(context.key) and await have_met(context.storage, context.key, profile.id)
    )


def _page(
    context: RequestContext,
    profile: Profile | None,
    games: list[GamePlayed],
    ratings: list[Rated],
    is_mine: bool,
    people: Sequence[PersonMet] = (),
    person: PersonMet | None = None,
    passkeys: Sequence[Passkey] = (),
    habits: Habits = NO_HABITS,
    solving: Solving | None = None,
) -> Response[str]:
    reader = context.reader
    results = _results(games, reader, habits)
    solved = [(kind, each) for each in (solving.games if solving else ()) if (kind := find_game(each.game))]
    return page(
        "profile.html",
        reader,
        features=context.services.features,
        profile=profile,
        is_mine=is_mine,
        people=people,
        person=person,
        results=results,
        ratings={each.game: ranked(each) for each in ratings},
        solved=[(reader.translate(kind.title), each) for kind, each in solved],
        days_in_a_row=solving.days if solving else 0,
        latest=[game for game in games if find_game(game.game)][:_LATEST],
        titles={game.game: game.title for game in results.games},
        covers={game.game: f"/api/games/{game.game}/cover.svg" for game in results.games},
        level_title=lambda level: level_title(level).render(reader.translate),
        score_text=partial(score_text, reader=reader),
        passkey_host=context.passkey_host,
        passkeys=passkeys,
        date=partial(format_date, format="medium", locale=_LOCALES.get(reader.language, reader.language)),
    )


API: Final = (
    my_profile,
    change_profile,
    my_results,
    export_profile,
    forget_profile,
    new_profile_link,
    look_at_link,
    use_profile_link,
    renew_profile,
    profile_picture,
)
PAGES: Final = (my_page, person_page)

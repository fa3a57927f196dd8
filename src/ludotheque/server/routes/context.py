"""The context of a request, and the parameters, responses and headers that several routes share."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Concatenate, Final, Literal, ParamSpec, TypeVar
from urllib.parse import urlsplit

import msgspec
from litestar import Response
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from msgspec import Struct, field, structs

from ludotheque.core.choices import refusal
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.ghosts import expected_ghost
from ludotheque.core.phrases import phrase
from ludotheque.server.after.cleaning import TableCleaner
from ludotheque.server.after.results import ResultLog
from ludotheque.server.after.reviewer import Reviewer
from ludotheque.server.after.studies import MatchCopy, Studies, play_line
from ludotheque.server.bots.advice import Advisor
from ludotheque.server.bots.custom import CustomBots
from ludotheque.server.bots.runner import BotRunner
from ludotheque.server.bots.workers import BotWorkers
from ludotheque.server.club.director import TournamentDirector
from ludotheque.server.club.pairing import Pairing
from ludotheque.server.club.ratings import RatingLog
from ludotheque.server.cluster.remote import RemoteEvents
from ludotheque.server.config import Feature, Most
from ludotheque.server.errors import ErrorBody, Refused, forbidden, no_profile, stale_version
from ludotheque.server.http.caller import Caller
from ludotheque.server.http.guard import PICTURE_POLICY, is_ip_address
from ludotheque.server.http.limits import Limits
from ludotheque.server.http.metered import Figures
from ludotheque.server.http.pacing import Pacer
from ludotheque.server.http.spending import Spender
from ludotheque.server.keys import digest
from ludotheque.server.reminders.scheduler import PushWay, Reminders
from ludotheque.server.shared_work import SharedWork
from ludotheque.server.storage.challenges import Challenge, challenges_to
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.operating import has_public_list
from ludotheque.server.storage.processes import present_elsewhere
from ludotheque.server.storage.profiles import Profile, find_profile
from ludotheque.server.storage.restrictions import apart_from
from ludotheque.server.storage.rows import Kind, now
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.dice_timer import TableDice
from ludotheque.server.tables.endings import Endings
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.facts import Rights
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.moderation import Moderation
from ludotheque.server.tables.opening import Opened, TableOpener
from ludotheque.server.tables.premoves import PremovePlayer
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.rematches import Rematches
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.sockets import Broadcast
from ludotheque.server.tables.summaries import Summary, summary
from ludotheque.server.tables.view_cache import ViewCache
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.art import art_of
from ludotheque.show.hints import path_to
from ludotheque.show.language import Reader
from ludotheque.show.scenes import RenderedGhost, render_ghost
from ludotheque.show.study import study_renderer
from ludotheque.study.review import Decision
from ludotheque.table import Match

CACHE_PUBLIC_FOREVER: Final = "public, max-age=31536000, immutable"
CACHE_PRIVATE_FOREVER: Final = "private, max-age=31536000, immutable"
MOST_TO_WATCH: Final = 12
"""The most games that the home page offers to watch."""
BEGINNER: Final = "1"
"""The level of the bots to play on against."""

ERRORS: Final = {
    status: ResponseSpec(ErrorBody, description=description, generate_examples=False)
    for status, description in {
        400: "Malformed, or an impossible set-up.",
        403: "Not allowed.",
        404: "No such thing, or none that you may know of.",
        409: "Not now; look again.",
        413: "Too large.",
        415: "Not JSON.",
        422: "Against the rules.",
        429: "Too often.",
    }.items()
}

P = ParamSpec("P")
T = TypeVar("T")
GameName = Annotated[str, PathParameter(max_length=64)]
Name = Annotated[str, PathParameter(max_length=64)]
TableId = Annotated[str, PathParameter(max_length=32)]
QuerySeat = Annotated[int, QueryParameter(ge=0, le=63)]
QueryNumber = Annotated[int, QueryParameter(ge=0, le=2**31 - 1)]
Offset = Annotated[int, QueryParameter(ge=0, le=2**31 - 1, description="How many of the latest to skip.")]
At = Annotated[int | None, QueryParameter(name="at", ge=0, le=2**31 - 1, description="A ply; none: now.")]
ViewerQuery = Annotated[
    int | None, QueryParameter(name="viewer", ge=-5, le=63, description="One of your seats, or -5 for a spectator.")
]
BoardQuery = Annotated[bool, QueryParameter(name="board", description="Whether the board is drawn alone.")]
WithMoveQuery = Annotated[
    bool,
    QueryParameter(name="with_move", description="Whether the move of this ply shows even if it cleared the board."),
]
TiltedQuery = Annotated[bool, QueryParameter(name="tilted", description="Whether pieces stand out from the board.")]


class Ok(Struct, frozen=True):
    """The request was carried out."""

    done: Literal[True] = True


class Services(Struct, frozen=True):
    """The parts of a running server."""

    events: TableEvents
    live_tables: LiveTables
    views: ViewCache
    opener: TableOpener
    writer: TableWriter
    actions: TableActions
    seating: Seating
    dice: TableDice
    moderation: Moderation
    rematches: Rematches
    endings: Endings
    presences: Presences
    broadcast: Broadcast
    limits: Limits
    pacer: Pacer
    bot_workers: BotWorkers
    advisor: Advisor
    runner: BotRunner
    results: ResultLog
    reviewer: Reviewer
    readers: LimitedWorkers
    bots: TableBots
    custom_bots: CustomBots
    study_workers: LimitedWorkers
    studies: Studies
    table_cleaner: TableCleaner
    premoves: PremovePlayer
    pairing: Pairing
    ratings: RatingLog
    director: TournamentDirector
    most: Most
    features: frozenset[Feature]
    """Features that this server offers beyond playing at a table."""
    reminders: Reminders
    pusher: PushWay | None = None
    """Sends push messages; none where they are switched off or their library is missing."""
    operator_token: str = ""
    """Opens the pages of the operator; if empty, there are none."""
    metrics: Figures | None = None
    shared: SharedWork = field(default_factory=lambda: SharedWork(2))
    """Answers that are the same for everyone, for a moment."""
    remote: RemoteEvents | None = None
    """The connection to other processes; none where this process is the only one."""

    def spender(self, address: str) -> Spender | None:
        """The address that pays for the work of its messages; none without limits."""
        return Spender(self.limits, self.pacer, address) if self.limits.on else None


class RequestContext(Struct, frozen=True):
    """One request: the caller, their language, and the services that it may use."""

    services: Services
    caller: Caller
    reader: Reader
    origin: str = ""
    """The address of the site without a slash at its end, for what other sites load from it."""

    @property
    def live_tables(self) -> LiveTables:
        return self.services.live_tables

    @property
    def storage(self) -> Storage:
        return self.services.live_tables.storage

    @property
    def actions(self) -> TableActions:
        return self.services.actions

    @property
    def seating(self) -> Seating:
        return self.services.seating

    @property
    def client(self) -> str:
        """The address by which the work of this client is limited; empty without limits."""
        return self.caller.address if self.services.limits.on else ""

    @property
    def is_secure_context(self) -> bool:
        """Whether browsers trust pages of this address with notifications: over https, or on this machine."""
        found = urlsplit(self.origin)
        return found.scheme == "https" or found.hostname in ("localhost", "127.0.0.1", "::1")

    @property
    def passkey_host(self) -> str:
        """The name of the site for passkeys; empty where browsers allow none, or the operator does not."""
        name = urlsplit(self.origin).hostname or ""
        is_allowed = self.is_secure_context and not is_ip_address(name) and "passkeys" in self.services.features
        return name if is_allowed else ""

    @property
    def offers_push(self) -> bool:
        return self.services.pusher is not None and self.is_secure_context

    @property
    def browser(self) -> bytes:
        """The digest of the browser's key; empty if it has none."""
        return digest(self.caller.browser) if self.caller.browser else b""

    async def known_caller(self) -> Caller:
        """The caller, with a new secret unless this server made the one they sent."""
        browser = self.caller.browser
        return self.caller if browser and await self.storage.knows(digest(browser)) else self.caller.renewed()

    @property
    def key(self) -> bytes:
        """The key of this browser; empty if it has none."""
        return digest(self.caller.browser) if self.caller.browser else b""

    def require(self, feature: Feature) -> None:
        """Raise where the operator has switched a feature off."""
        if feature not in self.services.features:
            raise Refused(404, "not-found", phrase("This server does not offer that."))

    def check_operator(self) -> None:
        """Raise unless the request carries the operator's token."""
        self.limit("operator")
        token = self.services.operator_token
        if not token:
            raise Refused(404, "not-found", phrase("Page not found."))
        if not hmac.compare_digest(digest(self.caller.token), digest(token)):
            raise forbidden(phrase("That is not the operator's token."))

    async def profile(self) -> Profile | None:
        """The profile of the caller."""
        return await find_profile(self.storage, self.key) if self.key else None

    async def my_profile(self) -> Profile:
        """The profile of a caller who must have one."""
        self.require("profiles")
        found = await self.profile()
        if found is None:
            raise no_profile()
        return found

    def limit(self, kind: str) -> None:
        """Count a request against the limits of its client."""
        self.services.limits.count(kind, self.caller)

    def limit_stored(self, what: object) -> None:
        """Count what the client wants to be stored against the bytes of its network."""
        self.services.limits.count_stored(self.caller.address, len(msgspec.json.encode(what)))

    async def enter(self, table_id: str) -> tuple[LiveTable, Rights]:
        """A table, and what the caller may do there; `not_found` if they may not know of it."""
        table = await self.live_tables.table(table_id)
        return table, table.facts.rights(self.caller.digests)

    async def enter_seat(self, table_id: str, seat: int) -> tuple[LiveTable, Rights]:
        """The same for a caller who acts for a seat."""
        table, rights = await self.enter(table_id)
        check_seat(table, seat)
        rights.check_seat(seat)
        return table, rights

    async def enter_as(self, table_id: str, viewer: int | None) -> tuple[LiveTable, int]:
        """The same for a caller who looks: the table, and the viewer they asked for, or the natural one."""
        table, rights = await self.enter(table_id)
        return table, viewer_for(table, rights, viewer)

    async def finished_review(self, table: LiveTable) -> list[Decision]:
        """The decisions of a table's review; none unless the game is over and the review is complete."""
        reviewer = self.services.reviewer
        if table.match.is_over and (await reviewer.progress(table)).state == "done":
            return await reviewer.reviews.decisions(table.id)
        return []

    async def decision_at(self, table: LiveTable, ply: int) -> Decision:
        """Return the verdict of the finished review on the move of a ply."""
        for decision in await self.finished_review(table):
            if decision.ply == ply:
                return decision
        raise Refused(404, "not-found", phrase("The review says nothing about that move."))

    async def better_line(self, table: LiveTable, ply: int) -> Sequence[int]:
        """The actions of the line that begins with the better move at a ply, computed in a worker or cached."""
        decision = await self.decision_at(table, ply)
        if not decision.as_seen.better:
            raise Refused(404, "not-found", phrase("The review found no better move there."))
        return await self.study(table, play_line, decision)

    async def study(
        self, table: LiveTable, work: Callable[Concatenate[MatchCopy, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Compute something about a match in a worker, or take it from the cache; limited like searches."""
        return await self.services.studies.get(table, self.client, lambda: self.limit("think"), work, *args, **kwargs)

    async def reload_tables(self, ids: Iterable[str]) -> None:
        """Let tables in memory, here and at other processes, learn of their new keys."""
        for id in ids:
            table = self.live_tables.in_memory(id)
            if table:
                async with table.lock:
                    await self.live_tables.reload(table)
            self.services.events.publish(id, "seats")

    async def my_tables(self) -> list[Summary]:
        """The tables of this client: first those that wait for them, then the running ones, the latest first."""
        digests = self.caller.digests
        found = [item for digest in digests for item in await self.storage.held_by(digest)]
        listed = [summary(stored, seats, digests) for stored, seats in found]
        return sorted(listed, key=_urgency)

    async def challenges(self) -> list[Challenge]:
        """The challenges that wait for the caller."""
        profile = await self.profile() if "profiles" in self.services.features else None
        return await challenges_to(self.storage, profile.id, now()) if profile else []

    async def open_tables(self) -> list[Summary]:
        """The tables that anyone may join; none while the operator has switched the list off, and none of people whom
        the caller has blocked, or who have blocked the caller."""
        if not await has_public_list(self.storage):
            return []
        apart = await apart_from(self.storage, self.key) if self.key else frozenset()
        listed = [stored for stored in await self.storage.with_open_seat() if stored.host not in apart]
        return [summary(stored, (), self.caller.digests) for stored in listed]

    async def games_to_watch(self) -> list[Summary]:
        """The running games that anyone may watch, with their spectators; only those at which people play."""
        if not await has_public_list(self.storage):
            return []
        listed = [summary(stored, (), self.caller.digests) for stored in await self.storage.watchable()]
        played = [table for table in listed if table.people][:MOST_TO_WATCH]
        counts = await self._spectators([table.id for table in played])
        return [structs.replace(table, watchers=counts[table.id]) for table in played]

    async def _spectators(self, ids: Sequence[str]) -> dict[str, int]:
        """The number of spectators of tables, at all processes."""
        here = {id: self.services.presences.here(id).watchers for id in ids}
        if self.services.remote is None or not ids:
            return here
        elsewhere = await present_elsewhere(self.storage, ids)
        return {id: count + sum(other.watchers for other in elsewhere[id]) for id, count in here.items()}


Context = NamedDependency[RequestContext]


def _urgency(table: Summary) -> tuple[bool, bool, bool]:
    """Sorts the tables that wait for a person before the running ones, and those before the others."""
    return not table.rematch_asked, table.over or table.closed, not (table.my_turn or table.awaited)


def check_seat(table: LiveTable, seat: int) -> None:
    if not 0 <= seat < len(table.facts.seats):
        raise Refused(404, "no-such-seat", phrase("There is no such seat at this table."))


def check_to_move(table: LiveTable, seat: int, version: int) -> None:
    if version != table.version:
        raise stale_version()
    if table.match.to_move != seat:
        raise Refused(409, "not-your-turn", phrase("It is not your turn."))


def viewer_for(table: LiveTable, rights: Rights, requested: int | None) -> int:
    """Return the viewer whose view a caller gets: one of their seats, or a spectator."""
    if requested is None:
        return table.choose_viewer(rights)[0]
    if requested != SPECTATOR and requested not in rights.seats:
        raise forbidden(phrase("You do not hold that seat."))
    return requested


def svg(text: str, caching: str) -> Response[str]:
    """An SVG response; `caching`: its `Cache-Control` header."""
    headers = {"Cache-Control": caching, "Content-Security-Policy": PICTURE_POLICY}
    return Response(text, media_type="image/svg+xml", headers=headers)


def backdrop_svg(game: Game, language: str) -> Response[str]:
    return svg(art_of(game, language).svg, CACHE_PRIVATE_FOREVER)


def backdrop_css(game: Game) -> Response[str]:
    return Response(art_of(game).css, media_type="text/css", headers={"Cache-Control": CACHE_PRIVATE_FOREVER})


def considered_ghost(match: Match, seat: int, action: int | None, reader: Reader) -> RenderedGhost:
    """The drawing of a move that a seat can play now."""
    if action is None or not path_to(match.choices(seat), action):
        raise Refused(422, "illegal-move", phrase("That move is not possible here."))
    render = study_renderer(match, seat, reader)
    return render_ghost(expected_ghost(match.possible_positions(seat, seed=0), action, seat), render)


class Refusal(Struct, frozen=True):
    """The rule that forbids what was picked; no reason if a legal move has it."""

    reason: str


def refused_picks(match: Match, seat: int, picks: Sequence[str], reader: Reader) -> Refusal:
    """The rule that forbids a seat to pick these steps together now."""
    if match.to_move != seat:
        raise Refused(409, "not-your-turn", phrase("It is not your turn."))
    reason = refusal(match.possible_positions(seat, seed=0)[0], picks)
    return Refusal(study_renderer(match, seat, reader)(reason) if reason else "")


async def play_on(context: RequestContext, match: Match, seat: int, kind: Kind) -> Response[Opened]:
    """Open a table at the present position of a match, against beginners."""
    context.limit("create")
    caller = await context.known_caller()
    opened = await context.services.opener.open_match(
        match, seat, BEGINNER, digest(caller.browser), kind, context.reader
    )
    return Response(opened, cookies=[caller.cookie()])

"""The application: its routes, its error handlers, and the services that it starts and stops."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from litestar import Litestar, Request, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.serialization import decode_json
from msgspec import Struct

import ludotheque
from ludotheque.bots.registry import TableBots
from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_names
from ludotheque.server.after.forgetting import Forgetter
from ludotheque.server.after.results import ResultLog
from ludotheque.server.after.reviewer import Reviewer
from ludotheque.server.after.studies import SECONDS, Studies
from ludotheque.server.bots.advice import Advisor
from ludotheque.server.bots.own import OwnBots
from ludotheque.server.bots.runner import BOT_TABLES_PER_ADDRESS, BotRunner, Thinkers
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused, internal_error, malformed, refusal, unavailable
from ludotheque.server.http.caller import caller_of, reader_of
from ludotheque.server.http.fair_share import FairShare
from ludotheque.server.http.limits import Limits
from ludotheque.server.http.metered import MeteredApp
from ludotheque.server.http.templates import page
from ludotheque.server.mail.emails import EmailWriter
from ludotheque.server.mail.smtp import read_smtp_url
from ludotheque.server.routes import lessons, moderation, moves, puzzles, reminders, tables
from ludotheque.server.routes.branches import branch, branches
from ludotheque.server.routes.context import Context, RequestContext, Services
from ludotheque.server.routes.dice import commit, draws, reveal, start
from ludotheque.server.routes.drafts import draft
from ludotheque.server.routes.games import game_picture, games, levels
from ludotheque.server.routes.installing import INSTALLING
from ludotheque.server.routes.pages import PAGES
from ludotheque.server.routes.recovery import new_recovery, recover, recovery_page
from ludotheque.server.routes.replay import replay
from ludotheque.server.routes.review import (
    review,
    review_page,
    review_progress,
    reviewed_line,
    reviewed_move,
    start_review,
)
from ludotheque.server.routes.socket import table_socket
from ludotheque.server.routes.statistics import statistics, statistics_page
from ludotheque.server.routes.summary import match_summary
from ludotheque.server.storage.database import STORAGE_ERRORS, Storage
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.ahead import AheadPlayer
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.dice import TableDice
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.moderation import Moderation
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.processes import Processes
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.reminders import Reminders
from ludotheque.server.tables.remote import RemoteEvents
from ludotheque.server.tables.views import ViewCache
from ludotheque.server.workers import LimitedWorkers

if TYPE_CHECKING:
    from ludotheque.server.metrics import Metrics

BODY_BYTES: Final = 65_536
DATABASE_SECONDS: Final = 3.0
"""Seconds in which a database that is ready responds."""
_NOT_COMPRESSED: Final = [
    r"^/api/(?!games)(?!tables/[^/]+/(backdrop|picture))",
    "^/t/[^/]+/review",
    "^/health",
    "^/ready",
]
"""Responses that may hold secrets beside text of other people: compression would reveal secrets by their size."""
_LOG: Final = logging.getLogger("ludotheque.server")

AnyRequest = Request[Any, Any, Any]


class StrictRequest(AnyRequest):
    """A request whose body is decoded strictly: a number in quotation marks is not a number."""

    async def json(self) -> Any:
        wanted = self.route_handler.parsed_data_field
        try:
            return decode_json(await self.body(), target_type=wanted.annotation if wanted else object)
        except RecursionError as error:
            raise Refused(400, "malformed", phrase("That is nested too deeply.")) from error
        except UnicodeDecodeError as error:
            raise malformed("The body is not valid UTF-8.") from error


class BotsHealth(Struct, frozen=True):
    running: int
    waiting: int


class Health(Struct, frozen=True):
    """The state of the server."""

    status: str
    version: str
    games: list[str]
    tables: int
    sockets: int
    bots: BotsHealth


@get("/health")
async def health(context: Context) -> Health:
    """Whether the process is alive, and how busy it is."""
    services = context.services
    bots = BotsHealth(services.thinkers.running, services.thinkers.waiting)
    return Health("ok", ludotheque.__version__, game_names(), len(services.live_tables), len(services.presences), bots)


class Ready(Struct, frozen=True):
    """Whether the server can be used."""

    ready: bool
    database: bool
    listener: bool
    """Whether events of other processes arrive; true where there are none."""


@get("/ready", responses={503: ResponseSpec(Ready, description="Not now.", generate_examples=False)})
async def ready(context: Context) -> Response[Ready]:
    """Whether the server can be used now: a proxy sends nobody here while it answers 503."""
    remote = context.services.remote
    database, listener = await _responds(context.storage), remote is None or remote.is_listening
    found = Ready(database and listener, database, listener)
    return Response(found, status_code=200 if found.ready else 503, headers={"Cache-Control": "no-store"})


async def _responds(storage: Storage) -> bool:
    try:
        await asyncio.wait_for(storage.ping(), DATABASE_SECONDS)
    except STORAGE_ERRORS as error:
        _LOG.warning("the database does not respond: %s", type(error).__name__)
        return False
    return True


@get("/metrics", include_in_schema=False)
async def metrics_text(context: Context) -> Response[bytes]:
    """The figures of this process for Prometheus; not for visitors, so a proxy hides them."""
    found = context.services.metrics
    if found is None:
        raise Refused(404, "not-found", phrase("This server has no metrics: prometheus-client is not installed."))
    return Response(found.text(), headers={"Content-Type": found.content_type, "Cache-Control": "no-store"})


# Errors.


def _error_response(request: AnyRequest, refused: Refused) -> Response[Any]:
    """An error as a page for people, or as JSON for programs."""
    headers = {"Retry-After": str(refused.retry_after)} if refused.retry_after else {}
    path = request.url.path
    if request.method == "GET" and not path.startswith(("/api/", "/static/", "/health", "/ready", "/metrics")):
        words = {"status": refused.status, "sentence": refused.body(reader_of(request)).sentence}
        return page("error.html", reader_of(request), refused.status, **words)
    return Response(
        refused.body(reader_of(request)), status_code=refused.status, media_type="application/json", headers=headers
    )


def _refused(request: AnyRequest, error: Refused) -> Response[Any]:
    return _error_response(request, error)


def _game_error(request: AnyRequest, error: LudothequeError) -> Response[Any]:
    return _error_response(request, refusal(error))


_HTTP_ERRORS: Final = {
    404: ("not-found", phrase("There is nothing here.")),
    405: ("not-found", phrase("There is nothing here.")),
    413: ("too-large", phrase("That is too large.")),
    415: ("unsupported-type", phrase("The body must be application/json.")),
}


def _http_error(request: AnyRequest, error: HTTPException) -> Response[Any]:
    if isinstance(error, ValidationException):
        return _error_response(request, malformed(_first_error(error)))
    if error.status_code >= 500:
        return _internal_error(request, error)
    if error.status_code == 400:
        return _error_response(request, malformed(error.detail))
    name, sentence = _HTTP_ERRORS.get(error.status_code, ("malformed", phrase("That request is not possible.")))
    return _error_response(request, Refused(error.status_code, name, sentence))


def _first_error(error: ValidationException) -> str:
    """Describe the first field that is wrong."""
    extra = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    key, message = str(extra.get("key", "")), str(extra.get("message", "")) or error.detail
    return f"{key}: {message}" if key else message


def _unavailable(request: AnyRequest, error: Exception) -> Response[Any]:
    _LOG.error("the database failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _error_response(request, unavailable())


def _internal_error(request: AnyRequest, error: Exception) -> Response[Any]:
    _LOG.error("a request failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _error_response(request, internal_error())


# Routes.

API: Final = Router(
    path="/api",
    route_handlers=[
        games, game_picture, levels, statistics,
        tables.new_table, tables.new_record, tables.open_tables, tables.my_tables,
        tables.join, tables.invitation, tables.sit, tables.new_link, tables.end_spectator_links, tables.leave,
        tables.rematch,
        tables.table_view, tables.backdrop, tables.backdrop_styles, tables.table_picture, tables.record,
        tables.move, tables.undo, tables.answer_undo, tables.rename, tables.pace, tables.replace_bot,
        tables.stand_in, tables.chat,
        moves.hint, moves.preview, moves.played, moves.decide_ahead, draft,
        new_recovery, recover,
        reminders.reminder, reminders.set_reminder, reminders.confirm_reminder,
        branch, branches, draws, commit, reveal, start, match_summary, replay,
        start_review, review, review_progress, reviewed_move, reviewed_line,
        moderation.enter, moderation.free_seat, moderation.mute, moderation.set_password, moderation.close,
        moderation.operator_tables, moderation.operator_close, moderation.operator_settings,
        lessons.lesson_step, lessons.lesson_backdrop, lessons.lesson_styles, lessons.lesson_play,
        puzzles.puzzle_board, puzzles.puzzle_try, puzzles.puzzle_backdrop, puzzles.puzzle_styles, puzzles.puzzle_play,
    ],
)  # fmt: skip

LEARNING: Final = (lessons.lesson_page, puzzles.puzzles_page, puzzles.puzzle_today, puzzles.puzzle_page)
"""The pages of lessons and puzzles."""


# Services.


def new_services(settings: Settings, storage: Storage, metrics: Metrics | None) -> Services:
    """The parts of a server. Those that react to changes subscribe to the events in their constructors."""
    events = TableEvents(storage.process)
    live_tables = LiveTables(storage, settings.tables_in_memory)
    views = ViewCache()
    actions = TableActions(live_tables, events, metrics.count_move if metrics else None)
    thinkers = Thinkers(settings.workers)
    bot_tables = BOT_TABLES_PER_ADDRESS if settings.limits else sys.maxsize
    readers = LimitedWorkers(2, settings.reading_seconds)
    students = LimitedWorkers(1, SECONDS)
    presences = Presences(live_tables, views, events)
    bots = TableBots(settings.bots)
    own = OwnBots(bots, settings.bot_clock, settings.workers)
    runner = BotRunner(live_tables, thinkers, own, events, actions.move, presences.watched_from, bot_tables)
    remote = RemoteEvents(settings, live_tables, events) if settings.channels == "postgres" else None
    return Services(
        events=events,
        live_tables=live_tables,
        views=views,
        opener=TableOpener(live_tables, events, UntrustedReader(readers), bots),
        actions=actions,
        dice=TableDice(live_tables, events, actions),
        moderation=Moderation(actions, events),
        operator_token=settings.operator_token,
        presences=presences,
        limits=Limits(settings.limits),
        thinkers=thinkers,
        advisor=Advisor(thinkers.hints),
        runner=runner,
        results=ResultLog(live_tables, events),
        reviewer=Reviewer(live_tables, bots, settings.bot_clock),
        readers=readers,
        bots=bots,
        own_bots=own,
        students=students,
        studies=Studies(students),
        metrics=metrics,
        remote=remote,
        forgetter=Forgetter(live_tables, settings.forget_after),
        ahead=AheadPlayer(live_tables, events, actions.move),
        reminders=_new_reminders(settings, storage, presences, events),
    )


def _new_reminders(settings: Settings, storage: Storage, presences: Presences, events: TableEvents) -> Reminders | None:
    """Reminders by e-mail, where there is a mail server."""
    if not settings.smtp_url:
        return None
    sender = settings.mail_from or f"ludotheque@{urlsplit(settings.public_url).hostname}"
    writer = EmailWriter(settings.public_url, sender)
    send = read_smtp_url(settings.smtp_url).send
    return Reminders(storage, presences, events, writer, send, settings.remind_after)


@asynccontextmanager
async def running(services: Services) -> AsyncIterator[None]:
    """Start the services, and stop them in the end."""
    processes = _new_processes(services)
    if services.remote and processes:
        await services.remote.start()
        await processes.start()
    else:
        await services.runner.resume()
    await services.ahead.resume()
    services.reviewer.resume()
    services.results.catch_up()
    services.forgetter.start()
    if services.reminders:
        services.reminders.start()
    tune_gc()
    _LOG.info("ready", extra={"games": game_names()})
    try:
        yield
    finally:
        services.presences.close_all()
        await services.runner.stop()
        await services.ahead.stop()
        await services.dice.stop()
        await services.actions.finish()
        if processes:
            await processes.stop()
        await services.forgetter.stop()
        if services.reminders:
            await services.reminders.stop()
        await services.reviewer.stop()
        await services.results.stop()
        await services.thinkers.stop()
        await services.own_bots.stop()
        await services.readers.stop()
        await services.students.stop()
        if services.remote:
            await services.remote.stop()


def _new_processes(services: Services) -> Processes | None:
    """The other processes, where there may be any."""
    if services.remote is None:
        return None
    storage, events = services.live_tables.storage, services.events
    return Processes(storage, services.remote, services.presences, events, partial(take_over, services))


async def take_over(services: Services, tables: Collection[str]) -> None:
    """Do what another process left undone at these tables."""
    await services.runner.resume(tables)
    await services.ahead.resume(tables)


def _new_metrics() -> Metrics | None:
    """The figures for Prometheus, where its library is installed."""
    if find_spec("prometheus_client") is None:
        return None
    from ludotheque.server.metrics import Metrics

    return Metrics()


def _watch(metrics: Metrics, services: Services) -> None:
    """Report the state of the services."""
    metrics.watch("tables", "Tables in memory.", lambda: len(services.live_tables))
    metrics.watch("sockets", "Open sockets.", lambda: len(services.presences))
    metrics.watch("searches_waiting", "Bots that wait for a free worker.", lambda: services.thinkers.waiting)
    metrics.watch("searches_running", "Bots that think.", lambda: services.thinkers.running)
    remote = services.remote
    if remote:
        metrics.watch("listener_up", "Whether events of other processes arrive.", lambda: int(remote.is_listening))
        metrics.watch("listener_losses", "How often the listener was lost.", lambda: remote.losses)


def tune_gc() -> None:
    """Collect cyclic garbage seldom: views make many small values and hardly any cycles, and with a thousand sockets
    open each collection takes longer than the move that caused it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def create_app(settings: Settings) -> Litestar:
    """Create the application."""
    metrics = _new_metrics()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        storage = Storage(settings)
        await storage.open()
        try:
            app.state.services = new_services(settings, storage, metrics)
            if metrics:
                _watch(metrics, app.state.services)
            async with running(app.state.services):
                yield
        finally:
            await storage.close()
            _LOG.info("stopped")

    def context(request: AnyRequest) -> RequestContext:
        found = RequestContext(app.state.services, caller_of(request), reader_of(request))
        found.limit("any")
        found.services.limits.check_time(found.caller.address)
        return found

    app = Litestar(
        route_handlers=[
            API,
            health,
            ready,
            metrics_text,
            table_socket,
            *PAGES,
            *INSTALLING,
            *LEARNING,
            statistics_page,
            recovery_page,
            *reminders.PAGES,
            review_page,
            moderation.operator_page,
        ],
        lifespan=[lifespan],
        request_class=StrictRequest,
        middleware=[*([DefineMiddleware(MeteredApp, metrics=metrics)] if metrics else []), FairShare],
        dependencies={"context": Provide(context, sync_to_thread=False)},
        exception_handlers={
            Refused: _refused,
            LudothequeError: _game_error,
            HTTPException: _http_error,
            **dict.fromkeys(STORAGE_ERRORS, _unavailable),
            Exception: _internal_error,
        },
        openapi_config=OpenAPIConfig(
            title="Ludotheque",
            version=ludotheque.__version__,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        compression_config=CompressionConfig(backend="gzip", minimum_size=1024, exclude=_NOT_COMPRESSED),
        request_max_body_size=BODY_BYTES,
        logging_config=None,
        debug=False,
    )
    return app

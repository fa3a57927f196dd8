"""The application: all services of the server, joined."""

from __future__ import annotations

import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Final

from litestar import Litestar, Request, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.serialization import decode_json
from msgspec import Struct
from sqlalchemy.exc import DBAPIError

import ludotheque
from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_names
from ludotheque.server.after.results import ResultLog
from ludotheque.server.after.reviewer import Reviewer
from ludotheque.server.bots.runner import BotRunner, Thinkers
from ludotheque.server.config import Settings
from ludotheque.server.errors import Refused, internal_error, malformed, refusal, unavailable
from ludotheque.server.http.caller import caller_of, reader_of
from ludotheque.server.http.limits import Limits
from ludotheque.server.routes.branches import branch, branches
from ludotheque.server.routes.context import RequestContext, Services
from ludotheque.server.routes.dice import draws
from ludotheque.server.routes.handlers import Context
from ludotheque.server.routes.pages import PAGES, page
from ludotheque.server.routes.replay import replay
from ludotheque.server.routes.review import review, review_page, review_progress, start_review
from ludotheque.server.routes.socket import table_socket
from ludotheque.server.routes.statistics import statistics, statistics_page
from ludotheque.server.routes.summary import table_summary
from ludotheque.server.routes.tables import API
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.events import TableEvents, channels_plugin
from ludotheque.server.tables.live import LiveTable, LiveTables
from ludotheque.server.tables.presence import Presences

BODY_BYTES: Final = 65_536
_NOT_COMPRESSED: Final = [r"^/api/(?!games)(?!tables/[^/]+/(backdrop|picture))", "^/t/[^/]+/review", "^/health"]
"""Answers that may hold secrets beside what somebody else wrote: their size must tell nothing."""
_LOG: Final = logging.getLogger("ludotheque.server")

AnyRequest = Request[Any, Any, Any]


class StrictRequest(AnyRequest):
    """A request whose body is read as exactly what its handler takes: a number in quotation marks is no number."""

    async def json(self) -> Any:
        wanted = self.route_handler.parsed_data_field
        try:
            return decode_json(await self.body(), target_type=wanted.annotation if wanted else object)
        except RecursionError as error:
            raise Refused(400, "malformed", phrase("That is nested too deeply.")) from error


class BotsHealth(Struct, frozen=True):
    running: int
    waiting: int


class Health(Struct, frozen=True):
    """Whether all is well."""

    status: str
    version: str
    games: list[str]
    tables: int
    sockets: int
    bots: BotsHealth


@get("/health")
async def health(context: Context) -> Health:
    """Whether all is well, the database included."""
    await context.storage.ping()
    services = context.services
    bots = BotsHealth(services.thinkers.running, services.thinkers.waiting)
    return Health("ok", ludotheque.__version__, game_names(), len(services.live_tables), len(services.presences), bots)


# Errors.


def _told(request: AnyRequest, refused: Refused) -> Response[Any]:
    """An error as its reader wants it: a page for people, JSON for everything else."""
    headers = {"Retry-After": str(refused.retry_after)} if refused.retry_after else {}
    path = request.url.path
    if request.method == "GET" and not path.startswith(("/api/", "/static/", "/health")):
        words = {"status": refused.status, "sentence": refused.body(reader_of(request)).sentence}
        return page("error.html", reader_of(request), refused.status, **words)
    return Response(
        refused.body(reader_of(request)), status_code=refused.status, media_type="application/json", headers=headers
    )


def _refused(request: AnyRequest, error: Refused) -> Response[Any]:
    return _told(request, error)


def _players_error(request: AnyRequest, error: LudothequeError) -> Response[Any]:
    return _told(request, refusal(error))


_HTTP_ERRORS: Final = {
    404: ("not-found", phrase("There is nothing here.")),
    405: ("not-found", phrase("There is nothing here.")),
    413: ("too-large", phrase("That is too large.")),
    415: ("unsupported-type", phrase("The body must be application/json.")),
}


def _http_error(request: AnyRequest, error: HTTPException) -> Response[Any]:
    if isinstance(error, ValidationException):
        return _told(request, malformed(_what_is_wrong(error)))
    if error.status_code >= 500:
        return _internal_error(request, error)
    if error.status_code == 400:
        return _told(request, malformed(error.detail))
    name, sentence = _HTTP_ERRORS.get(error.status_code, ("malformed", phrase("That cannot be.")))
    return _told(request, Refused(error.status_code, name, sentence))


def _what_is_wrong(error: ValidationException) -> str:
    """About the first field that is wrong."""
    extra = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    key, message = str(extra.get("key", "")), str(extra.get("message", "")) or error.detail
    return f"{key}: {message}" if key else message


def _unavailable(request: AnyRequest, error: DBAPIError) -> Response[Any]:
    _LOG.error("the database failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _told(request, unavailable())


def _internal_error(request: AnyRequest, error: Exception) -> Response[Any]:
    _LOG.error("a request failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _told(request, internal_error())


# The whole.

AFTER: Final = Router(
    path="/api",
    route_handlers=[branch, branches, draws, statistics, table_summary, start_review, review, review_progress, replay],
)
"""What one may ask for when a game is over."""


def tune_gc() -> None:
    """Look for garbage in cycles seldom: drawings make many small values and hardly any cycles, and with a thousand
    sockets open each look takes longer than the move that caused it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def create_app(settings: Settings) -> Litestar:
    """The application, as set up."""
    storage = Storage(settings)
    live_tables = LiveTables(storage, settings.tables_in_memory)
    channels = channels_plugin(settings)
    news = TableEvents(channels, live_tables)
    presences = Presences(live_tables)
    actions = TableActions(live_tables, news)
    limits = Limits(settings.limits)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        async with channels or nullcontext():
            await storage.open()
            thinkers = Thinkers(settings.workers)
            runner = BotRunner(live_tables, thinkers, actions.move, presences.show_seats)
            results = ResultLog(live_tables)
            reviewer = Reviewer(live_tables)

            def changed(table: LiveTable) -> None:
                runner.wake(table)
                results.record(table)

            app.state.services = Services(live_tables, actions, presences, limits, thinkers, runner, results, reviewer)
            news.heard, actions.changed = presences.hear, changed
            await news.start()
            await runner.resume()
            await reviewer.resume()
            results.catch_up()
            tune_gc()
            _LOG.info("ready", extra={"games": game_names()})
            try:
                yield
            finally:
                presences.close_all()
                await runner.stop()
                await reviewer.stop()
                await results.stop()
                await thinkers.stop()
                await news.stop()
                await storage.close()
                _LOG.info("stopped")

    def context(request: AnyRequest) -> RequestContext:
        at = RequestContext(app.state.services, caller_of(request), reader_of(request))
        at.limit("any")
        return at

    app = Litestar(
        route_handlers=[API, AFTER, health, table_socket, *PAGES, statistics_page, review_page],
        lifespan=[running],
        request_class=StrictRequest,
        dependencies={"context": Provide(context, sync_to_thread=False)},
        exception_handlers={
            Refused: _refused,
            LudothequeError: _players_error,
            HTTPException: _http_error,
            DBAPIError: _unavailable,
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

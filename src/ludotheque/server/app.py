"""The application: all rooms of the server, joined."""

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
from ludotheque.core.registry import game_names
from ludotheque.core.words import say
from ludotheque.server.acting import Acting
from ludotheque.server.api import API, Here
from ludotheque.server.bots import BotRunner, Thinkers
from ludotheque.server.caller import caller_of, reader_of
from ludotheque.server.chronicle import Chronicle
from ludotheque.server.config import Settings
from ludotheque.server.desk import Desk, Rooms
from ludotheque.server.draws import draws
from ludotheque.server.errors import Refused, malformed, our_fault, refusal, unavailable
from ludotheque.server.house import House, LiveTable
from ludotheque.server.limits import Limits
from ludotheque.server.news import Newsroom, channels_plugin
from ludotheque.server.pages import PAGES, page
from ludotheque.server.replays import replay
from ludotheque.server.reviewing import Reviewer
from ludotheque.server.reviews import review, review_page, review_progress, start_review
from ludotheque.server.sides import branch, branches
from ludotheque.server.sockets import Presences, table_socket
from ludotheque.server.statistics import statistics, statistics_page
from ludotheque.server.storage import Storage
from ludotheque.server.stories import table_story

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
            raise Refused(400, "malformed", say("That is nested too deeply.")) from error


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
async def health(desk: Here) -> Health:
    """Whether all is well, the database included."""
    await desk.storage.ping()
    rooms = desk.rooms
    bots = BotsHealth(rooms.thinkers.running, rooms.thinkers.waiting)
    return Health("ok", ludotheque.__version__, game_names(), len(rooms.house), len(rooms.presences), bots)


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
    404: ("not-found", say("There is nothing here.")),
    405: ("not-found", say("There is nothing here.")),
    413: ("too-large", say("That is too large.")),
    415: ("unsupported-type", say("The body must be application/json.")),
}


def _http_error(request: AnyRequest, error: HTTPException) -> Response[Any]:
    if isinstance(error, ValidationException):
        return _told(request, malformed(_what_is_wrong(error)))
    if error.status_code >= 500:
        return _our_fault(request, error)
    if error.status_code == 400:
        return _told(request, malformed(error.detail))
    name, sentence = _HTTP_ERRORS.get(error.status_code, ("malformed", say("That cannot be.")))
    return _told(request, Refused(error.status_code, name, sentence))


def _what_is_wrong(error: ValidationException) -> str:
    """About the first field that is wrong."""
    extra = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    key, message = str(extra.get("key", "")), str(extra.get("message", "")) or error.detail
    return f"{key}: {message}" if key else message


def _unavailable(request: AnyRequest, error: DBAPIError) -> Response[Any]:
    _LOG.error("the database failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _told(request, unavailable())


def _our_fault(request: AnyRequest, error: Exception) -> Response[Any]:
    _LOG.error("a request failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _told(request, our_fault())


# The whole.

AFTER: Final = Router(
    path="/api",
    route_handlers=[branch, branches, draws, statistics, table_story, start_review, review, review_progress, replay],
)
"""What one may ask for when a game is over."""


def calm_the_collector() -> None:
    """Look for garbage in cycles seldom: drawings make many small values and hardly any cycles, and with a thousand
    sockets open each look takes longer than the move that caused it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def create_app(settings: Settings) -> Litestar:
    """The application, as set up."""
    storage = Storage(settings)
    house = House(storage, settings.tables_in_memory)
    channels = channels_plugin(settings)
    news = Newsroom(channels, house)
    presences = Presences(house)
    acting = Acting(house, news)
    limits = Limits(settings.limits)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        async with channels or nullcontext():
            await storage.open()
            thinkers = Thinkers(settings.workers)
            runner = BotRunner(house, thinkers, acting.move, presences.show_seats)
            chronicle = Chronicle(house)
            reviewer = Reviewer(house)

            def changed(table: LiveTable) -> None:
                runner.wake(table)
                chronicle.note(table)

            app.state.rooms = Rooms(house, acting, presences, limits, thinkers, runner, chronicle, reviewer)
            news.heard, acting.changed = presences.hear, changed
            await news.start()
            await runner.resume()
            await reviewer.resume()
            chronicle.catch_up()
            calm_the_collector()
            _LOG.info("ready", extra={"games": game_names()})
            try:
                yield
            finally:
                presences.close_all()
                await runner.stop()
                await reviewer.stop()
                await chronicle.stop()
                await thinkers.stop()
                await news.stop()
                await storage.close()
                _LOG.info("stopped")

    def desk(request: AnyRequest) -> Desk:
        at = Desk(app.state.rooms, caller_of(request), reader_of(request))
        at.limit("any")
        return at

    app = Litestar(
        route_handlers=[API, AFTER, health, table_socket, *PAGES, statistics_page, review_page],
        lifespan=[running],
        request_class=StrictRequest,
        dependencies={"desk": Provide(desk, sync_to_thread=False)},
        exception_handlers={
            Refused: _refused,
            LudothequeError: _players_error,
            HTTPException: _http_error,
            DBAPIError: _unavailable,
            Exception: _our_fault,
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

"""The application: its routes, its error handlers, and the services that it starts and stops."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from litestar import Litestar, Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.middleware import DefineMiddleware
from litestar.serialization import decode_json

from ludotheque.server.config import Settings
from ludotheque.server.errors import malformed
from ludotheque.server.http.bodies import check_depth
from ludotheque.server.http.caller import caller_of, reader_of
from ludotheque.server.http.metered import MeteredApp
from ludotheque.server.http.spending import SPENDER
from ludotheque.server.routes import (
    clubs,
    lessons,
    moderation,
    moves,
    pairing,
    passkeys,
    people,
    profile,
    push,
    puzzles,
    ratings,
    reminders,
    reports,
    table_commands,
    tables,
    tournaments,
)
from ludotheque.server.routes.branches import branch, branches
from ludotheque.server.routes.context import RequestContext
from ludotheque.server.routes.dice import draws
from ludotheque.server.routes.drafts import draft
from ludotheque.server.routes.failures import EXCEPTION_HANDLERS, AnyRequest
from ludotheque.server.routes.games import game_cover, game_picture, game_preview, games, levels
from ludotheque.server.routes.health import health, metrics_text, ready
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
from ludotheque.server.routes.schema import openapi_config
from ludotheque.server.routes.socket import table_socket
from ludotheque.server.routes.statistics import statistics, statistics_page
from ludotheque.server.routes.summary import match_summary
from ludotheque.server.routes.web_app import WEB_APP
from ludotheque.server.services import new_services, running, watch
from ludotheque.server.storage.database import Storage

if TYPE_CHECKING:
    from ludotheque.server.metrics import Metrics

BODY_BYTES: Final = 65_536
_NOT_COMPRESSED: Final = [
    r"^/api/(?!games)(?!tables/[^/]+/(backdrop|picture))(?!(puzzles|lessons)/[^/]+/[^/]+/(backdrop|picture))",
    "^/t/[^/]+/review",
    "^/health",
    "^/ready",
]
"""Responses that may hold secrets beside text of other people: compression would reveal secrets by their size.
Static files are compressed already."""
_LOG: Final = logging.getLogger("ludotheque.server")


class StrictRequest(AnyRequest):
    """A request whose body is decoded strictly: a number in quotation marks is not a number."""

    async def json(self) -> Any:
        wanted = self.route_handler.parsed_data_field
        check_depth(await self.body())
        try:
            return decode_json(await self.body(), target_type=wanted.annotation if wanted else object)
        except UnicodeDecodeError as error:
            raise malformed("The body is not valid UTF-8.") from error


API: Final = Router(
    path="/api",
    route_handlers=[
        games, game_picture, game_cover, game_preview, levels, statistics,
        tables.new_table, tables.new_record, tables.open_tables, tables.games_to_watch, tables.my_tables,
        tables.join, tables.invitation, tables.decline, tables.sit, tables.new_link, tables.leave,
        tables.rematch,
        tables.table_view, tables.backdrop, tables.backdrop_styles, tables.table_picture, tables.record,
        *table_commands.HANDLERS,
        moves.hint, moves.preview, moves.overlay, moves.why_not, moves.played, draft,
        new_recovery, recover,
        *profile.API, *people.API, *pairing.API, *ratings.API, *tournaments.API, *clubs.API,
        *passkeys.API, *push.API, *reports.API,
        reminders.reminder, reminders.set_reminder, reminders.confirm_reminder,
        branch, branches, draws, match_summary, replay,
        start_review, review, review_progress, reviewed_move, reviewed_line,
        moderation.enter, moderation.operator_tables, moderation.operator_close, moderation.operator_settings,
        lessons.lesson_step, lessons.lesson_preview, lessons.lesson_why_not, lessons.lesson_backdrop,
        lessons.lesson_styles, lessons.lesson_play,
        puzzles.puzzle_board, puzzles.puzzle_try, puzzles.puzzle_preview, puzzles.puzzle_why_not,
        puzzles.puzzle_backdrop, puzzles.puzzle_styles, puzzles.puzzle_play, puzzles.puzzle_entries,
        puzzles.puzzle_picture, puzzles.my_solving, puzzles.join_my_solving,
    ],
)  # fmt: skip

LEARNING: Final = (
    lessons.lesson_page,
    puzzles.puzzles_page,
    puzzles.puzzle_today,
    puzzles.puzzle_page,
    puzzles.puzzle_list,
    puzzles.puzzle_rush,
)
"""The pages of lessons and puzzles."""


def _new_metrics() -> Metrics | None:
    """The figures for Prometheus, where its library is installed."""
    if find_spec("prometheus_client") is None:
        return None
    from ludotheque.server.metrics import Metrics

    return Metrics()


def create_app(settings: Settings) -> Litestar:
    """Create the application. It reads `state.settings` when it starts; its routes are the same for all settings."""
    metrics = _new_metrics()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        settings: Settings = app.state.settings
        storage = Storage(settings, SPENDER.get)
        await storage.open()
        try:
            app.state.services = new_services(settings, storage, metrics)
            if metrics:
                watch(metrics, app.state.services)
            async with running(app.state.services):
                yield
        finally:
            await storage.close()
            _LOG.info("stopped")

    def context(request: AnyRequest) -> RequestContext:
        origin = (app.state.settings.public_url or str(request.base_url)).rstrip("/")
        return RequestContext(app.state.services, caller_of(request), reader_of(request), origin)

    app = Litestar(
        route_handlers=[
            API,
            health,
            ready,
            metrics_text,
            table_socket,
            *PAGES,
            *WEB_APP,
            *LEARNING,
            statistics_page,
            recovery_page,
            *reminders.PAGES,
            *profile.PAGES,
            *pairing.PAGES,
            *ratings.PAGES,
            *tournaments.PAGES,
            *clubs.PAGES,
            review_page,
            moderation.operator_page,
        ],
        lifespan=[lifespan],
        state=State({"settings": settings}),
        request_class=StrictRequest,
        middleware=[DefineMiddleware(MeteredApp, metrics=metrics)] if metrics else [],
        dependencies={"context": Provide(context, sync_to_thread=False)},
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=openapi_config(),
        compression_config=CompressionConfig(
            backend="gzip", gzip_compress_level=6, minimum_size=1024, exclude=[*_NOT_COMPRESSED, "^/static/"]
        ),
        request_max_body_size=BODY_BYTES,
        logging_config=None,
        debug=False,
    )
    return app

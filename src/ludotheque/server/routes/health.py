"""Endpoints for operators and proxies: whether the server is alive, ready, and how busy."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

import ludotheque
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_names
from ludotheque.server.errors import Refused
from ludotheque.server.routes.context import Context
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.failures import STORAGE_ERRORS

DATABASE_SECONDS: Final = 3.0
"""Seconds in which a database that is ready responds."""
_LOG: Final = logging.getLogger("ludotheque.server")


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
    bots = BotsHealth(services.bot_workers.running, services.bot_workers.waiting)
    return Health("ok", ludotheque.__version__, game_names(), len(services.live_tables), len(services.presences), bots)


class Readiness(Struct, frozen=True):
    """Whether the server can be used."""

    ready: bool
    database: bool
    listener: bool
    """Whether events of other processes arrive; true where there are none."""


@get("/ready", responses={503: ResponseSpec(Readiness, description="Not now.", generate_examples=False)})
async def ready(context: Context) -> Response[Readiness]:
    """Whether the server can be used now: a proxy sends no one here while it answers 503."""
    remote = context.services.remote
    # Asked once a second at most: anyone may ask without limit, and the answer takes the place of a change.
    database = await context.services.shared.get(int(time.monotonic()), lambda: _responds(context.storage))
    listener = remote is None or remote.is_listening
    found = Readiness(database and listener, database, listener)
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

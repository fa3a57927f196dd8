"""Runs a server until it is told to stop."""

from __future__ import annotations

import asyncio

import uvicorn

from ludotheque.server.app import create_app
from ludotheque.server.config import Settings
from ludotheque.server.guard import Guard
from ludotheque.server.logs import configure_logs
from ludotheque.server.sockets import MESSAGE_BYTES
from ludotheque.server.storage import Storage

GRACE = 10
"""Seconds that open requests and sockets get to finish."""


def uvicorn_config(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        Guard(create_app(settings)),
        host=settings.host,
        port=settings.port,
        ws="websockets-sansio",
        ws_max_size=MESSAGE_BYTES,
        # Messages are small; compressing each costs more than it saves.
        ws_per_message_deflate=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=GRACE,
    )


def serve(settings: Settings) -> None:
    """Serve until Ctrl-C or a polite signal; open moves are finished first."""
    configure_logs()
    uvicorn.Server(uvicorn_config(settings)).run()


def prepare(settings: Settings) -> None:
    """Open the database once before all else: whoever starts a server is told in a sentence why it cannot be."""
    asyncio.run(_open_and_close(settings))


async def _open_and_close(settings: Settings) -> None:
    storage = Storage(settings)
    try:
        await storage.open()
    finally:
        await storage.close()

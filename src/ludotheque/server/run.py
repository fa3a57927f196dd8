"""Run a server until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import socket
import sqlite3
import sys

import uvicorn
from litestar import Litestar
from litestar.concurrency import set_asyncio_executor
from sqlalchemy.exc import SQLAlchemyError

from ludotheque.core.errors import BadOption
from ludotheque.server.commands import MESSAGE_BYTES
from ludotheque.server.config import Settings
from ludotheque.server.http.connection import (
    CONNECTIONS_PER_ADDRESS,
    OpenConnections,
    counted_socket,
    timed_connection,
)
from ludotheque.server.http.fair_share import FairShare, MeasuredThread
from ludotheque.server.http.guard import Guard, allowed_hosts
from ludotheque.server.logs import configure_logs
from ludotheque.server.mail.addresses import is_address
from ludotheque.server.mail.smtp import read_smtp_url
from ludotheque.server.routes.failures import send_refusal
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.failures import why_failed

BACKLOG = 65_535
"""Connections that may wait to be accepted: as many as the system allows. After a restart thousands come at once; those
for which there is no room are cut by the system after some seconds."""
FEW_FILES = 8192
"""Fewer open files than this are few for a server with many visitors."""
MACOS_FILES = 10_240
"""Open files to ask for where the system names no limit: macOS refuses to be asked for more (`man setrlimit`)."""
LOOP_WAIT_SECONDS = 0.0005
"""Seconds for which the event loop waits for the thread of the routes each time that both want to run. Python's own
5 ms add up to 40 ms for a move."""
_LOG = logging.getLogger("ludotheque.server")


def uvicorn_config(app: Litestar, settings: Settings) -> uvicorn.Config:
    counted = OpenConnections(CONNECTIONS_PER_ADDRESS if settings.limits else sys.maxsize, settings.trusted_proxies)
    return uvicorn.Config(
        Guard(FairShare(app, send_refusal), allowed_hosts(settings.host, settings.public_url), settings.body_seconds),
        http=timed_connection(settings.header_seconds, settings.unread_response_seconds, counted),
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[*settings.trusted_proxies],
        ws=counted_socket(counted),
        ws_max_size=MESSAGE_BYTES,
        # Messages are small; compressing each costs more than it saves.
        ws_per_message_deflate=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=settings.stop_seconds,
    )


def listen(host: str, port: int) -> socket.socket:
    """Bind a port; 0 for any free one. Clients that connect now wait until the server runs."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise BadOption(f"The server cannot listen: {error.strerror}; name another --host or --port.") from error


def check_database(settings: Settings) -> None:
    """Open the database once; `BadOption` with the reason if that fails."""
    try:
        asyncio.run(_open_and_close(settings))
    except (ImportError, OSError, SQLAlchemyError, sqlite3.Error) as error:
        which = "named by --database" if settings.database else f"in {str(settings.data)!r}"
        raise BadOption(f"The database {which} cannot be opened: {why_failed(error)}.") from error


def check_mail(settings: Settings) -> None:
    """Raise `BadOption` if no reminder could be sent with these settings."""
    if not settings.smtp_url:
        return
    read_smtp_url(settings.smtp_url)
    if not settings.public_url.startswith(("http://", "https://")):
        raise BadOption("--smtp-url needs --public-url, the address of the links in reminders.")
    if settings.mail_from and not is_address(settings.mail_from):
        raise BadOption("--mail-from must be an e-mail address.")


async def _open_and_close(settings: Settings) -> None:
    storage = Storage(settings)
    try:
        await storage.open()
    finally:
        await storage.close()


def raise_open_files() -> None:
    """Allow as many open files, and so connections, as the system lets this process have; warn if they are few."""
    if sys.platform == "win32":
        return  # Windows has no such limit
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MACOS_FILES if hard == resource.RLIM_INFINITY else hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    if files < FEW_FILES:
        _LOG.warning("this process may hold only %d files and connections open (before: %d)", files, soft)


def serve(app: Litestar, listener: socket.socket, settings: Settings, log_as_lines: bool = False) -> None:
    """Serve until Ctrl-C or SIGTERM; moves under way are finished first. Logs are JSON unless `log_as_lines`."""
    configure_logs(log_as_lines)
    raise_open_files()
    set_asyncio_executor(MeasuredThread())
    sys.setswitchinterval(LOOP_WAIT_SECONDS)
    uvicorn.Server(uvicorn_config(app, settings)).run(sockets=[listener])

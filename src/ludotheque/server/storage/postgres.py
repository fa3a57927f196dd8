"""Connections to PostgreSQL and their limits, and its migration by one process at a time."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ludotheque.server.config import Settings
from ludotheque.server.storage.migrating import migrate

_CONNECTIONS: Final = 15
"""To PostgreSQL, at most."""
_CONNECT_SECONDS: Final = 5.0
"""Seconds until a connection to PostgreSQL must be open."""
_COMMAND_SECONDS: Final = 10.0
"""Seconds that PostgreSQL may take for a command until its connection counts as lost. A connection cut without a
reset would else hold up every move until TCP gives up, after minutes; a busy disk may hold up a commit for seconds."""
_ONE_AT_A_TIME: Final = sql.text("SELECT pg_advisory_xact_lock(13)")
"""Lets one process migrate the database while others that start wait."""


def postgres_engine(settings: Settings) -> AsyncEngine:
    """Connections that stay open, because opening one takes as long as many changes, each with time limits."""
    # A connection that is cut in a transaction would hold its locks for hours: PostgreSQL must end it too.
    ended = {"idle_in_transaction_session_timeout": str(round(1000 * _COMMAND_SECONDS))}
    limits = {"timeout": _CONNECT_SECONDS, "command_timeout": _COMMAND_SECONDS, "server_settings": ended}
    engine = create_async_engine(
        settings.database_url,
        hide_parameters=True,
        connect_args=limits,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_timeout=_COMMAND_SECONDS,
    )
    sql.event.listen(engine.sync_engine, "handle_error", _count_as_lost)
    sql.event.listen(engine.sync_engine, "close", _hang_up)
    return engine


def _count_as_lost(context: sql.ExceptionContext) -> None:
    """Drop a connection that did not respond in time, and the idle ones, which are likely to be dead too."""
    if isinstance(context.original_exception, TimeoutError):
        context.is_disconnect = context.invalidate_pool_on_disconnect = True


def _hang_up(connection: Any, _: object) -> None:
    """Close a connection at once: a farewell would wait for the answer of a dead one."""
    connection.driver_connection.terminate()


async def migrate_postgres(settings: Settings) -> None:
    """Migrate, one process after the other; without a limit for commands, because large tables take long."""
    engine = create_async_engine(
        settings.database_url, hide_parameters=True, connect_args={"timeout": _CONNECT_SECONDS}
    )
    try:
        async with engine.begin() as connection:
            await connection.execute(_ONE_AT_A_TIME)
            await connection.run_sync(migrate)
    finally:
        await engine.dispose()

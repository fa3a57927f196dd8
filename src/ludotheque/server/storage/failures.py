"""Errors of a database that does not work, and of changes that come too late."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import DBAPIError, TimeoutError as NoFreeConnection

from ludotheque.core.errors import StaleVersion
from ludotheque.core.phrases import phrase

STORAGE_ERRORS: Final = (DBAPIError, NoFreeConnection, OSError)
"""Errors of reading and writing while the database does not work; a time limit that has passed is an `OSError`."""


def why_failed(error: Exception) -> str:
    """Why the database cannot be used, in one line, and without its address, which may hold a password."""
    if isinstance(error, TimeoutError):
        return "it does not respond"
    if isinstance(error, ModuleNotFoundError) and error.name == "asyncpg":
        return "PostgreSQL needs another package; install it with: pip install 'ludotheque[postgres]'"
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).splitlines()[0]


def stale_table() -> StaleVersion:
    """The error for a change of a table that is no longer as the change expects it."""
    return StaleVersion(phrase("The table has changed in the meantime; look again."))

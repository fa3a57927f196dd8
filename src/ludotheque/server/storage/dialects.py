"""Statements that differ between SQLite and PostgreSQL."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert_into(connection: AsyncConnection, table: sql.Table) -> Any:
    """The insert of a database, which can say what to do when there is such a row already."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    return dialect.insert(table)

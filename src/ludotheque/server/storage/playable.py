"""The stored tables that this server can replay: only by the version of the game that the table was opened with.

Another version may have other rules or other numbers of actions: replayed by it, the same plies might be refused, or
lead to another position without anyone noticing. `tables.live` refuses such a table; lists of what is to be done leave
it out.
"""

from __future__ import annotations

from functools import cache

import sqlalchemy as sql

from ludotheque.core.registry import game_classes
from ludotheque.server.storage.schema import TABLES


def playable_condition() -> sql.ColumnElement[bool]:
    """Whether the table of a row can be replayed here, as a condition of a query."""
    return _one_of(tuple((kind.name, kind.version) for kind in game_classes()))


@cache
def _one_of(installed: tuple[tuple[str, str], ...]) -> sql.ColumnElement[bool]:
    return sql.tuple_(TABLES.c.game, TABLES.c.game_version).in_(installed)

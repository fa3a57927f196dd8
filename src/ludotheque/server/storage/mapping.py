"""Rows of the database to typed values, and back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Any, Final

import sqlalchemy as sql

from ludotheque.server.storage.keys import Key
from ludotheque.server.storage.rows import ListedTable, StoredTable, StoredTurn
from ludotheque.server.storage.schema import KEYS, TABLES

LISTED_COLUMNS: Final = [TABLES.c[name] for name in ListedTable.__struct_fields__]


def listed_table(row: sql.RowMapping) -> ListedTable:
    return ListedTable(**_fields(row, ListedTable.__struct_fields__))


def stored_table(row: sql.RowMapping) -> StoredTable:
    own = [name for name in StoredTable.__struct_fields__ if name != "facts"]
    facts = {str(name): value for name, value in row.items() if name not in own}
    return StoredTable(**_fields(row, own), facts=facts)


def _fields(row: sql.RowMapping, names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names} | {"updated": row["updated"].replace(tzinfo=UTC)}


def stored_turn(row: sql.RowMapping) -> StoredTurn:
    players = [seat["who"] for seat in row["seats"]]
    is_bots = players[row["to_move"]] == "bot" and not row["pace"].get("paused")
    return StoredTurn(row["id"], is_bots, str(row["to_move"]) in row["ahead"], "person" in players)


def key_row(table: str, key: Key) -> dict[str, Any]:
    return {"digest": key.digest, "table_id": table, "seat": key.seat, "kind": key.kind}


def same_key(table: str, key: Key) -> tuple[sql.ColumnElement[bool], ...]:
    return KEYS.c.digest == key.digest, KEYS.c.table_id == table, KEYS.c.seat == key.seat


def stored_key(row: sql.RowMapping) -> Key:
    return Key(row["digest"], row["seat"], row["kind"])

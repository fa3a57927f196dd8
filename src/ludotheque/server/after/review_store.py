"""The reviews on disk: their budget, their progress and the decisions that are judged."""

from __future__ import annotations

import logging
from typing import Final, Literal

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.exc import IntegrityError

from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.schema import DECISIONS, REVIEWS, TABLES
from ludotheque.server.tables.facts import as_plain
from ludotheque.study.review import VERSION, Budget, Decision, read_decision

_LOG: Final = logging.getLogger("ludotheque.server.after.review_store")


class Progress(Struct, frozen=True):
    """The progress of a review."""

    state: Literal["none", "running", "failed", "outdated", "done"]
    """Outdated: judged by another version of this program; it is not shown, and can be made again."""
    done: int = 0
    total: int = 0
    simulations: int = 0
    seconds: float = 0.0
    """The budget for each decision: simulations or seconds."""
    bot: str = ""
    """The operator's custom bot that proposes the better moves; empty if search does."""
    problem: str = ""
    """Why its bot made the review fail."""


NONE: Final = Progress("none")


class Reviews:
    """The reviews on disk."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def begin(self, table: str, budget: Budget, total: int, bot: str) -> None:
        """Store a new review in place of an earlier one; this process makes it."""
        row = {
            "table_id": table,
            "simulations": budget.simulations,
            "seconds": budget.seconds,
            "total": total,
            "version": VERSION,
            "started": now(),
            "bot": bot,
        }
        async with self._storage.writing() as connection:
            await connection.execute(sql.delete(DECISIONS).where(DECISIONS.c.table_id == table))
            await connection.execute(sql.delete(REVIEWS).where(REVIEWS.c.table_id == table))
            await connection.execute(sql.insert(REVIEWS), row)
            await connection.execute(
                sql.update(TABLES).where(TABLES.c.id == table).values(driver=self._storage.process)
            )

    async def add(self, table: str, decision: Decision) -> None:
        row = {"table_id": table, "ply": decision.ply, "decision": as_plain(decision)}
        try:
            async with self._storage.writing() as connection:
                await connection.execute(sql.insert(DECISIONS), row)
        except IntegrityError:
            _LOG.debug("ply %s of table %s was judged before, by another process", decision.ply, table)

    async def decisions(self, table: str) -> list[Decision]:
        """The decisions that this version has judged, in the order of plies."""
        query = (
            sql.select(DECISIONS.c.decision)
            .join(REVIEWS, REVIEWS.c.table_id == DECISIONS.c.table_id)
            .where(DECISIONS.c.table_id == table, REVIEWS.c.version == VERSION)
            .order_by(DECISIONS.c.ply)
        )
        async with self._storage.reading() as connection:
            rows = (await connection.execute(query)).scalars().all()
        return [read_decision(row) for row in rows]

    async def progress(self, table: str) -> Progress:
        async with self._storage.reading() as connection:
            row = (await connection.execute(_PROGRESS.where(REVIEWS.c.table_id == table))).mappings().one_or_none()
        return _progress(row) if row else NONE

    async def unfinished(self) -> list[str]:
        """The tables whose review is not finished and can go on, the oldest first."""
        query = _PROGRESS.join(TABLES, TABLES.c.id == REVIEWS.c.table_id).where(playable_condition())
        async with self._storage.reading() as connection:
            rows = (await connection.execute(query.order_by(REVIEWS.c.started))).mappings().all()
        return [row["table_id"] for row in rows if row["done"] < row["total"]]


_PROGRESS: Final = (
    sql.select(*REVIEWS.c, sql.func.count(DECISIONS.c.ply).label("done"))
    .select_from(REVIEWS.outerjoin(DECISIONS, DECISIONS.c.table_id == REVIEWS.c.table_id))
    .group_by(*REVIEWS.c)
)


def _progress(row: sql.RowMapping) -> Progress:
    state: Literal["running", "outdated", "done"] = "running" if row["done"] < row["total"] else "done"
    if row["version"] != VERSION:
        state = "outdated"
    return Progress(state, row["done"], row["total"], row["simulations"], row["seconds"], row["bot"])

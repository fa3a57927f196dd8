"""The part of a table that can be read without its rules, for one that cannot be replayed here."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ludotheque.server.after.results import recorded_scores
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import ChatLine, ListedTable
from ludotheque.server.tables.summaries import Summary, summary
from ludotheque.show.language import Reader
from ludotheque.show.scenes import score_text


class ReadableTable(Struct, frozen=True):
    """The names, scores and chat of a table that its players can still read."""

    summary: Summary
    scores: dict[int, str]
    """Scores by seat, as its game writes them; empty for a game that was not over."""
    chat: list[ChatLine]
    is_held: bool
    """Whether it is in the caller's list of tables."""


async def readable_table(
    storage: Storage, table: str, digests: Sequence[bytes], reader: Reader
) -> ReadableTable | None:
    """Return what those who have come to a table before may read of it; None for everyone else."""
    found = await storage.load_table(table)
    if not found:
        return None
    stored, keys = found[0].listed, found[2]
    is_held = any(key.kind == "browser" and key.digest in digests for key in keys)
    if not is_held and stored.host not in digests:
        return None
    return await _readable(storage, stored, digests, reader, is_held)


async def _readable(
    storage: Storage, stored: ListedTable, digests: Sequence[bytes], reader: Reader, is_held: bool
) -> ReadableTable:
    recorded = await recorded_scores(storage, stored.id)
    scores = {seat: score_text(stored.game, score, reader) for seat, score in recorded.items()}
    return ReadableTable(summary(stored, (), digests), scores, await storage.latest_chat(stored.id), is_held)

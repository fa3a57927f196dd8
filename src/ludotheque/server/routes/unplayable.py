"""The page of a table that cannot be replayed here: why, and what can be read without the rules."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Response
from msgspec import Struct

from ludotheque.server.after.results import recorded_scores
from ludotheque.server.errors import Unplayable
from ludotheque.server.http.templates import page
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import ChatLine, ListedTable
from ludotheque.server.tables.summaries import Summary, summary
from ludotheque.show.language import Reader
from ludotheque.show.scenes import score_text


class ReadableTable(Struct, frozen=True):
    """The part of it that its players can still read."""

    summary: Summary
    scores: dict[int, str]
    """Scores by seat, as its game writes them; empty for a game that was not over."""
    chat: list[ChatLine]
    is_held: bool
    """Whether it is in the caller's list of tables."""


async def unplayable_page(
    storage: Storage, table: str, digests: Sequence[bytes], reader: Reader, why: Unplayable
) -> Response[str]:
    """Say why a table cannot be shown; those who have come to it before read the names, the scores and the chat."""
    found = await storage.load_table(table)
    readable = None
    if found:
        stored, keys = found[0].listed, found[2]
        is_held = any(key.kind == "browser" and key.digest in digests for key in keys)
        if is_held or stored.host in digests:
            readable = await _readable(storage, stored, digests, reader, is_held)
    return page("unplayable.html", reader, why.status, sentence=why.body(reader).sentence, table=readable)


async def _readable(
    storage: Storage, stored: ListedTable, digests: Sequence[bytes], reader: Reader, is_held: bool
) -> ReadableTable:
    recorded = await recorded_scores(storage, stored.id)
    scores = {seat: score_text(stored.game, score, reader) for seat, score in recorded.items()}
    return ReadableTable(summary(stored, (), digests), scores, await storage.latest_chat(stored.id), is_held)

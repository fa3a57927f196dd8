"""The page of a table that cannot be replayed here: why, and what can be read without the rules."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import Response
from msgspec import Struct

from ludotheque.server.after.results import recorded_scores
from ludotheque.server.errors import Unplayable
from ludotheque.server.http.templates import page
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import ChatLine, StoredKey, StoredTable
from ludotheque.server.tables.live import Summary, summary
from ludotheque.show.language import Reader


class ReadableTable(Struct, frozen=True):
    """What its players can still read of it."""

    summary: Summary
    scores: dict[int, int]
    """By seat; empty of a game that was not over."""
    chat: list[ChatLine]


async def unplayable_page(
    storage: Storage, table: str, digests: Sequence[bytes], reader: Reader, why: Unplayable
) -> Response[str]:
    """Say why a table cannot be shown; those who have come to it before read the names, the scores and the chat."""
    found = await storage.load_table(table)
    readable = None
    if found and _knows(digests, found[0], found[2]):
        listed = summary(found[0], (), digests)
        readable = ReadableTable(listed, await recorded_scores(storage, table), await storage.latest_chat(table))
    return page("unplayable.html", reader, why.status, sentence=why.body(reader).sentence, table=readable)


def _knows(digests: Sequence[bytes], stored: StoredTable, keys: Sequence[StoredKey]) -> bool:
    """Whether a caller is the host, or has come to the table before."""
    browsers = {key.digest for key in keys if key.kind == "browser"}
    return not browsers.isdisjoint(digests) or stored.host in digests

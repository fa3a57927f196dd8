"""The content of push messages: which tables wait, in the reader's language. The service worker shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.waiting import WaitingTable, subject
from ludotheque.show.language import Reader

_LETTERS: Final = 300
"""The most letters of the second line."""


class PushMessage(Struct, frozen=True):
    """A notification that the service worker shows."""

    title: str
    body: str
    url: str
    """The page that a press opens."""
    count: int
    """Number of tables that wait; shown beside the icon of the installed app."""


def push_message(tables: Sequence[WaitingTable], language: str) -> bytes:
    """Tell someone of the tables that wait for them: the games and the other players, nothing of a position."""
    translate = Reader(language).translate
    body = ", ".join(dict.fromkeys(table.title(language) for table in tables))
    url = "/"
    if len(tables) == 1:
        body = phrase("With {names}", names=tables[0].names).render(translate)
        url = tables[0].path
    title = subject(tables, language).render(translate)
    return msgspec.json.encode(PushMessage(title, body[:_LETTERS], url, len(tables)))

"""The event bus: every change of a table is published here once it is on disk and in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from ludotheque.server.storage.rows import Change, ChatLine

What = Literal[
    "position",
    "names",
    "facts",
    "seats",
    "pace",
    "chat",
    "presence",
    "thinking",
    "reloaded",
    "watched",
    "rematch",
    "ahead",
    "opened",
]
"""The kind of a change. `facts` are the dice that people add to, mutes, the password and closing. `opened`: the server
opened the table for people who do not know of it yet. `thinking` (a bot started or stopped), `reloaded` (the table was
out of date) and `watched` (someone has begun to watch) concern this process only."""
LOCAL: Final = ("thinking", "reloaded", "watched")


class TableEvent(Struct, frozen=True, omit_defaults=True):
    """A change of a table."""

    table: str
    what: What
    process: str
    """The process that made the change."""
    chat: ChatLine | None = None
    change: Change | None = None
    """The change of a position as it was stored, so that other processes need not read the table."""


Subscriber = Callable[[TableEvent], None]


class TableEvents:
    """Passes each event to all subscribers, in the order in which they subscribed."""

    def __init__(self, process: str = "") -> None:
        self.process: Final = process
        self._subscribers: list[Subscriber] = []

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def publish(self, table: str, what: What, chat: ChatLine | None = None, change: Change | None = None) -> None:
        """Publish a change that this process made."""
        self.republish(TableEvent(table, what, self.process, chat, change))

    def republish(self, event: TableEvent) -> None:
        """Pass on an event, of this process or of another one."""
        for subscriber in self._subscribers:
            subscriber(event)

    def is_own(self, event: TableEvent) -> bool:
        """Whether this process made the change."""
        return event.process == self.process

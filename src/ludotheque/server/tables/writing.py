"""How parts of the server change a table without knowing all of its actions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ludotheque.server.storage.rows import StoredKey
from ludotheque.server.tables.live import LiveTable, Seat

T = TypeVar("T")


class FactsWriter(Protocol):
    """Changes what is stored about a table besides its moves (`TableActions`)."""

    async def change_facts(
        self, table: LiveTable, change: Callable[[], Awaitable[T]], even_if_closed: bool = False
    ) -> T:
        """Carry out a change, unless the table is closed; again if another process was quicker."""

    async def set_facts(
        self,
        table: LiveTable,
        facts: dict[str, Any],
        add: Sequence[StoredKey] = (),
        drop: Sequence[bytes] = (),
    ) -> None:
        """Store facts and keys, within a change."""

    async def set_seats(
        self,
        table: LiveTable,
        changed: dict[int, Seat],
        add: Sequence[StoredKey] = (),
        drop: Sequence[bytes] = (),
        *,
        more: Mapping[str, Any],
    ) -> None:
        """Change seats and keys, and `more` facts, within a change; the clock stops while a seat is free."""

    async def draw(self, table: LiveTable) -> None:
        """Make the draws that are due, if the dice can draw."""

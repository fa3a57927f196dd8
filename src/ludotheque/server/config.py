"""What can be set about a server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

DATABASE: Final = "ludotheque.sqlite3"


def default_data() -> Path:
    """Where this person's tables are kept, by the custom of the desktop."""
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ludotheque"


def default_workers() -> int:
    """How many bots think at once: a core stays free for the people."""
    return max(1, (os.cpu_count() or 1) - 1)


class Settings(Struct, frozen=True, kw_only=True):
    """A server as somebody wants it."""

    data: Path
    """The folder for the database, unless that one is named by its own address."""
    database: str = ""
    """An address for SQLAlchemy, such as `postgresql+asyncpg://...`; empty: a SQLite file in the data folder."""
    channels: Literal["memory", "postgres"] = "memory"
    """How news travel between server processes: not at all, where there is one, or through PostgreSQL."""
    workers: int = 1
    """How many bots may think at once, each in a process of its own."""
    limits: bool = True
    """Whether clients are kept from asking too often; off only for measuring."""
    tables_in_memory: int = 2000

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite+aiosqlite:///{self.data.absolute() / DATABASE}"

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

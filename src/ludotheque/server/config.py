"""The settings of a server."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

DATABASE: Final = "ludotheque.sqlite3"
Feature = Literal["profiles", "pairing", "ratings", "tournaments", "clubs", "push", "passkeys", "reports"]
"""Features beyond playing at a table; an operator can switch each off. There are no reports where no one reads them."""
_NEEDED: Final[dict[Feature, tuple[Feature, ...]]] = {
    "profiles": ("profiles",),
    "pairing": ("pairing",),
    "ratings": ("profiles", "ratings"),
    "tournaments": ("profiles", "tournaments"),
    "clubs": ("profiles", "clubs"),
    "push": ("push",),
    "passkeys": ("profiles", "passkeys"),
    "reports": ("reports",),
}
"""The features that one needs, itself included."""


class Most(Struct, frozen=True, kw_only=True):
    """The most of what people may have at once; `serve --most` names the fields with hyphens."""

    open_tables: int = 10
    """Tables in the public list that come from one network."""
    tournaments: int = 5
    """Unfinished tournaments that one person organises."""
    clubs: int = 20
    """Clubs of which one person is a member."""
    profiles: int = 100
    """New profiles of one network in a day."""


def default_data() -> Path:
    """The folder for the tables of the present user, by the XDG standard."""
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ludotheque"


def default_workers() -> int:
    """Return how many bots may think at once: one core stays free for the server."""
    return max(1, (os.cpu_count() or 1) - 1)


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a server."""

    data: Path
    """The folder for the database, unless `database` names one."""
    database: str = ""
    """An address of PostgreSQL, `postgresql://...` or as SQLAlchemy writes it, `postgresql+asyncpg://...`; if empty, a
    SQLite file in the data folder."""
    channels: Literal["memory", "postgres"] = "memory"
    """The channel by which server processes exchange events: none (there is only one), or PostgreSQL."""
    workers: int = 1
    """Number of bots that may think at once, each in a separate process; short searches always have a second one."""
    limits: bool = True
    """Whether requests are limited; off only for benchmarks and tests."""
    tables_in_memory: int = 2000
    bots: dict[str, str] = {}
    """The operator's custom bots, by the names that players read; see `TableBots`."""
    bot_clock: float = 60.0
    """Seconds for a move of one of these bots."""
    forget_after: int = 0
    """Days after its last move at which a table is deleted; 0 for never."""
    host: str = "127.0.0.1"
    """The address that the server listens on; requests may name it as their host."""
    public_url: str = ""
    """The address under which people reach the server; requests may name its host too."""
    trusted_proxies: tuple[str, ...] = ()
    """The addresses of proxies whose forwarded addresses are believed."""
    smtp_url: str = ""
    """The mail server for reminders, `smtp://user:password@host:port` or `smtps://...`; empty for no reminders."""
    mail_from: str = ""
    """The address that reminders come from; if empty, `ludotheque@` the host of `public_url`."""
    remind_after: float = 300.0
    """Seconds after which someone whose turn it is, and who has no page of the table open, is reminded."""
    without: frozenset[Feature] = frozenset()
    """The features that the operator has switched off."""
    most: Most = Most()
    """The most of what people may have at once."""
    operator_token: str = ""
    """Lets the operator see and close all tables; if empty, no one can."""
    idle_seconds: int = 150
    """Seconds for which a connection without requests is kept. Proxies keep theirs for less (nginx one minute, Caddy
    two): else they would send a request just as the connection is closed, and a visitor would see an error."""
    header_seconds: float = 10.0
    """Seconds until the headers of a request must have arrived."""
    body_seconds: float = 30.0
    """Seconds until the body of a request must have arrived."""
    unread_response_seconds: float = 60.0
    """Seconds until a client must have read a response that the system cannot store for it."""
    reading_seconds: float = 5.0
    """Processor time: how long a record, board or card set from outside may take to read."""
    stop_seconds: int = 10
    """Seconds for open requests and sockets to finish when the server stops."""

    @property
    def features(self) -> frozenset[Feature]:
        """The features that this server has."""
        off = self.without if self.operator_token else self.without | {"reports"}
        return frozenset(name for name, needed in _NEEDED.items() if off.isdisjoint(needed))

    @property
    def database_url(self) -> str:
        """The address for SQLAlchemy."""
        named = re.sub(r"^postgres(ql)?://", "postgresql+asyncpg://", self.database)
        return named or f"sqlite+aiosqlite:///{self.data.absolute() / DATABASE}"

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

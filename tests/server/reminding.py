"""A club whose clock is set by hand, for tests of reminders."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import sqlalchemy as sql

import tests.toy  # noqa: F401  (registers the toy games)
from ludotheque.server.commands import NewSeat, NewTable
from ludotheque.server.config import Settings
from ludotheque.server.mail.emails import EmailWriter
from ludotheque.server.mail.mailer import Mailer
from ludotheque.server.reminders.scheduler import PushWay, Reminders
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.schema import REMINDERS, TABLES
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.joining import Newcomer
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers
from ludotheque.show.language import Reader
from tests.server.harness import run_apart

ANN, BOB, PHONE = b"a" * 32, b"b" * 32, b"p" * 32
ADDRESS = "bob@example.org"
LATER = timedelta(minutes=10)
WRITER = EmailWriter("https://club.example", "games@club.example")


class Club:
    """A table for Ann and Bob, and its reminders, without a network and with a clock that is set by hand."""

    def __init__(self, settings: Settings, new_pusher: Callable[[Storage], PushWay] | None = None) -> None:
        self.events = TableEvents()
        self.live_tables = LiveTables(Storage(settings), 10)
        self.storage = self.live_tables.storage
        self.actions = TableActions(TableWriter(self.live_tables, self.events))
        self.seating = Seating(self.actions.writer, self.actions.draw)
        self.opener = TableOpener(self.live_tables, self.events, UntrustedReader(LimitedWorkers(1, 60)), TableBots())
        self.passed = timedelta()
        self.sent: list[EmailMessage] = []
        self.failure: Exception | None = None
        self.present: set[int] = set()
        self.presences = cast(Any, SimpleNamespace(seats_here=lambda _: self.present, open_tables=set()))
        self.new_pusher = new_pusher
        self.reminders = self.another_process()

    def another_process(self, settings: Settings | None = None) -> Reminders:
        storage = Storage(settings) if settings else self.storage
        mailer = Mailer(WRITER, self._send)
        pusher = self.new_pusher(storage) if self.new_pusher else None
        return Reminders(storage, self.presences, self.events, mailer, pusher, 300, self.clock)

    def clock(self) -> datetime:
        return now() + self.passed

    def _send(self, message: EmailMessage) -> None:
        if self.failure:
            raise self.failure
        self.sent.append(message)

    async def open(self, game: str = "nim") -> LiveTable:
        """Ann sits at the first seat, Bob at the second."""
        await self.storage.open()
        return await self.another_table(game)

    async def another_table(self, game: str = "nim") -> LiveTable:
        """The same two at one more table, which is now the table that they play at."""
        wanted = NewTable(game=game, seats=[NewSeat(who="me", name="Ann"), NewSeat(who="open")])
        opened = await self.opener.open_new(wanted, ANN, Reader("en"), "")
        self.table = await self.live_tables.table(opened.id)
        await self.seating.sit(self.table, 1, BOB, Newcomer(Reader("en"), "Bob"))
        return self.table

    async def table_against_bots(self, browser: bytes) -> None:
        """A table at which a person plays with a bot alone."""
        wanted = NewTable(game="nim", seats=[NewSeat(who="me"), NewSeat(who="bot", level="random")])
        await self.opener.open_new(wanted, browser, Reader("en"), "")

    async def play(self) -> None:
        match = self.table.match
        await self.actions.move(
            self.table, match.to_move, self.table.version, int(match.choices(match.to_move)[0].action or 0)
        )

    async def give(self, address: str = ADDRESS, browser: bytes = BOB) -> bool:
        return await self.reminders.give(self.table.id, browser, address, "en")

    async def subscribe(self, address: str = ADDRESS, browser: bytes = BOB) -> str:
        """Give an address and confirm it; return the token."""
        await self.give(address, browser)
        await self.reminders.send_due()
        token = token_in(self.sent.pop())
        assert await self.reminders.confirm(token) == self.table.id
        return token

    async def wait(self, how_long: timedelta = LATER) -> int:
        """Let time pass, and return how many messages were sent then."""
        self.passed += how_long
        before = len(self.sent)
        await self.reminders.send_due()
        return len(self.sent) - before

    async def visit(self) -> None:
        """Bob opens the page, and closes it again."""
        self.passed += timedelta(seconds=1)
        self.present = {1}
        self.presences.open_tables = {self.table.id}
        await self.reminders.send_due()
        self.present, self.presences.open_tables = set(), set()

    async def tables(self) -> list[Any]:
        async with self.storage.reading() as connection:
            return [*(await connection.execute(sql.select(TABLES.c.id)))]

    async def stored(self) -> int:
        async with self.storage.reading() as connection:
            return int((await connection.execute(sql.select(sql.func.count()).select_from(REMINDERS))).scalar_one())


def token_in(message: EmailMessage) -> str:
    found = re.search(r"/reminders#(\S+)", message.get_content())
    assert found
    return found[1]


def in_club(
    tmp_path: Path,
    work: Callable[[Club], Awaitable[None]],
    new_pusher: Callable[[Storage], PushWay] | None = None,
) -> None:
    async def run() -> None:
        club = Club(Settings(data=tmp_path), new_pusher)
        await club.open()
        try:
            await work(club)
        finally:
            await club.storage.close()

    run_apart(run())

"""Reminders: who asked for them in which way, and which messages are due.

A row is a table that someone wants to be reminded of in one way. `next_try` says when its owner may get a message at
the earliest. All rows of a recipient are claimed and put off together, so that one process sends one message about all
tables that wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Final, Literal

import sqlalchemy as sql
from msgspec import Struct, structs
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.keys import new_secret
from ludotheque.server.mail.addresses import address_digest
from ludotheque.server.mail.emails import Recipient
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.dialects import insert_into
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.schema import KEYS, MAILS, PLIES, PRESENCES, REMINDERS, SUBSCRIPTIONS, TABLES
from ludotheque.server.waiting import WaitingTable

CONFIRM_WITHIN: Final = timedelta(days=2)
KEPT_AFTER_THE_END: Final = timedelta(days=7)
"""Time for which an address stays after the end of a game: a rematch takes it over."""
CONFIRMATIONS_PER_DAY: Final = 3
MESSAGES_PER_DAY: Final = 30
"""To one person, in one way."""
PAUSE: Final = timedelta(hours=1)
"""Between two messages to a person who has not come back: what is due in the meantime goes into the second one."""
REFUSED_FOR: Final = timedelta(days=30)
WAITS: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
"""Until the next try after a message could not be sent; after the last one it is given up."""
_BATCH: Final = 50
_DAY: Final = timedelta(days=1)
_OTHERS: Final = PLIES.alias()

Way = Literal["mail", "push"]
"""The way in which someone is reminded."""
MessageKind = Literal["confirmation", "reminder", "refused"]


class Reminder(Struct, frozen=True):
    """The address that a browser has given at a table."""

    address: str
    confirmed: bool


class DueQuestion(Struct, frozen=True):
    """An address that has not been asked for a confirmation yet."""

    to: Recipient
    tries: int
    """Number of times that it could not be asked."""


class DueTurn(Struct, frozen=True):
    """A turn of someone who has not been told of it."""

    token: str
    """Names the reminder."""
    table: WaitingTable
    seat: int
    turn: int
    """The last ply of the others."""
    tries: int
    """Number of times that its message could not be sent."""


class DueReminder(Struct, frozen=True):
    """A message about all turns of a person that are due."""

    way: Way
    browser: bytes
    to: Recipient
    """The language is that of the address given last; a push message has no address."""
    turns: tuple[DueTurn, ...]

    @property
    def tries(self) -> int:
        return max(turn.tries for turn in self.turns)

    @property
    def tables(self) -> tuple[WaitingTable, ...]:
        return tuple(turn.table for turn in self.turns)

    @property
    def counted_as(self) -> bytes:
        """The digest under which messages to this person are counted."""
        return address_digest(self.to.address) if self.way == "mail" else self.browser


# Requests of people.


async def reminder_of(storage: Storage, table: str, browsers: Sequence[bytes]) -> Reminder | None:
    """Return the reminder that one of these browsers has asked for at a table."""
    query = sql.select(REMINDERS.c.address, REMINDERS.c.confirmed).where(*_given(table, browsers))
    async with storage.reading() as connection:
        row = (await connection.execute(query)).first()
    return Reminder(row.address, row.confirmed) if row else None


async def set_reminder(storage: Storage, table: str, browser: bytes, to: Recipient, at: datetime) -> bool:
    """Store an address in place of the one before; false if it has got or refused too many messages.

    It is confirmed already if the same browser has confirmed it at another table.
    """
    async with storage.writing() as connection:
        is_known = await _has_confirmed(connection, browser, to.address)
        if not is_known and not await _may_ask(connection, to.address, at):
            return False
        await connection.execute(sql.delete(REMINDERS).where(*_given(table, [browser])))
        to = structs.replace(to, address_token=await _address_token(connection, to))
        await connection.execute(sql.insert(REMINDERS).values(_row(table, browser, "mail", to, is_known, at)))
        if not is_known:
            await _count(connection, address_digest(to.address), "confirmation", at + _DAY)
    return True


async def delete_reminder(storage: Storage, table: str, browsers: Sequence[bytes]) -> None:
    """Delete the address that one of these browsers has given at a table."""
    async with storage.writing() as connection:
        await connection.execute(sql.delete(REMINDERS).where(*_given(table, browsers)))


async def confirm(storage: Storage, token: str, at: datetime) -> str:
    """Confirm an address; return its table, or nothing if the token is unknown or too old."""
    fresh = sql.or_(REMINDERS.c.confirmed, REMINDERS.c.created > at - CONFIRM_WITHIN)
    asked = sql.update(REMINDERS).where(REMINDERS.c.token == token, fresh)
    values = {"confirmed": True, "seen": at, "sent_at": None, "sent_turn": -1, "tries": 0, "next_try": at}
    async with storage.writing() as connection:
        found = await connection.execute(asked.values(values).returning(REMINDERS.c.table_id))
        return str(found.scalar_one_or_none() or "")


async def stop(storage: Storage, token: str, all_tables: bool, at: datetime) -> None:
    """Delete an address at one table, or at all by the token of the address. One that was never confirmed gets no
    further questions for a month."""
    column = REMINDERS.c.address_token if all_tables else REMINDERS.c.token
    ended = sql.delete(REMINDERS).where(column == token, REMINDERS.c.way == "mail")
    async with storage.writing() as connection:
        rows = (await connection.execute(ended.returning(REMINDERS.c.address, REMINDERS.c.confirmed))).all()
        if rows and not any(row.confirmed for row in rows):
            await _count(connection, address_digest(rows[0].address), "refused", at + REFUSED_FOR)


def _row(table: str, browser: bytes, way: Way, to: Recipient, is_confirmed: bool, at: datetime) -> dict[str, Any]:
    return {
        "table_id": table, "browser": browser, "way": way, "address": to.address, "language": to.language,
        "token": to.token, "address_token": to.address_token, "confirmed": is_confirmed, "created": at, "seen": at,
        "sent_turn": -1, "tries": 0, "next_try": at,
    }  # fmt: skip


def _given(table: str, browsers: Sequence[bytes]) -> tuple[sql.ColumnElement[bool], ...]:
    return REMINDERS.c.table_id == table, REMINDERS.c.browser.in_(browsers), REMINDERS.c.way == "mail"


def _mail_to(address: str) -> sql.ColumnElement[bool]:
    return sql.and_(REMINDERS.c.way == "mail", REMINDERS.c.address == address)


async def _address_token(connection: AsyncConnection, to: Recipient) -> str:
    """The token that an address has at all tables; a new one if it is at none."""
    query = sql.select(REMINDERS.c.address_token).where(_mail_to(to.address)).limit(1)
    return str((await connection.execute(query)).scalar_one_or_none() or to.address_token)


async def _has_confirmed(connection: AsyncConnection, browser: bytes, address: str) -> bool:
    same = sql.and_(REMINDERS.c.browser == browser, REMINDERS.c.address == address, REMINDERS.c.confirmed)
    return (await connection.execute(sql.select(REMINDERS.c.token).where(same).limit(1))).first() is not None


async def _may_ask(connection: AsyncConnection, address: str, at: datetime) -> bool:
    """Whether an address may be asked for a confirmation."""
    counts = await _counts(connection, address_digest(address), at)
    return not counts.get("refused") and counts.get("confirmation", 0) < CONFIRMATIONS_PER_DAY


async def _counts(connection: AsyncConnection, recipient: bytes, at: datetime) -> dict[str, int]:
    """Return the number of messages of each kind that a recipient has got lately."""
    lately = sql.and_(MAILS.c.address == recipient, MAILS.c.expires > at)
    query = sql.select(MAILS.c.kind, sql.func.count().label("count")).where(lately).group_by(MAILS.c.kind)
    return {row.kind: row[1] for row in await connection.execute(query)}


async def _count(connection: AsyncConnection, recipient: bytes, kind: MessageKind, until: datetime) -> None:
    await connection.execute(sql.insert(MAILS).values(address=recipient, kind=kind, expires=until))


# Due messages.


async def tidy(storage: Storage, at: datetime) -> None:
    """Delete what was not confirmed in time, whose owner has left the table or taken no more messages, and old counts;
    let the reminders of a finished game follow to its rematch."""
    late = sql.and_(~REMINDERS.c.confirmed, REMINDERS.c.created <= at - CONFIRM_WITHIN)
    held = sql.exists().where(
        KEYS.c.table_id == REMINDERS.c.table_id, KEYS.c.digest == REMINDERS.c.browser, KEYS.c.seat >= 0
    )
    long_over = sql.select(TABLES.c.id).where(TABLES.c.over, TABLES.c.updated <= at - KEPT_AFTER_THE_END)
    subscribed = sql.exists().where(SUBSCRIPTIONS.c.browser == REMINDERS.c.browser)
    unheard = sql.and_(REMINDERS.c.way == "push", ~subscribed)
    useless = sql.or_(late, ~held, unheard, REMINDERS.c.table_id.in_(long_over))
    async with storage.writing() as connection:
        await _follow_rematches(connection, at)
        await connection.execute(sql.delete(REMINDERS).where(useless))
        await connection.execute(sql.delete(MAILS).where(MAILS.c.expires <= at))


async def _follow_rematches(connection: AsyncConnection, at: datetime) -> None:
    moved = (
        sql.select(REMINDERS.c.token, REMINDERS.c.way, TABLES.c.rematch)
        .join(TABLES, TABLES.c.id == REMINDERS.c.table_id)
        .where(TABLES.c.rematch != "", REMINDERS.c.confirmed)
    )
    for row in (await connection.execute(moved)).all():
        mine = sql.select(REMINDERS.c.browser).where(REMINDERS.c.token == row.token).scalar_subquery()
        there = sql.and_(REMINDERS.c.table_id == row.rematch, REMINDERS.c.way == row.way)
        newer = sql.select(REMINDERS.c.token).where(there, REMINDERS.c.browser == mine)
        if (await connection.execute(newer)).first():
            await connection.execute(sql.delete(REMINDERS).where(REMINDERS.c.token == row.token))
            continue
        fresh = {"table_id": row.rematch, "sent_at": None, "sent_turn": -1, "seen": at, "tries": 0, "next_try": at}
        await connection.execute(sql.update(REMINDERS).where(REMINDERS.c.token == row.token).values(fresh))


async def enrol(storage: Storage, at: datetime) -> None:
    """Let push reminders cover all tables at which a subscriber plays with other people."""
    other = KEYS.alias()
    has_company = sql.exists().where(
        other.c.table_id == KEYS.c.table_id, other.c.digest != KEYS.c.digest, other.c.seat >= 0,
        other.c.kind == "browser",
    )  # fmt: skip
    is_covered = sql.exists().where(
        REMINDERS.c.table_id == KEYS.c.table_id, REMINDERS.c.browser == KEYS.c.digest, REMINDERS.c.way == "push"
    )
    query = (
        sql.select(KEYS.c.table_id, KEYS.c.digest)
        .distinct()
        .join(TABLES, TABLES.c.id == KEYS.c.table_id)
        .where(KEYS.c.digest.in_(sql.select(SUBSCRIPTIONS.c.browser)), KEYS.c.kind == "browser", KEYS.c.seat >= 0)
        .where(~TABLES.c.over, ~TABLES.c.closed, has_company, ~is_covered)
    )
    async with storage.reading() as connection:
        found = (await connection.execute(query)).all()
    if found:
        async with storage.writing() as connection:
            rows = [_row(table, browser, "push", Recipient("", "", new_secret(), ""), True, at)
                    for table, browser in found]  # fmt: skip
            await connection.execute(insert_into(connection, REMINDERS).on_conflict_do_nothing(), rows)


async def with_reminders(storage: Storage) -> frozenset[str]:
    """Return the tables of which someone is reminded."""
    async with storage.reading() as connection:
        return frozenset((await connection.execute(sql.select(REMINDERS.c.table_id).distinct())).scalars())


async def mark_present(storage: Storage, present: Mapping[str, Iterable[int]], at: datetime) -> None:
    """Note which seats, by table, have a browser connected: they need no reminder, and have come back."""
    for table, seats in present.items():
        holders = sql.select(KEYS.c.digest).where(KEYS.c.table_id == table, KEYS.c.seat.in_([*seats]))
        theirs = sql.and_(REMINDERS.c.confirmed, REMINDERS.c.browser.in_(holders))
        here, paused = sql.and_(theirs, REMINDERS.c.table_id == table), sql.and_(theirs, REMINDERS.c.tries == 0)
        async with storage.writing() as connection:
            await _lock(connection, theirs)
            await connection.execute(sql.update(REMINDERS).where(here).values(seen=at, tries=0, next_try=at))
            await connection.execute(sql.update(REMINDERS).where(paused).values(next_try=at))


async def due_questions(storage: Storage, at: datetime) -> list[DueQuestion]:
    """The addresses that have not been asked yet."""
    waiting = sql.and_(~REMINDERS.c.confirmed, REMINDERS.c.sent_at.is_(None), REMINDERS.c.next_try <= at)
    query = sql.select(REMINDERS).where(waiting).order_by(REMINDERS.c.next_try).limit(_BATCH)
    async with storage.reading() as connection:
        return [DueQuestion(_recipient(row), row["tries"]) for row in (await connection.execute(query)).mappings()]


async def due_reminders(storage: Storage, way: Way, at: datetime, absent_since: datetime) -> list[DueReminder]:
    """The people whose turn it is, who have been away since then, and have not been told yet in this way."""
    turn = (
        sql.select(sql.func.coalesce(sql.func.max(_OTHERS.c.ply), 0))
        .where(
            _OTHERS.c.table_id == TABLES.c.id,
            _OTHERS.c.who >= 0,
            _OTHERS.c.who != TABLES.c.to_move,
            _OTHERS.c.ply <= TABLES.c.ply,
        )
        .correlate(TABLES)
        .scalar_subquery()
    )
    is_holder = sql.and_(
        KEYS.c.table_id == TABLES.c.id, KEYS.c.digest == REMINDERS.c.browser, KEYS.c.seat == TABLES.c.to_move
    )
    query = (
        sql.select(REMINDERS, TABLES.c.game, TABLES.c.names, TABLES.c.seats, TABLES.c.to_move, turn.label("turn"))
        .join(TABLES, TABLES.c.id == REMINDERS.c.table_id)
        .join(KEYS, is_holder)
        .where(REMINDERS.c.way == way, REMINDERS.c.confirmed, ~TABLES.c.over, ~TABLES.c.closed, playable_condition())
        .where(TABLES.c.updated <= absent_since, REMINDERS.c.seen <= absent_since, REMINDERS.c.next_try <= at)
        .where(sql.or_(REMINDERS.c.sent_at.is_(None), REMINDERS.c.seen > REMINDERS.c.sent_at))
        .where(turn != REMINDERS.c.sent_turn)
        .order_by(REMINDERS.c.next_try)
        .limit(_BATCH)
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
        present = await _present(connection, [row["table_id"] for row in rows])
        due = [row for row in rows if row["seats"][row["to_move"]]["who"] == "person"
               and (row["table_id"], row["to_move"]) not in present]  # fmt: skip
        return [
            reminder
            for reminder in _by_recipient(way, due)
            if (await _counts(connection, reminder.counted_as, at)).get("reminder", 0) < MESSAGES_PER_DAY
        ]


async def _present(connection: AsyncConnection, tables: Sequence[str]) -> set[tuple[str, int]]:
    """The seats, with their tables, that have a browser connected at any process."""
    query = sql.select(PRESENCES.c.table_id, PRESENCES.c.seats).where(PRESENCES.c.table_id.in_(tables))
    return {(row.table_id, int(seat)) for row in await connection.execute(query) for seat in row.seats}


def _by_recipient(way: Way, rows: Iterable[Mapping[Any, Any]]) -> list[DueReminder]:
    """Make one message of all that is due for a person."""
    name = "address" if way == "mail" else "browser"
    ordered = sorted(rows, key=lambda row: (row[name], row["created"], row["table_id"]))
    return [_reminder(way, [*found]) for _, found in groupby(ordered, key=lambda row: row[name])]


def _reminder(way: Way, rows: Sequence[Mapping[Any, Any]]) -> DueReminder:
    return DueReminder(way, rows[-1]["browser"], _recipient(rows[-1]), tuple(_turn(row) for row in rows))


def _recipient(row: Mapping[Any, Any]) -> Recipient:
    return Recipient(row["address"], row["language"], row["token"], row["address_token"])


def _turn(row: Mapping[Any, Any]) -> DueTurn:
    seat = row["to_move"]
    others = tuple(name for other, name in enumerate(row["names"]) if other != seat)
    table = WaitingTable(row["table_id"], row["game"], others)
    return DueTurn(row["token"], table, seat, row["turn"], row["tries"])


# Sending.


async def claim_question(storage: Storage, question: DueQuestion, at: datetime) -> bool:
    """Take on a question, so that no other process asks it; false if another one was quicker."""
    mine = sql.and_(REMINDERS.c.token == question.to.token, REMINDERS.c.tries == question.tries)
    free = sql.and_(mine, REMINDERS.c.next_try <= at, REMINDERS.c.sent_at.is_(None))
    values = {"tries": question.tries + 1, "next_try": at + _wait(question.tries)}
    async with storage.writing() as connection:
        return (await connection.execute(sql.update(REMINDERS).where(free).values(values))).rowcount == 1


async def mark_asked(storage: Storage, question: DueQuestion, at: datetime) -> None:
    async with storage.writing() as connection:
        mine = REMINDERS.c.token == question.to.token
        await connection.execute(sql.update(REMINDERS).where(mine).values(sent_at=at, tries=0))


async def forget_unasked(storage: Storage, question: DueQuestion) -> None:
    """Forget an address that could not be asked."""
    async with storage.writing() as connection:
        await connection.execute(sql.delete(REMINDERS).where(REMINDERS.c.token == question.to.token))


async def claim(storage: Storage, reminder: DueReminder, at: datetime) -> bool:
    """Take on a message, so that no other process sends one to the same person; false if another one was quicker."""
    async with storage.writing() as connection:
        rows = {row.token: row for row in await _lock(connection, _to_recipient(reminder))}
        if any(row.next_try.replace(tzinfo=UTC) > at for row in rows.values()):
            return False
        for turn in reminder.turns:
            row = rows.get(turn.token)
            if row is None or row.tries != turn.tries or row.sent_turn == turn.turn:
                return False
        await connection.execute(_update(reminder).values(tries=reminder.tries + 1))
        await _put_off(connection, reminder, at + _wait(reminder.tries))
    return True


async def mark_sent(storage: Storage, reminder: DueReminder, at: datetime) -> None:
    """Note that a message was sent; the next one waits for a while, or until its reader has come back."""
    async with storage.writing() as connection:
        await _lock(connection, _to_recipient(reminder))
        await _mark_told(connection, reminder)
        await connection.execute(_update(reminder).values(sent_at=at))
        await _put_off(connection, reminder, at + PAUSE)
        await _count(connection, reminder.counted_as, "reminder", at + _DAY)


async def give_up(storage: Storage, reminder: DueReminder) -> None:
    """Try no more until the next turns."""
    async with storage.writing() as connection:
        await _mark_told(connection, reminder)


async def _lock(connection: AsyncConnection, which: sql.ColumnElement[bool]) -> Sequence[Any]:
    """Lock reminders until the end of the transaction, always in the same order; return them as they are now."""
    columns = (REMINDERS.c.token, REMINDERS.c.tries, REMINDERS.c.next_try, REMINDERS.c.sent_turn)
    query = sql.select(*columns).where(which).order_by(REMINDERS.c.token).with_for_update()
    return (await connection.execute(query)).all()


async def _mark_told(connection: AsyncConnection, reminder: DueReminder) -> None:
    for turn in reminder.turns:
        told = sql.update(REMINDERS).where(REMINDERS.c.token == turn.token)
        await connection.execute(told.values(sent_turn=turn.turn, tries=0))


async def _put_off(connection: AsyncConnection, reminder: DueReminder, until: datetime) -> None:
    """Let all reminders of a recipient wait."""
    await connection.execute(sql.update(REMINDERS).where(_to_recipient(reminder)).values(next_try=until))


def _to_recipient(reminder: DueReminder) -> sql.ColumnElement[bool]:
    """All reminders that go to the same person in the same way."""
    if reminder.way == "mail":
        return sql.and_(_mail_to(reminder.to.address), REMINDERS.c.confirmed)
    return sql.and_(REMINDERS.c.way == reminder.way, REMINDERS.c.browser == reminder.browser)


def _update(reminder: DueReminder) -> sql.Update:
    return sql.update(REMINDERS).where(REMINDERS.c.token.in_([turn.token for turn in reminder.turns]))


def _wait(tries: int) -> timedelta:
    return WAITS[min(tries, len(WAITS) - 1)]

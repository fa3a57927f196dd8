"""E-mail addresses for reminders, and which messages are due. One process sends each message: it claims the row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from ludotheque.server.mail.addresses import address_digest
from ludotheque.server.mail.emails import Recipient
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.playable import playable_condition
from ludotheque.server.storage.schema import KEYS, MAILS, PLIES, PRESENCES, REMINDERS, TABLES

CONFIRM_WITHIN: Final = timedelta(days=2)
KEPT_AFTER_THE_END: Final = timedelta(days=7)
"""Time for which an address stays after the end of a game: a rematch takes it over."""
CONFIRMATIONS_PER_DAY: Final = 3
MESSAGES_PER_DAY: Final = 30
"""To one address."""
REFUSED_FOR: Final = timedelta(days=30)
WAITS: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
"""Until the next try after a message could not be sent; after the last one it is given up."""
_BATCH: Final = 50
_DAY: Final = timedelta(days=1)
_OTHERS: Final = PLIES.alias()

MailKind = Literal["confirmation", "reminder", "refused"]


class Reminder(Struct, frozen=True):
    """The address that a browser has given at a table."""

    address: str
    confirmed: bool


class DueMessage(Struct, frozen=True):
    """A message to send."""

    to: Recipient
    table: str
    tries: int
    """Number of times that it could not be sent."""
    seat: int = -1
    """The seat whose turn a reminder is about; negative to confirm the address."""
    turn: int = -1
    """The last ply of the others."""
    game: str = ""
    names: tuple[str, ...] = ()


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
        row = {
            "table_id": table, "browser": browser, "address": to.address, "language": to.language, "token": to.token,
            "confirmed": is_known, "created": at, "seen": at, "sent_turn": -1, "tries": 0, "next_try": at,
        }  # fmt: skip
        await connection.execute(sql.insert(REMINDERS).values(row))
        if not is_known:
            await _count(connection, to.address, "confirmation", at + _DAY)
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


async def stop(storage: Storage, token: str, at: datetime) -> None:
    """Delete an address. One that was never confirmed gets no further questions for a month."""
    gone = sql.delete(REMINDERS).where(REMINDERS.c.token == token)
    async with storage.writing() as connection:
        row = (await connection.execute(gone.returning(REMINDERS.c.address, REMINDERS.c.confirmed))).first()
        if row and not row.confirmed:
            await _count(connection, row.address, "refused", at + REFUSED_FOR)


def _given(table: str, browsers: Sequence[bytes]) -> tuple[sql.ColumnElement[bool], ...]:
    return REMINDERS.c.table_id == table, REMINDERS.c.browser.in_(browsers)


async def _has_confirmed(connection: AsyncConnection, browser: bytes, address: str) -> bool:
    same = sql.and_(REMINDERS.c.browser == browser, REMINDERS.c.address == address, REMINDERS.c.confirmed)
    return (await connection.execute(sql.select(REMINDERS.c.token).where(same).limit(1))).first() is not None


async def _may_ask(connection: AsyncConnection, address: str, at: datetime) -> bool:
    """Whether an address may be asked for a confirmation."""
    counts = await _counts(connection, address, at)
    return not counts.get("refused") and counts.get("confirmation", 0) < CONFIRMATIONS_PER_DAY


async def _counts(connection: AsyncConnection, address: str, at: datetime) -> dict[str, int]:
    """Return the number of messages of each kind that an address has got lately."""
    lately = sql.and_(MAILS.c.address == address_digest(address), MAILS.c.expires > at)
    query = sql.select(MAILS.c.kind, sql.func.count().label("count")).where(lately).group_by(MAILS.c.kind)
    return {row.kind: row[1] for row in await connection.execute(query)}


async def _count(connection: AsyncConnection, address: str, kind: MailKind, until: datetime) -> None:
    row = {"address": address_digest(address), "kind": kind, "expires": until}
    await connection.execute(sql.insert(MAILS).values(row))


# Due messages.


async def tidy(storage: Storage, at: datetime) -> None:
    """Delete what was not confirmed in time, whose owner has left the table, and old counts; let the addresses of a
    finished game follow to its rematch."""
    late = sql.and_(~REMINDERS.c.confirmed, REMINDERS.c.created <= at - CONFIRM_WITHIN)
    held = sql.exists().where(
        KEYS.c.table_id == REMINDERS.c.table_id, KEYS.c.digest == REMINDERS.c.browser, KEYS.c.seat >= 0
    )
    long_over = sql.select(TABLES.c.id).where(TABLES.c.over, TABLES.c.updated <= at - KEPT_AFTER_THE_END)
    useless = sql.or_(late, ~held, REMINDERS.c.table_id.in_(long_over))
    async with storage.writing() as connection:
        await _follow_rematches(connection, at)
        await connection.execute(sql.delete(REMINDERS).where(useless))
        await connection.execute(sql.delete(MAILS).where(MAILS.c.expires <= at))


async def _follow_rematches(connection: AsyncConnection, at: datetime) -> None:
    moved = (
        sql.select(REMINDERS.c.token, TABLES.c.rematch)
        .join(TABLES, TABLES.c.id == REMINDERS.c.table_id)
        .where(TABLES.c.rematch != "", REMINDERS.c.confirmed)
    )
    for row in (await connection.execute(moved)).all():
        mine = sql.select(REMINDERS.c.browser).where(REMINDERS.c.token == row.token).scalar_subquery()
        newer = sql.select(REMINDERS.c.token).where(REMINDERS.c.table_id == row.rematch, REMINDERS.c.browser == mine)
        if (await connection.execute(newer)).first():
            await connection.execute(sql.delete(REMINDERS).where(REMINDERS.c.token == row.token))
            continue
        fresh = {"table_id": row.rematch, "sent_at": None, "sent_turn": -1, "seen": at, "tries": 0, "next_try": at}
        await connection.execute(sql.update(REMINDERS).where(REMINDERS.c.token == row.token).values(fresh))


async def with_reminders(storage: Storage) -> frozenset[str]:
    """Return the tables at which someone has given an address."""
    async with storage.reading() as connection:
        return frozenset((await connection.execute(sql.select(REMINDERS.c.table_id).distinct())).scalars())


async def mark_present(storage: Storage, present: Mapping[str, Iterable[int]], at: datetime) -> None:
    """Note which seats, by table, have a browser connected: they need no reminder, and have come back."""
    async with storage.writing() as connection:
        for table, seats in present.items():
            holders = sql.select(KEYS.c.digest).where(KEYS.c.table_id == table, KEYS.c.seat.in_([*seats]))
            mine = sql.and_(REMINDERS.c.table_id == table, REMINDERS.c.confirmed, REMINDERS.c.browser.in_(holders))
            await connection.execute(sql.update(REMINDERS).where(mine).values(seen=at, tries=0, next_try=at))


async def due_confirmations(storage: Storage, at: datetime) -> list[DueMessage]:
    """The addresses that have not been asked yet."""
    waiting = sql.and_(~REMINDERS.c.confirmed, REMINDERS.c.sent_at.is_(None), REMINDERS.c.next_try <= at)
    query = sql.select(REMINDERS).where(waiting).order_by(REMINDERS.c.next_try).limit(_BATCH)
    async with storage.reading() as connection:
        return [_message(row) for row in (await connection.execute(query)).mappings()]


async def due_reminders(storage: Storage, at: datetime, absent_since: datetime) -> list[DueMessage]:
    """The people whose turn it is, who have been away since then, and have not been told yet."""
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
        .where(REMINDERS.c.confirmed, ~TABLES.c.over, ~TABLES.c.closed, playable_condition())
        .where(TABLES.c.updated <= absent_since, REMINDERS.c.seen <= absent_since, REMINDERS.c.next_try <= at)
        .where(sql.or_(REMINDERS.c.sent_at.is_(None), REMINDERS.c.seen > REMINDERS.c.sent_at))
        .where(turn != REMINDERS.c.sent_turn)
        .order_by(REMINDERS.c.next_try)
        .limit(_BATCH)
    )
    async with storage.reading() as connection:
        rows = (await connection.execute(query)).mappings().all()
        found = [_message(row) for row in rows if row["seats"][row["to_move"]]["who"] == "person"]
        present = await _present(connection, [message.table for message in found])
        return [
            message
            for message in found
            if (message.table, message.seat) not in present
            and (await _counts(connection, message.to.address, at)).get("reminder", 0) < MESSAGES_PER_DAY
        ]


async def _present(connection: AsyncConnection, tables: Sequence[str]) -> set[tuple[str, int]]:
    """The seats, with their tables, that have a browser connected at any process."""
    query = sql.select(PRESENCES.c.table_id, PRESENCES.c.seats).where(PRESENCES.c.table_id.in_(tables))
    return {(row.table_id, int(seat)) for row in await connection.execute(query) for seat in row.seats}


def _message(row: Mapping[Any, Any]) -> DueMessage:
    to = Recipient(row["address"], row["language"], row["token"])
    if not row["confirmed"]:
        return DueMessage(to, row["table_id"], row["tries"])
    names = tuple(row["names"])
    return DueMessage(to, row["table_id"], row["tries"], row["to_move"], row["turn"], row["game"], names)


# Sending.


async def claim(storage: Storage, message: DueMessage, at: datetime) -> bool:
    """Take on a message, so that no other process sends it; false if another one was quicker."""
    wait = WAITS[min(message.tries, len(WAITS) - 1)]
    mine = sql.and_(REMINDERS.c.token == message.to.token, REMINDERS.c.tries == message.tries)
    free = sql.and_(mine, REMINDERS.c.next_try <= at, REMINDERS.c.sent_turn != message.turn)
    if message.seat < 0:
        free = sql.and_(mine, REMINDERS.c.next_try <= at, REMINDERS.c.sent_at.is_(None))
    taken = sql.update(REMINDERS).where(free).values(tries=message.tries + 1, next_try=at + wait)
    async with storage.writing() as connection:
        return (await connection.execute(taken)).rowcount == 1


async def mark_sent(storage: Storage, message: DueMessage, at: datetime) -> None:
    """Note that a message was sent."""
    mine = REMINDERS.c.token == message.to.token
    async with storage.writing() as connection:
        values = {"sent_at": at, "sent_turn": message.turn, "tries": 0}
        await connection.execute(sql.update(REMINDERS).where(mine).values(values))
        if message.seat >= 0:
            await _count(connection, message.to.address, "reminder", at + _DAY)


async def give_up(storage: Storage, message: DueMessage) -> None:
    """Try no more: forget an address that could not be asked, or wait for its owner's next turn."""
    mine = REMINDERS.c.token == message.to.token
    async with storage.writing() as connection:
        if message.seat < 0:
            await connection.execute(sql.delete(REMINDERS).where(mine))
        else:
            await connection.execute(sql.update(REMINDERS).where(mine).values(sent_turn=message.turn, tries=0))

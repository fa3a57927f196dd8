"""Actions of people and bots who play: moves, undo, decisions ahead, names, hints, bot delay and chat."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from ludotheque.core.errors import BadName, CannotUndo
from ludotheque.core.phrases import phrase
from ludotheque.server.commands import SetPremove
from ludotheque.server.errors import Refused, forbidden, stale_version
from ludotheque.server.tables import seats
from ludotheque.server.tables.facts import Pace, Rights, UndoRequest
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.premoves import set_premove
from ludotheque.server.tables.ready_phrases import READY_PHRASES
from ludotheque.server.tables.undo import agree, check_waiting, undo_offer
from ludotheque.server.tables.writing import Done, Step, TableWriter
from ludotheque.table.names import check_comment, check_new_name, visible_text


class TableActions:
    """The actions of those who play at a table."""

    def __init__(self, writer: TableWriter, count_move: Callable[[float], None] | None = None) -> None:
        """`count_move` is called after each move, with the seconds that it took."""
        self.writer = writer
        self._count_move = count_move

    # The position.

    async def move(self, table: LiveTable, seat: int, version: int, move: int | str | Sequence[int]) -> Done:
        """Play a seat's move and the draws after it."""
        began = time.perf_counter()
        done = await self.writer.advance(table, lambda: _move(table, seat, version, move))
        if seat in table.facts.awaited:
            await self.writer.change(table, lambda facts: seats.arrive(facts, [seat], self.writer.now()), "facts")
        if self._count_move:
            self._count_move(time.perf_counter() - began)
        return done

    async def draw(self, table: LiveTable) -> None:
        """Make the draws that are due, if the dice can draw."""
        await self.writer.advance(table, lambda: Step(table.match.plan_draws()))

    async def undo(self, table: LiveTable, seat: int, version: int, rights: Rights) -> Done:
        """Take back a seat's latest move, or ask the others for their consent."""
        return await self.writer.advance(table, lambda: _undo(table, seat, version, rights))

    async def answer_undo(self, table: LiveTable, seat: int, version: int, agrees: bool) -> Done:
        """Agree to what someone wants to take back, or refuse."""
        return await self.writer.advance(table, lambda: _answer_undo(table, seat, version, agrees))

    # Facts.

    async def set_premove(self, table: LiveTable, wanted: SetPremove) -> None:
        """Store what a seat decides ahead of its turn, in place of what it decided before. The others learn nothing."""
        await self.writer.change(table, lambda facts: set_premove(facts, table.match, wanted), "ahead")

    async def rename(self, table: LiveTable, seat: int, name: str) -> None:
        check_new_name(name)
        await self.writer.change(table, partial(seats.rename, seat=seat, name=name), "names")

    async def count_hint(self, table: LiveTable, seat: int) -> None:
        """Let everyone see that a seat has used a hint."""
        await self.writer.change(table, partial(seats.count_hint, seat=seat), "seats")

    async def set_pace(self, table: LiveTable, pace: Pace) -> None:
        await self.writer.change(table, partial(seats.set_pace, pace=pace), "pace")

    # Chat.

    async def chat(
        self, table: LiveTable, rights: Rights, text: str, viewer: int | None = None, ready: str = ""
    ) -> None:
        """Say something: a text, or a ready phrase. `viewer`: the seat whose view the client looks at, where it holds
        several."""
        table.facts.check_not_closed()
        seat = table.chat_seat(rights, viewer)
        if not table.facts.muted.isdisjoint((seat, *rights.held)):
            raise forbidden(phrase("The host does not let you chat at this table."))
        name = table.facts.names[seat] if seat >= 0 else ""
        line = await self.writer.storage.add_chat(table.id, seat, name, _said(text, ready), ready)
        self.writer.events.publish(table.id, "chat", line)


def _said(text: str, ready: str) -> str:
    """The text of a message; that of a ready phrase is in English, for programs."""
    if ready:
        if text or ready not in READY_PHRASES:
            raise Refused(400, "malformed", phrase("There is no such ready phrase."))
        return str(READY_PHRASES[ready])
    said = visible_text(check_comment(text)).strip()
    if not said:
        raise BadName(phrase("There is nothing to read in this message."))
    return said


def _move(table: LiveTable, seat: int, version: int, move: int | str | Sequence[int]) -> Step:
    _check_version(table, version)
    return Step(table.match.plan(seat, move))


def _undo(table: LiveTable, seat: int, version: int, rights: Rights) -> Step:
    _check_version(table, version)
    offer = undo_offer(table.match, table.facts, seat, rights)
    if offer.way == "free":
        return _rewind(table, offer.to_ply)
    if offer.way == "ask":
        return Step(request=UndoRequest(seat, offer.to_ply, (), offer.others), outcome="asked")
    raise CannotUndo(table.match.undo_rules.why_not(seat))


def _answer_undo(table: LiveTable, seat: int, version: int, agrees: bool) -> Step:
    _check_version(table, version)
    request = check_waiting(table.facts.undo_request, seat)
    if not agrees:
        return Step(outcome="refused")
    request = agree(request, seat)
    return Step(request=request, outcome="asked") if request.waiting else _rewind(table, request.to_ply)


def _rewind(table: LiveTable, to_ply: int) -> Step:
    table.match.undo_rules.check_rewind(to_ply)
    return Step(to_ply=to_ply)


def _check_version(table: LiveTable, version: int) -> None:
    table.facts.check_not_closed()
    if version != table.version:
        raise stale_version()

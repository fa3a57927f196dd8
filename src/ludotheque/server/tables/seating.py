"""Sitting down at a table and leaving it, links to its seats, and bots that take a seat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from ludotheque.core.game import SPECTATOR
from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused, forbidden, not_found, password_needed
from ludotheque.server.keys import digest, new_secret
from ludotheque.server.passwords import matches
from ludotheque.server.storage.challenges import challenge_links
from ludotheque.server.tables import seats
from ludotheque.server.tables.facts import Rights, TableFacts
from ludotheque.server.tables.joining import Newcomer
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.table_links import decline_by_link, join_by_link, new_table_link
from ludotheque.server.tables.writing import TableWriter

_LOG: Final = logging.getLogger("ludotheque.server.tables.seating")


class Seating:
    """Seats people and bots, and makes links."""

    def __init__(self, writer: TableWriter, draw: Callable[[LiveTable], Awaitable[None]]) -> None:
        """`draw` makes the draws that are due, if the dice can draw."""
        self._writer = writer
        self._draw = draw

    # People.

    async def join(self, table: LiveTable, secret: str, browser: bytes, newcomer: Newcomer, password: str = "") -> int:
        """Give a browser the seat that a link opens, or another free one that it wants, and return that seat."""
        link = digest(secret)
        _check_link(table.facts, link, browser)
        await _check_password(table.facts, browser, password)
        return await self.join_invited(table, link, browser, newcomer)

    async def join_invited(self, table: LiveTable, link: bytes, browser: bytes, newcomer: Newcomer) -> int:
        """The same for someone who is known to be invited: no password is asked."""
        taken = SPECTATOR

        def law(facts: TableFacts) -> TableFacts:
            nonlocal taken
            at = self._writer.now()
            if facts.has_link(link):
                changed, taken = join_by_link(facts, table.match, browser, newcomer, at)
            else:
                changed, taken = seats.join(facts, table.match, link, browser, newcomer, at)
            return changed

        await self._writer.change(table, law, "seats", "names", "facts")
        await self._draw_if_all_sit(table)
        return taken

    async def watch(self, table: LiveTable, secret: str, browser: bytes, password: str = "") -> None:
        """Let a browser watch by the link to a seat."""
        link = digest(secret)
        _check_link(table.facts, link, browser)
        await _check_password(table.facts, browser, password)

        def law(facts: TableFacts) -> TableFacts:
            by_any = facts.has_link(link)
            return seats.let_watch(facts, browser) if by_any else seats.watch_by_link(facts, link, browser)

        await self._writer.change(table, law, even_if_closed=True)

    async def decline(self, table: LiveTable, secret: str, browser: bytes) -> None:
        """Tell the table that an invitation was declined."""
        link = digest(secret)
        _check_link(table.facts, link, browser)
        await self.decline_invited(table, link)

    async def decline_invited(self, table: LiveTable, link: bytes) -> None:
        """The same for someone who is known to be invited."""

        def law(facts: TableFacts) -> TableFacts:
            return decline_by_link(facts, table.match) if facts.has_link(link) else seats.decline(facts, link)

        await self._writer.change(table, law, "seats")

    async def sit(self, table: LiveTable, seat: int, browser: bytes, newcomer: Newcomer) -> None:
        """Give a browser an open seat."""

        def law(facts: TableFacts) -> TableFacts:
            return seats.sit(facts, table.match, browser, seat, newcomer, self._writer.now())

        await self._writer.change(table, law, "seats", "names", "facts")
        await self._draw_if_all_sit(table)

    async def _draw_if_all_sit(self, table: LiveTable) -> None:
        """Let the dice draw if no one is missing any more.

        A draw that fails is no reason to refuse the newcomer: the seat is stored, and their browser must get its key.
        `TableDice` makes the draw later.
        """
        try:
            await self._draw(table)
        except Exception as error:
            _LOG.warning("the dice of table %s did not draw when someone sat down", table.id, exc_info=error)

    async def enter(self, table: LiveTable, password: str, browser: bytes) -> None:
        """Let a browser look at a table with a password that is open to all."""
        if not table.facts.is_open_to_all and not table.facts.opened_by(browser):
            raise not_found()
        await _check_password(table.facts, browser, password)
        if not table.facts.password:
            return  # anyone may look, but only as long as a seat is open
        await self._writer.change(table, lambda facts: seats.let_watch(facts, browser), even_if_closed=True)

    async def leave(self, table: LiveTable, digests: Sequence[bytes]) -> None:
        """Delete these keys; a seat that no one holds any more becomes free, and open if no link leads to it."""

        def law(facts: TableFacts) -> TableFacts:
            return seats.leave(facts, table.match, digests, self._writer.now())

        await self._writer.change(table, law, "seats", even_if_closed=True)

    # Links.

    async def new_link(self, table: LiveTable, seat: int, rights: Rights) -> str:
        """Make a spectator link; for a holder, a link for one more browser; for the host, the link to a free seat."""
        return await self._link(table, partial(seats.new_link, seat=seat, rights=rights))

    async def replace_link(self, table: LiveTable, seat: int, rights: Rights) -> str:
        """Make a new link to a seat in place of all its keys, so that no one holds it any more; for the host."""
        return await self._link(table, partial(seats.replace_link, seat=seat, rights=rights))

    async def new_table_link(self, table: LiveTable, rights: Rights) -> str:
        """Make a link for several friends, each of whom takes a free seat; for the host."""
        challenges = await challenge_links(self._writer.storage, table.id)
        secret = new_secret()

        def law(facts: TableFacts) -> TableFacts:
            return new_table_link(facts, table.match, digest(secret), challenges, rights)

        await self._writer.change(table, law)
        return secret

    async def _link(self, table: LiveTable, law: Callable[..., TableFacts]) -> str:
        """Make a link by a rule, and return its secret."""
        secret = new_secret()
        add = partial(law, link=digest(secret))
        await self._writer.change(table, lambda facts: add(facts, at=self._writer.now()), "seats")
        return secret

    async def end_spectator_links(self, table: LiveTable) -> None:
        """End all spectator links, and the browsers that came by one."""
        await self._writer.change(table, seats.end_spectator_links, "seats")

    # Bots.

    async def replace_bot(self, table: LiveTable, seat: int, level: str, rights: Rights) -> None:
        """Give the seat of a bot to another bot; without a level, to the person whom it plays for, or else to the one
        who sits down first."""
        if not rights.is_host:
            raise forbidden(phrase("Only the host can replace a bot."))
        if table.facts.seats[seat].substitutes and not level:
            await self.substitute(table, seat, level, rights)
            return

        def law(facts: TableFacts) -> TableFacts:
            return seats.replace_bot(facts, seat, level, table.match.is_over, self._writer.now())

        await self._change_player(table, seat, law)

    async def substitute(self, table: LiveTable, seat: int, level: str, rights: Rights) -> None:
        """Let a bot play on for a person who has left or whose time is up; without a level, give the seat back."""
        if seat not in rights.substituted:
            rights.check_seated()

        def law(facts: TableFacts) -> TableFacts:
            match, at = table.match, self._writer.now()
            if level:
                return seats.substitute(facts, seat, level, match.is_over, at)
            return seats.give_back(facts, seat, match.ply, match.is_over, at)

        await self._change_player(table, seat, law)

    async def _change_player(self, table: LiveTable, seat: int, law: Callable[[TableFacts], TableFacts]) -> None:
        """Let someone else play for a seat; a bot there that had stopped is gone."""
        await self._writer.change(table, law)
        table.stopped.pop(seat, None)
        self._writer.events.publish(table.id, "seats")


def _check_link(facts: TableFacts, link: bytes, browser: bytes) -> None:
    """Raise unless a link leads to a table; `not_found` for a client without any key."""
    if not facts.has_link(link):
        seats.seat_of_link(facts, link, browser)


async def _check_password(facts: TableFacts, browser: bytes, password: str) -> None:
    """Raise unless a browser has entered before, or there is no password, or this is it."""
    if not facts.password or browser == facts.host or facts.opened_by(browser):
        return
    if not password:
        raise password_needed()
    if not await asyncio.to_thread(matches, password, facts.password):
        raise Refused(403, "wrong-password", phrase("That is not the password of this table."))

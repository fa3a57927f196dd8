"""Actions that change a table. Each takes one path: to disk, into the live table, then to the subscribers of events."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct

from ludotheque.core.errors import CannotUndo, StaleVersion
from ludotheque.core.game import SPECTATOR, TERMINAL
from ludotheque.core.phrases import phrase
from ludotheque.core.premoves import Premove
from ludotheque.server.commands import Ahead
from ludotheque.server.errors import Refused, forbidden, not_found, password_needed, stale_version
from ludotheque.server.keys import digest, new_secret
from ludotheque.server.passwords import matches
from ludotheque.server.storage.database import STORAGE_ERRORS
from ludotheque.server.storage.rows import Change, StoredKey
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.gathering import Gathering
from ludotheque.server.tables.joining import may_be_chosen, swapped
from ludotheque.server.tables.live import LiveTable, Pace, Rights, Seat, UndoRequest, as_plain, seated_at
from ludotheque.show.language import Reader
from ludotheque.table import Dice
from ludotheque.table.clock import change_player
from ludotheque.table.match import Plan
from ludotheque.table.names import check_comment, check_new_name

_LOG: Final = logging.getLogger("ludotheque.server.tables.actions")
Outcome = Literal["done", "asked", "refused"]
T = TypeVar("T")
NO_COMMITMENTS: Final = MappingProxyType[int, str]({})
NO_FACTS: Final = MappingProxyType[str, Any]({})
_ATTEMPTS: Final = 10
"""How often a change of seats, names, keys or bot delay is tried while other processes change the same table."""
_AGAIN_AFTER: Final = 2.0
"""Seconds after which a table is compared with a database that failed."""


class Done(Struct, frozen=True):
    """A change that is on disk."""

    version: int
    ply: int
    outcome: Outcome = "done"


class Newcomer(Struct, frozen=True):
    """Somebody who sits down."""

    reader: Reader
    name: str = ""
    seat: int | None = None
    """The free seat that they want; none: that of their link."""
    commitment: str = ""
    """To the nonce that the browser adds to the dice."""


class TableActions:
    """All ways to change a table."""

    def __init__(
        self,
        live_tables: LiveTables,
        events: TableEvents,
        count_move: Callable[[float], None] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`count_move` is called after each move, with the seconds that it took; `now` tells the time for clocks."""
        self._now = now
        self._live_tables = live_tables
        self._storage = live_tables.storage
        self._events = events
        self._count_move = count_move
        self._under_way: set[asyncio.Task[Any]] = set()
        """The changes that have begun."""
        self._comparing: dict[str, asyncio.Task[None]] = {}
        """By table: what compares it with the database after a change that failed."""

    async def finish(self) -> None:
        """Wait until the changes that have begun are on disk, and published: the server stops."""
        for task in self._comparing.values():
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start something that is finished even if the client that asked for it disconnects, or the server stops."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish a change even if the client that asked for it disconnects."""
        if asyncio.current_task() in self._under_way:
            return await work
        return await asyncio.shield(self.start(work))

    # Moves.

    async def move(self, table: LiveTable, seat: int, version: int, move: int | str | Sequence[int]) -> Done:
        """Play a seat's move and the draws after it."""
        began = time.perf_counter()
        done = await self._to_the_end(self._move(table, seat, version, move))
        if self._count_move:
            self._count_move(time.perf_counter() - began)
        return done

    async def _move(self, table: LiveTable, seat: int, version: int, move: int | str | Sequence[int]) -> Done:
        async with table.lock:
            _check_version(table, version)
            return await self._carry_out(table, table.match.plan(seat, move))

    async def _carry_out(self, table: LiveTable, plan: Plan) -> Done:
        """Store the plies of a plan, and play them."""
        match, over = table.match, plan.to_move == TERMINAL
        change = Change(
            table=table.id, version=table.version, keep=match.ply, plies=plan.plies, to_move=plan.to_move, over=over
        )
        change = await self._write(table, change)
        match.apply(plan)
        if over:
            _LOG.info("a game is over", extra={"table": table.id, "game": table.game.name, "plies": match.ply})
        return self._publish_position(table, change)

    async def decide_ahead(self, table: LiveTable, wanted: Ahead) -> None:
        """Store what a seat decides ahead of its turn, in place of what it decided before. The others learn nothing."""

        async def change() -> None:
            if wanted.situation != table.match.premove_context:
                raise stale_version()
            ahead = {seat: order for seat, order in table.ahead.items() if table.order_of(seat) and seat != wanted.seat}
            if wanted.key:
                ahead[wanted.seat] = _order(table, wanted)
            await self.set_facts(table, {"ahead": {str(seat): as_plain(order) for seat, order in ahead.items()}})
            table.ahead = ahead

        await self.change_facts(table, change)
        self._events.publish(table.id, "ahead")

    async def undo(self, table: LiveTable, seat: int, version: int, rights: Rights) -> Done:
        """Take back a seat's latest move, or ask the others for their consent."""
        return await self._to_the_end(self._undo(table, seat, version, rights))

    async def _undo(self, table: LiveTable, seat: int, version: int, rights: Rights) -> Done:
        async with table.lock:
            _check_version(table, version)
            offer = table.undo_offer(seat, rights)
            if offer.way == "free":
                return await self._rewind(table, offer.to_ply)
            if offer.way == "ask":
                return await self._set_undo_request(table, UndoRequest(seat, offer.to_ply, (), offer.others))
            raise CannotUndo(table.match.undo_rules.why_not(seat))

    async def answer_undo(self, table: LiveTable, seat: int, version: int, agree: bool) -> Done:
        """Agree to what somebody wants to take back, or refuse."""
        return await self._to_the_end(self._answer_undo(table, seat, version, agree))

    async def _answer_undo(self, table: LiveTable, seat: int, version: int, agree: bool) -> Done:
        async with table.lock:
            _check_version(table, version)
            request = table.undo_request
            if request is None or seat not in request.waiting:
                raise CannotUndo(phrase("No undo request is waiting for you."))
            if not agree:
                return msgspec.structs.replace(await self._set_undo_request(table, None), outcome="refused")
            waiting = tuple(other for other in request.waiting if other != seat)
            if not waiting:
                return await self._rewind(table, request.to_ply)
            agreed = (*request.agreed, seat)
            return await self._set_undo_request(table, UndoRequest(request.seat, request.to_ply, agreed, waiting))

    async def _rewind(self, table: LiveTable, to_ply: int) -> Done:
        table.match.undo_rules.check_rewind(to_ply)
        seat = table.match.actions()[to_ply][0]
        if table.match.undo_rules.learnt_since(to_ply) and table.peeked < table.match.ply:
            await self._or_reload(table, self.set_facts(table, {"peeked": table.match.ply}))
            table.peeked = table.match.ply
        change = Change(table=table.id, version=table.version, keep=to_ply, to_move=seat)
        change = await self._write(table, change)
        table.match.rewind(to_ply)
        return self._publish_position(table, change)

    async def _set_undo_request(self, table: LiveTable, request: UndoRequest | None) -> Done:
        match = table.match
        change = Change(
            table=table.id,
            version=table.version,
            keep=match.ply,
            to_move=match.to_move,
            over=match.is_over,
            undo_request=as_plain(request) if request else None,
        )
        change = await self._write(table, change)
        return msgspec.structs.replace(self._publish_position(table, change, request), outcome="asked")

    async def _write(self, table: LiveTable, change: Change) -> Change:
        """Store a change, and return it as it was stored, with the clock."""
        clock = table.clock_after(change.to_move, self._now())
        if clock:
            change = msgspec.structs.replace(change, clock=as_plain(clock))
        await self._or_reload(table, self._storage.change(change))
        table.clock = clock
        return change

    async def _or_reload(self, table: LiveTable, writing: Awaitable[T]) -> T:
        """Wait until a change is stored; if that fails, bring the table up to date with the database."""
        try:
            return await writing
        except StaleVersion:
            # Another process was quicker, so the table in memory is out of date.
            await self._live_tables.reload(table)
            self._events.publish(table.id, "reloaded")
            raise
        except STORAGE_ERRORS:
            self._compare_soon(table)
            raise

    def _compare_soon(self, table: LiveTable) -> None:
        """Compare a table with the database once that works again.

        A change that failed may be stored after all: the connection was lost before PostgreSQL's answer came.
        """
        if table.id not in self._comparing:
            self._comparing[table.id] = asyncio.create_task(self._compare(table))
            self._comparing[table.id].add_done_callback(lambda _: self._comparing.pop(table.id))

    async def _compare(self, table: LiveTable) -> None:
        while True:
            await asyncio.sleep(_AGAIN_AFTER)
            try:
                if await self._live_tables.refresh(table):
                    self._events.publish(table.id, "reloaded")
                return
            except STORAGE_ERRORS as error:
                _LOG.warning("table %s could not be compared with the database: %s", table.id, type(error).__name__)

    def _publish_position(self, table: LiveTable, change: Change, request: UndoRequest | None = None) -> Done:
        table.version += 1
        table.undo_request = request
        self._events.publish(table.id, "position", change=change)
        return Done(table.version, table.match.ply)

    # Names, bot delay and chat.

    async def rename(self, table: LiveTable, seat: int, name: str) -> None:
        check_new_name(name)

        async def change() -> None:
            names = [*table.match.names]
            names[seat] = name
            await self.set_facts(table, {"names": names})
            table.match.rename(seat, name)

        await self.change_facts(table, change)
        self._events.publish(table.id, "names")

    async def count_hint(self, table: LiveTable, seat: int) -> None:
        """Let everybody see that a seat has used a hint."""

        async def change() -> None:
            hints = [*table.hints]
            hints[seat] += 1
            await self.set_facts(table, {"hints": hints})
            table.hints = hints

        await self.change_facts(table, change)
        self._events.publish(table.id, "seats")

    async def set_pace(self, table: LiveTable, pace: Pace) -> None:
        async def change() -> None:
            await self.set_facts(table, {"pace": as_plain(pace)})
            table.pace = pace

        await self.change_facts(table, change)
        self._events.publish(table.id, "pace")

    async def change_facts(
        self, table: LiveTable, change: Callable[[], Awaitable[T]], even_if_closed: bool = False
    ) -> T:
        """Carry out a change of seats, names, keys or bot delay; again if another process was quicker."""

        async def attempt() -> T:
            if not even_if_closed:
                table.check_not_closed()
            return await self._or_reload(table, change())

        async with table.lock:
            for _ in range(_ATTEMPTS - 1):
                with suppress(StaleVersion):
                    return await attempt()
            return await attempt()

    async def set_facts(
        self,
        table: LiveTable,
        facts: dict[str, Any],
        add: Sequence[StoredKey] = (),
        drop: Sequence[bytes] = (),
        version: int | None = None,
    ) -> None:
        """Store facts and keys; with a version, only if the position has not changed. For `change_facts`."""
        await self._storage.set_facts(table.id, table.revision, facts, add, drop, version)
        table.revision += 1
        for key in drop:
            table.keys.pop(key, None)
            table.kinds.pop(key, None)
        for new in add:
            table.add_key(new)

    async def chat(self, table: LiveTable, rights: Rights, text: str, viewer: int | None = None) -> None:
        """Say something; `viewer`: the seat whose view the client looks at, where it holds several."""
        table.check_not_closed()
        seat = table.chat_seat(rights, viewer)
        if not table.muted.isdisjoint((seat, *rights.held)):
            raise forbidden(phrase("The host does not let you chat at this table."))
        name = table.match.names[seat] if seat >= 0 else ""
        check_comment(text)
        line = await self._storage.add_chat(table.id, seat, name, text.strip())
        self._events.publish(table.id, "chat", line)

    # Seats and links.

    def seat_of_link(self, table: LiveTable, secret: str, browser: bytes) -> int:
        """The seat that a link opens; `not_found` for a client without any key."""
        opened = sorted(table.keys.get(digest(secret), set()))
        if not opened:
            table.rights([browser])
            raise forbidden(phrase("This link is not valid here; ask for a new one."))
        return opened[-1]

    async def join(self, table: LiveTable, secret: str, browser: bytes, newcomer: Newcomer, password: str = "") -> int:
        """Give a browser the seat that a link opens, or another free one that it wants, and return that seat."""
        link = digest(secret)
        self.seat_of_link(table, secret, browser)
        await self._check_password(table, browser, password)

        async def change() -> int:
            # Only now: who has just joined by another link may have changed places with this one.
            seat = self.seat_of_link(table, secret, browser)
            if browser in table.browsers(seat):
                return seat
            if not table.leads_to(link):
                raise forbidden(phrase("Another browser has used this link already; ask for a new one."))
            if seat < 0 or table.seats[seat].taken:
                drop = [link] if table.kinds[link] == "once" else []
                await self._renew_if_peeked(table, seat, browser, newcomer)
                await self.set_facts(table, {}, [StoredKey(browser, table.id, seat, "browser")], drop)
                return seat
            return await self._take_seat(table, browser, seat, newcomer)

        taken = await self.change_facts(table, change)
        await self._publish_seated(table)
        return taken

    async def enter(self, table: LiveTable, password: str, browser: bytes) -> None:
        """Let a browser look at a table with a password and an open seat."""
        if not table.has_open_seat and not table.opened_by(browser):
            raise not_found()
        await self._check_password(table, browser, password)
        if not table.password:
            return  # anybody may look, but only as long as a seat is open
        key = StoredKey(browser, table.id, SPECTATOR, "browser")
        await self.change_facts(table, lambda: self.set_facts(table, {}, [key]), even_if_closed=True)

    async def _check_password(self, table: LiveTable, browser: bytes, password: str) -> None:
        """Raise unless a browser has entered before, or there is no password, or this is it."""
        if not table.password or browser == table.host or table.opened_by(browser):
            return
        if not password:
            raise password_needed()
        if not await asyncio.to_thread(matches, password, table.password):
            raise Refused(403, "wrong-password", phrase("That is not the password of this table."))

    async def sit(self, table: LiveTable, seat: int, browser: bytes, newcomer: Newcomer) -> None:
        """Give a browser an open seat."""

        async def change() -> None:
            if not table.seats[seat].open:
                raise _seat_taken()
            await self._take_seat(table, browser, seat, newcomer)

        await self.change_facts(table, change)
        await self._publish_seated(table)

    async def _take_seat(self, table: LiveTable, browser: bytes, first: int, newcomer: Newcomer) -> int:
        """Give a browser a free seat that it has a link to, or the one it wants; the two then change places."""
        wanted = first if newcomer.seat is None else newcomer.seat
        if wanted != first and not (may_be_chosen(table, first) and may_be_chosen(table, wanted)):
            raise _seat_taken()
        if newcomer.name:
            check_new_name(newcomer.name)
        await self._renew_if_peeked(table, wanted, browser, newcomer)
        swap = swapped(table, first, wanted, newcomer.name, newcomer.reader)
        add, drop = [StoredKey(browser, table.id, wanted, "browser")], []
        if wanted != first:
            drop = [*table.links(first), *table.links(wanted)]
            add += [StoredKey(key, table.id, wanted, "link") for key in table.links(first)]
            add += [StoredKey(key, table.id, first, "link") for key in table.links(wanted)]
        await self.set_seats(table, swap.seats, add, drop, {wanted: newcomer.commitment}, swap.names)
        return wanted

    async def _publish_seated(self, table: LiveTable) -> None:
        """Show who sits down; the dice may draw if nobody is missing any more.

        A draw that fails is no reason to refuse the newcomer: the seat is stored, and their browser must get its key.
        `TableDice` makes the draw later.
        """
        self._events.publish(table.id, "seats")
        self._events.publish(table.id, "names")
        self._events.publish(table.id, "facts")
        try:
            await self.draw(table)
        except Exception as error:
            _LOG.warning("the dice of table %s did not draw when somebody sat down", table.id, exc_info=error)

    async def _renew_if_peeked(self, table: LiveTable, seat: int, browser: bytes, newcomer: Newcomer) -> None:
        """Give a table fresh dice if a newcomer sits down where others have seen what the old ones would draw."""
        if seat >= 0 and table.is_peeked and not table.holds_seat(browser):
            await self._renew_dice(table, Gathering.of_seated() if newcomer.commitment else Gathering())

    async def _renew_dice(self, table: LiveTable, gathering: Gathering) -> None:
        """Give a table fresh dice, so that nothing before them can be taken back; `gathering`: what people may add."""
        dice = Dice.fresh(since=table.match.ply, is_open=gathering.state != "closed")
        facts = {
            "seed": dice.seed,
            "commitment": dice.commitment,
            "dice_since": dice.since,
            "nonces": as_plain(gathering),
            "peeked": 0,
            "undo_request": None,
        }
        await self.set_facts(table, facts, version=table.version)
        table.version += 1
        table.gathering, table.peeked, table.match.dice = gathering, 0, dice
        table.undo_request = None
        self._events.publish(table.id, "position")

    async def draw(self, table: LiveTable) -> None:
        """Make the draws that are due, if the dice can draw."""
        await self._to_the_end(self._draw(table))

    async def _draw(self, table: LiveTable) -> None:
        async with table.lock:
            if table.is_draw_due:
                await self._carry_out(table, table.match.plan_draws())

    async def set_seats(
        self,
        table: LiveTable,
        changed: dict[int, Seat],
        add: Sequence[StoredKey] = (),
        drop: Sequence[bytes] = (),
        commitments: Mapping[int, str] = NO_COMMITMENTS,
        names: Sequence[str] | None = None,
        more: Mapping[str, Any] = NO_FACTS,
    ) -> None:
        """Change seats, names and keys together, and `more` facts; for `change_facts`.

        `commitments`: to what newly seated people add to the dice.
        """
        seats = [changed.get(number, seat) for number, seat in enumerate(table.seats)]
        has_open_seat = any(seat.open for seat in seats)
        is_complete = all(seat.taken for seat in seats)
        gathering = table.gathering.seated(commitments, is_complete) if commitments else table.gathering
        facts: dict[str, Any] = {"seats": as_plain(seats), "has_open_seat": has_open_seat, **more}
        if gathering is not table.gathering:
            facts["nonces"] = as_plain(gathering)
        if names is not None:
            facts["names"] = [*names]
        at = self._now()
        seated = seated_at(seats, table.seated_at, at)
        if seated != table.seated_at:
            facts["seated_at"] = seated
        clock = table.clock_if_seated(seated, at)
        stops = clock is not table.clock
        if stops:
            facts["clock"] = as_plain(clock)
        # Moves change the clock too, so that one which was made meanwhile comes first.
        await self.set_facts(table, facts, add, drop, table.version if stops else None)
        table.version += stops
        table.seats, table.seated_at, table.clock = seats, seated, clock
        table.set_dice(gathering)
        for seat, name in enumerate(names or ()):
            table.match.rename(seat, name)
        if stops:
            self._events.publish(table.id, "position")

    async def replace_bot(self, table: LiveTable, seat: int, level: str, rights: Rights) -> None:
        """Give the seat of a bot to another bot; without a level, to the person whom it plays for, or else to the one
        who sits down first."""
        if not rights.is_host:
            raise forbidden(phrase("Only the host can replace a bot."))
        if table.seats[seat].stands_in and not level:
            await self.stand_in(table, seat, level, rights)
            return

        async def change() -> None:
            bot = table.seats[seat]
            if bot.who != "bot" or table.match.is_over:
                raise Refused(409, "no-bot", phrase("There is no bot at that seat."))
            other = msgspec.structs.replace(bot, level=level) if level else Seat("person", open=True)
            await self.set_seats(table, {seat: other})
            table.stopped.pop(seat, None)

        await self.change_facts(table, change)
        self._events.publish(table.id, "seats")

    async def stand_in(self, table: LiveTable, seat: int, level: str, rights: Rights) -> None:
        """Let a bot play on for a person who has left or whose time is up; without a level, give the seat back."""
        if seat not in rights.lent:
            rights.check_seated()

        async def change() -> None:
            other = self._bot_for(table, seat, level) if level else _person_again(table, seat)
            if not level and other.taken and table.is_peeked:
                await self._renew_dice(table, Gathering.of_seated() if table.gathering.nonces else Gathering())
            seats = [other if number == seat else old for number, old in enumerate(table.seats)]
            at, rule = self._now(), table.terms.clock
            seated = seated_at(seats, table.seated_at, at)
            clock = table.clock_if_seated(seated, at)
            if rule and clock:
                clock = change_player(rule, clock, seat, at, table.seated_at)
            facts = {
                "seats": as_plain(seats),
                "has_open_seat": any(seat.open for seat in seats),
                "seated_at": seated,
                "clock": as_plain(clock),
                "driver": self._storage.process,
            }
            await self.set_facts(table, facts, version=table.version)
            table.version += 1
            table.seats, table.seated_at, table.clock = seats, seated, clock
            table.stopped.pop(seat, None)

        await self.change_facts(table, change)
        self._events.publish(table.id, "seats")
        self._events.publish(table.id, "position")

    def _bot_for(self, table: LiveTable, seat: int, level: str) -> Seat:
        if not table.may_stand_in(seat, self._now()):
            raise Refused(409, "not-now", phrase("A bot plays on only for a person who has left or whose time is up."))
        return Seat("bot", level, taken=True, stands_in=True)

    async def new_link(self, table: LiveTable, seat: int, rights: Rights) -> str:
        """Make a spectator link; for a holder, a link for one more browser; for the host, the link to a free seat."""
        if seat == SPECTATOR:
            rights.check_seated()
            return await self._add_link(table, seat, "link")
        if seat in rights.seats:
            return await self._add_link(table, seat, "once")

        def replaced() -> set[bytes]:
            if not (rights.is_host and table.seats[seat].who == "person" and not table.seats[seat].taken):
                raise forbidden(phrase("A link to a seat is for its holder, or for the host while nobody sits there."))
            return table.links(seat)

        return await self._add_link(table, seat, "link", replaced)

    async def replace_link(self, table: LiveTable, seat: int, rights: Rights) -> str:
        """Make a new link to a seat in place of all its keys, so that nobody holds it any more; for the host."""
        rights.check_host()

        def replaced() -> set[bytes]:
            if table.seats[seat].who != "person" or seat in rights.seats:
                raise forbidden(phrase("Only the link of another person's seat can be replaced."))
            return table.holders(seat)

        return await self._add_link(table, seat, "link", replaced)

    async def _add_link(
        self, table: LiveTable, seat: int, kind: str, replaced: Callable[[], Iterable[bytes]] = tuple
    ) -> str:
        """Make a link in place of the keys that `replaced` returns; it is asked once nobody else changes the table."""
        secret = new_secret()
        key = StoredKey(digest(secret), table.id, seat, kind)

        async def change() -> None:
            drop = [*replaced()]
            kept = [
                StoredKey(old, table.id, other, table.kinds[old]) for old in drop for other in table.keys[old] - {seat}
            ]
            seats = {seat: Seat("person", open=table.seats[seat].open)} if drop else {}
            await self.set_seats(table, seats, add=[key, *kept], drop=drop)

        await self.change_facts(table, change)
        self._events.publish(table.id, "seats")
        return secret

    async def end_spectator_links(self, table: LiveTable, rights: Rights) -> None:
        """End all spectator links, and the browsers that came by one; for the host."""
        rights.check_host()

        async def change() -> None:
            ended = [key for key, seats in table.keys.items() if seats == {SPECTATOR} and key != table.host]
            await self.set_facts(table, {}, drop=ended)

        await self.change_facts(table, change)
        self._events.publish(table.id, "seats")

    async def leave(self, table: LiveTable, digests: Sequence[bytes]) -> None:
        """Delete these keys; a seat that nobody holds any more becomes free, and open if no link leads to it."""
        dropped = set(digests)

        def now_free(seat: int) -> Seat:
            return Seat("person", open=table.holders(seat) <= dropped and not table.match.is_over)

        async def change() -> None:
            left = {seat for key in dropped for seat in table.keys.get(key, ()) if seat >= 0}
            freed = [seat for seat in left if table.browsers(seat) <= dropped and table.seats[seat].who == "person"]
            await self.set_seats(table, {seat: now_free(seat) for seat in freed}, drop=[*dropped])

        await self.change_facts(table, change, even_if_closed=True)
        self._events.publish(table.id, "seats")


def _person_again(table: LiveTable, seat: int) -> Seat:
    """The seat of a person that a bot played for; open if nobody holds it."""
    if not table.seats[seat].stands_in or table.match.is_over:
        raise Refused(409, "not-now", phrase("No bot plays for a person there."))
    is_held = bool(table.browsers(seat))
    return Seat("person", taken=is_held, open=not is_held)


def _order(table: LiveTable, wanted: Ahead) -> Premove:
    """What a seat decides, if the game offers it."""
    for offer in table.match.premove_offers(wanted.seat):
        if offer.key == wanted.key and (not offer.highest or offer.lowest <= wanted.amount <= offer.highest):
            return Premove(wanted.key, wanted.situation, wanted.amount)
    raise Refused(409, "not-now", phrase("That cannot be decided ahead now."))


def _seat_taken() -> Refused:
    return Refused(409, "seat-taken", phrase("That seat is not open, or somebody has just sat down there."))


def _check_version(table: LiveTable, version: int) -> None:
    table.check_not_closed()
    if version != table.version:
        raise stale_version()

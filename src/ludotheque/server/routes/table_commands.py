"""Commands at a table, one entry each: HTTP handlers, the socket, OpenAPI and the list of routes are made from them.

A new command is a struct in `server.commands`, the method that carries it out, and an entry here. Commands that need
more of the request than its table and its rights, or answer with more than that it is done, have a route each.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Generic, Literal, TypeVar, cast

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.game import SPECTATOR
from ludotheque.server import commands
from ludotheque.server.commands import Command, SeatCommand
from ludotheque.server.routes.context import ERRORS, Context, Ok, Services, TableId, check_seat
from ludotheque.server.tables.facts import Pace, Rights
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.tables.writing import Done

C = TypeVar("C", bound=Command)
CHAT_BYTES: Final = 100
"""About as many as a line of chat takes in the database besides its text."""
Who = Literal["anyone", "seated", "holder", "host"]
"""People who may give a command: anyone who may look at the table, those who sit there, the holder of the seat that the
command names, or the host."""


class Visit(Struct, frozen=True):
    """A client at a table, and what it may do there."""

    services: Services
    table: LiveTable
    rights: Rights
    viewer: int | None = None
    """The viewer that the client's socket shows; none over HTTP."""
    address: str = ""


class TableCommand(Struct, Generic[C], frozen=True, kw_only=True):
    """A command at a table: what a client sends, who may, and what is done."""

    name: str
    path: str
    """Below `/api/tables/{table_id}`."""
    sent: type[C]
    who: Who
    act: Callable[[Visit, C], Awaitable[Done | None]]
    purpose: str
    """For readers of the API."""
    answer: type[Done] | type[Ok] = Ok
    limit: str = "act"
    """The rate limit that counts it; over a socket, `message` takes the place of `act`."""
    message: type[C] | None = None
    """The message that sends it over a socket; none: only HTTP does."""

    async def carry_out(self, visit: Visit, sent: C) -> Done | None:
        """Carry out the command if the client may give it."""
        self._check(visit, sent)
        return await self.act(visit, sent)

    def _check(self, visit: Visit, sent: C) -> None:
        seat = sent.seat if isinstance(sent, SeatCommand) else SPECTATOR
        if seat != SPECTATOR:
            check_seat(visit.table, seat)
        if self.who == "holder":
            visit.rights.check_seat(seat)
        elif self.who == "seated":
            visit.rights.check_seated()
        elif self.who == "host":
            visit.rights.check_host()


async def _change_player(
    at: Visit,
    sent: commands.ReplaceBot | commands.Substitute,
    change: Callable[[LiveTable, int, str, Rights], Awaitable[None]],
) -> None:
    """Let another bot, or a person, play for a seat."""
    level = at.services.bots.check(sent.level, at.table.game) if sent.level else ""
    await change(at.table, sent.seat, level, at.rights)
    at.services.custom_bots.leave(at.table.id)


async def _chat(at: Visit, sent: commands.Chat) -> None:
    """Store a line of chat, at the cost of the network that sends it."""
    at.services.limits.count_stored(at.address, CHAT_BYTES + len(sent.text.encode()))
    await at.services.actions.chat(at.table, at.rights, sent.text, at.viewer, sent.ready)


async def _set_watchable(at: Visit, watchable: bool) -> None:
    """Let everyone watch a table, or only those who have a key to it."""
    if watchable and not at.table.facts.watchable:
        await at.services.opener.list_table(at.address, at.table.id)
    await at.services.moderation.set_watchable(at.table, watchable)


async def _end(at: Visit, ending: Awaitable[None]) -> Done:
    """End a game, or a person's part in it; the processes of custom bots end with the game."""
    await ending
    if at.table.match.is_over:
        at.services.custom_bots.leave(at.table.id)
    return Done(at.table.version, at.table.match.ply)


_ENTRIES: Final = (
    # Play.
    TableCommand(
        name="move",
        path="/moves",
        sent=commands.Move,
        message=commands.MoveMessage,
        who="holder",
        act=lambda at, sent: at.services.actions.move(at.table, sent.seat, sent.version, sent.move),
        answer=Done,
        purpose="Play a move; it is on disk when the answer comes.",
    ),
    TableCommand(
        name="undo",
        path="/undo",
        sent=commands.Undo,
        message=commands.UndoMessage,
        who="holder",
        act=lambda at, sent: at.services.actions.undo(at.table, sent.seat, sent.version, at.rights),
        answer=Done,
        purpose="Take back one's latest move, or ask the others.",
    ),
    TableCommand(
        name="answer_undo",
        path="/undo/answer",
        sent=commands.UndoAnswer,
        message=commands.UndoAnswerMessage,
        who="holder",
        act=lambda at, sent: at.services.actions.answer_undo(at.table, sent.seat, sent.version, sent.agree),
        answer=Done,
        purpose="Agree to what someone wants to take back, or refuse.",
    ),
    TableCommand(
        name="resign",
        path="/resign",
        sent=commands.Resign,
        message=commands.ResignMessage,
        who="holder",
        act=lambda at, sent: _end(at, at.services.endings.resign(at.table, sent.seat)),
        answer=Done,
        purpose="Give up one's seat: the other player wins; with more than two seats, a bot plays on.",
    ),
    TableCommand(
        name="offer_end",
        path="/end",
        sent=commands.OfferEnd,
        message=commands.OfferEndMessage,
        who="seated",
        act=lambda at, _: _end(at, at.services.endings.offer(at.table, at.rights)),
        answer=Done,
        purpose="Ask the others to end the game without a winner; it ends at once where no one else plays.",
    ),
    TableCommand(
        name="answer_end_offer",
        path="/end/answer",
        sent=commands.AnswerEndOffer,
        message=commands.AnswerEndOfferMessage,
        who="seated",
        act=lambda at, sent: _end(at, at.services.endings.answer(at.table, at.rights, sent.agree)),
        answer=Done,
        purpose="Agree to end the game without a winner, refuse, or withdraw one's offer.",
    ),
    TableCommand(
        name="set_premove",
        path="/ahead",
        sent=commands.SetPremove,
        who="holder",
        act=lambda at, sent: at.services.actions.set_premove(at.table, sent),
        purpose="Decide ahead of one's turn; the table plays it as an ordinary move, and the others do not learn of it"
        " before.",
    ),
    TableCommand(
        name="rename",
        path="/name",
        sent=commands.Rename,
        who="holder",
        act=lambda at, sent: at.services.actions.rename(at.table, sent.seat, sent.name),
        purpose="Rename one's seat.",
    ),
    TableCommand(
        name="pace",
        path="/pace",
        sent=commands.SetPace,
        who="seated",
        act=lambda at, sent: at.services.actions.set_pace(at.table, Pace(sent.seconds, sent.paused)),
        purpose="Make the bots play faster or slower, or pause.",
    ),
    TableCommand(
        name="chat",
        path="/chat",
        sent=commands.Chat,
        message=commands.ChatMessage,
        who="anyone",
        limit="chat",
        act=lambda at, sent: _chat(at, sent),
        purpose="Say something at the table: a text, or a ready phrase by its key.",
    ),
    TableCommand(
        name="refuse_rematch",
        path="/rematch/refuse",
        sent=commands.RefuseRematch,
        who="seated",
        act=lambda at, _: at.services.rematches.refuse(at.table, at.rights),
        purpose="Refuse to play again, or withdraw one's request.",
    ),
    # Seats.
    TableCommand(
        name="replace_bot",
        path="/bot",
        sent=commands.ReplaceBot,
        who="anyone",
        act=lambda at, sent: _change_player(at, sent, at.services.seating.replace_bot),
        purpose="Give the seat of a bot to another bot, back to its person, or open it to people; for the host.",
    ),
    TableCommand(
        name="substitute",
        path="/stand-in",
        sent=commands.Substitute,
        who="anyone",
        act=lambda at, sent: _change_player(at, sent, at.services.seating.substitute),
        purpose="Let a bot play on for a person who has left or whose time is up, or give the seat back.",
    ),
    TableCommand(
        name="end_spectator_links",
        path="/links/end",
        sent=commands.EndSpectatorLinks,
        who="host",
        limit="join",
        act=lambda at, _: at.services.seating.end_spectator_links(at.table),
        purpose="End all spectator links, and the browsers that came by one; for the host.",
    ),
    # Dice.
    TableCommand(
        name="commit",
        path="/commitments",
        sent=commands.Commit,
        who="holder",
        act=lambda at, sent: at.services.dice.commit(at.table, sent.seat, sent.commitment),
        purpose="Commit to a nonce for a seat that one holds already: at a rematch, or where the dice are fresh.",
    ),
    TableCommand(
        name="reveal",
        path="/nonces",
        sent=commands.Reveal,
        who="holder",
        act=lambda at, sent: at.services.dice.reveal(at.table, sent.seat, sent.nonce),
        purpose="Reveal the nonce that a seat committed to.",
    ),
    TableCommand(
        name="start",
        path="/start",
        sent=commands.Start,
        who="host",
        act=lambda at, _: at.services.dice.start(at.table),
        purpose="Let the dice draw without what the missing people would add; for the host.",
    ),
    # Moderation.
    TableCommand(
        name="free_seat",
        path="/free",
        sent=commands.SeatToFree,
        who="host",
        act=lambda at, sent: at.services.moderation.free_seat(at.table, sent.seat, at.rights),
        purpose="End all keys to another person's seat; for the host.",
    ),
    TableCommand(
        name="mute",
        path="/mute",
        sent=commands.Mute,
        who="host",
        act=lambda at, sent: at.services.moderation.mute(at.table, sent.seat, sent.muted, at.rights),
        purpose="Stop a seat, or all spectators, from chatting, or let them chat again; for the host.",
    ),
    TableCommand(
        name="set_password",
        path="/password",
        sent=commands.SetPassword,
        who="host",
        limit="password",
        act=lambda at, sent: at.services.moderation.set_password(at.table, sent.password),
        purpose="Ask a password of anyone who comes from now on; for the host.",
    ),
    TableCommand(
        name="set_watchable",
        path="/watchable",
        sent=commands.SetWatchable,
        who="host",
        limit="join",
        act=lambda at, sent: _set_watchable(at, sent.watchable),
        purpose="Let everyone watch and list the game on the home page, or only those with a link; for the host.",
    ),
    TableCommand(
        name="close",
        path="/close",
        sent=commands.Close,
        who="host",
        act=lambda at, _: at.services.moderation.close(at.table),
        purpose="Close a table: from now on it can only be looked at; for the host.",
    ),
)
"""All commands, each with the type of what it is sent."""

COMMANDS: Final[Sequence[TableCommand[Any]]] = _ENTRIES
BY_MESSAGE: Final = {command.message: command for command in COMMANDS if command.message}
"""The commands that a socket takes, by the type of the message."""


def _http_handler(command: TableCommand[Any]) -> HTTPRouteHandler:
    """The handler that takes a command over HTTP."""

    async def carry_out(table_id: str, data: Any, context: Any) -> Any:
        context.limit(command.limit)
        table, rights = await context.enter(table_id)
        visit = Visit(context.services, table, rights, address=context.caller.address)
        return await command.carry_out(visit, data) or Ok()

    carry_out.__name__, carry_out.__doc__ = command.name, command.purpose
    # Litestar reads the signature of a handler.
    carry_out.__annotations__ = {
        "table_id": TableId,
        "data": cast(Any, JSONBody)[command.sent],
        "context": Context,
        "return": command.answer,
    }
    return post(f"/tables/{{table_id:str}}{command.path}", status_code=200, responses=ERRORS)(carry_out)


HANDLERS: Final = tuple(_http_handler(command) for command in COMMANDS)

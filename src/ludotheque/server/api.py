"""The JSON API: everything that the page does, and programs may do as well."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final, Literal

from librt.random import Random
from litestar import MediaType, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from msgspec import Struct, structs

from ludotheque.core.choices import Choice
from ludotheque.core.errors import BadRecord
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.registry import game_class, game_names
from ludotheque.core.words import say
from ludotheque.server import requests
from ludotheque.server.acting import Done
from ludotheque.server.art import art_of, picture
from ludotheque.server.bots import HINT_LEVEL, LEVELS, question
from ludotheque.server.desk import Desk, check_seat, check_to_move, viewer_for
from ludotheque.server.drawing import (
    TableView,
    ToldScene,
    difference,
    draw,
    eyes,
    past_view,
    plain_observation,
    present_view,
    telling,
    told_piece,
    told_tables,
)
from ludotheque.server.errors import ErrorBody, Refused
from ludotheque.server.guard import PICTURE_POLICY
from ludotheque.server.house import LiveTable, Pace, Summary
from ludotheque.server.keys import digest
from ludotheque.server.opening import Opened, open_record, open_table
from ludotheque.server.requests import move_of
from ludotheque.server.words import Reader
from ludotheque.table import Record, read_record, write_json, write_text
from ludotheque.table.record_file import RECORD_LENGTH

FOR_EVER: Final = "private, max-age=31536000, immutable"
ERRORS: Final = {
    status: ResponseSpec(ErrorBody, description=description, generate_examples=False)
    for status, description in {
        400: "Malformed, or a set-up that cannot be.",
        403: "Not for you.",
        404: "No such thing, or none that you may know of.",
        409: "Not now; look again.",
        413: "Too large.",
        415: "Not JSON.",
        422: "The rules say no.",
        429: "Too often.",
    }.items()
}
Here = NamedDependency[Desk]
TableId = Annotated[str, PathParameter(max_length=32)]
At = Annotated[int | None, QueryParameter(name="at", ge=0, le=2**31 - 1, description="A ply; none: now.")]
As = Annotated[int | None, QueryParameter(name="as", ge=-5, le=63, description="One of your seats, or -5 to watch.")]
Form = FromQuery[Literal["json", "text"]]
QuerySeat = Annotated[int, QueryParameter(ge=0, le=63)]
QueryNumber = Annotated[int, QueryParameter(ge=0, le=2**31 - 1)]


class OptionCard(Struct, frozen=True):
    """An option of a game."""

    name: str
    help: str
    kind: str
    default: Any
    choices: tuple[int | str, ...]


class GameCard(Struct, frozen=True):
    """A game on the shelf."""

    name: str
    title: str
    sentence: str
    min_players: int
    max_players: int
    options: tuple[OptionCard, ...]
    has_hidden_information: bool
    picture: str
    rules: str


class LevelCard(Struct, frozen=True):
    """A bot to play against."""

    level: str
    name: str


class SeatTaken(Struct, frozen=True):
    """What a client may look through now."""

    seat: int


class Link(Struct, frozen=True):
    url: str


class Hint(Struct, frozen=True):
    """What a bot would do."""

    action: int
    keys: tuple[str, ...]
    label: str
    sentence: str


class Preview(Struct, frozen=True):
    """What an action would do."""

    changes: ToldScene
    lines: tuple[str, ...]


class Fine(Struct, frozen=True):
    """It is done."""

    done: Literal[True] = True


def game_card(kind: type[Game], reader: Reader) -> GameCard:
    translate = reader.translate
    return GameCard(
        kind.name,
        translate(kind.title),
        translate(kind.sentence),
        kind.min_players,
        kind.max_players,
        tuple(OptionCard(o.name, translate(o.help), o.kind, o.default, o.choices) for o in kind.options),
        kind.has_hidden_information,
        f"/api/games/{kind.name}/picture.svg",
        f"/rules/{kind.name}",
    )


def known_game(name: str) -> type[Game]:
    """The class of a game in an address."""
    if name not in game_names():
        raise Refused(404, "not-found", say("There is no such game."))
    return game_class(name)


# The shelf.


@get("/games", responses=ERRORS)
async def games(desk: Here) -> list[GameCard]:
    """The games, with their options."""
    return [game_card(game_class(name), desk.reader) for name in game_names()]


@get("/games/{name:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def game_picture(name: Annotated[str, PathParameter(max_length=64)]) -> Response[str]:
    """A position in mid-game."""
    return svg(picture(known_game(name).name), "public, max-age=86400")


@get("/levels", responses=ERRORS)
async def levels(desk: Here) -> list[LevelCard]:
    """The bots, weakest first."""
    return [LevelCard(level.level, level.name.told(desk.reader.translate)) for level in LEVELS]


# Finding and opening tables.


@post("/tables", responses=ERRORS)
async def new_table(data: JSONBody[requests.NewTable], desk: Here) -> Response[Opened]:
    """Start a table; its links are told this once."""
    desk.limit("create")
    caller = desk.caller.known()
    table, opened = await open_table(desk.house, data, digest(caller.browser), desk.reader)
    desk.rooms.runner.wake(table)
    return Response(opened, cookies=[caller.cookie()])


@post("/records", responses=ERRORS, request_max_body_size=2 * RECORD_LENGTH)
async def new_record(data: JSONBody[requests.NewRecord], desk: Here) -> Response[Opened]:
    """Take up a record as a table."""
    desk.limit("create")
    caller = desk.caller.known()
    try:
        found = await asyncio.to_thread(read_record, data.record)
    except BadRecord as error:
        raise BadRecord(say("This record cannot be opened. {reason}", reason=str(error))) from error
    _, opened = await open_record(desk.house, found, digest(caller.browser))
    return Response(opened, cookies=[caller.cookie()])


@get("/tables", responses=ERRORS)
async def open_tables(desk: Here) -> list[Summary]:
    """The tables that anybody may join."""
    return await desk.open_tables()


@get("/mine", responses=ERRORS)
async def my_tables(desk: Here) -> list[Summary]:
    """The tables that this client has a key to, latest first."""
    return await desk.my_tables()


@post("/tables/{table_id:str}/join", status_code=200, responses=ERRORS)
async def join(table_id: TableId, data: JSONBody[requests.Join], desk: Here) -> Response[SeatTaken]:
    """Let this browser have what a link opens."""
    desk.limit("join")
    table = await desk.house.table(table_id)
    caller = desk.caller.known()
    seat = await desk.acting.join(table, data.secret, digest(caller.browser))
    return Response(SeatTaken(seat), cookies=[caller.cookie()])


@post("/tables/{table_id:str}/sit", status_code=200, responses=ERRORS)
async def sit(table_id: TableId, data: JSONBody[requests.Sit], desk: Here) -> Response[SeatTaken]:
    """Take an open seat."""
    desk.limit("join")
    table, _ = await desk.enter(table_id)
    check_seat(table, data.seat)
    caller = desk.caller.known()
    await desk.acting.sit(table, data.seat, data.name, digest(caller.browser))
    return Response(SeatTaken(data.seat), cookies=[caller.cookie()])


@post("/tables/{table_id:str}/links", status_code=200, responses=ERRORS)
async def new_link(table_id: TableId, data: JSONBody[requests.NewLink], desk: Here) -> Link:
    """Make another link to a seat, or to watch."""
    desk.limit("join")
    table, rights = await desk.enter(table_id)
    if data.seat != SPECTATOR:
        check_seat(table, data.seat)
    return Link(f"/t/{table.id}#{await desk.acting.new_link(table, data.seat, rights)}")


@post("/tables/{table_id:str}/leave", status_code=200, responses=ERRORS)
async def leave(table_id: TableId, data: JSONBody[requests.Nothing], desk: Here) -> Fine:
    """Forget a table; a seat that nobody else holds becomes open."""
    table, _ = await desk.enter(table_id)
    await desk.acting.leave(table, desk.caller.digests)
    return Fine()


# Looking.


@get("/tables/{table_id:str}", responses=ERRORS)
async def table_view(table_id: TableId, desk: Here, at: At = None, as_: As = None) -> TableView:
    """A table as the caller may know it, now or as it was at a ply."""
    table, rights = await desk.enter(table_id)
    viewer = viewer_for(table, rights, as_)
    art = art_of(table.game)
    if at is not None:
        return past_view(table, viewer, at, desk.reader, art, rights)
    drawing = draw(table, viewer, desk.reader)
    hand_over = eyes(table, rights, as_)[1]
    view = present_view(table, viewer, drawing, art, rights, desk.rooms.presences.of(table), hand_over=hand_over)
    return structs.replace(view, observation=plain_observation(table.match.view(viewer)))


@get("/tables/{table_id:str}/backdrop.svg", media_type="image/svg+xml", responses=ERRORS)
async def backdrop(table_id: TableId, desk: Here) -> Response[str]:
    """The part of the picture that never changes, without its styles."""
    table, _ = await desk.enter(table_id)
    return svg(art_of(table.game).svg, FOR_EVER)


@get("/tables/{table_id:str}/backdrop.css", media_type="text/css", responses=ERRORS)
async def backdrop_styles(table_id: TableId, desk: Here) -> Response[str]:
    """The styles of the picture."""
    table, _ = await desk.enter(table_id)
    return Response(art_of(table.game).css, media_type="text/css", headers={"Cache-Control": FOR_EVER})


@get("/tables/{table_id:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS)
async def table_picture(table_id: TableId, desk: Here, at: At = None, as_: As = None) -> Response[str]:
    """The whole picture."""
    table, rights = await desk.enter(table_id)
    view = table.match.view(viewer_for(table, rights, as_), at)
    scene = table.game.scene(view.observation)
    return svg(scene.to_svg(table.game.backdrop(), desk.reader.translate), "no-store")


@get("/tables/{table_id:str}/record", media_type=MediaType.TEXT, responses=ERRORS)
async def record(table_id: TableId, desk: Here, form: Form = "json", as_: As = None) -> Response[bytes]:
    """The record as a file, without what the caller did not see until the game is over."""
    table, rights = await desk.enter(table_id)
    seen = Record.seen_by(table.match, viewer_for(table, rights, as_))
    as_text = form == "text"
    name = f"{table.game.name}-{table.id}.{'txt' if as_text else 'json'}"
    return Response(
        (write_text(seen) if as_text else write_json(seen)).encode(),
        media_type="text/plain; charset=utf-8" if as_text else "application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


# Acting.


@post("/tables/{table_id:str}/moves", status_code=200, responses=ERRORS)
async def move(table_id: TableId, data: JSONBody[requests.Move], desk: Here) -> Done:
    """Play a move; it is on disk when the answer comes."""
    desk.limit("act")
    table, _ = await desk.enter_seat(table_id, data.seat)
    return await desk.acting.move(table, data.seat, data.version, move_of(data.action, data.text))


@post("/tables/{table_id:str}/undo", status_code=200, responses=ERRORS)
async def undo(table_id: TableId, data: JSONBody[requests.Undo], desk: Here) -> Done:
    """Take back one's latest move, or ask the others."""
    desk.limit("act")
    table, rights = await desk.enter_seat(table_id, data.seat)
    return await desk.acting.undo(table, data.seat, data.version, rights)


@post("/tables/{table_id:str}/undo/answer", status_code=200, responses=ERRORS)
async def answer_undo(table_id: TableId, data: JSONBody[requests.UndoAnswer], desk: Here) -> Done:
    """Agree to what somebody wants to take back, or not."""
    desk.limit("act")
    table, _ = await desk.enter_seat(table_id, data.seat)
    return await desk.acting.answer_undo(table, data.seat, data.version, data.agree)


@post("/tables/{table_id:str}/name", status_code=200, responses=ERRORS)
async def rename(table_id: TableId, data: JSONBody[requests.Rename], desk: Here) -> Fine:
    """Call one's seat by another name."""
    desk.limit("act")
    table, _ = await desk.enter_seat(table_id, data.seat)
    await desk.acting.rename(table, data.seat, data.name)
    return Fine()


@post("/tables/{table_id:str}/pace", status_code=200, responses=ERRORS)
async def pace(table_id: TableId, data: JSONBody[requests.NewPace], desk: Here) -> Fine:
    """Make the bots play faster or slower, or pause."""
    desk.limit("act")
    table, rights = await desk.enter(table_id)
    rights.check_seated()
    await desk.acting.set_pace(table, Pace(data.seconds, data.paused))
    return Fine()


@post("/tables/{table_id:str}/chat", status_code=200, responses=ERRORS)
async def chat(table_id: TableId, data: JSONBody[requests.Chat], desk: Here) -> Fine:
    """Say something at the table."""
    desk.limit("chat")
    table, rights = await desk.enter(table_id)
    await desk.acting.chat(table, viewer_for(table, rights, None), data.text)
    return Fine()


@post("/tables/{table_id:str}/hint", status_code=200, responses=ERRORS)
async def hint(table_id: TableId, data: JSONBody[requests.HintWanted], desk: Here) -> Hint:
    """What a bot would do."""
    desk.limit("think")
    table, _ = await desk.enter_seat(table_id, data.seat)
    check_to_move(table, data.seat, data.version)
    choices = table.match.choices(data.seat)
    action = await desk.rooms.thinkers.think(question(table, data.seat, HINT_LEVEL))
    path = path_to(choices, action)
    tell = telling(desk.reader, table.match.names)
    label = ", ".join(tell(node.step.label) for node in path)
    sentence = tell(say("A bot would choose: {label}.", label=label))
    return Hint(action, tuple(node.step.key for node in path), label, sentence)


@get("/tables/{table_id:str}/preview", responses=ERRORS)
async def preview(table_id: TableId, desk: Here, seat: QuerySeat, version: QueryNumber, action: QueryNumber) -> Preview:
    """What an action would do, before anything is drawn.

    It is tried out in a position that the seat cannot tell from the true one, so it gives nothing away.
    """
    table, _ = await desk.enter_seat(table_id, seat)
    check_to_move(table, seat, version)
    before = table.match.resampled(seat, Random(version))
    after = before.clone()
    after.apply_action(action)
    if table.game.reveals(before, action):
        raise Refused(404, "not-found", say("What this would show is hidden until it is done."))
    tell = telling(desk.reader, table.match.names)
    lines = tuple(tell(phrase) for phrase in table.game.describe(before, action, after, seat))
    return Preview(_changes(table, seat, desk.reader, table.game.observe(after, seat)), lines)


def _changes(table: LiveTable, seat: int, reader: Reader, observation: object) -> ToldScene:
    """A scene as a change to the present one of a seat."""
    drawing = draw(table, seat, reader)
    scene = table.game.scene(observation)
    found = difference(drawing.pieces, {piece.id: piece for piece in scene.pieces})
    return ToldScene(
        title=drawing.telling(scene.title),
        width=scene.width,
        height=scene.height,
        base=table.version,
        pieces=tuple(told_piece(piece, drawing.telling) for piece in found.changed),
        gone=found.gone,
        tables=told_tables(scene.tables, drawing.telling),
    )


def path_to(choices: tuple[Choice, ...], action: int) -> tuple[Choice, ...]:
    """The choices that lead to an action."""
    for node in choices:
        if node.action == action:
            return (node,)
        rest = path_to(node.children, action)
        if rest:
            return (node, *rest)
    return ()


def svg(text: str, caching: str) -> Response[str]:
    headers = {"Cache-Control": caching, "Content-Security-Policy": PICTURE_POLICY}
    return Response(text, media_type="image/svg+xml", headers=headers)


API: Final = Router(
    path="/api",
    route_handlers=[
        games, game_picture, levels, new_table, new_record, open_tables, my_tables, join, sit, new_link, leave,
        table_view, backdrop, backdrop_styles, table_picture, record, move, undo, answer_undo, rename, pace,
        chat, hint, preview,
    ],
)  # fmt: skip

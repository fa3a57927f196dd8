"""Routes of push messages: a browser asks for them, and ends them."""

from __future__ import annotations

from typing import Final

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server import commands
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.push.endpoints import check_endpoint
from ludotheque.server.reminders.scheduler import PushWay
from ludotheque.server.routes.context import ERRORS, Context, Ok, RequestContext


class PushKey(Struct, frozen=True):
    """The key that a browser needs to subscribe (VAPID)."""

    key: str


def _pusher(context: RequestContext) -> PushWay:
    found = context.services.pusher
    if found is None:
        raise Refused(404, "not-found", phrase("This server does not offer that."))
    return found


@get("/push", responses=ERRORS)
async def push_key(context: Context) -> PushKey:
    """Return the key with which a browser subscribes to push messages."""
    return PushKey(await _pusher(context).public_key())


@post("/push", status_code=200, responses=ERRORS)
async def start_push(data: JSONBody[commands.StartPush], context: Context) -> Ok:
    """Send push messages to this browser when tables wait for its person and none of them is open."""
    pusher = _pusher(context)
    context.limit("push")
    endpoint = check_endpoint(data.endpoint, data.p256dh, data.auth)
    if not context.key or not await context.storage.knows(context.key):
        raise forbidden(phrase("Only those who sit at a table can do that."))
    await pusher.subscribe(context.key, endpoint, context.reader.language)
    return Ok()


@post("/push/end", status_code=200, responses=ERRORS)
async def end_push(data: JSONBody[commands.EndPush], context: Context) -> Ok:
    """End the push messages to this browser. The same answer whether there were any."""
    await _pusher(context).unsubscribe(context.key, data.endpoint)
    return Ok()


API: Final = (push_key, start_push, end_push)

"""Routes of the recovery link: one's seats, progress and settings move to another browser."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.commands import NewRecovery, UseRecovery
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.http.templates import page
from ludotheque.server.keys import digest, new_secret
from ludotheque.server.routes.context import ERRORS, Context
from ludotheque.server.storage.recoveries import LocalStorage, add_recovery, use_recovery
from ludotheque.server.storage.rows import now

MOST_LETTERS: Final = 20_000
"""Letters of a browser's local storage that a link carries at most."""


class RecoveryLink(Struct, frozen=True):
    """A link that works once."""

    url: str
    expires: datetime


class Recovered(Struct, frozen=True):
    """The things that have come to this browser."""

    tables: int
    stored: LocalStorage
    """The local storage of the other browser."""


@get("/recover", include_in_schema=False)
async def recovery_page(context: Context) -> Response[str]:
    """Show the page of a recovery link."""
    return page("recover.html", context.reader)


@post("/recovery", status_code=201, responses=ERRORS)
async def new_recovery(data: JSONBody[NewRecovery], context: Context) -> Response[RecoveryLink]:
    """Make a link that moves all seats, progress and settings of this browser to another one, once."""
    context.limit("join")
    if sum(len(name) + len(value) for name, value in data.stored.items()) > MOST_LETTERS:
        raise Refused(413, "too-large", phrase("That is too large."))
    context.limit_stored(data)
    caller, secret = await context.known_caller(), new_secret()
    browsers = dict.fromkeys(digest(text) for text in (caller.browser, caller.old_browser) if text)
    expires = await add_recovery(context.storage, digest(secret), [*browsers], data.stored, now())
    link = RecoveryLink(f"/recover#{secret}", expires)
    return Response(link, cookies=[caller.cookie()], headers={"Cache-Control": "no-store"})


@post("/recovery/use", status_code=200, responses=ERRORS)
async def recover(data: JSONBody[UseRecovery], context: Context) -> Response[Recovered]:
    """Take over what a recovery link stands for; the other browser loses it."""
    context.limit("join")
    caller = await context.known_caller()
    moved = await use_recovery(context.storage, digest(data.secret), digest(caller.browser), now())
    if moved is None:
        raise forbidden(phrase("This link has been used already, or has expired; make a new one."))
    await context.reload_tables(moved.tables)
    return Response(Recovered(len(moved.tables), moved.stored), cookies=[caller.cookie()])

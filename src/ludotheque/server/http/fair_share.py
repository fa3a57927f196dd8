"""Count the processor time that the requests of each address take, so that no visitor takes it from all others."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, TypeVar

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from ludotheque.server.http.caller import limited_address
from ludotheque.server.http.limits import Limits

T = TypeVar("T")


class FairShare:
    """Counts the time of an application's requests; `Limits.check_time` refuses those of an address that used it up.

    Static files do not count: a page needs many, once.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits: Limits = Litestar.from_scope(scope).state.services.limits
        client = scope["client"]
        work: Any = self._app(scope, receive, send)
        if limits.on and client and scope["type"] == ScopeType.HTTP and not scope["path"].startswith("/static/"):
            await timed(work, partial(limits.spend_time, limited_address(client[0])))
        else:
            await work


@coroutine
def timed(work: Coroutine[Any, Any, T], spend: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await something, and report the processor time of its steps; what others do in between does not count."""
    spent = 0.0
    sent, error = None, None
    try:
        while True:
            began = time.thread_time()
            try:
                awaited = work.send(sent) if error is None else work.throw(error)
            except StopIteration as finished:
                result: T = finished.value
                return result
            finally:
                spent += time.thread_time() - began
            sent, error = None, None
            try:
                sent = yield awaited
            except BaseException as thrown:  # a cancellation, for the work to handle
                error = thrown
    finally:
        spend(spent)

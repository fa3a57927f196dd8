"""Measure the processor time of requests, so that no visitor takes it from all others.

Time counts where it is spent, on the event loop and in the thread of the routes that are not coroutines: for the
address, which is refused once it has used up its own (`Limits`), and for all requests that can wait together (`Pacer`).
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import coroutine
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Receive, Scope, Send

from ludotheque.server.errors import Refused
from ludotheque.server.http.addresses import limited_address
from ludotheque.server.http.spending import SPENDER, Spender

P = ParamSpec("P")
T = TypeVar("T")
Spend = Callable[[float], None]

_URGENT: Final = re.compile(r"/api/tables/[^/]+/(moves|undo|undo/answer|ahead|chat)")
"""Paths of actions at a table; only `POST` goes before everything else. They have separate rate limits."""
_FREE: Final = ("/static/", "/health", "/ready")
"""Paths that take next to no time, and that a page or a proxy needs in any case."""


class Refuse(Protocol):
    """Send a refusal as the response."""

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send, refused: Refused) -> None: ...


class FairShare:
    """Measures, paces and limits the requests of an application."""

    def __init__(self, app: Litestar, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not scope["client"] or scope["path"].startswith(_FREE):
            await self._app(scope, receive, send)
            return
        services = self._app.state.services
        if not services.limits.on:
            await self._app(scope, receive, send)
            return
        spender = Spender(services.limits, services.pacer, limited_address(scope["client"][0]))
        try:
            spender.check()
        except Refused as refused:
            await self._refuse(scope, receive, send, refused)
            return
        SPENDER.set(spender)
        can_wait = scope["method"] != "POST" or _URGENT.fullmatch(scope["path"]) is None
        work = partial(self._app, scope, receive, send)
        await (
            measured(work(), partial(spender.spend, can_wait=True), spender.pace) if can_wait else first(work, spender)
        )


async def first(work: Callable[[], Coroutine[Any, Any, T]], spender: Spender) -> T:
    """Do urgent work, such as a move, and hold back meanwhile what can wait."""
    async with spender.urgent_place():
        await spender.pace_urgent()
        with spender.going_first():
            return await measured(work(), partial(spender.spend, can_wait=False))


@coroutine
def measured(
    work: Coroutine[Any, Any, T], spend: Spend, turn: Callable[[], Coroutine[Any, Any, None]] | None = None
) -> Generator[Any, Any, T]:
    """Await something step by step, each after its `turn`, and report the processor time of each step."""
    sent, error = None, None
    while True:
        if turn and error is None:
            try:
                yield from turn().__await__()
            except BaseException as thrown:  # a cancellation, for the work to handle
                error = thrown
        began = time.thread_time()
        try:
            awaited = work.send(sent) if error is None else work.throw(error)
        except StopIteration as finished:
            result: T = finished.value
            return result
        finally:
            spend(time.thread_time() - began)
        sent, error = None, None
        try:
            sent = yield awaited
        except BaseException as thrown:
            error = thrown


class MeasuredThread(ThreadPoolExecutor):
    """One thread for the routes that are not coroutines; its time counts for the request that it works for."""

    def __init__(self) -> None:
        super().__init__(max_workers=1, thread_name_prefix="routes")

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        spender, loop = SPENDER.get(), asyncio.get_running_loop()
        if spender is None:
            return super().submit(work, *args, **kwargs)
        spend = partial(spender.spend, can_wait=True)

        def run() -> T:
            began = time.thread_time()
            try:
                return work(*args, **kwargs)
            finally:
                loop.call_soon_threadsafe(spend, time.thread_time() - began)

        return super().submit(run)

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
from contextvars import ContextVar
from types import coroutine
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Receive, Scope, Send

from ludotheque.server.errors import Refused
from ludotheque.server.http.addresses import limited_address, network_of
from ludotheque.server.http.limits import Limits
from ludotheque.server.http.pacing import Pacer

P = ParamSpec("P")
T = TypeVar("T")
Spend = Callable[[float], None]

_URGENT: Final = re.compile(r"/api/tables/[^/]+/(moves|undo|undo/answer|ahead|chat)")
"""Paths of actions at a table; only `POST` goes before everything else. They have separate rate limits."""
_FREE: Final = ("/static/", "/health", "/ready")
"""Paths that take next to no time, and that a page or a proxy needs in any case."""
_spend: ContextVar[Spend | None] = ContextVar("spend", default=None)
"""Counts the time of the present request."""


def _do_not_count(seconds: float) -> None:
    """Count nothing: there are no limits."""


class Refuse(Protocol):
    """Send a refusal as the response."""

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send, refused: Refused) -> None: ...


class FairShare:
    """Measures, paces and limits the requests of an application."""

    def __init__(self, app: Litestar, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse
        self._pacer = Pacer()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not scope["client"] or scope["path"].startswith(_FREE):
            await self._app(scope, receive, send)
            return
        limits: Limits = self._app.state.services.limits
        if not limits.on:
            await self._app(scope, receive, send)
            return
        address = limited_address(scope["client"][0])
        try:
            self._check(limits, address)
        except Refused as refused:
            await self._refuse(scope, receive, send, refused)
            return
        await self._measured(scope, limits, address, self._app(scope, receive, send))

    def _check(self, limits: Limits, address: str) -> None:
        """Raise if an address has asked too often, or taken more time than it has."""
        limits.count_address("any", address)
        limits.check_time(address)
        self._pacer.check(network_of(address))

    async def _measured(self, scope: HTTPScope, limits: Limits, address: str, work: Any) -> None:
        is_urgent = scope["method"] == "POST" and _URGENT.fullmatch(scope["path"]) is not None
        network = network_of(address)

        def spend(seconds: float) -> None:
            limits.spend_time(address, seconds)
            if not is_urgent:
                self._pacer.spend(seconds)

        _spend.set(spend)
        await measured(work, spend, None if is_urgent else lambda: self._pacer.turn(network))


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
        spend, loop = _spend.get() or _do_not_count, asyncio.get_running_loop()

        def run() -> T:
            began = time.thread_time()
            try:
                return work(*args, **kwargs)
            finally:
                loop.call_soon_threadsafe(spend, time.thread_time() - began)

        return super().submit(run)

"""Work that a server does again and again for as long as it runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

_LOG: Final = logging.getLogger("ludotheque.server.repeated")


class Repeated:
    """Work that begins again some time after it has ended, also if it failed."""

    def __init__(self, work: Callable[[], Awaitable[object]], seconds: float, failure: str) -> None:
        """`failure`: the line of the log if the work failed."""
        self._work = work
        self._seconds = seconds
        self._failure = failure
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self._work()
            except Exception:
                _LOG.exception(self._failure)
            await asyncio.sleep(self._seconds)

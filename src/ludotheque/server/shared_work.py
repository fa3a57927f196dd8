"""Work that is done once for all who ask for the same."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class SharedWork:
    """Results by key, also of work that is under way; those that were asked for longest ago are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tasks: OrderedDict[Hashable, asyncio.Task[Any]] = OrderedDict()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tasks

    async def get(self, key: Hashable, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result for a key; `start` begins the work if no one has. A failure is not kept."""
        task: asyncio.Task[T] | None = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(start())
            task.add_done_callback(lambda done: self._forget_failure(key, done))
            if len(self._tasks) > self._most:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(key)
        return await asyncio.shield(task)

    def _forget_failure(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        if (task.cancelled() or task.exception()) and self._tasks.get(key) is task:
            del self._tasks[key]

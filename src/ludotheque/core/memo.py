"""Cache what a function makes of large values, by their identity."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def cached_by_identity(maxsize: int) -> Callable[[Function], Function]:
    """Cache the results of a function of positional arguments, by the identity of these arguments.

    For arguments that take long to hash, such as a whole map, and that are the same object at most calls. An equal
    argument that is another object counts as new. The oldest result is dropped first.
    """

    def decorate(function: Function) -> Function:
        # The arguments are stored with the result, so that no later object gets their identity.
        # A plain dictionary would take long to find its oldest entry, once many before it have been dropped.
        results: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], Any]] = OrderedDict()
        lock = Lock()

        @wraps(function)
        def cached(*args: object) -> Any:
            key = tuple(map(id, args))
            found = results.get(key)
            if found is None:
                found = args, function(*args)
                with lock:
                    if len(results) >= maxsize:
                        results.popitem(last=False)
                    results[key] = found
            return found[1]

        return cached  # type: ignore[return-value]

    return decorate

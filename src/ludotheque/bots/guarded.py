"""Custom bots under guard: whatever they do wrong becomes a `BotFailed`."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import index
from time import monotonic
from typing import Final

from ludotheque.bots.bot import Bot, CustomBot
from ludotheque.bots.engine import EngineBot
from ludotheque.core.errors import BotFailed
from ludotheque.core.phrases import phrase, short_repr
from ludotheque.core.turn import Turn

_LOG: Final = logging.getLogger("ludotheque.bots.guarded")


class GuardedBot(Bot):
    """A custom bot: its exceptions, illegal moves and timeouts become `BotFailed`."""

    def __init__(self, title: str, bot: CustomBot) -> None:
        self._title = title
        self._bot = bot

    def choose(self, turn: Turn) -> int:
        with failures(self._title):
            chosen = self._bot.choose(turn) if isinstance(self._bot, EngineBot) else self._choose_in_time(turn)
        return self._legal(chosen, turn)

    def _choose_in_time(self, turn: Turn) -> int:
        """Return the choice of a bot in this process; a program has its own deadline."""
        begin = monotonic()
        with _alarm(turn.clock):
            chosen = self._bot.choose(turn)
        if monotonic() - begin > turn.clock:
            raise _TooLong
        return chosen

    def _legal(self, chosen: object, turn: Turn) -> int:
        try:
            action = index(chosen)  # type: ignore[arg-type]  # it may be anything
        except TypeError:
            action = None
        if action is None or action not in turn.legal:
            self.close()
            title, move = self._title, short_repr(chosen)
            raise BotFailed(phrase("{name} chose {move}, which is not a legal action here.", name=title, move=move))
        return action

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        with failures(self._title):
            getattr(self._bot, "end", _ignore)(returns, scores)

    def close(self) -> None:
        with failures(self._title):
            getattr(self._bot, "close", _ignore)()


def _ignore(*arguments: object) -> None:
    """Do nothing, as a bot without the method."""


class _TooLong(BaseException):
    """Raised in a bot whose time is up; not an `Exception`, so that the bot does not catch it by accident."""


@contextmanager
def failures(title: str) -> Iterator[None]:
    """Turn whatever a custom bot raises into `BotFailed`, and log where it happened."""
    try:
        yield
    except BotFailed:
        raise
    except _TooLong:
        raise BotFailed(phrase("{name} took too long for its move.", name=title)) from None
    except Exception as error:
        _LOG.warning("the bot %s failed", title, exc_info=error)
        what = f"{type(error).__name__}: {error}"[:200]
        raise BotFailed(phrase("{name} failed: {error}.", name=title, error=what)) from error


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupt Python code that runs longer than this; only the main thread of a process can be interrupted."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

"""Summaries, reviews, replay files and refutations: computed in worker processes, and cached."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from ludotheque.bots.workers import TookTooLong
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import cached_game
from ludotheque.server.errors import Refused
from ludotheque.server.http.addresses import network_of
from ludotheque.server.shared_work import SharedWork
from ludotheque.server.tables.live import LiveTable
from ludotheque.server.workers import LimitedWorkers
from ludotheque.study.better_line import better_line
from ludotheque.study.puzzles import Puzzle, refutation
from ludotheque.study.review import Decision
from ludotheque.table import Dice, Ending, Match, Nonce

SECONDS: Final = 60.0
"""Processor time: how long one of them may take."""
_MOST_CACHED: Final = 32
_MOST_REFUTATIONS: Final = 256

P = ParamSpec("P")
T = TypeVar("T")


class MatchCopy(Struct, frozen=True, kw_only=True):
    """A match as it is sent to a worker."""

    game: str
    settings: dict[str, Any]
    names: tuple[str, ...]
    seed: bytes | None
    commitment: str
    since: int
    nonces: tuple[Nonce, ...]
    history: tuple[int, ...]
    ending: Ending

    def match(self) -> Match:
        game = cached_game(self.game, len(self.names), self.settings)
        dice = Dice(self.seed, self.commitment, self.since, self.nonces) if self.commitment else None
        match = Match(game, self.names, dice, self.history)
        match.ending = self.ending
        return match


def copy_match(match: Match) -> MatchCopy:
    dice = match.dice
    return MatchCopy(
        game=match.game.name,
        settings=match.game.settings,
        names=match.names,
        seed=dice.seed if dice else None,
        commitment=dice.commitment if dice else "",
        since=dice.since if dice else 0,
        nonces=dice.nonces if dice else (),
        history=tuple(action for _, action in match.actions()),
        ending=match.ending,
    )


def play_line(copy: MatchCopy, decision: Decision) -> tuple[int, ...]:
    """Play out the better line of a decision; runs in the worker."""
    return better_line(copy.match(), decision)


def _hash(value: object) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode(value)).digest()


class Studies:
    """Computes what is expensive, once for all who may know the same."""

    def __init__(self, workers: LimitedWorkers) -> None:
        self._workers = workers
        self._found = SharedWork(_MOST_CACHED)
        self._refutations = SharedWork(_MOST_REFUTATIONS)

    async def get(
        self,
        table: LiveTable,
        client: str,
        limit: Callable[[], None],
        work: Callable[Concatenate[MatchCopy, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """The result of a function in a worker, for the present version of a table.

        `limit` counts the request and may refuse it; only a result that is not cached counts.
        """
        key = work.__name__, table.id, table.version, table.match.names, _hash((args, kwargs))

        def start() -> Coroutine[Any, Any, T]:
            limit()
            return self._compute(client, work, copy_match(table.match), *args, **kwargs)

        return await self._found.get(key, start)

    async def refutation(self, puzzle: Puzzle, tried: int, client: str) -> tuple[int, ...]:
        """A likely course after a wrong move of a puzzle."""

        def start() -> Coroutine[Any, Any, tuple[int, ...]]:
            return self._compute(client, refutation, puzzle.game, puzzle.id, tried)

        return await self._refutations.get((puzzle.game, puzzle.id, tried), start)

    async def _compute(self, client: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await self._workers.run(network_of(client), work, *args, **kwargs)
        except TookTooLong as error:
            raise Refused(503, "unavailable", phrase("This takes too long to compute."), retry_after=60) from error

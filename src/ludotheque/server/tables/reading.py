"""Records, boards and card sets from outside, read in a worker process within a limit of processor time.

The worker also refuses what the server itself could not handle quickly enough later: it sets up the game, replays the
record and draws the first position, and measures the processor time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ludotheque.bots.workers import TookTooLong
from ludotheque.core.errors import BadOption, BadRecord
from ludotheque.core.game import Game
from ludotheque.core.options import holds_document
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import game_class
from ludotheque.server.http.addresses import network_of
from ludotheque.server.workers import LimitedWorkers
from ludotheque.table import Record, read_record

SETUP_SECONDS: Final = 1.0
"""Processor time: the most that setting up a game and drawing its first position may take."""

SETUP_BYTES: Final = 64_000
"""The most that the boards and cards of a table may take, in JSON: they are stored with each table."""


class UntrustedReader:
    """Reads what clients send, in worker processes."""

    def __init__(self, workers: LimitedWorkers) -> None:
        self._workers = workers

    async def check_options(self, client: str, game: str, players: int, options: Mapping[str, Any]) -> None:
        """Check a set-up; one without a document needs no worker."""
        if holds_document(options):
            try:
                await self._workers.run(network_of(client), check_setup, game, players, options)
            except TookTooLong as error:
                raise _slow_setup() from error

    async def read_record(self, client: str, text: str) -> Record:
        """Read a record and check it against the rules."""
        try:
            return await self._workers.run(network_of(client), read_checked, text)
        except TookTooLong as error:
            raise BadRecord(phrase("It takes too long to read.")) from error


def check_setup(game: str, players: int, options: Mapping[str, Any]) -> None:
    """Set up a game and draw its first position; runs in the worker."""
    if len(msgspec.json.encode(options)) > SETUP_BYTES:
        raise BadOption(phrase("This board or card set is larger than {most} kB.", most=SETUP_BYTES // 1000))
    began = time.process_time()
    _draw(game_class(game)(players, options))
    if time.process_time() - began > SETUP_SECONDS:
        raise _slow_setup()


def read_checked(text: str) -> Record:
    """Read a record, and check that its set-up is not too large; runs in the worker."""
    record = read_record(text)
    check_setup(record.game, record.players, record.settings)
    return record


def _draw(game: Game) -> None:
    game.backdrop()
    game.scene(game.observe(game.new_initial_state(), 0))


def _slow_setup() -> BadOption:
    return BadOption(phrase("This board or card set takes too long to set up."))

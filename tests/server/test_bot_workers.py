"""The workers of bots: a bot goes on with its tree where nothing is hidden or drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from librt.random import Random

from ludotheque import load_game
from ludotheque.bots.levels import Level
from ludotheque.core.turn import CLOCK
from ludotheque.server.bots import worker
from ludotheque.server.bots.worker import MOST_KEPT, Question, answer
from ludotheque.server.bots.workers import question
from ludotheque.server.config import Settings
from ludotheque.server.storage.database import Storage
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.events import TableEvents
from ludotheque.table import Match
from tests.server.harness import run_apart
from tests.server.test_events import open_another_table
from tests.table.matches import random_match


@pytest.fixture(autouse=True)
def quick_levels(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Level, "simulations", lambda level, game, divisor=1: 100)
    yield
    worker._kept.clear()


def ask(match: Match, table: str = "t", level: str = "5") -> int:
    """The answer of this process as a worker."""
    turn = match.turn(match.to_move, Random(1), CLOCK)
    asked = Question(
        table=table,
        game=match.game.name,
        players=match.game.players,
        settings=match.game.settings,
        position=turn.state.position(),
        events=[] if match.game.has_hidden_information else [*turn.events],
        seat=turn.seat,
        level=level,
        seed=7,
    )
    return answer(msgspec.msgpack.encode(asked))


def test_the_bot_of_a_seat_is_asked_again_at_its_next_decision() -> None:
    match = random_match(load_game("passerelles"), 3, plies=10)
    for _ in range(4):
        match.play(match.to_move, ask(match))
    assert sorted(worker._kept) == [("t", 0, "5"), ("t", 1, "5")]
    trees = [bot._search for bot in worker._kept.values()]  # type: ignore[attr-defined]
    assert all(tree.simulations() >= 100 for tree in trees)


def test_a_bot_that_keeps_its_tree_adds_only_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = random_match(load_game("passerelles"), 3, plies=10)
    seat = match.to_move
    match.play(seat, ask(match))
    (bot,) = worker._kept.values()
    follows = bot._search.candidates()[0].line[0]  # type: ignore[attr-defined]
    match.play(match.to_move, follows)
    before = match.turn(match.to_move, Random(1), CLOCK)
    assert before.seat == seat
    assert bot._begin(before).simulations() > 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["cable-car", "pays-noir"])
def test_no_bot_is_kept_where_something_is_hidden_or_drawn(name: str) -> None:
    ask(random_match(load_game(name), 3, plies=10))
    assert not worker._kept


def test_a_worker_keeps_only_the_bots_that_it_asked_last() -> None:
    match = random_match(load_game("passerelles"), 3, plies=10)
    for number in range(MOST_KEPT + 2):
        ask(match, str(number))
    assert [table for table, _, _ in worker._kept] == [str(number) for number in range(2, MOST_KEPT + 2)]


@pytest.mark.parametrize(("game", "hides"), [("orchard", True), ("nim", False)])
def test_a_question_holds_the_plies_only_where_nothing_is_hidden(tmp_path: Path, game: str, hides: bool) -> None:
    async def run() -> tuple[Question, int]:
        live_tables = LiveTables(Storage(Settings(data=tmp_path)), 10)
        await live_tables.storage.open()
        table = await open_another_table(live_tables, TableEvents(), game)
        asked = question(table, table.match.to_move, "1")
        await live_tables.storage.close()
        return asked, table.match.ply

    asked, plies = run_apart(run())
    assert len(asked.events) == (0 if hides else plies)

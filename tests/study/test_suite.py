"""The suite: fixed set-ups, results that can be repeated, and files that cannot be changed unnoticed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from scripts import suite_page
from typer.testing import CliRunner

from ludotheque import load_game
from ludotheque.cli import app
from ludotheque.errors import BadArena, NoSuchBot
from ludotheque.study.suite import (
    BUDGETS,
    GAMES,
    MOST_GAMES,
    Measured,
    SuiteResult,
    measure_bot,
    read_result,
    result_table,
    write_result,
)

SMALL = BUDGETS["small"]
GAME = "cable_car(players=2)"


def timeless(result: SuiteResult) -> list[Measured]:
    return [msgspec.structs.replace(one, seconds_per_decision=0.0) for one in result.measured]


def few(bot: str, folder: Path | None = None) -> SuiteResult:
    return measure_bot(bot, SMALL, games=[GAME], yardsticks=["policy"], folder=folder, narrow=0.4, most_games=40)


def test_set_ups_are_two_to_five_players_of_every_game() -> None:
    tables = [load_game(text) for text in GAMES]
    assert {game.name for game in tables} == {"cable-car", "chicago-express", "passerelles", "pays-noir"}
    assert [game.players for game in tables] == [2, 3, 4, 5, 2, 3, 4, 5, 2, 2, 3, 4, 5]
    for budget in BUDGETS.values():
        assert len(budget.yardsticks) == 6
    assert MOST_GAMES % 20 == 0


def test_a_result_can_be_repeated_and_resumed(tmp_path: Path) -> None:
    result = few("greedy")
    one = result.measured[0]
    assert (one.game, one.yardstick, one.even, one.failures) == ("cable_car(players=2,version=1)", "policy", 0.5, 0)
    assert one.high - one.low <= 0.4
    assert one.low < one.win_rate <= one.high
    assert timeless(few("greedy", tmp_path)) == timeless(result)
    [games] = tmp_path.iterdir()
    stored = games.read_bytes()
    assert few("greedy", tmp_path).measured[0].games == one.games
    assert games.read_bytes() == stored


def test_games_go_on_until_the_interval_is_narrow_or_the_most_are_played() -> None:
    clear = measure_bot("greedy", SMALL, games=["passerelles(players=2)"], yardsticks=["policy"], most_games=60)
    assert clear.measured[0].games < 60
    close = measure_bot("policy", SMALL, games=[GAME], yardsticks=["policy"], narrow=0.1, most_games=30)
    assert close.measured[0].games == 30, "a bot may be measured by itself"


def test_the_strength_of_an_equal_bot_is_a_half_for_any_number_of_seats() -> None:
    one = few("greedy").measured[0]
    assert msgspec.structs.replace(one, win_rate=0.5, even=0.5).strength == 0.5
    assert msgspec.structs.replace(one, win_rate=1 / 3, even=1 / 3).strength == pytest.approx(0.5)
    assert msgspec.structs.replace(one, win_rate=1.0, even=1 / 3).strength == 1.0


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "greedy.json"
    result = few("greedy")
    path.write_text(write_result(result))
    assert read_result(path) == result
    path.write_text(write_result(msgspec.structs.replace(result, bot="better")))
    with pytest.raises(BadArena, match="were changed"):
        read_result(path)
    path.write_text(write_result(msgspec.structs.replace(result, version=2).signed()))
    with pytest.raises(BadArena, match="not of ludotheque-suite v1"):
        read_result(path)
    path.write_text("[]")
    with pytest.raises(BadArena, match="does not hold results"):
        read_result(path)


def test_the_table_has_the_strongest_first_and_says_what_is_partial() -> None:
    weak, strong = few("random"), few("greedy")
    text = result_table([weak, strong])
    assert text.index("| greedy | small |") < text.index("| random | small |")
    assert "| 1 (partial) |" in text
    assert "| `cable_car(players=2)` | 50% |" in text
    assert not weak.is_complete
    games = [str(load_game(game)) for game in GAMES]
    every = tuple(
        msgspec.structs.replace(weak.measured[0], game=game, yardstick=name)
        for game in games
        for name in SMALL.yardsticks
    )
    assert msgspec.structs.replace(weak, measured=every).is_complete


def test_other_yardsticks_and_unknown_bots_get_a_sentence() -> None:
    with pytest.raises(BadArena, match="'random' is none"):
        measure_bot("greedy", SMALL, yardsticks=["random"])
    with pytest.raises(NoSuchBot):
        measure_bot("nobody", SMALL)


def test_the_commands_measure_check_and_list(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "random.json"
    words = ["suite", "run", "random", "--game", "cable_car(players=2)", "--yardstick", "policy", "--out", str(out)]
    assert "against policy: 0.0%" in CliRunner().invoke(app, words).stdout
    assert "random, small budget, partial" in CliRunner().invoke(app, ["suite", "check", str(out)]).stdout
    assert "### random, small budget" in CliRunner().invoke(app, ["suite", "table", str(out)]).stdout
    wrong = CliRunner().invoke(app, ["suite", "run", "random", "--game", "cable-car", "--out", str(out)])
    assert wrong.exit_code == 1


def test_the_page_has_the_table_of_the_stored_results() -> None:
    assert list(suite_page.RESULTS.glob("*.json"))
    assert suite_page.page() == suite_page.PAGE.read_text(encoding="utf-8"), "run python -m scripts.suite_page"

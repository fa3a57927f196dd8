"""The command line, with correct and with wrong arguments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from scripts import command_page
from typer.testing import CliRunner, Result

import ludotheque
from ludotheque import load_game
from ludotheque.bots.tuning import Speed, tuning
from ludotheque.cli import app, main
from ludotheque.cli.command_index import COMMANDS
from ludotheque.cli.play import Terminal
from ludotheque.errors import LudothequeError
from ludotheque.study.bench import middle_positions
from ludotheque.table import Dice, Match, read_record
from tests.speeds import several
from tests.table.matches import random_match


def run(*words: str | Path, type_in: str = "") -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], input=type_in)


def shell(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a separate process, as from a shell."""
    return subprocess.run(
        [sys.executable, "-m", "ludotheque.cli", *map(str, words)],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished random game."""
    folder = tmp_path_factory.mktemp("games")
    run("simulate", "cable-car", "--players", "3", "--option", "companies=on", "--seed", "5", "--out", folder)
    return folder / "cable-car-5-1.json"


def test_version_says_which_mode_runs() -> None:
    assert "(compiled)" in shell("--version", LUDOTHEQUE_PURE="0").stdout or not ludotheque.COMPILED
    assert "(pure Python)" in shell("--version", LUDOTHEQUE_PURE="1").stdout


def test_games_lists_every_game_with_its_options() -> None:
    listed = run("games").stdout
    assert "Cable Car" in listed
    assert "companies=off" in listed


def test_rules_prints_the_rules_with_our_rulings() -> None:
    assert "## Our rulings" in run("rules", "cable-car").stdout
    assert "## Nos décisions" in run("rules", "cable-car", "--language", "fr").stdout


def test_the_help_of_every_command_has_an_example_or_needs_none() -> None:
    groups = {"cards": "check", "lesson": "check", "puzzles": "make", "suite": "run"}
    assert "arena" in COMMANDS
    for words in ([name, groups[name]] if name in groups else [name] for name in COMMANDS):
        printed = run(*words, "--help")
        assert printed.exit_code == 0
        assert words == ["games"] or "Example" in printed.stdout, words


def test_an_option_tells_its_default_in_one_place() -> None:
    names = [name for name, _, _ in command_page.commands()]
    found = [
        (name, parameter)
        for top, _, command in command_page.commands()
        for name, each in command_page.with_children(top, command)
        for parameter in each.params
    ]
    assert "arena" in names
    assert [(name, each.name) for name, each in found if "default" in (getattr(each, "help", "") or "")] == []
    zero = [(name, each.name) for name, each in found if each.default == 0 and each.default is not False]
    told = [(name, each.name) for name, each in found if isinstance(each.show_default, str)]
    assert {*zero} - {*told} == {("puzzles make", "skip"), ("puzzles make", "first")}


# Records.


def test_simulate_writes_records_that_can_be_read(tmp_path: Path) -> None:
    result = run("simulate", "cable_car(players=2)", "--games", "12", "--seed", "3", "--out", tmp_path / "a" / "b")
    assert result.exit_code == 0
    records = sorted((tmp_path / "a" / "b").iterdir())
    assert [path.name for path in records][:2] == ["cable-car-3-01.json", "cable-car-3-02.json"]
    assert len(records) == 12
    assert read_record(records[0]).to_match().is_over


def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run("simulate", "cable-car", "--games", "2", "--seed", "9", "--out", tmp_path / folder, "--text")
    for name in ("cable-car-9-1.txt", "cable-car-9-2.txt"):
        assert (tmp_path / "one" / name).read_text() == (tmp_path / "two" / name).read_text()
    assert (tmp_path / "one" / "cable-car-9-1.txt").read_text() != (tmp_path / "one" / "cable-car-9-2.txt").read_text()


def test_replay_prints_position_and_scores(record: Path) -> None:
    result = run("replay", record)
    assert result.exit_code == 0
    assert "(wins)" in result.stdout
    assert "Pile: 0" in result.stdout


def test_replay_shows_a_ply_as_a_seat_saw_it(record: Path) -> None:
    seat_1 = run("replay", record, "--at", "40", "--as", "1").stdout
    seat_2 = run("replay", record, "--at", "40", "--as", "2").stdout
    assert seat_1 != seat_2
    assert "Ply 40 of" in seat_1
    assert "The game is not over here." in seat_1


def test_replay_as_json_is_one_object(record: Path) -> None:
    found = json.loads(run("replay", record, "--at", "40", "--as", "2", "--json").stdout)
    assert (found["game"], found["players"], found["ply"], found["viewer"]) == ("cable-car", 3, 40, 2)
    assert found["observation"]["hands"][0] == ["?"]
    assert found["scores"] is None


def test_render_draws_an_svg_in_the_language_asked_for(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    assert run("render", record, "--at", "40", "--out", out, "--language", "nl").exit_code == 0
    assert ET.parse(out).getroot().get("aria-label") == "Cable Car, 3 spelers"


def test_render_draws_no_svg_into_another_kind_of_file(record: Path, tmp_path: Path) -> None:
    refused = run("render", record, "--out", tmp_path / "board.png")
    assert str(refused.exception) == "The output file must end in .svg or .html, not 'board.png'."
    assert not list(tmp_path.iterdir())


# Bench.


def test_the_number_of_players_may_still_be_called_seats() -> None:
    assert run("simulate", "cable-car", "--seats", "3").stdout == run("simulate", "cable_car(players=3)").stdout


def test_bench_as_json_is_a_list_of_objects() -> None:
    found = json.loads(run("bench", "cable-car", "--players", "4", "--seconds", "0.05", "--json").stdout)
    assert [row["game"] for row in found] == ["cable-car"]
    assert found[0]["seats"] == 4
    assert found[0]["compiled"] == ludotheque.COMPILED
    for figure in ("playouts_per_s", "steps_per_s", "clones_per_s", "bytes_per_state"):
        assert found[0][figure] > 0


def test_calibrate_prints_the_speeds_and_writes_them_on_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kind = ludotheque.game_class("passerelles")
    found = msgspec.structs.replace(tuning(kind), speeds={"rounds=1": {2: Speed(41000, 1.5)}})
    monkeypatch.setattr("ludotheque.study.calibrate.calibrate", lambda names, seconds, jobs: {"passerelles": found})
    monkeypatch.setattr("ludotheque.bots.tuning.game_folder", lambda kind: tmp_path)
    assert "41,000" in run("calibrate", "passerelles").stdout
    assert not (tmp_path / "bots.toml").exists()
    run("calibrate", "passerelles", "--write")
    assert tuning(kind) == found, "what was written is read"


def test_bench_searches_the_same_positions_every_time() -> None:
    game = load_game("chicago-express", 3)
    first, again = middle_positions(game, 1), middle_positions(game, 1)
    assert [state.position() for state in first] == [state.position() for state in again]
    assert len({state.position() for state in first}) == len(first)


def test_bench_prints_a_table() -> None:
    assert "Playouts/s" in run("bench", "cable-car", "--seconds", "0.05").stdout


# Counting.


def test_perft_counts_the_sequences_of_moves() -> None:
    counted = run("perft", "passerelles", "--depth", "2", "--landscape", "africa").stdout
    assert "470" in counted
    assert "204,524" in counted


# Cards.


def test_options_of_the_game_can_be_written_out() -> None:
    short = run("perft", "passerelles", "--depth", "1", "--landscape=africa", "--rounds", "1").stdout
    long = run("perft", "passerelles", "--depth", "1", "-o", "landscape=africa", "-o", "rounds=1").stdout
    assert [line.split()[:2] for line in short.splitlines()] == [line.split()[:2] for line in long.splitlines()]


def test_groups_of_commands_are_listed() -> None:
    assert "cards" in run("--help").stdout
    assert "check" in run("cards").stdout


def test_cards_check_describes_our_set_and_draws_it(tmp_path: Path) -> None:
    result = run("cards", "check", "--sheet", tmp_path / "cards.svg")
    assert result.exit_code == 0
    assert "73 cards in 54 pictures, without faults." in result.stdout
    assert ET.parse(tmp_path / "cards.svg").getroot().tag.endswith("svg")


def test_cards_check_names_every_fault_and_fails(tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text('{"cards": []}')
    result = run("cards", "check", tmp_path / "cards.json")
    assert result.exit_code == 1
    assert "- The field members is missing" in result.stdout


# Playing.

AGAINST_RANDOM = ("--seat", "me", "--seat", "random")


def test_play_goes_from_choice_to_choice() -> None:
    result = run("play", "cable-car", "--seat", "me:Ann", "--seat", "random", type_in="1\n1\nlog\nquit\n")
    assert result.exit_code == 0
    assert "Ann is dealt" in result.stdout
    assert "Ann lays" in result.stdout


def test_play_asks_for_a_game_when_none_is_named() -> None:
    result = run("play", type_in="nonsense\n1\nquit\n")
    assert result.exit_code == 0
    assert "Type a number" in result.stdout
    assert "Pile" in result.stdout


@pytest.mark.parametrize("type_in", ["", "quit\n", "9" * 5000 + "\n"])
def test_quitting_at_the_choice_of_a_game_works(type_in: str) -> None:
    assert run("play", type_in=type_in).exit_code == 0


@pytest.mark.parametrize("answer", ["[/x]", "[bold]", ":car:", "9" * 5000, "²"])
def test_play_shows_what_was_typed_as_it_is(answer: str) -> None:
    result = run("play", "cable-car", "--seat", "me:[/x] :car:", "--seat", "random", type_in=f"{answer}\nquit\n")
    assert result.exit_code == 0
    assert f"{answer[:40]!r} is not a move" in " ".join(result.stdout.split())
    assert "[/x] :car:>" in result.stdout


@pytest.mark.parametrize("name", ["missing/game.json", "no\0name"])
def test_a_file_that_cannot_be_written_does_not_end_the_game(tmp_path: Path, name: str) -> None:
    result = run("play", "cable-car", *AGAINST_RANDOM, type_in=f"save {tmp_path / name}\nlog\nquit\n")
    assert result.exit_code == 0
    assert "cannot be written" in result.stdout
    assert "is dealt" in result.stdout.partition("cannot be written")[2], "the log is still printed"


def test_play_explains_a_move_it_cannot_take() -> None:
    result = run("play", "cable-car", *AGAINST_RANDOM, type_in="D4\nhelp\nundo\nback\n99\nquit\n")
    assert "D4 is the power station." in result.stdout
    assert "Type the number or the label of a choice" in result.stdout
    assert "There is no move of yours to take back." in result.stdout


def test_play_takes_amounts_as_amounts() -> None:
    seats = ("--seat", "me:Ann", "--seat", "random")
    result = run("play", "chicago-express", *seats, type_in="2\n12\nlog\nquit\n")
    assert "Type an amount from 7 to 60." in result.stdout
    assert "Ann bids $12." in result.stdout


def test_play_lists_a_few_amounts_by_themselves() -> None:
    result = run("play", "passerelles", *AGAINST_RANDOM, type_in="5\nback\npiece of length 4\nquit\n")
    assert "5 piece of length 5\n" in result.stdout
    assert "Type an amount" not in result.stdout
    assert result.stdout.count("1 across") == 2, "a length is named by its number and by its words"


def test_interrupting_a_thinking_bot_still_saves_the_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stopped(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludotheque.bots.players.RandomBot.choose", stopped)
    played = run("play", "cable-car", *AGAINST_RANDOM, "--save", tmp_path / "g.txt", type_in="1\n1\n")
    assert played.exit_code == 0
    assert "Ann:" in (tmp_path / "g.txt").read_text()


def test_play_ends_when_the_input_does() -> None:
    assert run("play", "cable-car").exit_code == 0


def test_play_hides_the_screen_between_two_people() -> None:
    moves = "\n1\n1\n\n1\n1\nquit\n"
    result = run("play", "cable-car", "--seat", "me:Ann", "--seat", "me:Bob", type_in=moves)
    assert "Bob, press Enter when only you can see the screen." in result.stdout


def test_play_takes_a_move_back_freely_against_random_movers() -> None:
    result = run("play", "cable-car", *AGAINST_RANDOM, type_in="1\n1\nundo\nquit\n")
    assert result.stdout.count("Pile: 58") == 2


def test_moves_of_a_lesson_are_not_taken_back_at_the_terminal() -> None:
    game = load_game("cable-car", 2)
    lesson = [action for _, action in random_match(game, 1, plies=8).actions()]
    match = Match(game, dice=Dice.fresh(since=len(lesson)), history=lesson)
    terminal = Terminal(match, [None, None])
    terminal.people = [True, False]
    terminal.viewer = 0
    terminal.undo()
    assert match.actions() == Match(game, history=lesson).actions()


@pytest.mark.parametrize("ending", ["json", "txt"])
def test_a_whole_game_can_be_played_and_saved(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"game.{ending}"
    result = run("play", "cable-car", *AGAINST_RANDOM, "--save", file, type_in="1\n" * 200)
    assert "Won by" in result.stdout
    assert read_record(file).to_match().is_over


def test_a_running_game_is_saved_without_what_a_spectator_did_not_see(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    run("play", "cable-car", *AGAINST_RANDOM, type_in=f"1\n1\nsave {file}\nquit\n")
    assert "(?)" in file.read_text()
    assert "Seed" not in file.read_text()


# Bad input.


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device to write to")
@pytest.mark.parametrize("command", [["games"], ["rules", "cable-car"], ["--version"]])
def test_output_that_cannot_be_written_gets_a_sentence(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "ludotheque.cli", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert answer.returncode == 1
    assert answer.stderr == "ludotheque: The output cannot be written: No space left on device.\n"


MOST = "--most takes WHAT=NUMBER, where WHAT is one of open-tables, tournaments, clubs, profiles"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bench", "chess"], "There is no game 'chess'"),
        (["perft", "cable-car"], "in games without chance; Cable Car has draws."),
        (["perft", "passerelles", "--moon", "full"], "There is no option 'moon'; the options are: rounds, landscape"),
        (["perft", "passerelles", "--landscape"], "An option of the game is written --name value, not '--landscape'."),
        (["perft", "passerelles", "--landscape", "mars"], "The option landscape takes one of none, africa"),
        (["rules", "chess"], "There is no game 'chess'"),
        (["rules", "cable-car", "--language", "la"], "The rules of Cable Car are not written in 'la'"),
        (["simulate", "cable_car(players=3)", "--players", "2"], "The number of players is given twice."),
        (["play", "cable_car(players=3)", "--seat", "me"], "A game of 3 players takes 3 times --seat, not 1."),
        (["simulate", "cable-car", "--players", "9"], "Cable Car is for 2 to 6 players, not 9."),
        (["simulate", "cable-car", "--option", "hand"], "An option is written name=value, not 'hand'."),
        (["simulate", "cable-car", "--option", "hand=9"], "The option hand takes one of 1, 2, 3, not '9'."),
        (["simulate", "cable-car", "--option", "x=1"], "There is no option 'x'"),
        (["simulate", "cable-car", "-o", "hand=1", "-o", "hand=2"], "The option hand is given twice."),
        (["simulate", "cable-car", "--out", "/dev/null/x"], "The folder '/dev/null/x' cannot be made"),
        (["arena", "cable-car", "random", "you"], "There is no bot 'you'"),
        (["arena", "cable-car", "random", "greedy", "--records", "/dev/null/x"], "The folder '/dev/null/x' cannot be"),
        (["ladder", "cable-car", "--out", "/dev/null/x.md"], "The folder '/dev/null' cannot be made"),
        (["play", "cable-car", "--seat", "me", "--seat", "you"], "There is no bot 'you'"),
        (["play", "cable-car", "--seat", "me"], "Cable Car is for 2 to 6 players, not 1."),
        (["serve", "--channels", "postgres"], "--channels postgres needs a PostgreSQL --database."),
        *((["serve", "--most", wrong], MOST) for wrong in ("clubs", "clubs=0", "clubs=many", "seats=3")),
        (["replay", "nowhere.json"], "The file 'nowhere.json' cannot be read"),
        (["replay", "/"], "cannot be read"),
    ],
)
def test_bad_arguments_get_one_sentence_and_exit_code_1(
    words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ludotheque", *words])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    printed = capsys.readouterr().err
    assert sentence in printed
    assert len(printed.splitlines()) == 1


def test_a_shell_gets_the_sentence_and_the_exit_code() -> None:
    answer = shell("rules", "chess")
    assert answer.returncode == 1
    assert answer.stderr.startswith("ludotheque: There is no game 'chess'")
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--at", "100000"], "There is no ply 100000"),
        (["--at", "-1"], "There is no ply -1"),
        (["--as", "7"], "A viewer is a seat from 1 to 3 or spectator, not '7'."),
        (["--as", "²"], "A viewer is a seat"),
        (["--as", "9" * 5000], "A viewer is a seat"),
    ],
)
def test_replay_names_what_a_record_does_not_have(record: Path, words: list[str], sentence: str) -> None:
    result = run("replay", record, *words)
    assert isinstance(result.exception, LudothequeError)
    assert sentence in str(result.exception)


@settings(max_examples=several(20, 60))
@given(st.lists(st.text("abcdefghijklmnop-=019 é", max_size=12), max_size=4))
def test_no_arguments_cause_a_traceback(words: list[str]) -> None:
    result = run("replay", *words)
    assert result.exception is None or isinstance(result.exception, (SystemExit, LudothequeError))
    assert result.exit_code != 0 or "--help" in words


def test_a_file_that_holds_no_puzzles_is_named_before_anything_is_searched(tmp_path: Path) -> None:
    page = tmp_path / "puzzles.json"
    page.write_text("[1,2")
    for command in ("make", "confirm"):
        result = run("puzzles", command, "cable-car", "--out", page)
        assert isinstance(result.exception, LudothequeError | SystemExit)
        assert "does not hold puzzles" in str(result.exception) + result.output

"""Bots that are programs: the engine protocol, the examples, and programs that misbehave."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from librt.random import Random
from typer.testing import CliRunner

import ludotheque.bots.engine as engine
from ludotheque import load_game, seat_bot
from ludotheque.bots.engine import EngineBot
from ludotheque.bots.engine_check import _quit, check_engine
from ludotheque.bots.engine_loop import run_engine
from ludotheque.bots.protocol import TO_BOT, Did, Go, MoveReply, New, ReadyReply, encode
from ludotheque.cli import app
from ludotheque.core.game import Game
from ludotheque.errors import BotFailed
from ludotheque.study.arena import Contest, Outcome, run_contest
from ludotheque.table import Match
from tests.ours import OURS
from tests.table.matches import random_match, twins
from tests.toy import Nim, Orchard

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
CAUTIOUS = shlex.join([sys.executable, str(EXAMPLES / "cautious.py")])
READY = '{"type":"ready"}'
MOVE = '{"type":"move","action":1}'
PATIENCE = 60.0
"""Seconds for a move of a bot that does move; no measure of speed."""


def script(tmp_path: Path, text: str) -> str:
    """A program: what it does for each line that it reads, which is `line`."""
    path = tmp_path / "bot.py"
    path.write_text(
        f"import sys, time, os\nREADY = {READY!r}\nfor line in sys.stdin:\n{text}\n    sys.stdout.flush()\n"
    )
    return shlex.join([sys.executable, str(path)])


def first_move(command: str, clock: float = PATIENCE, game: Game | None = None) -> int:
    match = Match.start(game or Nim(2))
    bot = EngineBot("Mine", command, match.game, match.to_move, 1, clock)
    try:
        return bot.choose(match.turn(match.to_move, Random(1), clock))
    finally:
        bot.close()


@pytest.fixture(scope="session")
def steady(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The example in C, compiled."""
    program = tmp_path_factory.mktemp("steady") / "steady"
    source = str(EXAMPLES / "steady.c")
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(program), source], check=True)
    return str(program)


def test_the_example_in_python_conforms() -> None:
    assert [problem for _, problem in check_engine(CAUTIOUS, Orchard(2), PATIENCE)] == [""] * 7
    text = (EXAMPLES / "cautious.py").read_text(encoding="utf-8")
    assert "import ludotheque" not in text
    assert len(text.splitlines()) <= 55


def test_the_example_in_c_conforms(steady: str) -> None:
    assert [problem for _, problem in check_engine(steady, Orchard(2), PATIENCE)] == [""] * 7


def our_program(game: str, bot: str) -> str:
    return shlex.join([sys.executable, "-m", "ludotheque.cli", "engine", game, "--bot", bot])


@pytest.mark.full
def test_our_bots_conform() -> None:
    words = ["engine", "check", our_program("cable-car", "search:8"), "--game", "cable-car", "--clock", "60"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.stdout
    assert result.stdout.count("ok ") == 7


def test_our_bots_play_as_programs_what_they_play_here() -> None:
    match = random_match(load_game("cable-car"), 1, plies=20)
    seat = match.to_move
    program = seat_bot(f"engine:{our_program('cable-car', 'greedy')}", match.game, seat, 5, PATIENCE)
    here = seat_bot("greedy", match.game, seat, 5)
    assert program.choose(match.turn(seat, Random(2), PATIENCE)) == here.choose(match.turn(seat, Random(2), PATIENCE))
    program.end([1.0, 0.0], [2, 1])


def test_programs_play_in_an_arena(steady: str) -> None:
    bots = (f"calm=engine:{CAUTIOUS}", f"engine:{steady}")
    contest = Contest("orchard", 2, Orchard(2).settings, bots, clock=PATIENCE)
    outcomes = run_contest(contest, 2)
    assert [game.failure for game in outcomes] == ["", ""]
    assert timeless(outcomes) == timeless(run_contest(contest, 2))


def timeless(outcomes: list[Outcome]) -> list[Outcome]:
    """The seeds that programs get are the same in every run; only times differ."""
    return [msgspec.structs.replace(game, seconds=()) for game in outcomes]


def test_the_session_in_the_documentation_is_true(steady: str) -> None:
    page = (EXAMPLES.parents[1] / "docs" / "engine-protocol.md").read_text(encoding="utf-8")
    session = page.partition("```session\n")[2].partition("```")[0].splitlines()
    sent = [line[2:] for line in session if line.startswith("> ")]
    assert [encode(TO_BOT.decode(line)).decode() for line in sent] == [f"{line}\n" for line in sent]
    done = subprocess.run([steady], input="\n".join([*sent, ""]), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [line[2:] for line in session if line.startswith("< ")]
    assert len(done.stdout.splitlines()) == 3


# Programs that misbehave.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("    print(READY if 'new' in line else 'garbage')", "wrote a line that is not a message"),
        ("    sys.stdout.buffer.write(b'\\xff\\xfe\\n')", "wrote a line that is not a message"),
        ("    print('[' * 100000)", "wrote a line that is not a message"),
        ("    print(READY)", "sent something else"),
        ('    print(\'{"type":"move","action":0}\')', "replied with something else"),
        ('    print(\'{"type":"error","message":"no weights"}\')', "Mine gave up: no weights"),
        ("    print(READY) if 'new' in line else sys.exit(3)", "ended mid-game with exit code 3"),
        ("    os.kill(os.getpid(), 9)", "was ended by signal 9"),
        ("    print(READY + '\\n' + READY) if 'new' in line else 0", "wrote a line when nothing was asked"),
        ("    sys.stdout.write('x' * 3_000_000)", "wrote a line of more than 1000000 bytes"),
    ],
)
def test_a_program_that_misbehaves_is_stopped(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(BotFailed, match=reason):
        first_move(script(tmp_path, text))


def test_a_silent_program_is_stopped_when_its_time_is_up(tmp_path: Path) -> None:
    command = script(tmp_path, "    if 'new' in line: print(READY)")
    with pytest.raises(BotFailed, match=r"Mine did not move within 0\.1 s\."):
        first_move(command, clock=0.1)


def test_a_program_that_does_not_get_ready_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "START_SECONDS", 0.1)
    with pytest.raises(BotFailed, match=r"Mine was not ready within 0\.1 s\."):
        first_move(script(tmp_path, "    time.sleep(60)"))


def test_a_program_that_does_not_read_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "START_SECONDS", 0.1)
    large = Orchard(2, {"deck": {"cards": [2] * 6, "print": "x" * 900_000}})
    with pytest.raises(BotFailed, match="was not ready"):
        first_move("sleep 60", game=large)


def test_an_illegal_move_of_a_program_loses(tmp_path: Path) -> None:
    text = '    print(READY if \'new\' in line else \'{"type":"move","action":77}\')'
    contest = Contest("nim", 2, Nim(2).settings, (f"far=engine:{script(tmp_path, text)}", "random"), clock=PATIENCE)
    assert run_contest(contest, 1)[0].failure == "Seat 1: far chose 77, which is not a legal action here."


def test_standard_error_goes_to_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = "    sys.exit('lost my weights')"
    with pytest.raises(BotFailed, match="exit code 1"):
        first_move(script(tmp_path, text))
    assert "lost my weights" in caplog.text


def test_what_a_program_writes_cannot_change_the_terminal(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = r"""
    print("bad \x1b[2J\u202e", file=sys.stderr, flush=True)
    print('{"type":"error","message":"no \\u001b[2J\\u202e weights"}')
"""
    with pytest.raises(BotFailed, match=r"Mine gave up: no \\x1b\[2J\\u202e weights$"):
        first_move(script(tmp_path, text))
    assert r"bad \x1b[2J\u202e" in caplog.text


def test_no_process_is_left_behind(tmp_path: Path) -> None:
    """Not even what a program started itself."""
    marker = tmp_path / "child.pid"
    path = tmp_path / "parent.sh"
    path.write_text(f"sleep 600 & echo $! > {marker}; read line; echo garbage; wait\n")
    with pytest.raises(BotFailed, match="not a message"):
        first_move(f"sh {path}")
    child = int(marker.read_text())
    deadline = time.monotonic() + PATIENCE
    while is_running(child):  # a killed process may need a moment to end
        assert time.monotonic() < deadline, "the child of the program was not killed"
        time.sleep(0.01)


def test_the_check_leaves_no_process_behind_that_does_not_get_ready(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    path = tmp_path / "moves.sh"
    path.write_text(f"echo $$ > {marker}; read line; echo '{MOVE}'; while read line; do :; done; exec sleep 600\n")
    with pytest.raises(BotFailed, match="to new"):
        _quit(["sh", str(path)], New(1, "nim", 2, Nim(2).settings, 0, 1, 1.0), b"")
    assert not is_running(int(marker.read_text()))


def is_running(process: int) -> bool:
    """Whether the process exists and is more than an entry that waits to be collected."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_the_check_names_the_problem(tmp_path: Path) -> None:
    move = '{"type":"move","action":77}'
    text = f"    if 'quit' in line: break\n    print(READY if 'new' in line else {move!r}) if 'did' not in line else 0"
    result = CliRunner().invoke(app, ["engine", "check", script(tmp_path, text), "--clock", "60"])
    assert result.exit_code == 1
    assert "FAILED  plays Cable Car to the end at seat 1 of 2: Its move" in result.stdout


# Our bots as programs.


def lines(*messages: New | Did | Go) -> list[bytes]:
    return [encode(message) for message in messages]


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ([b"garbage\n"], "malformed"),
        (lines(Go([0], 1.0)), "The first message must be new."),
        (lines(New(1, "chess", 2, {}, 0, 1, 1.0)), "This bot plays nim, not 'chess'."),
        (lines(New(1, "nim", 99, {}, 0, 1, 1.0)), "Nim is for"),
        (lines(New(1, "nim", 2, {}, 0, 1, 1.0), Go([0], 1.0)), "wants a position"),
    ],
)
def test_our_program_says_what_is_wrong(sent: list[bytes], reason: str) -> None:
    output = io.BytesIO()
    assert not run_engine("random", "nim", sent, output)
    assert b'"type":"error"' in output.getvalue().splitlines()[-1]
    assert reason in output.getvalue().decode()


# Secrecy.


class Recorder:
    """A process that records what it is sent, and asks for everything there is."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def ask(self, data: bytes, seconds: float, late: object) -> object:
        self.sent.append(data)
        return ReadyReply("", ("observation",)) if b'"new"' in data else MoveReply(0)


def sent_to_bot(match: Match, monkeypatch: pytest.MonkeyPatch) -> bytes:
    recorder = Recorder()
    monkeypatch.setattr(EngineBot, "_start", lambda bot: recorder)
    EngineBot("Mine", "sh", match.game, match.to_move, 1, 5.0).choose(match.turn(match.to_move, Random(1), 5.0))
    return b"".join(recorder.sent)


@pytest.mark.parametrize("name", OURS)
def test_what_is_hidden_in_our_games_changes_no_byte_that_a_program_reads(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is hidden there is no twin; a program that asks for the position gets one that was drawn anew."""
    options = {"companies": True} if name == "cable-car" else {}
    match = random_match(load_game(name, 2, **options), 3, plies=40)
    read = sent_to_bot(match, monkeypatch)
    assert b'"type":"go"' in read
    found = list(twins(match, match.to_move))
    assert bool(found) == match.game.has_hidden_information
    assert {sent_to_bot(twin, monkeypatch) for twin in found} <= {read}


def test_what_is_hidden_changes_no_byte_that_a_program_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for number in range(12):
        match = random_match(Orchard(3), number, plies=6 + number)
        if match.is_over:
            continue
        read = sent_to_bot(match, monkeypatch)
        assert b'"type":"go"' in read
        for twin in twins(match, match.to_move):
            assert sent_to_bot(twin, monkeypatch) == read
            found += 1
    assert found > 10

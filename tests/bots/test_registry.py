"""Custom bots: found by name, seated, and stopped when they break the rules."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from librt.random import Random

from ludotheque import CustomBot, Turn, load_game, register_bot, seat_bot
from ludotheque.bots import isolated, registry
from ludotheque.bots.engine import EngineBot, EngineProcess
from ludotheque.bots.players import RandomBot, SearchBot
from ludotheque.bots.registry import bot_title, check_bot, is_custom
from ludotheque.bots.styles import style_named
from ludotheque.core.game import Game
from ludotheque.errors import BadOption, BotFailed, LudothequeError, NoSuchBot
from ludotheque.server.bots.workers import expected_seconds
from ludotheque.server.table_bots import TableBots, table_bot
from ludotheque.study.arena import Contest, Outcome, make_report, play_game, run_contest
from ludotheque.table import Match
from tests.table.matches import orchard, random_match, twins
from tests.toy import Nim, Orchard

CUSTOM = Path(__file__).parent / "custom"


@pytest.fixture(autouse=True)
def custom_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that is installed beside ours, with metadata of its own."""
    monkeypatch.syspath_prepend(str(CUSTOM))
    registry._installed.cache_clear()
    yield
    registry._installed.cache_clear()
    sys.modules.pop("custom_bots", None)


def first_turn(clock: float = 20.0) -> Turn:
    match = orchard()
    return match.turn(match.to_move, Random(1), clock)


def custom(name: str) -> str:
    return f"python:custom_bots:{name}"


@pytest.mark.parametrize(
    "name", ["first-legal", custom("FirstLegal"), "mine=first-legal", f"mine={custom('FirstLegal')}"]
)
def test_a_bot_is_found_by_entry_point_and_by_class(name: str) -> None:
    game = Nim(2)
    check_bot(name, game)
    assert is_custom(name)
    match = Match.start(game)
    assert seat_bot(name, game, 0, 1).choose(match.turn(0, Random(1), 20.0)) == 0


def test_a_bot_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    class Last:
        def choose(self, turn: Turn) -> int:
            return turn.legal[-1]

    def maker(game: Game, seat: int, seed: int) -> CustomBot:
        return Last()

    monkeypatch.setattr(registry, "_added", {})
    register_bot("last", maker)
    turn = first_turn()
    assert seat_bot("last", turn.game, turn.seat, 1).choose(turn) == turn.legal[-1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("class Bot(:\n", r"invalid syntax \(faulty_bot.py, line 1\)"),
        ("\nnope\n", r"NameError: name 'nope' is not defined \(faulty_bot.py, line 2\)"),
    ],
)
def test_a_bot_whose_module_fails_gets_a_sentence(
    text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "faulty_bot.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(NoSuchBot, match=f"^The bot 'python:faulty_bot:Bot' cannot be loaded: {reason}"):
        check_bot("python:faulty_bot:Bot", load_game("cable-car"))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nobody", "There is no bot 'nobody'"),
        ("nobody", "installed packages, and custom ones: python:package.module:Class or engine:COMMAND"),
        ("python:custom_bots", "python:package.module:Class"),
        ("python:no_such_package.bots:Bot", "No module named"),
        (custom("Missing"), "cannot be loaded"),
        (custom("NoBot"), "no"),
        ("lost-legal", "cannot be loaded from custom_bots:Missing"),
        ("engine:", "There is no program"),
        ("engine:no-such-program-anywhere", "There is no program 'no-such-program-anywhere'"),
        ("engine:'", "cannot be read"),
    ],
)
def test_a_name_without_a_bot_says_why(name: str, reason: str) -> None:
    with pytest.raises(NoSuchBot, match=reason):
        check_bot(name, Nim(2))


def test_a_bot_has_a_short_name() -> None:
    names = ["bot:3", custom("FirstLegal"), "mine=engine:sh -c 'exit'", "engine:/bin/sh x", "first-legal"]
    assert [bot_title(name) for name in names] == ["bot:3", "FirstLegal", "mine", "sh", "first-legal"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Illegal", "Illegal chose 1000000, which is not a legal action here."),
        ("Nonsense", "Nonsense chose 'the first', which is not a legal action here."),
        ("Crashing", "Crashing failed: RuntimeError: out of ideas."),
        ("CannotStart", "CannotStart failed: OSError: no weights."),
        ("Endless", "Endless took too long for its move."),
    ],
)
def test_a_bot_that_fails_loses_its_game_and_the_arena_goes_on(name: str, reason: str) -> None:
    contest = Contest("nim", 2, Nim(2).settings, (custom(name), "random"), clock=0.2)
    outcomes = run_contest(contest, 4)
    assert [game.failed_seat for game in outcomes] == [0, 1, 0, 1]
    assert [game.failure for game in outcomes] == [f"Seat {1 + game.failed_seat}: {reason}" for game in outcomes]
    assert [game.returns for game in outcomes] == [(0.0, 1.0), (1.0, 0.0)] * 2
    report = {bot.name: bot for bot in make_report(contest, outcomes).bots}
    assert (report[custom(name)].failures, report["random"].failures, report["random"].wins) == (4, 0, 4)


def arena_of(name: str, games: int, clock: float = 60.0) -> list[Outcome]:
    """Games of an installed game, which other processes know too."""
    game = load_game("passerelles")
    return run_contest(Contest(game.name, 2, game.settings, (custom(name), "random"), clock=clock), games)


def test_a_bot_in_the_arena_has_a_process_of_its_own_for_all_its_games() -> None:
    outcomes = arena_of("FirstLegal", 2)
    assert [game.failure for game in outcomes] == ["", ""]
    assert min(game.move_counts[0] for game in outcomes) > 10
    assert "custom_bots" not in sys.modules or not sys.modules["custom_bots"].ENDED
    assert isolated._idle == {}


def test_a_bot_that_fails_after_a_game_does_not_lose_the_next() -> None:
    outcomes = arena_of("FailsAfterTheEnd", 3)
    assert [game.failure for game in outcomes] == ["", "", ""]


def test_no_program_is_left_running_when_a_game_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[EngineProcess] = []
    start, play = EngineBot._start, Match.play

    def start_and_note(self: EngineBot) -> EngineProcess:
        started.append(start(self))
        return started[-1]

    def play_some(self: Match, seat: int, action: int) -> None:
        if self.ply >= 3:
            raise KeyboardInterrupt
        play(self, seat, action)

    monkeypatch.setattr(EngineBot, "_start", start_and_note)
    monkeypatch.setattr(Match, "play", play_some)
    with pytest.raises(KeyboardInterrupt):
        arena_of("FirstLegal", 1)
    assert [process.has_ended for process in started] == [True]
    assert isolated._idle == {}


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Killed", "Killed ended mid-game with exit code 7."), ("Endless", "Endless did not move within 0.3 s.|long")],
)
def test_a_bot_that_crashes_or_hangs_in_the_arena_ends_only_its_game(name: str, reason: str) -> None:
    [outcome] = arena_of(name, 1, clock=0.3)
    assert outcome.failed_seat == 0
    assert re.search(reason, outcome.failure)


def test_a_bot_hears_how_the_game_ended() -> None:
    contest = Contest("nim", 2, Nim(2).settings, (custom("FirstLegal"), "random"))
    outcome = play_game(contest, 0)
    assert sys.modules["custom_bots"].ENDED[-1] == (0, outcome.returns)


def test_our_bots_play_in_an_arena_as_before() -> None:
    """What bots heard decides what they search; the dice and seeds are the same as ever."""
    game = load_game("passerelles")
    contest = Contest("passerelles", 2, game.settings, ("search:40", "policy"))
    assert msgspec.structs.replace(play_game(contest, 0), seconds=()) == msgspec.structs.replace(
        play_game(contest, 0), seconds=()
    )


# Secrecy.


def everything(turn: Turn) -> bytes:
    return msgspec.json.encode([turn.seat, turn.events, turn.legal, turn.clock, turn.observation])


def check_turns_of_twins(match: Match) -> int:
    """How many twins were found; each gives the bot to move the same bytes."""
    seat = match.to_move
    turn = everything(match.turn(seat, Random(1), 5.0))
    found = list(twins(match, seat))
    assert [everything(twin.turn(seat, Random(1), 5.0)) for twin in found] == [turn] * len(found)
    return len(found)


def test_what_is_hidden_changes_nothing_that_a_bot_gets() -> None:
    found = 0
    for number in range(12):
        match = random_match(Orchard(3), number, plies=6 + number)
        found += 0 if match.is_over else check_turns_of_twins(match)
    assert found > 10


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_hidden_in_cable_car_changes_nothing_that_a_bot_gets(players: int) -> None:
    assert check_turns_of_twins(random_match(load_game("cable-car", players, companies=True), 3, plies=40)) > 0


def test_events_hide_what_the_seat_did_not_see() -> None:
    match = orchard(3)
    for seat in range(3):
        dealt = match.viewing.events(seat)[:3]
        assert [action is not None for _, action in dealt] == [number == seat for number in range(3)]


def test_events_follow_moves_that_are_taken_back() -> None:
    match = random_match(Orchard(2), 5, plies=8)
    before = match.viewing.events(1)
    match.rewind(4)
    assert match.viewing.events(1)[:4] == before[:4]
    fresh = Match(match.game, match.names, match.dice, [action for _, action in match.actions()])
    assert match.viewing.events(1) == fresh.viewing.events(1)


# Tables.


def test_a_server_offers_the_levels_and_its_custom_bots() -> None:
    bots = TableBots(TableBots.read(["first-legal", f"mine={custom('FirstLegal')}"]))
    titles = {level: str(title) for level, title in bots.titles().items()}
    assert list(titles)[:2] == ["random", "1"]
    assert list(titles)[-2:] == ["first-legal", "mine"]
    assert (titles["mine"], str(bots.title("gone"))) == ("mine", "Bot")
    game = load_game("cable-car", 2)
    assert bots.check("mine", game) == "mine"
    with pytest.raises(BadOption, match="There is no bot 'yours'"):
        bots.check("yours", game)


def test_a_server_offers_the_styles_of_a_game_at_its_middle_levels() -> None:
    bots, game = TableBots(), load_game("cable-car", 2)
    assert bots.check("3-patient", game) == "3-patient"
    assert str(bots.title("3-patient")) == "Club player (patient)"
    seated = table_bot("3-patient", game, 1)
    assert isinstance(seated, SearchBot)
    assert seated.style == style_named("patient", game)
    assert expected_seconds("3-patient") == expected_seconds("3")
    with pytest.raises(BadOption, match="There is no bot '5-patient'"):
        bots.check("5-patient", game)
    with pytest.raises(NoSuchBot, match="Nim has no style 'patient'; it has no styles"):
        bots.check("3-patient", Nim(2))


@pytest.mark.parametrize("words", [["bot:3"], ["random=first-legal"], ["first-legal", "first-legal"]])
def test_a_server_offers_no_bot_twice(words: list[str]) -> None:
    with pytest.raises(LudothequeError):
        TableBots.read(words)


def test_a_bot_that_fails_says_so() -> None:
    turn = first_turn()
    with pytest.raises(BotFailed, match="out of ideas"):
        seat_bot(custom("Crashing"), turn.game, turn.seat, 1).choose(turn)


@pytest.mark.parametrize(("name", "maker"), [("", object), (" ", object), (None, object), ("mine", None), ("mine", 3)])
def test_what_is_no_bot_cannot_be_added(name: Any, maker: Any) -> None:
    with pytest.raises(NoSuchBot, match="A bot "):
        register_bot(name, maker)


@pytest.mark.parametrize("name", ["random", "greedy", "bot:3", "level:3", "search:100", "search:1s"])
def test_the_names_of_built_in_bots_are_reserved(name: str) -> None:
    with pytest.raises(NoSuchBot, match=f"'{name}' is the name of a built-in bot"):
        register_bot(name, FirstOfAll)


class FirstOfAll:
    def __init__(self, game: Game, seat: int, seed: int) -> None:
        pass

    def choose(self, turn: Turn) -> int:
        return turn.legal[0]


def test_an_installed_package_does_not_replace_a_built_in_bot(caplog: pytest.LogCaptureFixture) -> None:
    assert not is_custom("random")
    assert isinstance(seat_bot("random", Nim(2), 0, 1), RandomBot)
    assert "the bot random of custom_bots:FirstLegal has the name of a built-in bot" in caplog.text
    assert "the bot bot:6" in caplog.text


def test_no_bot_can_be_given_the_name_of_a_built_in_one() -> None:
    for name in ("random=greedy", "bot:3=policy", "greedy=python:tests.bots.custom:Anything"):
        with pytest.raises(NoSuchBot):
            seat_bot(name, load_game("passerelles"), 0, 1)

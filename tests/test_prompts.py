"""Games in words: prompts tell a seat what it may know, answers are read or refused, an endpoint is scored."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from ludotheque import Game, Random, load_game
from ludotheque.errors import BadOption, IllegalMove, MoveError, NoSuchSeat
from ludotheque.prompts import MOST_WORDS, TextEnv, prompt, read_answer
from tests.bots.positions import TABLES, a_decision

EXAMPLE = Path(__file__).parent.parent / "examples" / "chat_player.py"


def listed(text: str) -> list[str]:
    """The notation of the moves that a prompt lists."""
    moves = text.partition("Your legal moves:\n\n")[2].partition("\n\n")[0]
    return re.findall(r"^- ([^:]+(?::\d+)?): ", moves, re.MULTILINE) or moves.split(", ")


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_a_prompt_has_rules_position_and_every_legal_move(game: Game) -> None:
    for steps in (0, 12, 30):
        state = a_decision(game, 3, steps)
        text = prompt(state)
        assert text.startswith(f"You play {game.title} as seat {state.current_player() + 1} of {game.players}.")
        assert "## In one minute" in text
        assert "## Notation" in text
        assert str(state.observation(state.current_player())) in text
        legal = state.legal_actions()
        assert [read_answer(state, f"Move: {move}") for move in listed(text)] == legal
        assert ("- " in text.partition("Your legal moves")[2]) == (len(legal) <= MOST_WORDS)


@pytest.mark.parametrize("game", [game for game in TABLES if game.has_hidden_information], ids=repr)
def test_a_prompt_tells_nothing_that_is_hidden(game: Game) -> None:
    for steps in (0, 25, 60):
        state = a_decision(game, steps, steps)
        for seat in range(game.players):
            other = state.resample_from_infostate(seat, Random(steps))
            assert prompt(other, seat) == prompt(state, seat)


def test_rules_may_be_whole_or_left_out() -> None:
    state = a_decision(load_game("cable-car"), 1, 5)
    assert "## Our rulings" in prompt(state, rules="full")
    assert "![" not in prompt(state, rules="full")
    assert "## Notation" not in prompt(state, rules="none")
    with pytest.raises(BadOption, match="short, full or none"):
        prompt(state, rules="some")  # type: ignore[arg-type]
    with pytest.raises(NoSuchSeat):
        prompt(state, 5)


def test_a_seat_that_waits_is_told_for_whom() -> None:
    assert prompt(load_game("cable-car").new_initial_state(), 0).endswith("A draw comes next.")
    state = a_decision(load_game("cable-car"), 1, 5)
    player = int(state.current_player())
    assert prompt(state, 1 - player).endswith(f"It is the turn of seat {player + 1}.")


@pytest.mark.parametrize(
    "answer", ["5h A1", "Move: 5h A1", "**Move:** `5h A1`.", "Move: nonsense\nor rather\nmove: 5h A1\n\n", "So:\n5h A1"]
)
def test_an_answer_is_read_from_its_last_move_or_line(answer: str) -> None:
    state = load_game("passerelles").new_initial_state()
    assert state.action_to_string(read_answer(state, answer)) == "5h A1"


@pytest.mark.parametrize("answer", ["", " \n ", "I resign", "Move: 5h Z9", "Move: \x00"])
def test_an_answer_without_a_legal_move_gets_a_sentence(answer: str) -> None:
    with pytest.raises(MoveError):
        read_answer(load_game("passerelles").new_initial_state(), answer)


@pytest.mark.parametrize("name", ["cable_car(players=3)", "chicago_express(players=2)", "passerelles", "pays_noir"])
def test_a_text_environment_plays_whole_games(name: str) -> None:
    table = TextEnv(name, seat=1)
    texts, rewards = [], []
    for _ in range(2):
        text = table.reset(seed=4)
        while not (step := table.step(f"Move: {listed(text)[-1]}")).is_over:
            assert not step.is_refusal
            text = step.text
        texts.append(step.text)
        rewards.append(step.reward)
    assert texts[0] == texts[1]
    assert texts[0].startswith("The game is over. Scores by seat: [")
    assert 0.0 <= rewards[0] <= 1.0
    with pytest.raises(IllegalMove, match="reset"):
        table.step("Move: 1")


def test_refusals_change_nothing_and_three_in_a_row_lose() -> None:
    table = TextEnv("passerelles", max_refusals=3)
    text = table.reset(seed=1)
    assert table.step("nonsense").is_refusal
    assert not table.step(f"Move: {listed(text)[0]}").is_refusal
    steps = [table.step("nonsense") for _ in range(3)]
    assert [step.is_over for step in steps] == [False, False, True]
    assert (steps[-1].reward, table.refusals) == (0.0, 4)
    with pytest.raises(IllegalMove):
        table.step("nonsense")


# An endpoint.


class Scripted(BaseHTTPRequestHandler):
    """Answers with the first legal move of the last prompt that lists some; every fifth answer is nonsense."""

    asked: list[dict[str, Any]]
    keys: list[str | None]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        self.keys.append(self.headers["Authorization"])
        texts = [message["content"] for message in body["messages"] if "Your legal moves" in message["content"]]
        content = "I pass." if len(self.asked) % 5 == 0 else f"I think.\nMove: {listed(texts[-1])[0]}"
        reply = json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def scripted() -> Iterator[tuple[str, type[Scripted]]]:
    handler = type("Fresh", (Scripted,), {"asked": [], "keys": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1", handler
        server.shutdown()
        thread.join()


def test_the_example_scores_an_endpoint(scripted: tuple[str, type[Scripted]], monkeypatch: pytest.MonkeyPatch) -> None:
    url, handler = scripted
    monkeypatch.setenv("CHAT_KEY", "secret")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    command = [sys.executable, str(EXAMPLE), "passerelles(rounds=1)", "--url", url, "--model", "tester", "--games", "2"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    found = re.search(r"tester against random in passer.*: [0-9.]+% of 2 games \(even: 50%\), (\d+)", answer.stdout)
    assert found is not None
    assert int(found[1]) == len(handler.asked) // 5 > 0
    assert set(handler.keys) == {"Bearer secret"}
    assert {body["model"] for body in handler.asked} == {"tester"}
    assert max(len(body["messages"]) for body in handler.asked) <= 9

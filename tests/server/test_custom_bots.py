"""Bots of the operator's own at a real server's tables."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludotheque import Game, Turn
from tests.server.harness import Browser, Server, wait_until
from tests.server.test_reviews import finished, open_match, progress, start, whole_review

LEARNED = "python:examples.learned_bot:Learned"
CHEAT = "python:tests.server.test_custom_bots:Cheat"
CAUTIOUS = Path(__file__).parents[2] / "examples" / "bots" / "cautious.py"


class Cheat:
    """A bot that never chooses a legal action."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self._illegal = -1

    def choose(self, turn: Turn) -> int:
        return self._illegal


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A server that offers a good bot, one that ends at once, one that cheats, and one with trained weights."""
    good = shlex.join([sys.executable, str(CAUTIOUS)])
    bots = (f"calm=engine:{good}", "broken=engine:sh -c 'exit 3'", f"cheat={CHEAT}", f"learned={LEARNED}")
    flags = [f"--bot={bot}" for bot in bots]
    server = Server(tmp_path_factory.mktemp("own"), "--no-limits", *flags)
    with server.browser() as browser:
        yield browser
    server.stop()


def opened(host: Browser, *levels: str, game: str = "orchard", **options: int) -> str:
    seats = [{"who": "bot", "level": level} if level else {"who": "me"} for level in levels]
    answer = host.post("/api/tables", {"game": game, "seats": seats, "pace": 0, "options": options})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_custom_bots_are_listed_beside_the_levels(host: Browser) -> None:
    cards = host.get("/api/levels").json()
    assert cards[0]["level"] == "random"
    assert [card["name"] for card in cards[-4:]] == ["calm", "broken", "cheat", "learned"]
    assert all(card["level"] == card["name"] and not card["has_styles"] for card in cards[-4:])


def test_an_own_bot_plays_a_whole_game_at_a_table(host: Browser) -> None:
    table = opened(host, "calm", "random")
    wait_until(lambda: host.view(table)["over"])
    assert [seat["stopped"] for seat in host.view(table)["seats"]] == ["", ""]


def test_the_learned_player_of_the_examples_sits_at_a_table(host: Browser) -> None:
    table = opened(host, "learned", "random", game="chicago-express")
    wait_until(lambda: host.view(table)["over"] or host.view(table)["seats"][0]["stopped"])
    assert host.view(table)["seats"][0]["stopped"] == ""
    other = opened(host, "learned", "random", game="pays-noir")
    wait_until(lambda: host.view(other)["seats"][0]["stopped"])
    assert "There are no weights for pays_noir" in host.view(other)["seats"][0]["stopped"]


def test_a_bot_that_fails_stops_with_a_message_and_the_host_replaces_it(host: Browser) -> None:
    table = opened(host, "broken", "calm")
    wait_until(lambda: host.view(table)["seats"][0]["stopped"])
    assert host.view(table)["seats"][0]["stopped"] == "broken ended mid-game with exit code 3."
    assert host.get("/health").status_code == 200
    assert host.post(f"/api/tables/{table}/bot", {"seat": 0, "level": "nobody"}).status_code == 400
    assert host.post(f"/api/tables/{table}/bot", {"seat": 0, "level": "random"}).status_code == 200
    wait_until(lambda: host.view(table)["over"])
    assert host.view(table)["seats"][0]["stopped"] == ""


def test_the_seat_of_a_stopped_bot_can_be_opened_to_people(host: Browser) -> None:
    table = opened(host, "broken", "")
    wait_until(lambda: host.view(table)["seats"][0]["stopped"])
    assert host.post(f"/api/tables/{table}/bot", {"seat": 0}).status_code == 200
    assert host.view(table)["seats"][0]["open"]
    assert host.post(f"/api/tables/{table}/bot", {"seat": 0}).json()["error"] == "no-bot"


def test_only_the_host_replaces_a_bot(host: Browser) -> None:
    answer = host.post("/api/tables", {"game": "orchard", "seats": [{"who": "bot", "level": "calm"}, {"who": "link"}]})
    link = answer.json()["links"][0]["url"]
    with host.server.browser() as guest:
        guest.join(link)
        assert guest.post(f"/api/tables/{answer.json()['id']}/bot", {"seat": 0}).status_code == 403


def test_an_own_bot_reviews_a_game(host: Browser) -> None:
    table = open_match(host, finished()).id
    assert start(host, table, simulations=16, bot="calm")["bot"] == "calm"
    reviewed = whole_review(host, table)
    assert reviewed["progress"]["bot"] == "calm"
    assert len(reviewed["decisions"]) == reviewed["progress"]["total"] > 0
    assert all(decision["with_hindsight"] is None for decision in reviewed["decisions"]), (
        "it knows what the player knew"
    )
    assert '<option value="calm">' in host.get(f"/t/{table}").text
    assert start(host, table, simulations=16)["bot"] == "", "search proposes the moves again"


def test_a_review_by_a_bot_that_fails_ends_with_a_message(host: Browser) -> None:
    table = open_match(host, finished("nim")).id
    for bot, problem in {
        "broken": "broken ended mid-game with exit code 3.",
        "cheat": "cheat chose -1, which is not a legal action here.",
    }.items():
        start(host, table, simulations=16, bot=bot)
        wait_until(lambda: progress(host, table)["state"] == "failed")
        assert progress(host, table)["problem"] == problem
    answer = host.post(f"/api/tables/{table}/review", {"simulations": 16, "bot": "nobody"})
    assert (answer.status_code, answer.json()["error"]) == (400, "bad-option")
    assert host.get("/health").status_code == 200

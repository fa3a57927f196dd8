"""After the game: playing on from a moment, the draws to check, uploads, statistics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludotheque import load_game
from ludotheque.table import Dice, Record, read_json, write_json, write_text
from ludotheque.table.dice import number_below
from tests.server.harness import Browser, Opened, Server, wait_until
from tests.table.matches import random_match


def finished_record(game: str = "orchard", players: int = 2) -> str:
    return write_json(Record.full(random_match(load_game(game, players), 3)))


def upload(browser: Browser, record: str) -> Opened:
    answer = browser.post("/api/records", {"record": record})
    assert answer.status_code == 201, answer.text
    return Opened(browser, answer.json())


def branch(browser: Browser, id: str, ply: int, seat: int = 0, level: str = "random") -> Any:
    return browser.post(f"/api/tables/{id}/branch", {"ply": ply, "seat": seat, "level": level})


def record_of(browser: Browser, id: str) -> Record:
    return read_json(browser.get(f"/api/tables/{id}/record").text)


def play_out(browser: Browser, id: str, seat: int) -> None:
    """Play a seat's moves until the game is over; bots play the rest."""

    def one() -> bool:
        view = browser.view(id)
        if view["to_move"] == seat:
            browser.play(id, seat)
        return bool(view["over"])

    wait_until(one)


# Playing on.


def test_a_moment_of_a_finished_game_can_be_played_on_from(ann: Browser) -> None:
    original = upload(ann, finished_record())
    answer = branch(ann, original.id, 9, seat=1)
    assert answer.status_code == 201, answer.text
    side = Opened(ann, answer.json())
    view = ann.view(side.id)
    assert view["mine"] == [1]
    assert [seat["who"] for seat in view["seats"]] == ["bot", "person"]
    play_out(ann, side.id, 1)
    record, whole = record_of(ann, side.id), record_of(ann, original.id)
    assert record.plies[:9] == whole.plies[:9]
    assert record.seats == whole.seats
    assert record.dice
    assert record.dice.since == 9
    assert record.to_match().verify_dice() > 0


def test_the_two_tables_know_of_each_other(ann: Browser, bob: Browser) -> None:
    original = upload(ann, finished_record())
    side = branch(ann, original.id, 4).json()
    assert ann.get(f"/api/tables/{original.id}/branches").json() == {
        "open": True,
        "branched_from": None,
        "branches": [{"url": side["url"], "from_ply": 4, "ply": ann.view(side["id"])["ply"], "over": False}],
    }
    there = ann.get(f"/api/tables/{side['id']}/branches").json()
    assert there["branched_from"] == {"url": f"/t/{original.id}?at=4", "ply": 4}
    assert {table["id"]: table["kind"] for table in ann.get("/api/mine").json()} == {
        original.id: "record",
        side["id"]: "branch",
    }
    bob.join(original.watch)
    assert bob.get(f"/api/tables/{original.id}/branches").json()["branches"] == [], "another's side tables are private"
    assert bob.get(f"/api/tables/{side['id']}").status_code == 404


def test_a_branch_hides_its_original_from_those_without_a_key(ann: Browser, bob: Browser) -> None:
    original = upload(ann, finished_record())
    side = branch(ann, original.id, 4).json()
    link = ann.post(f"/api/tables/{side['id']}/links", {"seat": -5}).json()["url"]
    bob.join(link)
    assert bob.get(f"/api/tables/{side['id']}/branches").json()["branched_from"] is None


def test_a_spectator_may_play_on_too(ann: Browser, bob: Browser) -> None:
    original = upload(ann, finished_record())
    bob.join(original.watch)
    side = branch(bob, original.id, 4, seat=-5).json()
    wait_until(lambda: bob.view(side["id"])["over"])


def test_a_running_game_with_secrets_cannot_be_played_on_from(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    answer = branch(ann, table.id, 2)
    assert (answer.status_code, answer.json()["error"]) == (409, "still-hidden")
    assert ann.get(f"/api/tables/{table.id}/branches").json()["open"] is False


def test_a_running_game_without_secrets_can(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    ann.play(table.id, 0)
    assert branch(ann, table.id, 1, seat=1).status_code == 201


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"ply": 10_000}, "no-such-ply"),
        ({"seat": 9}, "no-such-seat"),
        ({"level": "99"}, "bad-option"),
        ({"ply": -1}, "malformed"),
    ],
)
def test_a_branch_that_cannot_be_is_refused(ann: Browser, changes: Any, error: str) -> None:
    original = upload(ann, finished_record())
    body = {"ply": 4, "seat": 0, "level": "random"} | changes
    answer = ann.post(f"/api/tables/{original.id}/branch", body)
    assert answer.json()["error"] == error


def test_the_end_of_a_game_cannot_be_played_on_from(ann: Browser) -> None:
    original = upload(ann, finished_record())
    answer = branch(ann, original.id, ann.view(original.id)["last_ply"])
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal-move")


def test_what_the_original_played_cannot_be_taken_back(ann: Browser) -> None:
    original = upload(ann, finished_record())
    first = next(ply for ply in range(9, 30) if ann.view(original.id, at=ply)["to_move"] == 0)
    side = branch(ann, original.id, first).json()
    view = ann.view(side["id"])
    assert view["undo"] == ""
    answer = ann.post(f"/api/tables/{side['id']}/undo", {"seat": 0, "version": view["version"]})
    assert (answer.status_code, answer.json()["error"]) == (409, "cannot-undo")


@pytest.mark.full
def test_a_side_table_survives_a_restart(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as browser:
        original = upload(browser, finished_record())
        side = branch(browser, original.id, 9).json()
        cookies = dict(browser.http.cookies)
    server.kill()
    server.start()
    with server.browser() as browser:
        browser.http.cookies.update(cookies)
        play_out(browser, side["id"], 0)
        assert record_of(browser, side["id"]).to_match().branched_at == 9
        assert browser.get(f"/api/tables/{side['id']}/branches").json()["branched_from"]["ply"] == 9
    server.stop()


# The dice.


def test_the_draws_of_a_finished_game_can_be_checked_by_anyone(ann: Browser) -> None:
    table = upload(ann, finished_record())
    told = ann.get(f"/api/tables/{table.id}/draws").json()
    seed = bytes.fromhex(told["seed"])
    assert Dice(seed).commitment == told["commitment"]
    for draw in told["draws"]:
        weights = [weight for weight, _ in draw["outcomes"]]
        number = number_below(sum(weights), seed, draw["ply"])
        assert sum(weights[: draw["drawn"]]) <= number < sum(weights[: draw["drawn"] + 1])
    plies = record_of(ann, table.id).plies
    drawn = {number: ply.move for number, ply in enumerate(plies, 1) if ply.who == "chance"}
    assert drawn == {draw["ply"]: draw["outcomes"][draw["drawn"]][1] for draw in told["draws"]}


def test_the_draws_stay_hidden_while_the_game_runs(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    answer = ann.get(f"/api/tables/{table.id}/draws")
    assert (answer.status_code, answer.json()["error"]) == (409, "still-hidden")


def test_a_record_without_the_seed_is_shown_without(ann: Browser) -> None:
    record = json.loads(finished_record())
    del record["dice"]["seed"]
    table = upload(ann, json.dumps(record))
    told = ann.get(f"/api/tables/{table.id}/draws").json()
    assert (told["commitment"], told["seed"]) == (record["dice"]["commitment"], "")
    assert json.loads(ann.get(f"/api/tables/{table.id}/record").text) == record


# Uploads.


def test_a_record_goes_down_and_up_again(ann: Browser) -> None:
    record = Record.full(random_match(load_game("cable-car", 2), 3))
    for text in (write_json(record), write_text(record), "\ufeff" + write_text(record)):
        table = upload(ann, text)
        assert record_of(ann, table.id) == record
        again = ann.get(f"/api/tables/{table.id}/record", form="text").text
        assert again == write_text(record)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("hello", 'This is not a record: one begins with "{" (JSON) or with "[" (text).'),
        ("{}", "This is not a record: its format is not given as 'ludotheque-record'."),
        ("\x89PNG\r\n\x1a\n\x00", 'This is not a record: one begins with "{" (JSON) or with "[" (text).'),
        ("[Format 3]", "The record is incomplete: its last line must be the result."),
        (finished_record().replace('"version": 1', '"version": 2'), "The version of this record is 2; this program"),
        (finished_record()[:300], "The record is not a complete JSON document: Input data was truncated."),
        (finished_record().replace('"game": "orchard"', '"game": "chess"'), "The field game: "),
    ],
)
def test_a_bad_upload_gets_a_sentence(ann: Browser, record: str, words: str) -> None:
    answer = ann.post("/api/records", {"record": record})
    assert answer.status_code == 400
    assert answer.json()["error"] == "bad-record"
    assert words in answer.json()["sentence"]


# Statistics.


def test_finished_games_are_counted_by_seat_and_by_level(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-limits")
    with server.browser() as browser:
        for _ in range(2):
            table = browser.open("nim", "bot bot")
            wait_until(lambda table=table: browser.view(table.id)["over"])
        table = browser.open("nim", "me bot")
        play_out(browser, table.id, 0)
        upload(browser, finished_record())
        side = branch(browser, table.id, 0, seat=-5).json()
        wait_until(lambda: browser.view(side["id"])["over"])
        browser.open("orchard", "me me")
        told = browser.get("/api/statistics").json()
        assert told["played"] == 3, "neither a record, nor a side table, nor a running game counts"
        (nim,) = told["games"]
        assert (nim["game"], nim["played"]) == ("nim", 3)
        assert sum(seat["wins"] for seat in nim["seats"]) == pytest.approx(1)
        assert [(level["who"], level["level"], level["played"]) for level in nim["levels"]] == [
            ("person", "", 1),
            ("bot", "random", 5),
        ]
        assert nim["moves"]["shortest"] <= nim["moves"]["mean"] <= nim["moves"]["longest"]
        assert "Nim" in browser.get("/statistics").text
    server.stop()


def test_mean_scores_are_written_as_their_game_writes_scores(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-limits")
    with server.browser() as browser:
        table = browser.open("chicago-express", "bot bot")
        wait_until(lambda: browser.view(table.id)["over"])
        (game,) = browser.get("/api/statistics").json()["games"]
        text = browser.get("/statistics").text
        for result in (*game["seats"], *game["levels"]):
            assert f"<td>${result['score']:.0f}</td>" in text
    server.stop()


@pytest.mark.full
def test_a_result_that_was_not_noted_is_noted_at_the_next_start(tmp_path: Path) -> None:
    import sqlite3

    server = Server(tmp_path)
    with server.browser() as browser:
        table = browser.open("nim", "bot bot")
        wait_until(lambda: browser.view(table.id)["over"])
        assert browser.get("/api/statistics").json()["played"] == 1
    server.kill()
    with sqlite3.connect(tmp_path / "ludotheque.sqlite3") as database:
        database.execute("DELETE FROM results")
    database.close()
    server.start()
    with server.browser() as browser:
        wait_until(lambda: browser.get("/api/statistics").json()["played"] == 1)
    server.stop()

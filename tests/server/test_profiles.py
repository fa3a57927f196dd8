"""Profiles: a name in a browser, carried to others by a link; results by opponent; export and deletion."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludotheque.core.phrases import phrase, seat_name
from ludotheque.server.club.habits import accuracy, judge
from ludotheque.server.config import Settings
from ludotheque.server.keys import digest, new_secret
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import VALID_FOR, add_link, find_profile, set_profile, use_link
from ludotheque.server.storage.rows import now
from ludotheque.show.portraits import portrait
from ludotheque.study.review import Decision, Judgement
from tests.server.harness import Browser, Server, run_apart, wait_until
from tests.server.postgres import Database


def named(browser: Browser, name: str, visible_to: str = "met") -> Any:
    answer = browser.post("/api/profile", {"name": name, "visible_to": visible_to})
    assert answer.status_code == 200, answer.text
    return answer.json()


def link(browser: Browser) -> str:
    answer = browser.post("/api/profile/link")
    assert answer.status_code == 201, answer.text
    return str(answer.json()["url"]).partition("#")[2]


def played(ann: Browser, bob: Browser) -> str:
    """A finished game of two people; Ann has the first seat."""
    table = ann.open("nim", "me link")
    bob.join(table.links[1])
    while not (view := ann.view(table.id))["over"]:
        (ann, bob)[view["to_move"]].play(table.id, view["to_move"])
    ann.get("/api/statistics")  # which waits until all results are recorded
    return table.id


def test_a_profile_is_made_and_renamed(ann: Browser) -> None:
    assert ann.get("/api/profile").json()["error"] == "no-profile"
    made = named(ann, "Ann")
    again = named(ann, "Anna", "all")
    assert (again["id"], again["name"], again["visible_to"]) == (made["id"], "Anna", "all")
    assert ann.post("/api/profile", {"name": "\u200b"}).status_code == 400
    assert "Anna" in ann.get("/me").text


def test_a_browser_with_only_a_profile_keeps_its_key(ann: Browser) -> None:
    made = named(ann, "Ann")
    ann.open("nim", "me bot")
    assert ann.get("/api/profile").json()["id"] == made["id"]


def test_a_link_shares_profile_and_seats_with_another_browser(ann: Browser, bob: Browser, server: Server) -> None:
    made, table = named(ann, "Ann"), ann.open("nim", "me me")
    with server.browser() as phone:
        secret = link(ann)
        assert phone.post("/api/profile/link/look", {"secret": secret}).json()["name"] == "Ann"
        assert phone.post("/api/profile/link/use", {"secret": secret}).json()["id"] == made["id"]
        assert phone.play(table.id, 0).status_code == 200
        assert ann.play(table.id, 1).status_code == 200
        later = phone.open("nim", "me me")
        assert ann.view(later.id)["mine"] == [0, 1], "both share what comes later too"
        assert bob.post("/api/profile/link/use", {"secret": secret}).status_code == 403, "a link works once"


def test_seats_join_a_profile_only_if_their_holder_agrees(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann")
    table, secret = bob.open("nim", "me me"), link(ann)
    assert bob.post("/api/profile/link/use", {"secret": secret}).json()["error"] == "has-seats"
    assert bob.post("/api/profile/link/use", {"secret": secret, "merge": True}).status_code == 200
    assert ann.view(table.id)["mine"] == [0, 1]


def test_a_browser_with_a_profile_takes_no_other(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann")
    named(bob, "Bob")
    assert bob.post("/api/profile/link/use", {"secret": link(ann), "merge": True}).json()["error"] == "has-profile"


def test_a_new_key_signs_out_all_other_browsers_and_ends_links(ann: Browser, eve: Browser, server: Server) -> None:
    made, table = named(ann, "Ann"), ann.open("nim", "me me")
    eve.post("/api/profile/link/use", {"secret": link(ann)})
    secret = link(ann)
    assert ann.post("/api/profile/renew").json()["id"] == made["id"]
    assert ann.view(table.id)["mine"] == [0, 1]
    assert eve.get("/api/profile").json()["error"] == "no-profile"
    assert eve.get(f"/api/tables/{table.id}").status_code == 404
    with server.browser() as other:
        assert other.post("/api/profile/link/use", {"secret": secret}).status_code == 403


def test_a_recovery_link_moves_the_profile_too(ann: Browser, bob: Browser) -> None:
    made = named(ann, "Ann")
    url = ann.post("/api/recovery", {}).json()["url"]
    assert bob.post("/api/recovery/use", {"secret": url.partition("#")[2]}).status_code == 200
    assert bob.get("/api/profile").json()["id"] == made["id"]
    assert ann.get("/api/profile").json()["error"] == "no-profile"


def test_a_recovery_link_gives_the_seats_of_one_profile_to_no_other(ann: Browser, bob: Browser) -> None:
    """Or someone who is about to lose a rated game could let a throw-away profile lose it."""
    named(ann, "Ann"), named(bob, "Bob who is thrown away")
    table = ann.open("nim", "me me")
    secret = ann.post("/api/recovery", {}).json()["url"].partition("#")[2]
    assert bob.post("/api/recovery/use", {"secret": secret}).json()["error"] == "has-profile"
    assert ann.view(table.id)["mine"] == [0, 1]
    with ann.server.browser() as fresh:
        assert fresh.post("/api/recovery/use", {"secret": secret}).status_code == 200, "the link was not spent"


def test_results_are_counted_by_game_players_and_opponents(ann: Browser, bob: Browser) -> None:
    played(ann, bob)
    named(ann, "Ann")
    other = named(bob, "Bob")
    played(ann, bob)
    results = ann.get("/api/profile/results").json()
    (game,) = results["games"]
    assert (game["game"], game["tally"]["played"], game["tally"]["even"]) == ("nim", 2, 1.0)
    assert [row["players"] for row in game["players"]] == [2]
    (met,) = results["opponents"]
    assert (met["profile"], met["name"], met["tally"]["played"]) == (other["id"], "Bob", 2)
    hers, his = results["tally"]["wins"], bob.get("/api/profile/results").json()["tally"]["wins"]
    assert hers + his == 2
    home = ann.get("/").text
    assert "My results" in home
    assert f"{50 * hers:.0f}% won" in home.replace("\xa0", " ")
    assert "2 games" in home


def test_games_against_oneself_do_not_count(ann: Browser) -> None:
    named(ann, "Ann")
    table = ann.open("nim", "me me")
    while not (view := ann.view(table.id))["over"]:
        ann.play(table.id, view["to_move"])
    ann.get("/api/statistics")
    assert ann.get("/api/profile/results").json()["tally"]["played"] == 0


@pytest.mark.parametrize(
    ("visible_to", "to_met", "to_strangers"), [("me", 404, 404), ("met", 200, 404), ("all", 200, 200)]
)
def test_nothing_is_seen_by_those_who_may_not(
    ann: Browser, bob: Browser, eve: Browser, visible_to: str, to_met: int, to_strangers: int
) -> None:
    hers = named(ann, "Ann of the hidden name", visible_to)
    named(bob, "Bob")
    table = played(ann, bob)
    address = f"/people/{hers['id']}"
    assert (ann.get(address).status_code, bob.get(address).status_code) == (200, to_met)
    assert eve.get(address).status_code == to_strangers
    assert [met["profile"] for met in bob.get("/api/profile/results").json()["opponents"]] == (
        [hers["id"]] if visible_to != "me" else []
    )
    assert table not in eve.get(address).text
    if visible_to == "me":
        assert hers["id"] not in bob.get("/me").text


def test_the_public_page_of_one_does_not_name_the_others(ann: Browser, bob: Browser, eve: Browser) -> None:
    hers, his = named(ann, "Ann", "all"), named(bob, "Bob of another table", "met")
    played(ann, bob)
    text = eve.get(f"/people/{hers['id']}").text
    assert "Nim" in text
    assert his["id"] not in text
    assert "Bob of another table" not in text


def test_forged_keys_open_nothing(ann: Browser, server: Server) -> None:
    made = named(ann, "Ann")
    for forged in (made["id"], "A" * 32, new_secret(), "' OR 1=1 --"):
        with server.browser() as other:
            other.http.cookies.set("ludotheque", forged)
            assert other.get("/api/profile").status_code == 403
            assert other.post("/api/profile/link").status_code == 403
            assert other.post("/api/profile/delete").status_code == 403
            assert other.post("/api/profile/link/use", {"secret": forged}).status_code == 403
    assert ann.get("/api/profile").json()["id"] == made["id"]


def test_the_database_holds_no_secret_in_the_clear(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.browser() as ann:
        named(ann, "Ann")
        secret, carried = str(ann.http.cookies["ludotheque"]), link(ann)
    server.stop()
    with closing(sqlite3.connect(tmp_path / "ludotheque.sqlite3")) as database:
        rows = [*database.execute("SELECT * FROM profiles"), *database.execute("SELECT * FROM profile_links")]
    stored = b"".join(value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row)
    assert len(rows) == 2
    assert secret.encode() not in stored
    assert carried.encode() not in stored


def test_the_export_holds_what_is_stored_and_deletion_leaves_nothing(ann: Browser, bob: Browser) -> None:
    made = named(ann, "Ann of the export")
    named(bob, "Bob")
    table = ann.open("nim", "me link")
    bob.join(table.links[1])
    ann.post(f"/api/tables/{table.id}/name", {"seat": 0, "name": "Ann at this table"})
    ann.post(f"/api/tables/{table.id}/chat", {"text": "words of Ann"})
    alone = ann.open("nim", "me bot")
    ann.post("/api/clubs", {"name": "Club of Ann"})
    cup = {"title": "Cup of Ann", "game": "nim", "system": "swiss", "clock": "move 60 0", "hours": 2}
    assert ann.post("/api/tournaments", cup).status_code == 201
    file = ann.get("/api/profile/export").json()
    assert file["profile"]["id"] == made["id"]
    assert [each["name"] for each in file["clubs"]] == ["Club of Ann"]
    assert [each["title"] for each in file["tournaments"]] == ["Cup of Ann"]
    assert {seat["id"] for seat in file["seats"]} == {table.id, alone.id}
    assert file["chat"][0]["text"] == "words of Ann"
    secret = str(ann.http.cookies["ludotheque"])
    assert ann.post("/api/profile/delete").status_code == 200
    assert str(ann.http.cookies["ludotheque"]) != secret
    assert bob.get(f"/people/{made['id']}").status_code == 404
    view = bob.view(table.id)
    assert "Ann at this table" not in str(view)
    assert "words of Ann" not in str(view)
    assert not view["seats"][0]["taken"]
    with ann.server.browser() as old:
        old.http.cookies.set("ludotheque", secret)
        assert old.get("/api/mine").json() == []
        assert old.get(f"/api/tables/{alone.id}").status_code == 404


def test_two_requests_at_once_make_one_profile(ann: Browser) -> None:
    named(ann, "Ann")
    with ThreadPoolExecutor(4) as threads:
        ids = {each["id"] for each in threads.map(lambda number: named(ann, f"Ann {number}"), range(8))}
    assert len(ids) == 1


def test_of_two_browsers_that_use_a_link_at_once_one_gets_the_profile(tmp_path: Path, database: Database) -> None:
    async def race(settings: Settings) -> list[bool]:
        first, second = Storage(settings), Storage(settings)
        await first.open()
        if not settings.is_sqlite:
            await second.open()
        try:
            secret = new_secret()
            await set_profile(first, digest(secret), "Ann", "met")
            profile = await find_profile(first, digest(secret))
            assert profile
            carried, _ = await add_link(first, profile.id, secret, now())
            taken = await asyncio.gather(
                *(
                    use_link((first, second)[number % 2], carried, digest(f"browser {number}"), now())
                    for number in range(6)
                )
            )
            assert await use_link(first, carried, digest("late"), now() + VALID_FOR) is None
            return [found is not None and found.secret == secret for found in taken]
        finally:
            await first.close()
            await second.close()

    for settings in (Settings(data=tmp_path), Settings(data=tmp_path, database=database.address)):
        assert sum(run_apart(race(settings))) == 1


def test_an_operator_can_switch_profiles_off(tmp_path: Path) -> None:
    assert Settings(data=tmp_path, without=frozenset({"profiles"})).features == {"pairing", "push"}
    server = Server(tmp_path, "--without=profiles")
    with server.browser() as ann:
        assert ann.post("/api/profile", {"name": "Ann"}).status_code == 404
        assert ann.get("/me").status_code == 404
        assert "/me" not in ann.get("/").text
    server.stop()


def test_portraits_follow_from_the_id_and_are_drawn_for_any(eve: Browser) -> None:
    assert portrait("abc") == portrait("abc") != portrait("abd")
    assert len({portrait(str(number)) for number in range(100)}) > 90
    answer = eve.get("/api/people/abcdefghjk/picture.svg")
    assert answer.text == portrait("abcdefghjk")
    assert eve.get("/api/people/<script>/picture.svg").status_code == 404


def test_profiles_are_limited_by_address(tmp_path: Path) -> None:
    server = Server(tmp_path)

    def make(number: int) -> int:
        with server.browser() as browser:
            return browser.post("/api/profile", {"name": f"Flood {number}"}).status_code

    with ThreadPoolExecutor(20) as threads:
        statuses = set(threads.map(make, range(200)))
    server.stop()
    assert statuses == {200, 429}


# How someone plays.


def judgement(loss: float) -> Judgement:
    return Judgement(
        before=(0.5, 0.5), after=(0.5 - loss, 0.5 + loss), scores_before=(1, 1), scores_after=(1, 1),
        score_margins=(1, 1), best="", better=None, follows=(), error=0.0, visits=1,
    )  # fmt: skip


def decision(ply: int, text: str, loss: float, seat: int = 0) -> Decision:
    words = phrase(text, seat=seat_name(seat), amount=ply)
    return Decision(ply=ply, seat=seat, move="", words=words, as_seen=judgement(loss))


def test_accuracy_counts_the_decisions_of_one_seat_by_kind_and_part() -> None:
    decisions = [
        decision(1, "{seat} bids {amount}.", 0.2),
        decision(2, "{seat} bids {amount}.", 0.3, seat=1),
        decision(5, "{seat} bids {amount}.", 0.0),
        decision(9, "{seat} passes.", 0.04),
    ]
    found = accuracy(1, judge(decisions, 0))
    assert (found.decisions, found.good, found.mistakes, found.parts) == (3, 1, 1, (0.2, 0.0, 0.04))
    assert [(str(each.kind), each.decisions, each.mistakes) for each in found.kinds] == [
        ("Seat 1 bids ….", 2, 1),
        ("Seat 1 passes.", 1, 0),
    ]


def test_my_page_shows_how_i_begin_and_what_reviews_found(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann")
    table = played(ann, bob)
    (game,) = ann.get("/api/profile/results").json()["games"]
    assert [(each["played"], "Ann" in each["words"]) for each in game["openings"]] == [(1, True)]
    assert game["accuracy"] is None
    assert ann.post(f"/api/tables/{table}/review", {"simulations": 16}).status_code == 200
    wait_until(lambda: ann.get(f"/api/tables/{table}/review/progress").json()["state"] == "done")
    (game,) = ann.get("/api/profile/results").json()["games"]
    assert game["accuracy"]["games"] == 1
    assert game["accuracy"]["decisions"] > 0
    assert "What reviews found" in ann.get("/me").text


def test_games_with_custom_boards_are_not_set_up_anew_for_my_page(ann: Browser) -> None:
    """Each may take a second, and a page looks at sixty games."""
    named(ann, "Ann")
    for options in ({"board": {"cash": 600}}, {}):
        table = ann.open("chicago-express", "me bot", options=options)
        assert ann.play(table.id, 0).status_code == 200
        assert ann.post(f"/api/tables/{table.id}/resign", {"seat": 0}).status_code == 200
    wait_until(lambda: ann.get("/api/profile/results").json()["tally"]["played"] == 2)
    (game,) = ann.get("/api/profile/results").json()["games"]
    assert [each["played"] for each in game["openings"]] == [1]

"""Clubs: private by link; members see each other's tables, tournaments and results, and strangers see nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.club.clubs import club_results, found_club, join_club, leave_club
from ludotheque.server.config import Most, Settings
from ludotheque.server.errors import Refused
from ludotheque.server.keys import digest
from ludotheque.server.storage.clubs import Club, SeatResult, read_club
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import find_profile, set_profile
from ludotheque.server.storage.rows import now
from tests.server.harness import Browser, Server, run_apart, wait_until
from tests.server.postgres import Database
from tests.server.test_profiles import named
from tests.server.test_tournaments import WANTED


def founded(browser: Browser, name: str = "Chess and cake") -> tuple[str, str]:
    """The id of a new club, and the secret of its link."""
    answer = browser.post("/api/clubs", {"name": name})
    assert answer.status_code == 201, answer.text
    path, _, secret = answer.json()["url"].partition("#")
    return path.removeprefix("/clubs/"), secret


def join(browser: Browser, id: str, secret: str) -> Any:
    return browser.post(f"/api/clubs/{id}/join", Authorization=f"Bearer {secret}")


def view(browser: Browser, id: str) -> Any:
    answer = browser.get(f"/api/clubs/{id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def three(ann: Browser, bob: Browser, eve: Browser) -> None:
    for browser, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        named(browser, name)


def test_members_see_their_tables_and_results(ann: Browser, bob: Browser, eve: Browser) -> None:
    three(ann, bob, eve)
    id, secret = founded(ann)
    assert join(bob, id, secret).status_code == 200
    assert [(each["name"], each["leader"]) for each in view(bob, id)["members"]] == [("Ann", True), ("Bob", False)]
    among = ann.open("nim", "me link")
    bob.join(among.links[1])
    mixed = ann.open("nim", "me link")
    eve.join(mixed.links[1])
    assert [table["id"] for table in view(bob, id)["tables"]] == [among.id], "tables with strangers stay private"
    seated = {0: ann, 1: bob}
    while not (shown := ann.view(among.id))["over"]:
        seated[shown["to_move"]].play(among.id, shown["to_move"])
    wait_until(lambda: view(bob, id)["results"])
    (nim,) = view(bob, id)["results"]
    assert (nim["game"], nim["games"]) == ("nim", 1)
    assert sorted(each["tally"]["wins"] for each in nim["members"]) == [0, 1]
    assert view(bob, id)["tables"] == []


def test_strangers_learn_and_change_nothing(ann: Browser, bob: Browser, eve: Browser) -> None:
    three(ann, bob, eve)
    id, secret = founded(ann, "A secret society")
    join(bob, id, secret)
    forged = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    assert join(eve, id, forged).status_code == 404
    assert eve.get(f"/api/clubs/{id}").status_code == 404
    assert eve.get(f"/clubs/{id}/live").status_code == 404
    assert "A secret society" not in eve.get(f"/clubs/{id}").text
    for command in ("leave", "link", "delete"):
        assert eve.post(f"/api/clubs/{id}/{command}").status_code == 404
    founder = view(ann, id)["members"][0]["profile"]
    for command in ("link", "delete"):
        assert bob.post(f"/api/clubs/{id}/{command}").status_code == 403
    assert bob.post(f"/api/clubs/{id}/remove", {"profile": founder}).status_code == 403
    by_link = eve.http.get(f"/api/clubs/{id}", headers={"Authorization": f"Bearer {secret}"}).json()
    assert (by_link["member"], by_link["tables"], by_link["results"]) == (False, [], [])


def test_a_member_who_is_removed_needs_the_new_link(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann"), named(bob, "Bob")
    id, old = founded(ann)
    join(bob, id, old)
    profile = view(ann, id)["members"][1]["profile"]
    url = ann.post(f"/api/clubs/{id}/link").json()["url"]
    assert ann.post(f"/api/clubs/{id}/remove", {"profile": profile}).status_code == 200
    assert bob.get(f"/api/clubs/{id}").status_code == 404
    assert join(bob, id, old).status_code == 404
    assert join(bob, id, url.partition("#")[2]).status_code == 200


def test_a_member_cannot_take_a_name_that_looks_like_anothers(ann: Browser, bob: Browser) -> None:
    named(ann, "Robin"), named(bob, "Bob")
    id, secret = founded(ann)
    assert join(bob, id, secret).status_code == 200
    lookalike = bob.post("/api/profile", {"name": "R\u043ebin", "visible_to": "met"})  # with a Cyrillic letter
    assert lookalike.json()["error"] == "name-taken"
    assert bob.post("/api/profile", {"name": "Bob", "visible_to": "all"}).status_code == 200, "one's name may stay"


def test_the_next_one_leads_a_club_that_its_leader_left_and_the_last_one_ends_it(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann"), named(bob, "Bob")
    id, secret = founded(ann)
    join(bob, id, secret)
    assert ann.post("/api/profile/delete").status_code == 200
    assert [(each["name"], each["leader"]) for each in view(bob, id)["members"]] == [("Bob", True)]
    assert bob.post(f"/api/clubs/{id}/leave").status_code == 200
    named(ann, "Ann")
    assert join(ann, id, secret).status_code == 404


def test_members_join_a_tournament_of_their_club_without_its_link(ann: Browser, bob: Browser, eve: Browser) -> None:
    three(ann, bob, eve)
    id, secret = founded(ann)
    join(bob, id, secret)
    assert eve.post("/api/tournaments", WANTED | {"club": id}).status_code == 403
    tournament = ann.post("/api/tournaments", WANTED | {"club": id}).json()["id"]
    assert [each["id"] for each in view(bob, id)["tournaments"]] == [tournament]
    assert bob.post(f"/api/tournaments/{tournament}/join").status_code == 200
    assert eve.post(f"/api/tournaments/{tournament}/join").status_code == 404
    assert eve.get(f"/api/tournaments/{tournament}").status_code == 404


def test_members_find_a_tournament_of_their_club_in_the_lobby(ann: Browser, bob: Browser, eve: Browser) -> None:
    """The organiser waited for people who looked at the lobby, which did not tell them."""
    three(ann, bob, eve)
    id, secret = founded(ann)
    join(bob, id, secret)
    made = ann.post("/api/tournaments", WANTED | {"club": id}).json()["id"]
    link = f'href="/tournaments/{made}"'
    assert [link in each.http.get("/lobby/tables").text for each in (ann, bob, eve)] == [True, True, False]
    assert bob.post(f"/api/tournaments/{made}/join").status_code == 200
    assert ann.post(f"/api/tournaments/{made}/start").status_code == 200
    join(eve, id, secret)
    assert [link in each.http.get("/lobby/tables").text for each in (ann, bob, eve)] == [True, True, False]


def test_someone_invited_reads_who_invites_them(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann")
    id, secret = founded(ann)
    page = bob.http.get(f"/clubs/{id}/live", headers={"Authorization": f"Bearer {secret}"}).text
    assert "Ann invites you to a club" in page
    assert "no password" in page
    assert "invites you" not in ann.http.get(f"/clubs/{id}/live").text


def test_the_operator_deletes_a_club_and_switches_clubs_off(tmp_path: Path) -> None:
    token = "an operator's token"
    server = Server(tmp_path, f"--operator={token}")
    with server.browser() as ann, server.browser(token) as operator:
        named(ann, "Ann")
        id, _ = founded(ann)
        assert ann.get("/api/operator/clubs").status_code == 403
        assert [each["name"] for each in operator.get("/api/operator/clubs").json()["clubs"]] == ["Chess and cake"]
        assert operator.post(f"/api/operator/clubs/{id}/delete").status_code == 200
        assert ann.get(f"/api/clubs/{id}").status_code == 404
        assert operator.get("/api/operator/clubs").json() == {"clubs": []}
    server.stop()
    server = Server(tmp_path, "--without=clubs")
    with server.browser() as ann:
        assert ann.get("/clubs").status_code == 404
        assert ann.post("/api/clubs", {"name": "x"}).status_code == 404
    server.stop()


async def race(first: Storage, second: Storage) -> None:
    """Ten people join at two processes at once, each twice; then all leave at once."""
    people = []
    for number in range(10):
        await set_profile(first, digest(f"Person {number}"), f"Person {number}", "me")
        found = await find_profile(first, digest(f"Person {number}"))
        assert found
        people.append(found)
    id, _ = await found_club(first, people[0].id, "Club", now(), Most().clubs)
    joins = [(storage, each) for each in people for storage in (first, second)]
    await asyncio.gather(*(join_club(storage, id, each.id, each.name, now(), 1) for storage, each in joins))
    assert len((await read(first, id)).members) == 10
    await asyncio.gather(*(leave_club((first, second)[n % 2], id, each.id) for n, each in enumerate(people)))
    with pytest.raises(AssertionError):
        await read(first, id)


async def read(storage: Storage, id: str) -> Club:
    async with storage.reading() as connection:
        club = await read_club(connection, id)
    assert club
    return club


def test_people_who_join_at_once_are_members_once(tmp_path: Path, database: Database) -> None:
    async def at_one() -> None:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        await race(storage, storage)
        await storage.close()

    async def at_two() -> None:
        first, second = (Storage(Settings(data=tmp_path, database=database.address)) for _ in range(2))
        await first.open()
        await second.open()
        await race(first, second)
        await first.close()
        await second.close()

    run_apart(at_one())
    run_apart(at_two())


def test_one_person_is_a_member_of_a_few_clubs_only(tmp_path: Path) -> None:
    async def found() -> None:
        storage = Storage(Settings(data=tmp_path))
        await storage.open()
        await set_profile(storage, digest("Ann"), "Ann", "me")
        ann = await find_profile(storage, digest("Ann"))
        assert ann
        for number in range(Most().clubs):
            await found_club(storage, ann.id, f"Club {number}", now(), Most().clubs)
        with pytest.raises(Refused):
            await found_club(storage, ann.id, "One more", now(), Most().clubs)
        await storage.close()

    run_apart(found())


def test_results_are_counted_by_game_and_member() -> None:
    seats = [
        SeatResult("t1", "nim", 2, "ann", 1.0),
        SeatResult("t1", "nim", 2, "bob", 0.0),
        SeatResult("t2", "orchard", 3, "ann", 0.5),
        SeatResult("t2", "orchard", 3, "bob", 0.5),
        SeatResult("t3", "nim", 2, "ann", 1.0),
        SeatResult("t3", "nim", 2, "eve", 0.0),
    ]
    nim, orchard = club_results(seats)
    assert (nim.game, nim.games, orchard.games) == ("nim", 2, 1)
    best = nim.members[0]
    assert (best.profile, best.tally.played, best.tally.wins) == ("ann", 2, 2.0)
    assert {each.tally.even for each in orchard.members} == {1 / 3}

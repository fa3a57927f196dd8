"""People one has met: challenges, and what muting and blocking change, without anyone learning of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from ludotheque.server.club.challenges import MOST_TO_ONE, MOST_WAITING
from ludotheque.server.config import Settings
from ludotheque.server.keys import digest, new_secret
from ludotheque.server.storage.challenges import WAITS_FOR, challenges_to
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.profiles import find_profile, set_profile
from ludotheque.server.storage.restrictions import Restriction, apart_from, has_blocked, muted_by, restrict
from ludotheque.server.storage.rows import now
from ludotheque.server.storage.wishes import Waiting, willing
from tests.server.harness import Browser, Server, run_apart
from tests.server.postgres import Database
from tests.server.test_pairing import wishes
from tests.server.test_profiles import named, played


def acquainted(ann: Browser, bob: Browser) -> tuple[str, str]:
    """Two people with profiles who have played; their profiles."""
    hers, his = named(ann, "Ann")["id"], named(bob, "Bob")["id"]
    played(ann, bob)
    return hers, his


def challenge(challenger: Browser, profile: str, **more: Any) -> Any:
    seats = [{"who": "me"}, {"who": "link", "profile": profile}]
    return challenger.post("/api/tables", {"game": "nim", "seats": seats} | more)


def waiting(browser: Browser) -> list[str]:
    """The tables to which someone is challenged."""
    return [each["table"]["id"] for each in browser.get("/api/challenges").json()]


def restriction(browser: Browser, profile: str, **wanted: bool) -> int:
    return browser.post(f"/api/people/{profile}/restriction", wanted).status_code


def test_the_people_one_has_met_are_listed_with_results(ann: Browser, bob: Browser, eve: Browser) -> None:
    assert ann.get("/api/people").json() == [], "without a profile"
    _, his = acquainted(ann, bob)
    played(ann, eve)  # who has no profile
    (met,) = ann.get("/api/people").json()
    assert (met["profile"], met["name"], met["played"], met["muted"], met["blocked"]) == (his, "Bob", 1, False, False)
    assert 'href="/?challenge=' + his in ann.get("/me").text
    assert 'href="/?challenge=' + his in ann.get(f"/people/{his}").text


def test_a_challenge_is_seen_and_accepted(ann: Browser, bob: Browser, eve: Browser) -> None:
    _, his = acquainted(ann, bob)
    named(eve, "Eve")
    answer = challenge(ann, his, clock={"kind": "move", "seconds": 60})
    assert answer.status_code == 201, answer.text
    table = answer.json()["id"]
    (found,) = bob.get("/api/challenges").json()
    assert (found["name"], found["table"]["id"], found["table"]["names"][1]) == ("Ann", table, "Bob")
    assert (bob.get("/api/mine").json()[0]["challenger"], waiting(eve)) == ("Ann", [])
    assert f"challenge-{table}" in bob.get("/").text
    assert eve.post(f"/api/challenges/{table}/accept").status_code == 404
    assert bob.post(f"/api/challenges/{table}/accept").json() == {"seat": 1}
    assert (bob.view(table)["mine"], waiting(bob)) == ([1], [])
    assert bob.post(f"/api/challenges/{table}/accept").status_code == 404


def test_a_challenge_that_is_answered_several_times_at_once_gives_one_seat(
    ann: Browser, bob: Browser, eve: Browser
) -> None:
    _, his = acquainted(ann, bob)
    opened = challenge(ann, his).json()
    table, (_, _, secret) = opened["id"], opened["links"][0]["url"].partition("#")
    with ThreadPoolExecutor(4) as pool:
        stranger = pool.submit(eve.post, f"/api/tables/{table}/join", {"secret": secret})
        answers = [pool.submit(bob.post, f"/api/challenges/{table}/accept") for _ in range(3)]
    codes = {each.result().status_code for each in answers}
    assert (200 in codes) != (stranger.result().status_code == 200), "the seat has one holder, whoever came first"
    assert codes <= {200, 403, 404, 409}
    assert waiting(bob) == []


def test_a_declined_challenge_is_told_at_the_table(ann: Browser, bob: Browser) -> None:
    _, his = acquainted(ann, bob)
    table = challenge(ann, his).json()["id"]
    assert bob.post(f"/api/challenges/{table}/decline").status_code == 200
    assert (ann.view(table)["seats"][1]["declined"], waiting(bob)) == (True, [])


def test_a_challenge_ends_with_its_link_its_seat_or_its_table(ann: Browser, bob: Browser, eve: Browser) -> None:
    _, his = acquainted(ann, bob)
    taken, closed, relinked = (challenge(ann, his).json() for _ in range(3))
    assert len(waiting(bob)) == 3
    eve.join(taken["links"][0]["url"])
    ann.post(f"/api/tables/{closed['id']}/close")
    assert waiting(bob) == [relinked["id"]]
    ann.post(f"/api/tables/{relinked['id']}/links", {"seat": 1})
    assert waiting(bob) == []


def test_a_challenge_needs_no_password(ann: Browser, bob: Browser) -> None:
    _, his = acquainted(ann, bob)
    table = challenge(ann, his).json()["id"]
    ann.post(f"/api/tables/{table}/password", {"password": "secret"})
    assert bob.post(f"/api/challenges/{table}/accept").status_code == 200


def test_only_people_one_has_met_can_be_challenged(ann: Browser, bob: Browser, eve: Browser) -> None:
    hers, his = acquainted(ann, bob)
    stranger = named(eve, "Eve", "all")["id"]
    for profile in (hers, stranger, "nobody"):
        assert challenge(ann, profile).json()["error"] == "not-found", profile
    named(bob, "Bob", "me")
    assert challenge(ann, his).json()["error"] == "not-found", "who shows their profile to no one"
    seats = [{"who": "open", "profile": his}, {"who": "me"}]
    assert ann.post("/api/tables", {"game": "nim", "seats": seats}).status_code in (400, 404)


def test_members_of_a_club_can_challenge_each_other(ann: Browser, bob: Browser) -> None:
    named(ann, "Ann")
    his = named(bob, "Bob")["id"]
    assert challenge(ann, his).status_code == 404
    path, _, secret = ann.post("/api/clubs", {"name": "Friday"}).json()["url"].partition("#")
    assert bob.post(f"/api{path}/join", Authorization=f"Bearer {secret}").status_code == 200
    assert challenge(ann, his).status_code == 201
    assert [(each["name"], each["played"]) for each in ann.get("/api/people").json()] == [("Bob", 0)]
    members = ann.get(f"/api{path}").json()["members"]
    assert [each["can_be_challenged"] for each in members] == [False, True], "nobody challenges themselves"
    bob.post("/api/profile", {"name": "Bob", "visible_to": "me"})
    assert challenge(ann, his).status_code == 404
    assert ann.get("/api/people").json() == []
    assert not any(each["can_be_challenged"] for each in ann.get(f"/api{path}").json()["members"])


def test_challenges_are_limited_also_those_that_are_never_seen(ann: Browser, bob: Browser) -> None:
    hers, his = acquainted(ann, bob)
    restriction(bob, hers, blocked=True)
    assert [challenge(ann, his).status_code for _ in range(MOST_TO_ONE + 1)] == [201] * MOST_TO_ONE + [429]
    assert MOST_TO_ONE < MOST_WAITING


def test_blocking_keeps_apart_and_tells_no_one(ann: Browser, bob: Browser) -> None:
    hers, his = acquainted(ann, bob)
    before = bob.get("/api/people").json()
    assert restriction(ann, his, blocked=True) == 200
    table = challenge(bob, hers)
    assert (table.status_code, waiting(ann)) == (201, []), "it opens as any other, and is not shown"
    assert ann.get("/api/mine").json()[0].get("challenger") is None
    assert bob.get("/api/people").json() == before
    assert hers not in str(bob.get("/api/profile/export").json()["restrictions"])
    assert ann.get("/api/profile/export").json()["restrictions"] == {his: {"muted": False, "blocked": True}}
    restriction(ann, his, blocked=False)
    assert waiting(ann) == [table.json()["id"]]


def test_one_who_is_blocked_neither_sees_nor_joins_open_tables(ann: Browser, bob: Browser, eve: Browser) -> None:
    hers, his = acquainted(ann, bob)
    restriction(ann, his, blocked=True)
    table = ann.open("nim", "me open").id
    listed = [[each["id"] for each in browser.get("/api/tables").json()] for browser in (bob, eve)]
    assert [table in ids for ids in listed] == [False, True]
    refused = bob.post(f"/api/tables/{table}/sit", {"seat": 1})
    assert refused.json()["error"] == "seat-taken"
    assert eve.post(f"/api/tables/{table}/sit", {"seat": 1}).status_code == 200
    other = bob.open("nim", "me open").id
    assert other not in [each["id"] for each in ann.get("/api/tables").json()], hers


def test_people_who_blocked_each_other_are_not_paired(ann: Browser, bob: Browser, eve: Browser) -> None:
    _, his = acquainted(ann, bob)
    restriction(ann, his, blocked=True)
    wished = wishes(clocks="move 180 0")  # which nobody else wishes for
    assert [browser.post("/api/pairing", wished).json()["url"] for browser in (ann, bob)] == ["", ""]
    table = eve.post("/api/pairing", wished).json()["url"]
    assert table, "who has waited longest gets it"
    assert ann.get("/api/pairing").json()["url"] == table
    bob.post("/api/pairing/cancel")


def test_a_group_leaves_out_those_who_would_not_play_together() -> None:
    people = [Waiting(bytes([number]), "") for number in range(1, 5)]
    blocked = [frozenset((b"\1", b"\2")), frozenset((b"\0", b"\3"))]
    assert [person.browser for person in willing(b"\0", people, blocked)] == [b"\1", b"\4"]


def test_muting_hides_what_someone_says_also_what_they_said(ann: Browser, bob: Browser) -> None:
    _, his = acquainted(ann, bob)
    table = ann.open("nim", "me link")
    bob.join(table.links[1])
    with ann.socket(table.id) as socket:
        socket.hear_until("chat")
        bob.post(f"/api/tables/{table.id}/chat", {"text": "before"})
        assert socket.hear_until("chat")["messages"][0]["text"] == "before"
        restriction(ann, his, muted=True)
        bob.post(f"/api/tables/{table.id}/chat", {"ready": "hello"})
        ann.post(f"/api/tables/{table.id}/chat", {"text": "mine"})
        assert socket.hear_until("chat")["messages"][0]["text"] == "mine"
    with ann.socket(table.id) as again, bob.socket(table.id) as his_page:
        assert [line["text"] for line in again.hear_until("chat")["messages"]] == ["mine"]
        assert len(his_page.hear_until("chat")["messages"]) == 3, "nothing tells him"


def test_only_people_one_has_met_can_be_restricted(ann: Browser, bob: Browser, eve: Browser) -> None:
    hers, his = acquainted(ann, bob)
    stranger = named(eve, "Eve", "all")["id"]
    assert [restriction(ann, profile, muted=True) for profile in (hers, stranger, "nobody")] == [404] * 3
    assert restriction(ann, his, muted=True) == 200
    named(bob, "Bob", "me")
    (met,) = ann.get("/api/people").json()
    assert (met["profile"], met["name"], met["muted"]) == (his, "", True), "so that one can take it back"
    assert restriction(ann, his) == 200
    assert ann.get("/api/people").json() == []


def test_deleting_a_profile_deletes_what_it_set(ann: Browser, bob: Browser) -> None:
    hers, his = acquainted(ann, bob)
    restriction(ann, his, blocked=True)
    restriction(bob, hers, muted=True)
    challenge(bob, hers)
    assert ann.post("/api/profile/delete").status_code == 200
    exported = bob.get("/api/profile/export").json()
    assert (exported["restrictions"], exported["challenges"]) == ({}, [])


def test_a_server_without_profiles_has_no_challenges(tmp_path: Path) -> None:
    server = Server(tmp_path, "--without=profiles")
    try:
        with server.browser() as ann:
            assert (ann.get("/api/people").json(), ann.get("/api/challenges").json()) == ([], [])
            assert challenge(ann, "someone").status_code == 404
    finally:
        server.stop()


async def _restrictions_at_two_processes(settings: Settings) -> None:
    """What one process stores, another one acts on."""
    here, there = Storage(settings), Storage(settings)
    await here.open()
    keys = [digest(new_secret()) for _ in range(2)]
    for key, name in zip(keys, ("Ann", "Bob"), strict=True):
        await set_profile(here, key, name, "met")
    ann, bob = [found for key in keys if (found := await find_profile(there, key))]
    for restricted in (Restriction(blocked=True), Restriction(muted=True, blocked=True)):
        await restrict(here, ann.id, bob.id, restricted)
        assert await has_blocked(there, keys[0], keys[1])
    assert not await has_blocked(there, keys[1], keys[0])
    assert await apart_from(there, keys[1]) == {keys[0]}
    assert await there.read(partial(muted_by, keys=[keys[0]])) == {keys[1]}
    await restrict(there, ann.id, bob.id, Restriction())
    assert await apart_from(here, keys[0]) == frozenset()
    for storage in (here, there):
        await storage.close()


def test_restrictions_hold_at_all_processes(tmp_path: Path, database: Database) -> None:
    run_apart(_restrictions_at_two_processes(Settings(data=tmp_path, database=database.address)))


def test_old_challenges_are_not_shown(ann: Browser, bob: Browser, server: Server) -> None:
    hers, his = acquainted(ann, bob)
    assert challenge(ann, his, game="passerelles").status_code == 201

    async def shown_later() -> list[int]:
        storage = Storage(Settings(data=server.folder))
        later = now() + WAITS_FOR + timedelta(days=1)
        counts = [len(await challenges_to(storage, his, at)) for at in (now(), later)]
        await storage.close()
        return counts

    assert run_apart(shown_later()) == [1, 0], hers

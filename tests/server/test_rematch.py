"""A rematch: the same people and options, each one seat further, once all have agreed."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from tests.apart import in_a_thread
from tests.server.harness import NO_TLS, PATIENCE, Browser, Opened, Server


def play_to_the_end(table: Opened, *players: Browser) -> None:
    while not (view := table.host.view(table.id))["over"]:
        for player in players:
            if view["to_move"] in player.view(table.id)["mine"]:
                assert player.play(table.id, view["to_move"]).status_code == 200


def rematch(browser: Browser, table: str, **wanted: bool) -> Any:
    return browser.post(f"/api/tables/{table}/rematch", wanted)


def refuse(browser: Browser, table: str) -> Any:
    return browser.post(f"/api/tables/{table}/rematch/refuse")


def agreed(table: str, *browsers: Browser) -> str:
    """The id of the rematch that all of them ask for."""
    *_, last = [rematch(browser, table).json()["url"] for browser in browsers]
    return str(last).removeprefix("/t/")


def finished(ann: Browser, bob: Browser, **more: Any) -> Opened:
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
    table = Opened(ann, ann.post("/api/tables", {"game": "nim", "seats": seats, **more}).json())
    bob.join(table.links[1])
    bob.post(f"/api/tables/{table.id}/name", {"seat": 1, "name": "Bob"})
    play_to_the_end(table, ann, bob)
    return table


def test_everyone_moves_one_seat_further(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    again = agreed(table.id, ann, bob)
    assert [seat["name"] for seat in ann.view(again)["seats"]] == ["Bob", "Ann"]
    assert (bob.view(again)["mine"], ann.view(again)["mine"], ann.view(again)["host"]) == ([0], [1], True)
    assert bob.view(again)["ply"] == 0
    assert bob.play(again, 0).status_code == 200


def test_all_who_ask_get_the_same_table(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    assert rematch(ann, table.id).json()["url"] == "", "nothing is opened before Bob has agreed"
    urls = {rematch(browser, table.id).json()["url"] for browser in (bob, ann, bob)}
    assert len(urls) == 1
    assert {browser.view(table.id)["rematch"] for browser in (ann, bob)} == urls


def test_two_who_ask_at_once_get_the_same_table(ann: Browser, bob: Browser, server: Server) -> None:
    table = finished(ann, bob)

    async def ask(browser: Browser) -> str:
        jar = browser.http.cookies
        async with httpx.AsyncClient(base_url=server.url, cookies=jar, timeout=PATIENCE, verify=NO_TLS) as client:
            return str((await client.post(f"/api/tables/{table.id}/rematch", json={})).json()["url"])

    async def both() -> list[str]:
        return [*await asyncio.gather(ask(ann), ask(bob), ask(ann), ask(bob))]

    assert len({url for url in in_a_thread(lambda: asyncio.run(both())) if url}) == 1
    assert len(ann.get("/api/mine").json()) == 2


def test_the_others_are_asked_at_the_table_and_in_their_list(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    with bob.socket(table.id) as at_bob, ann.socket(table.id) as at_ann:
        at_bob.hear_until("view", rematch_request=None)
        rematch(ann, table.id)
        at_bob.hear_until("view", rematch_request={"agreed": [0], "refused": []})
        (listed,) = bob.get("/api/mine").json()
        assert listed["rematch_asked"]
        assert not ann.get("/api/mine").json()[0].get("rematch_asked"), "she has asked"
        url = rematch(bob, table.id).json()["url"]
        at_ann.hear_until("view", rematch=url)
    found = {each["id"]: each for each in bob.get("/api/mine").json()}
    assert (found[table.id].get("rematch_asked"), found[table.id]["rematch"]) == (None, url)


def test_who_refuses_is_named_and_anyone_may_ask_again(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    assert refuse(bob, table.id).json()["error"] == "not-now"
    rematch(ann, table.id)
    assert refuse(bob, table.id).status_code == 200
    assert ann.view(table.id)["rematch_request"] == {"agreed": [0], "refused": [1]}
    assert not bob.get("/api/mine").json()[0].get("rematch_asked")
    assert rematch(ann, table.id).json()["url"] == "", "Bob is asked again"
    assert refuse(ann, table.id).status_code == 200
    assert ann.view(table.id)["rematch_request"] is None, "she has withdrawn"
    assert rematch(bob, table.id).json()["url"] == ""
    assert rematch(ann, table.id).json()["url"]
    assert refuse(bob, table.id).json()["error"] == "not-now", "it is open already"


def test_the_clock_waits_until_all_have_come_to_the_rematch(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob, clock={"kind": "move", "seconds": 600})
    again = rematch(ann, table.id, now=True).json()["url"].removeprefix("/t/")
    assert ann.view(again)["awaited"] == [0, 1]
    with ann.socket(again) as at_ann:
        view = at_ann.hear_until("view", awaited=[0])
        assert view["clock"]["running"] == -1
        with bob.socket(again):
            view = at_ann.hear_until("view", awaited=[])
            assert view["clock"]["running"] == 0
            assert view["clock"]["left"][0] > 590


def test_who_moves_at_the_rematch_has_come(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob, clock={"kind": "move", "seconds": 600})
    again = agreed(table.id, ann, bob)
    assert bob.play(again, 0).status_code == 200
    assert (bob.view(again)["awaited"], bob.view(again)["clock"]["running"]) == ([1], -1)
    assert ann.play(again, 1).status_code == 200
    assert (bob.view(again)["awaited"], bob.view(again)["clock"]["running"]) == ([], 0)


def test_a_bot_may_play_for_someone_who_does_not_come_and_they_may_take_their_seat_back(
    ann: Browser, bob: Browser
) -> None:
    table = finished(ann, bob)
    again = rematch(ann, table.id, now=True).json()["url"].removeprefix("/t/")
    assert ann.post(f"/api/tables/{again}/stand-in", {"seat": 0, "level": "random"}).status_code == 200
    assert ann.view(again)["awaited"] == [1]
    assert bob.post(f"/api/tables/{again}/stand-in", {"seat": 0, "level": ""}).status_code == 200
    assert bob.view(again)["mine"] == [0]


def test_bots_and_options_come_along(ann: Browser) -> None:
    table = ann.open("nim", "me bot")
    play_to_the_end(table, ann)
    again = agreed(table.id, ann)
    assert [seat["who"] for seat in ann.view(again)["seats"]] == ["bot", "person"]
    record = [ann.get(f"/api/tables/{id}/record").json() for id in (table.id, again)]
    assert record[0]["settings"] == record[1]["settings"]


def test_a_running_game_has_no_rematch_and_spectators_ask_for_none(ann: Browser, bob: Browser, eve: Browser) -> None:
    running = ann.open("nim", "me me")
    assert rematch(ann, running.id).json()["error"] == "not-over"
    table = finished(ann, bob)
    eve.join(table.watch)
    assert rematch(eve, table.id).status_code == 403
    assert refuse(eve, table.id).status_code == 403


def test_a_rematch_says_so_until_someone_moves(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    assert not ann.view(table.id)["begins_rematch"]
    again = agreed(table.id, ann, bob)
    assert ann.view(again)["begins_rematch"]
    assert bob.play(again, 0).status_code == 200
    assert not ann.view(again)["begins_rematch"]

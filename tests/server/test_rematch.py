"""A rematch: the same people and options, each one seat further, in one press."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from tests.apart import in_a_thread
from tests.server.harness import PATIENCE, Browser, Opened, Server


def play_to_the_end(table: Opened, *players: Browser) -> None:
    while not (view := table.host.view(table.id))["over"]:
        for player in players:
            if view["to_move"] in player.view(table.id)["mine"]:
                assert player.play(table.id, view["to_move"]).status_code == 200


def rematch(browser: Browser, table: str) -> Any:
    return browser.post(f"/api/tables/{table}/rematch")


def finished(ann: Browser, bob: Browser) -> Opened:
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
    table = Opened(ann, ann.post("/api/tables", {"game": "nim", "seats": seats, "options": {}}).json())
    bob.join(table.links[1])
    bob.post(f"/api/tables/{table.id}/name", {"seat": 1, "name": "Bob"})
    play_to_the_end(table, ann, bob)
    return table


def test_everybody_moves_one_seat_further(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    url = rematch(bob, table.id).json()["url"]
    again = url.removeprefix("/t/")
    assert [seat["name"] for seat in ann.view(again)["seats"]] == ["Bob", "Ann"]
    assert (bob.view(again)["mine"], ann.view(again)["mine"], ann.view(again)["host"]) == ([0], [1], True)
    assert bob.view(again)["ply"] == 0
    assert bob.play(again, 0).status_code == 200


def test_all_who_ask_get_the_same_table(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    urls = {rematch(browser, table.id).json()["url"] for browser in (ann, bob, ann)}
    assert len(urls) == 1
    assert {browser.view(table.id)["rematch"] for browser in (ann, bob)} == urls


def test_two_who_ask_at_once_get_the_same_table(ann: Browser, bob: Browser, server: Server) -> None:
    table = finished(ann, bob)

    async def ask(browser: Browser) -> str:
        async with httpx.AsyncClient(base_url=server.url, cookies=browser.http.cookies, timeout=PATIENCE) as client:
            return str((await client.post(f"/api/tables/{table.id}/rematch", json={})).json()["url"])

    async def both() -> list[str]:
        return [*await asyncio.gather(ask(ann), ask(bob), ask(ann), ask(bob))]

    assert len(set(in_a_thread(lambda: asyncio.run(both())))) == 1
    assert len(ann.get("/api/mine").json()) == 2


def test_the_others_are_told_of_a_rematch(ann: Browser, bob: Browser) -> None:
    table = finished(ann, bob)
    with bob.socket(table.id) as socket:
        socket.hear_until("view", rematch="")
        url = rematch(ann, table.id).json()["url"]
        socket.hear_until("view", rematch=url)


def test_bots_and_options_come_along(ann: Browser) -> None:
    table = ann.open("nim", "me bot")
    play_to_the_end(table, ann)
    again = rematch(ann, table.id).json()["url"].removeprefix("/t/")
    assert [seat["who"] for seat in ann.view(again)["seats"]] == ["bot", "person"]
    record = [ann.get(f"/api/tables/{id}/record").json() for id in (table.id, again)]
    assert record[0]["settings"] == record[1]["settings"]


def test_a_running_game_has_no_rematch_and_spectators_ask_for_none(ann: Browser, bob: Browser, eve: Browser) -> None:
    running = ann.open("nim", "me me")
    assert rematch(ann, running.id).json()["error"] == "not-over"
    table = finished(ann, bob)
    eve.join(table.watch)
    assert rematch(eve, table.id).status_code == 403

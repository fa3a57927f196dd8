"""What is hidden never leaves the server: searched for in every byte that another viewer gets."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from tests.server.harness import Browser, Server, Socket


def tiles_in(text: str) -> set[str]:
    return set(re.findall(r"\b[a-h]{4}\b", text))


class Spy:
    """All that one viewer is told, over HTTP and over the socket."""

    def __init__(self, browser: Browser, id: str, socket: Socket) -> None:
        self.browser, self.id, self.socket = browser, id, socket
        self.bytes = ""

    def look_everywhere(self, version: int) -> Any:
        view = self.socket.hear_until("view", version=version)
        self.bytes += "\n".join(self.socket.traffic)
        self.socket.traffic.clear()
        last = view["last_ply"]
        for path in (
            "",
            f"?at={last}",
            f"?at={max(0, last - 1)}",
            "/record",
            "/record?form=text",
            "/summary",
            "/played?since=0",
        ):
            self.bytes += self.browser.get(f"/api/tables/{self.id}{path}").text
        self.bytes += self.browser.get(f"/t/{self.id}/review").text
        picture = self.browser.get(f"/api/tables/{self.id}/picture.svg").text
        self.bytes += picture.partition('<g class="pieces">')[2]
        return self.browser.view(self.id)


def hand_of(view: Any, seat: int) -> set[str]:
    seen = view["observation"]
    return {tile for tile in (*seen["hands"][seat], seen["drawn"]) if tile and tile != "?"}


def test_a_hidden_tile_is_in_no_byte_that_others_get(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("cable-car", "me link")
    bob.join(table.links[1])
    eve.join(table.watch)
    searched = 0
    with bob.socket(table.id) as his, eve.socket(table.id) as hers:
        spies = {1: Spy(bob, table.id, his), -5: Spy(eve, table.id, hers)}
        shown: dict[int, set[str]] = {1: set(), -5: set()}
        for round in range(14):
            mine = ann.view(table.id)
            for viewer, spy in spies.items():
                seen = spy.look_everywhere(mine["version"])
                shown[viewer] |= {tile.partition("+")[0] for tile in seen["observation"]["tiles"]}
                shown[viewer] |= hand_of(seen, viewer) if viewer >= 0 else set()
                secret = hand_of(mine, 0) - shown[viewer]
                searched += len(secret)
                assert not secret & tiles_in(spy.bytes), f"round {round}: viewer {viewer} was told of {secret}"
            player, seat = (ann, 0) if mine["to_move"] == 0 else (bob, 1)
            assert player.play(table.id, seat).status_code == 200
    assert searched > 8


def test_the_seed_stays_hidden_until_the_game_is_over(server: Server, ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with sqlite3.connect(server.folder / "ludotheque.sqlite3") as database:
        (seed,) = database.execute("SELECT seed FROM tables WHERE id = ?", (table.id,)).fetchone()
    database.close()
    told = ""
    with ann.socket(table.id) as socket:
        view = socket.hear_until("view")
        while not view["over"]:
            assert view["dice"]["commitment"]
            told += "\n".join(socket.traffic) + ann.get(f"/api/tables/{table.id}/record").text
            assert seed.hex() not in told
            socket.traffic.clear()
            if view["hand_over"] is not None:
                socket.send(type="look", seat=view["hand_over"])
            else:
                socket.send(type="move", seat=view["viewer"], version=view["version"],
                           action=view["choices"][0]["action"])  # fmt: skip
            view = socket.hear_until("view")
    assert view["dice"]["seed"] == seed.hex()


def test_a_preview_gives_no_hidden_card_away(ann: Browser) -> None:
    table = ann.open("orchard", "me me", options={"season": "summer"})
    view = ann.view(table.id)
    peek = next(node["action"] for node in view["choices"] if node["key"] == "peek")
    preview = ann.get(f"/api/tables/{table.id}/preview", seat=0, version=view["version"], action=peek).json()
    assert not [line for line in preview["lines"] if re.search(r"\d", line.replace("Seat", ""))], "a card seen"

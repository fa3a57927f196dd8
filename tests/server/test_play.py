"""Moves, taking back, bots and chat, over HTTP and over the socket."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ludotheque.bots.levels import LEVELS
from tests.server.harness import Browser, Opened, wait_until
from tests.show.test_scenes import in_order


def test_of_two_moves_at_once_one_is_played_and_the_other_refused(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    view = ann.view(table.id)
    moves = [{"seat": 0, "version": view["version"], "action": action} for action in (0, 1, 2, 0)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda body: ann.post(f"/api/tables/{table.id}/moves", body), moves))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {answer.json()["error"] for answer in answers if answer.status_code == 409} == {"stale-version"}
    assert ann.view(table.id)["ply"] == 1


def test_over_the_socket_the_loser_sees_the_new_position(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    with ann.socket(table.id) as one, ann.socket(table.id) as two:
        version = one.hear_until("view")["version"]
        two.hear_until("view")
        one.send(type="move", id=1, seat=0, version=version, action=0)
        one.hear_until("done", reply_to=1)
        two.send(type="move", id=2, seat=0, version=version, action=1)
        assert two.hear_until("error", reply_to=2)["error"] == "stale-version"
        assert ann.view(table.id)["ply"] == 1


def test_a_move_may_be_written(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    version = ann.view(table.id)["version"]
    path = f"/api/tables/{table.id}/moves"
    assert ann.post(path, {"seat": 0, "version": version, "text": "fly"}).json()["error"] == "unreadable-move"
    assert ann.post(path, {"seat": 0, "version": version, "text": "take 1"}).json()["error"] == "illegal-move"
    assert ann.post(path, {"seat": 0, "version": version, "action": 4}).json()["error"] == "illegal-move"
    assert ann.post(path, {"seat": 1, "version": version, "action": 0}).json()["error"] == "not-your-turn"
    assert ann.post(path, {"seat": 0, "version": version, "text": "pick B"}).status_code == 200


@pytest.mark.parametrize("game", ["cable-car", "passerelles"])
def test_changes_add_up_to_the_whole(ann: Browser, bob: Browser, game: str) -> None:
    """Whoever follows the changes sees the same as one who asks for everything, taking back included."""
    table = ann.open(game, "me link")
    bob.join(table.links[1])
    follower = Follower()
    with bob.socket(table.id) as socket:
        follower.hear(socket.hear_until("view"))
        for round in range(24):
            view = ann.view(table.id)
            if round % 6 == 5 and view["undo"] == "free":
                ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": view["version"]})
            elif view["to_move"] == 0:
                ann.play(table.id, 0)
            else:
                bob.play(table.id, 1)
            expected = bob.view(table.id)
            follower.hear(socket.hear_until("view", version=expected["version"]))
            assert [follower.pieces[id] for id in follower.order] == expected["scene"]["pieces"]
            assert follower.log == expected["log"]
            assert follower.choices == expected["choices"]
            assert bool(follower.choices) == (expected["to_move"] == 1)
    assert follower.changes > 20


class Follower:
    """A client as the protocol describes it."""

    def __init__(self) -> None:
        self.pieces: dict[str, Any] = {}
        self.order: list[str] = []
        self.log: list[Any] = []
        self.choices: list[Any] = []
        self.version = 0
        self.changes = 0

    def hear(self, view: Any) -> None:
        scene = view["scene"]
        if scene["base"] is None:
            self.pieces, self.order = {}, []
        else:
            assert scene["base"] == self.version
            self.changes += 1
        for id in scene["gone"]:
            del self.pieces[id]
            self.order.remove(id)
        self.order += [piece["id"] for piece in scene["pieces"] if piece["id"] not in self.pieces]
        self.pieces |= {piece["id"]: piece for piece in scene["pieces"]}
        self.order = in_order(self.order, scene["follows"])
        self.log[view["log_from"] :] = view["log"]
        self.choices = view["choices"]
        self.version = view["version"]


# Taking back.


def test_a_move_that_revealed_nothing_is_taken_back_at_once(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    assert ann.view(table.id)["undo"] == ""
    ann.play(table.id, 0)
    view = ann.view(table.id)
    assert view["undo"] == "free"
    answer = ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": view["version"]}).json()
    assert answer["outcome"] == "done"
    assert ann.view(table.id)["ply"] == view["ply"] - 1


def _ann_has_moved(ann: Browser, bob: Browser) -> Opened:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    ann.play(table.id, 0)
    ann.play(table.id, 0)
    return table


def test_beyond_that_the_others_are_asked(ann: Browser, bob: Browser) -> None:
    table = _ann_has_moved(ann, bob)
    view = ann.view(table.id)
    assert view["undo"] == "ask"
    asked = ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": view["version"]}).json()
    assert asked["outcome"] == "asked"
    request = bob.view(table.id)["undo_request"]
    assert request == {"seat": 0, "to_ply": 3, "agreed": [], "waiting": [1]}
    body = {"seat": 0, "version": asked["version"], "agree": True}
    assert ann.post(f"/api/tables/{table.id}/undo/answer", body).json()["error"] == "cannot-undo"
    agreed = bob.post(f"/api/tables/{table.id}/undo/answer", body | {"seat": 1}).json()
    assert agreed["outcome"] == "done"
    assert (ann.view(table.id)["ply"], ann.view(table.id)["to_move"]) == (3, 0)


def test_one_who_does_not_agree_ends_the_matter(ann: Browser, bob: Browser) -> None:
    table = _ann_has_moved(ann, bob)
    view = ann.view(table.id)
    asked = ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": view["version"]}).json()
    body = {"seat": 1, "version": asked["version"], "agree": False}
    assert bob.post(f"/api/tables/{table.id}/undo/answer", body).json()["outcome"] == "refused"
    after = ann.view(table.id)
    assert (after["undo_request"], after["ply"]) == (None, view["ply"])


def test_a_move_withdraws_the_request(ann: Browser, bob: Browser) -> None:
    table = _ann_has_moved(ann, bob)
    ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": ann.view(table.id)["version"]})
    assert bob.play(table.id, 1).status_code == 200
    assert ann.view(table.id)["undo_request"] is None


def test_against_bots_moves_are_taken_back_freely(ann: Browser) -> None:
    table = ann.open("orchard", "me bot")
    before = ann.view(table.id)
    ann.play(table.id, 0)
    ann.play(table.id, 0)
    wait_until(lambda: ann.view(table.id)["to_move"] == 0)
    view = ann.view(table.id)
    assert view["undo"] == "free"
    answer = ann.post(f"/api/tables/{table.id}/undo", {"seat": 0, "version": view["version"]}).json()
    assert answer["outcome"] == "done"
    assert ann.view(table.id)["ply"] == before["ply"] + 1


# Bots.


def test_a_table_of_bots_plays_by_itself_and_obeys_its_pace(ann: Browser) -> None:
    table = ann.open("orchard", "bot bot", pace=10)
    assert ann.view(table.id)["viewer"] == -5
    assert ann.post(f"/api/tables/{table.id}/pace", {"paused": True}).status_code == 200
    paused = ann.view(table.id)
    assert paused["pace"]["paused"]
    assert not paused["over"]
    assert ann.post(f"/api/tables/{table.id}/pace", {"seconds": 0, "paused": False}).status_code == 200
    wait_until(lambda: ann.view(table.id)["over"])


def test_every_level_plays_and_gives_hints(ann: Browser) -> None:
    levels = [card["level"] for card in ann.get("/api/levels").json()]
    assert levels == ["random", *(str(level.number) for level in LEVELS)]
    seats = [{"who": "me"}, *({"who": "bot", "level": level} for level in ("1", "1.5"))]
    answer = ann.post("/api/tables", {"game": "cable-car", "seats": seats, "pace": 0}).json()
    id = answer["id"]
    while (view := ann.view(id))["to_move"] == 0:  # a hint may be to draw a tile first
        hint = ann.post(f"/api/tables/{id}/hint", {"seat": 0, "version": view["version"]}).json()
        body = {"seat": 0, "version": view["version"], "action": hint["moves"][0]["action"]}
        assert ann.post(f"/api/tables/{id}/moves", body).status_code == 200
    wait_until(lambda: ann.view(id)["to_move"] == 0)


def test_a_table_offers_no_level_that_is_as_good_as_a_weaker_one(ann: Browser) -> None:
    def offered(seats: int, options: dict[str, bool]) -> list[str]:
        order = {"game": "cable-car", "seats": [{"who": "me"}] * seats, "options": options}
        table = ann.post("/api/tables", order).json()["id"]
        return [card["level"] for card in ann.get(f"/api/levels?table={table}").json()]

    every = ["random", *(str(level.number) for level in LEVELS)]
    assert offered(4, {}) == every[:-1]
    assert offered(2, {}) == offered(4, {"companies": True}) == every
    card = next(card for card in ann.get("/api/games").json() if card["name"] == "cable-car")
    assert card["merged"] == [{"levels": ["6"], "seats": [4], "settings": {"companies": False}}]


def test_a_socket_sees_bots_think(ann: Browser) -> None:
    table = ann.open("orchard", "me bot", pace=0.3)
    with ann.socket(table.id) as socket:
        view = socket.hear_until("view")
        while view["to_move"] == 0:
            socket.send(type="move", seat=0, version=view["version"], action=view["choices"][0]["action"])
            view = socket.hear_until("view")
        while not any(seat["thinking"] for seat in view["seats"]):
            view = socket.hear_until("seats")
        assert socket.hear_until("view", to_move=0)["choices"]


# Chat and presence.


def test_what_is_said_reaches_everyone_and_stays(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me me")
    bob.join(table.watch)
    with ann.socket(table.id) as hers, bob.socket(table.id) as his:
        hers.hear_until("chat")
        assert his.hear_until("chat")["messages"] == []
        hers.send(type="chat", text="Good luck!")
        line = his.hear_until("chat")["messages"][0]
        assert (line["seat"], line["name"], line["text"]) == (0, "Teal", "Good luck!")
        assert bob.post(f"/api/tables/{table.id}/chat", {"text": "Thanks"}).status_code == 200
        assert hers.hear_until("chat")
    with bob.socket(table.id) as again:
        messages = again.hear_until("chat")["messages"]
        assert [line["text"] for line in messages] == ["Good luck!", "Thanks"]
        assert messages[1]["seat"] == -5


def test_who_is_there_is_shown(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    with ann.socket(table.id) as hers:
        assert [seat["present"] for seat in hers.hear_until("view")["seats"]] == [True, False]
        bob.join(table.links[1])
        with bob.socket(table.id) as his:
            his.hear_until("view")
            wait_until(lambda: hers.hear_until("seats")["seats"][1]["present"])
        assert not hers.hear_until("seats")["seats"][1]["present"]


def test_a_socket_answers_pings_and_refreshes(ann: Browser) -> None:
    table = ann.open("orchard", "me me")
    with ann.socket(table.id) as socket:
        socket.hear_until("view")
        socket.send(type="ping", id=5)
        assert socket.hear_until("pong")["reply_to"] == 5
        socket.send(type="refresh")
        assert socket.hear_until("view")["scene"]["base"] is None

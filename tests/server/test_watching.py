"""Games that everyone may watch: listed by permission of the host, with their spectators, and nothing hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.server.harness import Browser, Opened, Server, wait_until


def shown(ann: Browser, bob: Browser, **more: Any) -> Opened:
    """A game of two people that everyone may watch."""
    table = ann.open("orchard", "me link", **{"watchable": True, **more})
    bob.join(table.links[1])
    return table


def listed(browser: Browser, table: str) -> Any:
    """The table as the list of games to watch shows it; None if it is not there."""
    return next((each for each in browser.get("/api/watch").json() if each["id"] == table), None)


def test_a_game_is_private_unless_the_host_shows_it(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    assert listed(eve, table.id) is None
    assert eve.get(f"/api/tables/{table.id}").status_code == 404


def test_everyone_finds_and_watches_a_game_that_is_shown(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = shown(ann, bob)
    assert (found := listed(eve, table.id))
    assert not found.get("watchers")
    assert f'data-key="watch {table.id}"' in eve.http.get("/lobby/tables").text
    assert f'data-key="watch {table.id}"' not in ann.http.get("/lobby/tables").text, "it is among her tables"
    with eve.socket(table.id) as socket:
        view = socket.hear_until("view")
        assert (view["viewer"], view["mine"], view["choices"], view["watchable"]) == (-5, [], [], True)
        assert listed(bob, table.id)["watchers"] == 1
    wait_until(lambda: not listed(bob, table.id).get("watchers"))


def test_a_stranger_sees_what_any_spectator_sees_and_changes_nothing(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = shown(ann, bob)
    hers, theirs = (each.view(table.id, viewer=-5)["observation"] for each in (ann, eve))
    assert theirs == hers
    for viewer in (0, 1):
        assert eve.get(f"/api/tables/{table.id}", viewer=viewer).status_code == 403
        assert eve.get(f"/api/tables/{table.id}/picture.svg", viewer=viewer).status_code == 403
    move = {"seat": 0, "version": eve.view(table.id)["version"], "action": 0}
    for command, body in (("moves", move), ("watchable", {"watchable": False}), ("resign", {"seat": 0}), ("end", {})):
        assert eve.post(f"/api/tables/{table.id}/{command}", body).status_code == 403
    assert eve.post(f"/api/tables/{table.id}/sit", {"seat": 1}).status_code == 409
    assert '"?"' in eve.get(f"/api/tables/{table.id}/record").text


def test_the_host_changes_their_mind(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    change = f"/api/tables/{table.id}/watchable"
    assert bob.post(change, {"watchable": True}).status_code == 403, "only the host decides"
    assert ann.post(change, {"watchable": True}).status_code == 200
    assert listed(eve, table.id)
    with eve.socket(table.id) as socket:
        socket.hear_until("view")
        assert ann.post(change, {"watchable": False}).status_code == 200
        assert socket.hear_to_the_end() in (4403, 4404)
    assert listed(eve, table.id) is None
    assert eve.get(f"/api/tables/{table.id}").status_code == 404


def test_no_password_no_end_no_close_and_no_bots_alone(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = shown(ann, bob)
    ann.post(f"/api/tables/{table.id}/password", {"password": "a word"})
    assert listed(eve, table.id) is None
    assert eve.get(f"/api/tables/{table.id}").json()["error"] == "password-needed"
    over = shown(ann, bob)
    ann.post(f"/api/tables/{over.id}/resign", {"seat": 0})
    assert listed(eve, over.id) is None
    closed = shown(ann, bob)
    ann.post(f"/api/tables/{closed.id}/close")
    assert listed(eve, closed.id) is None
    assert eve.get(f"/api/tables/{closed.id}").status_code == 404, "only those with a key can look at it"
    bots = ann.open("orchard", "bot bot", watchable=True)
    assert listed(eve, bots.id) is None


def test_a_rematch_is_shown_too(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = shown(ann, bob)
    ann.post(f"/api/tables/{table.id}/resign", {"seat": 0})
    ann.post(f"/api/tables/{table.id}/rematch")
    again = bob.post(f"/api/tables/{table.id}/rematch").json()["url"].removeprefix("/t/")
    assert listed(eve, again)


def test_one_network_does_not_fill_the_list(tmp_path: Path) -> None:
    own = Server(tmp_path)
    with own.browser() as ann:
        tables = [ann.open("nim", "me me", watchable=True) for _ in range(10)]
        refused = ann.post("/api/tables", {"game": "nim", "seats": [{"who": "me"}] * 2, "watchable": True})
        assert refused.json()["error"] == "too-many"
        private = ann.open("nim", "me me")
        answer = ann.post(f"/api/tables/{private.id}/watchable", {"watchable": True})
        assert answer.json()["error"] == "too-many"
        ann.post(f"/api/tables/{tables[0].id}/watchable", {"watchable": False})
        answer = ann.post(f"/api/tables/{private.id}/watchable", {"watchable": True})
        assert answer.status_code == 200
    own.stop()

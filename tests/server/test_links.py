"""Links: the first browser that joins with a seat's link holds the seat; others need a link of their own."""

from __future__ import annotations

from tests.server.harness import Browser, Opened, Server


def try_to_join(browser: Browser, url: str) -> int:
    path, _, secret = url.partition("#")
    return browser.post(f"/api/tables/{path.removeprefix('/t/')}/join", {"secret": secret}).status_code


def link(browser: Browser, table: Opened, seat: int, **more: bool) -> str:
    answer = browser.post(f"/api/tables/{table.id}/links", {"seat": seat} | more)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["url"])


def browsers(browser: Browser, table: Opened) -> list[int]:
    return [seat["browsers"] for seat in browser.view(table.id)["seats"]]


def test_a_link_works_for_the_first_browser_and_for_that_one_again(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    assert bob.join(table.links[1]) == 1
    assert bob.join(table.links[1]) == 1
    assert try_to_join(eve, table.links[1]) == 403
    assert browsers(ann, table) == [1, 1]


def test_a_used_link_is_no_key_for_a_program(ann: Browser, bob: Browser, server: Server) -> None:
    table = ann.open("orchard", "me link")
    with server.browser(bearer=table.links[1].partition("#")[2]) as program:
        assert program.view(table.id)["mine"] == [1]
        bob.join(table.links[1])
        assert program.get(f"/api/tables/{table.id}").status_code == 404


def test_a_holder_makes_a_link_for_a_second_device_that_works_once(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    second = link(bob, table, 1)
    with bob.server.browser() as phone:
        assert phone.join(second) == 1
        assert browsers(ann, table) == [1, 2]
    assert try_to_join(eve, second) != 200
    assert browsers(ann, table) == [1, 2]


def test_the_host_replaces_a_link_which_ends_the_old_one(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    new = link(ann, table, 1)
    assert try_to_join(eve, table.links[1]) == 404
    assert eve.join(new) == 1
    assert eve.join(table.watch) == -5
    newest = link(ann, table, 1, replace=True)
    assert eve.view(table.id)["mine"] == []
    assert try_to_join(eve, new) == 403
    assert bob.join(newest) == 1
    assert browsers(ann, table) == [1, 1]


def test_only_the_host_replaces_links_and_ends_spectator_links(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    eve.join(table.watch)
    assert bob.post(f"/api/tables/{table.id}/links", {"seat": 0, "replace": True}).status_code == 403
    for browser in (bob, eve):
        assert browser.post(f"/api/tables/{table.id}/links/end", {}).status_code == 403
    assert eve.get(f"/api/tables/{table.id}").status_code == 200
    assert ann.post(f"/api/tables/{table.id}/links/end", {}).status_code == 200
    assert eve.get(f"/api/tables/{table.id}").status_code == 404
    assert try_to_join(eve, table.watch) == 404
    assert bob.view(table.id)["mine"] == [1]
    assert ann.view(table.id)["host"]


def test_when_the_browser_has_left_a_link_works_for_the_next(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("orchard", "me link")
    bob.join(table.links[1])
    bob.post(f"/api/tables/{table.id}/leave")
    assert browsers(ann, table) == [1, 0]
    assert try_to_join(eve, table.links[1]) == 200

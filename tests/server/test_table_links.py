"""The link of a table: each friend who follows it gets a free seat of their own, or may watch."""

from __future__ import annotations

from typing import Any

import pytest

from ludotheque.server.tables.table_links import MOST_LINKS
from tests.server.harness import Browser, Opened, Server
from tests.server.test_joining import decline, invitation, join, names
from tests.server.test_people import acquainted


def open_table(host: Browser, *seats: dict[str, Any], **more: Any) -> tuple[Opened, str]:
    """A table of a host and these seats, and its link."""
    body = {"game": "cable-car", "seats": [{"who": "me", "name": "Ann"}, *seats]} | more
    answer = host.post("/api/tables", body)
    assert answer.status_code == 201, answer.text
    return Opened(host, answer.json()), answer.json()["link"]


def new_link(host: Browser, table: Opened) -> Any:
    return host.post(f"/api/tables/{table.id}/links", {"seat": None})


LINK = {"who": "link"}


def test_friends_with_the_same_link_get_a_seat_each(ann: Browser, bob: Browser, eve: Browser) -> None:
    table, link = open_table(ann, LINK, LINK)
    assert [free["seat"] for free in invitation(bob, link)["free"]] == [1, 2]
    assert join(bob, link, name="Bob").json() == {"seat": 1}
    assert [free["seat"] for free in invitation(eve, link)["free"]] == [2]
    assert join(eve, link, name="Eve").json() == {"seat": 2}
    assert names(ann, table) == ["Ann", "Bob", "Eve"]
    assert [each.view(table.id)["mine"] for each in (bob, eve)] == [[1], [2]]


def test_one_who_follows_the_link_again_keeps_their_seat(ann: Browser, bob: Browser) -> None:
    table, link = open_table(ann, LINK, LINK)
    for _ in range(2):
        assert join(bob, link, name="Bob").json() == {"seat": 1}
    assert invitation(bob, link)["is_settled"]
    assert join(ann, link).json() == {"seat": 0}, "the host takes no second seat"
    assert [seat["taken"] for seat in ann.view(table.id)["seats"]] == [True, True, False]


def test_when_all_seats_are_taken_the_link_lets_one_watch(ann: Browser, bob: Browser, eve: Browser) -> None:
    table, link = open_table(ann, LINK)
    join(bob, link, name="Bob")
    told = invitation(eve, link)
    assert (told["seat"], told["is_settled"], told["free"], told["host"]) == (-5, False, [], "Ann")
    refused = join(eve, link, name="Eve")
    assert (refused.status_code, refused.json()["error"]) == (409, "seat-taken")
    assert refused.json()["sentence"] == "All seats of this table are taken now."
    assert join(eve, link, watch=True).json() == {"seat": -5}
    view = eve.view(table.id)
    assert (view["viewer"], view["mine"]) == (-5, [])
    assert invitation(eve, link)["is_settled"]
    assert join(eve, link).json() == {"seat": -5}


def test_the_link_itself_opens_nothing(ann: Browser, server: Server) -> None:
    """Two friends have the same one: as a key it would show each the hand of the other."""
    table, link = open_table(ann, LINK, LINK)
    with server.browser(bearer=link.partition("#")[2]) as program:
        assert program.get(f"/api/tables/{table.id}").status_code == 404
        assert program.get(f"/api/tables/{table.id}/record").status_code == 404
        assert program.get("/api/mine").json() == []
    assert link.partition("#")[2] not in ann.get(f"/api/tables/{table.id}").text


def test_the_link_does_not_lead_to_the_seat_of_someone_who_is_challenged(
    ann: Browser, bob: Browser, eve: Browser
) -> None:
    _, his = acquainted(ann, bob)
    table, link = open_table(ann, LINK | {"profile": his}, LINK)
    assert [free["seat"] for free in invitation(eve, link)["free"]] == [2]
    assert join(eve, link, seat=1, name="Eve").json() == {"seat": 2}
    again = new_link(ann, table)
    assert (again.status_code, again.json()["error"]) == (409, "not-now")
    assert join(bob, table.links[1], name="Bob").json() == {"seat": 1}
    alone = open_table(ann, LINK | {"profile": his})[1]
    assert alone == "", "there is no link where nobody comes first"


def test_a_challenged_person_who_was_moved_to_another_colour_keeps_a_seat_that_the_link_does_not_open(
    ann: Browser, bob: Browser, eve: Browser, server: Server
) -> None:
    _, his = acquainted(ann, bob)
    table, link = open_table(ann, LINK | {"profile": his}, LINK, LINK)
    assert join(eve, table.links[2], seat=1, name="Eve").json() == {"seat": 1}
    with server.browser() as cleo, server.browser() as dan:
        assert join(cleo, link, seat=2, name="Cleo").json() == {"seat": 3}, "seat 2 waits for Bob now"
        assert join(dan, link, name="Dan").status_code == 409
        assert new_link(ann, table).status_code == 409
    assert bob.post(f"/api/challenges/{table.id}/accept").json() == {"seat": 2}


def test_a_friend_whom_the_host_named_may_take_any_colour(ann: Browser, bob: Browser, eve: Browser) -> None:
    table, link = open_table(ann, LINK | {"name": "Bob"}, LINK | {"name": "Cleo"})
    assert join(eve, link, seat=1, name="Cleo").json() == {"seat": 1}
    assert names(ann, table) == ["Ann", "Cleo", "Bob"]
    assert join(bob, link, name="Bob").json() == {"seat": 2}
    assert names(ann, table) == ["Ann", "Cleo", "Bob"]


def test_a_seat_that_was_played_for_is_not_given_away(ann: Browser, bob: Browser, eve: Browser) -> None:
    table, link = open_table(ann, LINK, game="chicago-express")
    join(bob, link, name="Bob")
    for player, text in ((ann, "bid 7"), (bob, "bid 8")):
        seat, version = player.view(table.id)["viewer"], player.view(table.id)["version"]
        sent = {"seat": seat, "version": version, "text": text}
        assert player.post(f"/api/tables/{table.id}/moves", sent).status_code == 200
    bob.post(f"/api/tables/{table.id}/leave", {})
    assert not ann.view(table.id)["seats"][1]["taken"]
    assert join(eve, link, name="Eve").json()["error"] == "seat-taken"
    assert new_link(ann, table).status_code == 409


def test_only_a_host_gets_the_link_and_one_that_was_sent_goes_on(ann: Browser, bob: Browser, eve: Browser) -> None:
    table, first = open_table(ann, LINK, LINK)
    join(bob, first, name="Bob")
    assert new_link(bob, table).status_code == 403
    assert new_link(eve, table).status_code == 404
    later = [new_link(ann, table).json()["url"] for _ in range(MOST_LINKS - 1)]
    assert not invitation(eve, first)["is_settled"]
    later.append(new_link(ann, table).json()["url"])
    assert invitation(eve, first)["error"] == "not-found", "only so many are kept"
    assert join(eve, later[0], name="Eve").json() == {"seat": 2}


@pytest.mark.parametrize("way", ["free", "replace", "spectators"])
def test_one_whom_the_host_sends_away_cannot_come_back_by_the_link(
    ann: Browser, bob: Browser, eve: Browser, way: str
) -> None:
    table, link = open_table(ann, LINK, LINK)
    join(bob, link, name="Bob")
    at = f"/api/tables/{table.id}"
    path, body = {
        "free": ("free", {"seat": 1}),
        "replace": ("links", {"seat": 1, "replace": True}),
        "spectators": ("links/end", {}),
    }[way]
    assert ann.post(f"{at}/{path}", body).status_code in (200, 201)
    assert join(eve, link, name="Eve").status_code == 404
    assert join(eve, link, watch=True).status_code == 404
    assert join(eve, new_link(ann, table).json()["url"], name="Eve").status_code == 200


def test_nobody_comes_to_a_closed_table_by_the_link(ann: Browser, bob: Browser) -> None:
    table, link = open_table(ann, LINK, LINK)
    assert ann.post(f"/api/tables/{table.id}/close", {}).status_code == 200
    for wanted in ({"name": "Bob"}, {"watch": True}):
        assert join(bob, link, **wanted).status_code == 404


def test_a_password_is_asked_of_those_who_follow_the_link(ann: Browser, bob: Browser) -> None:
    table, link = open_table(ann, LINK, LINK)
    ann.post(f"/api/tables/{table.id}/password", {"password": "sesame"})
    assert (invitation(bob, link)["host"], invitation(bob, link)["others"]) == ("", [])
    for wanted in ({"name": "Bob"}, {"watch": True}):
        assert join(bob, link, **wanted).json()["error"] == "password-needed"
        assert join(bob, link, **wanted, password="wrong").json()["error"] == "wrong-password"
    assert join(bob, link, name="Bob", password="sesame").json() == {"seat": 1}


def test_each_friend_who_declines_is_told_at_one_seat(ann: Browser, bob: Browser, eve: Browser) -> None:
    table, link = open_table(ann, LINK, LINK)

    def declined() -> list[bool]:
        return [seat["declined"] for seat in ann.view(table.id)["seats"]]

    assert decline(bob, link).status_code == 200
    assert declined() == [False, False, True]
    assert join(eve, link, name="Eve").json() == {"seat": 1}, "the other seat comes first"
    assert join(bob, link, name="Bob").json() == {"seat": 2}, "the link still works"
    assert declined() == [False, False, False]
    assert decline(bob, link).status_code == 200, "nobody waits any more, so nothing changes"


def test_a_link_to_a_seat_goes_on_beside_that_of_the_table(ann: Browser, bob: Browser, eve: Browser) -> None:
    table, link = open_table(ann, LINK, LINK)
    assert join(bob, table.links[1], name="Bob").json() == {"seat": 1}
    assert join(eve, link, name="Eve").json() == {"seat": 2}
    assert join(eve, table.links[1], name="Eve").status_code == 403

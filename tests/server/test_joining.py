"""Joining: a newcomer gives a name and chooses among the free colours; nobody is called by the number of a seat."""

from __future__ import annotations

from typing import Any

from tests.server.harness import Browser, Opened


def invitation(browser: Browser, url: str) -> Any:
    path, _, secret = url.partition("#")
    return browser.post(f"/api/tables/{path.removeprefix('/t/')}/invitation", {"secret": secret}).json()


def join(browser: Browser, url: str, **wanted: Any) -> Any:
    path, _, secret = url.partition("#")
    return browser.post(f"/api/tables/{path.removeprefix('/t/')}/join", {"secret": secret} | wanted)


def names(browser: Browser, table: Opened) -> list[str]:
    return [seat["name"] for seat in browser.view(table.id)["seats"]]


def test_people_who_give_no_name_are_called_by_their_colour(ann: Browser) -> None:
    assert names(ann, ann.open("cable-car", "me me link")) == ["Yellow", "Blue", "Orange"]
    ann.http.headers["Accept-Language"] = "fr"
    assert names(ann, ann.open("passerelles", "me link")) == ["Bleu", "Jaune"]
    assert [seat["letter"] for seat in ann.view(ann.open("passerelles", "me link").id)["seats"]] == ["B", "J"]


def test_a_link_tells_the_free_colours_before_anyone_joins(ann: Browser, bob: Browser) -> None:
    table = ann.open("cable-car", "me link link")
    told = invitation(bob, table.links[2])
    assert (told["seat"], told["is_settled"]) == (2, False)
    assert [(free["seat"], free["colour"], free["letter"]) for free in told["free"]] == [
        (2, "orange", "O"),
        (1, "blue", "B"),
    ]
    assert not ann.view(table.id)["seats"][2]["taken"]
    told = invitation(bob, table.watch)
    assert (told["seat"], told["is_settled"], told["free"]) == (-5, True, [])


def test_an_invitation_says_who_invites_with_whom_and_by_which_clock(ann: Browser, bob: Browser) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}, {"who": "bot", "level": "random", "name": "Robot"}]
    clock = {"kind": "move", "seconds": 60.0, "increment": 0.0}
    table = Opened(ann, ann.post("/api/tables", {"game": "cable-car", "seats": seats, "clock": clock}).json())
    told = invitation(bob, table.links[1])
    assert (told["host"], told["others"], told["clock"]) == ("Ann", ["Robot"], clock)
    ann.post(f"/api/tables/{table.id}/password", {"password": "sesame"})
    told = invitation(bob, table.links[1])
    assert (told["host"], told["others"], told["clock"]) == ("", [], None), "a password hides who plays"
    unnamed = ann.open("cable-car", "me link")
    assert invitation(bob, unnamed.links[1])["host"] == "", "nobody is invited by a colour"


def decline(browser: Browser, url: str) -> Any:
    path, _, secret = url.partition("#")
    return browser.post(f"/api/tables/{path.removeprefix('/t/')}/decline", {"secret": secret})


def test_someone_invited_to_a_game_that_everyone_may_watch_reads_the_rules_too(ann: Browser, bob: Browser) -> None:
    table = ann.open("passerelles", "me link", watchable=True)
    rules = 'data-part="one-minute"'
    assert [rules in each.http.get(f"/t/{table.id}").text for each in (ann, bob)] == [False, True]


def test_the_table_is_told_that_an_invitation_was_declined_and_the_link_still_works(ann: Browser, bob: Browser) -> None:
    table = ann.open("cable-car", "me link link")
    with ann.socket(table.id) as socket:
        socket.hear_until("view")
        assert decline(bob, table.links[2]).status_code == 200
        told = socket.hear_until("seats")
    assert [seat["declined"] for seat in told["seats"]] == [False, False, True]
    assert join(bob, table.links[2], name="Bob").json() == {"seat": 2}
    assert not any(seat["declined"] for seat in ann.view(table.id)["seats"])
    assert decline(bob, table.links[2]).status_code == 403, "nobody declines a seat that is taken"


def test_only_the_link_to_a_free_seat_declines(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("nim", "me link")
    path = table.links[1].partition("#")[0]
    assert decline(eve, table.watch).status_code == 403
    other = ann.open("nim", "me link")
    for forged in ("x" * 32, other.links[1].partition("#")[2]):
        assert decline(bob, f"{path}#{forged}").status_code == 404
    assert not ann.view(table.id)["seats"][1]["declined"]


def test_someone_invited_may_watch_and_sit_down_later(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("nim", "me link")
    assert join(bob, table.links[1], watch=True).json() == {"seat": -5}
    assert (bob.view(table.id)["mine"], bob.view(table.id)["viewer"]) == ([], -5)
    assert not ann.view(table.id)["seats"][1]["taken"]
    assert join(bob, table.links[1], name="Bob").json() == {"seat": 1}
    assert bob.view(table.id)["mine"] == [1]
    assert join(eve, table.links[1], watch=True).status_code == 403, "the link has been used"
    assert eve.get(f"/api/tables/{table.id}").status_code == 404


def test_a_table_with_a_password_asks_it_of_those_who_watch_by_a_link_to_a_seat(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me link")
    ann.post(f"/api/tables/{table.id}/password", {"password": "sesame"})
    assert join(bob, table.links[1], watch=True).json()["error"] == "password-needed"
    assert join(bob, table.links[1], watch=True, password="wrong").json()["error"] == "wrong-password"
    assert join(bob, table.links[1], watch=True, password="sesame").json() == {"seat": -5}


def test_a_newcomer_gives_a_name_and_takes_another_free_colour(ann: Browser, bob: Browser, eve: Browser) -> None:
    table = ann.open("cable-car", "me link link")
    assert join(bob, table.links[2], seat=1, name="Bob").json() == {"seat": 1}
    assert names(ann, table) == ["Yellow", "Bob", "Orange"]
    assert bob.view(table.id)["mine"] == [1]
    # The link to the seat that he took opens the other one now.
    assert [free["seat"] for free in invitation(eve, table.links[1])["free"]] == [2]
    assert join(eve, table.links[1], name="Eve").json() == {"seat": 2}
    assert names(ann, table) == ["Yellow", "Bob", "Eve"]
    assert invitation(eve, table.links[2])["is_settled"]


def test_a_name_that_the_host_gave_goes_with_the_link(ann: Browser, bob: Browser) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}, {"who": "link", "name": "Cleo"}]
    table = Opened(ann, ann.post("/api/tables", {"game": "cable-car", "seats": seats}).json())
    assert invitation(bob, table.links[1])["free"][0]["name"] == "Bob"
    assert join(bob, table.links[1], seat=2).json() == {"seat": 2}
    assert names(ann, table) == ["Ann", "Cleo", "Bob"]


def test_a_taken_colour_cannot_be_chosen(ann: Browser, bob: Browser) -> None:
    table = ann.open("cable-car", "me link bot")
    for seat in (0, 2):
        assert join(bob, table.links[1], seat=seat).json()["error"] == "seat-taken"
    assert join(bob, table.links[1], seat=3).json()["error"] == "no-such-seat"
    assert not ann.view(table.id)["seats"][1]["taken"]


def test_an_impossible_name_takes_no_seat(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me link")
    assert join(bob, table.links[1], name=" Bob").json()["error"] == "bad-name"
    assert not ann.view(table.id)["seats"][1]["taken"]


def test_someone_who_sits_down_at_an_open_seat_gives_a_name(ann: Browser, bob: Browser) -> None:
    table = ann.open("orchard", "me open")
    assert bob.post(f"/api/tables/{table.id}/sit", {"seat": 1, "name": "Bob"}).status_code == 200
    assert names(ann, table)[1] == "Bob"


def test_the_choices_of_every_option_are_sentences_in_each_language(ann: Browser) -> None:
    for language in ("en", "fr", "nl"):
        for game in ann.get("/api/games", lang=language).json():
            if game["name"] in ("cable-car", "chicago-express", "passerelles", "pays-noir"):
                for option in game["options"]:
                    assert len(option["sentences"]) == len(option["choices"])
                    for sentence in option["sentences"]:
                        assert sentence[0].isupper(), option
                        assert "{" not in sentence

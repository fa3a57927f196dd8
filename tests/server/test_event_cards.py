"""The cards of events reach each viewer once, in their language, and again only with a whole view."""

from __future__ import annotations

from typing import Any

from tests.server.harness import Browser, Opened


def opened(ann: Browser) -> Opened:
    """A table of Chicago Express at its first auction, with all seats at one browser."""
    return ann.open("chicago-express", "me me me")


def move(ann: Browser, id: str, text: str) -> Any:
    """A move of whoever is to move; the version after it."""
    view = ann.view(id)
    body = {"seat": view["to_move"], "version": view["version"], "text": text}
    assert ann.post(f"/api/tables/{id}/moves", body).status_code == 200
    return ann.view(id)["version"]


def sell_first_share(ann: Browser, id: str) -> Any:
    for text in ("bid 9", "pass"):
        move(ann, id, text)
    return move(ann, id, "pass")


def titles(view: Any) -> list[str]:
    return [card["title"] for card in view["cards"]]


def test_a_change_has_the_cards_since_the_view_before(ann: Browser) -> None:
    table = opened(ann)
    with ann.socket(table.id) as socket:
        assert socket.hear_until("view")["cards"] == []
        sold = socket_view(socket, sell_first_share(ann, table.id))
        (card,) = sold["cards"]
        assert card["title"] == "A share of PRR is sold"
        assert card["ply"] == sold["ply"]
        assert card["places"] == ["income:PRR"]
        (row,) = card["rows"]
        name = sold["seats"][0]["name"]
        assert row == {
            "mark": {"colour": "teal", "letter": "1", "text": name},
            "words": "",
            "amount": "\u2212$9",
            "places": [],
        }
        assert socket_view(socket, move(ann, table.id, "bid 9"))["cards"] == []


def test_a_whole_view_has_the_cards_of_the_latest_plies(ann: Browser) -> None:
    table = opened(ann)
    sell_first_share(ann, table.id)
    move(ann, table.id, "bid 9")
    with ann.socket(table.id) as socket:
        assert titles(socket.hear_until("view")) == ["A share of PRR is sold"]
    assert titles(ann.view(table.id)) == ["A share of PRR is sold"]
    assert ann.get(f"/api/tables/{table.id}?at=1").json()["cards"] == []


def test_a_card_is_taken_back_with_its_move(ann: Browser) -> None:
    table = opened(ann)
    version = sell_first_share(ann, table.id)
    seat = ann.view(table.id)["viewer"]
    assert titles(ann.view(table.id)) == ["A share of PRR is sold"]
    answer = ann.post(f"/api/tables/{table.id}/undo", {"seat": seat, "version": version})
    assert answer.status_code == 200, answer.text
    assert titles(ann.view(table.id)) == []


def test_a_card_is_in_the_language_of_its_reader(ann: Browser) -> None:
    table = opened(ann)
    sell_first_share(ann, table.id)
    view = ann.get(f"/api/tables/{table.id}", lang="fr").json()
    assert titles(view) == ["Une action de PRR est vendue"]
    assert view["cards"][0]["rows"][0]["amount"] == "\u22129\xa0$"


def socket_view(socket: Any, version: int) -> Any:
    return socket.hear_until("view", version=version)

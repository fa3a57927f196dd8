"""Hints: against bots for everybody, against people only if the table allows them; used ones are shown to all."""

from __future__ import annotations

from typing import Any

from tests.server.harness import Browser


def hint(browser: Browser, id: str, seat: int = 0) -> Any:
    return browser.post(f"/api/tables/{id}/hint", {"seat": seat, "version": browser.view(id)["version"]})


def test_against_people_there_are_no_hints_unless_they_agreed(ann: Browser) -> None:
    table = ann.open("nim", "me link")
    assert not ann.view(table.id)["hints"]
    assert hint(ann, table.id).json()["error"] == "forbidden"
    agreed = ann.open("nim", "me link", hints=True)
    assert ann.view(agreed.id)["hints"]
    assert hint(ann, agreed.id).status_code == 200


def test_against_bots_there_are_hints(ann: Browser) -> None:
    table = ann.open("nim", "me bot")
    assert ann.view(table.id)["hints"]
    assert hint(ann, table.id).status_code == 200


def test_used_hints_are_shown_to_everybody_and_survive(ann: Browser, bob: Browser) -> None:
    table = ann.open("nim", "me link", hints=True)
    bob.join(table.links[1])
    with bob.socket(table.id) as socket:
        socket.hear_until("view")
        hint(ann, table.id)
        while [seat["hints"] for seat in socket.hear_until("seats")["seats"]] != [1, 0]:
            pass
    hint(ann, table.id)
    assert [seat["hints"] for seat in bob.view(table.id)["seats"]] == [2, 0]


def test_a_refused_hint_is_not_counted(ann: Browser) -> None:
    table = ann.open("nim", "me link")
    hint(ann, table.id)
    assert ann.view(table.id)["seats"][0]["hints"] == 0

"""Turns of several decisions: tried as a draft, then played as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.harness import Browser


def first_action(choices: list[dict[str, Any]]) -> int:
    """The first move of a tree of choices."""
    node = choices[0]
    return int(node["action"]) if "action" in node else first_action(node["children"])


def drafted(ann: Browser, id: str, view: dict[str, Any], actions: list[int]) -> dict[str, Any]:
    query = "&".join(f"actions={action}" for action in actions)
    answer = ann.get(f"/api/tables/{id}/draft?seat=0&version={view['version']}&{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_turn_is_composed_as_a_draft_and_played_as_one_move(ann: Browser) -> None:
    table = ann.open("pays-noir", "me me")
    view = ann.view(table.id)
    assert view["scene"]["continues"]
    actions = [first_action(view["choices"])]
    while (answer := drafted(ann, table.id, view, actions))["scene"]:
        assert answer["scene"]["base"] == view["version"]
        assert answer["scene"]["asks"]
        actions.append(first_action(answer["choices"]))
    assert 2 <= len(actions) <= 4
    assert ann.view(table.id)["version"] == view["version"], "nothing was played"
    body = {"seat": 0, "version": view["version"], "action": actions[0], "then": actions[1:]}
    assert ann.post(f"/api/tables/{table.id}/moves", body).status_code == 200
    after = ann.view(table.id)
    assert after["version"] == view["version"] + 1
    assert after["to_move"] == 1


def test_a_turn_with_an_illegal_decision_is_not_played_at_all(ann: Browser) -> None:
    table = ann.open("pays-noir", "me me")
    view = ann.view(table.id)
    first = first_action(view["choices"])
    body = {"seat": 0, "version": view["version"], "action": first, "then": [first]}
    assert ann.post(f"/api/tables/{table.id}/moves", body).json()["error"] == "illegal-move"
    assert ann.view(table.id)["version"] == view["version"]
    answer = ann.get(f"/api/tables/{table.id}/draft?seat=0&version={view['version']}&actions={first}&actions={first}")
    assert answer.json()["error"] == "illegal-move"


def test_decisions_after_the_end_of_the_turn_are_refused(ann: Browser) -> None:
    table = ann.open("passerelles", "me me")
    view = ann.view(table.id)
    action = first_action(view["choices"])
    body = {"seat": 0, "version": view["version"], "action": action, "then": [action]}
    answer = ann.post(f"/api/tables/{table.id}/moves", body)
    assert answer.json()["sentence"] == "The turn is over before the last of these decisions."
    assert drafted(ann, table.id, view, [action]) == {"scene": None, "choices": []}


def test_a_draft_is_for_the_seat_to_move_at_the_present_version(ann: Browser, bob: Browser) -> None:
    table = ann.open("pays-noir", "me link")
    bob.join(table.links[1])
    view = ann.view(table.id)
    action = first_action(view["choices"])
    path = f"/api/tables/{table.id}/draft?actions={action}"
    assert ann.get(f"{path}&seat=0&version={view['version'] + 1}").json()["error"] == "stale-version"
    assert bob.get(f"{path}&seat=0&version={view['version']}").json()["error"] == "forbidden"


@pytest.mark.parametrize("game", ["pays-noir", "chicago-express"])
def test_a_preview_comes_after_the_decisions_before_it(ann: Browser, game: str) -> None:
    table = ann.open(game, "me me")
    view = ann.view(table.id)
    while not view["scene"]["continues"]:
        body = {"seat": view["to_move"], "version": view["version"], "action": first_action(view["choices"])}
        ann.post(f"/api/tables/{table.id}/moves", body)
        view = ann.view(table.id)
        view = ann.view(table.id, viewer=view["to_move"])
    seat, first = view["to_move"], first_action(view["choices"])
    version = view["version"]
    draft = ann.get(f"/api/tables/{table.id}/draft?seat={seat}&version={version}&actions={first}").json()
    second = first_action(draft["choices"])
    path = f"/api/tables/{table.id}/preview?seat={seat}&version={version}&action={second}"
    assert ann.get(path).json()["error"] == "illegal-move", "it cannot be decided yet"
    assert ann.get(f"{path}&after={first}").status_code == 200


def test_a_preview_has_what_each_seat_would_get_once_the_card_would_lie(ann: Browser) -> None:
    table = ann.open("pays-noir", "me me")
    view = ann.view(table.id)
    at = f"seat=0&version={view['version']}"
    gains, after = [], [first_action(view["choices"])]
    for _ in ("place", "which way round, or a member"):
        path = f"/api/tables/{table.id}/draft?{at}&actions=" + "&actions=".join(map(str, after))
        action = first_action(ann.get(path).json()["choices"])
        path = f"/api/tables/{table.id}/preview?{at}&action={action}&after=" + "&after=".join(map(str, after))
        gains.append(ann.get(path).json().get("gains"))
        after.append(action)
    assert [0, 0] in gains, "nothing is finished with the first card"

"""Solved puzzles of people with a profile: rated by the server, carried, exported and deleted with the profile."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from typing import Any

import pytest

from ludotheque import game_class
from ludotheque.study.puzzles import Puzzle, grades, puzzle_of_day, puzzles, today
from ludotheque.study.solver import FIRST
from tests.server.harness import Browser, Server
from tests.server.test_profiles import link, named

GAME = "passerelles"
PUZZLES = puzzles(game_class(GAME))


def attempt(browser: Browser, puzzle: Puzzle, right: bool = True, rated: bool = True) -> Any:
    """Try a puzzle; return what that has changed."""
    action = puzzle.best if right else puzzle.values[1].action
    answer = browser.post(f"/api/puzzles/{GAME}/{puzzle.id}/try", {"action": action, "rated": rated})
    assert answer.status_code == 200, answer.text
    return answer.json()["counted"]


def solving(browser: Browser) -> Any:
    return browser.get("/api/solving").json()


def test_the_server_keeps_nothing_without_a_profile(ann: Browser) -> None:
    assert attempt(ann, PUZZLES[0]) is None
    assert solving(ann) == {"has_profile": False, "days": 0, "games": []}
    assert ann.post("/api/solving/join", {"tries": {PUZZLES[0].id: True}}).json()["error"] == "no-profile"


def test_the_first_rated_try_of_a_puzzle_changes_the_rating(ann: Browser) -> None:
    named(ann, "Ann")
    first, second = PUZZLES[:2]
    missed = attempt(ann, first, right=False)
    assert missed["change"] < 0
    assert missed["solving"]["rating"] == FIRST + missed["change"]
    again = attempt(ann, first)
    assert (again["change"], again["solving"]["tries"]) == (0, 1), "only the first try counts"
    assert again["solving"]["solved"] == [first.id]
    solved = attempt(ann, second)
    assert solved["change"] > 0
    assert (solved["solving"]["run"], set(solved["solving"]["tried"])) == (1, {first.id, second.id})
    assert solving(ann)["games"] == [solved["solving"]]


def test_a_try_in_a_rush_marks_a_puzzle_as_solved_and_changes_no_rating(ann: Browser) -> None:
    named(ann, "Ann")
    rush = attempt(ann, PUZZLES[0], rated=False)
    assert (rush["change"], rush["solving"]["tries"], rush["solving"]["solved"]) == (0, 0, [PUZZLES[0].id])
    assert attempt(ann, PUZZLES[0])["solving"]["tries"] == 1, "its first rated try still counts"
    assert attempt(ann, PUZZLES[1], right=False, rated=False)["solving"]["tried"].keys() == {PUZZLES[0].id}


def test_the_puzzle_of_the_day_counts_for_the_days_in_a_row(ann: Browser) -> None:
    named(ann, "Ann")
    of_day = puzzle_of_day(game_class(GAME), today())
    other = next(puzzle for puzzle in PUZZLES if puzzle.id != of_day.id)
    assert attempt(ann, other)["days"] == 0
    assert attempt(ann, of_day, right=False)["days"] == 0
    assert attempt(ann, of_day)["days"] == 1
    assert ann.get("/api/profile/export").json()["puzzles"]["days"] == [today().isoformat()]


def test_the_puzzle_of_the_day_of_a_variant_counts_for_the_days_in_a_row(ann: Browser) -> None:
    named(ann, "Ann")
    of_day = puzzle_of_day(game_class("cable-car"), today(), "companies")
    answer = ann.post(f"/api/puzzles/cable-car/{of_day.id}/try", {"action": of_day.best, "rated": True})
    assert answer.json()["counted"]["days"] == 1


def test_what_a_browser_remembers_joins_its_profile_by_the_rules_of_the_server(ann: Browser) -> None:
    named(ann, "Ann")
    tried, known, solved = PUZZLES[:3]
    before = attempt(ann, known, right=False)["solving"]["rating"]
    remembered = {
        "tries": {known.id: True, "nothing": True, tried.id: True},
        "solved": [tried.id, solved.id, known.id, "nothing"],
        "days": [today().isoformat(), "2999-01-01"],
    }
    joined = ann.post("/api/solving/join", remembered).json()
    (game,) = joined["games"]
    assert set(game["tried"]) == {known.id, tried.id}
    rating = grades(game_class(GAME))[tried.id].rating
    gained = round(48 * (1 - 1 / (1 + 10 ** ((rating - before) / 400))))
    assert game["rating"] == before + gained, "the try that the profile had stays as it was judged"
    assert set(game["solved"]) == {tried.id, known.id, solved.id}
    assert joined["days"] == 1, "no day to come"
    assert ann.post("/api/solving/join", remembered).json() == joined, "a second time changes nothing"


def test_a_browser_brings_no_more_days_than_it_sends_at_once(ann: Browser) -> None:
    named(ann, "Ann")
    recent, long_ago = today() - timedelta(days=7), today() - timedelta(days=2000)
    for days in ([recent] * 2000, [date(1, 1, 1) + timedelta(days=n) for n in range(2000)], [long_ago]):
        assert ann.post("/api/solving/join", {"days": [day.isoformat() for day in days]}).status_code == 200
    assert ann.get("/api/profile/export").json()["puzzles"]["days"] == [recent.isoformat()]


def test_a_puzzle_that_a_browser_names_often_is_stored_once(ann: Browser, server: Server) -> None:
    profile = named(ann, "Ann")["id"]
    joined = ann.post("/api/solving/join", {"solved": [PUZZLES[0].id] * 1999 + [PUZZLES[1].id]}).json()
    assert joined["games"][0]["solved"] == [PUZZLES[0].id, PUZZLES[1].id]
    with sqlite3.connect(server.folder / "ludotheque.sqlite3") as database:
        stored = "SELECT number FROM puzzle_tries WHERE profile = ? AND puzzle = ?"
        numbers = database.execute(stored, (profile, PUZZLES[1].id)).fetchall()
    database.close()
    assert numbers == [(2,)], "each was written once"


@pytest.mark.parametrize(
    "wrong", [{"rating": 3000}, {"tries": {"a": 5}}, {"days": ["yesterday"]}, {"solved": ["x" * 17]}]
)
def test_a_browser_cannot_send_a_rating_nor_nonsense(ann: Browser, wrong: dict[str, Any]) -> None:
    named(ann, "Ann")
    answer = ann.post("/api/solving/join", wrong)
    assert (answer.status_code, answer.json()["error"]) == (400, "malformed")


def test_a_link_carries_what_is_solved_and_no_one_else_sees_it(ann: Browser, bob: Browser, server: Server) -> None:
    made = named(ann, "Ann", "all")
    rating = attempt(ann, PUZZLES[0])["solving"]["rating"]
    with server.browser() as phone:
        assert phone.post("/api/profile/link/use", {"secret": link(ann)}).status_code == 200
        assert solving(phone) == solving(ann)
        attempt(phone, PUZZLES[1], right=False)
    assert solving(ann)["games"][0]["tries"] == 2
    assert f"Your rating: {solving(ann)['games'][0]['rating']}" in ann.get("/me").text
    assert str(rating) not in bob.get(f"/people/{made['id']}").text


def test_what_is_solved_is_exported_and_deleted_with_the_profile(ann: Browser) -> None:
    named(ann, "Ann")
    attempt(ann, PUZZLES[0])
    (tried,) = ann.get("/api/profile/export").json()["puzzles"]["tried"]
    assert (tried["puzzle"], tried["game"], tried["solved"]) == (PUZZLES[0].id, GAME, True)
    assert ann.post("/api/profile/delete").status_code == 200
    named(ann, "Ann again")
    assert solving(ann) == {"has_profile": True, "days": 0, "games": []}

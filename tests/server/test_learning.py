"""Lessons and puzzles over HTTP: the server keeps nothing of them but the table that someone plays on at."""

from __future__ import annotations

import html
import json
import re
from typing import Any, cast

import pytest

from ludotheque import game_class
from ludotheque.server.after.studies import Studies
from ludotheque.server.workers import LimitedWorkers
from ludotheque.study.lessons import LessonRun, lesson_named
from ludotheque.study.puzzles import puzzles, puzzles_of, refutation
from tests.server.harness import Browser, run_apart

LESSON = "/api/lessons/cable-car/first-game"


def step(browser: Browser, **place: Any) -> Any:
    answer = browser.post(LESSON, place)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_lesson_is_read_and_played_step_by_step(ann: Browser) -> None:
    first = step(ann)
    assert (first["step"], first["steps"], first["is_waiting"]) == (0, 15, False)
    assert "car:5" in first["highlights"]
    second = step(ann, step=1)
    assert second["is_waiting"]
    run = LessonRun(lesson_named(game_class("cable-car")))
    run.next()
    (action,) = run.accepted()[0]
    right = step(ann, step=1, action=action)
    assert (right["verdict"], right["step"], right["actions"]) == ("right", 2, [action])


def test_a_wrong_move_is_shown_with_its_consequence(ann: Browser) -> None:
    run = LessonRun(lesson_named(game_class("cable-car")))
    run.next()
    (wrong,) = run.read("aaaa C8")
    answer = step(ann, step=1, action=wrong)
    assert answer["verdict"] == "wrong"
    assert answer["sentence"].startswith("That would begin a line too, but at the bottom of the board.")
    assert answer["actions"] == []
    assert any(piece["id"] == "tile:C8" for piece in answer["board"]["scene"]["pieces"])
    assert [piece["id"] for piece in answer["tried"]["pieces"]] == ["tile:C8"]


def test_no_card_is_highlighted_that_takes_the_place_of_the_one_just_laid(ann: Browser) -> None:
    run = LessonRun(lesson_named(game_class("pays-noir")))
    run.read_on(2)
    *laid, _member = run.accepted()[0]
    lesson = "/api/lessons/pays-noir/first-game"
    assert "hand:0" in ann.post(lesson, {"step": 2}).json()["highlights"]
    view = ann.post(lesson, {"step": 2, "actions": laid}).json()
    assert "hand:0" in {piece["id"] for piece in view["board"]["scene"]["pieces"]}
    assert "hand:0" not in view["highlights"]


def test_a_learner_does_not_see_what_the_seat_may_not_know(ann: Browser) -> None:
    log = [line["text"] for line in step(ann)["board"]["log"]]
    assert log == ["Ann (you) is dealt a tile: 4 straight.", "Ben is dealt a tile."]


def test_what_is_the_learners_is_called_theirs(ann: Browser) -> None:
    board = step(ann)["board"]
    captions = [piece["text"] for piece in board["scene"]["pieces"] if piece["id"] == "hand-caption"]
    assert captions == ["Your hand"]
    names = [row[0][0]["text"] for row in board["scene"]["tables"][0]["rows"]]
    assert names == ["Ann (you)", "Ben"]
    (puzzle, *_) = puzzles(game_class("passerelles"))
    tried = ann.post(f"/api/puzzles/passerelles/{puzzle.id}/try", {"action": puzzle.values[1].action}).json()
    mine = "Ann (you)" if puzzle.seat == 0 else "Ben (you)"
    assert mine in tried["line"]["positions"][0]["log"][0]["text"]


def test_what_is_no_way_through_a_lesson_is_refused(ann: Browser) -> None:
    answer = ann.post(LESSON, {"step": 3, "actions": [7]})
    assert (answer.status_code, answer.json()["error"]) == (400, "malformed")
    assert ann.post("/api/lessons/cable-car/second-game", {}).status_code == 404
    assert ann.post("/api/lessons/no-game/first-game", {}).status_code == 404


def test_one_plays_on_from_a_lesson_against_a_beginner(ann: Browser) -> None:
    opened = ann.post(f"{LESSON}/play", {"step": 1, "actions": []})
    assert opened.status_code == 201
    view = ann.view(opened.json()["id"])
    assert [seat["who"] for seat in view["seats"]] == ["person", "bot"]
    assert view["ply"] == 2
    assert [table["kind"] for table in ann.get("/api/mine").json()] == ["lesson"]


def test_a_new_game_after_a_lesson_is_against_beginners_at_its_table(ann: Browser) -> None:
    found = re.search(r'data-new="([^"]+)"', ann.get("/learn/cable-car/companies").text)
    assert found
    wanted = json.loads(html.unescape(found[1]))
    lesson = lesson_named(game_class("cable-car"), "companies")
    opened = ann.post("/api/tables", wanted)
    assert opened.status_code == 201
    view = ann.view(opened.json()["id"])
    assert [seat["level"] for seat in view["seats"]] == ["", *["1"] * (lesson.players - 1)]
    assert wanted["options"] == {"companies": True}


def test_a_try_of_a_puzzle_shows_its_value_against_the_best(ann: Browser) -> None:
    puzzle = puzzles(game_class("passerelles"))[0]
    base = f"/api/puzzles/passerelles/{puzzle.id}"
    board = ann.get(base).json()
    assert board["choices"]
    best = ann.post(f"{base}/try", {"action": puzzle.best}).json()
    assert best["is_best"]
    assert best["moves"][0]["reason"].endswith(".")
    other = puzzle.values[1]
    tried = ann.post(f"{base}/try", {"action": other.action}).json()
    assert (tried["is_best"], tried["is_known"]) == (False, True)
    first, second = tried["moves"]
    assert (first["action"], second["action"]) == (puzzle.best, other.action)
    assert second["share"] == other.shares[puzzle.seat] < first["share"]
    assert (second["margin"], second["result_margin"]) == (2 * other.error, 2 * other.score_error)
    assert second["ghost"] == tried["tried"] != first["ghost"]
    assert ann.post(f"{base}/try", {"action": 10**6}).status_code == 422
    assert ann.post("/api/puzzles/passerelles/none/try", {"action": 1}).status_code == 404


def test_the_theme_is_told_after_a_try_and_a_wrong_move_is_played_on(ann: Browser) -> None:
    puzzle = puzzles(game_class("passerelles"))[0]
    base = f"/api/puzzles/passerelles/{puzzle.id}"
    theme = puzzle.themes[0]
    assert theme not in ann.get(f"/puzzles/passerelles/{puzzle.id}").text
    right = ann.post(f"{base}/try", {"action": puzzle.best}).json()
    assert right["idea"].startswith(f"{theme}: ")
    assert right["line"] is None
    wrong = ann.post(f"{base}/try", {"action": puzzle.values[1].action}).json()
    assert wrong["line"]["start"] == len(puzzle.history)
    replies = [position["log"] for position in wrong["line"]["positions"]]
    assert len(replies) >= 2
    assert any(said["text"] for log in replies for said in log)


def test_a_wrong_move_is_refuted_in_a_worker_once_for_everybody() -> None:
    """In the server's own process the search held up every move for a third of a second."""
    puzzle = puzzles(game_class("passerelles"))[0]
    asked: list[tuple[object, ...]] = []

    class Workers:
        async def run(self, client: str, work: object, *args: object) -> tuple[int, ...]:
            asked.append((client, work, *args))
            return (1, 2)

    async def ask() -> list[tuple[int, ...]]:
        studies = Studies(cast(LimitedWorkers, Workers()))
        return [await studies.refutation(puzzle, 1, address) for address in ("192.0.2.1", "192.0.2.2")]

    assert run_apart(ask()) == [(1, 2)] * 2
    assert asked == [("192.0.2.1", refutation, "passerelles", puzzle.id, 1)]


def test_puzzles_are_listed_by_difficulty_with_pictures(ann: Browser) -> None:
    entries = ann.get("/api/puzzles/passerelles").json()
    assert {entry["difficulty"] for entry in entries} == {0, 1, 2}
    assert {entry["id"] for entry in entries} == {puzzle.id for puzzle in puzzles(game_class("passerelles"))}
    picture = f"/api/puzzles/passerelles/{entries[0]['id']}/picture.svg"
    page = ann.get("/puzzles/passerelles/all").text
    assert picture in page
    assert ann.get(picture).text.startswith("<svg ")
    assert ann.get("/api/puzzles/no-game").status_code == 404


def test_a_considered_move_of_a_puzzle_or_a_lesson_is_drawn(ann: Browser) -> None:
    puzzle = puzzles(game_class("passerelles"))[0]
    base = f"/api/puzzles/passerelles/{puzzle.id}"
    drawn = ann.post(f"{base}/preview", {"action": puzzle.best}).json()
    assert drawn == ann.post(f"{base}/try", {"action": puzzle.best}).json()["tried"]
    refused = ann.post(f"{base}/preview", {"action": 10**6})
    assert (refused.status_code, refused.json()["error"]) == (422, "illegal-move")
    place = {"step": 1, "actions": []}
    action = step(ann, **place)["board"]["choices"][0]["children"][0]["action"]
    assert ann.post(f"{LESSON}/preview", {**place, "action": action}).json()["pieces"]
    assert ann.post(f"{LESSON}/preview", place).status_code == 422


def test_a_learner_and_a_solver_are_told_which_rule_forbids_a_place(ann: Browser) -> None:
    puzzle = puzzles(game_class("passerelles"))[0]
    match = puzzle.match()
    base = f"/api/puzzles/passerelles/{puzzle.id}/why-not"
    legal = [step.key for step in match.game.steps(match.state_at(match.ply), puzzle.best)]
    assert ann.post(base, {"picks": legal}).json() == {"reason": ""}
    assert ann.post(base, {"picks": ["cell:Z9"]}).json()["reason"]
    assert ann.post(base, {"picks": []}).status_code == 400
    place = {"step": 1, "actions": []}
    choice = step(ann, **place)["board"]["choices"][0]
    assert ann.post(f"{LESSON}/why-not", {**place, "picks": [choice["key"]]}).json() == {"reason": ""}
    assert ann.post(f"{LESSON}/why-not", {**place, "picks": ["x"]}).json() == {"reason": "The rules do not allow this."}


def test_a_puzzle_shows_what_its_seat_may_know(ann: Browser) -> None:
    puzzle = next(puzzle for puzzle in puzzles(game_class("cable-car")) if puzzle.players == 2)
    match = puzzle.match()
    board = ann.get(f"/api/puzzles/cable-car/{puzzle.id}").json()
    held = [piece for piece in board["scene"]["pieces"] if piece["id"].startswith("hand:")]
    assert len(held) == 1, "one's own tile, and not the other's"
    drawn = [line["text"] for line in board["log"] if f"{match.names[1 - puzzle.seat]} draws a tile" in line["text"]]
    assert all(line.endswith("draws a tile.") for line in drawn)


def test_one_plays_a_puzzle_on_after_its_best_move(ann: Browser) -> None:
    puzzle = puzzles(game_class("passerelles"))[0]
    opened = ann.post(f"/api/puzzles/passerelles/{puzzle.id}/play")
    assert opened.status_code == 201
    assert ann.view(opened.json()["id"])["ply"] >= len(puzzle.history) + 1


@pytest.mark.parametrize(
    "path",
    [
        "/learn/cable-car/companies",
        "/puzzles",
        "/puzzles/cable-car",
        "/puzzles/cable-car/all",
        "/puzzles/cable-car/all?variant=companies",
        "/puzzles/cable-car/rush",
        "/puzzles/cable-car/rush?variant=companies",
        "/rules/passerelles",
    ],
)
def test_the_pages_are_there(ann: Browser, path: str) -> None:
    assert ann.get(path).status_code == 200


def test_the_next_puzzle_is_one_of_the_same_variant(ann: Browser) -> None:
    kind = game_class("cable-car")
    for variant, query in (("", ""), ("companies", "?variant=companies")):
        own = {puzzle.id for puzzle in puzzles_of(kind, variant)}
        assert {entry["id"] for entry in ann.get(f"/api/puzzles/cable-car{query}").json()} == own
        shown = ann.get(f"/puzzles/cable-car/{min(own)}").text
        assert f'data-entries="/api/puzzles/cable-car{query}"' in shown
    assert ann.http.get("/api/puzzles/cable-car?variant=nothing").status_code == 404


def test_the_rules_link_to_lessons_and_name_their_sections(ann: Browser) -> None:
    page = ann.get("/rules/cable-car").text
    assert '<span class="anchor" id="section-5"></span><h2 id="scoring">' in page
    assert 'href="/learn/cable-car/first-game#step-3"' in page
    assert '<a href="#the-companies">The Companies</a>' in page

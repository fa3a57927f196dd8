"""Lessons and puzzles played through in a real browser."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from ludotheque import Choice, game_class, game_names
from ludotheque.study.lessons import Lesson, LessonRun, lesson_named, lessons
from ludotheque.study.puzzles import Puzzle, puzzles
from tests.browser.conftest import OpenBrowser
from tests.browser.test_tables import violations
from tests.ours import OURS
from tests.speeds import few

ALL = [lesson for name in OURS for lesson in lessons(game_class(name))]


def way_to(choices: Sequence[Choice], action: int) -> list[str]:
    """The keys of the choices that lead to an action."""
    for choice in choices:
        if choice.action == action:
            return [choice.step.key]
        if way := way_to(choice.children, action):
            return [choice.step.key, *way]
    return []


def choose(page: Page, keys: Sequence[str]) -> None:
    """Choose step by step from the list beside the board, unfolded where the board offers the same."""
    question = page.locator("[data-part=question]")
    folded = question.locator("details.all-choices:not([open]) > summary")
    for key in keys:
        button = question.locator(f'button.choice[data-step="{key}"]')
        number = question.locator("input[type=number]")
        if button.count():
            if button.is_hidden():
                folded.click()
            button.click()
        elif ":" in key and number.count():
            number.fill(key.partition(":")[2])
            button.click()


def play_lesson(page: Page, lesson: Lesson) -> None:
    """Go through a lesson as its first accepted moves do."""
    run = LessonRun(lesson)
    play_area = page.locator("[data-part=play-area]")
    played = 0
    while not run.is_over:
        expect(play_area).to_have_attribute("data-step", str(run.step_number))
        expect(page.locator("[data-part=text]")).to_have_text(run.step.text)
        if not run.is_waiting:
            page.locator("[data-part=next]").click()
            run.next()
            continue
        for action in run.accepted()[0]:
            expect(play_area).to_have_attribute("data-played", str(played))
            choose(page, way_to(run.match().choices(run.seat), action))
            run.play(action)
            played += 1
    expect(play_area).to_have_attribute("data-state", "over")


@pytest.mark.parametrize("lesson", few(ALL, 2), ids=lambda lesson: f"{lesson.game}-{lesson.name}")
def test_a_lesson_can_be_played_to_its_end_and_on_from_there(sit_down: OpenBrowser, lesson: Lesson) -> None:
    page = sit_down().page
    page.goto(f"/learn/{lesson.game}/{lesson.name}")
    play_lesson(page, lesson)
    page.locator("[data-part=play-on]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-part=seats] .name")).to_have_count(lesson.players)


def test_a_wrong_move_is_shown_then_taken_back_and_progress_is_kept(sit_down: OpenBrowser) -> None:
    page = sit_down(phone=True).page
    page.goto("/learn/cable-car/first-game")
    play_area = page.locator("[data-part=play-area]")
    page.locator("[data-part=next]").click()
    expect(play_area).to_have_attribute("data-state", "asking")
    choose(page, ["tile:aaaa", "cell:C8"])
    expect(play_area).to_have_attribute("data-state", "wrong")
    expect(page.locator("[data-part=verdict]")).to_contain_text("but at the bottom of the board")
    page.locator("[data-part=take-back]").click()
    expect(play_area).to_have_attribute("data-state", "asking")
    choose(page, ["tile:aaaa", "cell:E1"])
    expect(play_area).to_have_attribute("data-step", "2")
    page.reload()
    expect(play_area).to_have_attribute("data-step", "2")
    page.locator("[data-part=back]").click()
    expect(play_area).to_have_attribute("data-step", "1")


def test_show_me_beside_a_rule_opens_the_step_of_the_lesson(page: Page) -> None:
    page.goto("/rules/cable-car#section-4")
    page.locator("#a-turn .show-me").click()
    expect(page.locator("[data-part=play-area]")).to_have_attribute("data-step", "1")


def test_the_rules_can_be_searched(page: Page) -> None:
    page.goto("/rules/cable-car")
    page.locator("[data-part=search]").fill("majority")
    expect(page.locator("#the-companies")).to_be_visible()
    expect(page.locator("#set-up")).to_be_hidden()


@pytest.mark.parametrize("scheme", few(["light", "dark"]))
def test_axe_finds_nothing_in_lessons_and_puzzles(sit_down: OpenBrowser, scheme: str) -> None:
    page = sit_down(color_scheme=scheme, bypass_csp=True).page
    (puzzle, *_) = puzzles(game_class("cable-car"))
    for path in ("/learn/cable-car/first-game", "/puzzles", f"/puzzles/cable-car/{puzzle.id}"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert violations(page) == []


def sample() -> list[Puzzle]:
    return [puzzle for name in OURS for puzzle in few(puzzles(game_class(name))[:10], 1)]


@pytest.mark.parametrize("puzzle", sample(), ids=lambda puzzle: f"{puzzle.game}-{puzzle.id}")
def test_a_puzzle_is_tried_solved_and_played_on(sit_down: OpenBrowser, puzzle: Puzzle) -> None:
    page = sit_down().page
    page.goto(f"/puzzles/{puzzle.game}/{puzzle.id}")
    play_area = page.locator("[data-part=play-area]")
    expect(play_area).to_have_attribute("data-state", "asking")
    tree = puzzle.match().choices(puzzle.seat)
    solve(page, way_to(tree, puzzle.values[1].action))
    expect(play_area).to_have_attribute("data-state", "missed")
    expect(page.locator("[data-part=verdict]")).to_contain_text("the best one wins")
    page.locator("[data-part=again]").click()
    expect(play_area).to_have_attribute("data-state", "asking")
    solve(page, way_to(tree, puzzle.best))
    expect(play_area).to_have_attribute("data-state", "solved")
    expect(page.locator("[data-part=verdict]")).to_contain_text("Why:")


def solve(page: Page, keys: Sequence[str]) -> None:
    """Choose a move and confirm it."""
    choose(page, keys)
    play = page.locator("[data-part=question] [data-play]")
    if play.count():
        play.click()


def test_today_has_a_puzzle_of_every_game(page: Page) -> None:
    page.goto("/puzzles")
    expect(page.locator("article.game")).to_have_count(len([name for name in game_names() if name in OURS]))


def test_the_lobby_offers_a_lesson_beside_every_game(page: Page) -> None:
    page.goto("/")
    page.locator("article[data-game=cable-car] a.button").click()
    lesson = lesson_named(game_class("cable-car"))
    expect(page.locator("h1")).to_have_text(lesson.title)

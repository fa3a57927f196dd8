"""Lessons and puzzles played through in a real browser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, product

import pytest
from playwright.sync_api import Locator, Page, expect

from ludotheque import Choice, game_class, game_names
from ludotheque.show.language import game_translator
from ludotheque.study.lessons import Lesson, LessonRun, lesson_named, lessons
from ludotheque.study.puzzles import Puzzle, puzzles, puzzles_of, solution, stake
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player, play_to_the_end
from tests.browser.test_tables import violations
from tests.ours import OURS
from tests.speeds import few

ALL = [lesson for name in OURS for lesson in lessons(game_class(name))]
WAYS = few(product(("en", "fr", "nl"), (False, True)))
"""Languages, and whether on a phone."""
PUZZLES = 10
"""So many puzzles of each game are solved with `--all`."""

MARKS_IN_VIEW = """count => {
    const board = document.querySelector(".board").shadowRoot;
    const frame = board.querySelector("svg").getBoundingClientRect();
    const marks = [...board.querySelectorAll(".ghosts.hint .badge")].map(mark => mark.getBoundingClientRect());
    return marks.length === count && marks.every(({ left, right, top, bottom, width }) =>
        width > 20 && left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom);
}"""
"""Whether all of so many marks on the board can be seen, in their full size."""


HIGHLIGHTED_ABOVE_SHEET = """() => {
    const sheet = document.querySelector("[data-part=sheet]:not([hidden])")?.getBoundingClientRect();
    const board = document.querySelector(".board").shadowRoot;
    const pieces = [...board.querySelectorAll(".highlighted")].map(piece => piece.getBoundingClientRect());
    return sheet && pieces.length && pieces.every(({ left, right, top, bottom }) =>
        right < sheet.left || left > sheet.right || bottom < sheet.top || top > sheet.bottom);
}"""
"""Whether the sheet of an auction covers nothing that a lesson highlights."""


def way_to(choices: Sequence[Choice], action: int) -> list[str]:
    """The keys of the choices that lead to an action, without those that have no alternative and so are not asked."""
    for choice in choices:
        if any(leaf.action == action for leaf in choice.leaves()):
            asked = [choice.step.key] if len(choices) > 1 else []
            return [*asked, *way_to(choice.children, action)]
    return []


def learner(sit_down: OpenBrowser, language: str, phone: bool) -> Player:
    """Someone who reads that language, at a desk or on a phone."""
    return sit_down(phone=phone, locale=language)


def choose(player: Player, keys: Sequence[str]) -> None:
    """Choose step by step from the list beside the board, unfolded where the board offers the same."""
    question = player.page.locator("[data-part=question]")
    folded = question.locator("details.all-choices:not([open]) > summary")
    for key in keys:
        button = question.locator(f'button.choice[data-step="{key}"]')
        number = question.locator("input[type=number]")
        expect(button.or_(number).or_(folded).first).to_be_attached()
        if not button.count() and not number.count():
            folded.click()
            expect(button.or_(number).first).to_be_attached()
        amount = key.partition(":")[2]
        if not button.count():
            if not amount:
                continue  # a number such as `bid:7` is asked without asking for `bid` first
            number.fill(amount)
        elif button.is_hidden():
            player.press(folded)
        player.press(button)


def play_lesson(player: Player, lesson: Lesson, language: str) -> None:
    """Go through a lesson as its first accepted moves do."""
    run = LessonRun(lesson)
    page, translate = player.page, game_translator(lesson.game, language)
    play_area = page.locator("[data-part=play-area]")
    played = 0
    while not run.is_over:
        expect(play_area).to_have_attribute("data-step", str(run.step_number))
        expect(page.locator("[data-part=text]")).to_have_text(translate(run.step.text))
        if not run.is_waiting:
            player.press(page.locator("[data-part=next]"))
            run.next()
            continue
        for action in run.accepted()[0]:
            expect(play_area).to_have_attribute("data-played", str(played))
            choose(player, way_to(run.match().choices(run.seat), action))
            run.play(action)
            played += 1
    expect(play_area).to_have_attribute("data-state", "over")


@pytest.mark.parametrize(("language", "phone"), WAYS)
@pytest.mark.parametrize("lesson", few(ALL), ids=lambda lesson: f"{lesson.game}-{lesson.name}")
def test_a_lesson_can_be_played_to_its_end_and_on_from_there(
    sit_down: OpenBrowser, lesson: Lesson, language: str, phone: bool
) -> None:
    player = learner(sit_down, language, phone)
    player.page.goto(f"/learn/{lesson.game}/{lesson.name}")
    play_lesson(player, lesson, language)
    player.press(player.page.locator("[data-part=play-on]"))
    player.page.wait_for_url("**/t/*")
    expect(player.page.locator("[data-part=seats] .name")).to_have_count(lesson.players)


def progress_before_the_end(lesson: Lesson) -> dict[str, object]:
    """What a browser remembers of a lesson whose last step is read next."""
    run, actions = LessonRun(lesson), list[int]()
    while run.step_number < len(lesson.steps) - 1:
        for action in run.accepted()[0] if run.is_waiting else ():
            actions.append(action)
            run.play(action)
        run.read_on(len(lesson.steps) - 1)
    return {"place": {"step": run.step_number, "actions": actions}, "before": []}


def test_after_a_lesson_one_press_opens_a_new_game_or_the_next_lesson(sit_down: OpenBrowser) -> None:
    lesson = lesson_named(game_class("passerelles"))
    player = sit_down()
    page = player.page
    page.goto("/rules/passerelles")
    kept = "([key, progress]) => localStorage.setItem(key, JSON.stringify(progress))"
    page.evaluate(kept, ["lesson:/api/lessons/passerelles/first-game", progress_before_the_end(lesson)])
    page.goto("/learn/passerelles/first-game")
    area, finished = page.locator("[data-part=play-area]"), page.locator("[data-lesson='passerelles/first-game']")
    expect(area).to_have_attribute("data-step", str(len(lesson.steps) - 1))
    expect(finished).to_be_hidden()
    player.press(page.locator("[data-part=next]"))
    expect(area).to_have_attribute("data-state", "over")
    expect(finished).to_be_visible()
    following = page.get_by_role("link", name="Next lesson: Passerelles: your first strategy")
    expect(following).to_have_attribute("href", "/learn/passerelles/strategy")
    player.press(page.get_by_role("button", name="New game against the gentlest bot"))
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-part=seats] .name")).to_have_count(lesson.players)
    expect(page.locator("[data-part=seats]")).to_contain_text("Beginner")


def test_a_game_against_the_match_moves_the_level_that_the_lobby_offers(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start_in_lobby("passerelles", "bot 1.5", rounds=1)
    ann.hurry_bots()
    play_to_the_end(ann.type)
    sentence = ann.page.locator("[data-part=result] .match")
    expect(sentence).to_have_text(re.compile(r"^Your matched bot (moves from level 1.5 to|stays at level) \d\.\d\.$"))
    level = sentence.inner_text().rstrip(".").split()[-1]
    ann.page.goto("/")
    ann.press(ann.page.locator("[data-play=passerelles]"))
    offered = ann.page.locator("[data-part=setup-seats] li > select").nth(1).locator("option[data-match]")
    expect(offered).to_have_text(f"Bot: match me (level {level})")


def test_levels_that_do_not_differ_at_a_table_are_one(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.goto("/")
    ann.press(ann.page.locator("[data-play=cable-car]"))
    players, opponent = ann.page.locator("[name=players]"), ann.page.get_by_label("Player at seat 2")
    opponent.select_option("bot 6")
    players.select_option("4")
    expect(opponent.locator("option:checked")).to_have_text("Bot: Expert")
    expect(opponent.locator("option[value='bot 6']")).to_be_disabled()
    players.select_option("3")
    expect(opponent.locator("option[value='bot 6']")).to_be_enabled()


def test_a_bot_of_a_middle_level_is_set_up_with_a_style(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.goto("/")
    ann.press(ann.page.locator("[data-play=passerelles]"))
    opponent = ann.page.locator("[data-part=setup-seats] li").nth(1)
    style = ann.page.get_by_label("Style of the bot at seat 2")
    opponent.locator("> select").select_option("bot 1")
    expect(style).to_be_hidden()
    opponent.locator("> select").select_option("bot 3")
    style.select_option("Patient")
    expect(opponent).to_contain_text("Builds long open walls and closes them late.")
    ann.press(ann.page.locator("[data-part=setup-start]"))
    ann.page.wait_for_url("**/t/*")
    expect(ann.page.locator("[data-part=seats]")).to_contain_text("Club player (patient)")


def test_open_choices_leave_the_board_its_room_on_a_phone(sit_down: OpenBrowser) -> None:
    player = sit_down(phone=True)
    page = player.page
    page.goto("/learn/pays-noir/first-game")
    for step in range(2):
        expect(page.locator("[data-part=play-area]")).to_have_attribute("data-step", str(step))
        player.press(page.locator("[data-part=next]"))
    player.press(page.locator("[data-part=question] details > summary"))
    expect(page.locator("[data-part=question] details[open]")).to_be_visible()
    board, screen = page.locator("[data-part=board]").bounding_box(), page.viewport_size
    assert board
    assert screen
    assert board["height"] > 0.4 * screen["height"]


def test_a_wrong_move_is_shown_then_taken_back_and_progress_is_kept(sit_down: OpenBrowser) -> None:
    player = sit_down(phone=True)
    page = player.page
    page.goto("/learn/cable-car/first-game")
    play_area = page.locator("[data-part=play-area]")
    board = page.locator("[data-part=board]")
    expect(play_area).to_have_attribute("data-state", "reading")
    place = board.bounding_box()
    page.locator("[data-part=next]").click()
    expect(play_area).to_have_attribute("data-state", "asking")
    assert board.bounding_box() == place, "the board keeps its size and place from step to step"
    choose(player, ["tile:aaaa", "cell:C8"])
    expect(play_area).to_have_attribute("data-state", "wrong")
    assert board.bounding_box() == place
    expect(page.locator("[data-part=verdict]")).to_contain_text("but at the bottom of the board")
    expect(page.locator(".ghosts.mark .badge")).to_have_text(["✗"])
    page.locator("[data-part=take-back]").click()
    expect(play_area).to_have_attribute("data-state", "asking")
    expect(page.locator(".badge")).to_have_count(0)
    choose(player, ["tile:aaaa", "cell:E1"])
    expect(play_area).to_have_attribute("data-step", "2")
    page.reload()
    expect(play_area).to_have_attribute("data-step", "2")
    page.locator("[data-part=back]").click()
    expect(play_area).to_have_attribute("data-step", "1")


def test_a_lesson_can_be_played_and_heard_with_the_keyboard_alone(sit_down: OpenBrowser) -> None:
    player = sit_down()
    page, run = player.page, LessonRun(lesson_named(game_class("chicago-express"), "printings"))
    page.goto("/learn/chicago-express/printings")
    lesson, area = page.get_by_role("region", name="Lesson"), page.locator("[data-part=play-area]")
    expect(page.get_by_role("region", name="Board").get_by_role("img").first).to_have_accessible_name(re.compile("."))
    played = 0
    while not run.is_over:
        expect(area).to_have_attribute("data-step", str(run.step_number))
        expect(lesson.get_by_role("status")).to_have_text(run.step.text)
        if run.is_waiting:
            mistake, answer = next((action, run.answer_to(action)) for action in run.wrong_actions())
            choose_by_keys(player, way_to(run.match().choices(run.seat), mistake))
            expect(lesson.get_by_role("alert")).to_have_text(answer.text if answer else re.compile("."))
            expect(lesson.get_by_role("button", name="Take it back")).to_be_focused()
            page.keyboard.press("Enter")
            expect(area).to_have_attribute("data-state", "asking")
            for action in run.accepted()[0]:
                expect(area).to_have_attribute("data-played", str(played))
                choose_by_keys(player, way_to(run.match().choices(run.seat), action))
                run.play(action)
                played += 1
        else:
            player.tab_to("[data-part=next]")
            page.keyboard.press("Enter")
            run.next()
    expect(lesson.get_by_role("button", name="Play on from here")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")


def test_between_the_parts_of_a_move_the_map_stays_where_one_looks(sit_down: OpenBrowser) -> None:
    lesson = lesson_named(game_class("chicago-express"))
    player = sit_down(phone=True)
    page, area, view = player.page, player.play_area, player.page.locator(".board svg").first
    (bid,) = LessonRun.resume(lesson, 2, []).accepted()[0]
    page.goto("/rules/chicago-express")
    kept = "([key, progress]) => localStorage.setItem(key, JSON.stringify(progress))"
    progress = {"place": {"step": 4, "actions": [bid]}, "before": []}
    page.evaluate(kept, ["lesson:/api/lessons/chicago-express/first-game", progress])
    page.goto("/learn/chicago-express/first-game")
    run = LessonRun.resume(lesson, 4, [bid])
    *begun, to_city, _done = run.accepted()[0]
    for played, action in enumerate([*begun, to_city], 1):
        expect(area).to_have_attribute("data-played", str(played))
        in_view = view.get_attribute("viewBox")
        choose(player, way_to(run.match().choices(run.seat), action))
        run.play(action)
    expect(area).to_have_attribute("data-played", str(played + 1))
    expect(view).to_have_attribute("viewBox", in_view or "")


def choose_by_keys(player: Player, keys: Sequence[str]) -> None:
    """Choose step by step: Tab to the choices, arrows among them, Enter; a number is typed."""
    page = player.page
    for key in keys:
        kind, _, amount = key.partition(":")
        if key == "bid":
            continue  # what to bid is asked at once
        if kind == "bid":
            player.tab_to("[data-part=question] input")
            page.keyboard.press("Control+a")
            page.keyboard.type(amount)
        else:
            player.tab_to("[data-part=question] :is(button, details:not([open]) > summary)")
            if not page.locator(f"[data-part=question] [data-step='{key}']").is_visible():
                player.tab_to("[data-part=question] details:not([open]) > summary")
                page.keyboard.press("Enter")
                player.tab_to("[data-part=question] details button.choice")
            for _ in range(60):
                if page.evaluate("document.activeElement?.dataset.step") == key:
                    break
                page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")


def test_show_me_beside_a_rule_opens_the_step_of_the_lesson(page: Page) -> None:
    page.goto("/rules/cable-car#section-4")
    page.locator("#a-turn .show-me").click()
    expect(page.locator("[data-part=play-area]")).to_have_attribute("data-step", "1")


def test_the_rules_can_be_searched(page: Page) -> None:
    page.goto("/rules/cable-car")
    page.locator("[data-part=search]").fill("majority")
    expect(page.locator("#the-companies")).to_be_visible()
    expect(page.locator("#set-up")).to_be_hidden()


def test_on_a_phone_the_rules_begin_with_the_cover_and_the_contents_unfold_at_the_foot(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.page.goto("/rules/cable-car")
    cover = bob.page.locator(".prose .cover").bounding_box()
    assert cover
    assert cover["y"] < 100
    expect(bob.page.get_by_role("heading", name="In one minute")).to_be_in_viewport()
    assert bob.page.evaluate("document.documentElement.scrollWidth") <= 375
    contents = bob.page.locator("[data-part=contents]")
    bob.press(contents.locator("summary"))
    bob.press(contents.get_by_role("link", name="Set-up"))
    expect(bob.page.get_by_role("heading", name="Set-up")).to_be_in_viewport()
    expect(contents, "it covers nothing of the section").not_to_have_attribute("open", "")


def test_a_puzzle_says_what_is_at_stake_before_the_move(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    (puzzle, *_) = puzzles(game_class("passerelles"))
    bob.page.goto(f"/puzzles/passerelles/{puzzle.id}")
    expect(bob.page.locator(".stake")).to_have_text(str(stake(puzzle)))
    expect(bob.page.locator(".stake")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_pictures_in_the_log_of_a_puzzle_do_not_meet(sit_down: OpenBrowser, phone: bool) -> None:
    bob = sit_down(phone=phone)
    (puzzle, *_) = puzzles(game_class("cable-car"))
    bob.page.goto(f"/puzzles/cable-car/{puzzle.id}")
    pictures = bob.page.locator("[data-part=log] .inline-picture")
    expect(pictures.nth(1)).to_be_attached()
    boxes = [box for picture in pictures.all() if (box := picture.bounding_box())]
    assert all(above["y"] + above["height"] <= below["y"] for above, below in pairwise(boxes))


@pytest.mark.parametrize("scheme", few(["light", "dark"]))
def test_axe_finds_nothing_in_lessons_and_puzzles(sit_down: OpenBrowser, scheme: str) -> None:
    page = sit_down(color_scheme=scheme, bypass_csp=True).page
    (puzzle, *_) = puzzles(game_class("cable-car"))
    page.goto("/puzzles")
    assert violations(page) == []
    for path, state in (("/learn/cable-car/first-game", "reading"), (f"/puzzles/cable-car/{puzzle.id}", "asking")):
        page.goto(path)
        expect(page.locator("[data-part=play-area]")).to_have_attribute("data-state", state)
        expect(page.locator(".board .backdrop")).to_be_attached()
        assert violations(page) == []


def test_a_lesson_and_a_puzzle_draw_the_move_that_is_considered(sit_down: OpenBrowser) -> None:
    page = sit_down().page
    ghost, place = page.locator(".board .ghosts.preview > .main"), page.locator(".board .spot.choice").first
    page.goto("/learn/cable-car/first-game#step-2")
    expect(page.locator("[data-part=play-area]")).to_have_attribute("data-state", "asking")
    place.hover()
    expect(ghost).to_be_visible()
    page.goto(f"/puzzles/cable-car/{puzzles(game_class('cable-car'))[0].id}")
    expect(page.locator("[data-part=play-area]")).to_have_attribute("data-state", "asking")
    place.click()
    expect(page.locator("[data-part=question] [data-play]")).to_be_visible()
    expect(ghost).to_be_visible()


@pytest.mark.parametrize(("language", "phone"), WAYS)
@pytest.mark.parametrize("name", few(OURS))
def test_puzzles_are_tried_solved_and_explained_with_ghosts(
    sit_down: OpenBrowser, name: str, language: str, phone: bool
) -> None:
    player = learner(sit_down, language, phone)
    for puzzle in few(puzzles(game_class(name))[:PUZZLES]):
        solve(player, puzzle)


def solve(player: Player, puzzle: Puzzle) -> None:
    """Try the next best move of a puzzle, then its best one."""
    page = player.page
    page.goto(f"/puzzles/{puzzle.game}/{puzzle.id}")
    play_area, badges = page.locator("[data-part=play-area]"), page.locator(".ghosts.hint .badge")
    expect(play_area).to_have_attribute("data-state", "asking")
    solver = page.locator(".scores .to-move .who .chip, .scores tr.mine th .chip").first
    expect(page.locator(".task .chip"), "what is asked is beside the solver's colour").to_have_text(solver.inner_text())
    tree = puzzle.match().choices(puzzle.seat)
    play(player, way_to(tree, puzzle.values[1].action))
    expect(play_area).to_have_attribute("data-state", "missed")
    expect(page.locator("[data-part=verdict]")).to_contain_text(" of 100 games")
    expect(badges).to_have_text(["✗"])
    player.press(page.locator("[data-part=again]"))
    expect(play_area).to_have_attribute("data-state", "asking")
    expect(badges).to_have_count(0)
    play(player, way_to(tree, puzzle.best))
    expect(play_area).to_have_attribute("data-state", "solved")
    expect(badges).to_have_count(2)
    assert sorted(badges.all_text_contents()) == ["1", "2"], "on the board, or in the tray"
    expect(page.locator("[data-part=hinted] .expects")).to_have_count(2)
    expect(page.locator("[data-part=play-on]")).to_be_visible()


def rounds_apart(puzzle: Puzzle) -> bool:
    """Whether the two best moves, in percent, differ by other than their rounded difference."""
    best, other = (100 * move.returns[puzzle.seat] for move in solution(puzzle, puzzle.best))
    return round(best) - round(other) != round(best - other)


def test_a_wrong_move_is_played_on_and_the_next_puzzle_opens(sit_down: OpenBrowser) -> None:
    player = sit_down()
    page, area = player.page, player.page.locator("[data-part=play-area]")
    puzzle = next(puzzle for puzzle in puzzles(game_class("passerelles")) if rounds_apart(puzzle))
    page.goto(f"/puzzles/passerelles/{puzzle.id}")
    expect(area).to_have_attribute("data-state", "asking")
    expect(page.locator("[data-part=rating]")).to_contain_text("Puzzle: ")
    tree = puzzle.match().choices(puzzle.seat)
    play(player, way_to(tree, puzzle.values[1].action))
    verdict = page.locator("[data-part=verdict]")
    expect(verdict).to_contain_text("it costs you")
    told = re.search(r"wins (\d+) of 100 games, the best one (\d+): it costs you (\d+)", verdict.inner_text())
    assert told
    tried, best, cost = map(int, told.groups())
    assert best - tried == cost
    player.press(page.locator("[data-part=why]"))
    expect(page.locator("[data-part=follows] li")).not_to_have_count(0)
    expect(page.locator(".ghosts.mark .badge").first).to_have_text("✗")
    player.press(page.locator("[data-part=solve]"))
    expect(page.locator("[data-part=verdict]")).to_contain_text(puzzle.themes[0])
    expect(page.locator("[data-part=rating]")).to_contain_text("You: 11")
    player.press(page.locator("[data-part=next]"))
    page.wait_for_url(lambda url: "/puzzles/passerelles/" in url and puzzle.id not in url)
    expect(area).to_have_attribute("data-state", "asking")


def test_a_rush_counts_what_is_solved_until_three_mistakes(sit_down: OpenBrowser) -> None:
    player = sit_down()
    page, area = player.page, player.page.locator("[data-part=play-area]")
    known = {puzzle.id: puzzle for puzzle in puzzles(game_class("passerelles"))}
    page.goto("/puzzles/passerelles/rush")
    with page.expect_response(re.compile(r"/api/puzzles/passerelles/\w{8}$")) as opened:
        page.locator("[data-part=start]").click()
    for wrong in (False, True, True, True):
        puzzle = known[opened.value.url.rpartition("/")[2]]
        expect(area).to_have_attribute("data-state", "asking")
        action = puzzle.values[1].action if wrong else puzzle.best
        way = way_to(puzzle.match().choices(puzzle.seat), action)
        if page.locator("[data-part=strikes]").text_content() == "✗✗":
            choose(player, way)
            break
        with page.expect_response(re.compile(r"/api/puzzles/passerelles/\w{8}$")) as opened:
            choose(player, way)
    expect(area).to_have_attribute("data-state", "over")
    expect(page.locator("[data-part=count]")).to_have_text("Solved: 1")
    expect(page.locator("[data-part=verdict]")).to_contain_text("A new best!")


def play(player: Player, keys: Sequence[str]) -> None:
    """Choose a move and confirm it."""
    choose(player, keys)
    button = player.page.locator("[data-part=question] [data-play]")
    answered = player.page.locator("[data-part=play-area]:not([data-state=asking])")
    expect(button.or_(answered).first, "a number is confirmed by its own button").to_be_attached()
    if button.count():
        player.press(button)


def test_all_marks_of_a_puzzle_stay_in_view_on_a_phone(sit_down: OpenBrowser) -> None:
    player = sit_down(phone=True)
    page = player.page
    puzzle = next(puzzle for puzzle in puzzles(game_class("chicago-express")) if puzzle.themes == ("Auction",))
    solve(player, puzzle)
    expect(page.locator(".board svg.zoomed")).to_have_count(1)
    page.wait_for_function(MARKS_IN_VIEW, arg=2)
    page.set_viewport_size({"width": 375, "height": 600})
    page.wait_for_function(MARKS_IN_VIEW, arg=2)
    page.reload()
    expect(page.locator("[data-part=play-area]")).to_have_attribute("data-state", "asking")
    play(player, way_to(puzzle.match().choices(puzzle.seat), puzzle.values[1].action))
    page.wait_for_function(MARKS_IN_VIEW, arg=1)


def test_the_folded_sheet_of_an_auction_covers_no_income_that_a_lesson_points_at(sit_down: OpenBrowser) -> None:
    page = sit_down().page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/learn/chicago-express/first-game")
    page.wait_for_function(HIGHLIGHTED_ABOVE_SHEET)


BID_IN_SIGHT = """() => {
  const [bid, question] = [".number .chooser button", "[data-part=question]"].map((part) =>
    document.querySelector(part)?.getBoundingClientRect().bottom);
  return bid <= question;
}"""


def test_a_phone_shows_the_whole_button_that_bids_in_a_lesson(sit_down: OpenBrowser) -> None:
    page = sit_down().page
    page.set_viewport_size({"width": 375, "height": 667})
    page.goto("/learn/chicago-express/first-game")
    for step in (1, 2):
        page.locator("[data-part=next]").click()
        expect(page.locator("[data-part=play-area]")).to_have_attribute("data-step", str(step))
    page.wait_for_function(BID_IN_SIGHT)
    page.route("**/api/**", lambda _: None)  # no answer comes while one looks
    page.locator("[data-part=question] [data-step=pass]").click()
    expect(page.locator("[data-part=question] button")).to_have_count(0)
    progress, asking = (page.locator(part).bounding_box() for part in (".progress", ".asking"))
    assert progress
    assert asking
    assert progress["y"] + progress["height"] <= asking["y"] + 1, "the number of the step lies over no text"


def fail_once(page: Page, address: str) -> None:
    """Let the next request to an address fail."""
    page.route(address, lambda route: route.abort(), times=1)


def test_a_puzzle_asks_again_when_the_request_failed(sit_down: OpenBrowser) -> None:
    player = sit_down()
    (puzzle, *_) = puzzles(game_class("cable-car"))
    player.page.goto(f"/puzzles/{puzzle.game}/{puzzle.id}")
    fail_once(player.page, "**/try")
    way = way_to(puzzle.match().choices(puzzle.seat), puzzle.best)
    play(player, way)
    expect(player.page.locator(".toast")).to_be_visible()
    play(player, way)
    expect(player.play_area).to_have_attribute("data-state", "solved")


def test_a_lesson_asks_again_when_the_request_failed(sit_down: OpenBrowser) -> None:
    player = sit_down()
    player.page.goto("/learn/cable-car/first-game")
    player.page.locator("[data-part=next]").click()
    expect(player.play_area).to_have_attribute("data-state", "asking")
    fail_once(player.page, "**/api/lessons/cable-car/first-game")
    choose(player, ["tile:aaaa", "cell:E1"])
    expect(player.page.locator(".toast")).to_be_visible()
    choose(player, ["tile:aaaa", "cell:E1"])
    expect(player.play_area).to_have_attribute("data-step", "2")


def test_a_failed_request_leaves_the_way_through_a_lesson_as_it_was(sit_down: OpenBrowser) -> None:
    player = sit_down()
    page, area = player.page, player.play_area
    back, further = page.locator("[data-part=back]"), page.locator("[data-part=next]")
    page.goto("/learn/pays-noir/first-game")
    expect(area).to_have_attribute("data-step", "0")

    def press(button: Locator, step: int) -> None:
        button.click()
        expect(area).to_have_attribute("data-step", str(step))

    def fail(button: Locator) -> None:
        fail_once(page, "**/api/**")
        button.click()
        expect(page.locator(".toast")).to_have_count(1)
        page.locator(".toast").evaluate_all("toasts => toasts.forEach((toast) => toast.remove())")

    fail(further)
    press(further, 1)
    press(back, 0)
    expect(back, "no step is before the first").to_be_hidden()
    press(further, 1)
    fail(back)
    press(back, 0)


def test_a_lesson_is_not_forgotten_when_the_server_does_not_answer(sit_down: OpenBrowser) -> None:
    page = sit_down().page
    area = page.locator("[data-part=play-area]")
    page.goto("/learn/pays-noir/first-game")
    page.locator("[data-part=next]").click()
    expect(area).to_have_attribute("data-step", "1")
    fail_once(page, "**/api/lessons/pays-noir/first-game")
    page.reload()
    expect(page.locator(".toast")).to_have_text("The server does not answer.")
    page.reload()
    expect(area).to_have_attribute("data-step", "1")


def test_a_link_to_an_earlier_step_leaves_only_those_before_it_to_go_back_to(sit_down: OpenBrowser) -> None:
    page = sit_down().page
    area, further = page.locator("[data-part=play-area]"), page.locator("[data-part=next]")
    page.goto("/learn/pays-noir/first-game")
    for step in (1, 2):
        further.click()
        expect(area).to_have_attribute("data-step", str(step))
    page.goto("/rules/pays-noir")
    page.goto("/learn/pays-noir/first-game#step-2")
    expect(area).to_have_attribute("data-step", "1")
    page.locator("[data-part=back]").click()
    expect(area).to_have_attribute("data-step", "0")


def test_today_has_a_puzzle_of_every_game_and_variant(page: Page) -> None:
    page.goto("/puzzles")
    ours = [game_class(name) for name in game_names() if name in OURS]
    titles = [title for kind in ours for title in (kind.title, *(variant.title for variant in kind.variants))]
    expect(page.locator("article.game h2")).to_have_text(titles)


def test_puzzles_of_a_variant_follow_one_another(page: Page) -> None:
    page.goto("/puzzles")
    page.locator("article.game", has_text="The Companies").get_by_role("link", name="All puzzles").click()
    expect(page.locator("h1")).to_contain_text("The Companies")
    own = {puzzle.id for puzzle in puzzles_of(game_class("cable-car"), "companies")}
    shown = page.locator("[data-puzzle]").evaluate_all("links => links.map((link) => link.dataset.puzzle)")
    assert set(shown) == own
    page.get_by_role("link", name="Rush").click()
    with page.expect_response(re.compile(r"/api/puzzles/cable-car/\w{8}$")) as opened:
        page.locator("[data-part=start]").click()
    assert opened.value.url.rpartition("/")[2] in own


def test_the_lobby_offers_a_lesson_beside_every_game(page: Page) -> None:
    page.goto("/")
    page.locator("article[data-game=cable-car] a.button").click()
    lesson = lesson_named(game_class("cable-car"))
    expect(page.locator("h1")).to_have_text(lesson.title)

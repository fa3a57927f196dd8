"""The file of a match in a real browser, without any network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from ludotheque import load_game
from ludotheque.core.game import Game
from ludotheque.show.offline import replay_file, review_file
from ludotheque.study.review import Budget, review
from tests.browser.conftest import PHONE
from tests.browser.test_tables import violations
from tests.speeds import chosen, few
from tests.table.matches import random_match

TABLES = [
    load_game("cable-car", 3, companies=True),
    load_game("chicago-express", 3),
    load_game("passerelles", rounds=1),
    load_game("pays-noir", 2, track=30),
]
IDS = "[...document.querySelector('[data-part=board]').shadowRoot.querySelectorAll('.pieces > g')].length"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A browser without a network; it may not even ask for anything, nor see an error."""
    context = browser.new_context(offline=True, viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on(
        "request", lambda asked: troubles.append(asked.url) if not asked.url.startswith(("file:", "data:")) else None
    )
    yield page
    context.close()
    assert not troubles


def opened(page: Page, path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    expect(page.locator("[data-part=replay]")).to_have_attribute("data-state", "ready")


@pytest.mark.parametrize("game", few(TABLES), ids=repr)
def test_a_review_opens_from_a_file_and_steps_through_the_match(game: Game, page: Page, tmp_path: Path) -> None:
    match = random_match(game, 1)
    opened(page, tmp_path / "review.html", review_file(match, list(islice(review(match, Budget(simulations=16)), 30))))
    shown = page.locator("[data-part=position-text]")
    expect(shown).to_have_text(f"{match.ply} of {match.ply}")
    for ply in (match.ply - 1, match.ply // 2, 0):
        page.evaluate(f"location.hash = '#ply-{ply}'")
        expect(shown).to_have_text(f"{ply} of {match.ply}")
        assert page.evaluate(IDS) == len(game.scene(match.view(at=ply).observation).pieces)
    page.locator("body").press("ArrowRight")
    expect(shown).to_have_text(f"1 of {match.ply}")
    page.locator("body").press("End")
    expect(shown).to_have_text(f"{match.ply} of {match.ply}")
    scores = page.locator(".standings strong").all_text_contents()
    assert scores == [str(game.score_text(score)) for score in sorted(match.view().scores, reverse=True)]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_replay_plays_by_itself_and_stops(page: Page, tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 1)
    opened(page, tmp_path / "game.html", replay_file(match, at=match.ply - 2))
    shown = page.locator("[data-part=position-text]")
    expect(shown).to_have_text(f"{match.ply - 2} of {match.ply}")
    page.get_by_label("Speed").select_option("5")
    page.get_by_label("Play the match").click()
    expect(shown).to_have_text(f"{match.ply} of {match.ply}")
    expect(page.get_by_label("Play the match")).to_be_visible()
    page.get_by_label("Speed").select_option("0.5")  # it must not be over before it is paused
    page.get_by_label("Play the match").click()
    page.get_by_label("Pause").click()
    assert int((shown.text_content() or "").split()[0]) < match.ply


def test_the_better_line_of_a_turning_point_is_played_out_from_a_file(page: Page, tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 1)
    opened(page, tmp_path / "review.html", review_file(match, list(review(match, Budget(simulations=16)))))
    page.get_by_role("button", name="Show on the board").first.click()
    expect(page.locator(".board .ghosts.hint .badge")).to_have_text(["✗", "✓"])
    banner, at = page.locator("[data-part=banner]"), page.locator("[data-part=position-text]")
    before = int((at.text_content() or "").split()[0])
    page.locator("[data-part=speed]").select_option("5")
    page.get_by_role("button", name="Play out the better line").click()
    expect(banner).to_have_text(re.compile(r"Better line, not played: move (\d+) of \1\b"))
    moves = int((at.text_content() or "").split()[-1]) - before
    expect(page.locator(".board .ghosts.mark .badge")).to_have_count(moves)
    page.get_by_role("button", name="Play out what was played").click()
    expect(at).to_have_text(f"{match.ply} of {match.ply}")
    expect(page.locator(".board .ghosts .badge")).to_have_count(0)


def test_a_click_on_a_chart_shows_that_move_on_the_board(page: Page, tmp_path: Path) -> None:
    match = random_match(load_game("cable-car", 3), 1)
    opened(page, tmp_path / "review.html", review_file(match, []))
    page.locator('.chart [data-ply="60"] rect').first.click()
    expect(page.locator("[data-part=position-text]")).to_have_text(f"60 of {match.ply}")
    expect(page.locator('.chart [data-ply="60"]').first).to_have_class("here")


@pytest.mark.parametrize("scheme", chosen(("light", "dark"), "dark"))
def test_axe_finds_nothing_in_a_review(browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    match = random_match(load_game("passerelles", rounds=1), 1)
    page = browser.new_context(bypass_csp=True, color_scheme=scheme, reduced_motion="reduce").new_page()
    opened(page, tmp_path / "review.html", review_file(match, list(islice(review(match, Budget(simulations=16)), 4))))
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    # Of the long table a few rows are like all others.
    page.evaluate("for (const row of document.querySelectorAll('[id^=ply-]:nth-child(n+4)')) row.remove()")
    assert violations(page) == []
    page.context.close()


def test_the_controls_of_a_replay_are_on_the_first_screen(browser: Browser, tmp_path: Path) -> None:
    match = random_match(load_game("chicago-express", 6), 1)
    page = browser.new_context(offline=True, viewport={"width": 1280, "height": 800}).new_page()
    opened(page, tmp_path / "game.html", replay_file(match))
    controls = page.locator(".time").bounding_box()
    assert controls
    assert controls["y"] + controls["height"] <= 800
    page.context.close()

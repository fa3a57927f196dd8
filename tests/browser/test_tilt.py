"""The tilted view of a board: remembered, and played on in the same way as the one from above."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_places import ghost, middle, place

TILTED = ".board .all.tilted"


def tilt(player: Player) -> Locator:
    return player.page.locator("[data-part=tilt]")


def start(player: Player) -> None:
    player.start("passerelles", "me")
    player.wait()


def pick(player: Player, step: str) -> None:
    player.page.locator(f".board .tray-below g[data-step='{step}']").click()
    expect(player.page.locator(f".board .tray-below g.picked[data-step='{step}']")).to_be_visible()


def test_a_board_is_tilted_by_button_and_key_and_stays_so(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    start(ann)
    expect(tilt(ann)).to_have_attribute("aria-pressed", "false")
    tilt(ann).click()
    expect(ann.page.locator(TILTED)).to_be_visible()
    ann.page.reload()
    ann.wait()
    expect(ann.page.locator(TILTED)).to_be_visible()
    expect(tilt(ann)).to_have_attribute("aria-pressed", "true")
    ann.page.keyboard.press("t")
    expect(ann.page.locator(TILTED)).to_have_count(0)


def test_a_flat_game_offers_no_tilted_view(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "me")
    ann.wait()
    expect(ann.page.locator("[data-part=zoom-fit]")).to_be_visible()
    expect(tilt(ann)).to_be_hidden()


def test_a_piece_is_previewed_and_laid_on_a_tilted_board(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    start(ann)
    tilt(ann).click()
    pick(ann, "piece:3")
    pick(ann, "turn:v")
    ann.page.mouse.move(*middle(place(ann, "cell:D4")))
    expect(ghost(ann)).to_be_visible()
    seen, below = ghost(ann).bounding_box(), place(ann, "cell:D5").bounding_box()
    assert seen
    assert below
    across, down = below["x"] + below["width"] / 2, below["y"] + below["height"] / 2
    assert seen["x"] < across < seen["x"] + seen["width"], "the ghost covers the next square of its column"
    assert seen["y"] < down < seen["y"] + seen["height"]
    ann.page.mouse.click(*middle(place(ann, "cell:D4")))
    expect(ann.page.locator("[data-part=log] li").last).to_contain_text("from D4 to D6")
    expect(ann.page.locator(".board .pieces .sides").first).to_be_attached()


def test_a_phone_plays_on_a_tilted_board_by_taps(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    start(bob)
    tilt(bob).tap()
    expect(bob.page.locator(TILTED)).to_be_visible()
    bob.page.locator(".board .tray-below g[data-step='piece:5']").tap()
    bob.page.locator(".board .tray-below g[data-step='turn:h']").tap()
    bob.page.touchscreen.tap(*middle(place(bob, "cell:C3")))
    bob.page.locator("[data-part=question] [data-play]").tap()
    expect(bob.page.locator("[data-part=log] li").last).to_contain_text("from C3 to G3")

"""Places that can be chosen: marked without a change to the board, and a ghost that moves from one to the other."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player

PAINT = """(selector) => {
  const root = document.querySelector('.board').shadowRoot;
  const shapes = [...root.querySelectorAll(`svg:first-of-type .pieces > ${selector} > use`)].map(getComputedStyle);
  return { places: shapes.length, paints: [...new Set(shapes.map(({ fill, stroke }) => `${fill} ${stroke}`))] };
}"""
"""How many places there are, and the colours that they are painted in."""
BARE = ["rgba(0, 0, 0, 0) none"]


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place(player: Player, step: str) -> Locator:
    return player.page.locator(f".board g[data-step='{step}']")


def paint(player: Player, selector: str) -> dict[str, Any]:
    found: dict[str, Any] = player.page.evaluate(PAINT, selector)
    return found


def ghost(player: Player) -> Locator:
    return player.page.locator(".board .ghosts.preview > .main")


def last_line(player: Player) -> Locator:
    return player.page.locator("[data-part=log] li").last


def test_passerelles_looks_at_ones_own_turn_as_it_does_at_the_others(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    assert paint(ann, ".spot.choice") == {"places": 109, "paints": BARE}
    expect(ann.page.locator(".board .dots > *"), "where nearly every place is legal, dots say nothing").to_have_count(0)


def test_a_dot_marks_a_legal_cell_until_the_ghost_is_there(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "me")
    ann.wait()
    legal = paint(ann, ".spot.choice")
    assert legal["paints"] == BARE
    expect(ann.page.locator(".board .dots > *")).to_have_count(legal["places"])
    ann.page.mouse.move(*middle(ann.page.locator(".board .spot.choice").first))
    expect(ghost(ann)).to_be_visible()
    expect(ann.page.locator(".board .dots > .unseen")).to_have_count(1)


def test_a_place_where_nothing_may_lie_is_edged_in_red(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "me")
    ann.wait()
    ann.page.mouse.move(*middle(place(ann, "cell:D3")))
    edge = ann.page.locator(".board g[data-step='cell:D3'] > use")
    expect(edge).to_have_css("stroke", "rgb(179, 38, 30)")
    expect(ghost(ann)).to_have_count(0)


def test_by_touch_the_ghost_moves_from_cell_to_cell_and_a_tap_on_it_lays_the_tile(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("cable-car", "bot random")
    bob.wait()
    cells = bob.page.locator(".board .spot.choice")
    first, second = (cells.nth(number).get_attribute("data-step") or "" for number in (0, 3))
    for step in (first, second, first):
        bob.tap_once(place(bob, step))
        expect(bob.page.locator(".trail")).to_contain_text(step.removeprefix("cell:"))
        expect(place(bob, step)).to_have_class(re.compile(r"\bpicked\b"))
    expect(ghost(bob)).to_be_visible()
    bob.tap_once(ghost(bob))
    laid = bob.page.locator("[data-part=log] li", has_text=f"on {first.removeprefix('cell:')}:")
    expect(laid).to_have_count(1)


def test_another_piece_is_chosen_instead_and_a_long_ghost_is_confirmed_anywhere(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("passerelles", "me")
    bob.wait()
    for step in ("piece:5", "cell:D4", "cell:B2", "piece:4"):
        bob.tap_once(place(bob, step))
        expect(place(bob, step)).to_have_class(re.compile(r"\bpicked\b"))
    expect(place(bob, "piece:5")).not_to_have_class(re.compile(r"\bpicked\b"))
    expect(ghost(bob).locator("use")).to_have_attribute("href", "#bar-4")
    bob.tap_once(place(bob, "cell:D2"))
    expect(last_line(bob)).to_contain_text("from B2 to E2")


def test_the_direction_of_the_ghost_is_marked_in_the_tray_and_r_turns_it(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    place(ann, "piece:5").click()
    expect(ann.question).to_contain_text("R or the wheel turns it.")
    marked = ann.page.locator(".board .tray-below g.presumed")
    expect(marked).to_have_count(0)
    ann.page.mouse.move(*middle(place(ann, "cell:D4")))
    expect(marked).to_have_attribute("data-step", "turn:h")
    ann.page.keyboard.press("r")
    expect(marked).to_have_attribute("data-step", "turn:v")


def test_one_who_waits_in_passerelles_sees_their_own_pieces(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "link")
    ann.wait()
    stack = ann.page.locator(".board .tray-below .tray.blue").first
    expect(stack).to_be_visible()
    ann.move_by_pointer()
    expect(ann.play_area).to_have_attribute("data-state", "waiting")
    expect(stack).to_be_visible()
    expect(ann.page.locator(".board .tray-below .tray.yellow").first).to_be_hidden()

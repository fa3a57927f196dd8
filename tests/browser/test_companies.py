"""The Companies at a table: the companies board and the certificates."""

from __future__ import annotations

import re
from itertools import pairwise
from operator import itemgetter

from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.screens import on_a_phone

CROWDED = """() => {
  const root = document.querySelector('.board').shadowRoot;
  const unit = root.querySelector('svg').getScreenCTM().a;
  const boxesOf = (selector) => [...root.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  const ink = ({ left, right, top, bottom }) => [left + 0.6, right - 0.6, top + 3, bottom - 3];
  const body = ({ x, y, width, height }) => [[x + width / 2, -11], [x + width / 2, 11], [y + height / 2, -11],
    [y + height / 2, 11]].map(([middle, side]) => middle + side * unit);
  const touches = (one, other) => one[0] < other[1] && other[0] < one[1] && one[2] < other[3] && other[2] < one[3];
  const names = boxesOf('.cc-number, .cc-edge').filter(({ width }) => width > 0).map(ink);
  const others = [...boxesOf('.car > use').map(body), ...names];
  return { cell: 72 * unit, touching: names.filter((name) => others.some((it) => it !== name && touches(name, it))) };
}"""
"""The side of a cell in pixels, and the names of stations, rows and columns whose ink touches something."""
SHADOW = 2
"""Pixels of a certificate's shadow on a small board."""


@on_a_phone
def test_the_companies_board_says_what_each_company_brings(sit_down: OpenBrowser, phone: bool) -> None:
    ann = sit_down(phone=phone)
    ann.start("cable-car", companies=True)
    board = ann.page.get_by_role("table", name="Companies")
    if phone:
        ann.press(ann.page.get_by_role("button", name="Overview"))
        shown = ann.page.locator(".board svg").first.bounding_box()
        assert shown
        assert shown["height"] > 250, "the board has the room that the table leaves"
    heads = board.get_by_role("columnheader").all_inner_texts()
    assert heads == ["Company", "Points", "Worth", "Majority", "Yours", "Gain"]
    expect(board.get_by_role("rowheader")).to_have_count(8)
    expect(board.locator(".bar")).to_have_count(8)
    expect(ann.page.locator(".card.mine .score"), "before the first point there is no score").to_have_text(
        re.compile("\N{EN DASH}$")
    )
    overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert ann.page.evaluate(overflow) <= 0


@on_a_phone
def test_a_swap_shows_certificates_and_says_what_is_left_to_decide(sit_down: OpenBrowser, phone: bool) -> None:
    ann = sit_down(phone=phone)
    ann.start("cable-car", companies=True)
    ann.wait()
    tray = ann.page.locator(".board .tray-below")
    expect(tray.locator("g.heading")).to_have_text(["Yours", "Face up", "Pile"])
    seen, certificates = tray.bounding_box(), tray.locator("g[data-step='swap:40'], g[data-step='hidden:10']")
    assert seen
    for box in [certificate.bounding_box() for certificate in certificates.all()]:
        assert box
        assert box["x"] >= seen["x"], "in view without scrolling"
        assert box["x"] + box["width"] <= seen["x"] + seen["width"] + 1
        assert min(box["width"], box["height"]) >= 30
    worth = tray.locator("g.worth")
    expect(worth).to_have_count(8)
    for box in [text.bounding_box() for text in worth.all()]:
        assert box
        assert box["x"] + box["width"] <= seen["x"] + seen["width"]
    board = ann.page.locator(".board svg").first
    expect(board, "the whole board is in view").not_to_have_class(re.compile("zoomed"))
    banner = ann.page.locator("[data-part=banner]")
    ann.press(tray.locator("g[data-step='swap:40']"))
    left = re.compile(r"^Swap your 40% share: for the open one, \w+,? or for the top hidden one$")
    expect(banner).to_have_text(left)
    ann.press(tray.locator("g[data-step='swap:40']"))
    expect(banner).to_have_text(re.compile("^Your turn: lay a tile"))


def test_a_swap_takes_two_taps_on_a_small_phone_and_the_board_keeps_its_size(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.start("cable-car", "bot random", companies=True)
    board, tray = bob.page.locator(".board svg").first, bob.page.locator(".board .tray-below")
    for first, second in (("swap:40", "open:40"), ("open:20", "swap:20")):
        bob.wait()
        version, before = bob.version, board.bounding_box()
        bob.tap_once(tray.locator(f"g[data-step='{first}']"))
        expect(tray.locator(f"g.picked[data-step='{first}']")).to_be_visible()
        assert board.bounding_box() == before
        bob.tap_once(tray.locator(f"g[data-step='{second}']"))
        expect(bob.play_area).not_to_have_attribute("data-version", version)
    assert not bob.troubles


def test_points_gained_take_no_row_of_a_small_phone_from_the_board(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.start("cable-car", *["bot 1"] * 2, companies=True)
    bob.wait()
    board = bob.page.locator(".board svg").first
    before = board.bounding_box()
    gained = "who => who.insertAdjacentHTML('beforeend', ' <span class=gained>+24</span>')"
    bob.page.locator(".card.mine .who").evaluate(gained)
    assert board.bounding_box() == before


def test_a_phone_shows_what_companies_are_worth_with_the_board(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.start("cable-car", "bot random", companies=True)
    bob.wait()
    brief = bob.page.get_by_role("button", name=re.compile("^Worth: "))
    expect(brief.locator("> span")).to_have_count(8)
    held = bob.page.locator(".card.mine .facts .chip").all_text_contents()
    assert sorted(brief.locator("> .own .chip").all_text_contents()) == sorted(set(held))
    hint = bob.page.get_by_role("button", name="Hint").bounding_box()
    tabs = bob.page.locator("[data-part=tabs]").bounding_box()
    assert hint
    assert tabs
    assert hint["y"] + hint["height"] <= tabs["y"] <= 667 - tabs["height"]
    shown = bob.page.evaluate(CROWDED)
    assert shown["cell"] >= 26.9, "cells are as large as without the row"
    assert shown["touching"] == []
    bob.press(brief)
    expect(bob.page.get_by_role("table", name="Companies")).to_be_visible()


def test_on_a_phone_held_sideways_certificates_are_beside_the_board(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 812, "height": 375})
    bob.start("cable-car", "bot random", companies=True)
    bob.wait()
    tray, board = bob.page.locator(".board .tray-below"), bob.page.locator(".board .view")
    seen, shown = tray.bounding_box(), board.bounding_box()
    assert seen
    assert shown
    assert shown["x"] + shown["width"] <= seen["x"] + 1
    assert min(shown["width"], shown["height"]) >= 295
    certificates = tray.locator("g.certificate[data-step] > use")
    expect(certificates).to_have_count(12)
    for box in [certificate.bounding_box() for certificate in certificates.all()]:
        assert box
        assert min(box["width"], box["height"]) >= 40
        assert seen["x"] <= box["x"]
        assert box["x"] + box["width"] <= seen["x"] + seen["width"]
        assert box["y"] + box["height"] <= seen["y"] + seen["height"]


def test_on_a_desk_the_board_has_the_whole_height_and_at_200_percent_no_certificate_covers_another(
    sit_down: OpenBrowser,
) -> None:
    ann = sit_down()
    ann.start("cable-car", companies=True)
    ann.wait()
    shown = ann.page.locator(".board svg").first.bounding_box()
    assert shown
    assert min(shown["width"], shown["height"]) >= 700
    ann.page.set_viewport_size({"width": 640, "height": 400})
    for column in range(4):
        certificates = ann.page.locator(f".board .tray-below g.certificate.column-{column}[data-step] > use").all()
        boxes = sorted((box for each in certificates if (box := each.bounding_box())), key=itemgetter("y"))
        assert len(boxes) == 3
        for upper, lower in pairwise(boxes):
            assert upper["y"] + upper["height"] <= lower["y"] + SHADOW


def test_cars_of_companies_of_which_one_holds_shares_are_marked(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", companies=True)
    ann.wait()
    held = ann.page.locator(".card.mine .facts .chip").all_inner_texts()
    expect(ann.page.locator(".board g.own-car")).to_have_count(4 * len(set(held)))

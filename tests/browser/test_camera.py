"""A board that grows: its cards stay legible, the view follows the game, and hands and a small map move it."""

from __future__ import annotations

import re
from itertools import count

import pytest
from librt.random import Random
from playwright.sync_api import Locator, expect

from ludotheque import load_game
from ludotheque.table import Match, Record, write_json
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_gestures import IN_VIEW, Finger, middle
from tests.table.matches import random_match

BESIDE_THE_LAST_CARD = """() => {
  const root = document.querySelector('.board').shadowRoot;
  const [map, last] = ['.map', '.pieces > .last'].map((one) => root.querySelector(one).getBoundingClientRect());
  return map.right < last.left || last.right < map.left || map.bottom < last.top || last.bottom < map.top;
}"""


LATE = 200
"""Plies after which many cards are on the table."""


def late_table(player: Player, plies: int = LATE) -> None:
    """Open a game with many cards on the table, at the turn of the first seat or after the end."""
    matches = (random_match(load_game("pays-noir", 3), seed, plies) for seed in count(1))
    player.open_record(write_json(Record.full(next(match for match in matches if match.to_move <= 0))))


def view_box(player: Player) -> list[float]:
    box = player.page.locator(".board svg").first.get_attribute("viewBox") or ""
    return [float(number) for number in box.split()]


def card(player: Player) -> Locator:
    return player.page.locator(".board g.mapped").first


def last_card(player: Player) -> Locator:
    return player.page.locator(".board g.last", has_text="the last card")


def small_map(player: Player) -> Locator:
    return player.page.locator(".board svg.map")


@pytest.mark.parametrize(("phone", "least"), [(False, 88), (True, 64)])
def test_cards_stay_legible_and_the_last_one_is_in_view(sit_down: OpenBrowser, phone: bool, least: int) -> None:
    ann = sit_down(phone=phone)
    late_table(ann)
    assert ann.page.locator(".board g.mapped").count() > 30
    box = card(ann).bounding_box()
    assert box
    assert box["width"] >= least
    ann.page.wait_for_function(IN_VIEW, arg=last_card(ann).element_handle())
    expect(small_map(ann)).to_be_visible()
    ann.page.wait_for_function(BESIDE_THE_LAST_CARD)


@pytest.mark.parametrize("phone", [False, True])
def test_at_the_end_all_of_the_landscape_is_in_view(sit_down: OpenBrowser, phone: bool) -> None:
    ann = sit_down(phone=phone)
    late_table(ann, plies=10**9)
    expect(ann.play_area).to_have_class(re.compile("ended"))
    expect(small_map(ann)).to_be_hidden()
    assert view_box(ann)[:2] == [0, 0]
    boxes = [card.bounding_box() for card in ann.page.locator(".board g.mapped").all()]
    right = max(box["x"] + box["width"] for box in boxes if box)
    board = ann.page.locator(".board").bounding_box()
    assert board
    assert right <= board["x"] + board["width"]


def test_earlier_moves_are_followed_too(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    late_table(ann)
    for _ in range(12):
        ann.page.locator("[data-part=time-back]").click()
    expect(ann.play_area).to_have_class(re.compile("past"))
    ann.page.wait_for_function(IN_VIEW, arg=last_card(ann).element_handle())


def test_the_board_is_dragged_zoomed_by_the_wheel_and_moved_by_its_map(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    late_table(ann)
    before = view_box(ann)
    x, y = middle(ann.page.locator(".board svg").first)
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x + 40, y + 30, steps=3)
    ann.page.mouse.up()
    panned = view_box(ann)
    assert panned[:2] != before[:2]
    assert panned[2:] == before[2:]
    ann.page.mouse.wheel(0, -200)
    assert view_box(ann)[2] < panned[2]
    box = small_map(ann).bounding_box()
    assert box
    for corner in (0.05, 0.95):
        ann.page.mouse.click(box["x"] + corner * box["width"], box["y"] + corner * box["height"])
        last, before = before, view_box(ann)
        assert before[:2] != last[:2]
    ann.page.locator("[data-part=zoom-fit]").click()
    expect(small_map(ann), "all is in view").to_be_hidden()


def test_on_a_phone_the_map_is_a_button_that_opens_it_for_one_look(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    late_table(bob)

    def tap_map(part: float) -> float:
        """Tap it, and return its width then."""
        box = small_map(bob).bounding_box()
        assert box
        bob.page.touchscreen.tap(box["x"] + part * box["width"], box["y"] + part * box["height"])
        return (small_map(bob).bounding_box() or box)["width"]

    expect(small_map(bob)).to_be_visible()
    before = view_box(bob)
    assert tap_map(0.5) > 200
    assert view_box(bob) == before, "it only opens"
    assert tap_map(0.05) < 50
    assert view_box(bob)[:2] != before[:2]
    tap_map(0.5)
    bob.page.locator("[data-part=cards]").tap()
    assert tap_map(0.5) > 200, "a tap elsewhere has put it away"


def card_that_earns() -> tuple[Match, str, str]:
    """A game at the turn of its first seat, and the steps by which a card gives points before a member is placed."""
    for seed in count(1):
        match = random_match(load_game("pays-noir", 2), seed, LATE // 2)
        if match.to_move != 0:
            continue
        state = match.resampled(0, Random(1))
        for first in state.legal_actions():
            chosen = state.child(first)
            for second in chosen.legal_actions():
                laid = chosen.child(second)
                gains = state.game.expected_gains(chosen, second, laid, 0)
                if any(gains) and laid.current_player() == 0:
                    return match, state.game.steps(state, first)[0].key, state.game.steps(chosen, second)[0].key
    raise AssertionError


def test_what_a_card_earns_is_said_while_the_member_is_asked_for(sit_down: OpenBrowser) -> None:
    """A tap lays the card without a preview."""
    bob = sit_down(phone=True)
    match, *steps = card_that_earns()
    bob.open_record(write_json(Record.full(match)))
    bob.wait()
    for step in steps:
        bob.page.locator(f'.board g.choice[data-step="{step}"]').first.dispatch_event("click")
        expect(bob.page.locator(".trail")).to_be_visible()
    expect(bob.page.locator(".board .lens")).to_be_visible()
    expect(bob.page.locator("[data-part=preview] .gain-of").first).to_be_visible()


def test_a_finger_pans_the_board(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    late_table(bob)
    before = view_box(bob)
    x, y = middle(bob.page.locator(".board svg").first)
    finger = Finger(bob)
    finger.put("touchStart", x, y)
    finger.slide((x, y), (x - 40, y))
    finger.lift()
    assert view_box(bob)[0] > before[0]


def test_the_board_stands_still_from_the_card_to_the_member(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("pays-noir")
    ann.wait()
    before = card(ann).bounding_box()
    ann.page.locator(".board .tray-below g.choice").first.click()
    expect(ann.page.locator(".trail")).to_be_visible()
    ann.page.locator(".board g.spot.choice").first.click()
    expect(ann.page.locator(".trail")).to_contain_text("Lay it")
    assert card(ann).bounding_box() == before

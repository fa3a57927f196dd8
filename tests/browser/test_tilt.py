"""The tilted view of a board: remembered, and played on in the same way as the one from above."""

from __future__ import annotations

from librt.random import Random
from playwright.sync_api import Locator, expect

from ludotheque import load_game
from ludotheque.core.game import State
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_event_cards import move
from tests.browser.test_places import ghost, middle, place

TILTED = ".board .all.tilted"
LATE = 23
"""Plies after which few squares are left to lay a piece from."""
DOTS_IN_THEIR_PLACES = """() => {
  const root = document.querySelector('.board').shadowRoot;
  return !root.querySelector('.tilting') && [...root.querySelectorAll('.dots > *')].every((dot) => {
    const place = root.querySelector(`.pieces > [data-step="${dot.dataset.at}"]`);
    const [small, large] = [dot, place].map((element) => element.getBoundingClientRect());
    return small.left >= large.left && small.right <= large.right
      && small.top >= large.top && small.bottom <= large.bottom;
  });
}"""
BESIDE = """() => {
  const root = document.querySelector('.board').shadowRoot;
  if (root.querySelector('.tilting')) return false;
  const [turn, place] = ['.turn-here', '.view .picked[data-step^="cell:"]'].map((selector) =>
    root.querySelector(selector).getBoundingClientRect());
  return Math.abs(turn.left - place.right) < 4 || Math.abs(turn.right - place.left) < 4;
}"""


def tilt(player: Player) -> Locator:
    return player.page.locator("[data-part=tilt]")


def start(player: Player) -> None:
    player.start("passerelles", "me")
    player.wait()


def play_to(player: Player, plies: int) -> None:
    """Play a random game, the same each time, up to a ply."""
    state: State = load_game("passerelles").new_initial_state()
    rng = Random(3)
    for _ in range(plies):
        action = int(state.sample(rng))
        move(player, state.action_to_string(action))
        state = state.child(action)
    expect(player.page.locator("[data-part=time]")).to_have_attribute("max", str(plies))


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


def test_dots_stay_in_their_places(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, reduced_motion="no-preference")
    start(bob)
    play_to(bob, LATE)
    expect(bob.page.locator(".board .dots > *")).not_to_have_count(0)
    bob.page.wait_for_function(DOTS_IN_THEIR_PLACES)
    tilt(bob).tap()
    expect(bob.page.locator(TILTED)).to_be_visible()
    bob.page.wait_for_function(DOTS_IN_THEIR_PLACES)


def test_the_button_that_turns_a_piece_stays_beside_it(sit_down: OpenBrowser) -> None:
    ann = sit_down(reduced_motion="no-preference")
    start(ann)
    for step in ("piece:5", "cell:D4"):
        place(ann, step).dispatch_event("click")  # no mouse, which would lay the piece at once
    expect(ann.page.locator(".board .turn-here")).to_be_visible()
    ann.page.wait_for_function(BESIDE)
    tilt(ann).click()
    expect(ann.page.locator(TILTED)).to_be_visible()
    ann.page.wait_for_function(BESIDE)
    ann.page.set_viewport_size({"width": 1100, "height": 640})
    ann.page.wait_for_function(BESIDE)


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

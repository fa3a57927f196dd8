"""For each game a whole one, from the lobby to the result."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ludotheque.core.registry import game_class, game_names
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player

GAMES = game_names()


def bots(game: str) -> list[str]:
    """The fewest others, all of them the quickest bots."""
    return ["bot random"] * (game_class(game).min_players - 1)


@pytest.mark.parametrize("game", GAMES)
def test_by_mouse_on_a_desktop(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.start(game, *bots(game))
    ann.hurry_bots()
    ann.play_to_the_end(ann.move_by_pointer)
    expect(ann.page.locator("[data-part=result] figure.chart")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_by_touch_on_a_phone(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down(phone=True)
    ann.start(game, *bots(game))
    ann.hurry_bots()
    ann.play_to_the_end(ann.move_by_pointer)
    width = ann.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 375, "nothing sticks out at the side"


@pytest.mark.parametrize("game", GAMES)
def test_by_keyboard_alone(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.page.goto("/")
    ann.tab_to(f"[data-play={game}]")
    ann.page.keyboard.press("Enter")
    ann.tab_to("[data-part=setup-start]")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url("**/t/*")
    ann.tab_to("[data-part=pace] input")
    ann.page.keyboard.press("Home")
    ann.play_to_the_end(ann.move_by_keyboard)


@pytest.mark.parametrize("game", GAMES)
def test_friends_in_browsers_of_their_own_by_link(sit_down: OpenBrowser, game: str) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start(game, "link", *bots(game)[1:])
    bob.page.goto(ann.link_for(1))
    bob.page.wait_for_function("() => document.querySelector('[data-part=room]').dataset.version")
    assert "#" not in bob.page.url, "the secret of the link is wiped from the address"
    for _ in range(2000):
        if "over" in (ann.state, bob.state):
            break
        for player in (ann, bob):
            if player.state == "asking":
                player.move_by_pointer()
        ann.page.wait_for_timeout(10)
    for player in (ann, bob):
        expect(player.page.locator("[data-part=result] h2")).to_be_visible()
    assert ann.page.inner_text("[data-part=result] h2") == bob.page.inner_text("[data-part=result] h2")


@pytest.mark.parametrize("game", GAMES)
def test_several_people_at_one_screen(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.start(game, "me", *bots(game)[1:])
    if len(bots(game)) > 1:
        ann.hurry_bots()

    def move() -> None:
        take_the_screen(ann)
        ann.move_by_pointer()

    for _ in range(2000):
        ann.page.wait_for_function(
            "() => document.querySelector('[data-part=hand-over]').open || "
            "['asking', 'over'].includes(document.querySelector('[data-part=room]').dataset.state)"
        )
        if ann.state == "over":
            break
        move()
    expect(ann.page.locator("[data-part=result] h2")).to_be_visible()


def take_the_screen(player: Player) -> None:
    curtain = player.page.locator("[data-part=hand-over]")
    if curtain.is_visible():
        player.page.locator("[data-part=hand-over-go]").click()
        expect(curtain).to_be_hidden()
        player.wait()

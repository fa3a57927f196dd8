"""For each game whole ones, from the lobby to the result: against bots, with friends elsewhere, at one screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ludotheque.core.registry import game_class
from tests.browser.conftest import OpenBrowser
from tests.browser.player import play_to_the_end
from tests.ours import OURS

GAMES = OURS


def others(game: str, *people: str) -> list[str]:
    """The fewest others: these people, and else the quickest bots."""
    return [*people, *["bot random"] * (game_class(game).min_players - 1 - len(people))]


@pytest.mark.parametrize("game", GAMES)
def test_against_bots_by_keyboard_alone(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.page.goto("/")
    ann.tab_to(f"[data-play={game}]")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("[data-part=setup]")).to_be_visible()
    for seat in range(2, game_class(game).min_players + 1):
        ann.tab_to(f"[data-part=setup-seats] li:nth-child({seat}) select")
        for key in ("Home", "ArrowDown", "ArrowDown", "ArrowDown"):
            ann.page.keyboard.press(key)
    ann.tab_to("[data-part=setup-start]")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url("**/t/*")
    ann.tab_to("[data-part=pace] input")
    ann.page.keyboard.press("Home")
    play_to_the_end({ann: ann.move_by_keyboard})
    expect(ann.page.locator("[data-part=story] svg.chart").first).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_friends_by_link_one_with_a_mouse_and_one_on_a_phone(sit_down: OpenBrowser, game: str) -> None:
    ann, bob = sit_down(), sit_down(phone=True)
    ann.start(game, *others(game, "link"))
    bob.join(ann.link_for(1))
    assert "#" not in bob.page.url, "the secret of the link is wiped from the address"
    play_to_the_end({ann: ann.move_by_pointer, bob: bob.move_by_pointer})
    width = bob.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 375, "nothing sticks out at the side"


@pytest.mark.parametrize("game", GAMES)
def test_several_people_at_one_screen(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.start(game, *others(game, "me"))
    play_to_the_end({ann: ann.move_by_pointer})

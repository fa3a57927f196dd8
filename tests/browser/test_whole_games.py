"""Whole games, from the lobby to the result, by real clicks, taps and keys: against bots by keyboard alone, and with a
friend elsewhere on a phone. The quicker games; with `--all` each game in each way. At one screen: `test_taps.py`."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ludotheque.core.registry import game_class
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player, play_to_the_end
from tests.ours import OURS
from tests.speeds import chosen

SHORT: dict[str, dict[str, int]] = {"passerelles": {"rounds": 1}, "pays-noir": {"track": 30}}
"""How a game is over sooner."""


def others(game: str, *people: str) -> list[str]:
    """The fewest others: these people, and else the quickest bots."""
    return [*people, *["bot random"] * (game_class(game).min_players - 1 - len(people))]


def choose_by_keyboard(player: Player, option: str, value: str) -> None:
    """Open the options and choose one, with keys alone."""
    field = player.page.locator(f'[name="option {option}"]')
    if not field.is_visible():
        player.tab_to("[data-part=setup-more] > summary")
        player.page.keyboard.press("Enter")
    player.tab_to(f'[name="option {option}"]')
    player.page.keyboard.press("Home")
    while field.input_value() != value:
        player.page.keyboard.press("ArrowDown")


@pytest.mark.parametrize("game", chosen(OURS, "passerelles"))
def test_against_bots_by_keyboard_alone(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.page.goto("/")
    ann.tab_to(f"[data-play={game}]")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("[data-part=setup]")).to_be_visible()
    for seat in range(2, game_class(game).min_players + 1):
        ann.tab_to(f"[data-part=setup-seats] li:nth-child({seat}) > select")
        for key in ("Home", "ArrowDown", "ArrowDown", "ArrowDown"):
            ann.page.keyboard.press(key)
    for name, value in SHORT.get(game, {}).items():
        choose_by_keyboard(ann, name, str(value))
    ann.tab_to("[data-part=setup-start]")
    ann.page.keyboard.press("Enter")
    ann.wait_for_table()
    ann.tab_to("[data-part=pace] input")
    ann.page.keyboard.press("Home")
    play_to_the_end(ann.type)
    assert ann.see_the_end()
    expect(ann.page.locator("[data-part=summary] svg.chart").first).to_be_visible()


@pytest.mark.parametrize("game", chosen(OURS, "passerelles"))
def test_friends_by_link_one_with_a_mouse_and_one_on_a_phone(sit_down: OpenBrowser, game: str) -> None:
    ann, bob = sit_down(), sit_down(phone=True)
    ann.start_in_lobby(game, *others(game, "link"), **SHORT.get(game, {}))
    bob.join(ann.link_shown(), "Bob")
    assert "#" not in bob.page.url, "the secret of the link is wiped from the address"
    play_to_the_end(ann.point, bob.point)
    assert ann.see_the_end()
    assert bob.see_the_end()
    standings = "[data-part=result] .standings li"
    ours, theirs = (player.page.locator(standings).all_inner_texts() for player in (ann, bob))
    assert ours == theirs, "both see the same result"
    width = bob.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 375, "nothing sticks out at the side"

"""People who name themselves, find each other, and play for a rating; on a desktop and on a phone."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_tables import AXE
from tests.speeds import chosen

PROBLEMS = """async () => (await axe.run({ resultTypes: ['violations'] }))
  .violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])"""
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


def name_oneself(player: Player, name: str) -> None:
    player.page.goto("/me")
    player.page.get_by_role("textbox", name="Name").fill(name)
    player.page.get_by_role("button", name="Create my profile").click()
    expect(player.page.get_by_role("heading", level=1)).to_have_text(name)
    player.page.wait_for_load_state()  # the buttons work once their scripts are there


def ask_to_be_paired(page: Page, game: str) -> None:
    page.get_by_label(game).check()
    page.get_by_label("1 minute per move").check()
    page.get_by_label("10 minutes per player").uncheck()
    page.get_by_label("Rated").check()
    page.get_by_role("button", name="Pair me").click()


def test_a_profile_goes_to_the_phone_and_is_deleted_there(sit_down: OpenBrowser) -> None:
    desk, phone = sit_down(), sit_down(phone=True)
    name_oneself(desk, "Ann")
    desk.page.get_by_role("button", name="Use on another device").click()
    link = desk.page.get_by_role("dialog").get_by_role("textbox").input_value()
    phone.page.goto(link)
    expect(phone.page.locator("[data-part=carry-words]")).to_contain_text("Ann")
    phone.page.get_by_role("button", name="Continue here").click()
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Ann")
    assert "#" not in phone.page.url
    phone.page.wait_for_load_state()  # the buttons work once their scripts are there
    phone.page.get_by_role("button", name="Delete everything about me").click()
    phone.page.get_by_role("button", name="OK").click()
    phone.page.wait_for_url("**/")
    desk.page.goto("/me")
    expect(desk.page.get_by_role("heading", level=1)).to_have_text("Who are you?")


def test_two_strangers_are_paired_for_a_rated_game(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down(phone=True)
    name_oneself(ann, "Ann")
    ann.page.get_by_role("link", name="Pair me").click()
    ask_to_be_paired(ann.page, "Passerelles")
    expect(ann.page.get_by_role("button", name="Cancel")).to_be_focused()
    bob.page.goto("/pair")
    ask_to_be_paired(bob.page, "Passerelles")
    bob.page.wait_for_url("**/me?next=/pair")
    bob.page.get_by_role("textbox", name="Name").fill("Bob")
    bob.page.get_by_role("button", name="Create my profile").click()
    bob.page.wait_for_url(f"{bob.url}/pair")
    bob.page.get_by_label("Rated").check()
    bob.page.get_by_role("button", name="Pair me").click()
    for player in (ann, bob):
        player.page.wait_for_url("**/t/*")
        player.wait_for_table()
        expect(player.page.get_by_text("Rated", exact=True)).to_be_visible()
    assert ann.page.url == bob.page.url


def test_one_who_closes_the_page_is_not_paired(sit_down: OpenBrowser) -> None:
    ann, bob, eve = sit_down(), sit_down(), sit_down()
    for player in (ann, bob, eve):
        player.page.goto("/pair")
        player.page.get_by_label("Cable Car").check()
        player.page.get_by_role("button", name="Pair me").click()
        if player is not eve:
            player.page.get_by_role("button", name="Cancel").wait_for()
        if player is ann:
            ann.page.goto("/")
    for player in (bob, eve):
        player.page.wait_for_url("**/t/*")
    assert bob.page.url == eve.page.url


@pytest.mark.parametrize("scheme", chosen(("light", "dark"), "dark"))
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    sit_down: OpenBrowser, scheme: Literal["light", "dark"]
) -> None:
    player = sit_down(phone=True, color_scheme=scheme, bypass_csp=True)
    pages = ["/me", "/pair", "/ratings"]
    for address in pages:
        player.page.goto(address)
        player.page.add_script_tag(path=AXE)
        assert player.page.evaluate(PROBLEMS) == [], address
        assert player.page.evaluate(WIDER) <= 0, address
    name_oneself(player, "Ann")
    player.page.add_script_tag(path=AXE)
    assert player.page.evaluate(PROBLEMS) == []

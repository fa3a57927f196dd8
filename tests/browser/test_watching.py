"""Games to watch on the home page: the host's switch, the list, and a spectator's page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.screens import on_a_phone
from tests.browser.test_playing_with_others import open_table


@on_a_phone
def test_the_host_lets_everyone_watch(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob, eve = sit_down(phone=phone), sit_down(), sit_down(phone=phone)
    table = open_table(ann, bob, "passerelles")
    ann.open(f"/t/{table}")
    if phone:
        ann.press(ann.page.locator("[data-part=tabs] [data-tab=more]"))
    ann.press(ann.page.get_by_role("button", name="Manage table"))
    dialog = ann.page.get_by_role("dialog", name="Manage table")
    ann.press(dialog.get_by_label("Everyone may watch"))
    expect(ann.page.locator("[data-part=seats] .watchers")).to_contain_text("everyone may watch")
    eve.page.goto("/")
    game = eve.page.locator(f".to-watch a[href='/t/{table}']")
    expect(game).to_contain_text("Ann, Bob")
    shown = game.locator("img").evaluate("image => getComputedStyle(image).objectFit")
    assert shown == "contain", "the edge of the board can be seen"
    eve.press(game)
    eve.wait_for_table()
    expect(eve.page.locator("[data-part=banner]")).to_have_text("Ann's turn")
    expect(eve.page.locator("[data-part=end-game]")).to_be_hidden()
    expect(ann.page.locator("[data-part=seats] .watchers")).to_contain_text("Spectators: 1")


def test_a_new_game_is_shown_if_its_host_ticks_so(sit_down: OpenBrowser) -> None:
    ann, eve = sit_down(), sit_down()
    ann.page.goto("/")
    ann.press(ann.page.locator("[data-play=passerelles]").first)
    setup = ann.page.locator("[data-part=setup]")
    setup.get_by_label("Player at seat 2").select_option("me")
    setup.get_by_label("Name at seat 1").fill("Ann who shows")
    setup.get_by_label("Everyone may watch").check()
    ann.press(setup.get_by_role("button", name="Start"))
    ann.wait_for_table()
    eve.page.goto("/")
    expect(eve.page.locator(".to-watch a", has_text="Ann who shows")).to_be_visible()

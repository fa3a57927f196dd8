"""The lobby for those who are new, and for those who come back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.screens import on_a_phone

AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
"""Lets the lobby ask for its tables at once."""


@on_a_phone
def test_a_newcomer_is_taught_and_meets_the_gentlest_bot_and_later_plays_again_in_one_press(
    sit_down: OpenBrowser, phone: bool
) -> None:
    ann = sit_down(phone=phone)
    ann.page.goto("/")
    expect(ann.page.locator("[data-part=learn-first][href]")).to_be_in_viewport()
    ann.start_in_lobby("passerelles")
    expect(ann.page.locator("[data-part=cards]")).to_contain_text("Beginner")
    first = ann.page.url
    ann.page.goto("/")
    mine = ann.page.locator(".going-on a.turn")
    expect(mine).to_contain_text("your turn")
    expect(mine).to_be_in_viewport()
    ann.press(ann.page.get_by_role("button", name="Play now: Passerelles"))
    ann.page.wait_for_url("**/t/*")
    ann.wait_for_table()
    assert ann.page.url != first
    expect(ann.page.locator("[data-part=cards]")).to_contain_text("Beginner")


def test_the_links_of_all_games_are_in_one_row(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.goto("/")
    boxes = [link.bounding_box() for link in ann.page.locator(".game .facts a").all()]
    assert len(boxes) == 10, "rules and a puzzle"
    assert len({round(box["y"]) for box in boxes if box}) == 1


def test_who_has_won_is_offered_a_stronger_bot(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.goto("/")
    ann.page.evaluate("localStorage.won = 'yes'")
    ann.start_in_lobby("passerelles")
    expect(ann.page.locator("[data-part=cards]")).not_to_contain_text("Beginner")


@on_a_phone
def test_an_open_table_appears_by_itself_and_is_joined_in_one_press(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob = sit_down(), sit_down(phone=phone)
    bob.page.goto("/")
    bob.page.evaluate("localStorage.name = 'Bob'")
    ann.start("passerelles", "open")
    table = ann.table_id
    bob.page.evaluate(AGAIN)
    join = bob.page.locator(f"[data-join='{table}']")
    expect(join).to_be_visible()
    bob.press(join)
    bob.page.wait_for_url(f"**/t/{table}")
    bob.wait_for_table()
    expect(ann.page.locator("[data-part=seats] > li .name")).to_have_text(["Blue", "Bob"])


def test_open_tables_are_filtered_by_game(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    for game in ("passerelles", "cable-car", "passerelles", "cable-car"):
        ann.start(game, "open")
    bob.page.goto("/")
    rows = bob.page.locator("[data-open-table]")
    bob.page.locator(".filters select[name=game]").select_option("cable-car")
    expect(rows.filter(has_text="Passerelles", visible=True)).to_have_count(0)
    expect(rows.filter(has_text="Cable Car", visible=True).first).to_be_visible()
    bob.page.evaluate(AGAIN)
    ann.start("passerelles", "open")
    bob.page.evaluate(AGAIN)
    expect(bob.page.locator(".filters select[name=game]")).to_have_value("cable-car")
    expect(rows.filter(has_text="Passerelles", visible=True)).to_have_count(0)


def test_from_one_table_to_the_next_that_waits_by_button_and_by_key(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    addresses = []
    for _ in range(3):
        ann.start("passerelles", "link")
        addresses.append(ann.page.url)
    go_on = ann.page.get_by_role("button", name="Next table (2)")
    expect(go_on).to_be_visible()
    expect(ann.page).to_have_title(re.compile(r"^\(2\) ● Your turn"))
    go_on.click()
    ann.page.wait_for_url(lambda url: url in addresses[:2])
    ann.wait_for_table()
    second = ann.page.url
    expect(go_on).to_be_visible()
    ann.page.keyboard.press("n")
    ann.page.wait_for_url(lambda url: url in addresses and url != second)


def test_a_host_who_invites_without_a_name_is_asked_for_one(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.goto("/")
    ann.press(ann.page.locator("[data-play=passerelles]").first)
    setup = ann.page.locator("[data-part=setup]")
    why = setup.locator("#why-name")
    expect(why).to_be_hidden()  # a bot does not read it
    setup.get_by_label("Player at seat 2").select_option("open")
    expect(why).to_be_visible()
    setup.get_by_label("Name at seat 1").fill("Ann")
    setup.get_by_label("Name at seat 1").blur()
    expect(why).to_be_hidden()

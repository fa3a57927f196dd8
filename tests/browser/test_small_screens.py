"""A phone: tabs below the board instead of a long page, targets for fingers, and text that can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_tables import AXE
from tests.ours import OURS
from tests.speeds import chosen

PHONE = {"width": 375, "height": 812}
SMALL_TARGETS = """(least) => [...document.querySelectorAll('button, summary, select, input, .top a')]
  .filter((target) => target.checkVisibility({ visibilityProperty: true }))
  .filter((target) => !target.closest('.unseen, .skip'))
  .map((target) => [target, (target.closest('label:has(input[type=checkbox])') ?? target).getBoundingClientRect()])
  .filter(([, { width, height }]) => width < least - 0.5 || height < least - 0.5)
  .map(([target, { width, height }]) =>
    `${target.dataset.part ?? target.textContent} ${Math.round(width)}x${Math.round(height)}`)"""
SMALL_TEXT = """(least) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || !element.checkVisibility() || element.closest('script, .unseen, svg')) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < least) small.push(`${text.data.trim()} ${size}`);
  }
  return small;
}"""
TARGET_SIZE = """() => axe.run({ runOnly: { type: 'rule', values: ['target-size'] }, resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120))))"""
TABS = ("table", "overview", "log", "chat", "more")


def tab(player: Player, name: str) -> Locator:
    return player.page.locator(f"[data-part=tabs] [data-tab={name}]")


def sit_at_a_phone(sit_down: OpenBrowser, game: str) -> Player:
    bob = sit_down(phone=True, viewport=PHONE, bypass_csp=True)
    bob.start(game)
    bob.wait()
    return bob


def test_each_tab_shows_one_part_and_the_page_does_not_scroll(sit_down: OpenBrowser) -> None:
    bob = sit_at_a_phone(sit_down, "pays-noir")
    parts = {"table": "question", "overview": "tables", "log": "log", "chat": "say", "more": "seats"}
    for name in TABS:
        bob.press(tab(bob, name))
        expect(tab(bob, name)).to_have_attribute("aria-current", "true")
        expect(bob.page.locator("[data-part=tabs] [aria-current]")).to_have_count(1)
        for other, what in parts.items():
            expect(bob.page.locator(f"[data-part={what}]")).to_be_visible(visible=other == name)
        expect(bob.page.locator("[data-part=board]")).to_be_in_viewport(ratio=1)
        assert bob.page.evaluate("() => document.documentElement.scrollHeight") == PHONE["height"]


def test_a_game_without_tables_has_no_tab_for_them(sit_down: OpenBrowser) -> None:
    bob = sit_at_a_phone(sit_down, "cable-car")
    expect(tab(bob, "overview")).to_be_hidden()


def test_the_tab_of_the_chat_counts_unread_messages(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down(phone=True, viewport=PHONE)
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    unread = bob.page.locator("[data-part=unread-tab]")
    expect(unread).to_be_hidden()
    ann.page.locator(".side summary", has_text="Chat").click()
    for count in ("1", "2"):
        ann.page.get_by_placeholder("Your message").fill("Hello")
        ann.page.get_by_role("button", name="Send").click()
        expect(unread).to_have_text(count)
    expect(unread).to_be_in_viewport(ratio=1)
    bob.press(tab(bob, "chat"))
    expect(unread).to_be_hidden()
    expect(bob.page.locator("[data-part=chat] li")).to_have_count(2)
    bob.press(tab(bob, "log"))
    ann.page.get_by_placeholder("Your message").fill("Are you there?")
    ann.page.get_by_role("button", name="Send").click()
    expect(unread).to_have_text("1")


def test_a_pick_on_the_board_shows_the_button_that_plays_it(sit_down: OpenBrowser) -> None:
    bob = sit_at_a_phone(sit_down, "cable-car")
    bob.press(tab(bob, "log"))
    expect(bob.question).to_be_hidden()
    bob.press(bob.page.locator(".board .pieces > .choice").first)
    expect(bob.question.locator("[data-play]")).to_be_in_viewport(ratio=1)
    expect(tab(bob, "table")).to_have_attribute("aria-current", "true")


def test_a_long_sentence_covers_the_whole_banner_and_not_half_of_it(sit_down: OpenBrowser) -> None:
    bob = sit_at_a_phone(sit_down, "cable-car")
    reason = "This sentence is longer than a phone has room for. " * 4
    bob.page.route("**/why-not?*", lambda route: route.fulfill(json={"reason": reason}))
    bob.tap_once(bob.page.locator(".board g.spot[data-step='cell:C3']"))
    expect(bob.page.locator("[data-part=preview]")).to_contain_text("room for")
    said, preview = (bob.page.locator(name).bounding_box() for name in (".said", "div.preview"))
    assert said
    assert preview
    assert preview["y"] <= said["y"] + 1


def test_the_log_of_a_phone_begins_with_its_end(sit_down: OpenBrowser) -> None:
    bob = sit_at_a_phone(sit_down, "pays-noir")
    bob.press(tab(bob, "log"))
    expect(bob.page.locator("[data-part=log] li").last).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("game", chosen(OURS, "chicago-express"))
def test_fingers_hit_every_target_and_every_text_can_be_read(sit_down: OpenBrowser, game: str) -> None:
    bob = sit_at_a_phone(sit_down, game)
    bob.page.evaluate(AXE.read_text(encoding="utf-8"))
    for name in TABS:
        if tab(bob, name).is_hidden():
            continue
        bob.press(tab(bob, name))
        assert bob.page.evaluate(SMALL_TARGETS, 40) == [], name
        assert bob.page.evaluate(SMALL_TEXT, 12) == [], name
        assert bob.page.evaluate(TARGET_SIZE) == [], name

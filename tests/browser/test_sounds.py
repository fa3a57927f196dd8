"""Sounds of the table: after the first press, by the matter of pieces, with a switch."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser

SOUND = re.compile(r"/static/sounds/wood\.wav")


def test_a_wooden_piece_is_heard_as_wood(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    expect(ann.page.locator("[data-part=sound]")).to_have_attribute("aria-pressed", "true")
    with ann.page.expect_request(SOUND):
        ann.move_by_pointer()


def test_sounds_stay_off_once_they_are_switched_off(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    ann.press(ann.page.locator("[data-part=sound]"))
    ann.page.reload()
    ann.wait_for_table()
    expect(ann.page.locator("[data-part=sound]")).to_have_attribute("aria-pressed", "false")

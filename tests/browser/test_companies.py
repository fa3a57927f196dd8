"""The Companies at a table: the companies board and the certificates."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser


@pytest.mark.parametrize("phone", [False, True])
def test_the_companies_board_says_what_each_company_brings(sit_down: OpenBrowser, phone: bool) -> None:
    ann = sit_down(phone=phone)
    ann.start("cable-car", companies=True)
    board = ann.page.get_by_role("table", name="Companies")
    if not board.is_visible():  # on a phone it has a tab
        ann.press(ann.page.get_by_role("button", name="Overview"))
    heads = board.get_by_role("columnheader").all_inner_texts()
    assert heads == ["Company", "Points", "Worth", "Majority", "Yours", "Gain"]
    expect(board.get_by_role("rowheader")).to_have_count(8)
    expect(board.locator(".bar")).to_have_count(8)
    expect(ann.page.locator(".card.mine .score"), "before the first point there is no score").to_have_text(
        re.compile("\N{EN DASH}$")
    )
    overflow = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert ann.page.evaluate(overflow) <= 0

"""Chicago Express at the table: prices where one can build, and few clicks for a turn."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from ludotheque import Match
from ludotheque.core.registry import load_game
from ludotheque.games.chicago_express.observation import AuctionView, ChicagoExpressObservation
from ludotheque.table import Record, write_json
from tests.browser.conftest import DESKTOP, PHONE as LOW_PHONE, OpenBrowser
from tests.browser.player import Player
from tests.browser.screens import on_a_phone
from tests.speeds import few

BUYERS = {"PRR": 0, "B&O": 1, "C&O": 2, "NYC": 0}
"""Seats that buy the first shares."""
CUT_ANSWERS = """question => [...question.querySelectorAll('button.choice')]
  .filter((answer) => answer.scrollHeight > answer.clientHeight).map((answer) => answer.textContent)"""
SIZES = "sheet => [sheet.scrollHeight, sheet.clientHeight, sheet.parentElement.clientHeight]"


def auction_of(match: Match) -> AuctionView | None:
    seen = match.view().observation
    assert isinstance(seen, ChicagoExpressObservation)
    return seen.auction


def opened() -> Match:
    """A game of three after the opening auctions."""
    match = Match.start(load_game("chicago-express", 3), ("Ann", "Ben", "Chris"))
    while (auction := auction_of(match)) is not None:
        bids = BUYERS[auction.company] == match.to_move and auction.bidder != match.to_move
        match.play(match.to_move, f"bid {auction.lowest}" if bids else "pass")
    return match


def sit_at(player: Player, match: Match) -> None:
    """Play on for the seat to move, against bots."""
    player.open_record(write_json(Record.full(match)))
    table = player.table_id
    body = {"ply": match.ply, "seat": match.to_move, "level": "1"}
    answer = player.page.request.post(f"{player.url}/api/tables/{table}/branch", data=body)
    player.open(str(answer.json()["url"]))
    player.wait()


def choice(player: Player, step: str) -> Locator:
    return player.question.locator(f"[data-step='{step}']")


def point_at(player: Player, step: str) -> None:
    """Click or tap a place of the board."""
    box = player.page.locator(f".board g.spot[data-step='{step}']").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    player.page.touchscreen.tap(x, y) if player.phone else player.page.mouse.click(x, y)


def tags(player: Player) -> set[str]:
    return set(player.page.locator(".board .tag text").all_text_contents())


def turn_is_over(player: Player, ply: int) -> None:
    player.page.wait_for_function("ply => Number(document.querySelector('[data-part=time]').max) > ply", arg=ply)


@pytest.mark.parametrize(("locale", "prices"), few([("fr-BE", {"1 $", "2 $"}), ("en-GB", {"$1", "$2"})]))
def test_prices_are_shown_while_building_as_the_language_writes_them(
    sit_down: OpenBrowser, locale: str, prices: set[str]
) -> None:
    ann = sit_down(locale=locale)
    sit_at(ann, opened())
    assert tags(ann) == set()
    ann.press(choice(ann, "action:expand"))
    assert {tag.replace("\u00a0", " ") for tag in tags(ann)} == prices
    text = ann.page.locator(".board .tag text").first
    assert text.evaluate("text => text.getBoundingClientRect().height") >= 15


@pytest.mark.parametrize("phone", [False, True])
def test_an_expansion_by_one_hex_takes_few_clicks(sit_down: OpenBrowser, phone: bool) -> None:
    """Two with a mouse; by touch the map comes into view with the action, and the last tap confirms."""
    ann = sit_down(phone=phone)
    match = opened()
    sit_at(ann, match)
    if phone:
        ann.press(choice(ann, "action:expand"))
    point_at(ann, "hex:R3")
    ann.press(choice(ann, "done"))
    if phone:
        ann.press(ann.question.locator("[data-play]"))
    turn_is_over(ann, match.ply)
    expect(ann.page.locator("[data-part=log]")).to_contain_text(
        "NYC builds to the forest south-east of Binghamton for $2."
    )


def test_prices_are_those_of_the_company_that_is_chosen(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    sit_at(ann, opened())
    ann.press(choice(ann, "action:expand"))
    ann.press(choice(ann, "company:PRR"))
    assert tags(ann) == {"$1"}
    ann.press(ann.question.locator("[data-back]"))
    assert tags(ann) == {"$1", "$2"}


def test_a_hex_out_of_reach_says_so(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    sit_at(ann, opened())
    ann.press(choice(ann, "action:expand"))
    point_at(ann, "hex:A2")
    reason = "None of your companies can build in Chicago now."
    expect(ann.page.locator("[data-part=preview]")).to_have_text(reason)


def test_an_auction_shows_its_sheet_and_steps_aside_for_the_board(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    sit_at(ann, Match.start(load_game("chicago-express", 3), ("Ann", "Ben", "Chris")))
    sheet = ann.page.get_by_role("region", name="Auction: a share of PRR")
    expect(sheet).to_contain_text("Would pay")
    expect(sheet.locator("tbody tr")).to_have_count(3)
    expect(ann.page.locator(".board-frame")).to_have_class("board-frame behind")
    rolled, height, room = sheet.evaluate(SIZES)
    assert rolled <= height, "it is seen whole"
    assert height < 0.3 * room, "beside the map on a desk"
    ann.press(sheet.get_by_role("button", name="Show the board"))
    expect(sheet.locator("table")).to_be_hidden()
    expect(ann.page.locator(".board-frame")).to_have_class("board-frame")


@pytest.mark.parametrize("height", [667, 812])
def test_on_a_phone_the_sheet_of_an_auction_is_a_strip_below_the_track_for_sale(
    sit_down: OpenBrowser, height: int
) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": height}, locale="fr-FR")
    sit_at(bob, Match.start(load_game("chicago-express", 3), ("Ann", "Ben", "Chris")))
    sheet, track = bob.page.locator(".sheet"), bob.page.locator(".board .subject")
    expect(sheet).to_contain_text("Rapporterait")
    expect(sheet.locator("tbody tr > :last-child")).to_have_text(["en lice"] * 3)
    rolled, seen, room = sheet.evaluate(SIZES)
    assert rolled <= seen <= room / 2, "all of the strip is in view, and takes no more than half"
    board, strip, sold = (part.bounding_box() for part in (bob.page.locator(".board"), sheet, track))
    assert board
    assert strip
    assert sold
    assert board["y"] <= sold["y"]
    assert sold["y"] + sold["height"] <= board["y"] + board["height"] <= strip["y"] + 1
    bob.press(sheet.locator("header button"))
    expect(sheet.locator("thead")).to_be_visible()
    assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth"), "its longest words fit"


def test_a_bid_is_raised_by_chips(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    sit_at(ann, Match.start(load_game("chicago-express", 3), ("Ann", "Ben", "Chris")))
    field = ann.question.locator("input[type=number]")
    expect(field).to_have_value("7")
    for by in (5, 2, 1):
        ann.press(ann.question.get_by_role("button", name=f"+{by}", exact=True))
    expect(field).to_have_value("15")


@on_a_phone
def test_the_dividend_and_the_ends_are_always_in_view(sit_down: OpenBrowser, phone: bool) -> None:
    ann = sit_down(phone=phone)
    sit_at(ann, opened())
    gauges = ann.page.locator(".gauges li")
    expect(gauges).to_have_count(7)
    height = ann.page.evaluate("innerHeight")
    for gauge in gauges.all():
        box = gauge.bounding_box()
        assert box
        assert box["y"] + box["height"] <= height
    outer = ann.page.locator(".gauges").bounding_box()
    last = gauges.last.bounding_box()
    assert outer
    assert last
    assert last["x"] + last["width"] <= outer["x"] + outer["width"] + 1


def test_the_action_that_brings_the_dividend_says_so_on_its_button(sit_down: OpenBrowser) -> None:
    match = opened()
    for action in ("auction", "auction", "auction", "develop", "develop", "develop"):
        match.play(match.to_move, action)
        match.play(match.to_move, "decline")
    ann = sit_down()
    sit_at(ann, match)
    expect(choice(ann, "action:develop").locator(".warning")).to_have_text("brings the dividend")
    expect(choice(ann, "action:expand").locator(".warning")).to_have_count(0)
    for size in (DESKTOP, LOW_PHONE):
        ann.page.set_viewport_size(size)
        assert ann.question.evaluate(CUT_ANSWERS) == []


def test_a_lesson_shows_the_sheet_of_its_auction_and_the_gauges(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.goto("/learn/chicago-express/first-game")
    sheet = ann.page.get_by_role("region", name=re.compile("^Auction: a share of"))
    expect(sheet).to_be_visible()
    expect(ann.page.locator("[data-part=tables] .gauges li").first).to_be_visible()


def test_the_board_of_a_phone_keeps_its_height_through_an_auction(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True), sit_down()
    ann.start("chicago-express", "link")
    bob.join(ann.link_for(1), "Bob")
    ann.wait()
    undo, banner = ann.page.get_by_role("button", name="Ask to undo"), ann.page.locator("[data-part=banner]")
    expect(undo).to_be_hidden()
    heights = [board_height(ann)]
    ann.press(ann.question.get_by_role("button", name="Bid $"))
    ann.press(ann.question.locator("[data-play]"))
    expect(banner).to_contain_text("Bob")
    expect(undo).to_be_visible()
    heights.append(board_height(ann))
    bob.wait()
    bob.press(bob.question.get_by_role("button", name="Bid $"))
    expect(banner).to_contain_text("Your turn")
    heights.append(board_height(ann))
    assert heights == heights[:1] * 3
    tabs = ann.page.locator("[data-part=tabs]")
    ann.show_tab("log")
    box, height = tabs.bounding_box(), ann.page.evaluate("innerHeight")
    assert box
    assert box["y"] + box["height"] <= height, "someone who reads beside a bid finds the way back"


def board_height(player: Player) -> float:
    return float(player.page.locator("[data-part=board]").evaluate("board => board.getBoundingClientRect().height"))

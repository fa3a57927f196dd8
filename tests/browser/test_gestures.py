"""Pieces are turned by the wheel or a button, dragged onto the board, and laid by a second tap."""

from __future__ import annotations

import re
import time

import pytest
from librt.random import Random
from playwright.sync_api import Locator, expect

from ludotheque import Match
from ludotheque.bots.names import bot_named
from ludotheque.core.registry import load_game
from ludotheque.core.turn import CLOCK
from ludotheque.table import Dice, Record, write_json
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.screens import on_a_phone


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place(player: Player, step: str) -> Locator:
    return player.page.locator(f".board g[data-step='{step}']")


def pick(player: Player, step: str) -> None:
    player.press(place(player, step))
    expect(place(player, step)).to_have_class(re.compile(r"\bpicked\b"))


def last_line(player: Player) -> Locator:
    return player.page.locator("[data-part=log] li").last


def test_the_wheel_turns_a_piece_and_a_click_lays_it_and_a_piece_can_be_dragged(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    pick(ann, "piece:3")
    ann.page.mouse.move(*middle(place(ann, "cell:D4")))
    ghost = ann.page.locator(".board .ghosts g:has(> use[href='#bar-3'])")
    expect(ghost).to_have_attribute("style", re.compile("rotate\\(0deg\\)"))
    ann.page.mouse.wheel(0, 100)
    expect(ghost).to_have_attribute("style", re.compile("rotate\\(90deg\\)"))
    ann.page.mouse.click(*middle(place(ann, "cell:D4")))
    expect(last_line(ann)).to_contain_text("from D4 to D6")
    expect(place(ann, "cell:D4").locator("use, path")).to_have_css("stroke-dasharray", "none")
    badge = ann.page.locator(".board .ghosts.mark .badge")
    expect(badge, "the other's move has a number").to_have_count(1)
    last_line(ann).hover()
    expect(badge, "the log marks its move alone, without a number").to_have_count(0)
    expect(ann.page.locator(".board .marked")).to_have_count(1)
    ann.page.mouse.move(*middle(place(ann, "piece:5")))
    ann.page.mouse.down(button="right")
    ann.page.mouse.move(*middle(place(ann, "cell:F5")), steps=3)
    expect(ann.page.locator(".board .carried"), "only the main button drags").to_have_count(0)
    ann.page.mouse.up(button="right")
    ann.page.mouse.move(*middle(place(ann, "piece:5")))
    ann.page.mouse.down()
    ann.page.evaluate("document.dispatchEvent(new PointerEvent('pointermove', { pointerId: 99 }))")
    expect(ann.page.locator(".board .carried"), "another pointer drags nothing").to_have_count(0)
    ann.page.mouse.move(*middle(place(ann, "cell:F5")), steps=3)
    expect(ann.page.locator(".board .carried")).to_have_count(1)
    ann.page.mouse.move(*middle(place(ann, "cell:F2")), steps=3)
    ann.page.mouse.up()
    expect(last_line(ann)).to_contain_text("from F2 to J2")
    ann.page.mouse.click(*middle(place(ann, "cell:A1")))
    expect(ann.page.locator(".trail"), "a click after a drag still counts").to_contain_text("A1")


def test_after_the_board_was_panned_a_click_in_the_tray_still_counts(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    ann.page.locator("[data-part=zoom-in]").click()
    x, y = middle(ann.page.locator(".board svg").first)
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x + 60, y + 30, steps=3)
    ann.page.mouse.up()
    pick(ann, "piece:3")


def test_by_touch_a_button_beside_the_piece_turns_it_and_a_second_tap_lays_it(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("passerelles", "me")
    bob.wait()
    pick(bob, "piece:5")
    bob.page.touchscreen.tap(*middle(place(bob, "cell:D4")))
    expect(bob.question).to_contain_text("Play: across")
    bob.page.touchscreen.tap(*middle(bob.page.locator(".board .turn-here")))
    expect(bob.question).to_contain_text("Play: down")
    bob.page.touchscreen.tap(*middle(place(bob, "cell:D4")))
    expect(last_line(bob)).to_contain_text("from D4 to D8")


def test_by_keyboard_a_piece_can_be_turned_again_and_again(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    for step in ("piece:5", "cell:D4"):
        place(ann, step).dispatch_event("click")  # no mouse, which would lay the piece at once
    turn = ann.question.get_by_role("button", name="Turn")
    turn.focus()
    for way in ("down", "across", "down"):
        ann.page.keyboard.press("Enter")
        expect(ann.question).to_contain_text(f"Play: {way}")
        expect(turn).to_be_focused()
    ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("r")
    expect(ann.question.get_by_role("button", name="Play: across"), "R leaves the focus where it is").to_be_focused()


def test_a_piece_picked_after_its_square_is_shown_before_it_is_laid(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    pick(ann, "cell:D4")
    pick(ann, "piece:5")
    expect(ann.question, "the mouse is not where the piece lies").to_contain_text("Play: across")
    place(ann, "cell:D4").click()
    expect(last_line(ann)).to_contain_text("from D4 to H4")


def test_a_turn_of_pays_noir_is_composed_and_the_board_stays_where_it_is(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("pays-noir")
    ann.wait()
    version, picture = ann.version, ann.page.locator(".board use[href^='#card-']").first.get_attribute("href")
    start = ann.page.locator(f".board g:has(> use[href='{picture}'])")
    before = middle(start)
    cards = ann.page.locator(".board .tray-below g.choice")
    cards.first.click()
    trail = ann.page.locator(".trail")
    expect(trail).to_be_visible()
    chosen = trail.inner_text()
    ann.page.locator(".board .tray-below g.change").last.click()
    expect(trail).not_to_have_text(chosen)
    ann.page.locator(".board g.spot.choice").first.click()
    expect(trail).to_contain_text("Lay it")
    assert middle(start) == before, "the board has not moved"
    assert ann.version == version, "nothing is played yet"
    compose_until_a_member_can_be_placed(ann)
    ann.page.mouse.move(*middle(place_of_a_member(ann)))
    ann.page.mouse.down()
    ann.page.mouse.move(*middle(ann.page.locator(".board g.spot.choice").first), steps=4)
    expect(ann.page.locator(".board .carried")).to_have_count(1)
    ann.page.mouse.up()
    expect(ann.page.locator("[data-part=log] li").filter(has_text="places a member")).not_to_have_count(0)


def test_by_touch_a_member_is_dragged_from_the_tray_onto_the_card(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("pays-noir", "link")
    bob.wait()
    compose_until_a_member_can_be_placed(bob)
    spot = bob.page.locator(".board g.pieces g.spot.choice").first
    finger = Finger(bob)
    x, y = middle(place_of_a_member(bob))
    finger.put("touchStart", x, y)
    finger.slide((x, y), (x, y - 90))  # sideways it would scroll the tray
    finger.slide((x, y - 90), middle(spot))
    expect(bob.page.locator(".board .carried")).to_have_count(1)
    finger.lift()
    expect(bob.page.locator(".board .carried")).to_have_count(0)
    expect(bob.page.locator("[data-part=log] li").filter(has_text="places a member")).not_to_have_count(0)
    tray = bob.page.locator(".board .tray-below").element_handle()
    bob.page.wait_for_function("tray => tray.scrollLeft === 0", arg=tray)  # the hand is in view again


def test_by_touch_a_turn_of_pays_noir_takes_a_tap_for_each_decision(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("pays-noir", "link")
    bob.wait()
    version = bob.version
    for chosen in (".tray-below g.choice", "g.pieces g.place.choice"):
        choice = bob.page.locator(f".board {chosen}").first
        expect(choice).to_be_visible()
        bob.page.touchscreen.tap(*middle(choice))
        expect(bob.page.locator(".trail")).to_be_visible()
    spot = bob.page.locator(".board g.pieces g.spot.choice[data-step^='spot:']").first
    expect(spot, "a card that fits in several ways is laid in one of them").to_be_visible()
    bob.page.touchscreen.tap(*middle(spot))
    expect(bob.play_area, "the third tap plays the turn").not_to_have_attribute("data-version", version)


def finished_match() -> Match:
    """A game of Pays noir that is over, since only its positions can be played on; the same each time."""
    game = load_game("pays-noir", 2)
    match = Match.start(game, ("Ann", "Ben"), Dice((4).to_bytes(32, "big")))
    bot, rng = bot_named("random", game, 1), Random(1)
    while not match.is_over:
        match.play(match.to_move, bot.choose(match.turn(match.to_move, rng, CLOCK)))
    return match


@on_a_phone
def test_a_card_that_fits_in_several_ways_is_laid_in_one_and_turned_where_it_lies(
    sit_down: OpenBrowser, phone: bool
) -> None:
    ann = sit_down(phone=phone)
    match = finished_match()
    ann.open_record(write_json(Record.full(match)))
    body = {"ply": next(ply for ply, who in enumerate(match.movers) if who == 0), "seat": 0, "level": "1"}
    answer = ann.page.request.post(f"{ann.url}/api/tables/{ann.table_id}/branch", data=body)
    ann.open(str(answer.json()["url"]))
    ann.wait()
    for step in ("card:three_bourgeois_sewers", "place:0,1"):
        ann.press(place(ann, step))
    trail = ann.page.locator(".trail")
    for way in ("Not turned", "Turned by 90°", "Turned by 180°"):
        expect(trail).to_contain_text(way)
        expect(place(ann, "spot:none"), "the next question is asked already").to_be_visible()
        ann.press(ann.page.locator(".board .turn-here"))
    expect(trail, "each way once more").to_contain_text("Not turned")
    ann.page.keyboard.press("r")
    expect(trail).to_contain_text("Turned by 90°")
    ann.press(ann.page.get_by_role("button", name=re.compile("^Turn")))
    expect(trail).to_contain_text("Turned by 180°")
    ann.press(ann.page.get_by_role("button", name="Back"))
    expect(place(ann, "turn:90"), "all ways are shown on demand").to_be_visible()


def test_a_finger_that_scrolls_the_tray_picks_nothing(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("pays-noir")
    bob.wait()
    drafts: list[str] = []
    bob.page.on("request", lambda request: drafts.append(request.url) if "/draft" in request.url else None)
    tray = bob.page.locator(".board .tray-below")
    tray.evaluate("tray => { tray.scrollLeft = 0 }")
    x, y = middle(tray.locator("g.choice").nth(1))
    finger = Finger(bob)
    finger.put("touchStart", x, y)
    finger.slide((x, y), (x - 90, y + 10))
    finger.lift()
    bob.page.wait_for_function("tray => tray.scrollLeft > 0", arg=tray.element_handle())
    assert drafts == [], "no card was picked"


ALL_IN_VIEW = """tray => [...tray.querySelectorAll('g.choice')].every((piece) => {
  const [box, seen] = [piece, tray].map((element) => element.getBoundingClientRect());
  return box.left >= seen.left && box.right <= seen.right;
})"""
CUT_AFTER_FIRST = """tray => {
  const first = tray.querySelector('g[data-step="turn:h"]').getBoundingClientRect();
  tray.scrollLeft += first.right + 4 - tray.getBoundingClientRect().right;
}"""


def test_the_tray_shows_all_that_can_be_chosen_in_it_where_it_has_the_room(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("passerelles", "me")
    bob.wait()
    pick(bob, "piece:5")
    tray = bob.page.locator(".board .tray-below")
    tray.evaluate(CUT_AFTER_FIRST)
    bob.press(place(bob, "cell:D4"))
    expect(tray.locator("g.choice")).to_have_count(2)
    bob.page.wait_for_function(ALL_IN_VIEW, arg=tray.element_handle())


class Finger:
    """A finger that moves over the screen; Chromium turns what it does into events, and may scroll instead.

    It moves steadily by its own clock, and rests before it is lifted: after a flick, Chromium takes the next tap only
    to stop what it has set in motion.
    """

    def __init__(self, player: Player) -> None:
        self.session = player.page.context.new_cdp_session(player.page)
        self._time = time.time() - 10

    def put(self, kind: str, x: float, y: float) -> None:
        self._send(kind, [{"x": x, "y": y}])

    def slide(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
        for step in range(1, steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
            self.put("touchMove", x, y)

    def lift(self) -> None:
        self._time += 0.5
        self._send("touchEnd", [])

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._time += 0.05
        event = {"type": kind, "touchPoints": points, "timestamp": self._time}
        self.session.send("Input.dispatchTouchEvent", event)


def place_of_a_member(player: Player) -> Locator:
    return player.page.locator(".board .tray-below .carry > use")


def compose_until_a_member_can_be_placed(player: Player) -> None:
    """Choose what is lit on the board or in the tray, of the last card first."""
    tray, board = (player.page.locator(f".board {where} g.choice") for where in (".tray-below", "g.pieces"))
    while not place_of_a_member(player).count():
        asked = player.question.inner_text()
        (tray if tray.count() else board).last.click()
        expect(player.question).not_to_have_text(asked, use_inner_text=True)


def test_a_bid_is_beside_pass_and_one_press_bids_what_is_offered(sit_down: OpenBrowser) -> None:
    """By mouse, by keyboard and by names alone."""
    ann = sit_down()
    ann.start("chicago-express", "me")
    ann.wait()
    choices = ann.page.get_by_role("region", name="Your choices")
    bid = choices.get_by_role("group", name="Bid, from $7")
    expect(choices.get_by_role("button", name="Pass", exact=True)).to_be_visible()
    bid.get_by_role("button", name="Bid $7").click()
    expect(last_line(ann)).to_contain_text("bids $7")
    amount = choices.get_by_role("spinbutton", name="A number from 8 to 60")
    choices.get_by_role("button", name="+1").click()
    expect(choices.get_by_role("button", name="Bid $9")).to_be_visible()
    amount.press("ArrowUp")
    amount.press("Enter")
    expect(last_line(ann)).to_contain_text("bids $10")
    amount = choices.get_by_role("spinbutton", name="A number from 11 to 60")
    amount.fill("3")
    amount.press("Enter")
    expect(choices.get_by_role("button", name="?", exact=True), "nothing is bid").to_be_visible()
    choices.get_by_role("button", name="Min 11").click()
    choices.get_by_role("button", name="Pass", exact=True).focus()
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Enter")
    expect(last_line(ann)).to_contain_text("bids $11")


def pass_by_touch(player: Player) -> None:
    version = player.version
    player.press(player.question.get_by_role("button", name="Pass", exact=True))
    player.press(player.question.locator("[data-play]"))
    expect(player.play_area).not_to_have_attribute("data-version", version)


def test_a_question_like_the_one_before_is_not_answered_already(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("chicago-express", "me")
    bob.wait()
    pass_by_touch(bob)
    expect(bob.page.locator("[data-part=banner]")).to_contain_text("Pink")
    expect(bob.question.get_by_role("button", name="Pass", exact=True)).to_be_visible()
    expect(bob.question.locator("[data-play]")).to_have_count(0)


def test_by_touch_a_company_is_chosen_by_its_locomotives_and_the_board_keeps_its_size(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("chicago-express", "me")
    bob.wait()
    board = bob.page.locator(".board svg").first
    height, scale = "board => board.getBoundingClientRect().height", "board => board.getScreenCTM().a"
    for _ in range(8):  # both seats pass in the four auctions of the opening
        pass_by_touch(bob)
    before, size = board.evaluate(scale), board.evaluate(height)
    bob.press(bob.question.get_by_role("button", name="Auction:"))
    expect(bob.page.locator(".board g.choice[data-step^='company:']")).to_have_count(4)
    assert board.evaluate(scale) == pytest.approx(before)
    assert board.evaluate(height) == size
    for name, colour in {"PRR": "red", "B&O": "blue", "C&O": "yellow", "NYC": "green"}.items():
        answer = bob.question.get_by_role("button", name=f"{name}: from")
        expect(answer, "what can be answered by a word is a button").to_have_count(1)
        expect(answer.locator(f".chip.colour-{colour}")).to_be_visible()
    bob.page.touchscreen.tap(*middle(place(bob, "company:NYC")))
    expect(bob.question).to_contain_text("NYC")


IN_VIEW = """(place) => {
  if (!place.ownerSVGElement) return false;
  const [box, board] = [place, place.ownerSVGElement].map((element) => element.getBoundingClientRect());
  return box.left >= board.left && box.right <= board.right && box.top >= board.top && box.bottom <= board.bottom;
}"""
OUT_OF_VIEW = f"(place) => !({IN_VIEW})(place)"


def test_a_phone_shows_the_company_for_sale_once_and_stays_where_it_was_panned(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("chicago-express", "me")
    bob.wait()
    banner, sale = bob.page.locator("[data-part=banner]"), bob.page.locator(".board g.subject")
    expect(banner).to_contain_text("a share of PRR (would pay $7)")
    bob.page.wait_for_function(IN_VIEW, arg=sale.element_handle())
    pass_by_touch(bob)
    pass_by_touch(bob)
    expect(banner).to_contain_text("a share of B&O")
    bob.page.wait_for_function(IN_VIEW, arg=sale.element_handle())
    x, y = middle(bob.page.locator(".board svg").first)
    finger = Finger(bob)
    finger.put("touchStart", x - 150, y)
    finger.slide((x - 150, y), (x + 150, y))
    finger.lift()
    bob.page.wait_for_function(OUT_OF_VIEW, arg=sale.element_handle())
    pass_by_touch(bob)
    expect(banner).to_contain_text("Pink")
    assert not sale.evaluate(IN_VIEW)


def choose_where_it_may_lie_two_ways(player: Player) -> None:
    """Lay tiles until one may be turned: some look alike from all sides, others are allowed in one way only."""
    turn, play = player.question.locator("[data-turn]"), player.question.locator("[data-play]")
    while True:
        player.wait()
        before = player.version
        spots = player.page.locator(".board g.spot.choice")
        expect(spots).not_to_have_count(0)
        spots.last.click()
        expect(play).to_be_visible()
        if turn.is_visible():
            return
        play.click()
        expect(player.play_area).not_to_have_attribute("data-version", before)


def test_a_tile_is_turned_by_its_button_and_lies_as_it_was_shown(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.page.add_init_script("localStorage.setItem('ask-first', 'on')")
    ann.start("cable-car", "bot random", rotation=True)
    choose_where_it_may_lie_two_ways(ann)
    turn = ann.question.locator("[data-turn]")
    play = ann.question.locator("[data-play]")
    shown = play.inner_text()
    turn.click()
    expect(play).not_to_have_text(shown)
    degrees = re.search(r"turned by (\d+)°", play.inner_text())
    assert degrees
    tile = ann.page.locator(".board .ghosts g:has(> use[href^='#tile-'])").first
    expect(tile).to_have_attribute("style", re.compile(rf"rotate\({degrees[1]}deg\)"))
    before = len(ann.log)
    play.click()
    expect(ann.page.locator("[data-part=log] li")).not_to_have_count(before)
    quarters = int(degrees[1]) // 90
    plies = ann.page.request.get(f"{ann.url}/api/tables/{ann.table_id}/record").json()["plies"]
    laid = [ply["move"] for ply in plies if ply["who"] == 0 and ply["move"] != "draw"][-1]
    assert (f"+{quarters} " in laid) if quarters else ("+" not in laid)

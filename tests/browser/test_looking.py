"""What the pointer shows: what a thing is, what belongs to it, and what a move would do."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_event_cards import LOOK_AWAY, move
from tests.browser.test_tilt import play_to

GAINS = """() => {
  window.gains = [];
  const note = (node) => [node.textContent, getComputedStyle(node).backgroundColor];
  const added = ({ addedNodes }) => [...addedNodes].filter((node) => node.matches('.gain')).map(note);
  const observer = new MutationObserver((changes) => window.gains.push(...changes.flatMap(added)));
  observer.observe(document.body, { childList: true });
}"""

FLIGHTS = """() => {
  globalThis.flights = 0;
  const isFlight = (node) => node instanceof Element && node.matches('.flying');
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) globalThis.flights += [...addedNodes].filter(isFlight).length;
  }).observe(document.querySelector('.board').shadowRoot, { childList: true, subtree: true });
}"""

BADGE_FOR_EACH_MOVE = """() => {
  const badges = document.querySelector('.board').shadowRoot.querySelectorAll('.hint .badge');
  return badges.length > 0 && badges.length === document.querySelectorAll('[data-part=hinted] li').length;
}"""
WALL_FOR_EACH_AREA = """() => {
  const overlay = document.querySelector('.board').shadowRoot.querySelector('.ghosts.overlay');
  const areas = overlay?.querySelectorAll(':scope > g.area.would').length;
  return areas > 0 && overlay.querySelectorAll('use').length === areas;
}"""


def looked_at(page: Page) -> Locator:
    return page.locator("[data-part=looked-at]")


def ghosts(page: Page) -> int:
    return page.locator(".board .ghosts > g").count()


def hover_middle(player: Player, selector: str) -> None:
    """Point at the middle of the first of these pieces, whatever lies over it."""
    box = player.page.locator(f".board {selector}").first.bounding_box()
    assert box
    player.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_car_of_cable_car_lights_its_line_with_its_length_so_far(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "bot random")
    ann.hurry_bots()
    for _ in range(3):
        ann.wait()
        ann.move_by_pointer()
    ann.wait()
    station = ann.page.locator(".board g.line").first.get_attribute("data-lights")
    hover_middle(ann, f"g.car[data-lights='line:{(station or '').removeprefix('car:')}']")
    expect(ann.page.locator(".board g.line.lit")).to_have_count(1)
    expect(ann.page.locator(".board g.car.lit")).to_have_count(1)
    expect(looked_at(ann.page)).to_contain_text(re.compile("so far|finished"))
    ann.page.mouse.move(2, 2)
    expect(ann.page.locator(".board .lit")).to_have_count(0)
    expect(looked_at(ann.page)).to_be_hidden()


def test_the_tile_in_hand_shows_on_a_legal_cell(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car")
    ann.wait()
    ann.page.locator(".board g.choice[data-step='tile:" + _hand(ann) + "']").click()
    hover_middle(ann, "g.spot.choice")
    expect(ann.page.locator(".board .ghosts use[href^='#tile-']")).not_to_have_count(0)


def _hand(player: Player) -> str:
    step = player.page.locator(".board g[data-step^='tile:']").first.get_attribute("data-step")
    return (step or "").removeprefix("tile:")


def test_a_hex_of_chicago_express_tells_its_cost_and_income_at_any_time(
    sit_down: OpenBrowser,
) -> None:
    ann = sit_down()
    ann.start("chicago-express")
    ann.wait()
    hover_middle(ann, "g[data-step='hex:Q3']")
    expect(looked_at(ann.page)).to_contain_text("$2")
    expect(looked_at(ann.page)).to_contain_text("income +1")


def test_a_tap_tells_the_same_on_a_phone(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    bob.start("chicago-express")
    bob.wait()
    bob.page.locator(".board g[data-step='hex:O4']").tap()
    label = bob.page.locator("[data-part=looked-at-above]")
    expect(label, "above the board, with the reason why it cannot be chosen").to_contain_text("income +1")
    expect(label).to_be_visible()
    expect(bob.page.locator("[data-part=preview]")).to_have_text("Not now: bid or pass.")
    expect(looked_at(bob.page)).to_be_hidden()


def test_the_ghost_of_a_piece_follows_the_pointer_and_turns_with_a_key(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    ann.page.locator(".board g.choice[data-step='piece:5']").click()
    hover_middle(ann, "g[data-step='cell:D4']")
    bar = ann.page.locator(".board .ghosts g:not(.tray):has(> use[href='#bar-5'])")
    expect(bar).to_have_count(1)
    across = bar.get_attribute("style") or ""
    ann.page.keyboard.press("r")
    expect(bar).not_to_have_attribute("style", across)
    down = bar.get_attribute("style") or ""
    assert {turn for turn in ("rotate(0deg)", "rotate(90deg)") if turn in across + down} == {
        "rotate(0deg)",
        "rotate(90deg)",
    }
    hover_middle(ann, "g[data-step='cell:E5']")
    expect(bar).not_to_have_attribute("style", down)
    ann.page.mouse.click(*_middle(ann, "g[data-step='cell:E5']"))
    kept = ann.question.get_by_text("down").or_(ann.page.locator("[data-part=play-area][data-version='2']"))
    expect(kept.first, "the way it was turned is kept").to_be_visible()


def _middle(player: Player, selector: str) -> tuple[float, float]:
    box = player.page.locator(f".board {selector}").first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_hint_names_a_move_and_shows_it_until_something_is_played(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles")
    ann.wait()
    ann.page.get_by_role("button", name="Hint").click()
    hint = ann.page.locator("[data-part=hinted]")
    expect(hint.get_by_role("listitem").first).to_contain_text("wins")
    assert "± " not in hint.inner_text(), "a sign and its number stay on one line"
    ann.page.wait_for_function(BADGE_FOR_EACH_MOVE)  # a better hint may name more of them
    ann.move_by_pointer()
    expect(hint).to_be_hidden()


def test_what_lights_up_in_pays_noir_does_not_hide_the_card_below(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("pays-noir")
    ann.wait()
    hover_middle(ann, "g.group.line")
    lit = ann.page.locator(".board g.group.lit")
    expect(lit).not_to_have_count(0)
    filters = lit.evaluate_all("groups => groups.map((group) => getComputedStyle(group).filter)")
    assert set(filters) == {"none"}, "a glow below what is half transparent"


def test_a_preview_goes_away_when_an_earlier_position_is_shown(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car")
    ann.wait()
    ann.page.locator(".board g.choice[data-step='tile:" + _hand(ann) + "']").click()
    hover_middle(ann, "g.spot.choice")
    preview = ann.page.locator("[data-part=preview]")
    expect(preview).to_contain_text("Preview")
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.play_area).to_have_attribute("data-state", "past")
    expect(preview).to_be_hidden()


def test_walls_that_would_close_an_area_are_drawn_as_long_as_their_button_is_pressed(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    play_to(ann, 16)
    areas = ann.page.get_by_role("button", name="Possible areas")
    drawn = ann.page.locator(".board .ghosts.overlay > g.area.would")
    areas.click()
    expect(areas).to_have_attribute("aria-pressed", "true")
    expect(drawn).not_to_have_count(0)
    expect(ann.page.locator("[data-part=spoken]")).to_contain_text("with one piece")
    ann.page.wait_for_function(WALL_FOR_EACH_AREA)
    with ann.page.expect_response(re.compile("/overlay.*at=15")):
        ann.page.keyboard.press("ArrowLeft")
    expect(ann.play_area).to_have_attribute("data-state", "past")
    expect(drawn).not_to_have_count(0)
    ann.page.keyboard.press("a")
    expect(drawn).to_have_count(0)


def test_nothing_flies_for_one_who_looks_elsewhere(sit_down: OpenBrowser) -> None:
    ann = sit_down(reduced_motion="no-preference")
    ann.start("passerelles", "me")
    ann.wait()
    ann.page.evaluate(FLIGHTS)
    for is_away, text in ((True, "5h A1"), (False, "5h A3")):
        ann.page.evaluate(LOOK_AWAY, is_away)
        move(ann, text)
        expect(ann.page.locator("[data-part=log] li").last).to_contain_text(text[-2:])
        ann.page.wait_for_function("wanted => globalThis.flights === wanted", arg=0 if is_away else 1)


def test_a_piece_that_has_not_landed_yet_can_be_clicked(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "me")
    ann.wait()
    place = ann.page.locator(".board g.spot.choice").first
    step = place.get_attribute("data-step") or ""
    place.evaluate("place => place.classList.add('flying-there')")
    ann.page.mouse.click(*_middle(ann, f"g[data-step='{step}']"))
    expect(ann.page.locator("[data-part=log]")).to_contain_text(f"on {step.removeprefix('cell:')}")


def test_a_click_where_no_tile_may_lie_says_why(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car")
    ann.wait()
    preview = ann.page.locator("[data-part=preview]")
    ann.page.locator(".board g.spot[data-step='cell:C3']").click()
    expect(preview).to_have_text("C3 is neither at the edge nor next to a tile.")
    hover_middle(ann, "g.spot.choice")
    expect(preview).not_to_contain_text("C3")


def test_a_hint_that_comes_late_waits_until_the_present_is_shown_again(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car")
    ann.wait()
    held: list[Route] = []
    ann.page.route("**/hint", lambda route: held.append(route))
    ask, hint = ann.page.locator("[data-part=hint]"), ann.page.locator("[data-part=hinted]")
    with ann.page.expect_request("**/hint"):
        ask.click()
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.play_area).to_have_attribute("data-state", "past")
    held[0].continue_()
    expect(ask).to_be_enabled()
    expect(hint).to_be_hidden()
    ann.page.keyboard.press("End")
    expect(hint.get_by_role("listitem").first).to_contain_text("wins")


def test_a_line_of_pays_noir_lights_its_rail_network(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("pays-noir")
    ann.wait()
    line = ann.page.locator(".board g.group.line").first
    lights = line.get_attribute("data-lights") or ""
    assert lights.startswith("network:")
    line.dispatch_event("pointerover", {"bubbles": True, "pointerType": "mouse"})
    expect(ann.page.locator(".board g.group.network.lit")).to_have_count(1)
    expect(looked_at(ann.page)).to_contain_text("Railway line")


def test_a_finished_line_is_run_by_its_car(sit_down: OpenBrowser) -> None:
    ann = sit_down(reduced_motion="no-preference")
    ann.page.add_init_script("window.runs = 0")
    ann.start("cable-car", "bot random")
    ann.hurry_bots()
    ann.page.evaluate(
        "() => new MutationObserver((changes) => { for (const { addedNodes } of changes) for (const node of addedNodes)"
        " if (node.querySelector('use[href^=\"#car-\"]')) window.runs += 1; })"
        ".observe(document.querySelector('.board').shadowRoot.querySelector('.all'), { childList: true })"
    )
    for _ in range(24):
        ann.wait()
        ann.move_by_pointer()
        if any(" runs " in line for line in ann.log):
            break
    assert any(" runs " in line for line in ann.log), "some line is finished by now"
    ann.page.wait_for_function("() => window.runs >= 1")
    expect(ann.page.locator(".board .flying")).to_have_count(0)


def test_what_someone_pays_travels_in_the_colour_of_their_card(sit_down: OpenBrowser) -> None:
    ann = sit_down(reduced_motion="no-preference")
    ann.start("chicago-express", "bot random")
    ann.wait()
    ann.page.evaluate(GAINS)
    amount = ann.question.get_by_role("spinbutton")
    amount.fill("60")  # nobody has more
    amount.press("Enter")
    ann.page.wait_for_function("() => window.gains.length")
    teal = ann.page.locator(".card .chip").first.evaluate("chip => getComputedStyle(chip).backgroundColor")
    assert ann.page.evaluate("() => window.gains") == [["\N{MINUS SIGN}$60", teal]]


def test_the_label_of_a_piece_covers_nothing_of_the_board(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("chicago-express")
    ann.wait()
    board = ann.page.locator(".board")
    before = board.bounding_box()
    assert before
    hover_middle(ann, "g[data-step='hex:Q3']")
    expect(looked_at(ann.page)).to_be_visible()
    label = looked_at(ann.page).bounding_box()
    assert label
    assert label["y"] >= before["y"] + before["height"]
    assert board.bounding_box() == before, "nothing moves when the label comes"


def test_a_pointer_that_rests_since_its_click_previews_nothing(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("chicago-express", *["bot random"] * 2)
    ann.hurry_bots()
    ann.wait()
    version, passing = ann.version, ann.question.get_by_role("button", name="Pass", exact=True)
    preview = ann.page.locator("[data-part=preview]")
    box = passing.bounding_box()
    assert box
    ann.page.mouse.move(box["x"] + 9, box["y"] + 9)
    expect(preview, "a pointer that comes to the button").to_be_visible()
    ann.page.mouse.down()
    ann.page.mouse.up()
    ann.page.wait_for_function(
        "version => document.querySelector('[data-version]').dataset.version !== version", arg=version
    )
    ann.wait()
    ann.page.wait_for_load_state("networkidle")
    expect(preview).to_be_hidden()
    ann.page.mouse.move(box["x"] + 12, box["y"] + 12)
    expect(preview).to_be_visible()

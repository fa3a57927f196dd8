"""Where things are: the board fills the stage, nothing scrolls but the side, and the hand is in real size."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ludotheque import load_game
from ludotheque.core.registry import game_class
from ludotheque.table import Record, write_json
from tests.browser.conftest import OpenBrowser
from tests.ours import OURS
from tests.speeds import chosen
from tests.table.matches import random_match

PAGE_HEIGHT = "() => document.documentElement.scrollHeight"
BOARD = "() => document.querySelector('.board').shadowRoot.querySelector('svg').getBoundingClientRect().toJSON()"
SMALL_TEXT = """(least) => {
  const root = document.querySelector('.board').shadowRoot;
  return [...root.querySelectorAll('svg')].flatMap((area) => {
    const scale = area.getScreenCTM().a;
    return [...area.querySelectorAll('text:not(.ghosts text)')]
      .filter((text) => text.textContent && text.checkVisibility())
      .filter((text) => parseFloat(getComputedStyle(text).fontSize) * scale < least - 0.05)
      .map((text) => `${text.getAttribute('class')} ${text.textContent}`);
  });
}"""
OUT_OF_REACH = """() => [...document.querySelectorAll('.asking button')]
  .filter((button) => button.checkVisibility())
  .filter((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const corners = [[left + 6, top + 6], [right - 6, bottom - 6]];
    return corners.some((corner) => document.elementFromPoint(...corner)?.closest('button') !== button);
  })
  .map((button) => button.textContent)"""
"""Buttons of the question that are beyond an edge or under something else."""
LONG_NAME = "Wilhelmina-Charlotte van der Bruggenberg"
NAMES = """() => [...document.querySelectorAll('.card')].map((card) => {
  const [box, score] = [card, card.querySelector('.score')].map((element) => element.getBoundingClientRect());
  return score.right <= box.right && box.right <= innerWidth && score.width > 0;
})"""
HIDDEN_BELOW = """() => {
  const bottom = (place) => document.querySelector(place)?.getBoundingClientRect().bottom ?? 0;
  return bottom('[data-part=tables] > *') - bottom('.side');
}"""
"""How far the first table of the game is below what can be seen of its column."""
CUT_OPTIONS = """() => [...document.querySelectorAll('[data-part=setup-options] select')].flatMap((select) => {
  const pen = document.createElement('canvas').getContext('2d');
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  pen.font = font;
  const arrow = 20;
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
  return [...select.options].map((option) => option.text).filter((text) => pen.measureText(text).width > room);
})"""
CUT_IN_TRAY = """() => {
  const tray = document.querySelector('.board').shadowRoot.querySelector('.tray-below');
  const seen = tray.getBoundingClientRect();
  return [...tray.querySelectorAll('.pieces > [data-step]')].filter((piece) => {
    const { left, right, top, bottom } = piece.getBoundingClientRect();
    return left < seen.left - 1 || right > seen.right + 1 || top < seen.top - 1 || bottom > seen.bottom + 1;
  }).map((piece) => piece.dataset.step);
}"""
"""What the tray holds and one would have to scroll for."""
HAND = """() => [...document.querySelector('.board').shadowRoot.querySelectorAll('.tray-below g[data-step] > use')]
  .map((piece) => piece.getBoundingClientRect().width)"""


@pytest.mark.parametrize("game", chosen(OURS, "chicago-express"))
def test_the_page_does_not_scroll_on_a_desktop_whatever_is_unfolded(sit_down: OpenBrowser, game: str) -> None:
    ann = sit_down()
    ann.start(game)
    ann.wait()
    ann.unfold_all()
    assert ann.page.evaluate(PAGE_HEIGHT) == 800
    ann.page.locator("[data-part=say] input").fill("hello")
    ann.page.locator("[data-part=say] button").click()
    expect(ann.page.locator("[data-part=chat]")).to_contain_text("hello")
    assert ann.page.evaluate(PAGE_HEIGHT) == 800
    assert ann.page.evaluate("() => scrollY + document.querySelector('main').scrollTop") == 0


def test_the_board_of_cable_car_is_700_px_wide_on_a_desktop_and_its_tiles_in_hand_72(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car")
    ann.wait()
    board = ann.page.evaluate(BOARD)
    assert min(board["width"], board["height"]) >= 700
    assert min(ann.page.evaluate(HAND)) >= 72


@pytest.mark.parametrize("game", chosen(["cable-car", "pays-noir"], "pays-noir"))
def test_the_hand_is_in_real_size_on_a_phone_and_the_question_does_not_cover_it(
    sit_down: OpenBrowser, game: str
) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.start(game)
    bob.wait()
    assert min(bob.page.evaluate(HAND)) >= 72
    assert bob.page.evaluate(CUT_IN_TRAY) == []
    asking = bob.page.locator("[data-part=asking]").bounding_box()
    board = bob.page.locator("[data-part=board]").bounding_box()
    assert asking
    assert board
    assert asking["height"] <= 667 / 3
    assert board["y"] + board["height"] <= asking["y"] + 1, "the hand is not covered"
    assert asking["y"] + asking["height"] <= 667, "all on the first screen"


def test_nothing_moves_on_a_desktop_when_the_banner_has_another_number_of_lines(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("chicago-express")
    ann.wait()
    places = ann.page.evaluate(
        """() => ['A turn', 'A turn of two lines. '.repeat(3), 'A turn of three lines. '.repeat(4)].map((text) => {
          document.querySelector('[data-part=banner]').textContent = text;
          return document.querySelector('[data-part=cards]').getBoundingClientRect().top;
        })"""
    )
    assert len(set(places)) == 1, places


@pytest.mark.parametrize("language", chosen(("en", "fr", "nl"), "fr"))
def test_the_board_keeps_its_size_on_a_phone_through_a_turn_and_the_title_is_whole(
    sit_down: OpenBrowser, language: str
) -> None:
    bob = sit_down(phone=True, locale=language)
    bob.start("passerelles", "me")
    bob.wait()
    heights = [bob.page.evaluate(BOARD)["height"]]
    for step in ("piece:5", "cell:D4"):
        bob.press(bob.page.locator(f".board g[data-step='{step}']"))
        expect(bob.page.locator(f".board g.picked[data-step='{step}']")).to_have_count(1)
        heights.append(bob.page.evaluate(BOARD)["height"])
    bob.question.locator("[data-play]").evaluate("play => { play.textContent = 'Play: ' + '1 bend left, '.repeat(5) }")
    heights.append(bob.page.evaluate(BOARD)["height"])
    assert len(set(heights)) == 1, heights
    title = bob.page.locator("h1").evaluate("title => [title.scrollWidth, title.clientWidth]")
    assert title[0] == title[1], title


@pytest.mark.parametrize("game", chosen(OURS, "chicago-express"))
def test_after_the_game_a_phone_shows_all_of_the_board_and_the_slider_stays_there(
    sit_down: OpenBrowser, game: str
) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    options = {"track": 30} if game == "pays-noir" else {}
    bob.open_record(write_json(Record.full(random_match(load_game(game, **options), 4))))
    expect(bob.page.locator("[data-part=result] h2")).to_be_attached()
    board, back = bob.page.locator(".board svg").first, bob.page.locator("[data-part=time-back]")
    before = back.bounding_box()
    for banner in ("win", "Viewing move"):
        expect(bob.page.locator("[data-part=banner]")).to_contain_text(banner)
        expect(board, "the whole board is in view").not_to_have_class(re.compile("zoomed"))
        expect(board).to_be_in_viewport(ratio=1)
        shown = board.bounding_box()
        assert shown
        assert shown["width"] >= 350
        assert back.bounding_box() == before
        bob.press(back)
    bob.page.mouse.wheel(0, 400)
    expect(bob.page.locator("[data-part=result] h2")).to_be_in_viewport(ratio=1)
    expect(bob.page.locator("[data-part=tabs]"), "the tabs stay at the foot").to_be_in_viewport(ratio=1)


def test_an_earlier_position_does_not_name_the_winner(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "bot random", rounds=1)
    ann.hurry_bots()
    while ann.state != "over":
        ann.wait()
        if ann.state == "asking":
            ann.move_by_pointer()
    banner = ann.page.locator("[data-part=banner]")
    expect(banner).to_contain_text(ann.see_the_end())
    ann.page.locator("[data-part=time-back]").click()
    expect(banner).to_contain_text("Viewing move")
    ann.page.locator("[data-part=time-now]").click()
    expect(banner).to_contain_text(ann.see_the_end())


def test_what_is_on_the_board_is_not_repeated_as_buttons_but_listed_on_demand(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car")
    ann.wait()
    choices = ann.question.locator("button.choice")
    expect(choices.first).to_be_hidden()
    ann.question.get_by_text("All choices").click()
    expect(choices.first).to_be_visible()


def test_the_buttons_that_turn_a_piece_are_not_shrunk_with_the_pieces_beside_them(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "me")
    ann.wait()
    button = ann.page.locator(".board g[data-step='turn:h']").bounding_box()
    assert button
    assert button["width"] >= 55


@pytest.mark.parametrize("game", chosen(OURS, "chicago-express"))
def test_text_on_boards_can_be_read_and_the_cards_of_all_players_fit(sit_down: OpenBrowser, game: str) -> None:
    for phone, least in ((False, 12), (True, 12)):
        ann = sit_down(phone=phone, **({"viewport": {"width": 375, "height": 667}} if phone else {}))
        ann.start(game, *["me"] * (game_class(game).max_players - 1))
        table = ann.table_id
        ann.page.request.post(f"/api/tables/{table}/name", data={"seat": 0, "name": LONG_NAME})
        expect(ann.page.locator(".card").first).to_contain_text(LONG_NAME)
        ann.wait_or_cover()
        ann.take_the_screen()
        expect(ann.page.locator(".board .backdrop")).to_be_attached()
        assert ann.page.evaluate(SMALL_TEXT, least) == []
        assert phone or ann.page.evaluate(HIDDEN_BELOW) <= 0
        assert ann.page.evaluate(NAMES) == [True] * game_class(game).max_players
        assert ann.page.evaluate("() => document.documentElement.scrollWidth") <= (375 if phone else 1280)


def test_the_names_of_six_players_can_be_read_on_a_phone_and_stay_where_they_are(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.start("chicago-express", *(f"bot {level}" for level in (1, 2, 3, 4, 6)))
    bob.wait()
    cut = "names => names.filter((name) => name.scrollWidth > name.clientWidth).length"
    bidders = bob.page.locator(".sheet tbody th")
    expect(bidders, "the sheet names the counters of an auction").to_have_count(6)
    assert bidders.evaluate_all(cut) == 0
    bob.press(bob.page.locator(".cards-toggle"))
    assert bob.page.locator(".card .who").evaluate_all(cut) == 0
    boxes = "cards => cards.map((card) => card.getBoundingClientRect().toJSON())"
    before = bob.page.locator(".card").evaluate_all(boxes)
    bob.page.locator(".card.to-move").evaluate("card => card.classList.remove('to-move')")
    assert bob.page.locator(".card").evaluate_all(boxes) == before


@pytest.mark.parametrize(("width", "height"), [(812, 375), (640, 400)], ids=["phone sideways", "zoom of 200%"])
def test_in_an_auction_the_money_of_all_is_in_view_on_a_low_screen(
    sit_down: OpenBrowser, width: int, height: int
) -> None:
    ann = sit_down(viewport={"width": width, "height": height})
    ann.start("chicago-express", *["me"] * 5)
    ann.wait_or_cover()
    ann.take_the_screen()
    money = ann.page.locator(".card .score")
    expect(money).to_contain_text(["$20"] * 6)
    boxes = [box for score in money.all() if (box := score.bounding_box())]
    bidding = ann.question.locator(".main").bounding_box()
    assert bidding
    assert len({box["y"] for box in boxes}) == 1, "in one row"
    assert all(0 < box["y"] < bidding["y"] - box["height"] for box in boxes)
    assert all(box["x"] + box["width"] <= width for box in boxes)


@pytest.mark.parametrize("language", chosen(("en", "fr", "nl"), "nl"))
def test_no_option_of_a_game_is_cut_on_a_phone(sit_down: OpenBrowser, language: str) -> None:
    bob = sit_down(phone=True, locale=language)
    for game in OURS:
        bob.page.goto("/")
        bob.press(bob.page.locator(f"[data-play={game}]"))
        bob.press(bob.page.locator("[data-part=setup-more] > summary"))
        expect(bob.page.locator("[data-part=setup-options] select").first).to_be_visible()
        assert bob.page.evaluate(CUT_OPTIONS) == []


@pytest.mark.parametrize(
    ("width", "height", "part"), [(812, 375, 0.8), (640, 400, 0.65)], ids=["phone sideways", "zoom of 200%"]
)
def test_on_a_low_screen_the_board_is_beside_the_question(
    sit_down: OpenBrowser, width: int, height: int, part: float
) -> None:
    bob = sit_down(phone=True, viewport={"width": width, "height": height})
    bob.start("cable-car", "bot random")
    bob.wait()
    board = bob.page.locator(".board svg").first
    shown, asked = board.bounding_box(), bob.question.bounding_box()
    assert shown
    assert asked
    assert shown["height"] > part * height
    assert shown["x"] + shown["width"] <= asked["x"]
    for tile in bob.page.locator(".board .tray-below g.choice").all():
        box = tile.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 40
        assert box["x"] + box["width"] <= asked["x"]
    expect(bob.page.locator("[data-part=hint]")).to_be_in_viewport(ratio=1)
    assert bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for tab in ("log", "chat", "more"):
        bob.show_tab(tab)
        expect(board, "the board stays beside every tab").to_be_in_viewport(ratio=0.9)
        assert bob.page.evaluate(PAGE_HEIGHT) == height


SIDEWAYS = {"width": 812, "height": 375}
TITLES = [*((game, {}) for game in OURS), ("cable-car", {"companies": True})]


@pytest.mark.parametrize(("game", "options"), chosen(TITLES, ("chicago-express", {})))
def test_undo_and_hint_are_in_view_on_a_phone_held_sideways(
    sit_down: OpenBrowser, game: str, options: dict[str, bool]
) -> None:
    bob = sit_down(phone=True, viewport=SIDEWAYS)
    bob.start(game, **options)
    for _ in range(6 if game == "chicago-express" else 1):  # after the auctions at its beginning
        bob.wait()
        bob.move_by_pointer()
    bob.wait()
    for tool in ("undo", "hint"):
        expect(bob.page.locator(f"[data-part={tool}]")).to_be_visible()
    assert bob.page.evaluate(OUT_OF_REACH) == []
    assert bob.page.evaluate(SMALL_TEXT, 12) == []
    bob.page.set_viewport_size({"width": 640, "height": 400})  # a desk at 200 %
    assert bob.page.evaluate(CUT_ANSWERS) == []


CUT_TIME = """() => [...document.querySelectorAll('.time button')].filter((button) => button.checkVisibility())
  .filter((button) => button.getBoundingClientRect().right > innerWidth).map((button) => button.ariaLabel)"""


@pytest.mark.parametrize("game", chosen(OURS, "chicago-express", "passerelles"))
def test_at_a_zoom_of_200_percent_all_buttons_of_a_turn_are_in_view(sit_down: OpenBrowser, game: str) -> None:
    """In Chicago Express the turn is an auction, and Passerelles has one button more for its tilted view."""
    ann = sit_down(viewport={"width": 640, "height": 400})
    ann.start(game)
    ann.wait()
    assert ann.page.evaluate(OUT_OF_REACH) == []
    assert ann.page.evaluate(CUT_TIME) == []


CUT_ANSWERS = """() => [...document.querySelectorAll('[data-part=question] button.choice')]
  .filter((answer) => answer.scrollWidth > answer.clientWidth).map((answer) => answer.textContent)"""

ROOMS = [(375, 667, 270), (375, 812, 320), (812, 375, 310), (1280, 800, 640)]
"""Screens, and the height of Passerelles' board on them."""


@pytest.mark.parametrize(("width", "height", "least"), chosen(ROOMS, ROOMS[0], ROOMS[2]))
def test_all_pieces_of_passerelles_are_in_view_beside_a_large_board(
    sit_down: OpenBrowser, width: int, height: int, least: int
) -> None:
    bob = sit_down(phone=width < 1000, viewport={"width": width, "height": height})
    bob.start("passerelles", "me")
    bob.wait()
    assert bob.page.evaluate(CUT_IN_TRAY) == []
    sides = bob.page.locator(".board .tray-below .pieces > [data-step]").evaluate_all(
        "pieces => pieces.map((piece) => piece.getBoundingClientRect()).flatMap((box) => [box.width, box.height])"
    )
    assert len(sides) == 12
    assert min(sides) >= 40
    assert bob.page.evaluate(BOARD)["height"] >= least


def test_a_lesson_of_passerelles_leaves_its_board_the_most_of_a_small_phone(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.page.goto("/learn/passerelles/first-game")
    bob.press(bob.page.locator("[data-part=next]"))
    bob.wait()
    assert bob.page.evaluate(CUT_IN_TRAY) == []
    assert bob.page.evaluate(BOARD)["height"] >= 250


@pytest.mark.parametrize(("width", "height"), [(812, 375), (640, 400)], ids=["phone sideways", "zoom of 200%"])
def test_on_a_low_screen_a_lesson_and_a_puzzle_have_their_text_beside_a_board_as_high_as_the_screen(
    sit_down: OpenBrowser, width: int, height: int
) -> None:
    bob = sit_down(phone=True, viewport={"width": width, "height": height})
    for address in ("/learn/cable-car/first-game", "/puzzles/cable-car"):
        bob.page.goto(address)
        text = bob.page.locator("[data-part=text]")
        expect(text).not_to_be_empty()
        frame = bob.page.locator(".board-frame").bounding_box()
        assert frame
        assert frame["height"] > 0.8 * height
        expect(text).to_be_in_viewport(ratio=1)
        asked = text.bounding_box()
        assert asked
        assert asked["x"] >= frame["x"] + frame["width"]
    bob.page.goto("/learn/cable-car/first-game")
    expect(bob.page.locator("[data-part=next]")).to_be_in_viewport(ratio=1)


def test_a_small_phone_gives_the_board_the_room_of_the_timeline(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True, viewport={"width": 375, "height": 667})
    bob.start("cable-car", "bot random", "bot random")
    bob.wait()
    assert bob.page.evaluate(BOARD)["height"] >= 270
    expect(bob.page.locator(".time")).to_be_hidden()
    bob.show_tab("log")
    expect(bob.page.locator(".time")).to_be_visible()


@pytest.mark.parametrize("language", chosen(("en", "fr", "nl"), "fr"))
def test_a_bid_has_all_its_buttons_in_view_on_a_phone_held_sideways(sit_down: OpenBrowser, language: str) -> None:
    bob = sit_down(phone=True, viewport=SIDEWAYS, locale=language)
    bob.start("chicago-express", "bot random", "bot random", "bot random")
    bob.wait()
    fold = bob.page.locator(".sheet header button")
    expect(fold).to_have_attribute("aria-expanded", "false")
    assert bob.page.evaluate(OUT_OF_REACH) == []
    assert bob.page.evaluate(PAGE_HEIGHT) == 375
    bob.press(fold)
    expect(bob.page.locator(".sheet:not(.folded)")).to_be_visible()
    assert bob.page.evaluate(OUT_OF_REACH) == []

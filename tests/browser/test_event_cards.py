"""Cards over the board tell of the events that decide a game, and never delay anyone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from librt.random import Random
from playwright.sync_api import Locator, expect

from ludotheque import Event, load_game
from ludotheque.core.game import Game, State
from ludotheque.games.chicago_express.events import GeneralDividend
from ludotheque.games.passerelles.events import RoundOver
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.speeds import few

SALE = ("bid 9", "pass")
LIT = "[data-part=board] .spotlit"
LONG_ENOUGH = 8000
"""Milliseconds after which a card of a few rows has gone by itself."""
CENTRED_CARDS = """() => {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, new CSSStyleSheet()];
  document.adoptedStyleSheets.at(-1).replaceSync('.event-card.event-card { inset: 10% }');
}"""
"""The pointer stands where each card comes."""
LOOK_AWAY = """isAway => {
  Object.defineProperty(document, 'hidden', { value: isAway, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def seated(sit_down: OpenBrowser, game: str, **settings: object) -> Player:
    """Someone who plays both seats of a game for two."""
    player = sit_down(**{"event_cards": "tap", **settings})
    player.start(game, *["me"] * (load_game(game).players - 1))
    return player


def card_of(player: Player) -> Locator:
    return player.page.get_by_role("dialog").and_(player.page.locator("[data-part=event-card]"))


def move(player: Player, text: str, address: str = "") -> None:
    """A move of whoever is to move, made in another window of the same browser; at a table, or that of the page."""
    table = f"{player.url}/api/tables/{address.rpartition('/')[2] or player.table_id}"
    view = player.page.request.get(table).json()
    body = {"seat": view["to_move"], "version": view["version"], "text": text}
    answer = player.page.request.post(f"{table}/moves", data=body)
    assert answer.status == 200, answer.text()


def sell_a_share(player: Player, address: str = "") -> None:
    for text in SALE:
        move(player, text, address)


def moves_until(game: Game, kind: type[Event]) -> Iterator[str]:
    """A random game, the same each time, up to the first event of a kind."""
    state: State = game.new_initial_state()
    rng = Random(3)
    while True:
        action = int(state.sample(rng))
        yield state.action_to_string(action)
        after = state.child(action)
        if any(isinstance(event, kind) for event in game.events(state, action, after)):
            return
        state = after


MISPLACED_GAINS = """() => [...document.querySelectorAll('.card:has(.gained)')].filter((card) => {
  const box = (part) => card.querySelector(part).getBoundingClientRect();
  const [whole, chip, score] = [card.getBoundingClientRect(), box('.gained'), box('.score')];
  const isBetween = chip.top >= whole.top && chip.bottom <= whole.bottom && chip.right <= score.left;
  card.querySelector('.gained').hidden = true;
  const alone = card.getBoundingClientRect().height;
  card.querySelector('.gained').hidden = false;
  return !isBetween || alone !== whole.height;
}).map((card) => card.textContent)"""
"""The cards on which what was gained is not between name and score, or takes a line for itself."""


NEWS_ARE_WHOLE = """() => {
  const news = [...document.querySelectorAll('.news .words')];
  return news.length > 0 && news.every((words) => words.scrollHeight <= words.clientHeight + 1);
}"""


def play_until(player: Player, game: str, kind: type[Event]) -> None:
    """Play until an event, whose cards wait on the page; those before it are not looked at."""
    *first, last = moves_until(load_game(game), kind)
    for text in first:
        move(player, text)
    version = player.page.request.get(f"{player.url}/api/tables/{player.table_id}").json()["version"]
    expect(player.play_area).to_have_attribute("data-version", str(version))
    player.page.keyboard.press("Escape")
    move(player, last)


def test_a_general_dividend_names_what_each_player_gets(sit_down: OpenBrowser) -> None:
    player = seated(sit_down, "chicago-express")
    play_until(player, "chicago-express", GeneralDividend)
    card = card_of(player)
    expect(card.get_by_role("heading")).to_have_text("General dividend")
    gained = [text.split()[-1] for text in card.get_by_role("listitem").all_inner_texts()]
    assert gained
    assert all(text.startswith("+$") for text in gained)
    expect(player.page.locator("[data-part=cards] .gained")).to_have_text(gained)
    assert player.page.evaluate(MISPLACED_GAINS) == []
    player.press(card)
    expect(card).to_have_count(0)
    expect(player.page.locator("[data-part=board] .dimmed")).to_have_count(0)
    expect(player.page.locator("[data-part=cards] .gained")).to_have_text(gained)
    player.page.wait_for_function(NEWS_ARE_WHOLE)


def test_a_round_of_passerelles_ends_with_its_areas_on_the_board(sit_down: OpenBrowser) -> None:
    player = seated(sit_down, "passerelles", phone=True)
    play_until(player, "passerelles", RoundOver)
    card = card_of(player)
    expect(card.get_by_role("heading")).to_have_text("Round 1 is over")
    words = card.get_by_role("listitem").locator(".dim").all_inner_texts()
    sizes = [len(re.findall(r"\d+", text)) for text in words]
    assert sum(sizes) > 0
    lit = player.page.locator(f"{LIT}.area")
    expect(lit, "below the pieces").to_have_count(sum(sizes))
    colours = lit.evaluate_all("all => all.map(one => one.style.getPropertyValue('--spot'))")
    assert sorted(colours.count(colour) for colour in set(colours)) == sorted(filter(None, sizes))
    laid = player.page.locator(".board .view .pieces use[href^='#bar-']")
    expect(laid, "with its last piece, the board waits until the card has been read").to_have_count(24)
    player.press(card)
    expect(card).to_have_count(0)
    expect(player.page.locator(LIT)).to_have_count(0)
    expect(laid).to_have_count(0)


def test_a_card_leaves_an_earlier_position_as_it_is(sit_down: OpenBrowser) -> None:
    player = seated(sit_down, "passerelles")
    play_until(player, "passerelles", RoundOver)
    expect(card_of(player)).to_be_visible()
    player.page.keyboard.press("ArrowLeft")
    expect(player.play_area).to_have_attribute("data-state", "past")
    expect(card_of(player)).to_have_count(0)
    expect(player.page.locator(".board .view .pieces use[href^='#bar-']"), "one fewer").to_have_count(23)


def test_one_who_comes_back_gets_the_cards_of_what_happened_and_can_skip_them(sit_down: OpenBrowser) -> None:
    player = seated(sit_down, "chicago-express")
    table = player.page.url
    player.page.goto("/")
    for _ in range(2):
        sell_a_share(player, table)
    card = card_of(player)
    for _ in range(2):
        player.open(table)
        expect(card.get_by_role("heading")).to_have_text("A share of PRR is sold")
    player.press(card.get_by_role("button", name="Skip all"))
    expect(card).to_have_count(0)
    player.open(table)
    sell_a_share(player)
    expect(card.get_by_role("heading")).to_have_text("A share of C&O is sold")


def test_cards_wait_for_one_who_looks_elsewhere(sit_down: OpenBrowser) -> None:
    player = seated(sit_down, "chicago-express")
    player.page.evaluate(LOOK_AWAY, True)
    sell_a_share(player)
    expect(player.page.locator("[data-part=log]")).to_contain_text("buys a share of PRR")
    expect(card_of(player)).to_have_count(0)
    player.page.evaluate(LOOK_AWAY, False)
    expect(card_of(player)).to_be_visible()


def test_less_motion_shows_a_card_without_movement(sit_down: OpenBrowser) -> None:
    for motion, moving in (("no-preference", "event-card"), ("reduce", "none")):
        player = seated(sit_down, "chicago-express", reduced_motion=motion)
        sell_a_share(player)
        expect(card_of(player)).to_have_css("animation-name", moving)


@pytest.mark.parametrize("key", few(["Escape", "Enter", "Space"]))
def test_a_key_closes_a_card_but_not_for_someone_who_types(sit_down: OpenBrowser, key: str) -> None:
    player = seated(sit_down, "chicago-express")
    player.page.locator("summary", has_text="More").click()
    field = player.page.get_by_label("Type a move")
    field.focus()
    sell_a_share(player)
    expect(card_of(player)).to_be_visible()
    expect(field).to_be_focused()
    field.press("Space")
    expect(card_of(player)).to_be_visible()
    field.evaluate("element => element.blur()")
    player.page.keyboard.press(key)
    expect(card_of(player)).to_have_count(0)


def test_a_player_who_goes_on_closes_the_cards(sit_down: OpenBrowser) -> None:
    player = seated(sit_down, "chicago-express")
    sell_a_share(player)
    expect(card_of(player)).to_be_visible()
    version = player.version
    player.press(player.question.get_by_role("button", name="Pass"))
    expect(card_of(player)).to_have_count(0)
    expect(player.play_area).not_to_have_attribute("data-version", version)


def test_cards_that_nobody_wants_are_not_shown_and_the_choice_is_remembered(sit_down: OpenBrowser) -> None:
    player = seated(sit_down, "chicago-express")
    player.page.locator("summary", has_text="More").click()
    player.page.get_by_label("Event cards").select_option("None")
    player.page.reload()
    player.wait_for_table()
    sell_a_share(player)
    expect(player.page.locator("[data-part=log]")).to_contain_text("buys a share of PRR")
    expect(card_of(player)).to_have_count(0)


UNDER_THE_MOUSE = "() => document.querySelector('[data-part=event-card]')?.matches(':hover')"


def test_a_card_goes_by_itself_over_a_mouse_that_rests_but_not_while_someone_reads_it(sit_down: OpenBrowser) -> None:
    player = sit_down(event_cards="short")
    player.page.clock.install()
    player.start("chicago-express", "me")
    frame = player.page.locator(".board-frame").bounding_box()
    assert frame
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    player.page.mouse.move(x, y)
    card = card_of(player)
    player.page.evaluate(CENTRED_CARDS)
    sell_a_share(player)
    expect(card).to_be_visible()
    player.page.wait_for_function(UNDER_THE_MOUSE)
    player.page.clock.fast_forward(LONG_ENOUGH)
    expect(card).to_have_count(0)
    sell_a_share(player)
    expect(card).to_be_visible()
    player.page.wait_for_function(UNDER_THE_MOUSE)
    player.page.mouse.move(x + 3, y)
    player.page.clock.fast_forward(LONG_ENOUGH)
    expect(card).to_be_visible()


def test_the_result_comes_after_the_last_card(sit_down: OpenBrowser) -> None:
    player = sit_down(event_cards="tap")
    player.start("passerelles", "me", rounds=1)
    for text in moves_until(load_game("passerelles", rounds=1), RoundOver):
        move(player, text)
    card, result = card_of(player), player.page.locator("[data-part=result]")
    expect(card).to_be_visible()
    expect(player.play_area).to_have_attribute("data-state", "over")
    expect(result).to_be_hidden()
    expect(player.page.locator("[data-part=banner]")).to_have_text("The game is over")
    for heading in ("Round 1 is over", "The game is over"):
        expect(card.get_by_role("heading")).to_have_text(heading)
        player.press(card)
    expect(result.get_by_role("heading").first).to_be_visible()
    expect(player.page.locator(".telling"), "the result has the room of the news").to_be_hidden()
    expect(player.page.locator("[data-part=overlay]"), "and of the question").to_be_hidden()
    expect(player.page.locator("[data-part=banner]")).to_contain_text(player.see_the_end())


def test_on_a_phone_the_standings_are_in_view_at_the_end(sit_down: OpenBrowser) -> None:
    player = sit_down(phone=True)
    player.start("passerelles", "me", rounds=1)
    for text in moves_until(load_game("passerelles", rounds=1), RoundOver):
        move(player, text)
    result = player.page.locator("[data-part=result]")
    expect(result.locator(".how li"), "what the scores are made of is below").to_have_count(2)
    standings = result.locator(".standings li")
    expect(standings).to_have_count(2)
    for row in standings.all():
        expect(row).to_be_in_viewport(ratio=1)

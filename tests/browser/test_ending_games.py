"""Games that people end before the last move, by the real controls: resign, offer to end, agree, play on."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.screens import on_a_phone
from tests.browser.test_playing_with_others import call, open_table

IS_WHOLE = """(sign, words) => {
  sign.textContent = words;
  const [box, cover] = [sign, sign.parentElement].map((element) => element.getBoundingClientRect());
  return box.height > 20 && box.top >= cover.top && box.bottom <= cover.bottom;
}"""
"""Whether a sign with these words lies within its picture."""


def end_dialog(player: Player) -> Locator:
    """Open the dialog of someone who wants to end the game."""
    button = player.page.get_by_role("button", name="End game")
    if player.phone:
        expect(button, "above the board, whatever tab is chosen").to_be_in_viewport(ratio=1)
    player.press(button)
    dialog = player.page.get_by_role("dialog", name="End the game early?")
    expect(dialog).to_be_visible()
    expect(dialog).to_be_in_viewport(ratio=1)
    return dialog


def banner(player: Player) -> Locator:
    return player.page.locator("[data-part=banner]")


def seated(sit_down: OpenBrowser, phone: bool, game: str = "passerelles") -> tuple[Player, Player, str]:
    ann, bob = sit_down(phone=phone), sit_down(phone=phone)
    table = open_table(ann, bob, game)
    for player in (ann, bob):
        player.open(f"/t/{table}")
    return ann, bob, table


@on_a_phone
def test_someone_resigns_and_the_other_wins(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob, _ = seated(sit_down, phone)
    dialog = end_dialog(ann)
    expect(dialog).to_contain_text("Bob wins.")
    ann.press(dialog.get_by_role("button", name="Play on"))
    expect(dialog).to_be_hidden()
    dialog = end_dialog(ann)
    ann.press(dialog.get_by_role("button", name="Resign"))
    expect(banner(bob)).to_have_text(re.compile("^You win . Ann resigned$"))
    expect(bob.page.locator("[data-part=outcome]")).to_contain_text("Ann resigned")
    expect(banner(ann)).to_have_text(re.compile("^You resigned . Bob wins$"))
    expect(ann.page.locator("[data-part=end-game]")).to_be_hidden()
    expect(bob.page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(bob.page.locator("[data-part=log] li").last).to_contain_text("Ann resigns.")


def test_after_a_resignation_nothing_is_asked_any_more(sit_down: OpenBrowser) -> None:
    ann, bob, table = seated(sit_down, phone=False, game="chicago-express")
    sheet, turn = bob.page.locator("[data-part=sheet]"), bob.page.locator("[data-part=cards] .to-move")
    expect(sheet).to_be_visible()
    expect(turn).to_have_count(1)
    call(ann, f"{table}/resign", {"seat": 0})
    expect(banner(bob)).to_have_text(re.compile("^You win . Ann resigned$"))
    expect(sheet).to_be_hidden()
    expect(turn).to_have_count(0)


@on_a_phone
def test_an_offer_is_refused_and_not_made_again_at_once(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob, _ = seated(sit_down, phone)
    offer, asked = (player.page.locator("[data-part=end-offer]") for player in (ann, bob))
    ann.press(end_dialog(ann).get_by_role("button", name="Offer to end"))
    expect(asked).to_contain_text("Ann: shall we end the game without a winner?")
    if phone:
        ann.press(ann.page.locator("[data-part=tabs] [data-tab=table]"))
    expect(offer).to_contain_text("Waiting for Bob")
    expect(asked).to_be_in_viewport()
    bob.press(asked.get_by_role("button", name="Play on"))
    expect(offer).to_have_text("Would rather play on: Bob")
    ann.press(end_dialog(ann).get_by_role("button", name="Offer to end"))
    expect(ann.page.locator(".toast", has_text="You can ask again after the next move.")).to_be_visible()


def test_an_offer_reaches_someone_who_looks_at_the_chat(sit_down: OpenBrowser) -> None:
    ann, bob, table = seated(sit_down, phone=True)
    bob.press(bob.page.locator("[data-part=tabs] [data-tab=chat]"))
    call(ann, f"{table}/end", {})
    expect(bob.page.locator(".toast")).to_have_text("Ann: shall we end the game without a winner?")


@on_a_phone
def test_who_agrees_ends_the_game_without_a_winner(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob, _ = seated(sit_down, phone)
    ann.press(end_dialog(ann).get_by_role("button", name="Offer to end"))
    asked = bob.page.locator("[data-part=end-offer]")
    bob.press(asked.get_by_role("button", name="Agree"))
    for player in (ann, bob):
        expect(banner(player)).to_have_text("Ended by agreement, without a winner")
        expect(player.page.locator("[data-part=result]")).to_be_attached()
        expect(player.play_area).to_have_attribute("data-state", "over")
    sign = bob.page.locator("[data-part=result] h2")
    expect(sign).to_be_visible()
    assert sign.evaluate(IS_WHOLE, "Terminée d'un commun accord, sans gagnant")


def test_with_more_players_a_bot_plays_on(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}, {"who": "bot", "level": "random"}]
    opened = call(ann, "", {"game": "cable-car", "seats": seats, "pace": 0})
    call(bob, f"{opened['id']}/join", {"secret": opened["links"][0]["url"].partition("#")[2], "name": "Bob"})
    for player in (ann, bob):
        player.open(opened["url"])
    dialog = end_dialog(ann)
    expect(dialog).to_contain_text("A bot plays on in your place.")
    ann.press(dialog.get_by_role("button", name="Resign"))
    expect(bob.page.locator(".toast")).to_have_text("Ann resigns. A bot plays on.")
    hers = bob.page.locator("[data-part=seats] > li").first
    expect(hers).to_contain_text("resigned, a bot plays on")
    expect(bob.page.locator("[data-part=log]")).to_contain_text("Ann resigns. A bot plays on.")
    bob.wait()
    bob.move_by_pointer()
    expect(ann.page.locator("[data-part=end-game]")).to_be_hidden()
    expect(ann.page.locator("[data-part=seats] > li").first.get_by_role("button")).to_have_count(0)


def test_keys_alone_resign(sit_down: OpenBrowser) -> None:
    ann, bob, _ = seated(sit_down, phone=False)
    ann.page.locator("[data-part=end-game]").focus()
    ann.page.keyboard.press("Enter")
    dialog = ann.page.get_by_role("dialog", name="End the game early?")
    expect(dialog.get_by_role("button", name="Play on")).to_be_focused()
    ann.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(ann.page.locator("[data-part=end-game]")).to_be_focused()
    ann.page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Resign").focus()
    ann.page.keyboard.press("Enter")
    expect(banner(bob)).to_have_text(re.compile("^You win . Ann resigned$"))

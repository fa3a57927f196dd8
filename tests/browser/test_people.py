"""People who have met: one challenges the other, mutes and blocks them; friends play a rated game. At a desk and on a
phone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.screens import on_a_phone
from tests.browser.test_club import PROBLEMS, WIDER
from tests.browser.test_tables import AXE


def post(player: Player, path: str, **body: Any) -> Any:
    """Send a command with the cookies of someone's browser."""
    answer = player.page.request.post(f"{player.url}/api/{path}", data=body)
    assert answer.ok, answer.text()
    return answer.json()


def name(player: Player, name: str) -> None:
    post(player, "profile", name=name, visible_to="met")


def play_once(ann: Player, bob: Player) -> None:
    """Let two people meet: a game that Bob resigns at once, and whose result is recorded."""
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
    table = post(ann, "tables", game="passerelles", seats=seats)
    secret = table["links"][0]["url"].partition("#")[2]
    post(bob, f"tables/{table['id']}/join", secret=secret, name="Bob")
    post(bob, f"tables/{table['id']}/resign", seat=1)
    ann.page.request.get(f"{ann.url}/api/statistics")  # which waits until results are recorded


def acquainted(sit_down: OpenBrowser, phone: bool) -> tuple[Player, Player]:
    ann, bob = sit_down(phone=phone), sit_down(phone=phone)
    name(ann, "Ann")
    name(bob, "Bob")
    play_once(ann, bob)
    return ann, bob


def met(player: Player) -> Any:
    """The card of the one person whom a player has met."""
    player.page.goto("/me")
    card = player.page.locator("[data-person]")
    expect(card).to_have_count(1)
    player.page.wait_for_load_state("networkidle")  # the buttons work once their script is there
    return card


def challenge(player: Player) -> None:
    met(player).get_by_role("link", name="Challenge").click()
    dialog = player.page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Challenge Bob")).to_be_visible()
    dialog.get_by_role("combobox", name="Game").select_option("passerelles")
    expect(dialog.get_by_label("Player at seat 2")).to_contain_text("Bob")
    dialog.get_by_role("button", name="Start").click()
    player.page.wait_for_url("**/t/*")


def look_again(page: Page) -> None:
    """Refresh the list of tables, as the page does every few seconds."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@on_a_phone
def test_a_challenge_reaches_the_home_page_and_is_played(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob = acquainted(sit_down, phone)
    bob.page.goto("/")
    bob.page.wait_for_load_state("networkidle")
    challenge(ann)
    expect(ann.page.get_by_text("Bob will find your challenge in the lobby.")).to_be_visible()
    look_again(bob.page)
    expect(bob.page.get_by_role("heading", name="Challenges")).to_be_visible()
    expect(bob.page).to_have_title("(1) Ludotheque: board games to play")
    bob.page.locator("[data-accept]").click()
    bob.page.wait_for_url("**/t/*")
    for player in (ann, bob):
        player.wait_for_table()
    expect(ann.page.get_by_role("dialog", name="Invite")).to_have_count(0)


def test_a_declined_challenge_is_told(sit_down: OpenBrowser) -> None:
    ann, bob = acquainted(sit_down, phone=False)
    challenge(ann)
    bob.page.goto("/")
    bob.page.wait_for_load_state("networkidle")
    bob.page.get_by_role("button", name="No, thanks").click()
    expect(bob.page.get_by_role("heading", name="Challenges")).to_have_count(0)
    expect(ann.page.get_by_text("Bob has declined.")).to_be_visible()


def test_the_keyboard_mutes_and_blocks_and_takes_it_back(sit_down: OpenBrowser) -> None:
    ann, _ = acquainted(sit_down, phone=False)
    card = met(ann)
    mute, block = card.get_by_role("button", name="Mute"), card.get_by_role("button", name="Block person")
    mute.focus()
    ann.page.keyboard.press("Enter")
    expect(mute).to_have_attribute("aria-pressed", "true")
    block.focus()
    ann.page.keyboard.press("Enter")
    ann.page.get_by_role("button", name="OK").press("Enter")
    expect(block).to_have_attribute("aria-pressed", "true")
    expect(card.get_by_role("link", name="Challenge")).to_be_hidden()
    ann.page.reload()
    ann.page.wait_for_load_state("networkidle")
    expect(mute).to_have_attribute("aria-pressed", "true")
    block.press("Enter")
    expect(block).to_have_attribute("aria-pressed", "false")


def test_what_a_muted_person_says_is_not_shown(sit_down: OpenBrowser) -> None:
    ann, bob = acquainted(sit_down, phone=False)
    card = met(ann)
    card.get_by_role("button", name="Mute").click()
    expect(card.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    challenge(ann)
    ann.wait_for_table()
    table = ann.table_id
    post(bob, f"challenges/{table}/accept")
    expect(ann.page.get_by_role("dialog", name="Invite")).to_have_count(0)
    post(bob, f"tables/{table}/chat", text="Can you read this?")
    post(ann, f"tables/{table}/chat", text="I say something.")
    lines = ann.page.locator("[data-part=chat] li")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text("I say something.")


@on_a_phone
def test_friends_set_up_a_rated_game(sit_down: OpenBrowser, phone: bool) -> None:
    ann, bob = sit_down(phone=phone), sit_down(phone=phone)
    ann.page.goto("/?play=passerelles")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Player at seat 2").select_option("link")
    expect(dialog.get_by_text("A rated game needs a profile.")).to_be_visible()
    name(ann, "Ann")
    ann.page.reload()
    dialog.get_by_label("Player at seat 2").select_option("bot 6")
    expect(dialog.get_by_label("Clock")).to_be_hidden()
    dialog.get_by_label("Player at seat 2").select_option("bot 1")
    dialog.get_by_label("Clock").select_option("move 180 0")
    expect(dialog.get_by_text("These bots are rated 1200.")).to_be_visible()
    expect(dialog.get_by_label("hints")).to_be_hidden()
    dialog.get_by_label("Player at seat 2").select_option("link")
    dialog.get_by_label("Clock").select_option("")
    expect(dialog.get_by_text("A rated game needs a clock.")).to_be_visible()
    expect(dialog.get_by_label("Rated")).to_be_disabled()
    dialog.get_by_label("Clock").select_option("move 180 0")
    dialog.get_by_label("Rated").check()
    expect(dialog.get_by_label("hints")).to_be_disabled()
    dialog.get_by_role("button", name="Start").click()
    ann.page.wait_for_url("**/t/*")
    link = ann.page.get_by_role("dialog", name="Invite").get_by_role("textbox").input_value()
    bob.page.goto(link)
    expect(bob.page.get_by_text("If you have no profile, you get one when you sit down.")).to_be_visible()
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name="Sit down").click()
    for player in (ann, bob):
        player.wait_for_table()
        expect(player.page.get_by_text("Rated", exact=True)).to_be_visible()
    bob.page.goto("/me")
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("Bob")


def test_axe_finds_nothing_where_people_meet(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True, bypass_csp=True), sit_down(phone=True, bypass_csp=True)
    name(ann, "Ann")
    name(bob, "Bob")
    play_once(ann, bob)
    challenge(ann)
    for player, path in ((ann, "/me"), (bob, "/")):
        player.page.goto(path)
        player.page.add_script_tag(path=AXE)
        assert player.page.evaluate(PROBLEMS) == [], path
        assert player.page.evaluate(WIDER) <= 0, path

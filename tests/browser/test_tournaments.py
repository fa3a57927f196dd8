"""Clubs and tournaments: invited by link, three rounds at real tables, on desktops and a phone."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player, play_to_the_end
from tests.browser.test_club import PROBLEMS, WIDER, name_oneself
from tests.browser.test_ending_games import end_dialog
from tests.browser.test_tables import AXE
from tests.speeds import chosen

TITLE = "Thursday cup"


def create(organiser: Player, **choices: str) -> str:
    """Create a tournament of short games; the link to join it."""
    page = organiser.page
    page.goto("/tournaments")
    form = page.locator("form[data-part=tournament]")
    form.locator("[name=title]").fill(TITLE)
    form.locator("[name=game]").select_option("passerelles")
    for name, value in {"clock": "game 1800 15", **choices}.items():
        form.locator(f"[name={name}]").select_option(value)
    organiser.press(form.get_by_text("Options"))
    form.locator('[name="option rounds"]').select_option("1")
    organiser.press(form.get_by_role("button", name="Create tournament"))
    expect(page).to_have_url(re.compile("/tournaments/."))
    organiser.press(page.get_by_role("button", name="Invite"))
    dialog = page.get_by_role("dialog", name="Link")
    link = dialog.get_by_label("Link", exact=True).input_value()
    organiser.press(dialog.get_by_role("button", name="Close"))
    return link


def join(player: Player, link: str, name: str) -> None:
    """Join by link, without a profile so far."""
    player.page.goto(link)
    player.page.get_by_label("Name").fill(name)
    player.press(player.page.get_by_role("button", name="Join"))
    expect(player.page.get_by_role("button", name="Withdraw")).to_be_visible()
    assert "#" not in player.page.url, "the secret of the link is wiped from the address"


def state(player: Player) -> Any:
    """The tournament on whose page someone is."""
    return player.page.request.get(f"{player.url}/api{player.page.url.removeprefix(player.url)}").json()


def play_round(number: int, people: dict[str, Player]) -> None:
    """The two who are paired go to their table and come back when the game is over.

    The first game is played to its last move; in the others someone resigns.
    """
    for player in people.values():
        expect(player.page.locator("main")).to_contain_text(f"Round {number} of 3")
    shown = state(next(iter(people.values())))
    (pair,) = [table["players"] for table in shown["tables"][0]["tables"] if table["table"]]
    seated = [people[shown["players"][player - 1]["name"]] for player in pair]
    for player in seated:
        player.press(player.page.get_by_role("link", name="Your round has begun"))
        player.wait_for_table()
        expect(player.page.get_by_role("link", name=TITLE)).to_be_visible()
    if number == 1:
        play_to_the_end(*(player.point for player in seated))
    else:
        seated[0].press(end_dialog(seated[0]).get_by_role("button", name="Resign"))
    for player in seated:
        assert player.see_the_end()
        player.press(player.page.get_by_role("link", name="Go to the tournament"))


def test_three_people_play_three_rounds(sit_down: OpenBrowser) -> None:
    ann, bob, eve = sit_down(), sit_down(phone=True), sit_down()
    name_oneself(ann, "Ann")
    link = create(ann)
    join(bob, link, "Bob")
    join(eve, link, "Eve")
    expect(ann.page.get_by_role("heading", name="3 players")).to_be_visible()
    ann.press(ann.page.get_by_role("button", name="Start"))
    people = {"Ann": ann, "Bob": bob, "Eve": eve}
    for number in (1, 2, 3):
        play_round(number, people)
    for player in people.values():
        expect(player.page.locator("main")).to_contain_text("The tournament is over.")
        expect(player.page.get_by_role("group", name="Standings").get_by_role("row")).to_have_count(1 + 3)
        expect(player.page.get_by_role("group", name="Cross table").get_by_role("row")).to_have_count(1 + 3)
    points = [each["points"] for each in state(bob)["standings"]]
    assert sum(points) == 3 + 3, "a point for each game, and one for each bye"


def test_a_round_begins_in_the_lobby_and_the_organiser_decides_a_game(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True), sit_down()
    name_oneself(ann, "Ann")
    link = create(ann, system="knockout")
    join(bob, link, "Bob")
    bob.page.goto("/")
    expect(bob.page.get_by_role("link", name=TITLE)).to_contain_text("open")
    expect(ann.page.get_by_role("heading", name="2 players")).to_be_visible()
    ann.press(ann.page.get_by_role("button", name="Start"))
    mine = bob.page.locator("[data-part=tables]")
    expect(mine.get_by_role("link", name="Passerelles").filter(has_text="Round 1")).to_be_visible()
    expect(mine.get_by_text("waiting for you")).to_be_visible()
    ann.page.reload()
    expect(ann.page).to_have_title(re.compile(r"^\(1\) "))
    ann.press(ann.page.get_by_role("button", name="Forfeit Ann"))
    ann.press(ann.page.get_by_role("dialog", name="Forfeit").get_by_role("button", name="OK"))
    expect(ann.page.locator("main")).to_contain_text("The tournament is over.")
    expect(mine.get_by_role("link", name=TITLE)).to_have_count(0)
    bob.page.goto(ann.page.url)
    expect(bob.page.get_by_role("group", name="Standings").get_by_role("row").nth(1)).to_contain_text("Bob")


def test_a_stranger_reads_nothing(sit_down: OpenBrowser) -> None:
    ann, eve = sit_down(), sit_down()
    name_oneself(ann, "Ann")
    create(ann)
    eve.page.goto(ann.page.url)
    expect(eve.page.get_by_text("There is no such tournament")).to_be_visible()
    eve.page.goto(f"{ann.page.url}#{'A' * 32}")
    expect(eve.page.get_by_text("There is no such tournament")).to_be_visible()


def test_a_club_invites_plays_a_tournament_and_is_left(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True), sit_down()
    name_oneself(ann, "Ann")
    ann.page.goto("/clubs")
    ann.page.get_by_label("Name of the club").fill("Chess and cake")
    ann.press(ann.page.get_by_role("button", name="Create club"))
    ann.press(ann.page.get_by_role("button", name="Invite"))
    dialog = ann.page.get_by_role("dialog", name="Link")
    link = dialog.get_by_label("Link", exact=True).input_value()
    ann.press(dialog.get_by_role("button", name="Close"))
    bob.page.goto(link)
    bob.page.get_by_label("Name").fill("Bob")
    bob.press(bob.page.get_by_role("button", name="Join"))
    expect(bob.page.get_by_role("heading", name="2 people")).to_be_visible()
    expect(ann.page.get_by_role("heading", name="2 people")).to_be_visible()
    ann.press(ann.page.get_by_role("link", name="New tournament"))
    expect(ann.page.get_by_text("For the members of Chess and cake")).to_be_visible()
    ann.page.locator("[name=title]").fill(TITLE)
    ann.press(ann.page.get_by_role("button", name="Create tournament"))
    expect(ann.page.get_by_role("button", name="Start")).to_be_visible()
    bob.press(bob.page.get_by_role("link", name=TITLE))
    bob.press(bob.page.get_by_role("button", name="Join"))
    expect(ann.page.get_by_role("heading", name="2 players")).to_be_visible()
    bob.page.goto(link)
    bob.press(bob.page.get_by_role("link", name="Challenge Ann"))
    setup = bob.page.locator("[data-part=setup]")
    expect(setup.locator("[data-part=setup-seats] li > select").nth(1).locator("option:checked")).to_have_text("Ann")
    bob.page.goto(link)
    bob.press(bob.page.get_by_role("button", name="Leave"))
    bob.press(bob.page.get_by_role("dialog", name="Leave").get_by_role("button", name="OK"))
    expect(bob.page.get_by_role("heading", name="New club")).to_be_visible()
    expect(bob.page.get_by_role("link", name="Chess and cake")).to_have_count(0)


@pytest.mark.parametrize("scheme", chosen(("light", "dark"), "light"))
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    sit_down: OpenBrowser, scheme: Literal["light", "dark"]
) -> None:
    ann = sit_down(phone=True, color_scheme=scheme, bypass_csp=True)
    bob = sit_down()
    name_oneself(ann, "Ann")
    for address in ("/tournaments", "/clubs"):
        ann.page.goto(address)
        check(ann)
    ann.page.get_by_label("Name of the club").fill("Chess and cake")
    ann.press(ann.page.get_by_role("button", name="Create club"))
    expect(ann.page.get_by_role("heading", name="1 person")).to_be_visible()
    check(ann)
    link = create(ann, system="round-robin")
    join(bob, link, "Bob whose name takes all of its letters")
    expect(ann.page.get_by_role("heading", name="2 players")).to_be_visible()
    check(ann)
    ann.press(ann.page.get_by_role("button", name="Start"))
    expect(ann.page.get_by_role("heading", name="Cross table")).to_be_visible()
    check(ann)
    name = ann.page.get_by_role("group", name="Standings").get_by_text("Ann")
    assert name.evaluate("element => element.clientHeight") < 40, "no name is broken into letters"


def check(player: Player) -> None:
    player.page.add_script_tag(path=AXE)
    assert player.page.evaluate(PROBLEMS) == []
    assert player.page.evaluate(WIDER) <= 0


def test_a_name_that_is_half_typed_stays_when_the_page_is_brought_up_to_date(sit_down: OpenBrowser) -> None:
    ann, bob, eve = sit_down(), sit_down(), sit_down()
    name_oneself(ann, "Ann")
    link = create(ann)
    bob.page.goto(link)
    field = bob.page.get_by_label("Name")
    field.press_sequentially("Bo")
    field.press("ArrowLeft")
    join(eve, link, "Eve")
    bob.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(bob.page.get_by_role("heading", name="2 players")).to_be_visible()
    expect(field).to_have_value("Bo")
    expect(field).to_be_focused()
    bob.page.keyboard.type("b")
    expect(field).to_have_value("Bbo")

"""Who may be at a table: links for other devices, new links, spectators, and what the host manages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import OpenBrowser, new_player
from tests.browser.player import Player
from tests.browser.server import Server

TOKEN = "an operator's token"
SCROLLED_SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll('.wide-table')]
  .filter((element) => element.scrollWidth > element.clientWidth).map(({ className }) => className)"""


def read_link(player: Player) -> str:
    """Return the link that is shown, and close its dialog."""
    dialog = player.page.locator("dialog[open]")
    link = dialog.locator("input.link-shown").input_value()
    dialog.get_by_role("button", name="Close").click()
    return link


def take_link(player: Player, button: str) -> str:
    """Press a button that shows a link, and return the link."""
    player.page.get_by_role("button", name=button, exact=True).click()
    return read_link(player)


def agree(player: Player, label: str) -> None:
    """Answer a question of the page with OK."""
    player.page.get_by_role("dialog", name=label, exact=True).get_by_role("button", name="OK").click()


def expect_gone(player: Player) -> None:
    expect(player.page.locator("[data-part=lost]")).to_contain_text("There is no such table")


def test_links_for_devices_seats_and_spectators_and_what_the_host_manages(sit_down: OpenBrowser) -> None:
    ann, bob, eve = sit_down(), sit_down(), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    people = ann.page.locator("[data-part=seats]")

    # A second device, once.
    bob.page.locator(".side summary", has_text="More").click()
    eve.join(take_link(bob, "Play on another device"))
    expect(people).to_contain_text("browsers: 2")

    # The host replaces the link: both browsers lose the seat.
    ann.page.get_by_role("button", name="Replace link").click()
    agree(ann, "Replace link")
    new = read_link(ann)
    expect_gone(bob)
    expect_gone(eve)
    bob.join(new, "Bob")

    # A spectator, until the host ends the links.
    eve.join(take_link(ann, "Spectator link"))
    expect(people).to_contain_text("Spectators: 1")
    people.get_by_role("button", name="End spectator links").click()
    agree(ann, "End spectator links")
    expect_gone(eve)

    # The dialog of the host.
    ann.page.get_by_role("button", name="Manage table").click()
    manage = ann.page.get_by_role("dialog", name="Manage table")
    manage.get_by_role("button", name="Mute Bob").click()
    expect(manage.get_by_role("button", name="Unmute Bob")).to_be_visible()
    bob.page.locator(".side summary", has_text="Chat").click()
    bob.page.get_by_placeholder("Your message").fill("Hello?")
    bob.page.get_by_role("button", name="Send").click()
    expect(bob.page.locator("[data-part=toasts]")).to_contain_text("does not let you chat")
    manage.get_by_label("Password for newcomers").fill("sesame")
    manage.get_by_role("button", name="Set").click()
    expect(manage).to_contain_text("A password is set")
    manage.get_by_role("button", name="Free the seat of Bob").click()
    agree(ann, "Free the seat")
    expect_gone(bob)
    manage.get_by_role("button", name="Done", exact=True).click()

    # A newcomer gives the password.
    bob.page.goto(take_link(ann, "Invite link"))
    bob.page.get_by_role("dialog", name="Join the table").get_by_role("button", name="Sit down").click()
    ask = bob.page.locator("dialog[open]")
    ask.get_by_label("Password").fill("wrong")
    ask.get_by_role("button", name="OK").click()
    expect(ask).to_contain_text("not the password")
    bob.page.locator("dialog[open]").get_by_label("Password").fill("sesame")
    bob.page.locator("dialog[open]").get_by_role("button", name="OK").click()
    expect(people).not_to_contain_text("free")

    # And the host closes the table.
    ann.page.get_by_role("button", name="Manage table").click()
    manage.get_by_role("button", name="Close this table").click()
    agree(ann, "Close this table")
    expect(bob.page.locator("[data-part=banner]")).to_have_text("This table is closed.")
    expect(ann.page.locator("[data-part=manage]")).to_be_hidden()


def test_what_goes_wrong_in_a_dialog_is_said_in_it(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "link")
    ann.page.route("**/mute", lambda route: route.abort())
    ann.page.get_by_role("button", name="Manage table").click()
    manage = ann.page.get_by_role("dialog", name="Manage table")
    manage.get_by_role("button", name="Mute Spectators").click()
    expect(manage.get_by_role("status")).to_have_text("The server does not answer.")


def test_what_shuts_people_out_asks_the_host_first(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down()
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    sent: list[str] = []

    def refuse(label: str, sentence: str) -> None:
        question = ann.page.get_by_role("dialog", name=label, exact=True)
        expect(question).to_contain_text(sentence)
        question.get_by_role("button", name="Cancel").click()
        expect(question).to_have_count(0)

    ann.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    ann.page.get_by_role("button", name="Replace link").click()
    refuse("Replace link", "Replace the link? Bob loses the seat until they open the new one.")
    ann.page.get_by_role("button", name="End spectator links").click()
    refuse("End spectator links", "End all spectator links? Everyone who came by one leaves the table.")
    ann.page.get_by_role("button", name="Manage table").click()
    ann.page.get_by_role("button", name="Free the seat of Bob").click()
    refuse("Free the seat", "Free the seat? Bob leaves the table, and someone else can take the seat.")
    ann.page.get_by_role("button", name="Close this table").click()
    refuse("Close this table", "Close this table for good? The game can then only be viewed.")
    assert sent == []


def test_bots_that_cannot_be_listed_are_not_asked_about_in_silence(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("passerelles", "link")
    ann.page.route("**/api/levels?*", lambda route: route.abort())
    ann.page.get_by_role("button", name="Let a bot play").click()
    expect(ann.page.locator(".toast")).to_have_text("The server does not answer.")
    expect(ann.page.get_by_role("dialog")).to_have_count(0)


def test_a_lobby_whose_games_could_not_be_loaded_asks_for_them_again(sit_down: OpenBrowser) -> None:
    page = sit_down().page
    page.route("**/api/levels", lambda route: route.abort())
    page.goto("/")
    page.locator("[data-play=passerelles]").click()
    expect(page.locator(".toast")).to_have_text("The server does not answer.")
    page.unroute("**/api/levels")
    page.locator("[data-play=passerelles]").click()
    expect(page.locator("[data-part=setup]")).to_be_visible()


def test_every_question_has_a_name_and_can_be_declined_by_touch(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(phone=True), sit_down(phone=True)
    ann.start("passerelles", "link")

    def decline(player: Player, name: str) -> None:
        question = player.page.get_by_role("dialog", name=name, exact=True)
        question.get_by_role("button", name="Cancel").tap()
        expect(question).to_be_hidden()

    ann.show_tab("more")
    seats = ann.page.locator("[data-part=seats] > li")
    seats.first.get_by_role("button", name="Rename").tap()
    ann.page.get_by_role("dialog", name="Rename").get_by_label("Name").fill("Anna")
    decline(ann, "Rename")
    seats.nth(1).get_by_role("button", name="Let a bot play").tap()
    decline(ann, "Let a bot play")
    seats.nth(1).get_by_role("button", name="Invite link").tap()
    dialog = ann.page.get_by_role("dialog", name="Invite", exact=True)
    link = dialog.get_by_role("textbox", name="Link").input_value()
    dialog.get_by_role("button", name="Close").tap()
    ann.page.get_by_role("button", name="Manage table").tap()
    ann.page.get_by_label("Password for newcomers").fill("sesame")
    ann.page.get_by_role("button", name="Set").tap()
    expect(ann.page.get_by_role("dialog", name="Manage table")).to_contain_text("A password is set")

    # A newcomer joins with the Enter key, but does not know the password.
    bob.page.goto(link)
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_label("Your name").press("Enter")
    decline(bob, "Password")
    expect_gone(bob)
    expect(seats.first.locator(".name")).not_to_have_text("Anna")
    expect(seats.nth(1)).to_contain_text("free")


@pytest.fixture
def operated(tmp_path: Path) -> Iterator[Server]:
    """A server with an operator."""
    server = Server(tmp_path, f"--operator={TOKEN}")
    yield server
    server.stop()


def test_a_message_and_a_name_are_reported_and_the_operator_removes_them(browser: Browser, operated: Server) -> None:
    ann, bob, operator = people = [new_player(browser, operated) for _ in range(3)]
    ann.start("passerelles", "link")
    bob.join(ann.link_for(1), "Bob")
    ann.page.locator(".side summary", has_text="Chat").click()
    for player, text in ((bob, "You are a fool"), (ann, "Well")):
        answer = player.page.request.post(f"{ann.page.url.replace('/t/', '/api/tables/')}/chat", data={"text": text})
        assert answer.ok
    chat = ann.page.locator("[data-part=chat]")
    expect(chat).to_contain_text("Well")
    expect(chat.get_by_role("button")).to_have_count(1)  # one's own message has none
    chat.get_by_role("button", name="Report the message of Bob").click()
    expect(ann.page.get_by_role("dialog", name="Report to the operator")).to_contain_text("You are a fool")
    agree(ann, "Report to the operator")
    expect(ann.page.locator("[data-part=toasts]")).to_contain_text("The operator can read it now")
    ann.page.get_by_role("button", name="Report the name Bob").click()
    agree(ann, "Report to the operator")

    operator.page.goto("/operator")
    operator.page.get_by_label("Operator's token").fill(TOKEN)
    operator.page.get_by_role("button", name="OK").click()
    reports = operator.page.locator("[data-part=reports] tr")
    expect(reports).to_have_count(2)
    expect(operator.page.get_by_role("heading", level=2).first).to_have_text("Reports")  # what needs an answer is first
    expect(reports.last).to_contain_text("You are a fool")
    operator.page.set_viewport_size({"width": 375, "height": 667})
    assert operator.page.evaluate(SCROLLED_SIDEWAYS) == []
    expect(operator.page.get_by_role("row").filter(has_text="You are a fool")).to_be_visible()  # a table to a reader
    operator.page.get_by_role("button", name="Remove and mute").click()
    expect(reports).to_have_count(1)
    expect(chat).to_have_text("Blue Well")
    operator.page.get_by_role("button", name="Replace the name").click()
    expect(reports).to_have_count(0)
    expect(ann.page.locator("[data-part=seats]")).not_to_contain_text("Bob")
    for player in people:
        player.page.context.close()
    assert not [trouble for player in people for trouble in player.troubles]

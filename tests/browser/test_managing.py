"""Who may be at a table: links for other devices, new links, spectators, and what the host manages."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player


def take_link(player: Player, button: str) -> str:
    """Press a button that shows a link, and return the link."""
    player.page.get_by_role("button", name=button, exact=True).click()
    dialog = player.page.locator("dialog[open]")
    link = dialog.locator("input").input_value()
    dialog.get_by_role("button", name="Close").click()
    return link


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
    expect(people).to_contain_text("2 browsers")

    # The host replaces the link: both browsers lose the seat.
    new = take_link(ann, "Replace link")
    expect_gone(bob)
    expect_gone(eve)
    bob.join(new, "Bob")

    # A spectator, until the host ends the links.
    eve.join(take_link(ann, "Spectator link"))
    expect(people).to_contain_text("1 spectator")
    people.get_by_role("button", name="End spectator links").click()
    expect_gone(eve)

    # The dialog of the host.
    ann.page.get_by_role("button", name="Manage table").click()
    manage = ann.page.get_by_role("dialog", name="Manage table")
    manage.get_by_role("button", name="Mute Bob").click()
    expect(manage.get_by_role("button", name="Let Bob chat")).to_be_visible()
    bob.page.locator(".side summary", has_text="Chat").click()
    bob.page.get_by_placeholder("Your message").fill("Hello?")
    bob.page.get_by_role("button", name="Send").click()
    expect(bob.page.locator("[data-part=toasts]")).to_contain_text("does not let you chat")
    manage.get_by_label("Password for newcomers").fill("sesame")
    manage.get_by_role("button", name="Set").click()
    expect(manage).to_contain_text("A password is set")
    manage.get_by_role("button", name="Free the seat of Bob").click()
    expect_gone(bob)
    manage.get_by_role("button", name="Close", exact=True).click()

    # A newcomer gives the password.
    bob.page.goto(take_link(ann, "Invite link"))
    bob.page.get_by_role("dialog", name="Join the table").get_by_role("button", name="Join").click()
    ask = bob.page.locator("dialog[open]")
    ask.get_by_label("Password").fill("wrong")
    ask.get_by_role("button", name="OK").click()
    expect(bob.page.locator("[data-part=toasts]")).to_contain_text("not the password")
    bob.page.locator("dialog[open]").get_by_label("Password").fill("sesame")
    bob.page.locator("dialog[open]").get_by_role("button", name="OK").click()
    expect(people).not_to_contain_text("free")

    # And the host closes the table.
    ann.page.on("dialog", lambda question: question.accept())
    ann.page.get_by_role("button", name="Manage table").click()
    manage.get_by_role("button", name="Close this table").click()
    expect(bob.page.locator("[data-part=banner]")).to_have_text("This table is closed.")
    expect(ann.page.locator("[data-part=manage]")).to_be_hidden()

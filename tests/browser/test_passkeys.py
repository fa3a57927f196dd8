"""A profile is carried to another browser by a passkey, which Chromium's virtual authenticator keeps."""

from __future__ import annotations

from copy import copy

from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.conftest import new_player
from tests.browser.player import Player
from tests.browser.server import Server
from tests.browser.test_club import name_oneself

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def authenticator(page: Page) -> tuple[CDPSession, str]:
    """A device that makes and keeps passkeys."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    return session, session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]


def at_localhost(browser: Browser, server: Server, phone: bool = False) -> Player:
    """A person who reaches the server by a name; passkeys do not work for addresses."""
    named = copy(server)
    named.url = server.url.replace("127.0.0.1", "localhost")
    return new_player(browser, named, phone=phone)


def test_a_passkey_carries_a_profile_to_the_phone(browser: Browser, server: Server) -> None:
    desk, phone = at_localhost(browser, server), at_localhost(browser, server, phone=True)
    name_oneself(desk, "Ann")
    session, device = authenticator(desk.page)
    desk.page.get_by_role("button", name="Add a passkey").click()
    expect(desk.page.get_by_text("Added on")).to_be_visible()
    (passkey,) = session.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]

    phone.page.goto("/me")
    phone.page.wait_for_load_state("networkidle")  # the buttons work once their script is there
    session, device = authenticator(phone.page)
    session.send("WebAuthn.addCredential", {"authenticatorId": device, "credential": passkey})
    phone.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Ann")
    expect(phone.page.get_by_text("last used on")).to_be_visible()
    phone.page.wait_for_load_state("networkidle")
    phone.page.get_by_role("button", name="Remove this passkey").click()
    expect(phone.page.get_by_text("Added on")).to_have_count(0)
    expect(phone.page.get_by_role("button", name="Add a passkey")).to_be_visible()
    for player in (desk, phone):
        assert not player.troubles
        player.page.context.close()


def test_one_who_closes_the_dialog_is_told_that_nothing_happened(browser: Browser, server: Server) -> None:
    player = at_localhost(browser, server)
    session, device = authenticator(player.page)
    session.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    player.page.goto("/me")
    player.page.wait_for_load_state("networkidle")
    player.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(player.page.get_by_text("No passkey was used.")).to_be_visible()
    player.page.context.close()

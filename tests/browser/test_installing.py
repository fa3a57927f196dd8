"""On a phone the site can be installed, and without a connection it says so instead of showing an old board."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, new_player
from tests.browser.server import Server

STORED = """async () => {
  const names = await caches.keys();
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return { names, addresses: requests.flat().map(({ url }) => url.replace(location.origin, '')) };
}"""
CONTROLLED = "() => navigator.serviceWorker.controller?.state === 'activated'"
NEW_VERSION = """async () => {
  await caches.open('ludotheque older nl');
  await caches.open('of another program');
  await navigator.serviceWorker.register('/service-worker.js?v=newer&lang=fr');
}"""
IS_NEW = f"() => navigator.serviceWorker.controller?.scriptURL.includes('v=newer') && ({CONTROLLED})()"


def test_it_can_be_installed_and_offline_it_shows_no_old_board(browser: Browser, own_server: Server) -> None:
    ann = new_player(browser, own_server, viewport=PHONE, locale="fr-FR", service_workers="allow")
    page = ann.page
    ann.start("passerelles", "me")
    page.wait_for_function(CONTROLLED)
    check_that_it_can_be_installed(page)
    stored = page.evaluate(STORED)
    assert len(stored["names"]) == 1
    assert all(url == "/offline?lang=fr" or ("/static/" in url and "?v=" in url) for url in stored["addresses"])
    assert "/offline?lang=fr" in stored["addresses"]
    page.evaluate(NEW_VERSION)
    page.wait_for_function(IS_NEW)
    assert page.evaluate(STORED)["names"] == ["of another program", "ludotheque newer fr"], "nothing else is deleted"

    table = page.url
    page.goto("about:blank")
    own_server.stop()
    page.goto(table)
    expect(page.get_by_role("heading")).to_have_text("Pas de connexion")
    expect(page.locator(".board")).to_have_count(0)
    style = "getComputedStyle(document.querySelector('button')).cursor"
    assert page.evaluate(style) == "pointer", "its styles are stored too"
    own_server.start()
    ann.wait()
    ann.move_by_pointer()
    page.context.close()
    assert not ann.troubles


def check_that_it_can_be_installed(page: Page) -> None:
    """What Chromium asks of an app. (Headless, it reports no `InstallabilityErrors`, whatever the page.)"""
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"].endswith("/manifest.webmanifest?lang=fr")
    manifest = json.loads(found["data"])
    assert (manifest["lang"], manifest["display"], manifest["start_url"]) == ("fr", "standalone", "/")
    assert "robots" in manifest["description"]
    kinds = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert kinds == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in manifest["icons"]:
        picture = page.request.get(icon["src"])
        assert picture.headers["content-type"] == "image/png"
        assert int.from_bytes(picture.body()[16:20], "big") == int(icon["sizes"].partition("x")[0])

"""Notifications while no page is open: switched on at a table, sent by the server, taken by the service worker.

Chromium cannot reach its push service here, so a page that subscribes is given the address of one on this machine; what
arrives there is handed to the service worker as the browser would. Private windows, which tests use, show no
notifications: `notifications.test.js` checks what the service worker shows.
"""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_player
from tests.browser.server import Server
from tests.server.push_service import Receiver, push_service

CONTROLLED = "() => navigator.serviceWorker.controller?.state === 'activated'"
SUBSCRIBES = """(given) => {
  const subscription = {
    endpoint: given.endpoint,
    toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
    unsubscribe: async () => { delete sessionStorage.subscribed; return true; },
  };
  PushManager.prototype.getSubscription = async () => (sessionStorage.subscribed ? subscription : null);
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 87) throw new TypeError("not as browsers ask for");
    sessionStorage.subscribed = "yes";
    return subscription;
  };
}"""


def test_a_player_is_notified_while_no_page_is_open(browser: Browser, tmp_path: Path) -> None:
    receiver = Receiver()
    with push_service(tmp_path) as (service, certificate):
        server = Server(tmp_path / "tables", f"--push={service.port}:{certificate}")
        ann = new_player(browser, server)
        bob = new_player(browser, server, service_workers="allow", permissions=["notifications"])
        bob.page.add_init_script(f"({SUBSCRIBES})({json.dumps(receiver.subscription)})")
        ann.start("passerelles", "open")
        table = ann.page.url
        sit = bob.page.request.post(f"{table.replace('/t/', '/api/tables/')}/sit", data={"seat": 1, "name": "Bob"})
        assert sit.ok
        bob.page.goto(table)
        bob.wait_for_table()
        bob.page.wait_for_function(CONTROLLED)
        switch(bob.page, on=True)
        bob.page.goto("/rules/passerelles")
        ann.move_by_pointer()
        message = receiver.read(service.take().body)
        path = table.removeprefix(server.url)
        assert message == {"title": "Your turn: Passerelles", "body": "With Blue", "url": path, "count": 1}
        deliver(bob.page, server.url, message)
        bob.page.goto(table)
        bob.wait_for_table()
        switch(bob.page, on=False)
        for player in (ann, bob):
            assert not player.troubles
            player.page.context.close()
        server.stop()


def switch(page: Page, on: bool) -> None:
    """Switch notifications on or off, and wait until the server knows it."""
    page.locator("summary", has_text="More").click()
    box = page.get_by_label("Also while no page is open")
    expect(box).to_be_checked(checked=not on)
    with page.expect_response(lambda found: found.request.method == "POST" and "/api/push" in found.url) as told:
        box.set_checked(on)
    assert told.value.ok
    expect(box).to_be_enabled()
    expect(box).to_be_checked(checked=on)


def deliver(page: Page, origin: str, message: object) -> None:
    """Hand a message to the service worker, as the browser does when one arrives."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        session.send("Runtime.evaluate", {"expression": "0"})  # until what was enabled has been told
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[-1], "data": json.dumps(message)},
    )

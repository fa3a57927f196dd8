from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.browser.player import Player
from tests.browser.server import Server

OpenBrowser = Callable[..., Player]

DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 375, "height": 740}
PATIENCE: Final = 300_000
"""Milliseconds to wait for what must come. It does not measure speed: beside busy neighbours the server's background
work, such as a summary, gets a hundredth of a core."""

NO_OTHER_PLACE: Final = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
"""Lets each request to another machine fail."""


def chromium() -> str:
    """The browser of this machine; none is ever downloaded."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), "")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("tables"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if not path:
        pytest.fail("The browser tests need Chromium; scripts/need_chromium says how to install it.")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        # Inside a container Chromium cannot make its sandbox; the pages are our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", NO_OTHER_PLACE])
        yield browser
        browser.close()


def new_player(
    browser: Browser,
    server: Server,
    *,
    phone: bool = False,
    event_cards: str = "off",
    forced_moves: str = "off",
    **settings: Any,
) -> Player:
    """A person with a fresh browser, who has chosen how long cards of events stay and who makes forced moves."""
    context = browser.new_context(
        base_url=server.url,
        **{
            "viewport": PHONE if phone else DESKTOP,
            "has_touch": phone,
            "is_mobile": phone,
            "locale": "en-GB",
            "reduced_motion": "reduce",
            "service_workers": "block",  # tests reroute requests, which a service worker would hide
            **settings,
        },
    )
    context.set_default_timeout(PATIENCE)
    # Pages of errors have no storage.
    chosen = {"event-cards": event_cards, "forced-moves": forced_moves}
    context.add_init_script(
        "".join(f"if (origin !== 'null') localStorage['{k}'] ??= '{v}';" for k, v in chosen.items())
    )
    return Player(context.new_page(), server.url, phone)


@pytest.fixture
def sit_down(browser: Browser, server: Server) -> Iterator[OpenBrowser]:
    """Opens a fresh browser for a person; at the end none of them may have seen an error."""
    people: list[Player] = []

    def sit_down(**settings: Any) -> Player:
        people.append(new_player(browser, server, **settings))
        return people[-1]

    yield sit_down
    troubles = [trouble for player in people for trouble in player.troubles]
    for player in people:
        player.page.context.close()
    assert not troubles


@pytest.fixture
def page(sit_down: OpenBrowser) -> Page:
    return sit_down().page


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    server = Server(tmp_path)
    yield server
    server.stop()

"""Take screenshots of every page, game and theme on a desktop and a phone: `python -m scripts.shots FOLDER`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.conftest import DESKTOP, PHONE, chromium
from tests.browser.player import Player, play_to_the_end
from tests.browser.server import Server

from ludotheque.core.registry import game_names

BY_HAND = 14
"""How many moves to make by hand before the mid-game screenshot."""

Shoot = Callable[[str], None]


def visit(browser: Browser, url: str, folder: Path, theme: str, phone: bool) -> None:
    """Take all screenshots in one theme, on one kind of screen."""
    context = browser.new_context(
        base_url=url, viewport=PHONE if phone else DESKTOP, color_scheme="dark" if theme == "dark" else "light",
        has_touch=phone, is_mobile=phone, locale="en-GB", reduced_motion="reduce",
    )  # fmt: skip
    player = Player(context.new_page(), url, phone)
    page = player.page

    def shoot(name: str) -> None:
        page.wait_for_timeout(400)
        page.screenshot(path=folder / f"{name}-{theme}-{375 if phone else 1280}.png", full_page=phone)

    for game in game_names():
        shoot_game(player, game, shoot)
        page.goto(f"/rules/{game}")
        shoot(f"rules-{game}")
    page.goto("/")
    page.wait_for_load_state("networkidle")
    shoot("lobby")
    page.locator("[data-play]").first.click()
    shoot("setup")
    context.close()


def shoot_game(player: Player, game: str, shoot: Shoot) -> None:
    """Play a game from the first choice to the result, with screenshots."""
    player.start(game)
    player.wait()
    shoot(f"{game}-opening")
    player.hurry_bots()
    for _ in range(BY_HAND):
        player.wait()
        if player.state == "asking":
            player.move_by_pointer()
    player.wait()
    if not player.phone:
        hover(player.page)
    shoot(f"{game}-middle")
    play_to_the_end(player.point)
    player.see_the_end()
    shoot(f"{game}-result")


def hover(page: Page) -> None:
    """Hover over something that can be chosen on the board."""
    places = page.locator(".board g.choice")
    if places.count():
        places.nth(places.count() // 2).hover(force=True)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for theme in ("light", "dark"):
            for phone in (False, True):
                visit(browser, server.url, folder, theme, phone)
        browser.close()
        server.stop()
    print(f"Wrote {len(list(folder.glob('*.png')))} screenshots to {folder}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

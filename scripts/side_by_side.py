"""Put screenshots of two versions beside each other, to judge what has become of the pages.

    python -m scripts.side_by_side take NOW
    python -m scripts.side_by_side take BEFORE
    python -m scripts.side_by_side join BEFORE NOW research/looks

`take` shows all titles in the middle of a game, the lobby, a result, rules and a puzzle, in two sizes and themes. It
uses no more of the package than earlier versions have: copy this file into a checkout of one, and run it there with
`PYTHONPATH=src:. LUDOTHEQUE_PURE=1`. `join` writes a sheet for each page: before on the left, now on the right.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import chromium
from tests.browser.server import Server
from tests.ours import OURS

from ludotheque.core.registry import game_class
from ludotheque.study.puzzles import puzzles
from scripts.shots import SIZES, THEMES, new_player, opened, played_game

FIRST: Final = OURS[0]
"""The game whose result, rules and puzzle are shown."""
DRAWN: Final = """() => {
  const board = document.querySelector('.board').shadowRoot;
  return board.querySelector('.backdrop') && board.querySelector('.pieces > g');
}"""
SETTLED: Final = 3000
"""Milliseconds until typefaces, pictures and motions have settled."""
DESK: Final = 560
PHONE: Final = 210
GAP: Final = 8
PAPER: Final = "#808080"
QUALITY: Final = 50


class Shot(NamedTuple):
    """A page to take a screenshot of; a table or a puzzle has a board that must be drawn."""

    name: str
    address: str
    has_board: bool


def shots(page: Page) -> Iterator[Shot]:
    """All pages, by name."""
    yield Shot("lobby", "/", has_board=False)
    yield Shot("rules", f"/rules/{FIRST}", has_board=False)
    yield Shot("puzzle", f"/puzzles/{FIRST}/{puzzles(game_class(FIRST))[0].id}", has_board=True)
    for game in OURS:
        match = played_game(game)
        address = opened(page, match)
        yield Shot(game, f"{address}?at={match.ply * 2 // 3}", has_board=True)
        if game == FIRST:
            yield Shot("result", address, has_board=True)


def take(folder: Path) -> None:
    """Take all screenshots of this version."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        first = new_player(browser, server.url, THEMES[0], "1280", "en-GB")
        first.page.goto("/")
        for shot in [*shots(first.page)]:
            for theme in THEMES:
                for size in SIZES:
                    player = new_player(browser, server.url, theme, size, "en-GB")
                    show_records(player.page, first.page)
                    player.page.goto(shot.address)
                    if shot.has_board:
                        player.page.wait_for_function(DRAWN)
                    player.page.wait_for_timeout(SETTLED)
                    player.page.screenshot(path=folder / f"{shot.name}-{theme}-{size}.png")
                    player.page.context.close()
            print(shot.name, flush=True)
        browser.close()
        server.stop()


def show_records(page: Page, opener: Page) -> None:
    """Let a page see the records that another one opened."""
    known = opener.context.cookies()
    url = opener.url
    page.context.add_cookies([{"name": each["name"], "value": each["value"], "url": url} for each in known])


def join(before: Path, now: Path, folder: Path) -> None:
    """Write a sheet for each page of which there are screenshots of both versions."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted({path.name.rsplit("-", 2)[0] for path in now.glob("*.png")}):
        halves = [half(source, name) for source in (before, now)]
        sheet = Image.new("RGB", (2 * halves[0].width + GAP, max(each.height for each in halves)), PAPER)
        sheet.paste(halves[0], (0, 0))
        sheet.paste(halves[1], (halves[0].width + GAP, 0))
        sheet.save(folder / f"{name}.webp", quality=QUALITY, method=6)


def half(source: Path, name: str) -> Image.Image:
    """A version of a page: light above dark, and phones beside desktops."""
    rows = [[scaled(source / f"{name}-{theme}-{size}.png", size) for size in ("1280", "375")] for theme in THEMES]
    height = max(picture.height for row in rows for picture in row)
    sheet = Image.new("RGB", (DESK + PHONE + GAP, 2 * height + GAP), PAPER)
    for place, (desk, phone) in enumerate(rows):
        sheet.paste(desk, (0, place * (height + GAP)))
        sheet.paste(phone, (DESK + GAP, place * (height + GAP)))
    return sheet


def scaled(path: Path, size: str) -> Image.Image:
    width = DESK if size == "1280" else PHONE
    with Image.open(path) as picture:
        return picture.convert("RGB").resize((width, picture.height * width // picture.width), Image.Resampling.LANCZOS)


def main() -> None:
    parser = argparse.ArgumentParser(description="Put screenshots of two versions beside each other.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("take", help="take the screenshots of this version").add_argument("folder", type=Path)
    joined = commands.add_parser("join", help="write a sheet for each page")
    for folder in ("before", "now", "folder"):
        joined.add_argument(folder, type=Path)
    chosen = parser.parse_args()
    if chosen.command == "take":
        take(chosen.folder)
    else:
        join(chosen.before, chosen.now, chosen.folder)


if __name__ == "__main__":
    main()

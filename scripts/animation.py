"""Make the animated picture of a game for the README: `python -m scripts.animation docs/images/game.webp`.

Bots with fixed seeds play the game; the browser steps through its first moves. Its clock of animations stands still and
is set forward by hand, so that the frames are the same on every machine.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright
from tests.browser.conftest import chromium
from tests.browser.player import DRAWN
from tests.browser.server import Server

from ludotheque.table import Match
from scripts.shots import opened, played_game

GAME: Final = "cable-car"
FIRST_PLY: Final = 60
MOVES: Final = 12
WINDOW: Final[ViewportSize] = {"width": 1160, "height": 800}
WIDTH: Final = 640
"""Pixels of the picture, which shows the board and the tray."""
PLAIN: Final = ".past .board-frame { outline: none !important }"
"""Without the mark of an earlier position."""
FRAMES: Final = (0, 70, 140, 210, 290, 380)
"""Milliseconds of a motion that are shown."""
REST: Final = 900
"""Milliseconds between two moves."""

SET_TIME = """(time) => {
  const roots = [document, document.querySelector('.board').shadowRoot];
  for (const animation of roots.flatMap((root) => root.getAnimations())) {
    if (time === null) animation.finish();
    else animation.currentTime = time;
  }
}"""
AT = "(ply) => document.querySelector('[data-part=time]').value === String(ply)"


def frames(page: Page, match: Match) -> Iterator[tuple[Image.Image, int]]:
    """The frames of the moves, and how long each is shown."""
    page.goto(f"{opened(page, match)}?at={FIRST_PLY}")
    page.wait_for_function(DRAWN)
    page.wait_for_load_state("networkidle")
    page.add_style_tag(content=PLAIN)
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0})
    page.evaluate(SET_TIME, None)
    yield picture(page), REST
    for ply in range(FIRST_PLY + 1, FIRST_PLY + MOVES + 1):
        page.locator("[data-part=time-on]").click()
        page.wait_for_function(AT, arg=ply)
        page.wait_for_load_state("networkidle")
        for number, time in enumerate(FRAMES[:-1]):
            page.evaluate(SET_TIME, time)
            yield picture(page), FRAMES[number + 1] - time
        page.evaluate(SET_TIME, None)
        yield picture(page), REST


def picture(page: Page) -> Image.Image:
    """The board as it is now."""
    shot = Image.open(io.BytesIO(page.locator(".board-frame").screenshot())).convert("RGB")
    return shot.resize((WIDTH, shot.height * WIDTH // shot.width), Image.Resampling.LANCZOS)


def write(path: Path, shown: list[tuple[Image.Image, int]]) -> None:
    """Write the frames as an animated WebP file that repeats."""
    (first, _), *rest = shown
    durations = [duration for _, duration in shown]
    first.save(
        path,
        save_all=True,
        append_images=[frame for frame, _ in rest],
        duration=durations,
        loop=0,
        quality=60,
        method=4,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the animated picture of a game.")
    parser.add_argument("path", type=Path)
    path = parser.parse_args().path
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(
            base_url=server.url, viewport=WINDOW, locale="en-GB", color_scheme="light", bypass_csp=True
        )
        write(path, list(frames(page, played_game(GAME))))
        browser.close()
        server.stop()
    print(f"Wrote {path}: {path.stat().st_size // 1024} kB.")


if __name__ == "__main__":
    main()

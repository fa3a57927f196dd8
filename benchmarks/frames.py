"""Measure the frames a second while pieces travel, in Chromium without a graphics processor on this machine.

    python -m benchmarks.frames [--moves 12] [--tilted]

Each game is a record of bots. The page goes through its last moves; every frame of the motions is counted. The same
browser counts the frames of an empty page right before, since other work on the machine slows both: the share says how
much the board costs.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from scripts.shots import opened, played_game
from tests.browser.conftest import DESKTOP, chromium
from tests.browser.player import THERE
from tests.browser.server import Server

from ludotheque.core.registry import game_names
from ludotheque.table import Match

MOTION: float = 500
"""Milliseconds after a move in which pieces travel, land and glide."""
COUNT = """async (milliseconds) => {
  const stamps = [];
  const start = performance.now();
  while (performance.now() - start < milliseconds) stamps.push(await new Promise(requestAnimationFrame));
  const gaps = stamps.slice(1).map((stamp, place) => stamp - stamps[place]);
  return [1000 * gaps.length / (stamps.at(-1) - stamps[0]), Math.max(...gaps)];
}"""
"""The frames a second for a while, and the longest time between two of them."""
NEXT = f"""(milliseconds) => {{
  document.querySelector('[data-part=time-on]').click();
  return ({COUNT})(milliseconds);
}}"""


def empty_page(browser: Browser) -> float:
    page = browser.new_page(viewport=DESKTOP)
    frames, _longest = page.evaluate(COUNT, 3 * MOTION)
    page.close()
    return float(frames)


def moves(page: Page, match: Match, count: int) -> list[tuple[float, float]]:
    """The frames a second during each of the last moves of a match, and the longest time between two."""
    page.goto(f"{opened(page, match)}?at={max(0, match.ply - count)}")
    page.wait_for_function(THERE)
    page.wait_for_load_state("networkidle")
    measured = [page.evaluate(NEXT, MOTION) for _ in range(count)]
    return [(float(frames), float(longest)) for frames, longest in measured]


def report(name: str, empty: float, measured: list[tuple[float, float]]) -> None:
    frames = statistics.median(frames for frames, _ in measured)
    longest = statistics.median(longest for _, longest in measured)
    print(f"{name:<20} {frames:5.1f} frames a second, {frames / empty:4.0%} of an empty page's {empty:5.1f}; "
          f"longest gap {longest:4.0f} ms")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure frames while pieces travel.")
    parser.add_argument("--moves", type=int, default=12)
    parser.add_argument("--tilted", action="store_true", help="tilt the boards that can be tilted")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        for name in game_names():
            empty = empty_page(browser)
            page = browser.new_page(base_url=server.url, viewport=DESKTOP, reduced_motion="no-preference")
            if arguments.tilted:
                page.add_init_script("localStorage.setItem('tilted', 'yes')")
            report(name, empty, moves(page, played_game(name), arguments.moves))
            page.close()
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()

"""Measure the size of the pages, the time to the first board, and that from the server's answer to a move until the
browser has drawn it, in a real browser on this machine.

    python -m benchmarks.pages [--times 5]

Bytes are those transferred, headers and socket messages included, until the network is idle. The first board is
complete when its pieces are drawn. Every table is opened in a new browser context, without a cache.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, Request, sync_playwright
from tests.browser.conftest import DESKTOP, chromium
from tests.browser.player import THERE, Player
from tests.browser.server import Server

from ludotheque.core.registry import game_class, game_names

DRAWN = f"""() => ({THERE})() && document.querySelector('.board').shadowRoot.querySelector('.pieces > g')"""


MOVES = 5
"""Moves to measure per game."""
WATCH = """() => {
  const [Known, ask] = [WebSocket, fetch];
  const answer = () => { window.answered = performance.now(); };
  window.answered = null;
  window.drawn = [];
  window.WebSocket = class extends Known {
    constructor(...wanted) {
      super(...wanted);
      this.addEventListener('message', ({ data }) => JSON.parse(data).type === 'view' && answer());
    }
  };
  window.fetch = async (url, options) => {
    const response = await ask(url, options);
    if (String(url).includes('/draft')) answer();
    return response;
  };
  const note = () => {
    const since = answered;
    window.answered = null;
    if (since === null) return; // shown again without an answer
    const { port1, port2 } = new MessageChannel(); // its message comes once the frame is painted
    port1.onmessage = () => drawn.push(performance.now() - since);
    requestAnimationFrame(() => port2.postMessage(null));
  };
  addEventListener('DOMContentLoaded', () => {
    const area = document.querySelector('[data-part=play-area]');
    if (area) new MutationObserver(note).observe(area, { attributeFilter: ['data-version'] });
  });
}"""
"""Notes the milliseconds from each answer, to a move or a part of one, until the frame that shows it is painted."""


def transfer_sizes(page: Page) -> list[int]:
    """Return a list that collects the sizes of all responses and socket messages of a page."""
    sizes: list[int] = []

    def finished(request: Request) -> None:
        size = request.sizes()
        sizes.append(size["responseBodySize"] + size["responseHeadersSize"])

    page.on("requestfinished", finished)
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))))
    return sizes


def lobby(browser: Browser, url: str) -> int:
    page = browser.new_page(base_url=url, viewport=DESKTOP)
    sizes = transfer_sizes(page)
    page.goto("/", wait_until="networkidle")
    page.close()
    return sum(sizes)


def table(browser: Browser, url: str, game: str) -> tuple[float, int]:
    """Return the seconds to the first board, and the bytes."""
    context = browser.new_context(base_url=url, viewport=DESKTOP)
    others = [{"who": "bot", "level": "random"}] * (max(2, game_class(game).min_players) - 1)
    opened = context.request.post("/api/tables", data={"game": game, "seats": [{"who": "me"}, *others]}).json()
    page = context.new_page()
    sizes = transfer_sizes(page)
    began = time.perf_counter()
    page.goto(opened["url"])
    page.wait_for_function(DRAWN)
    taken = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    context.close()
    return taken, sum(sizes)


def moves(browser: Browser, url: str, game: str) -> list[float]:
    """Return the milliseconds from each of a few answers to the frame that shows it; the player's moves and the bots'.

    The bots think little, so as not to take the browser's processor, and wait as usual before they move, so that no
    answer is measured together with the next one.
    """
    context = browser.new_context(base_url=url, viewport=DESKTOP)
    context.add_init_script(f"({WATCH})()")
    player = Player(context.new_page(), url)
    player.start(game, *["bot random"] * (max(2, game_class(game).min_players) - 1))
    for _ in range(MOVES):
        player.wait()
        player.move_by_pointer()
    player.wait()
    _first_board, *measured = player.page.evaluate("() => drawn")
    context.close()
    return [float(taken) for taken in measured]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the pages: sizes, the first board, and moves on screen.")
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        print(f"{'lobby':<20} {lobby(browser, server.url):>8,} bytes")
        for game in game_names():
            measured = [table(browser, server.url, game) for _ in range(arguments.times)]
            first = statistics.median(taken for taken, _ in measured)
            print(
                f"{game:<20} {max(size for _, size in measured):>8,} bytes   first board {1000 * first:6.0f} ms",
                end="   ",
            )
            taken = moves(browser, server.url, game)
            print(f"a move on screen {statistics.median(taken):4.0f} ms, at most {max(taken):4.0f} ms")
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()

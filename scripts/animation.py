"""Make the moving picture of the README: `python -m scripts.animation docs/images/table.webp`.

A person asks for a hint, plays a turn of Pays noir, and a card tells what it earned. The game is one between bots with
fixed seeds, from which the person plays on. The clock of animations stands still and is set forward by hand, so that
a slow machine makes the same movements; what the bots answer may differ.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Locator, Page, ViewportSize, expect, sync_playwright
from tests.browser.conftest import chromium
from tests.browser.player import Player
from tests.browser.server import Server

from ludotheque.table import Match
from scripts.shots import SEAT, opened, own_turns, played_game, posted

GAME: Final = "pays-noir"
EVENT_PLY: Final = 232
"""A move of the person that a card tells of."""
WINDOW: Final[ViewportSize] = {"width": 1280, "height": 800}
WIDTH: Final = 960
"""Pixels of the picture."""
FRAMES: Final = (0, 90, 180, 280, 400)
"""Milliseconds of a motion that are shown."""
LOOK: Final = 1100
"""Milliseconds to look at a position."""
READ: Final = 2600
"""Milliseconds to read a text."""
CURSOR: Final = """([x, y]) => {
  const arrow = document.querySelector('#cursor') ?? document.body.appendChild(document.createElement('div'));
  arrow.id = 'cursor';
  arrow.style.cssText = `position: fixed; z-index: 99; left: ${x}px; top: ${y}px; width: 20px; height: 28px;
    pointer-events: none; background: #111; filter: drop-shadow(0 0 1px #fff);
    clip-path: polygon(0 0, 100% 62%, 56% 64%, 78% 96%, 58% 100%, 38% 70%, 0 90%)`;
}"""
SET_TIME: Final = """(time) => {
  const roots = [document, document.querySelector('.board').shadowRoot];
  for (const animation of roots.flatMap((root) => root.getAnimations())) {
    if (time === null && animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
    else animation.currentTime = time ?? 0;
  }
}"""

Frame = tuple[Image.Image, int]


def frames(player: Player, match: Match) -> Iterator[Frame]:
    """The frames, each with the milliseconds that it is shown."""
    page = player.page
    table = sit_down(player, match)
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0})
    yield rest(page, LOOK)
    hint = page.locator("[data-part=hint]")
    point(page, hint)
    yield rest(page, LOOK // 2)
    player.press(hint)
    expect(page.locator("[data-part=hinted] li").first).to_be_visible()
    yield rest(page, READ)
    card = page.locator("[data-part=event-card]")
    for action in [action for _, action in match.actions()][first_ply(match) : EVENT_PLY + 1]:
        point(page, page.locator(".board svg:first-of-type g.choice").first)
        yield rest(page, LOOK // 2)
        play(player, table, action)
        yield from motion(page)
    expect(card).to_be_visible()
    yield rest(page, READ)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    yield rest(page, LOOK)


def first_ply(match: Match) -> int:
    """The ply at which the turn with the event begins."""
    return max(ply for ply in own_turns(match) if ply <= EVENT_PLY)


def sit_down(player: Player, match: Match) -> str:
    """Play on from the turn with the event, against bots; return the address of the table in the API."""
    record = opened(player.page, match)
    body = {"ply": first_ply(match), "seat": SEAT, "level": "1"}
    url = posted(player.page, f"/api/tables/{record.rpartition('/')[2]}/branch", body)
    player.page.goto(url)
    player.wait()
    player.page.wait_for_load_state("networkidle")
    return f"/api/tables/{url.rpartition('/')[2]}"


def play(player: Player, table: str, action: int) -> None:
    """Make a move of the person, and wait until the page shows it."""
    version = player.page.request.get(table).json()["version"]
    answer = player.page.request.post(f"{table}/moves", data={"seat": SEAT, "version": version, "action": action})
    assert answer.ok, answer.text()
    expect(player.play_area).not_to_have_attribute("data-version", str(version))


def point(page: Page, place: Locator) -> None:
    """Move the pointer over something, and draw it there."""
    box = place.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.evaluate(CURSOR, [x, y])


def motion(page: Page) -> Iterator[Frame]:
    """The frames of the motion that has begun."""
    for time, after in pairwise(FRAMES):
        page.evaluate(SET_TIME, time)
        yield picture(page), after - time


def rest(page: Page, time: int) -> Frame:
    """The page after all motion."""
    page.evaluate(SET_TIME, None)
    return picture(page), time


def picture(page: Page) -> Image.Image:
    """The page as it is now."""
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return shot.resize((WIDTH, shot.height * WIDTH // shot.width), Image.Resampling.LANCZOS)


def write(path: Path, shown: list[Frame]) -> None:
    """Write the frames as an animated WebP file that repeats."""
    (first, _), *rest_of_them = shown
    first.save(
        path,
        save_all=True,
        append_images=[frame for frame, _ in rest_of_them],
        duration=[duration for _, duration in shown],
        loop=0,
        quality=62,
        method=4,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the moving picture of the README.")
    parser.add_argument("path", type=Path)
    path = parser.parse_args().path
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        context = browser.new_context(base_url=server.url, viewport=WINDOW, locale="en-GB", bypass_csp=True)
        context.add_init_script("localStorage.setItem('event-cards', 'tap')")
        context.set_default_timeout(60_000)
        expect.set_options(timeout=60_000)
        write(path, list(frames(Player(context.new_page(), server.url), played_game(GAME))))
        browser.close()
        server.stop()
    print(f"Wrote {path}: {path.stat().st_size // 1024} kB.")


if __name__ == "__main__":
    main()

"""Take screenshots of 12 moments of every game, in two sizes and two themes: `python -m scripts.shots FOLDER`.

The games are the same each time: bots with fixed seeds play them, and the browser opens their records or plays on from
them. `--game`, `--theme` and `--size` choose some of the screenshots, `--language` the language of the pages.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from librt.random import Random
from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright
from tests.browser.conftest import DESKTOP, PATIENCE, chromium
from tests.browser.player import THERE, Player
from tests.browser.server import Server
from tests.ours import OURS

from ludotheque import Match
from ludotheque.bots.names import bot_named
from ludotheque.core.game import CHANCE
from ludotheque.core.registry import game_class, load_game
from ludotheque.core.turn import CLOCK
from ludotheque.table import Dice, Record, write_json

NAMES: Final = ("Ann", "Ben", "Chris")
SIZES: Final[dict[str, ViewportSize]] = {"1280": DESKTOP, "375": {"width": 375, "height": 667}}
THEMES: Final = ("light", "dark")
SEED: Final = 7
ATTEMPTS: Final = 20
"""A server on a busy machine may refuse a record because it could not read it in time."""
SEAT: Final = 0
"""The seat that looks on and plays on."""


def played_game(name: str) -> Match:
    """A whole game between bots, the same each time."""
    game = load_game(name, min(len(NAMES), game_class(name).max_players))
    dice = Dice(SEED.to_bytes(32, "big")) if game.has_chance else None
    match = Match.start(game, NAMES[: game.players], dice)
    bots = [bot_named("policy", game, SEED + seat) for seat in range(game.players)]
    rng = Random(SEED)
    while not match.is_over:
        seat = match.to_move
        match.play(seat, bots[seat].choose(match.turn(seat, rng, CLOCK)))
    return match


def own_turns(match: Match) -> list[int]:
    """The plies at which a turn of the seat that looks on begins."""
    turns, last = [], CHANCE
    for ply, who in enumerate(match.movers):
        if who == SEAT != last:
            turns.append(ply)
        last = last if who == CHANCE else who
    return turns


def opened(page: Page, match: Match) -> str:
    """Open a match as a table, and return its address."""
    return posted(page, "/api/records", {"record": write_json(Record.full(match))})


def posted(page: Page, address: str, body: dict[str, object]) -> str:
    """Ask the server for a table, and return its address."""
    for _ in range(ATTEMPTS):
        answer = page.request.post(address, data=body)
        if answer.ok:
            return str(answer.json()["url"])
    raise AssertionError(answer.text())


class Moments(NamedTuple):
    """The screenshots of one game on one screen."""

    player: Player
    game: str
    match: Match
    shoot: Callable[[str], None]

    @property
    def page(self) -> Page:
        return self.player.page

    def take_all(self) -> None:
        """Take the 12 screenshots."""
        self.page.goto("/")
        self.player.press(self.page.locator(f"[data-play={self.game}]"))
        self.shoot("setup")
        record = opened(self.page, self.match)
        turns = own_turns(self.match)
        self._take_choices(record, turns[0], "opening", "picked", "preview")
        self._take_choices(record, turns[len(turns) // 2], "middle", "middle-preview")
        self._play_on(record, turns[len(turns) // 2])
        self.player.press(self.page.locator("[data-part=hint]"))
        self.page.locator("[data-part=hinted] li").first.wait_for()
        self.shoot("hint")
        self.player.press(self.page.locator("[data-part=key-open]"))
        self.shoot("key")
        self._look(f"{record}?at={self.match.ply * 3 // 4}")
        self.shoot("past")
        self._look(record)
        self.shoot("end")
        self.player.show_tab("more")
        self.page.locator("[data-part=summary-fold]").evaluate("fold => { fold.open = true; }")
        self._scroll_to("[data-part=summary] svg.chart")
        self.shoot("summary")
        self.player.show_tab("log")
        self._scroll_to("[data-part=log]")
        self.shoot("log")

    def _look(self, url: str) -> None:
        self.page.goto(url)
        self.page.wait_for_function(THERE)
        self.page.wait_for_load_state("networkidle")

    def _play_on(self, record: str, ply: int) -> None:
        body = {"ply": ply, "seat": SEAT, "level": "1"}
        self._look(posted(self.page, f"/api/tables/{record.rpartition('/')[2]}/branch", body))
        self.player.wait()

    def _take_choices(self, record: str, ply: int, *names: str) -> None:
        """A question, then what can be chosen twice in a row: in the tray or list, and on the board."""
        self._play_on(record, ply)
        self.shoot(names[0])
        self._choose_in_tray()
        for name in names[1:]:
            if name == names[-1]:
                self._look_at_place()
            self.shoot(name)

    def _choose_in_tray(self) -> None:
        tray = self.page.locator(".board .tray-below g.choice")
        if tray.count():
            self._point(tray.nth(min(2, tray.count() - 1)), is_last=False)

    def _look_at_place(self) -> None:
        places = self.page.locator(".board svg:first-of-type g.choice")
        listed = self.player.question.locator("button.choice:visible")
        choices = places if places.count() else listed
        if choices.count():
            self._point(choices.nth(choices.count() // 2), is_last=True)

    def _point(self, place: Locator, is_last: bool) -> None:
        """A phone shows what a tap would do; a mouse that points, without a click that would play it."""
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        if not box:
            return
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.player.phone:
            self.page.touchscreen.tap(x, y)
        elif is_last:
            self.page.mouse.move(x, y)
        else:
            self.page.mouse.click(x, y)

    def _scroll_to(self, selector: str) -> None:
        place = self.page.locator(selector).first
        place.wait_for()
        place.evaluate("element => element.scrollIntoView({block: 'start', behavior: 'instant'})")


def new_player(browser: Browser, url: str, theme: str, size: str, language: str) -> Player:
    """A person at a screen of that size."""
    phone = size == "375"
    context = browser.new_context(
        base_url=url, viewport=SIZES[size], color_scheme="dark" if theme == "dark" else "light", has_touch=phone,
        is_mobile=phone, locale=language, reduced_motion="reduce",
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    return Player(context.new_page(), url, phone)


def take(browser: Browser, url: str, folder: Path, match: Match, theme: str, size: str, language: str) -> None:
    """All screenshots of one game, in one theme and size."""
    player = new_player(browser, url, theme, size, language)
    game = match.game.name

    def shoot(name: str) -> None:
        player.page.wait_for_timeout(400)
        player.page.screenshot(path=folder / f"{game}-{name}-{theme}-{size}.png")

    Moments(player, game, match, shoot).take_all()
    player.page.context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Take screenshots of every game, to look at.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=OURS, action="append")
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument("--size", choices=list(SIZES), action="append")
    parser.add_argument("--language", default="en-GB")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for game in chosen.game or OURS:
            match = played_game(game)
            for theme in chosen.theme or THEMES:
                for size in chosen.size or SIZES:
                    take(browser, server.url, chosen.folder, match, theme, size, chosen.language)
        browser.close()
        server.stop()
    print(f"Wrote {len(list(chosen.folder.glob('*.png')))} screenshots to {chosen.folder}.")


if __name__ == "__main__":
    main()

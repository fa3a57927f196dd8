"""Firefox and WebKit: the lobby, a table of each game, and one move there by the mouse; then the same on a screen as
small as a phone's, by tapping. Only with `--all`.

What cannot be driven: neither engine says that its pointer is coarse or that it has no hover, so that styles for
touch screens alone are not tried; WebKitGTK's driver turns a tap into a click of the mouse, and tells of no errors in
scripts; neither can pinch. Chromium tries all of these.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludotheque.core.registry import game_class
from tests.browser.engines import Engine, Firefox, WebKit
from tests.browser.player import AIM
from tests.browser.server import Server
from tests.ours import OURS

STATE = "document.querySelector('[data-part=play-area]')?.dataset.state"
VERSION = "document.querySelector('[data-part=play-area]')?.dataset.version"
SIDEWAYS = "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"
HIDDEN = """[...document.querySelectorAll('.banner, .player-cards, .board')].filter((part) => {
  const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
  return !width || !height || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).map((part) => part.className)"""
"""What of the turn, the players, the board and the hand is not on the first screen."""
PHONE = (375, 667)
CLICKS = 20
"""So many are enough for a move; some of them change what was chosen."""
BOXED = """(() => {
  const root = document.querySelector('.board').shadowRoot;
  const [board] = root.querySelectorAll('svg');
  const places = [...root.querySelectorAll('g.choice')].filter((place) => board.contains(place));
  return places.length > 0 && places.every((place) => {
    const { x, y, width, height } = place.getBoundingClientRect();
    return root.elementFromPoint(x + width / 2, y + height / 2)?.closest('[data-step]') === place;
  });
})()"""
"""Whether every place that can be chosen on the board lies in the middle of its box."""
MINI_BROWSERS = "*-linux-gnu*/webkit2gtk-4.*/MiniBrowser"


@pytest.fixture(params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    engine = new_firefox(tmp_path) if request.param == "firefox" else new_webkit()
    yield engine
    engine.close()


def new_firefox(profile: Path) -> Firefox:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    assert program, "run scripts/need_firefox"
    return Firefox(program, profile)


def new_webkit() -> WebKit:
    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr/lib").glob(MINI_BROWSERS))
    assert driver, "run scripts/need_webkit"
    assert browsers, "run scripts/need_webkit"
    return WebKit(driver, str(browsers[-1]))


def open_table(engine: Engine, game: str) -> str:
    """Open a table from the lobby's own page, so that its cookie is the browser's."""
    bots = [{"who": "bot", "level": "random"}] * (game_class(game).min_players - 1)
    options = {"method": "POST", "headers": {"Content-Type": "application/json"}}
    options["body"] = json.dumps({"game": game, "seats": [{"who": "me"}, *bots]})
    answer = engine.evaluate(f"fetch('/api/tables', {json.dumps(options)}).then((answer) => answer.json())")
    return str(answer["url"])


def play_a_move(engine: Engine, press: Callable[[float, float], None]) -> None:
    """Press what is lit until the server has the move."""
    engine.wait_for(f"{STATE} === 'asking'")
    version, rng = engine.evaluate(VERSION), random.Random(7)
    for _ in range(CLICKS):
        aim = engine.evaluate(f"({AIM})([true, {rng.random()}])")
        if aim["at"]:
            press(*aim["at"])
        engine.wait_for(f"{STATE} === 'asking' || {VERSION} !== '{version}'")
        if engine.evaluate(VERSION) != version:
            return
    raise AssertionError("no move came about")


@pytest.mark.full
def test_the_lobby_and_a_move_in_each_game(engine: Engine, server: Server) -> None:
    engine.goto(server.url)
    variants = sum(len(game_class(game).variants) for game in OURS)
    assert engine.wait_for("document.querySelectorAll('[data-play]').length") == len(OURS) + variants
    for game in OURS:
        engine.goto(server.url + open_table(engine, game))
        play_a_move(engine, engine.click)
        assert not engine.errors, game


@pytest.mark.full
def test_the_box_of_a_lit_place_lies_around_it(engine: Engine, server: Server) -> None:
    # The page zooms in on places by their boxes; Firefox once made them as large as half of the board. What is still
    # moving may cover a place for a moment.
    engine.goto(server.url)
    for game in ("cable-car", "passerelles"):
        engine.goto(server.url + open_table(engine, game))
        engine.wait_for(f"{STATE} === 'asking'")
        engine.wait_for(BOXED)


@pytest.mark.full
def test_a_move_in_each_game_on_a_phone(engine: Engine, server: Server) -> None:
    engine.goto(server.url)
    engine.shrink(*PHONE)
    for game in OURS:
        engine.goto(server.url + open_table(engine, game))
        engine.wait_for(f"{STATE} === 'asking'")
        assert engine.evaluate("[innerWidth, innerHeight]") == list(PHONE)
        assert engine.evaluate(SIDEWAYS) == 0, game
        assert engine.evaluate(HIDDEN) == [], game
        play_a_move(engine, engine.tap)
        assert not engine.errors, game

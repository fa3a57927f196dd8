"""How many taps a move takes, and that every lit target can be hit: whole games with a mouse at 1280 px and by touch at
375 px, through the board and the buttons. Some turns of one game by touch; with `--all` every whole game both ways."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from ludotheque.core.registry import game_class
from ludotheque.table import read_json
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player
from tests.browser.test_whole_games import SHORT
from tests.ours import OURS
from tests.speeds import chosen, several

UNREACHABLE = """() => {
  const root = document.querySelector('.board').shadowRoot;
  const [board, tray] = root.querySelectorAll('svg');
  const hits = (target, area) => {
    const [box, seen] = [target.getBoundingClientRect(), area.getBoundingClientRect()];
    const places = [0.5, 0.25, 0.75, 0.1, 0.9];
    return places.some((across) => places.some((down) => {
      const [x, y] = [box.x + across * box.width, box.y + down * box.height];
      if (x < seen.left || x > seen.right || y < seen.top || y > seen.bottom) return false;
      const over = document.elementFromPoint(x, y) === root.host ? root.elementFromPoint(x, y) : null;
      return over?.closest('[data-step]')?.dataset.step === target.dataset.step;
    }));
  };
  const isIn = (target, area) => {
    const [box, seen] = [target.getBoundingClientRect(), area.getBoundingClientRect()];
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return x > seen.left && x < seen.right && y > seen.top && y < seen.bottom;
  };
  const targets = [...board.querySelectorAll('g.choice')].filter((target) => isIn(target, board));
  const held = [...tray?.querySelectorAll('g.choice') ?? []].filter((target) => isIn(target, tray.parentElement));
  return [...targets.filter((target) => !hits(target, board)), ...held.filter((target) => !hits(target, tray))]
    .map((target) => target.dataset.step);
}"""
SCROLLED = "() => [document.documentElement.scrollHeight, scrollY, document.querySelector('main').scrollTop]"
PLY = "() => Number(document.querySelector('[data-part=time]').max)"


def play_counting(player: Player, most: int) -> list[tuple[int, int, int]]:
    """Play so many turns; for each turn: the ply before it, the first of the next turn, and the taps it took."""
    turns: list[tuple[int, int, int]] = []
    player.wait_or_cover()
    while player.state != "over" and len(turns) < most:
        version, before = player.version, player.page.evaluate(PLY)
        player.taps = 0
        while player.version == version:
            assert player.page.evaluate(UNREACHABLE) == [], "every lit target can be hit"
            player.point()
            player.wait_or_cover()
        turns.append((before, player.page.evaluate(PLY), player.taps))
    return turns


def parts_of(player: Player) -> dict[int, int]:
    """By ply: of how many parts the decision was."""
    table = player.table_id
    record = player.page.request.get(f"{player.url}/api/tables/{table}/record?form=json").text()
    match = read_json(record).to_match()
    parts = {}
    state = match.game.new_initial_state()
    for ply, (who, action) in enumerate(match.actions()):
        if who >= 0:
            parts[ply] = len(match.game.steps(state, action))
        state.apply_action(action)
    return parts


@pytest.mark.parametrize(("game", "way"), chosen(product(OURS, ("mouse", "touch")), ("passerelles", "touch")))
def test_several_people_at_one_screen_need_n_clicks_or_n_and_one_taps_for_a_move_of_n_parts(
    sit_down: OpenBrowser, game: str, way: str
) -> None:
    phone = way == "touch"
    ann = sit_down(phone=phone, **({"viewport": {"width": 375, "height": 667}} if phone else {}))
    seats = game_class(game).min_players
    ann.start_in_lobby(game, *["me"] * (seats - 1), **SHORT.get(game, {}))
    most = several(6, 1000)
    turns = play_counting(ann, most)
    assert len(turns) == most or ann.see_the_end()
    parts = parts_of(ann)
    for before, after, taps in turns:
        n = sum(count for ply, count in parts.items() if before <= ply < after)
        assert taps <= n + (1 if phone else 0), f"the plies {before} to {after} took {taps} taps for {n} parts"
    if not phone:
        assert ann.page.evaluate(SCROLLED) == [800, 0, 0]


PLAY = "[data-part=question] [data-play]"
DECISIONS = {
    "cable-car": (".board .spot.choice >> nth=0", PLAY),
    "chicago-express": ("[data-part=question] [data-step='bid:7']", PLAY),
    "passerelles": (".board g[data-step='piece:5']", ".board g[data-step='cell:D4']", PLAY),
}
"""By game: all that a finger taps for its usual decision. An expansion of Chicago Express and a turn of Pays noir
take four and three taps, and have tests of their own."""


def test_the_usual_decisions_take_two_or_three_taps_on_a_phone(sit_down: OpenBrowser) -> None:
    bob = sit_down(phone=True)
    for game, taps in DECISIONS.items():
        bob.start(game, *["me"] * (game_class(game).min_players - 1))
        bob.wait()
        version = bob.version
        for target in taps:
            bob.page.locator(target).tap()
        expect(bob.play_area, game).not_to_have_attribute("data-version", version)


def test_a_short_game_by_roles_and_names_alone(sit_down: OpenBrowser) -> None:
    """As a screen reader would: nothing is found by its place, its picture or a mark for tests. To its end
    only with `--all`."""
    ann = sit_down()
    page = ann.page
    page.goto("/")
    page.get_by_role("button", name="Play Passerelles").click()
    setup = page.get_by_role("dialog", name="Passerelles")
    setup.get_by_role("combobox", name="Player at seat 2").select_option("Me, on this screen")
    setup.get_by_text("Options").click()
    setup.get_by_role("combobox", name="Rounds").select_option("One round")
    setup.get_by_role("button", name="Start").click()
    choices = page.get_by_role("region", name="Your choices")
    choices.get_by_text("All choices").click()
    over = page.get_by_role("heading", name=re.compile("wins|draw", re.IGNORECASE))
    lines = page.get_by_role("list", name="Log").get_by_role("listitem")
    moves = choices.get_by_role("button", name=re.compile("^(Play|Piece|[A-K][0-9]+$|Pass|Across|Down)"))
    ann.wait()
    while ann.state != "over" and lines.count() < several(5, 1000):
        moves.first.click()
        ann.wait()
    if ann.state == "over":
        expect(over).to_be_visible()

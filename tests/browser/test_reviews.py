"""The table turns into a review: charts that agree with the record, and the judgement of a bot, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from ludotheque import load_game
from ludotheque.study.match_summary import highlights, summarize_match
from ludotheque.study.review import Budget, review
from ludotheque.study.review_summary import summarize_review
from ludotheque.table import Match
from tests.browser.conftest import OpenBrowser, new_player
from tests.browser.player import Player
from tests.browser.server import Server
from tests.browser.test_finished_games import open_finished
from tests.browser.test_tables import violations
from tests.ours import OURS
from tests.speeds import chosen, few
from tests.table.matches import random_match

LONG = 600_000
"""Milliseconds for a whole review of the longest game on a busy machine."""
TINY = 16
"""Simulations for a decision."""
SHORT: dict[str, dict[str, object]] = {"passerelles": {"rounds": 1}, "pays-noir": {"track": 30}}
"""Options that make for a short game."""
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
TOO_WIDE = """() => [...document.querySelectorAll('[data-part=summary] .wide-table:has(table)')]
  .filter((panel) => panel.scrollWidth > panel.clientWidth).map((panel) => panel.getAttribute('aria-label'))"""
BROKEN = """() => [...document.querySelectorAll('[data-part=summary] [id^=ply-] > :not(:nth-child(2))')]
  .map((cell) => { const text = new Range(); text.selectNodeContents(cell); return [cell.textContent, text]; })
  .filter(([number, text]) => text.getClientRects().length > 1).map(([number]) => number)"""
GONE_ON = """decisions => document.querySelector('[data-part=review-bar]').value > decisions
  || document.querySelector('[data-part=review-panel]').dataset.state === 'done'"""


def finished(game: str, seed: int = 5) -> Match:
    return random_match(load_game(game, 0, **SHORT.get(game, {})), seed)


def think_little(route: Route) -> None:
    """What the button asks for, with a tiny budget in place of the time."""
    if route.request.method == "POST":
        route.continue_(post_data=json.dumps({"simulations": TINY}))
    else:
        route.continue_()


def start_review(player: Player) -> None:
    player.page.route("**/api/tables/*/review", think_little)
    player.press(player.page.get_by_role("button", name="Review with a bot"))


def summary_of(player: Player) -> Locator:
    summary = player.page.locator("[data-part=summary]")
    expect(summary.locator("svg.chart").first).to_be_visible()
    return summary


def numbers(row: Locator) -> list[int]:
    return [int(cell) for cell in row.locator("td").all_inner_texts()]


def at_moment(player: Player, ply: int, match: Match) -> None:
    expect(player.page.locator("[data-part=position-text]")).to_have_text(f"{ply} of {match.ply}")


def standings(match: Match) -> list[tuple[int, str]]:
    """The scores and names, the best first."""
    return sorted(zip(match.view().scores, match.names, strict=True), key=lambda seat: -seat[0])


def has_score(match: Match, score: int, name: str) -> re.Pattern[str]:
    """A line that begins with a score."""
    return re.compile("^" + re.escape(f"{name}: {match.game.score_text(score)}."))


@pytest.mark.parametrize("game", chosen(OURS, "passerelles"))
def test_a_whole_review(sit_down: OpenBrowser, game: str) -> None:
    ann, match = sit_down(), finished(game)
    open_finished(ann, match)
    summary = summary_of(ann)
    # The result by source.
    table = summary.locator("table", has=ann.page.locator("caption", has_text="by source"))
    assert numbers(table.locator("tfoot tr")) == list(match.view().scores)
    rows = [numbers(row) for row in table.locator("tbody tr").all()]
    assert [sum(column) for column in zip(*rows, strict=True)] == list(match.view().scores)
    heading = ann.page.get_by_role("heading", name=f"{match.game.unit()} by source")
    words = summary.locator("section", has=heading).locator("li")
    expect(words).to_have_text([has_score(match, score, name) for score, name in standings(match)])
    # The chart: every ply has its words and numbers, and leads to its moment.
    bands = summary.locator("svg.chart .bands").first.locator("a[data-ply]")
    assert bands.count() == match.ply + 1
    middle = match.ply // 2
    worth = match.game.worth(match.state_at(middle))
    title = bands.nth(middle).locator("title").text_content() or ""
    for name, amount in zip(match.names, worth, strict=True):
        assert f"{name} {amount}" in title
    assert "%" not in title, "before a review nothing is said of the end"
    bands.nth(middle).locator("rect").click(force=True)
    at_moment(ann, middle, match)
    expect(bands.nth(middle)).to_have_class(re.compile("here"))
    # The review is the one that the library makes.
    start_review(ann)
    panel = ann.page.locator("[data-part=review-panel]")
    expect(panel).to_have_attribute("data-state", "done", timeout=LONG)
    decisions = list(review(match, Budget(simulations=TINY)))
    summed = summarize_review(match, decisions)
    mistakes = [mistake.words.render(names=match.names) for mistake in summed.turning_points]
    named = summary.locator("section", has=ann.page.get_by_role("heading", name="Turning points")).locator("li")
    expect(named.locator("a")).to_have_text(mistakes)
    expect(summary.get_by_role("group", name="Luck and skill").locator("thead th")).to_have_text(match.names)
    summary.locator("summary", has_text="Every decision").click()
    assert ann.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight"), "the page has no empty foot"
    judged = summary.locator("table.decisions tbody tr")
    expect(judged).to_have_count(len(decisions))
    columns = 6 if match.game.has_hidden_information else 4
    assert judged.first.locator("td, th").count() == columns, "two columns where something was hidden"
    last = decisions[-1]
    judged.last.locator("[data-ply]").click()
    at_moment(ann, last.ply, match)


def test_mistakes_are_shown_one_at_a_time_on_a_large_board(sit_down: OpenBrowser) -> None:
    ann, match = sit_down(), finished("passerelles", seed=10)
    open_finished(ann, match)
    tour, board = ann.page.locator("[data-part=tour]"), ann.page.locator("[data-part=board]")
    expect(tour).to_be_hidden()
    start_review(ann)
    opener = ann.page.locator("[data-part=mistakes]")
    mistakes = summarize_review(match, list(review(match, Budget(simulations=TINY)))).mistakes
    own = sorted((mistake.ply, mistake.words.render(names=match.names)) for mistake in mistakes if mistake.seat == 0)
    assert len(own) > 1
    expect(opener).to_have_text(f"See your {len(own)} mistakes", timeout=LONG)
    width = board.evaluate("board => board.getBoundingClientRect().width")
    opener.click()
    for number, (ply, words) in enumerate(own, 1):
        expect(tour.locator("p")).to_have_text(f"{number} of {len(own)} {words}")
        at_moment(ann, ply - 1, match)
        expect(ann.page.locator(".board .ghosts.hint .badge")).to_have_text(["✗", "✓"])
        tour.locator("[data-key=next]").click()
    expect(tour, "the last button closes it").to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    assert board.evaluate("board => board.getBoundingClientRect().width") > width + 200
    expect(tour.locator("[data-key=previous]")).to_be_disabled()
    ann.page.keyboard.press("Escape")
    expect(tour).to_be_hidden()
    expect(ann.page.locator("[data-part=result] h2")).to_be_visible()


def test_each_mistake_has_an_address_and_back_leads_to_the_table(sit_down: OpenBrowser) -> None:
    ann, match = sit_down(phone=True), finished("passerelles", seed=10)
    open_finished(ann, match)
    table, tour = ann.page.url, ann.page.locator("[data-part=tour]")
    start_review(ann)
    opener = ann.page.locator("[data-part=mistakes]")
    expect(opener).to_have_text(re.compile("See your"), timeout=LONG)
    expect(opener, "right below the headline").to_be_in_viewport(ratio=1)
    again = ann.page.get_by_role("link", name="New game")
    following = "(one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING"
    assert opener.evaluate(following, again.element_handle())
    ann.press(opener)
    expect(ann.page).to_have_url(f"{table}?mistake=1")
    ann.press(tour.locator("[data-key=next]"))
    expect(ann.page).to_have_url(f"{table}?mistake=2")
    for part in (tour, ann.page.locator("[data-part=board]")):
        expect(part).to_be_in_viewport(ratio=1)
    assert ann.page.evaluate("() => document.documentElement.scrollWidth") == ann.page.evaluate("() => innerWidth")
    ann.page.go_back()
    expect(tour).to_be_hidden()
    expect(ann.page).to_have_url(table)
    ann.page.goto(f"{table}?mistake=2")
    expect(tour.locator("p")).to_contain_text("2 of")
    ann.press(tour.locator("[data-key=close], [data-key=next]").last)
    expect(tour).to_be_hidden()
    expect(ann.page).to_have_url(table)


def test_the_biggest_gains_are_pictures_that_lead_to_their_positions(sit_down: OpenBrowser) -> None:
    ann, match = sit_down(), finished("pays-noir")
    open_finished(ann, match)
    moments = ann.page.locator("[data-part=result] .highlights a")
    expect(moments).to_have_count(3)
    for found, moment in zip(highlights(summarize_match(match)), moments.all(), strict=True):
        expect(moment).to_contain_text(f"{match.names[found.seat]} +{found.gain}")
        picture = moment.locator("img")
        ann.page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
        moment.click()
        at_moment(ann, found.ply, match)


def test_a_review_on_a_phone_in_french(sit_down: OpenBrowser) -> None:
    bob, match = sit_down(phone=True, locale="fr-FR", color_scheme="dark"), finished("passerelles")
    open_finished(bob, match)
    bob.page.route("**/api/tables/*/review", think_little)
    bob.press(bob.page.locator("[data-part=review-go]"))
    expect(bob.page.locator("[data-part=review-panel]")).to_have_attribute("data-state", "done")
    expect(bob.page.locator("[data-part=review-status]")).to_have_text(re.compile("décisions"))
    expect(bob.page.locator("[data-part=summary] table.decisions")).to_have_count(1)
    better, last = bob.page.locator("[data-better]").first, bob.page.locator("[data-part=log] button").last
    for tab, target in (("table", better), ("log", last)):
        bob.show_tab(tab)
        bob.press(target)
        for seen in ("banner", "board", "time"):
            expect(bob.page.locator(f"[data-part={seen}]"), "what was chosen far below").to_be_in_viewport()
    assert bob.page.evaluate("() => document.documentElement.scrollWidth") <= 375, "nothing sticks out at the side"
    bob.page.evaluate("() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    for width, height in ((375, 740), (1280, 800)):
        bob.page.set_viewport_size({"width": width, "height": height})
        assert bob.page.evaluate(TOO_WIDE) == [], "tables fit their panel"
        assert bob.page.evaluate(BROKEN) == [], "numbers stay whole"


def test_the_better_line_is_played_out_on_the_board_and_left_again(sit_down: OpenBrowser) -> None:
    ann, match = sit_down(), finished("passerelles")
    open_finished(ann, match)
    summary, page = summary_of(ann), ann.page
    start_review(ann)
    turning = summary.locator("section", has=page.get_by_role("heading", name="Turning points"))
    turning.get_by_role("button", name="Show on the board").first.click()
    expect(page.locator(".board .ghosts.hint .badge")).to_have_count(2)
    ply = 1 + int((page.locator("[data-part=position-text]").text_content() or "").split()[0])
    # Played out by itself, to its end: numbered on the board, in words in the log, never scrolling the page.
    page.get_by_role("button", name="Play out the better line").click()
    banner = page.locator("[data-part=banner]")
    expect(banner).to_have_text(re.compile(r"Better line, not played: move (\d+) of \1$"))
    moves = int((banner.text_content() or "").split()[-1])
    expect(page.locator(".board .ghosts.mark .badge")).to_have_count(moves)
    lines = page.locator("[data-part=log] li")
    expect(lines.last).to_have_attribute("data-ply", str(ply - 1 + moves))
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    page.keyboard.press("ArrowLeft")
    expect(banner).to_have_text(f"Better line, not played: move {moves - 1} of {moves}")
    expect(page.get_by_role("button", name="Link to this position")).to_be_hidden()
    # What was played, from the same move on.
    page.get_by_role("button", name="Play out what was played").click()
    expect(lines.last).to_have_attribute("data-ply", str(match.ply))
    expect(banner).to_have_text(re.compile("Viewing move|won"))
    # A position of the line against bots.
    page.get_by_role("button", name="Play out the better line").click()
    expect(banner).to_have_text(f"Better line, not played: move {moves} of {moves}")
    page.keyboard.press("ArrowLeft")
    expect(banner).to_have_text(f"Better line, not played: move {moves - 1} of {moves}")
    page.get_by_role("button", name="Play from here").click()
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    expect(page.locator("[data-part=branches]")).to_contain_text(f"another at move {ply - 1}.")


def test_axe_finds_nothing_after_the_game(sit_down: OpenBrowser) -> None:
    ann = sit_down(bypass_csp=True)
    open_finished(ann, finished("passerelles"))
    summary = summary_of(ann)
    start_review(ann)
    expect(ann.page.locator("[data-part=review-panel]")).to_have_attribute("data-state", "done")
    expect(summary.locator("table.decisions")).to_have_count(1)
    ann.unfold_all()
    for scheme in few(SCHEMES):
        ann.page.emulate_media(color_scheme=scheme)
        assert violations(ann.page) == []
    ann.page.goto("/statistics")
    assert violations(ann.page) == []


def test_the_game_goes_home_as_one_file(sit_down: OpenBrowser, tmp_path: Path) -> None:
    ann, match = sit_down(), finished("passerelles")
    open_finished(ann, match)
    start_review(ann)
    expect(ann.page.locator("[data-part=review-panel]")).to_have_attribute("data-state", "done")
    ann.page.locator("summary", has_text="More").click()
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("link", name="Replay (HTML file)").click()
    saved.value.save_as(tmp_path / "game.html")
    text = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) <= {"http://www.w3.org/2000/svg"}, "it needs nobody"
    assert "Every decision" in text


def test_the_chart_of_a_running_game_tells_what_the_viewer_may_know(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("pays-noir", "bot random")
    ann.wait()
    ann.page.locator("[data-part=summary-fold] > summary").click()
    summary = summary_of(ann)
    expect(summary.locator("table").last).to_contain_text("What happened")
    expect(summary.locator("table").last).not_to_contain_text("wins in 100")
    expect(ann.page.locator("[data-part=review-panel]")).to_be_hidden()
    last = summary.locator("svg.chart .bands a").last.get_attribute("data-ply")
    ann.move_by_pointer()
    expect(summary.locator("svg.chart .bands a").last).not_to_have_attribute("data-ply", last or "")


@pytest.mark.full
def test_a_review_goes_on_after_the_server_was_killed(browser: Browser, own_server: Server) -> None:
    ann, match = new_player(browser, own_server), finished("passerelles")
    open_finished(ann, match)
    ann.page.locator("[data-part=review-form] select").select_option("0.1")
    ann.press(ann.page.get_by_role("button", name="Review with a bot"))
    bar = ann.page.get_by_role("progressbar")
    expect(bar).to_be_visible()
    ann.page.wait_for_function("() => document.querySelector('[data-part=review-bar]').value >= 2")
    own_server.kill()
    before = int(bar.evaluate("bar => bar.value"))
    own_server.start()
    ann.page.wait_for_function(GONE_ON, arg=before)
    panel = ann.page.locator("[data-part=review-panel]")
    expect(panel).to_have_attribute("data-state", "done")
    expect(ann.page.locator("[data-part=summary]").get_by_role("heading", name="Every decision")).to_be_visible()
    ann.page.context.close()

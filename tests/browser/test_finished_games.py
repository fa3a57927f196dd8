"""After the game, in a real browser: fair dice, moments to share and to play on from, records, statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from librt.random import Random
from playwright.sync_api import FilePayload, expect

from ludotheque import CHANCE, load_game
from ludotheque.table import Dice, Match, Record, write_json, write_text
from tests.browser.conftest import OpenBrowser
from tests.browser.player import Player, play_to_the_end
from tests.speeds import few
from tests.table.matches import play_on, random_match

CUT_WORDS: Final = """cells => cells.flatMap((cell) => [...cell.textContent.matchAll(/\\S+/g)].filter((word) => {
  const range = new Range();
  range.setStart(cell.firstChild, word.index);
  range.setEnd(cell.firstChild, word.index + word[0].length);
  return range.getClientRects().length > 1;
}).map((word) => word[0]))"""
"""The words in cells that are on more than one line."""
PNG: Final = b"\x89PNG\r\n\x1a\n"


def finished(game: str = "cable-car") -> Match:
    kind = load_game(game)
    return random_match(kind, 5)


def upload(player: Player, text: str, name: str = "game.json") -> None:
    """Upload a record in the lobby."""
    player.page.goto("/")
    player.press(player.page.locator("details:has([data-part=record]) > summary"))
    file: FilePayload = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    player.page.locator("[data-part=record] input").set_input_files(file)
    player.press(player.page.locator("[data-part=record] button"))


def open_finished(player: Player, match: Match) -> None:
    player.open_record(write_json(Record.full(match)))


# Fair dice.


@pytest.mark.parametrize("game", few(["cable-car", "pays-noir", "passerelles"]))
def test_the_browser_checks_every_draw(sit_down: OpenBrowser, game: str) -> None:
    ann, match = sit_down(), finished(game)
    open_finished(ann, match)
    if match.dice is None:
        expect(ann.page.locator("[data-part=result] h2")).to_be_visible()
        expect(ann.page.locator(".fairness"), "a game without chance has no dice to check").to_have_count(0)
        return
    shown = ann.page.locator(".fairness[data-fair=yes]")
    expect(shown.locator("summary")).to_contain_text(f"Draws checked: {match.verify_dice()};")
    shown.locator("summary").click()
    expect(shown).to_contain_text(match.dice.commitment)
    assert match.dice.seed
    expect(shown).to_contain_text(match.dice.seed.hex())


def bent(match: Match) -> tuple[Match, int]:
    """The same game up to some draw in the middle, which fell otherwise than the dice say; and the ply of that draw."""
    plies = match.actions()
    ply = next(ply for ply in range(len(plies) // 2, len(plies)) if plies[ply][0] == CHANCE)
    other = next(outcome for outcome, _ in match.state_at(ply).weighted_outcomes() if outcome != plies[ply][1])
    history = [action for _, action in plies[:ply]] + [other]
    return play_on(Match(match.game, match.names, match.dice, history), Random(1)), ply + 1


def test_an_unfair_draw_is_named(sit_down: OpenBrowser) -> None:
    ann, match = sit_down(), finished()
    wrong, ply = bent(match)
    open_finished(ann, wrong)
    drawn, due = (Record.full(of).plies[ply - 1].move for of in (wrong, match))
    words = f"The dice were not fair: move {ply} drew {drawn}, but the seed gives {due}."
    expect(ann.page.locator(".fairness[data-fair=no] summary")).to_have_text(words)


@pytest.mark.full
def test_dice_without_a_seed_cannot_be_checked_and_the_page_says_so(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    match = finished()
    elsewhere = Match(match.game, match.names, Dice(commitment=match.dice.commitment) if match.dice else None)
    for who, action in match.actions():
        elsewhere.add(who, action)
    open_finished(ann, elsewhere)
    shown = ann.page.locator(".fairness[data-fair=unknown]")
    expect(shown.locator("summary")).to_have_text("The dice cannot be checked: their seed is not known here.")


# Moments.


def look_at(player: Player, ply: int) -> None:
    player.page.locator("[data-part=time]").evaluate(
        "(slider, ply) => { slider.value = ply; slider.dispatchEvent(new Event('input')) }", ply
    )
    expect(player.play_area).to_have_attribute("data-state", "past")


def test_a_link_opens_the_game_at_its_moment(sit_down: OpenBrowser) -> None:
    ann, bob = sit_down(), sit_down(phone=True)
    open_finished(ann, finished())
    look_at(ann, 40)
    ann.page.locator("[data-part=moment-link]").click()
    link = ann.page.locator("dialog[open] input").input_value()
    assert "?at=40#" in link
    bob.join(link)
    expect(bob.page.locator("[data-part=position-text]")).to_have_text("40 of 124")
    expect(bob.play_area).to_have_attribute("data-state", "past")
    assert "#" not in bob.page.url
    assert bob.page.url.endswith("?at=40"), "the address can be kept, the key is not in it"
    bob.page.reload()
    expect(bob.page.locator("[data-part=position-text]")).to_have_text("40 of 124")
    bob.show_tab("log")
    bob.press(bob.page.locator("[data-part=moment-link]"))
    assert "#" not in bob.page.locator("dialog[open] input").input_value(), "a spectator has no keys to give away"


def test_a_moment_is_saved_as_svg_and_as_png(sit_down: OpenBrowser, tmp_path: Path) -> None:
    ann = sit_down()
    open_finished(ann, finished())
    look_at(ann, 40)
    with ann.page.expect_download() as saved:
        ann.page.locator("[data-part=moment-png]").click()
    assert saved.value.suggested_filename.endswith("-40.png")
    saved.value.save_as(tmp_path / "moment.png")
    assert (tmp_path / "moment.png").read_bytes().startswith(PNG)
    assert (tmp_path / "moment.png").stat().st_size > 20_000, "the board is on it"
    address = ann.page.locator("[data-part=moment-svg]").get_attribute("href")
    assert address
    assert ann.page.request.get(address).text().startswith("<svg")


@pytest.mark.parametrize("game", few(["cable-car", "chicago-express"]))
def test_a_moment_is_played_on_from(sit_down: OpenBrowser, game: str) -> None:
    ann, match = sit_down(), finished(game)
    open_finished(ann, match)
    original = ann.page.url
    expect(ann.page.locator("[data-part=moment-play]")).to_be_hidden()
    look_at(ann, match.ply // 2)
    ann.press(ann.page.locator("[data-part=moment-play]"))
    dialog = ann.page.locator("dialog[open]")
    dialog.get_by_label("Play as").select_option(label=match.names[1])
    dialog.get_by_label("Opponents").select_option(label="Random mover")
    ann.press(dialog.get_by_role("button", name="Start"))
    ann.page.wait_for_url(lambda url: "/t/" in url and url != original)
    ann.wait()
    expect(ann.page.locator("[data-part=banner]")).to_contain_text("Your turn")
    expect(ann.page.locator("[data-part=branches]")).to_contain_text(f"at move {match.ply // 2}")
    ann.move_by_pointer()
    ann.page.locator("[data-part=branches] a").click()
    ann.page.wait_for_url(f"{original}?at={match.ply // 2}")
    ann.page.locator("[data-part=branches] a").click()
    ann.page.wait_for_url(lambda url: not url.startswith(original))
    ann.wait_for_table()
    assert ann.log[: len(log_of(match, match.ply // 2))] == log_of(match, match.ply // 2)


def log_of(match: Match, ply: int) -> list[str]:
    view = match.view(1, ply)
    return [line.phrase.render(names=match.names) for line in view.log]


def test_a_running_game_with_secrets_offers_no_playing_on(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start("cable-car", "bot random")
    ann.wait()
    ann.page.locator("[data-part=time-back]").click()
    expect(ann.play_area).to_have_attribute("data-state", "past")
    expect(ann.page.locator("[data-part=moment-link]")).to_be_visible()
    expect(ann.page.locator("[data-part=moment-play]")).to_be_hidden()


# Records.


def test_a_record_goes_down_as_a_file_and_up_again(sit_down: OpenBrowser, tmp_path: Path) -> None:
    ann, match = sit_down(), finished()
    open_finished(ann, match)
    ann.page.locator("summary", has_text="More").click()
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("link", name="as text").click()
    saved.value.save_as(tmp_path / "game.txt")
    text = (tmp_path / "game.txt").read_text()
    assert text == write_text(Record.full(match))
    upload(ann, text, "game.txt")
    ann.page.wait_for_url("**/t/*")
    expect(ann.page.locator("[data-part=result] h2")).to_be_visible()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "Dear diary",
            'This record cannot be opened. This is not a record: one begins with "{" (JSON) or with "[" (text).',
        ),
        ('{"format": "ludotheque-record"', "This record cannot be opened. The record is not a complete JSON"),
    ],
)
def test_a_bad_file_gets_a_sentence(sit_down: OpenBrowser, text: str, sentence: str) -> None:
    ann = sit_down()
    upload(ann, text)
    expect(ann.page.locator("[data-part=record-error]")).to_contain_text(sentence)
    assert ann.page.url.endswith("/")


# Statistics.


def test_the_lobby_leads_to_the_statistics(sit_down: OpenBrowser) -> None:
    ann = sit_down()
    ann.start_in_lobby("passerelles", "bot random", rounds=1)
    ann.hurry_bots()
    play_to_the_end(ann.point)
    ann.see_the_end()
    ann.page.goto("/")
    ann.page.get_by_role("link", name="Server statistics").click()
    section = ann.page.locator("section", has=ann.page.get_by_role("heading", name="Passerelles"))
    expect(section.get_by_role("rowheader", name="Random mover")).to_be_visible()
    expect(section.get_by_role("rowheader", name="People")).to_be_visible()
    for language in ("en", "fr", "nl"):
        bob = sit_down(phone=True, locale=language)
        bob.page.goto("/statistics")
        assert bob.page.locator("th").evaluate_all(CUT_WORDS) == []
        widths = bob.page.locator(".wide-table").evaluate_all("tables => tables.map((table) => table.scrollWidth)")
        assert max(widths) < 375

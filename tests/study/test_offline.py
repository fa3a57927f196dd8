"""A match as one HTML file: complete, self-contained, and revealing no more than its viewer's view."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import islice

import msgspec
import pytest

from ludotheque import SPECTATOR, Match, load_game
from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.show.language import Reader
from ludotheque.show.offline import Film, film, render_review, replay_file, review_file
from ludotheque.show.scenes import RenderedPiece, RenderedScene, render_scene, renderer
from ludotheque.study.review import Budget, review
from tests.show.test_scenes import in_order
from tests.speeds import few
from tests.table.matches import random_match, twins

TABLES = [
    load_game("cable-car", 3, companies=True),
    load_game("chicago-express", 3),
    load_game("passerelles", rounds=1),
    load_game("pays-noir", 2, track=30),
]
ENGLISH = Reader("en")


def carried(file: str) -> Film:
    """The match that a file carries."""
    found = re.search(r'<script type="application/json" id="match">(.*?)</script>', file)
    assert found
    return msgspec.json.decode(found[1], type=Film)


@pytest.mark.parametrize("game", few(TABLES, 2), ids=repr)
def test_the_changes_of_a_film_add_up_to_every_scene(game: Game) -> None:
    match = random_match(game, 1)
    render = renderer(match.game.name, ENGLISH, match.names)
    pieces: dict[str, RenderedPiece] = {}
    tables: object = None
    for ply, frame in enumerate(film(match, 0, ENGLISH).frames):
        change = frame.scene
        for id in change.gone:
            del pieces[id]
        pieces |= {piece.id: piece for piece in change.pieces}
        pieces = {id: pieces[id] for id in in_order(pieces, change.follows)}
        tables = tables if change.tables is None else change.tables
        scene: RenderedScene = render_scene(game.scene(match.view(0, ply).observation), render)
        assert (tuple(pieces.values()), tables) == (scene.pieces, scene.tables)
    assert ply == match.ply


@pytest.mark.parametrize("game", few(TABLES, 2), ids=repr)
def test_a_file_loads_nothing_from_outside(game: Game) -> None:
    match = random_match(game, 1)
    file = review_file(match, list(islice(review(match, Budget(simulations=16)), 3)))
    assert carried(file) == film(match, SPECTATOR, ENGLISH)
    addresses = Addresses()
    addresses.feed(file)
    assert addresses.found
    assert all(address.startswith(("data:", "#")) for address in addresses.found)
    assert "default-src 'none'" in file


class Addresses(HTMLParser):
    """Whatever a page would load or lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src", "data-style", "data-backdrop")]


def test_a_file_for_one_seat_reveals_nothing_hidden_from_it() -> None:
    for game in (load_game("cable-car", 3), load_game("pays-noir", 2)):
        match = random_match(game, 2, plies=40)
        found = list(twins(match, 1, attempts=2))
        assert found
        for twin in found:
            assert replay_file(twin, 1) == replay_file(match, 1)


def test_a_running_game_with_secrets_is_filmed_without_better_lines() -> None:
    match = random_match(load_game("cable-car", 2), 2, plies=24)
    decisions = list(review(match, Budget(40, 0.0, 1), viewer=0))
    judged = decisions[-1].as_seen
    blunder = msgspec.structs.replace(judged, before=(0.9, 0.1), after=(0.1, 0.9), better=phrase("Better."), error=0.0)
    found = film(match, 0, ENGLISH, [msgspec.structs.replace(decisions[-1], as_seen=blunder)])
    assert len(found.frames) == match.ply + 1
    assert not found.lines


def test_a_file_is_in_the_language_asked_for() -> None:
    match = random_match(load_game("passerelles", rounds=1), 1)
    decisions = list(islice(review(match, Budget(simulations=16)), 4))
    files = {language: review_file(match, decisions, language=language) for language in ("en", "fr", "nl")}
    for language, file in files.items():
        assert f'<html lang="{language}"' in file
    assert len({tuple(re.findall(r"<h2>(.*?)</h2>", file)) for file in files.values()}) == 3


@pytest.mark.parametrize(("language", "form"), [("en", "${}"), ("fr", "{}\N{NO-BREAK SPACE}$"), ("nl", "${}")])
def test_the_standings_of_chicago_express_are_in_dollars(language: str, form: str) -> None:
    match = random_match(load_game("chicago-express", 3), 1)
    dollars = sorted(match.view().scores, reverse=True)
    standings = re.findall(r"</span> <strong>(.*?)</strong>", replay_file(match, language=language))
    assert standings == [form.format(each) for each in dollars]


def test_the_review_of_chicago_express_names_dollars_by_source() -> None:
    match = random_match(load_game("chicago-express", 2), 1)
    headings = re.findall(r"<h2>(.*?)</h2>", review_file(match, list(islice(review(match, Budget(simulations=16)), 1))))
    assert "Dollars by source" in headings
    assert "Points by source" not in headings


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_each_score_is_made_of_its_sources_and_the_winner_comes_first(game: Game) -> None:
    match = random_match(game, 1)
    shown, view = render_review(match, [], SPECTATOR, ENGLISH), match.view()
    by_name = dict(zip(match.names, view.scores, strict=True))
    assert sorted(each.name for each in shown.standings) == sorted(match.names)
    assert view.returns[match.names.index(shown.standings[0].name)] == max(view.returns)
    for each in shown.standings:
        assert number(each.score) == by_name[each.name] == sum(number(part.amount) for part in each.parts)
        lengths = [part.percent for part in each.parts]
        assert lengths == sorted(lengths, reverse=True)
        assert sum(lengths) < 100.5
        assert all(part.percent == 0 for part in each.parts if number(part.amount) < 0)


def number(amount: str) -> int:
    return int(amount.replace("$", "").replace("\N{MINUS SIGN}", "-"))


def test_a_running_game_has_no_standings() -> None:
    match = Match.start(load_game("passerelles", rounds=1), ("Ann", "Ben"))
    assert render_review(match, [], 0, ENGLISH).standings == ()


def test_the_moments_of_a_board_that_grows_are_shown_close_up() -> None:
    match = random_match(load_game("pays-noir", 2), 1)
    moments = render_review(match, [], SPECTATOR, ENGLISH).highlights
    assert [bool(moment.view_box) for moment in moments] == [moment.ply < match.ply for moment in moments]
    scene = match.game.scene(match.view(SPECTATOR, moments[0].ply).observation)
    x, y, width, height = map(float, moments[0].view_box.split(","))
    assert width == height == 5 * scene.legible, "five cards wide"
    last = next(piece for piece in scene.pieces if "last" in piece.classes.split() and not piece.in_tray)
    assert (x + width / 2, y + height / 2) == (last.x, last.y)
    board = random_match(load_game("passerelles", rounds=1), 1)
    assert {each.view_box for each in render_review(board, [], SPECTATOR, ENGLISH).highlights} == {""}


def test_names_cannot_become_markup() -> None:
    match = random_match(load_game("passerelles", rounds=1), 1)
    match.rename(0, "<b>&</script>")
    file = review_file(match, list(islice(review(match, Budget(simulations=16)), 4)))
    assert "<b>" not in file
    assert file.count("</script>") == 3

"""Charts agree with the record, and tables with the charts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from ludotheque import load_game
from ludotheque.core.game import Game
from ludotheque.core.phrases import Phrase
from ludotheque.show.charts import (
    BOTTOM,
    HEIGHT,
    TOP,
    WIDTH,
    ChartLine,
    bar_chart,
    html_table,
    line_chart,
    moments_table,
    prospects_chart,
    result_lines,
    sources_chart,
    sources_table,
    worth_chart,
    worth_legend,
)
from ludotheque.study.match_summary import summarize_match
from ludotheque.study.review import Budget, review
from ludotheque.table import Match
from tests.speeds import few
from tests.table.matches import random_match

SVG = "{http://www.w3.org/2000/svg}"
TABLES = [
    load_game("cable-car", 3, companies=True),
    load_game("chicago-express", 4),
    load_game("passerelles"),
    load_game("pays-noir", 2, track=30),
]


def render(phrase: Phrase) -> str:
    return str(phrase)


def of_class(picture: ET.Element, kind: str, tag: str) -> list[ET.Element]:
    return [element for element in picture.iter(SVG + tag) if kind in (element.get("class") or "").split()]


def heights(picture: str, kind: str = "line") -> list[list[float]]:
    """By seat: how high its line is at each of its points."""
    lines = of_class(ET.fromstring(picture), kind, "polyline")
    return [[float(place.split(",")[1]) for place in (line.get("points") or "").split()] for line in lines]


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_the_lines_go_up_and_down_with_the_scores_of_the_record(game: Game) -> None:
    match = random_match(game, 3)
    drawn = heights(worth_chart(summarize_match(match), render))
    worth = [[game.worth(match.state_at(ply))[seat] for ply in range(match.ply + 1)] for seat in range(game.players)]
    flat = [
        (value, height) for row, line in zip(worth, drawn, strict=True) for value, height in zip(row, line, strict=True)
    ]
    check_scale(flat)


def check_scale(drawn: Sequence[tuple[float, float]]) -> None:
    """Values and their heights on the picture go together."""
    low, high = min(drawn), max(drawn)
    scale = (low[1] - high[1]) / (high[0] - low[0])
    for value, height in drawn:
        assert height == pytest.approx(low[1] - (value - low[0]) * scale, abs=0.11)


@pytest.mark.parametrize("game", few(TABLES, 2), ids=repr)
def test_every_ply_has_its_words_and_a_link(game: Game) -> None:
    match = random_match(game, 3)
    links = list(ET.fromstring(worth_chart(summarize_match(match), render)).iter(SVG + "a"))
    assert [link.get("data-ply") for link in links] == [str(ply) for ply in range(match.ply + 1)]
    assert [link.get("href") for link in links] == [f"#ply-{ply}" for ply in range(match.ply + 1)]
    for line in match.view().log:
        assert str(line.phrase) in (links[line.ply].findtext(SVG + "title") or "")
    assert all(link.get("tabindex") == "-1" for link in links)


def test_prospects_are_those_of_the_review_where_there_is_one() -> None:
    match = random_match(load_game("passerelles", rounds=1), 3)
    decisions = list(review(match, Budget(simulations=16)))
    summary = summarize_match(match)
    drawn = heights(prospects_chart(summary, render, decisions))
    shares = [
        share for decision in decisions for share in (decision.best_informed.before[0], decision.best_informed.after[0])
    ]
    shares.append(summary.returns[0])  # in the end it is what the seat got
    floor = HEIGHT - BOTTOM
    assert drawn[0] == pytest.approx([floor - share * (floor - TOP) for share in shares], abs=0.06)


def test_the_final_scores_to_expect_are_drawn_thin_on_the_scale_of_the_scores() -> None:
    match = random_match(load_game("passerelles", rounds=1), 3)
    summary, decisions = summarize_match(match), list(review(match, Budget(simulations=16)))
    picture = worth_chart(summary, render, decisions)
    had, hoped = heights(picture), heights(picture, "thin")
    assert [line[-1] for line in hoped] == [line[-1] for line in had], "in the end they are what the seats have"
    scores = [
        score for one in decisions for score in (one.best_informed.scores_before[1], one.best_informed.scores_after[1])
    ]
    check_scale(list(zip([*scores, match.view().scores[1]], hoped[1], strict=True)))


def test_the_table_of_moves_has_the_numbers_of_the_charts() -> None:
    match = random_match(load_game("passerelles", rounds=1), 3)
    summary, decisions = summarize_match(match), list(review(match, Budget(simulations=16)))
    rows = ET.fromstring(moments_table(summary, render, decisions)).findall("tbody/tr")
    for one in decisions[:-1]:
        cells = [cell.text for cell in rows[one.ply].iterfind("td")]
        assert cells[3:5] == [f"{score:.0f}" for score in one.best_informed.scores_after]
        assert cells[5:7] == [f"{100 * share:.0f}" for share in one.best_informed.after]


def amount_in(cell: ET.Element) -> int:
    return int((cell.text or "").replace("$", "").replace("\N{MINUS SIGN}", "-"))


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_bars_and_their_table_agree_with_the_scores(game: Game) -> None:
    match = random_match(game, 4)
    summary = summarize_match(match)
    picture = ET.fromstring(sources_chart(summary, game.score_text, render))
    amounts = [amount for source in summary.sources for amount in source.amounts if amount]
    widths = [float(bar.get("width") or 0) for bar in of_class(picture, "bar", "rect")]
    texts = [str(game.score_text(amount)) for amount in amounts]
    assert [number.text for number in of_class(picture, "amount", "text")] == texts
    unit = widths[0] / abs(amounts[0])
    assert widths == pytest.approx([abs(amount) * unit for amount in amounts], abs=0.2, rel=0.05)
    table = ET.fromstring(sources_table(summary, game.score_text, render))
    sums = [amount_in(cell) for cell in table.iterfind("tfoot/tr/td")]
    assert tuple(sums) == match.view().scores
    columns = [[amount_in(cell) for cell in row.iterfind("td")] for row in table.iterfind("tbody/tr")]
    assert [sum(column) for column in zip(*columns, strict=True)] == sums


def test_a_result_is_described_best_first() -> None:
    match = random_match(load_game("cable-car", 3), 1)
    summary = summarize_match(match)
    lines = result_lines(summary, match.game.score_text, render)
    scores = sorted(match.view().scores, reverse=True)
    assert [line.split(": ")[1].split(".")[0] for line in lines] == [str(score) for score in scores]
    first = summary.names[match.view().scores.index(scores[0])]
    assert re.fullmatch(rf"{first}: {scores[0]}\. Lines \d+(, Power station \d+)?\.", lines[0])


def test_a_result_in_dollars_says_so() -> None:
    match = random_match(load_game("chicago-express", 3), 1)
    lines = result_lines(summarize_match(match), match.game.score_text, render)
    dollars = sorted(match.view().scores, reverse=True)
    assert [line.split(": ")[1].split(".")[0] for line in lines] == [f"${each}" for each in dollars]
    assert re.search(r"Dividends of \S+ \$\d+", lines[0])
    assert re.search("Paid for shares \N{MINUS SIGN}[$][0-9]+", " ".join(lines))


@pytest.mark.parametrize("game", few(TABLES, 2), ids=repr)
def test_the_table_of_moves_has_a_row_for_every_ply(game: Game) -> None:
    match = random_match(game, 5)
    rows = ET.fromstring(moments_table(summarize_match(match), render)).findall("tbody/tr")
    assert [row.get("id") for row in rows] == [f"ply-{ply}" for ply in range(match.ply + 1)]
    for ply in range(0, match.ply + 1, 9):
        cells = [cell.text for cell in rows[ply].iterfind("td")]
        assert cells[1 : 1 + game.players] == [str(score) for score in match.state_at(ply).scores()]


def test_scores_that_may_not_be_known_are_not_drawn() -> None:
    match = random_match(load_game("cable-car", 3, companies=True), 3, plies=50)
    summary = summarize_match(match, 0)
    assert sources_chart(summary, match.game.score_text, render) == ""
    assert worth_chart(summary, render) == ""
    assert "?" not in moments_table(summary, render)


def test_before_a_review_nothing_says_what_to_expect() -> None:
    match = random_match(load_game("passerelles", rounds=1), 3)
    summary = summarize_match(match)
    assert prospects_chart(summary, render) == ""
    drawn = worth_chart(summary, render)
    assert heights(drawn, "thin") == []
    assert "%" not in drawn + moments_table(summary, render)
    assert "at the end" not in drawn + moments_table(summary, render)


def test_the_legend_calls_worth_an_estimate_where_it_is_not_the_score() -> None:
    legends = [str(worth_legend(summarize_match(random_match(game, 3, plies=20)))) for game in TABLES[1:3]]
    assert ["estimate" in legend for legend in legends] == [True, False]


def test_charts_have_the_colours_of_the_players() -> None:
    match = random_match(load_game("cable-car", 3), 3)
    drawn = worth_chart(summarize_match(match), render)
    for colour in ("yellow", "blue", "orange"):
        assert f"tint-{colour}" in drawn


def test_a_match_before_its_first_ply_can_be_drawn() -> None:
    match = Match(load_game("passerelles"))
    summary = summarize_match(match)
    ET.fromstring(worth_chart(summary, render))
    assert sources_chart(summary, match.game.score_text, render) == ""


def test_names_at_the_ends_of_lines_do_not_overlap_or_leave_the_picture() -> None:
    for value in (0.0, 50.0, 100.0):
        lines = [ChartLine(seat, f"Seat {seat}", ((0, 0.0), (1, value))) for seat in range(6)]
        picture = ET.fromstring(line_chart("Six at one place", lines, ["", ""], low=0, high=100))
        places = sorted(float(name.get("y") or 0) for name in of_class(picture, "name", "text"))
        assert all(later - earlier > 14 for earlier, later in pairwise(places))
        assert places[0] > 0
        assert places[-1] < HEIGHT


def test_every_seat_has_dashes_or_a_name_and_not_only_a_colour() -> None:
    bars = bar_chart("Bars", [("Lines", (3, -4))], ["Ann", "Bob"], ["blue", "red"])
    assert "Ann" in bars
    assert "Bob" in bars
    picture = ET.fromstring(bars)
    for bar in of_class(picture, "bar", "rect"):
        assert 0 <= float(bar.get("x") or -1) <= WIDTH


def test_names_and_words_cannot_become_markup() -> None:
    evil = "<script>&"
    line = line_chart(evil, [ChartLine(0, evil, ((0, 1.0),))], [evil])
    table = html_table(evil, [evil], [[evil]])
    for text in (line, bar_chart(evil, [(evil, (1,))], [evil], ["red"]), table):
        assert "<script>" not in text
        ET.fromstring(text)

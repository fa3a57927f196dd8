"""The companies board: its numbers against the rules, at every position of random games, for every viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from msgspec import Struct, structs

from ludotheque.core.colours import colour_mark, seat_mark
from ludotheque.core.game import SPECTATOR
from ludotheque.core.observation import HIDDEN
from ludotheque.core.phrases import NOTHING, phrase
from ludotheque.core.scene import Bar, Row
from ludotheque.games.cable_car import board, scene
from ludotheque.games.cable_car.companies import Company, SharePile, companies
from ludotheque.games.cable_car.observation import CableCarObservation
from ludotheque.games.cable_car.observe import observe
from ludotheque.games.cable_car.rules import CableCarState
from tests.games.cable_car.positions import game, position
from tests.table.matches import random_match

NOT_YET = "\N{EN DASH}"
COMPANY = {colour: company for company, colour in enumerate(board.COLOURS)}


class Seen(Struct):
    """A position, and what a viewer knows of the companies there."""

    state: CableCarState
    viewer: int
    companies: list[Company]


def positions(players: int, seed: int) -> Iterator[Seen]:
    """All positions of a random game as each viewer knows them."""
    played = game(players, companies=True)
    state = played.new_initial_state()
    for _, action in random_match(played, seed).actions():
        state.apply_action(action)
        for viewer in (*range(players), SPECTATOR):
            seen = observe(state, viewer)
            yield Seen(state, viewer, companies(seen.points, seen.shares))


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (6, 3)])
def test_points_and_values_are_those_of_the_rules(players: int, seed: int) -> None:
    for seen in positions(players, seed):
        for company in seen.companies:
            number = COMPANY[company.colour]
            assert (company.points, company.value) == (seen.state.points[number], seen.state.value(number))


@pytest.mark.parametrize(("players", "seed"), [(2, 4), (3, 5), (6, 6)])
def test_a_holding_lies_between_what_is_known_and_what_is_possible(players: int, seed: int) -> None:
    for seen in positions(players, seed):
        for company in seen.companies:
            true = [10 * seen.state.holding(seat, COMPANY[company.colour]) for seat in range(players)]
            assert all(map(int.__le__, company.holdings, true))
            assert all(map(int.__le__, true, company.most_possible))
            if seen.viewer != SPECTATOR:
                assert company.holdings[seen.viewer] == true[seen.viewer] == company.most_possible[seen.viewer]


@pytest.mark.parametrize(("players", "seed"), [(2, 7), (3, 8), (4, 9)])
def test_a_certain_majority_is_the_true_one(players: int, seed: int) -> None:
    certain = 0
    for seen in positions(players, seed):
        for company in seen.companies:
            if not company.is_majority_certain:
                continue
            certain += 1
            true = [seen.state.holding(seat, COMPANY[company.colour]) for seat in range(players)]
            assert company.leaders == tuple(seat for seat, held in enumerate(true) if held == max(true) > 0)
    assert certain


@pytest.mark.parametrize(("players", "seed"), [(2, 10), (3, 11), (6, 12)])
def test_gains_for_shares_are_the_points_of_the_shares(players: int, seed: int) -> None:
    for seen in positions(players, seed):
        if seen.viewer != SPECTATOR:
            counted = sum(company.shares(seen.viewer) for company in seen.companies)
            assert counted == seen.state.share_points(seen.viewer)


@pytest.mark.parametrize(("players", "seed"), [(2, 13), (3, 14), (6, 15)])
def test_in_the_end_all_gains_together_are_the_score(players: int, seed: int) -> None:
    *_, last = positions(players, seed)
    assert last.state.is_terminal()
    scores = [sum(company.gain(seat) for company in last.companies) for seat in range(players)]
    assert scores == last.state.scores()


# As the page shows it.


def view(shares: Mapping[int, tuple[str, str, str]], viewer: int = 0, **points: int) -> CableCarObservation:
    """What a viewer knows at a table of two: by percentage the shares of both, and the open one."""
    piles = [SharePile(percent, (mine, other), open, 5, ()) for percent, (mine, other, open) in shares.items()]
    seen = observe(position(companies=True), viewer)
    return structs.replace(seen, shares=tuple(piles), points=tuple(points.get(colour, 0) for colour in board.COLOURS))


def row_of(colour: str, seen: CableCarObservation) -> Row:
    table, _ = scene.scene(seen).tables
    return next(row for row in table.rows if isinstance(row[0], tuple) and row[0][0].colour == colour)


SHARES = {
    10: ("blue", "?", "red"),
    20: ("yellow", "black", "red"),
    30: ("red", "?", "yellow"),
    40: ("yellow", "?", "red"),
}


def test_before_the_first_point_there_is_no_value_and_no_score() -> None:
    companies, players = scene.scene(view(SHARES)).tables
    assert {row[2] for row in companies.rows} == {NOT_YET}
    assert row_of("blue", view(SHARES))[-1] == NOT_YET
    assert [row[-1] for row in players.rows] == [NOT_YET, HIDDEN]


def test_in_brief_the_board_shows_what_companies_are_worth_and_in_which_the_viewer_has_shares() -> None:
    seen = view(SHARES, yellow=38, red=12)
    table, _ = scene.scene(seen).tables
    assert str(table.head[table.brief]) == "Worth"
    own = [row[0][0].colour for place, row in enumerate(table.rows) if place in table.own and isinstance(row[0], tuple)]
    assert sorted(own) == ["blue", "red", "yellow"]
    looking_on = scene.scene(view(SHARES, SPECTATOR)).tables[0]
    assert looking_on.own == ()


def test_a_row_says_what_a_company_brings_its_holder() -> None:
    marks, points, each, majority, yours, gain = row_of("yellow", view(SHARES, yellow=38, red=12))
    assert marks == (colour_mark("yellow", phrase("yellow")),)
    assert points == Bar(38, 38, "yellow")
    assert (each, str(yours), gain) == (8, "60%", 6 * 8 + 3)
    assert majority == (seat_mark(0),), "the other can have 10% at most"


def test_a_score_says_what_it_is_made_of() -> None:
    _, players = scene.scene(view(SHARES, yellow=38, red=12)).tables
    shares = 6 * 8 + 3 * 7 + 1 * 6
    assert str(players.rows[0][2]) == f"Shares {shares}, majorities 4", "3 for yellow and 1 for red"
    assert players.rows[0][3] == shares + 4
    assert players.rows[1][2:] == (NOTHING, HIDDEN)


def test_a_majority_that_unknown_shares_may_change_is_in_doubt() -> None:
    seen = view(SHARES, blue=10)
    assert row_of("blue", seen)[3] == (seat_mark(0, HIDDEN),), "70% of it may be in the other hand"
    assert row_of("black", seen)[3] == (seat_mark(1),), "nobody else holds a share that may be black"
    assert row_of("green", seen)[3] == HIDDEN


def test_tied_leaders_are_all_named() -> None:
    shares = SHARES | {10: ("blue", "green", "red"), 30: ("black", "blue", "red"), 20: ("blue", "red", "green")}
    assert row_of("blue", view(shares))[3] == (seat_mark(0), seat_mark(1, HIDDEN))


def test_a_bar_is_full_where_swapping_ends_or_at_the_most_points() -> None:
    assert row_of("blue", view(SHARES, blue=10))[1] == Bar(10, 25, "blue")
    assert row_of("blue", view(SHARES, blue=10, red=40))[1] == Bar(10, 40, "blue")


def test_a_spectator_is_shown_no_holding_of_their_own() -> None:
    table, _ = scene.scene(observe(position(companies=True), SPECTATOR)).tables
    assert [str(word) for word in table.head] == ["Company", "Points", "Worth", "Majority"]
    assert {len(row) for row in table.rows} == {4}


@pytest.mark.parametrize(("players", "seed"), [(2, 21), (4, 22)])
def test_a_certificate_says_the_points_that_it_brings_now(players: int, seed: int) -> None:
    for seen in positions(players, seed):
        observation = observe(seen.state, seen.viewer)
        pieces = {piece.id: piece for piece in scene.scene(observation).pieces}
        values = {company.colour: company.value for company in seen.companies}
        for pile in observation.shares:
            own = "" if seen.viewer == SPECTATOR else pile.hands[seen.viewer]
            for name, company in (("own", own), ("open", pile.open)):
                assert (f"{name}:{pile.percent}" in pieces) == bool(company)
                if company:
                    points = values[company] * pile.percent // 10
                    worth = f"+{points}" if any(seen.state.points) else NOT_YET
                    assert pieces[f"{name}-worth:{pile.percent}"].text == worth

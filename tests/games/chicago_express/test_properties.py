"""What holds in every game: found by playing many at random."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from librt.random import Random

import ludotheque
from ludotheque.core.bits import places
from ludotheque.games.chicago_express.board import COMPANIES, DETROIT, WORD_BITS, hexes_of
from ludotheque.games.chicago_express.document import neighbours
from ludotheque.games.chicago_express.rules import (
    BID,
    BIDDING,
    BUILDING,
    CHOOSING,
    DECLINE,
    DETROIT_GROWN,
    EXPANSION,
    HEX,
    HOUSES_OUT,
    LOCOMOTIVES_OUT,
    NAMING,
    PASS,
    SHARES_OUT,
    ChicagoExpressState,
)
from ludotheque.testing import check_game
from tests.speeds import pairs, several

from .table import new_game

PRINTINGS = ("first", "revised")
TABLES = [(players, printing) for players in range(2, 7) for printing in PRINTINGS]
GAMES = several(400, 10_000) if ludotheque.COMPILED else 60
"""In all, over player counts and printings. Pure mode is for debugging and plays a few."""

STYLES = ("anyhow", "westward")
"""Players who do anything at all hardly ever get to Chicago; those who build westward do."""

tables = st.sampled_from(TABLES)
styles = st.sampled_from(STYLES)
seeds = st.integers(0, 2**32 - 1)


def dollars(state: ChicagoExpressState) -> int:
    return sum(state.cash) + sum(state.treasury) + state.bank


def move(state: ChicagoExpressState, style: str, rng: Random) -> int:
    """A legal move: any, or one of a player who bids little, expands often and builds to the west."""
    sampled = state.sample(rng)
    if style == "anyhow":
        return sampled
    if state.stage == CHOOSING and not state.is_red(EXPANSION) and rng.randrange(3):
        return EXPANSION
    if state.stage == BIDDING and sampled != PASS:
        return BID + min(state.lowest_bid() + rng.randrange(3), state.cash[state.player])
    if state.stage == NAMING and sampled == DECLINE:
        return state.sample(rng)
    if state.stage == BUILDING:
        west = [
            HEX + WORD_BITS * word + places(state.open_hexes(word))[0] for word in range(3) if state.open_hexes(word)
        ]
        return west[0]
    return sampled


# Many games.


@pytest.mark.both
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("players", "printing"), TABLES)
def test_every_game_ends_by_a_stated_condition_within_its_bounds(players: int, printing: str, style: str) -> None:
    """At most 8 general dividends, 11 turns between two of them, 88 turns; not a dollar is lost on the way."""
    start = new_game(players, printing=printing).new_initial_state()
    rng = Random(1000 * players + len(printing))
    for _ in range(GAMES // len(TABLES) // len(STYLES)):
        state = start.clone()
        turns = since_dividend = 0
        detroit = state.steps[DETROIT]
        while state.current_player() >= 0:
            chooses = state.stage == CHOOSING
            state.apply(move(state, style, rng))
            if chooses:
                turns += 1
                since_dividend += 1
                assert since_dividend <= 11
                assert dollars(state) == 120
            if state.steps[DETROIT] != detroit:
                detroit = state.steps[DETROIT]
                since_dividend = 0
        assert turns <= 88
        assert state.steps[DETROIT] <= 7, "the eighth dividend is the last"
        assert state.ends() != 0
        check_pieces(state)
        check_money(state)


def check_money(state: ChicagoExpressState) -> None:
    assert dollars(state) == 120
    assert min(state.cash) >= 0
    assert min(state.treasury) >= 0


def check_pieces(state: ChicagoExpressState) -> None:
    """Locomotives, shares and houses are where they should be, none lost and none made."""
    board = state.board
    for company, printed in enumerate(board.facts.companies):
        placed = len(hexes_of(state.networks, company))
        assert placed + state.locomotives[company] == printed.locomotives
        held = [int(state.held[COMPANIES * seat + company]) for seat in range(state.players)]
        assert sum(held) == state.sold[company] <= printed.shares
    assert len(hexes_of(state.developed)) + state.houses == 20


# Every position, reckoned anew.


@pytest.mark.both
@settings(max_examples=several(8, 40) if ludotheque.COMPILED else several(2, 4))
@given(table=tables, style=styles, seed=seeds)
def test_what_is_kept_up_to_date_is_what_the_map_says(table: tuple[int, str], style: str, seed: int) -> None:
    players, printing = table
    state = new_game(players, printing=printing).new_initial_state()
    rng = Random(seed)
    while state.current_player() >= 0:
        state.apply(move(state, style, rng))
        if state.stage in (CHOOSING, BUILDING):
            check_money(state)
            check_pieces(state)
            check_frontiers(state)
            check_prices(state)
            check_incomes(state)
            check_ripe(state)


def networks(state: ChicagoExpressState) -> list[set[int]]:
    return [set(hexes_of(state.networks, company)) for company in range(COMPANIES)]


def check_frontiers(state: ChicagoExpressState) -> None:
    facts = state.board.facts
    number_at = {hex.place: number for number, hex in enumerate(facts.hexes)}
    for company, network in enumerate(networks(state)):
        near = {place for hex in network for place in neighbours(*facts.hexes[hex].place)}
        expected = {number_at[place] for place in near if place in number_at} - network
        assert set(hexes_of(state.frontiers, company)) == expected


def check_prices(state: ChicagoExpressState) -> None:
    """Where a locomotive may stand within each price: none in start hexes, one in forests and mountains."""
    prices: dict[int, int] = {}
    companies = networks(state)
    for number, hex in enumerate(state.board.facts.hexes):
        there = sum(number in network for network in companies)
        if hex.terrain != "start" and not (there and hex.terrain in ("forest", "mountain")):
            prices[number] = hex.cost * (there + 1)
    for price in range(state.board.highest_price + 1):
        expected = {number for number, dear in prices.items() if dear <= price}
        assert set(hexes_of(state.within, price)) == expected


def check_incomes(state: ChicagoExpressState) -> None:
    """An income is the start income and the present values of all hexes of the network."""
    facts = state.board.facts
    houses = set(hexes_of(state.developed))
    track_value = {city.hex: city.track[step] for city, step in zip(facts.industry, state.steps, strict=True)}
    for company, network in enumerate(networks(state)):
        expected = facts.companies[company].income if network else 0
        for number in network:
            hex = facts.hexes[number]
            if hex.id != facts.companies[company].start:
                expected += track_value.get(hex.id, hex.income)
            if number in houses:
                expected += hex.development
        assert state.income[company] == expected


def check_ripe(state: ChicagoExpressState) -> None:
    facts = state.board.facts
    houses = set(hexes_of(state.developed))
    used = set[int]().union(*networks(state))
    grown = {city.hex for city, step in zip(facts.industry, state.steps, strict=True) if step == len(city.track) - 1}
    expected = {
        number
        for number in used - houses
        if facts.hexes[number].terrain in ("forest", "mountain", "city", "industrial")
        and facts.hexes[number].name not in ("Chicago", "Detroit")
        and facts.hexes[number].id not in grown
    }
    assert set(hexes_of(state.can_be_developed)) == expected


@pytest.mark.both
@settings(max_examples=several(6, 20) if ludotheque.COMPILED else several(2, 3))
@given(table=tables, style=styles, seed=seeds)
def test_no_position_is_stuck_and_samples_are_legal_actions(table: tuple[int, str], style: str, seed: int) -> None:
    players, printing = table
    state = new_game(players, printing=printing).new_initial_state()
    rng = Random(seed)
    while state.current_player() >= 0:
        legal = state.legal_actions()
        assert legal
        samples = {state.sample(rng) for _ in range(60)}
        assert samples <= set(legal)
        assert samples == set(legal) or len(legal) > 3
        state.apply(move(state, style, rng))


@settings(max_examples=several(6, 20))
@given(table=tables, style=styles, seed=seeds)
def test_all_cash_stays_below_the_bound_that_fixes_the_range_of_bids(
    table: tuple[int, str], style: str, seed: int
) -> None:
    players, printing = table
    game = new_game(players, printing=printing)
    state = game.new_initial_state()
    rng = Random(seed)
    while state.current_player() >= 0:
        in_chicago = [company for company in range(COMPANIES) if state.is_on(company, state.board.chicago)]
        assert sum(state.cash) <= state.board.most_money(state.steps[DETROIT], in_chicago) <= game.most_bid
        for company in range(COMPANIES):
            assert state.income[company] + state.sold[company] - 1 <= state.board.most_paid(company)
        state.apply(move(state, style, rng))


def test_the_games_reach_chicago_and_every_end() -> None:
    """What is found by playing at random is worth something only if the games get everywhere."""
    rng = Random(5)
    in_chicago = 0
    ends = 0
    for number in range(300):
        players, printing = TABLES[number % len(TABLES)]
        state = new_game(players, printing=printing).new_initial_state()
        while state.current_player() >= 0:
            state.apply(move(state, STYLES[number % 3 > 0], rng))
        in_chicago += state.wabash_open
        ends |= state.ends()
    assert in_chicago > 100
    assert ends == LOCOMOTIVES_OUT | SHARES_OUT | HOUSES_OUT | DETROIT_GROWN


# The kit.


@pytest.mark.parametrize(("players", "printing"), pairs(range(2, 7), PRINTINGS))
def test_conformance(players: int, printing: str) -> None:
    check_game(new_game(players, printing=printing), games=1, every=40)

"""The summary of a match: earnings by source, and what each viewer may know."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from ludotheque import SPECTATOR, load_game
from ludotheque.core.earnings import AT_ONCE, Earning, Source, sources, totals
from ludotheque.core.game import Game
from ludotheque.core.phrases import in_full, phrase
from ludotheque.study.match_summary import LEAST_RISE, NOBODY, MatchSummary, highlights, summarize_match
from tests.speeds import few, several
from tests.table.matches import random_match, twins
from tests.toy import Nim, Orchard

TABLES = [
    load_game("cable-car", 3),
    load_game("cable-car", 4, companies=True),
    load_game("chicago-express", 3),
    load_game("chicago-express", 4, printing="revised"),
    load_game("passerelles"),
    load_game("pays-noir", 3),
    Orchard(3, {"rounds": 40}),
    Nim(2),
]
HIDING = [table for table in TABLES if table.has_hidden_information]


def names_of(summary: MatchSummary) -> set[str]:
    return {str(source.name) for source in summary.sources}


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_the_sources_add_up_to_the_scores_at_every_ply_and_at_the_end(game: Game) -> None:
    for number in range(several(1, 3)):
        match = random_match(game, number)
        summary = summarize_match(match)
        so_far = [0] * game.players
        for moment in summary.moments:
            for earning in moment.earned:
                so_far[earning.seat] += earning.amount
            assert tuple(so_far) == moment.scores
        assert tuple(sum(source.amounts[seat] for source in summary.sources) for seat in range(game.players)) == (
            match.view().scores
        )
        assert summary.returns == match.view().returns == summary.moments[-1].expected_shares
        assert summary.moments[-1].expected_scores == match.view().scores


@pytest.mark.parametrize("game", few(TABLES, 3), ids=repr)
def test_a_summary_agrees_with_the_match_ply_by_ply(game: Game) -> None:
    match = random_match(game, 5)
    summary = summarize_match(match)
    assert [moment.ply for moment in summary.moments] == list(range(match.ply + 1))
    assert [moment.who for moment in summary.moments] == [NOBODY, *(who for who, _ in match.actions())]
    for ply in range(0, match.ply + 1, 7):
        state = match.state_at(ply)
        assert summary.moments[ply].scores == tuple(state.scores())
        assert summary.moments[ply].worth == tuple(game.worth(state))
        assert sum(summary.moments[ply].expected_shares) == pytest.approx(1, abs=1e-3)
    lines = [in_full(line.phrase) for line in match.view().log]
    assert [phrase for moment in summary.moments for phrase in moment.words] == lines
    assert msgspec.json.decode(msgspec.json.encode(summary), type=MatchSummary) == summary


@pytest.mark.parametrize("game", HIDING, ids=repr)
def test_the_summary_of_a_running_game_does_not_change_with_what_is_hidden(game: Game) -> None:
    compared = 0
    for number in range(several(1, 2)):
        match = random_match(game, number, plies=40)
        assert not match.is_over
        for viewer in (0, 1, SPECTATOR):
            for twin in twins(match, viewer, attempts=2):
                assert msgspec.json.encode(summarize_match(twin, viewer)) == msgspec.json.encode(
                    summarize_match(match, viewer)
                )
                compared += 1
    assert compared > 2


def test_scores_of_the_companies_are_shown_at_the_end_only() -> None:
    game = load_game("cable-car", 3, companies=True)
    running = summarize_match(random_match(game, 1, plies=60), 0)
    assert not any(moment.scores or moment.worth or moment.earned for moment in running.moments)
    assert running.sources == ()
    assert all(moment.scores for moment in summarize_match(random_match(game, 1), 0).moments)


def test_the_sources_of_each_game_are_its_own() -> None:
    assert names_of(summarize_match(random_match(load_game("cable-car", 3), 1))) == {"Lines", "Power station"}
    companies = names_of(summarize_match(random_match(load_game("cable-car", 4, companies=True), 1)))
    assert {"Majorities"} < companies
    assert companies - {"Majorities"} <= {
        f"Shares of {colour}" for colour in ["yellow", "blue", "orange", "green", "purple", "black", "red", "brown"]
    }
    assert names_of(summarize_match(random_match(load_game("passerelles"), 1))) == {
        "Areas of round 1",
        "Areas of round 2",
    }
    pays = set().union(
        *(names_of(summarize_match(random_match(load_game("pays-noir", 4), number))) for number in range(6))
    )
    assert pays == {"Railway lines", "Ports", "Mines", "Factories", "Towns", "Countries"}
    assert names_of(summarize_match(random_match(Orchard(3), 1))) == {"Points"}


def test_money_comes_from_dividends_and_goes_for_shares() -> None:
    summary = summarize_match(random_match(load_game("chicago-express", 3), 1))
    assert str(summary.unit) == "Dollars"
    assert summary.has_worth
    by_name = {str(source.name): source.amounts for source in summary.sources}
    assert by_name["At the start"] == (40, 40, 40)
    assert all(amount <= 0 for amount in by_name["Paid for shares"])
    dividends = [amounts for name, amounts in by_name.items() if name.startswith("Dividends of ")]
    assert dividends
    assert all(amount >= 0 for amounts in dividends for amount in amounts)


def test_a_source_that_sums_to_zero_is_left_out() -> None:
    lines, ports = phrase("Lines"), phrase("Ports")
    earned = [Earning(0, lines, 3), Earning(1, ports, 2), Earning(0, lines, 4), Earning(1, ports, -2)]
    assert sources(earned, 2) == (Source(lines, (7, 0)),)


def test_the_highlights_are_the_biggest_gains_of_a_seat_in_the_order_of_the_match() -> None:
    summary = summarize_match(random_match(load_game("chicago-express", 2), 4))
    gains = {
        after.ply: max(now - was for was, now in zip(before.scores, after.scores, strict=True))
        for before, after in pairwise(summary.moments)
    }
    found = highlights(summary)
    assert len(found) == 3
    assert [highlight.ply for highlight in found] == sorted(highlight.ply for highlight in found)
    assert all(highlight.gain == gains[highlight.ply] for highlight in found)
    assert sorted(highlight.gain for highlight in found) == sorted(gains.values())[-3:]


def test_the_final_count_is_a_highlight_with_all_that_it_brings() -> None:
    summary = summarize_match(random_match(load_game("pays-noir", 2), 4))
    last = summary.moments[-1]
    counted = totals(last.earned, 2, AT_ONCE)
    grown = [now - was for was, now in zip(summary.moments[-2].scores, last.scores, strict=True)]
    assert max(counted) > max(grown)  # the countries had grown before
    found = highlights(summary)[-1]
    assert (found.ply, found.gain) == (last.ply, max(counted))


def test_hidden_shares_make_no_highlight_before_the_final_count() -> None:
    summary = summarize_match(random_match(load_game("cable-car", 2, companies=True), 3))
    *before, final = highlights(summary)
    last = summary.moments[-1]
    assert (final.ply, final.gain) == (last.ply, max(last.scores))
    assert len(before) == 2
    for found in before:
        moment, was = summary.moments[found.ply], summary.moments[found.ply - 1]
        assert moment.who >= 0  # a decision, not the deal of the shares
        assert not found.gain
        rises = [after - share for share, after in zip(was.expected_shares, moment.expected_shares, strict=True)]
        assert found.rise == max(rises) >= LEAST_RISE


def test_a_match_without_gains_has_no_highlights() -> None:
    match = random_match(load_game("passerelles", rounds=1), 1)
    assert highlights(msgspec.structs.replace(summarize_match(match), moments=summarize_match(match).moments[:1])) == []

"""At a table: whole turns on a line, records that carry their board."""

from __future__ import annotations

import pytest

from ludotheque.core.phrases import NOTHING, Detailed
from ludotheque.errors import IllegalMove
from ludotheque.games.chicago_express import ChicagoExpress
from ludotheque.table import Match, Record, read_json, read_text, write_json, write_text

from .table import new_game

OPENING = ("bid 9", "pass", "bid 7", "pass", "bid 6", "pass", "pass", "bid 12")


def opened(game: ChicagoExpress) -> Match:
    """A match of two after the opening auctions: seat 2 owns NYC, seat 1 the rest."""
    match = Match.start(game)
    for line in OPENING:
        match.play(match.to_move, line)
    return match


def test_a_whole_turn_is_played_by_one_line() -> None:
    match = opened(new_game(2))
    ply = match.ply
    match.play(0, "expand PRR Q6 P6")
    assert (match.ply - ply, match.to_move) == (5, 1)


def test_a_line_is_played_whole_or_not_at_all() -> None:
    match = opened(new_game(2))
    ply = match.ply
    with pytest.raises(IllegalMove, match="The plain south of Chicago is not next to the network of PRR"):
        match.play(0, "expand PRR Q6 A3")
    assert (match.ply, match.to_move) == (ply, 0)


def test_an_expansion_is_taken_back_hex_by_hex_until_it_is_done() -> None:
    match = opened(new_game(2))
    match.play(0, "expand PRR")
    match.play(0, "Q6")
    match.undo(0)
    match.play(0, "R4")
    match.play(0, "done")
    assert match.view(0).log[-2].phrase.render() == "PRR builds to the plain north of Philadelphia for $1."


def test_the_news_name_the_cities_that_are_reached_and_no_other_hexes() -> None:
    """What is not named has a picture there, and the map shows no coordinates."""
    match = opened(new_game(2))
    match.play(0, "expand PRR Q5 P4 O4")
    plain, _, city = (line.phrase for line in match.view(0).log[-3:])
    assert isinstance(plain, Detailed)
    assert isinstance(city, Detailed)
    assert plain.render() == "PRR builds to the plain north-west of Philadelphia for $1."
    assert plain.short == NOTHING
    assert city.short.render() == "To Harrisburg, $2."


def test_the_news_tell_the_result_of_an_auction_and_not_the_pass_that_ended_it() -> None:
    match = Match.start(new_game(2), ("Ann", "Ben"))
    match.play(0, "7")
    match.play(1, "pass")
    passed, sold = (line.phrase for line in match.view(0).log[-2:])
    assert isinstance(passed, Detailed)
    assert (passed.render(), passed.short) == ("Seat 2 passes.", NOTHING)
    assert sold.render() == "Seat 1 buys a share of PRR for $7."


@pytest.mark.parametrize("text", [False, True])
def test_a_record_carries_its_board(text: bool) -> None:
    """So that it can be replayed by someone who does not have the file."""
    match = opened(new_game(2, printing="revised", board={"corrections": {"Q6": {"cost": 3}}}))
    match.play(0, "expand PRR Q6")
    record = Record.full(match)
    read = read_text(write_text(record)) if text else read_json(write_json(record))
    assert read == record
    again = read.to_match()
    assert again.view(0).log[-2].phrase.render() == "PRR builds to the plain north of Baltimore for $3."
    assert again.game.settings["printing"] == "revised"

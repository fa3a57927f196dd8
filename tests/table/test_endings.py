"""Matches that end before their last move: by resignations, or by agreement."""

from __future__ import annotations

import json

import msgspec
import pytest

from ludotheque.core.game import CHANCE, SPECTATOR, TERMINAL
from ludotheque.core.phrases import ENGLISH
from ludotheque.errors import BadRecord, IllegalMove, StillHidden
from ludotheque.table import Ending, Match, Record, Resignation, read_json, read_text, write_json, write_text
from tests.table.matches import first_action, random_match
from tests.toy import Orchard


def started(players: int = 2, plies: int = 9) -> Match:
    match = random_match(Orchard(players, {}), 1, plies)
    assert not match.is_over
    return match


def resigned(match: Match, *seats: int) -> Match:
    for seat in seats:
        match.ending = match.ending.resign(seat, match.ply)
    return match


def log_of(match: Match) -> list[str]:
    return [line.phrase.render(ENGLISH, match.names) for line in match.view().log]


def test_in_a_game_of_two_the_other_wins() -> None:
    match = resigned(started(), 0)
    view = match.view()
    assert (match.is_over, match.is_played_out, match.to_move) == (True, False, TERMINAL)
    assert (view.returns, len(view.scores), view.to_move) == ((0.0, 1.0), 2, TERMINAL)
    assert log_of(match)[-1] == "Ann resigns."


def test_nobody_can_move_draw_or_undo_afterwards() -> None:
    match = started()
    seat, ply = match.to_move, match.ply
    resigned(match, 1 - seat)
    with pytest.raises(IllegalMove):
        match.play(seat, 0)
    assert not match.choices(seat)
    assert not match.choices(TERMINAL)
    assert not match.plan_draws().plies
    match.roll()
    assert match.ply == ply
    assert match.undo_rules.why_not(seat)
    assert not match.premove_offers(1 - seat)


def test_a_draw_that_was_due_is_not_made() -> None:
    match = started()
    while match.to_move != CHANCE:
        match.add(match.to_move, first_action(match))
    assert resigned(match, 0).plan_draws().plies == ()


def test_with_three_seats_the_game_goes_on_until_one_is_left() -> None:
    match = resigned(started(3), 0)
    assert not match.is_over
    assert match.view().returns == ()
    assert log_of(match)[-1] == "Ann resigns. A bot plays on."
    match.play(match.to_move, first_action(match))
    assert "Ann resigns. A bot plays on." in log_of(match)[:-1]
    resigned(match, 1)
    assert match.view().returns == (0.0, 0.0, 1.0)
    assert log_of(match)[-1] == "Bob resigns."


def test_an_abandoned_match_has_no_result() -> None:
    match = started(3)
    match.ending = match.ending.abandon()
    assert (match.is_over, match.view().scores, match.view().returns) == (True, (), ())
    assert log_of(match)[-1] == "The game ends by agreement, without a winner."


def test_what_was_hidden_is_open_after_the_end() -> None:
    match = started()
    with pytest.raises(StillHidden):
        match.state_at(1)
    resigned(match, 0)
    match.state_at(1)
    assert match.view().seed
    assert Record.seen_by(match, SPECTATOR).viewer is None


def test_an_earlier_position_shows_nothing_of_the_end() -> None:
    match = resigned(started(), 0)
    past = match.view(at=match.ply - 1)
    assert past.to_move != TERMINAL
    assert past.returns == ()
    assert "Ann resigns." not in [line.phrase.render(ENGLISH, match.names) for line in past.log]


@pytest.mark.parametrize(
    "ending",
    [
        Ending((Resignation(1, 9),)),
        Ending(abandoned=True),
        Ending((Resignation(0, 3),)),
        Ending((Resignation(1, 9, timed_out=True),)),
    ],
)
def test_records_tell_of_it_and_lead_to_the_same_match(ending: Ending) -> None:
    match = started(3)
    match.ending = ending
    for record in (Record.full(match), Record.seen_by(match, 0)):
        assert read_json(write_json(record)) == read_text(write_text(record)) == record
    again = Record.full(match).to_match()
    assert (again.ending, again.view()) == (match.ending, match.view())


def test_a_record_without_an_early_end_is_written_as_before() -> None:
    match = started()
    match.ending = msgspec.json.decode("{}", type=Ending)  # as a database holds it
    assert "ending" not in json.loads(write_json(Record.full(match)))
    assert "Resigned" not in write_text(Record.full(started()))


def test_text_says_who_resigned_and_that_a_match_was_abandoned() -> None:
    match = resigned(started(3), 1)
    assert f"[Resigned 2 {match.ply}]\n" in write_text(Record.full(match))
    match.ending = Ending().time_out(1, match.ply)
    assert f"[TimedOut 2 {match.ply}]\n" in write_text(Record.full(match))
    match.ending = match.ending.abandon()
    assert write_text(Record.full(match)).endswith("\nResult: abandoned\n")


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        ({"resigned": [{"seat": 5, "ply": 1}]}, "does not exist"),
        ({"resigned": [{"seat": 0, "ply": 1}, {"seat": 0, "ply": 2}]}, "at most once"),
        ({"resigned": [{"seat": 0, "ply": 1}, {"seat": 1, "ply": 2}, {"seat": 2, "ply": 3}]}, "one is left"),
        ({"resigned": [{"seat": 0, "ply": 3}, {"seat": 1, "ply": 2}]}, "in the order"),
        ({"resigned": [{"seat": 0, "ply": 999}]}, "in the order"),
        ({"resigned": [{"seat": 0, "ply": 1}, {"seat": 1, "ply": 2}]}, "goes on"),
        ({"resigned": [{"seat": 0, "ply": -1}]}, ">= 0"),
        ({"by": "force"}, "unknown field"),
    ],
)
def test_a_record_with_an_impossible_ending_is_refused(ending: object, reason: str) -> None:
    document = json.loads(write_json(Record.full(started(3))))
    with pytest.raises(BadRecord, match=reason):
        read_json(json.dumps(document | {"ending": ending}))


def test_a_game_that_is_over_cannot_be_given_up() -> None:
    document = json.loads(write_json(Record.full(random_match(Orchard(2, {}), 1))))
    ending = {"resigned": [{"seat": 0, "ply": len(document["plies"])}]}
    with pytest.raises(BadRecord, match="over before"):
        read_json(json.dumps(document | {"ending": ending}))


def test_a_bad_line_about_a_resignation_is_refused() -> None:
    text = write_text(Record.full(resigned(started(3), 1)))
    with pytest.raises(BadRecord, match="number of a seat"):
        read_text(text.replace("[Resigned 2 ", "[Resigned Bob "))

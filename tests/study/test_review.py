"""The review of a match: what a decision was worth, by what its player knew and by what was there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from ludotheque import SPECTATOR, load_game, policy_of
from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.errors import BadReview
from ludotheque.study.review import Budget, Decision, Judgement, Question, judge, questions, review
from ludotheque.study.review_file import ReviewFile, terms
from ludotheque.study.review_summary import doubt_words, effect_words, share_words, summary
from ludotheque.table import Match
from tests.table.matches import random_match, twins
from tests.toy import Nim, Orchard

TINY = Budget(simulations=16)
TABLES = [
    load_game("cable-car", 2, companies=True),
    load_game("chicago-express", 3),
    load_game("passerelles", rounds=1),
    load_game("pays-noir", 2, track=30),
    Orchard(2),
    Nim(2),
]
HIDING = [load_game("cable-car", 3, companies=True), load_game("pays-noir", 3), Orchard(3, {"rounds": 3})]


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_a_review_judges_every_decision_where_there_was_a_choice(game: Game) -> None:
    match = random_match(game, 3)
    decisions = list(review(match, TINY))
    by_ply = {decision.ply: decision for decision in decisions}
    for ply, (who, action) in enumerate(match.actions(), 1):
        before = match.state_at(ply - 1)
        assert (ply in by_ply) == (who >= 0 and len(before.legal_actions()) > 1)
        if ply in by_ply:
            check_decision(game, by_ply[ply], who, before.action_to_string(action))
            assert by_ply[ply].known.best in {before.action_to_string(other) for other in before.legal_actions()}
    assert msgspec.json.decode(msgspec.json.encode(decisions), type=list[Decision]) == decisions


def check_decision(game: Game, decision: Decision, who: int, move: str) -> None:
    assert (decision.seat, decision.move) == (who, move)
    assert str(decision.words)
    assert (decision.there is not None) == game.has_hidden_information
    for judged in (decision.known, decision.truth):
        assert sum(judged.before) == pytest.approx(1, abs=1e-3)
        assert sum(judged.after) == pytest.approx(1, abs=1e-3)
        assert judged.loss(who) >= 0
        assert len(judged.scores_before) == len(judged.scores_after) == len(judged.score_margins) == game.players
        assert (judged.better is None) == (judged.best == move) == (judged.before == judged.after)


def test_the_same_budget_gives_the_same_review() -> None:
    match = random_match(load_game("cable-car", 3), 4, plies=40)
    ended = random_match(load_game("passerelles", rounds=1), 4)
    for told, viewer in ((match, 1), (ended, SPECTATOR)):
        asked = questions(told, Budget(simulations=40, seed=7), viewer)[:8]
        assert [judge(question) for question in asked] == [judge(question) for question in asked]
        other = questions(told, Budget(simulations=40, seed=8), viewer)[:8]
        assert [judge(question) for question in asked] != [judge(question) for question in other]


@pytest.mark.parametrize("game", HIDING, ids=repr)
def test_what_a_player_knew_is_judged_without_what_was_hidden(game: Game) -> None:
    """Change the hidden facts: the numbers, the best move and how it goes on stay the same."""
    compared = 0
    for seat in range(2):
        match = seats_turn(game, seat)
        asked = questions(match, Budget(simulations=32), seat)[-1]
        for twin in twins(match, seat, attempts=3):
            assert judge(questions(twin, Budget(simulations=32), seat)[-1]).known == judge(asked).known
            compared += 1
    assert compared > 1


def seats_turn(game: Game, seat: int) -> Match:
    """A running match whose latest move was a choice of a seat."""
    for plies in range(20, 200):
        match = random_match(game, 2, plies)
        last = questions(match, TINY, seat)[-1:]
        if last and last[0].ply == match.ply:
            return match
    raise AssertionError("the seat never has a choice")


def test_what_was_there_is_judged_by_what_was_hidden() -> None:
    """The second column knows the cards of the others: change those, and its numbers change."""
    game = Orchard(3, {"rounds": 3})
    match = seats_turn(game, 0)
    [asked] = questions(match, Budget(simulations=64), 0)[-1:]
    truths = set()
    for told in (match, *twins(match, 0, attempts=3)):
        history = tuple(action for _, action in told.actions())[:-1]
        told_all = msgspec.structs.replace(asked, history=history, with_truth=True)
        truths.add(judge(told_all).truth.after)
    assert len(truths) > 1


def test_a_review_of_a_running_game_tells_a_viewer_of_their_own_decisions_only() -> None:
    match = random_match(load_game("cable-car", 3), 1, plies=30)
    own = list(review(match, TINY, viewer=1))
    assert own
    assert {decision.seat for decision in own} == {1}
    assert all(decision.there is None for decision in own)
    assert list(review(match, TINY)) == []
    assert summary(match, own).balances == ()
    open_to_all = random_match(load_game("passerelles"), 1, plies=6)
    assert {decision.seat for decision in review(open_to_all, TINY)} == {0, 1}


def test_a_mistake_is_found_and_named() -> None:
    """Nim: whoever takes the last match wins, so one should leave four; of seven, three must be taken, of six two."""
    match = Match.start(Nim(2), ["Ann", "Bob"])
    for seat, move in enumerate(("(1)", "(2)")):
        match.play(seat, move)
    slip, answer = review(match, Budget(simulations=800))
    assert (slip.move, slip.known.best, str(slip.known.better)) == ("(1)", "(3)", "Seat 1 takes 3")
    assert slip.known.loss(0) > 0.1
    assert (answer.known.best, answer.known.better, answer.known.loss(1)) == ("(2)", None, 0)


# Luck and skill.


@pytest.mark.parametrize("game", TABLES, ids=repr)
def test_luck_and_decisions_add_up_to_the_result(game: Game) -> None:
    match = random_match(game, 6)
    balances = summary(match, list(review(match, TINY))).balances
    end = policy_of(game).judged(match.state_at(match.ply))
    assert [balance.seat for balance in balances] == list(range(game.players))
    for balance in balances:
        parts = balance.luck + balance.own + balance.others + balance.unforeseen
        assert balance.start + parts == pytest.approx(balance.end)
        assert balance.end == pytest.approx(end[balance.seat])
        assert balance.own <= 0 <= balance.given_away
    assert all(balance.luck == 0 for balance in balances) or game.has_chance


def decision(ply: int, seat: int, before: float, after: float) -> Decision:
    """A decision between two seats, by what the first can expect."""
    judged = Judgement(
        before=(before, 1 - before),
        after=(after, 1 - after),
        scores_before=(20.0, 10.0),
        scores_after=(20.0, 10.0),
        score_margins=(0.5, 0.5),
        best="best",
        better=None if before == after else phrase("The best."),
        follows=(),
        error=0.01,
        visits=100,
    )
    return Decision(ply=ply, seat=seat, move="played", words=phrase("The other."), known=judged)


def test_a_change_is_booked_under_what_came_between() -> None:
    match = random_match(Orchard(2), 1)
    movers = [who for who, _ in match.actions()]
    first = movers.index(0)
    later = next(ply for ply in range(first + 1, len(movers)) if movers[ply] == 1 and -1 in movers[first + 1 : ply])
    told = summary(match, [decision(first + 1, 0, 0.7, 0.6), decision(later + 1, 1, 0.5, 0.9)])
    one, two = told.balances
    assert (one.own, one.others) == pytest.approx((-0.1, 0.4))
    assert (two.own, two.others) == pytest.approx((-0.4, 0.1))
    assert one.luck - (one.end - 0.9 if -1 in movers[later + 1 :] else 0) == pytest.approx(0.2 - 0.1)
    assert (one.decisions, one.given_away) == pytest.approx((1, 0.1))


def test_the_three_biggest_swings_are_named_the_biggest_first() -> None:
    match = random_match(Nim(2), 1)
    losses = [0.1, 0.0, 0.4, 0.2, 0.3]
    told = summary(match, [decision(ply, 0, 0.5, 0.5 - loss) for ply, loss in enumerate(losses, 1)])
    assert [swing.ply for swing in told.swings] == [3, 5, 4]
    assert str(told.swings[0].words) == "Move 3: The other. It cost Seat 1 40 % of the win. Better: The best."
    assert summary(match, [decision(1, 0, 0.5, 0.5)]).swings == ()


def test_who_gains_most_by_a_mistake_is_named_among_several() -> None:
    slip = decision(4, 0, 0.5, 0.3)
    judged = msgspec.structs.replace(
        slip.known, before=(0.5, 0.3, 0.2), after=(0.3, 0.45, 0.25),
        scores_before=(9.0, 9.0, 9.0), scores_after=(9.0, 9.0, 9.0), score_margins=(0.0, 0.0, 0.0),
    )  # fmt: skip
    match = random_match(Orchard(3), 1)
    [swing] = summary(match, [msgspec.structs.replace(slip, known=judged)]).swings
    assert "It cost Seat 1 20 % of the win, most of it to the good of Seat 2." in str(swing.words)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ((50, 40, 30), (46, 49, 29), "It cost Seat 1 $4 and 12 % of the win; it gave Seat 2 $9 more."),
        ((50, 40, 30), (50, 49, 26), "It cost Seat 1 12 % of the win; it gave Seat 2 $9 more, it took $4 from Seat 3."),
        ((50, 40, 30), (53, 49, 30), "It cost Seat 1 12 % of the win; it gave Seat 2 $9 more, it gave Seat 1 $3 more."),
        ((50, 40, 30), (48, 42, 30), "It cost Seat 1 12 % of the win."),
    ],
)
def test_what_a_decision_brought_is_told_in_the_money_of_the_game(
    before: tuple[float, ...], after: tuple[float, ...], sentence: str
) -> None:
    """Only what is beyond doubt."""
    slip = decision(4, 0, 0.5, 0.38).known
    judged = msgspec.structs.replace(
        slip, before=(0.5, 0.3, 0.2), after=(0.38, 0.36, 0.26), scores_before=before, scores_after=after,
        score_margins=(2.0, 2.0, 2.0),
    )  # fmt: skip
    assert str(effect_words(load_game("chicago-express", 3), judged, 0)) == sentence


def test_hardly_anything_is_not_told_as_nothing() -> None:
    assert str(share_words(0.004)) == "less than 1 % of the win"
    assert str(doubt_words(0.0)) == "An estimate may be off by less than 1 % of the win."
    assert str(doubt_words(0.031)) == "An estimate may be off by about 3 % of the win."


# Stopping and going on.


def test_a_review_that_was_stopped_goes_on_where_it_stopped_with_the_same_result(tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 2)
    whole = list(review(match, TINY))
    path = tmp_path / "review.jsonl"
    assert list(islice(stored(match, path), 5)) == whole[:5]
    judged: list[int] = []

    def noting(asked: Sequence[Question]) -> Iterator[Decision]:
        for question in asked:
            judged.append(question.ply)
            yield judge(question)

    again = ReviewFile(path, terms(match, TINY))
    assert list(review(match, TINY, store=again, run=noting)) == whole
    assert judged == [decision.ply for decision in whole[5:]]
    assert list(stored(match, path)) == whole


def stored(match: Match, path: Path) -> Iterator[Decision]:
    return review(match, TINY, store=ReviewFile(path, terms(match, TINY)))


def test_what_was_written_by_half_is_judged_again(tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 2)
    path = tmp_path / "review.jsonl"
    whole = list(islice(stored(match, path), 3))
    path.write_bytes(path.read_bytes()[:-20])
    assert ReviewFile(path, terms(match, TINY)).kept() == whole[:2]
    assert list(islice(stored(match, path), 3)) == whole


def test_a_file_of_another_review_is_refused(tmp_path: Path) -> None:
    match = random_match(Nim(2), 1)
    path = tmp_path / "review.jsonl"
    list(stored(match, path))
    for other in (terms(match, Budget(simulations=17)), terms(random_match(Nim(2), 2), TINY), terms(match, TINY, 0)):
        with pytest.raises(BadReview, match="another game or on other terms"):
            ReviewFile(path, other)
    path.write_bytes(path.read_bytes().replace(b"ludotheque-review-", b"ludotheque-review-9"))
    with pytest.raises(BadReview, match="another version of Ludotheque"):
        ReviewFile(path, terms(match, TINY))
    path.write_text("nonsense\n")
    with pytest.raises(BadReview, match="does not hold a review"):
        ReviewFile(path, terms(match, TINY))
    with pytest.raises(BadReview, match="cannot be"):
        ReviewFile(tmp_path, terms(match, TINY))
    with pytest.raises(BadReview, match="cannot be written"):
        ReviewFile(tmp_path / "no" / "such.jsonl", terms(match, TINY))


@pytest.mark.parametrize("budget", [Budget(), Budget(simulations=100, seconds=1.0), Budget(simulations=3)])
def test_a_budget_that_makes_no_sense_is_refused(budget: Budget) -> None:
    with pytest.raises(BadReview, match="A review needs"):
        list(review(random_match(Nim(2), 1), budget))


def test_a_review_can_be_made_by_the_clock() -> None:
    match = random_match(Nim(2), 1)
    assert [decision.ply for decision in review(match, Budget(seconds=0.001))] == [
        question.ply for question in questions(match, TINY)
    ]

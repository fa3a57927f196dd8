"""The review of a match: what a decision cost, as seen and with hindsight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from ludotheque import SPECTATOR, Turn, load_game
from ludotheque.bots import registry
from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.errors import BadReview
from ludotheque.study.review import Budget, Decision, Judgement, PendingDecision, judge, pending_decisions, review
from ludotheque.study.review_file import ReviewFile, terms
from ludotheque.study.review_summary import effect_words, margin_words, share_words, summarize_review
from ludotheque.table import Match
from tests.speeds import few
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


@pytest.mark.parametrize("game", few(TABLES, 3), ids=repr)
def test_a_review_judges_every_decision_where_there_was_a_choice(game: Game) -> None:
    match = random_match(game, 3)
    decisions = list(review(match, TINY))
    by_ply = {decision.ply: decision for decision in decisions}
    for ply, (who, action) in enumerate(match.actions(), 1):
        before = match.state_at(ply - 1)
        assert (ply in by_ply) == (who >= 0 and len(before.legal_actions()) > 1)
        if ply in by_ply:
            check_decision(game, by_ply[ply], who, before.action_to_string(action))
            assert by_ply[ply].as_seen.best in {before.action_to_string(other) for other in before.legal_actions()}
    assert msgspec.json.decode(msgspec.json.encode(decisions), type=list[Decision]) == decisions


def check_decision(game: Game, decision: Decision, who: int, move: str) -> None:
    assert (decision.seat, decision.move) == (who, move)
    assert str(decision.words)
    assert (decision.with_hindsight is not None) == game.has_hidden_information
    for judged in (decision.as_seen, decision.best_informed):
        assert sum(judged.before) == pytest.approx(1, abs=1e-3)
        assert sum(judged.after) == pytest.approx(1, abs=1e-3)
        assert judged.loss(who) >= 0
        assert len(judged.scores_before) == len(judged.scores_after) == len(judged.score_margins) == game.players
        assert (judged.better is None) == (judged.best == move) == (judged.before == judged.after)


def test_the_same_budget_gives_the_same_review() -> None:
    match = random_match(load_game("cable-car", 3), 4, plies=40)
    ended = random_match(load_game("passerelles", rounds=1), 4)
    for reviewed, viewer in ((match, 1), (ended, SPECTATOR)):
        pending = pending_decisions(reviewed, Budget(simulations=40, seed=7), viewer)[:8]
        assert [judge(question) for question in pending] == [judge(question) for question in pending]
        other = pending_decisions(reviewed, Budget(simulations=40, seed=8), viewer)[:8]
        assert [judge(question) for question in pending] != [judge(question) for question in other]


@pytest.mark.parametrize("game", HIDING, ids=repr)
def test_a_judgement_as_seen_does_not_use_hidden_facts(game: Game) -> None:
    """Change the hidden facts: the numbers, the best move and its continuation stay the same."""
    compared = 0
    for seat in range(2):
        match = seats_turn(game, seat)
        pending = pending_decisions(match, Budget(simulations=32), seat)[-1]
        for twin in twins(match, seat, attempts=3):
            assert judge(pending_decisions(twin, Budget(simulations=32), seat)[-1]).as_seen == judge(pending).as_seen
            compared += 1
    assert compared > 1


def seats_turn(game: Game, seat: int) -> Match:
    """A running match whose latest move was a choice of a seat."""
    for plies in range(20, 200):
        match = random_match(game, 2, plies)
        last = pending_decisions(match, TINY, seat)[-1:]
        if last and last[0].ply == match.ply:
            return match
    raise AssertionError("the seat never has a choice")


def test_a_judgement_with_hindsight_uses_hidden_facts() -> None:
    """Hindsight knows the other hands: change those, and its numbers change."""
    game = Orchard(3, {"rounds": 3})
    match = seats_turn(game, 0)
    [pending] = pending_decisions(match, Budget(simulations=64), 0)[-1:]
    truths = set()
    for twin in (match, *twins(match, 0, attempts=3)):
        history = tuple(action for _, action in twin.actions())[:-1]
        pending_all = msgspec.structs.replace(pending, history=history, with_hindsight=True)
        truths.add(judge(pending_all).best_informed.after)
    assert len(truths) > 1


def test_a_review_of_a_running_game_judges_only_the_viewers_own_decisions() -> None:
    match = random_match(load_game("cable-car", 3), 1, plies=30)
    own = list(review(match, TINY, viewer=1))
    assert own
    assert {decision.seat for decision in own} == {1}
    assert all(decision.with_hindsight is None for decision in own)
    assert list(review(match, TINY)) == []
    assert summarize_review(match, own).breakdowns == ()
    open_to_all = random_match(load_game("passerelles"), 1, plies=6)
    assert {decision.seat for decision in review(open_to_all, TINY)} == {0, 1}


def test_a_mistake_is_found_and_named() -> None:
    """Nim: the player who takes the last match wins, so leave four: take three of seven, two of six."""
    match = Match.start(Nim(2), ["Ann", "Bob"])
    for seat, move in enumerate(("(1)", "(2)")):
        match.play(seat, move)
    slip, answer = review(match, Budget(simulations=800))
    assert (slip.move, slip.as_seen.best, str(slip.as_seen.better)) == ("(1)", "(3)", "Seat 1 takes 3")
    assert slip.as_seen.loss(0) > 0.1
    assert (answer.as_seen.best, answer.as_seen.better, answer.as_seen.loss(1)) == ("(2)", None, 0)


class Taking:
    """Takes as many matches as it can."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        pass

    def choose(self, turn: Turn) -> int:
        return turn.legal[-1]


def test_an_own_bot_proposes_the_better_moves_and_search_judges_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", {"taking": Taking})
    match = Match.start(Nim(2), ["Ann", "Bob"])
    for seat, move in enumerate(("(1)", "(2)")):
        match.play(seat, move)
    slip, answer = review(match, Budget(simulations=800, bot="taking"))
    assert (slip.as_seen.best, slip.as_seen.loss(0) > 0.1) == ("(3)", True)
    assert (answer.as_seen.best, answer.as_seen.better) == ("(2)", None), "taking 3 of 6 is no better"
    hidden = random_match(Orchard(2), 3)
    assert {decision.with_hindsight for decision in review(hidden, Budget(simulations=16, bot="taking"))} == {None}


def test_the_terms_of_reviews_by_search_are_as_before() -> None:
    assert msgspec.json.encode(TINY) == b'{"simulations":16,"seconds":0.0,"seed":1}'


# Luck and skill.


@pytest.mark.parametrize("game", few(TABLES, 3), ids=repr)
def test_luck_and_decisions_add_up_to_the_result(game: Game) -> None:
    match = random_match(game, 6)
    breakdowns = summarize_review(match, list(review(match, TINY))).breakdowns
    end = match.state_at(match.ply).returns()
    assert [breakdown.seat for breakdown in breakdowns] == list(range(game.players))
    for breakdown in breakdowns:
        parts = breakdown.luck + breakdown.own_moves + breakdown.others_moves + breakdown.unforeseen
        assert breakdown.start + parts == pytest.approx(breakdown.end)
        assert breakdown.end == pytest.approx(end[breakdown.seat])
        assert breakdown.own_moves <= 0 <= breakdown.avoidable_loss
    assert all(breakdown.luck == 0 for breakdown in breakdowns) or game.has_chance


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
    return Decision(ply=ply, seat=seat, move="played", words=phrase("The other."), as_seen=judged)


def test_a_change_is_attributed_to_what_happened_in_between() -> None:
    match = random_match(Orchard(2), 1)
    movers = [who for who, _ in match.actions()]
    first = movers.index(0)
    later = next(ply for ply in range(first + 1, len(movers)) if movers[ply] == 1 and -1 in movers[first + 1 : ply])
    summary = summarize_review(match, [decision(first + 1, 0, 0.7, 0.6), decision(later + 1, 1, 0.5, 0.9)])
    one, two = summary.breakdowns
    assert (one.own_moves, one.others_moves) == pytest.approx((-0.1, 0.4))
    assert (two.own_moves, two.others_moves) == pytest.approx((-0.4, 0.1))
    assert one.luck - (one.end - 0.9 if -1 in movers[later + 1 :] else 0) == pytest.approx(0.2 - 0.1)
    assert (one.decisions, one.avoidable_loss) == pytest.approx((1, 0.1))


def test_the_three_biggest_mistakes_are_named_biggest_first() -> None:
    match = random_match(Nim(2), 1)
    losses = [0.1, 0.0, 0.4, 0.2, 0.3]
    summary = summarize_review(match, [decision(ply, 0, 0.5, 0.5 - loss) for ply, loss in enumerate(losses, 1)])
    assert [mistake.ply for mistake in summary.mistakes] == [3, 5, 4]
    assert str(summary.mistakes[0].words) == "Move 3: The other. It cost Seat 1 40 wins in 100 games. Better: The best."
    assert summarize_review(match, [decision(1, 0, 0.5, 0.5)]).mistakes == ()


def test_every_seat_has_its_own_mistakes_and_the_biggest_of_all_are_the_turning_points() -> None:
    match = random_match(Nim(2), 1)
    first = [decision(ply, 0, 0.5, 0.5 - loss) for ply, loss in ((1, 0.4), (3, 0.3), (5, 0.2), (7, 0.1))]
    second = [decision(2, 1, 0.5, 0.55)]
    summary = summarize_review(match, [*first, *second])
    assert [(mistake.seat, mistake.ply) for mistake in summary.mistakes] == [(0, 1), (0, 3), (0, 5), (1, 2)]
    assert [mistake.ply for mistake in summary.turning_points] == [1, 3, 5]


def test_who_gains_most_by_a_mistake_is_named_among_several() -> None:
    slip = decision(4, 0, 0.5, 0.3)
    judged = msgspec.structs.replace(
        slip.as_seen, before=(0.5, 0.3, 0.2), after=(0.3, 0.45, 0.25),
        scores_before=(9.0, 9.0, 9.0), scores_after=(9.0, 9.0, 9.0), score_margins=(0.0, 0.0, 0.0),
    )  # fmt: skip
    match = random_match(Orchard(3), 1)
    [mistake] = summarize_review(match, [msgspec.structs.replace(slip, as_seen=judged)]).mistakes
    assert "It cost Seat 1 20 wins in 100 games, mostly to the benefit of Seat 2." in str(mistake.words)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ((50, 40, 30), (46, 49, 29), "It cost Seat 1 $4 and 12 wins in 100 games; it gave Seat 2 $9 more."),
        (
            (50, 40, 30),
            (50, 49, 26),
            "It cost Seat 1 12 wins in 100 games; it gave Seat 2 $9 more, it took $4 from Seat 3.",
        ),
        (
            (50, 40, 30),
            (53, 49, 30),
            "It cost Seat 1 12 wins in 100 games; it gave Seat 2 $9 more, it gave Seat 1 $3 more.",
        ),
        ((50, 40, 30), (48, 42, 30), "It cost Seat 1 12 wins in 100 games."),
    ],
)
def test_the_effect_of_a_decision_is_described_in_the_unit_of_the_game(
    before: tuple[float, ...], after: tuple[float, ...], sentence: str
) -> None:
    """Only significant differences are mentioned."""
    slip = decision(4, 0, 0.5, 0.38).as_seen
    judged = msgspec.structs.replace(
        slip, before=(0.5, 0.3, 0.2), after=(0.38, 0.36, 0.26), scores_before=before, scores_after=after,
        score_margins=(2.0, 2.0, 2.0),
    )  # fmt: skip
    assert str(effect_words(load_game("chicago-express", 3), judged, 0)) == sentence


def test_a_tiny_share_is_described_as_less_than_one_percent() -> None:
    assert str(share_words(0.004)) == "less than one win in 100 games"
    assert str(margin_words(0.0)) == "An estimate may be off by less than one win in 100 games."
    assert str(margin_words(0.031)) == "An estimate may be off by about 3 wins in 100 games."


# Stopping and going on.


def test_an_interrupted_review_resumes_with_the_same_result(tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 2)
    whole = list(review(match, TINY))
    path = tmp_path / "review.jsonl"
    assert list(islice(stored(match, path), 5)) == whole[:5]
    judged: list[int] = []

    def noting(pending: Sequence[PendingDecision]) -> Iterator[Decision]:
        for question in pending:
            judged.append(question.ply)
            yield judge(question)

    again = ReviewFile(path, terms(match, TINY))
    assert list(review(match, TINY, store=again, run=noting)) == whole
    assert judged == [decision.ply for decision in whole[5:]]
    assert list(stored(match, path)) == whole


def stored(match: Match, path: Path) -> Iterator[Decision]:
    return review(match, TINY, store=ReviewFile(path, terms(match, TINY)))


def test_an_incompletely_written_decision_is_judged_again(tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 2)
    path = tmp_path / "review.jsonl"
    whole = list(islice(stored(match, path), 3))
    path.write_bytes(path.read_bytes()[:-20])
    assert ReviewFile(path, terms(match, TINY)).decisions() == whole[:2]
    assert list(islice(stored(match, path), 3)) == whole


def test_a_file_that_is_opened_again_is_not_written_anew(tmp_path: Path) -> None:
    match = random_match(load_game("passerelles", rounds=1), 2)
    path = tmp_path / "review.jsonl"
    list(islice(stored(match, path), 2))
    path.chmod(0o444)
    before = path.stat()
    ReviewFile(path, terms(match, TINY))
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_file_with_the_former_field_names_is_still_read(tmp_path: Path) -> None:
    match = random_match(load_game("pays-noir"), 1, plies=40)
    path = tmp_path / "review.jsonl"
    judged = list(islice(review(match, TINY, viewer=0, store=ReviewFile(path, terms(match, TINY, 0))), 2))
    former = path.read_bytes().replace(b'"as_seen":', b'"known":').replace(b'"with_hindsight":', b'"there":')
    assert former.count(b'"known":') == former.count(b'"there":') == 2
    path.write_bytes(former)
    assert ReviewFile(path, terms(match, TINY, 0)).decisions() == judged


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
def test_an_invalid_budget_is_refused(budget: Budget) -> None:
    with pytest.raises(BadReview, match="A review needs"):
        list(review(random_match(Nim(2), 1), budget))


def test_a_review_can_have_a_time_limit() -> None:
    match = random_match(Nim(2), 1)
    assert [decision.ply for decision in review(match, Budget(seconds=0.001))] == [
        question.ply for question in pending_decisions(match, TINY)
    ]

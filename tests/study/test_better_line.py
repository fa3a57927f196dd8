"""Better lines: legal, the same each time, with the match's own luck, and no seat plays by what it could not know."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import structs

from ludotheque import CHANCE, load_game
from ludotheque.core.game import Game
from ludotheque.show.language import Reader
from ludotheque.show.played import render_game_line
from ludotheque.study import better_line as module
from ludotheque.study.better_line import MOST_DECISIONS, ROUNDS, better_line
from ludotheque.study.review import Budget, Decision, judge, pending_decisions
from ludotheque.table import Match
from tests.speeds import few
from tests.table.matches import random_match, twins
from tests.toy import Nim, Orchard

TABLES = [
    load_game("passerelles", rounds=1),
    load_game("pays-noir", 2, track=30),
    load_game("cable-car", 3),
    load_game("chicago-express", 3),
    Orchard(2, {"rounds": 3}),
    Nim(2),
]


@pytest.fixture(autouse=True)
def think_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.002)


def improvable(match: Match) -> Decision:
    """A decision in the middle of a match, with another legal move as the better one."""
    decisions = pending_decisions(match, Budget(simulations=16))
    pending = decisions[len(decisions) // 2]
    decision = judge(pending)
    before = match.state_at(decision.ply - 1)
    other = before.action_to_string(next(action for action in before.legal_actions() if action != pending.action))
    judged = structs.replace(decision.as_seen, best=other, better=decision.words, follows=())
    return structs.replace(decision, as_seen=judged)


def history(match: Match) -> list[int]:
    return [action for _, action in match.actions()]


def line_of(match: Match, decision: Decision) -> Match:
    """The match as it goes on in its better line."""
    return Match(
        match.game, match.names, match.dice, [*history(match)[: decision.ply - 1], *better_line(match, decision)]
    )


@pytest.mark.parametrize("game", few(TABLES), ids=repr)
def test_a_line_begins_with_the_better_move_and_goes_on_for_two_rounds(game: Game) -> None:
    match = random_match(game, 3)
    decision = improvable(match)
    line = line_of(match, decision)
    start = decision.ply - 1
    first = game.string_to_action(match.state_at(start), decision.as_seen.best)
    assert history(line)[start] == first
    assert line.verify_dice() == line.movers.count(CHANCE) if match.dice else True, "its draws are those of the match"
    movers = [who for who in line.movers[start:] if who != CHANCE]
    turns = 1 + sum(one != other for one, other in pairwise(movers))
    assert line.is_over or turns == 1 + ROUNDS * game.players or len(movers) == MOST_DECISIONS
    assert better_line(match, decision) == better_line(match, decision)


def test_the_moves_that_the_review_expects_are_played() -> None:
    match = random_match(Nim(2, {"matches": 300}), 3)
    decision = judge(pending_decisions(match, Budget(simulations=64))[0])
    assert decision.as_seen.follows
    before = match.state_at(decision.ply - 1)
    expected = [decision.as_seen.best, *decision.as_seen.follows]
    for action, move in zip(better_line(match, decision), expected, strict=False):
        assert before.action_to_string(action) == move
        before.apply(action)


def test_no_seat_plays_by_what_it_could_not_know() -> None:
    """What is hidden from the seat to move changes; what the bot plays for it does not."""
    compared = 0
    for plies in range(4, 16):
        match = random_match(Orchard(3, {"rounds": 3}), 4, plies)
        for twin in twins(match, match.to_move, 3):
            assert module._choose(twin) == module._choose(match)
            compared += 1
    assert compared > 3


def test_a_match_without_a_seed_gets_draws_all_the_same() -> None:
    match = random_match(Orchard(2), 3)
    plain = Match(match.game, match.names, None, history(match))
    decision = improvable(plain)
    assert better_line(plain, decision) == better_line(plain, decision)


@pytest.mark.parametrize("game", few([load_game("pays-noir", 2, track=30), Orchard(2, {"rounds": 3})]), ids=repr)
def test_a_line_is_shown_as_its_viewer_would_have_seen_it(game: Game) -> None:
    """The scenes, put together change by change, are those of a match in which the line was played."""
    match = random_match(game, 3)
    decision = improvable(match)
    line = line_of(match, decision)
    start = decision.ply - 1
    shown = render_game_line(match, start, better_line(match, decision), 0, Reader("en"))
    assert [position.ply for position in shown.positions] == [*range(start + 1, line.ply + 1)]
    ids = {piece.id for piece in game.scene(match.view(0, start).observation).pieces}
    for position in shown.positions:
        ids = (ids - set(position.scene.gone)) | {piece.id for piece in position.scene.pieces}
        assert ids == {piece.id for piece in game.scene(line.view(0, position.ply).observation).pieces}
    last = shown.positions[-1]
    assert [mark.ply for mark in last.marks] == [
        ply for ply in range(start + 1, line.ply + 1) if line.movers[ply - 1] != CHANCE
    ]
    assert last.to_move == line.to_move

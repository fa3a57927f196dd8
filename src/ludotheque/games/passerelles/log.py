"""The log of Passerelles: what each move did, and how rounds and matches end."""

from __future__ import annotations

from collections.abc import Iterator

from ludotheque.core.phrases import Phrase, phrase, seat_name
from ludotheque.games.passerelles.board import PASS, SQUARES
from ludotheque.games.passerelles.observation import describe_placement
from ludotheque.games.passerelles.rules import PasserellesState


def describe(before: PasserellesState, action: int, after: PasserellesState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action; nothing is secret in this game."""
    return list(_lines(before, action, after))


def _lines(before: PasserellesState, action: int, after: PasserellesState) -> Iterator[Phrase]:
    yield _describe_move(before, action)
    if before.laying:
        if not after.laying:
            yield phrase("The landscape is laid: {seat} opens.", seat=seat_name(after.player))
        return
    if after.round == before.round:
        for seat, (was, now) in enumerate(zip(before.score_now(), after.score_now(), strict=True)):
            if was != now:
                yield phrase("{seat} would now score {points}.", seat=seat_name(seat), points=now)
    if after.is_terminal() or after.round > before.round:
        yield _describe_round(before, after)
    if after.is_terminal():
        yield _describe_end(after)


def _describe_move(before: PasserellesState, action: int) -> Phrase:
    seat = seat_name(before.player)
    if action == PASS:
        return (
            phrase("{seat} passes.", seat=seat)
            if before.laying
            else phrase("{seat} cannot place and passes.", seat=seat)
        )
    piece = describe_placement(action)
    if before.laying:
        return phrase("{seat} lays a neutral piece: {piece}.", seat=seat, piece=piece)
    height = before.height(action % SQUARES) + 1
    if height == 0:
        return phrase("{seat} lays a piece flat: {piece}.", seat=seat, piece=piece)
    return phrase("{seat} builds a bridge at height {height}: {piece}.", seat=seat, piece=piece, height=height)


def _describe_round(before: PasserellesState, after: PasserellesState) -> Phrase:
    first, second = after.score_now()
    if after.round > before.round:
        first, second = after.first_points - before.first_points, after.second_points - before.second_points
    return phrase(
        "Round {round} is over: {one} scores {first}, {two} scores {second}.",
        round=before.round + 1, first=first, one=seat_name(0), second=second, two=seat_name(1),
    )  # fmt: skip


def _describe_end(state: PasserellesState) -> Phrase:
    scores, returns = state.scores(), state.returns()
    if returns[0] == returns[1]:
        return phrase("A draw: {points} each.", points=scores[0])
    winner = 0 if returns[0] else 1
    return phrase(
        "{seat} wins by {points} to {others}.",
        seat=seat_name(winner), points=scores[winner], others=scores[1 - winner],
    )  # fmt: skip

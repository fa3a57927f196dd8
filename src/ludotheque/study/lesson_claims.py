"""Hold what a lesson claims about moves against the events of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from typing import Final

from msgspec import Struct

from ludotheque.core.earnings import Counts
from ludotheque.core.events import Event, all_earnings
from ludotheque.core.game import State
from ludotheque.study.lessons import Claims, LessonRun, WrongMove

MAX_TURNS: Final = 4000
"""The most turns that one answer is tried with."""


class PlayedTurn(Struct, frozen=True):
    """A whole turn of the learner, and what it made happen."""

    words: str
    """The actions in the game's notation."""
    events: tuple[Event, ...]


def false_claims(run: LessonRun) -> Iterator[str]:
    """Say what a step that waits for a move claims falsely: about the moves that lead on, and in its answers."""
    for line in run.accepted():
        yield from _false(run.step, played(run.position, line)[0], run.seat)
        trial = run.copy()
        for action in line:
            for wrong in trial.wrong_actions():
                yield from _false_answer(trial, wrong)
            trial.play(action)


def _false_answer(run: LessonRun, action: int) -> Iterator[str]:
    """Say what the answer to a wrong action claims falsely about a turn that begins with it."""
    answer = run.answer_to(action)
    if answer is None or not has_claims(answer):
        return
    found = list(islice(whole_turns(run.position, [*run.tried, action]), MAX_TURNS + 1))
    if len(found) > MAX_TURNS:
        yield f"{answer.move!r} fires for more than {MAX_TURNS} turns: too many to check"
    for turn in found[:MAX_TURNS]:
        yield from _false(answer, turn, run.seat)
    for claim in answer.can:
        if not any(_happened(claim, turn) for turn in found):
            yield f"no turn that begins with {run.words(action)!r} makes {claim!r} happen"


def has_claims(answer: WrongMove) -> bool:
    """Whether an answer claims anything that can be checked."""
    amounts = answer.earns, answer.earns_at_end
    return bool(answer.always or answer.never or answer.can) or any(amount is not None for amount in amounts)


def whole_turns(state: State, actions: Sequence[int]) -> Iterator[PlayedTurn]:
    """Play actions and then every way in which the same seat can go on in that turn."""
    seat, begun, after = state.current_player(), *played(state, actions)
    if after.current_player() != seat:
        yield begun
        return
    for action in after.legal_actions():
        for rest in whole_turns(after, [action]):
            yield PlayedTurn(f"{begun.words} {rest.words}", (*begun.events, *rest.events))


def played(state: State, actions: Sequence[int]) -> tuple[PlayedTurn, State]:
    """Play actions; return what they made happen, and the position after them."""
    words, events = list[str](), list[Event]()
    for action in actions:
        after = state.child(action)
        words.append(state.action_to_string(action))
        events += state.game.events(state, action, after)
        state = after
    return PlayedTurn(" ".join(words), tuple(events)), state


def _false(claims: Claims, turn: PlayedTurn, seat: int) -> Iterator[str]:
    """Say what is claimed about a turn and is not so."""
    for claim in (*claims.always, *claims.never):
        if claim.split()[0] not in event_kinds(Event):
            yield f"there is no event {claim.split()[0]!r}"
    for claim in claims.always:
        if not _happened(claim, turn):
            yield f"{turn.words!r} makes no {claim!r} happen"
    for claim in claims.never:
        if _happened(claim, turn):
            yield f"{turn.words!r} makes {claim!r} happen"
    yield from _false_amount(claims.earns, turn, seat, "now")
    yield from _false_amount(claims.earns_at_end, turn, seat, "end")


def _false_amount(claimed: int | None, turn: PlayedTurn, seat: int, counts: Counts) -> Iterator[str]:
    if claimed is None:
        return
    earned = sum(one.amount for one in all_earnings(turn.events) if (one.seat, one.counts) == (seat, counts))
    if earned != claimed:
        yield f"{turn.words!r} earns {earned}, not {claimed} ({counts})"


def _happened(claim: str, turn: PlayedTurn) -> bool:
    return any(_is_about(claim, event) for event in turn.events)


def _is_about(claim: str, event: Event) -> bool:
    """Whether an event is of the kind that a claim names, and at its place if it names one."""
    kind, _, place = claim.partition(" ")
    return kind == type(event).__name__ and (not place or any(fnmatchcase(id, place) for id in event.places))


def event_kinds(kind: type[Event]) -> set[str]:
    """The names of a kind of events and of those that specialise it."""
    return {kind.__name__}.union(*(event_kinds(special) for special in kind.__subclasses__()))

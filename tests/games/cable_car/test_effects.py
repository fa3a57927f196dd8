"""Reasons of moves say at which end a line ends, and what it counts there."""

from __future__ import annotations

import pytest

from ludotheque.core.registry import game_class
from ludotheque.study.lessons import LessonRun, lesson_named


def effects_at(lesson: str, step: int) -> list[str]:
    """What the move of a lesson's step changes, from the learner's seat."""
    run = LessonRun(lesson_named(game_class("cable-car"), lesson))
    while run.step_number < step:
        if run.is_waiting:
            for action in run.accepted()[0]:
                run.play(action)
        else:
            run.next()
    (action,) = run.accepted()[0]
    before = run.position
    return [str(effect) for effect in before.game.effects(before, action, before.child(action), run.seat)]


@pytest.mark.parametrize(
    ("lesson", "step", "effect"),
    [
        ("first-game", 5, "ends line 30 of Seat 2 at station 31 after 2 tiles, for 2 points"),
        ("first-game", 8, "ends your line 5 in the power station after 3 tiles, doubled, for 6 points"),
        ("first-game", 10, "ends line 4 of Seat 2 at its own station after 3 tiles, for 3 points"),
        ("companies-strategy", 5, "ends line 11 of yellow in the power station after 5 tiles, doubled, for 10 points"),
    ],
)
def test_a_reason_names_the_end_of_a_line_and_its_points(lesson: str, step: int, effect: str) -> None:
    assert effect in effects_at(lesson, step)

"""Check lessons: every way through a lesson is played, every text is looked up in every language, and what it claims
about moves is held against the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Final

from ludotheque.core.errors import LudothequeError
from ludotheque.study.lesson_claims import false_claims
from ludotheque.study.lessons import Lesson, LessonRun

MIN_STEPS: Final = 10
MAX_STEPS: Final = 18
MAX_LETTERS: Final = 220
MAX_STEP_WORDS: Final = 40
MAX_TOLD: Final = 2
"""The most steps in a row that only tell: then the learner does something."""
MAX_WORDS: Final = 1200
MAX_ACTIONS: Final = 60


def faults(lesson: Lesson, catalogues: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the faults of a lesson: every way through it is played, and every text is looked up in every language."""
    return [*_limits(lesson, catalogues), *_untranslated(lesson, catalogues), *_unplayable(lesson)]


def _limits(lesson: Lesson, catalogues: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    fewest = 1 if lesson.short else MIN_STEPS
    if not fewest <= len(lesson.steps) <= MAX_STEPS:
        yield f"it has {len(lesson.steps)} steps, not {fewest} to {MAX_STEPS}"
    for number, step in enumerate(lesson.steps, 1):
        for text in (step.text, *(wrong.text for wrong in step.wrong)):
            for written in _in_every_language(text, catalogues):
                if len(written) > MAX_LETTERS:
                    yield f"step {number}: a text has {len(written)} letters, more than {MAX_LETTERS}: {written!r}"
        for written in _in_every_language(step.text, catalogues):
            if (words := _words(written)) > MAX_STEP_WORDS:
                yield f"step {number}: it has {words} words, more than {MAX_STEP_WORDS}: {written!r}"
    for begin, told in _told(lesson):
        if told > MAX_TOLD:
            yield f"step {begin}: {told} steps in a row only tell, more than {MAX_TOLD}"
    words = sum(len(text.split()) for text in lesson.texts())
    if words > MAX_WORDS:
        yield f"it has {words} words, more than {MAX_WORDS}"


def _told(lesson: Lesson) -> Iterator[tuple[int, int]]:
    """The number of the first step of each run of steps that only tell, and the length of the run."""
    begin = 1
    for does, steps in groupby(lesson.steps, key=lambda step: bool(step.moves)):
        length = len(list(steps))
        if not does:
            yield begin, length
        begin += length


def _in_every_language(text: str, catalogues: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """The English text and its translations, as far as there are any."""
    return (text, *(sentences.get(text, "") for sentences in catalogues.values()))


def _words(text: str) -> int:
    """Count the words; a sign apart, as before a French colon, is none."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def _untranslated(lesson: Lesson, catalogues: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for language, sentences in catalogues.items():
        for text in lesson.texts():
            if not sentences.get(text):
                yield f"not in {language}: {text!r}"


def _unplayable(lesson: Lesson) -> Iterator[str]:
    """The first fault on any way through the lesson."""
    try:
        run = LessonRun(lesson)
    except LudothequeError as error:
        yield f"the set-up cannot be played: {error}"
        return
    ways: list[tuple[int, ...]] = [()]
    while ways:
        learnt = ways.pop()
        try:
            run = LessonRun.resume(lesson, len(lesson.steps), learnt)
            found = list(_step_faults(run))
        except LudothequeError as error:
            yield f"after {len(learnt)} actions of the learner it cannot go on: {error}"
            return
        if found:
            yield from found
            return
        ways += [(*learnt, *line) for line in run.accepted()] if run.is_waiting else []
    yield from _read_faults(lesson)


def _read_faults(lesson: Lesson) -> Iterator[str]:
    """Faults of steps that are only read, on the first way through."""
    run = LessonRun(lesson)
    while not run.is_over:
        yield from (f"step {run.step_number + 1}: {fault}" for fault in _missing_highlights(run))
        if run.is_waiting:
            for action in run.accepted()[0]:
                run.play(action)
        else:
            run.next()
    if run.played > MAX_ACTIONS:
        yield f"it plays {run.played} actions, more than {MAX_ACTIONS}"


def _step_faults(run: LessonRun) -> Iterator[str]:
    """Faults of a step that waits for a move: who is to move, and what is said about every wrong move."""
    if not run.is_waiting:
        return
    where = f"step {run.step_number + 1}"
    if run.match().to_move != run.seat:
        yield f"{where}: the learner is not to move"
        return
    unmet = list(run.step.wrong)
    for line in run.accepted():
        trial = run.copy()
        for action in line:
            for wrong in trial.wrong_actions():
                answer = trial.answer_to(wrong)
                unmet = [known for known in unmet if known is not answer]
                if not str(trial.play(wrong).sentence):
                    yield f"{where}: nothing is said about {trial.words(wrong)!r}"
            trial.play(action)
    yield from (f"{where}: {known.move!r} is no wrong move here" for known in unmet)
    yield from (f"{where}: {fault}" for fault in false_claims(run))


def _missing_highlights(run: LessonRun) -> Iterator[str]:
    match = run.match()
    pieces = match.viewing.scene(run.seat).pieces
    names = {name for piece in pieces for name in (piece.id, piece.step) if name}
    for wanted in run.step.highlights:
        if not any(fnmatchcase(name, wanted) for name in names):
            yield f"nothing on the board is called {wanted!r}"

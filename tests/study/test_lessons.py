"""Lessons: one player for all games, and a check that every way through them works."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ludotheque import Game, game_class, register_game
from ludotheque.core import registry
from ludotheque.core.earnings import Earning, differences
from ludotheque.core.known_games import added_games
from ludotheque.errors import BadLesson
from ludotheque.show.language import game_translator
from ludotheque.study.lesson_check import faults
from ludotheque.study.lesson_claims import has_claims
from ludotheque.study.lesson_search import doubts
from ludotheque.study.lessons import Claims, Lesson, LessonRun, LessonStep, WrongMove, lesson_named, lessons
from ludotheque.web import LANGUAGES
from tests import toy
from tests.ours import OURS
from tests.toy import Nim, NimState

NIM = Lesson(
    name="first",
    title="Nim",
    game="nim",
    players=2,
    seat=1,
    setup=("(1)", "(1)"),
    steps=(
        LessonStep(text="Five matches are left.", highlights=("all",)),
        LessonStep(
            text="Leave four.",
            moves=("(1)",),
            then=("(2)",),
            wrong=(WrongMove("(3)", "Then the other takes the rest."),),
        ),
        LessonStep(text="Take the rest.", moves=("(2)",)),
    ),
    short=True,
)

MODULE = """
from tests.toy import Nim

class OtherNim(Nim):
    name = "other-nim"
"""
LESSON = """
[[lessons]]
name = "first"
title = "Nim"
players = 2
seat = 1
short = true
[[lessons.steps]]
text = "Seven matches lie here."
"""
FRENCH = 'msgid "Seven matches lie here."\nmsgstr "Il y a sept allumettes."\n'


@pytest.fixture
def other_nim(tmp_path: Path) -> Iterator[type[Game]]:
    """A game of another package, with a lesson and a translation."""
    assert toy.Nim.name == "nim"
    folder = tmp_path / "other_nim"
    (folder / "locale").mkdir(parents=True)
    (folder / "__init__.py").write_text(MODULE)
    (folder / "lesson.toml").write_text(LESSON)
    (folder / "locale" / "fr.po").write_text(FRENCH)
    spec = importlib.util.spec_from_file_location("other_nim", folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["other_nim"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield register_game(module.OtherNim)
    del sys.modules["other_nim"], added_games["other-nim"]


def test_a_lesson_goes_from_step_to_step() -> None:
    run = LessonRun(NIM)
    assert (run.step_number, run.is_waiting) == (0, False)
    run.next()
    answer = run.play(0)
    assert (answer.is_right, answer.is_complete, run.step_number) == (True, True, 2)
    assert run.history() == (0, 0, 0, 1)
    run.play(1)
    assert run.is_over
    assert run.match().is_over


def test_a_wrong_move_is_answered_and_changes_nothing() -> None:
    run = LessonRun(NIM)
    run.next()
    answer = run.play(2)
    assert (answer.is_right, str(answer.sentence)) == (False, "Then the other takes the rest.")
    assert run.history() == (0, 0)
    assert run.match_after(2).ply == 3


def test_a_wrong_move_without_an_answer_of_its_own_is_told_by_what_it_earns() -> None:
    run = LessonRun.resume(NIM, 3, [0])
    said = str(run.play(0).sentence)
    assert said == "Seat 1 takes 1 It brings you 0 points at once; the move of this step brings 1 point."
    first = LessonRun.resume(NIM, 1, [])
    assert str(first.play(1).sentence) == "Seat 1 takes 2 That is allowed, but this step shows another move."


def test_a_wrong_move_is_told_by_what_it_would_earn_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def promises(game: Nim, before: NimState, action: int, after: NimState) -> list[Earning]:
        return differences(game.unit(), before.scores(), after.scores(), "end")

    monkeypatch.setattr(Nim, "earnings", promises)
    said = str(LessonRun.resume(NIM, 3, [0]).play(0).sentence)
    assert said == "Seat 1 takes 1 It would bring you 0 points at the end; the move of this step would bring 1 point."


def test_a_lesson_is_taken_up_where_the_learner_left_it() -> None:
    run = LessonRun.resume(NIM, 2, [0])
    assert (run.step_number, run.history()) == (2, (0, 0, 0, 1))
    with pytest.raises(BadLesson, match="do not follow the lesson"):
        LessonRun.resume(NIM, 2, [1])
    with pytest.raises(BadLesson, match="do not follow the lesson"):
        LessonRun.resume(NIM, 2, [0, 1, 0])


def test_a_step_is_read_or_played_as_it_asks() -> None:
    run = LessonRun(NIM)
    with pytest.raises(BadLesson, match="asks for no move"):
        run.play(0)
    run.next()
    with pytest.raises(BadLesson, match="asks for a move"):
        run.next()
    with pytest.raises(BadLesson, match="not possible here"):
        run.play(7)


def test_one_plays_on_from_the_end_of_a_lesson() -> None:
    run = LessonRun.resume(lesson_named(game_class("cable-car")), 1, [])
    match = run.playable()
    assert [action for _, action in match.actions()][: len(run.history())] == list(run.history())
    assert match.dice is not None
    assert match.dice.since == len(run.history())


def test_a_step_can_begin_in_another_position() -> None:
    elsewhere = LessonStep(text="Take the rest.", setup=("(3)", "(2)"), moves=("(2)",))
    run = LessonRun(_changed(steps=(*NIM.steps[:2], elsewhere)))
    run.next()
    assert run.play(0).is_complete
    assert (run.history(), run.played) == ((2, 1), 2), "what the set-up plays does not count"
    assert run.play(1).is_complete
    assert run.match().is_over
    assert LessonRun.resume(run.lesson, 3, [0, 1]).history() == run.history()


def _changed(**changes: object) -> Lesson:
    return msgspec.structs.replace(NIM, **changes)


def test_the_check_finds_nothing_in_a_good_lesson() -> None:
    assert faults(NIM, {}) == []


def test_the_check_tells_what_is_not_translated() -> None:
    found = faults(NIM, {"fr": {text: "x" for text in NIM.texts() if text != "Leave four."}})
    assert found == ["not in fr: 'Leave four.'"]


def test_a_step_has_at_most_40_words_in_every_language() -> None:
    (fault, *_) = faults(NIM, {"fr": dict.fromkeys(NIM.texts(), "a : " * 41)})
    assert "it has 41 words, more than 40" in fault
    assert faults(NIM, {"fr": dict.fromkeys(NIM.texts(), "a : " * 40)}) == [], "a colon apart is no word"


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ((LessonStep(text="x", moves=("(4)",)),), "cannot go on"),
        ((LessonStep(text="x", moves=("(1)",), then=("(3)", "(3)")),), "cannot go on: So many matches"),
        ((LessonStep(text="x", moves=("(1)",)), LessonStep(text="x", moves=("(1)",))), "the learner is not to move"),
        ((LessonStep(text="x", moves=("(1)", "(2)"), wrong=(WrongMove("(2)", "x"),)),), "'(2)' is no wrong move here"),
        ((LessonStep(text="x", highlights=("match:*",)),), "nothing on the board is called 'match:*'"),
        ((LessonStep(text="x" * 221),), "221 letters"),
        ((LessonStep(text="x " * 41),), "step 1: it has 41 words, more than 40"),
        ((LessonStep(text="x " * 100),) * 12, "1201 words"),
        ((LessonStep(text="x"),) * 19, "it has 19 steps, not 1 to 18"),
        ((*NIM.steps, *(LessonStep(text="x"),) * 3), "3 steps in a row only tell, more than 2"),
    ],
)
def test_the_check_tells_what_is_wrong(steps: tuple[LessonStep, ...], fault: str) -> None:
    found = faults(_changed(steps=steps), {})
    assert [said for said in found if fault in said], found


CABLE_CAR = Lesson(
    name="first", title="x", game="cable-car", players=2, seat=1, setup=("aaaa", "aacb"), short=True, steps=()
)


@pytest.mark.parametrize(
    ("claims", "fault"),
    [
        (Claims(always=("LineLengthened line:5",), earns=0), ""),
        (Claims(always=("LineLengthened line:7",)), "'aaaa E1' makes no 'LineLengthened line:7' happen"),
        (Claims(never=("LineLengthened",)), "'aaaa E1' makes 'LineLengthened' happen"),
        (Claims(never=("LineGrown",)), "there is no event 'LineGrown'"),
        (Claims(earns=2), "'aaaa E1' earns 0, not 2 (now)"),
        (Claims(earns_at_end=1), "'aaaa E1' earns 0, not 1 (end)"),
    ],
)
def test_what_a_step_claims_is_held_against_the_rules(claims: Claims, fault: str) -> None:
    step = LessonStep(text="x", moves=("aaaa E1",), **msgspec.structs.asdict(claims))
    found = faults(msgspec.structs.replace(CABLE_CAR, steps=(step,)), {})
    assert [said for said in found if fault in said] if fault else not found, found


def test_what_an_answer_claims_is_held_against_every_move_it_is_about() -> None:
    answer = WrongMove("aaaa ?1", "x", never=("LineLengthened line:7",))
    step = LessonStep(text="x", moves=("aaaa E1",), wrong=(answer,))
    found = faults(msgspec.structs.replace(CABLE_CAR, steps=(step,)), {})
    assert found == ["step 1: 'aaaa G1' makes 'LineLengthened line:7' happen"]


def test_a_claim_is_checked_with_every_way_to_end_the_turn() -> None:
    """A card by itself finishes nothing: it depends on the place and the member that follow."""
    first = lesson_named(game_class("pays-noir"))
    mine = next(step for step in first.steps if "mine_end 2,0 mine" in step.moves)
    answers = (
        WrongMove("port_end", "That does not finish your line.", never=("LineFinished card:1,0",)),
        WrongMove("curve", "That can finish your line.", can=("LineFinished card:1,0",)),
    )
    false = msgspec.structs.replace(mine, wrong=answers)
    found = faults(
        msgspec.structs.replace(first, steps=tuple(false if step is mine else step for step in first.steps)), {}
    )
    assert "step 7: 'port_end at 2,0 member port:0' makes 'LineFinished card:1,0' happen" in found
    assert "step 7: no turn that begins with 'curve' makes 'LineFinished card:1,0' happen" in found


CLAIMING = re.compile(r"\b(finish\w*|clos(es|ed)|scores|earns|(gives|pays) \d|\d+ points)\b")


@pytest.mark.parametrize("name", OURS)
def test_an_answer_that_says_what_a_move_does_declares_its_claim(name: str) -> None:
    answers = [wrong for lesson in lessons(game_class(name)) for step in lesson.steps for wrong in step.wrong]
    assert [wrong.text for wrong in answers if CLAIMING.search(wrong.text) and not has_claims(wrong)] == []


def test_a_translation_is_as_short_as_the_text() -> None:
    found = faults(NIM, {"fr": {text: "x" * (221 if text == "Leave four." else 9) for text in NIM.texts()}})
    assert [said for said in found if said.startswith("step 2: a text has 221 letters")] == found


def test_a_whole_lesson_has_at_least_ten_steps() -> None:
    assert "it has 3 steps, not 10 to 18" in faults(_changed(short=False), {})


def test_a_set_up_that_cannot_be_played_is_a_fault() -> None:
    assert [said for said in faults(_changed(setup=("(9)",)), {}) if "the set-up cannot be played" in said]


def test_another_package_brings_lessons_and_translations(other_nim: type[Game]) -> None:
    (lesson,) = lessons(other_nim)
    assert lesson.game == "other-nim"
    french = game_translator("other-nim", "fr").sentences
    assert game_translator("other-nim", "fr")("Seven matches lie here.") == "Il y a sept allumettes."
    assert faults(lesson, {"fr": french}) == ["not in fr: 'Nim'"]


def test_an_unknown_lesson_gets_the_names_of_the_known_ones(other_nim: type[Game]) -> None:
    with pytest.raises(BadLesson, match="no lesson 'second'; its lessons are: first"):
        lesson_named(other_nim, "second")


def test_a_file_that_is_no_lesson_is_refused(other_nim: type[Game]) -> None:
    (registry.game_folder(other_nim) / "lesson.toml").write_text("[[lessons]]\nname = 3\n")
    with pytest.raises(BadLesson, match="cannot be read"):
        lessons(other_nim)


@pytest.mark.parametrize("name", OURS)
def test_every_lesson_of_ours_can_be_played_in_every_language(name: str) -> None:
    catalogues = {code: game_translator(name, code).sentences for code in LANGUAGES if code != "en"}
    found = [fault for lesson in lessons(game_class(name)) for fault in faults(lesson, catalogues)]
    assert found == []
    assert lessons(game_class(name))


STRATEGY = [lesson for name in OURS for lesson in lessons(game_class(name)) if lesson.strategy]
SIMULATIONS = {"pays-noir": 1500}
ENOUGH_SIMULATIONS = 6000


def test_every_title_has_a_lesson_in_strategy() -> None:
    titles = {(lesson.game, bool(lesson.settings.get("companies"))) for lesson in STRATEGY}
    assert titles == {*((name, False) for name in OURS), ("cable-car", True)}


@pytest.mark.parametrize("lesson", STRATEGY, ids=lambda lesson: f"{lesson.game}-{lesson.name}")
def test_a_lesson_in_strategy_teaches_what_search_clearly_prefers(lesson: Lesson) -> None:
    assert doubts(lesson, simulations=SIMULATIONS.get(lesson.game, ENOUGH_SIMULATIONS)) == []


def test_search_doubts_a_lesson_that_teaches_another_move() -> None:
    lesson = lesson_named(game_class("passerelles"), "strategy")
    cut = msgspec.structs.replace(lesson.steps[1], moves=("2v K9",))
    (doubt, unclear) = doubts(msgspec.structs.replace(lesson, steps=(cut,)), simulations=1000)
    assert doubt.startswith("step 1: search prefers another move to '2v K9', by 0.")
    assert unclear.startswith("step 1: search prefers its move by -0.")

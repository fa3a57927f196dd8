"""Routes of lessons. The server keeps nothing of them: the browser sends how far the learner has come."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, Final, Literal

from litestar import Response, get, post
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.commands import LessonPicks, LessonPlace
from ludotheque.server.errors import Refused
from ludotheque.server.game_cards import LessonLink, game_card, known_game, lesson_links
from ludotheque.server.http.templates import page
from ludotheque.server.routes.context import (
    BEGINNER,
    ERRORS,
    Context,
    GameName,
    Name,
    Refusal,
    backdrop_css,
    backdrop_svg,
    considered_ghost,
    play_on,
    refused_picks,
)
from ludotheque.server.routes.previews import game_preview
from ludotheque.server.tables.opening import Opened
from ludotheque.show.art import art_of
from ludotheque.show.language import Reader, game_translator
from ludotheque.show.scenes import RenderedGhost, render_ghost
from ludotheque.show.study import StudyBoard, study_board, study_renderer
from ludotheque.study.lessons import Lesson, LessonRun, lessons
from ludotheque.table import Match

FINISHED_RULES: Final = phrase("You now know the rules that matter. Play on from here against a beginner.")
FINISHED_STRATEGY: Final = phrase("You now have a first strategy. Try it in a new game against the gentlest bot.")


class LessonView(Struct, frozen=True, kw_only=True):
    """A step of a lesson, as the learner sees it."""

    step: int
    steps: int
    actions: tuple[int, ...]
    text: str
    section: int
    is_waiting: bool
    is_over: bool
    verdict: Literal["", "right", "wrong"]
    sentence: str
    highlights: tuple[str, ...]
    """Ids of pieces."""
    tried: RenderedGhost | None
    """The wrong move, on the board after it."""
    board: StudyBoard


def known_lesson(game: str, name: str) -> Lesson:
    """The lesson that an address names."""
    for lesson in lessons(known_game(game)):
        if lesson.name == name:
            return lesson
    raise Refused(404, "not-found", phrase("There is no such lesson."))


@get("/learn/{game:str}/{name:str}", include_in_schema=False, sync_to_thread=True)
def lesson_page(game: GameName, name: Name, context: Context) -> Response[str]:
    """A guided first game."""
    lesson = known_lesson(game, name)
    art = art_of(lesson.set_up(), context.reader.language)
    address = f"/api/lessons/{game}/{name}"
    facts = {
        "address": address,
        "title": game_translator(game, context.reader.language)(lesson.title),
        "backdrop": f"{address}/backdrop.svg?v={art.version}",
        "styles": f"{address}/backdrop.css?v={art.version}",
        "new": _new_game(lesson),
        "strategy": lesson.strategy,
        "finished": context.reader.translate(str(FINISHED_STRATEGY if lesson.strategy else FINISHED_RULES)),
        "following": _following(lesson, context.reader),
    }
    return page(
        "lesson.html",
        context.reader,
        study=facts,
        game=game_card(known_game(game), context.reader),
        preview=game_preview(context, known_game(game)),
    )


def _following(lesson: Lesson, reader: Reader) -> LessonLink | None:
    """The lesson after this one, if there is any."""
    links = lesson_links(known_game(lesson.game), reader)
    names = [link.name for link in links]
    return next(iter(links[names.index(lesson.name) + 1 :]), None)


def _new_game(lesson: Lesson) -> dict[str, Any]:
    """The request for a new table like that of a lesson, against beginners."""
    bots = [{"who": "bot", "level": BEGINNER}] * (lesson.players - 1)
    return {"game": lesson.game, "options": lesson.settings, "seats": [{"who": "me"}, *bots]}


@post("/lessons/{game:str}/{name:str}", responses=ERRORS, status_code=200, sync_to_thread=True)
def lesson_step(game: GameName, name: Name, data: JSONBody[LessonPlace], context: Context) -> LessonView:
    """The step of a lesson that a learner has come to; with an action, what the lesson says to it."""
    context.limit("act")
    run = LessonRun.resume(known_lesson(game, name), data.step, data.actions)
    if data.action is None:
        return _view(run, data.actions, run.match(), context.reader)
    answer = run.play(data.action)
    render = study_renderer(run.match(), run.seat, context.reader)
    if not answer.is_right:
        shown = run.match_after(data.action)
        return _view(run, data.actions, shown, context.reader, "wrong", render(answer.sentence))
    actions = (*data.actions, data.action)
    return _view(run, actions, run.match(), context.reader, "right", render(answer.sentence))


@post("/lessons/{game:str}/{name:str}/preview", responses=ERRORS, status_code=200, sync_to_thread=True)
def lesson_preview(game: GameName, name: Name, data: JSONBody[LessonPlace], context: Context) -> RenderedGhost:
    """The drawing of a move that a learner considers."""
    context.limit("act")
    run = LessonRun.resume(known_lesson(game, name), data.step, data.actions)
    return considered_ghost(run.match(), run.seat, data.action, context.reader)


@post("/lessons/{game:str}/{name:str}/why-not", responses=ERRORS, status_code=200, sync_to_thread=True)
def lesson_why_not(game: GameName, name: Name, data: JSONBody[LessonPicks], context: Context) -> Refusal:
    """The rule that forbids a learner to pick these steps together."""
    context.limit("act")
    run = LessonRun.resume(known_lesson(game, name), data.step, data.actions)
    return refused_picks(run.match(), run.seat, data.picks, context.reader)


@get("/lessons/{game:str}/{name:str}/backdrop.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def lesson_backdrop(game: GameName, name: Name, context: Context) -> Response[str]:
    """The part of a lesson's picture that never changes."""
    return backdrop_svg(known_lesson(game, name).set_up(), context.reader.language)


@get("/lessons/{game:str}/{name:str}/backdrop.css", media_type="text/css", responses=ERRORS, sync_to_thread=True)
def lesson_styles(game: GameName, name: Name) -> Response[str]:
    """The styles of a lesson's picture."""
    return backdrop_css(known_lesson(game, name).set_up())


@post("/lessons/{game:str}/{name:str}/play", responses=ERRORS)
async def lesson_play(game: GameName, name: Name, data: JSONBody[LessonPlace], context: Context) -> Response[Opened]:
    """Play on from where the learner is, against a beginner."""
    run = LessonRun.resume(known_lesson(game, name), data.step, data.actions)
    return await play_on(context, run.playable(), run.seat, "lesson")


def _view(
    run: LessonRun,
    actions: tuple[int, ...],
    match: Match,
    reader: Reader,
    verdict: Literal["", "right", "wrong"] = "",
    sentence: str = "",
) -> LessonView:
    board, before = (study_board(each, run.seat, reader) for each in (match, run.match_before()))
    step = None if run.is_over else run.step
    return LessonView(
        step=run.step_number,
        steps=len(run.lesson.steps),
        actions=actions,
        text=game_translator(run.lesson.game, reader.language)(step.text) if step else "",
        section=step.section if step else 0,
        is_waiting=run.is_waiting,
        is_over=run.is_over,
        verdict=verdict,
        sentence=sentence,
        highlights=_highlights(step.highlights, board, before) if step else (),
        tried=_tried(match, run.seat, reader) if verdict == "wrong" else None,
        board=board,
    )


def _tried(match: Match, seat: int, reader: Reader) -> RenderedGhost:
    """The latest move of a match, as the learner saw it."""
    render = study_renderer(match, seat, reader)
    return render_ghost(match.viewing.ghost(seat, match.ply), render)


def _highlights(patterns: tuple[str, ...], board: StudyBoard, before: StudyBoard) -> tuple[str, ...]:
    """The pieces that a step highlights, by id or by the step they stand for; none that has become another since the
    step began, as the next card of a hand does."""
    was = {piece.id: piece.symbol for piece in before.scene.pieces}
    return tuple(
        piece.id
        for piece in board.scene.pieces
        if was.get(piece.id, piece.symbol) == piece.symbol
        and any(fnmatchcase(name, pattern) for pattern in patterns for name in (piece.id, piece.step) if name)
    )

"""Routes of puzzles. The puzzle of a day follows from the date; of what is solved the server keeps what people with a
profile solve."""

from __future__ import annotations

import msgspec
from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromQuery, JSONBody
from msgspec import Struct

from ludotheque.core.errors import BadPuzzle
from ludotheque.core.game import Game
from ludotheque.core.ghosts import expected_ghost
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.core.registry import game_classes
from ludotheque.core.scene import Renderer
from ludotheque.server.club.solving import (
    WITHOUT_PROFILE,
    CountedTry,
    RatedPuzzle,
    Solving,
    count_try,
    join_solving,
    rated_puzzles,
    solving_of,
)
from ludotheque.server.commands import BrowserSolving, PuzzleAnswerTry, PuzzlePicks, PuzzleTry
from ludotheque.server.errors import Refused
from ludotheque.server.game_cards import game_card, known_game, picture_path, puzzle_path
from ludotheque.server.http.templates import page
from ludotheque.server.routes.context import (
    ERRORS,
    Context,
    GameName,
    Name,
    Refusal,
    RequestContext,
    backdrop_css,
    backdrop_svg,
    considered_ghost,
    play_on,
    refused_picks,
    svg,
)
from ludotheque.server.routes.previews import game_preview
from ludotheque.server.tables.opening import Opened
from ludotheque.show.art import art_of
from ludotheque.show.hints import HintMove, path_to, render_hint
from ludotheque.show.language import Reader
from ludotheque.show.played import RenderedGameLine, render_game_line
from ludotheque.show.scenes import RenderedGhost, render_ghost
from ludotheque.show.study import StudyBoard, study_board, study_names, study_picture, study_renderer
from ludotheque.study.puzzles import (
    DIFFICULTIES,
    Puzzle,
    grades,
    has_puzzles,
    puzzle_named,
    puzzle_of_day,
    puzzle_variants,
    puzzles_of,
    puzzles_of_day,
    solution,
    stake,
    today,
)


class PuzzleAnswer(Struct, frozen=True, kw_only=True):
    """The worth of a move against the best one."""

    is_best: bool
    is_known: bool
    """Whether the searches looked at the move long enough to say what it is worth."""
    tried: RenderedGhost
    moves: tuple[HintMove, ...]
    """The best move, explained like a hint; then the tried one if it is known, or the next best if it is the best."""
    idea: str
    """The theme of the best move, and what it means."""
    line: RenderedGameLine | None
    """A continuation after a wrong move."""
    counted: CountedTry | None = None
    """The changes that the try has made, for a caller with a profile."""


class PuzzleEntry(Struct, frozen=True):
    """A puzzle to choose."""

    id: str
    difficulty: int
    """From 0, easy, to 2, hard."""
    rating: int
    """On the scale of chess ratings."""


class PuzzleLink(Struct, frozen=True):
    """A puzzle as a picture to click."""

    id: str
    url: str
    picture: str
    players: int


class PuzzleTitle(Struct, frozen=True):
    """A game or one of its variants, with the pages of its puzzles."""

    name: str
    """The game's name."""
    variant: str
    """The variant's name; empty for the game itself."""
    title: str
    cover: str

    @property
    def today(self) -> str:
        """The path of today's puzzle."""
        return puzzle_path(self.name, self.variant)

    @property
    def all(self) -> str:
        """The path of the list of all puzzles."""
        return puzzle_path(self.name, self.variant, "/all")

    @property
    def rush(self) -> str:
        """The path of the rush."""
        return puzzle_path(self.name, self.variant, "/rush")

    @property
    def entries(self) -> str:
        """The path of the ids of all puzzles."""
        return f"/api{self.today}"

    @property
    def key(self) -> str:
        """The name by which a browser remembers the best rush."""
        return f"{self.name}/{self.variant}" if self.variant else self.name


def known_puzzle(game: str, id: str) -> Puzzle:
    """The puzzle that an address names."""
    try:
        return puzzle_named(known_game(game), id)
    except BadPuzzle as error:
        raise Refused(404, "not-found", error.sentence) from error


@get("/puzzles", include_in_schema=False, sync_to_thread=True)
def puzzles_page(context: Context) -> Response[str]:
    """Today's puzzle of each game and of each variant."""
    links = [
        (_title(kind, variant, context.reader), _link(puzzle_of_day(kind, today(), variant), context))
        for kind in game_classes()
        for variant in puzzle_variants(kind)
    ]
    return page("puzzles.html", context.reader, links=links, day=today().isoformat())


@get("/puzzles/{game:str}", include_in_schema=False, sync_to_thread=True)
def puzzle_today(game: GameName, context: Context, variant: FromQuery[str] = "") -> Response[str]:
    """Today's puzzle of a game or of one of its variants."""
    of_day = puzzle_of_day(_game_with_puzzles(game, variant), today(), variant)
    return _puzzle_page(of_day, context, day=today().isoformat())


@get("/puzzles/{game:str}/all", include_in_schema=False, sync_to_thread=True)
def puzzle_list(game: GameName, context: Context, variant: FromQuery[str] = "") -> Response[str]:
    """All puzzles of a game or of one of its variants, from easy to hard."""
    kind = _game_with_puzzles(game, variant)
    known = grades(kind)
    ranked = sorted(puzzles_of(kind, variant), key=lambda puzzle: known[puzzle.id].rating)
    by_difficulty = [
        (
            title.render(context.reader.translate),
            [_link(puzzle, context) for puzzle in ranked if known[puzzle.id].difficulty == difficulty],
        )
        for difficulty, title in enumerate(DIFFICULTIES)
    ]
    played = _title(kind, variant, context.reader)
    return page("puzzle_list.html", context.reader, played=played, by_difficulty=by_difficulty, day=today().isoformat())


@get("/puzzles/{game:str}/rush", include_in_schema=False, sync_to_thread=True)
def puzzle_rush(game: GameName, context: Context, variant: FromQuery[str] = "") -> Response[str]:
    """As many puzzles of a game or of one of its variants as possible in three minutes."""
    kind = _game_with_puzzles(game, variant)
    played, study = _title(kind, variant, context.reader), {"address": "", "backdrop": "", "styles": ""}
    return page("rush.html", context.reader, game=game_card(kind, context.reader), played=played, study=study)


@get("/puzzles/{game:str}", responses=ERRORS, sync_to_thread=True)
def puzzle_entries(game: GameName, variant: FromQuery[str] = "") -> list[PuzzleEntry]:
    """The puzzles of a game or of one of its variants, with how hard they are."""
    kind = _game_with_puzzles(game, variant)
    own = {puzzle.id for puzzle in puzzles_of(kind, variant)}
    return [PuzzleEntry(id, grade.difficulty, grade.rating) for id, grade in grades(kind).items() if id in own]


@get("/puzzles/{game:str}/{id:str}", include_in_schema=False, sync_to_thread=True)
def puzzle_page(game: GameName, id: Name, context: Context) -> Response[str]:
    """A puzzle."""
    return _puzzle_page(known_puzzle(game, id), context)


@get("/puzzles/{game:str}/{id:str}", responses=ERRORS, sync_to_thread=True)
def puzzle_board(game: GameName, id: Name, context: Context) -> StudyBoard:
    """The position of a puzzle, as its seat sees it."""
    puzzle = known_puzzle(game, id)
    return study_board(puzzle.match(), puzzle.seat, context.reader)


@post("/puzzles/{game:str}/{id:str}/try", responses=ERRORS, status_code=200)
async def puzzle_try(game: GameName, id: Name, data: JSONBody[PuzzleAnswerTry], context: Context) -> PuzzleAnswer:
    """Return the worth of a move against the best one, and why that is the best. For a caller with a profile it counts
    as a try."""
    context.limit("act")
    puzzle = await sync_to_thread(_puzzle_with_move, game, id, data.action)
    is_best = data.action == puzzle.best
    counted = await _count(context, puzzle, is_best, data.rated)
    line = () if is_best else await context.services.studies.refutation(puzzle, data.action, context.client)
    answer = await sync_to_thread(_answer, puzzle, data.action, line, context.reader)
    return msgspec.structs.replace(answer, counted=counted)


async def _count(context: RequestContext, puzzle: Puzzle, is_best: bool, is_rated: bool) -> CountedTry | None:
    """Count a try of a caller who has a profile."""
    profile = await _solver(context)
    if profile is None:
        return None
    kind, day = known_game(puzzle.game), today()
    rated = RatedPuzzle(puzzle.id, puzzle.game, (await sync_to_thread(grades, kind))[puzzle.id].rating)
    is_of_day = puzzle.id in puzzles_of_day(kind, day)
    return await count_try(context.storage, profile, rated, is_best, is_rated, day if is_of_day else None, day)


async def _solver(context: RequestContext) -> str | None:
    """The id of the caller's profile, with which the server keeps what they solve; None without one."""
    profile = await context.profile() if "profiles" in context.services.features else None
    return profile.id if profile else None


@get("/solving", responses=ERRORS)
async def my_solving(context: Context) -> Solving:
    """Return what the caller has solved, if they have a profile."""
    profile = await _solver(context)
    return await solving_of(context.storage, profile, today()) if profile else WITHOUT_PROFILE


@post("/solving/join", status_code=200, responses=ERRORS)
async def join_my_solving(data: JSONBody[BrowserSolving], context: Context) -> Solving:
    """Let what this browser remembers of its puzzles join its profile: the server rates the answers anew."""
    context.limit("join")
    profile = await context.my_profile()
    known = await sync_to_thread(rated_puzzles)
    await join_solving(context.storage, profile.id, data, known, today())
    return await solving_of(context.storage, profile.id, today())


def _puzzle_with_move(game: str, id: str, action: int) -> Puzzle:
    """The puzzle that an address names, if the move is possible there."""
    puzzle = known_puzzle(game, id)
    if not path_to(puzzle.match().choices(puzzle.seat), action):
        raise Refused(422, "illegal-move", phrase("That move is not possible here."))
    return puzzle


def _answer(puzzle: Puzzle, tried: int, line: tuple[int, ...], reader: Reader) -> PuzzleAnswer:
    """The answer to a move; `line` is its refutation."""
    match = puzzle.match(study_names(puzzle.players, puzzle.seat, reader))
    choices = match.choices(puzzle.seat)
    render = study_renderer(match, puzzle.seat, reader)
    positions = match.possible_positions(puzzle.seat, seed=0)
    return PuzzleAnswer(
        is_best=tried == puzzle.best,
        is_known=puzzle.value_of(tried) is not None,
        tried=render_ghost(expected_ghost(positions, tried, puzzle.seat), render),
        moves=tuple(render_hint(move, puzzle.seat, choices, positions, render) for move in solution(puzzle, tried)),
        idea=_idea(puzzle, match.game, render),
        line=render_game_line(match, len(puzzle.history), line, puzzle.seat, reader) if line else None,
    )


def _idea(puzzle: Puzzle, game: Game, render: Renderer) -> str:
    """The main theme of the best move, and what it means."""
    theme = puzzle.themes[0]
    meaning = game.theme_meaning(theme)
    return render(phrase("{theme}: {meaning}", theme=Phrase(theme), meaning=meaning) if meaning.text else Phrase(theme))


@post("/puzzles/{game:str}/{id:str}/preview", responses=ERRORS, status_code=200, sync_to_thread=True)
def puzzle_preview(game: GameName, id: Name, data: JSONBody[PuzzleTry], context: Context) -> RenderedGhost:
    """Draw a move that someone considers."""
    context.limit("act")
    puzzle = known_puzzle(game, id)
    return considered_ghost(puzzle.match(), puzzle.seat, data.action, context.reader)


@post("/puzzles/{game:str}/{id:str}/why-not", responses=ERRORS, status_code=200, sync_to_thread=True)
def puzzle_why_not(game: GameName, id: Name, data: JSONBody[PuzzlePicks], context: Context) -> Refusal:
    """The rule that forbids to pick these steps together."""
    context.limit("act")
    puzzle = known_puzzle(game, id)
    return refused_picks(puzzle.match(), puzzle.seat, data.picks, context.reader)


@get("/puzzles/{game:str}/{id:str}/picture.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def puzzle_picture(game: GameName, id: Name, context: Context) -> Response[str]:
    """The board of a puzzle as one picture."""
    puzzle = known_puzzle(game, id)
    return svg(study_picture(puzzle.match(), puzzle.seat, context.reader), "private, max-age=86400")


@get("/puzzles/{game:str}/{id:str}/backdrop.svg", media_type="image/svg+xml", responses=ERRORS, sync_to_thread=True)
def puzzle_backdrop(game: GameName, id: Name, context: Context) -> Response[str]:
    """The part of a puzzle's picture that never changes."""
    return backdrop_svg(known_puzzle(game, id).match().game, context.reader.language)


@get("/puzzles/{game:str}/{id:str}/backdrop.css", media_type="text/css", responses=ERRORS, sync_to_thread=True)
def puzzle_styles(game: GameName, id: Name) -> Response[str]:
    """The styles of a puzzle's picture."""
    return backdrop_css(known_puzzle(game, id).match().game)


@post("/puzzles/{game:str}/{id:str}/play", responses=ERRORS)
async def puzzle_play(game: GameName, id: Name, context: Context) -> Response[Opened]:
    """Play a puzzle on after its best move, against a beginner."""
    puzzle = known_puzzle(game, id)
    return await play_on(context, puzzle.playable([puzzle.best]), puzzle.seat, "puzzle")


def _game_with_puzzles(game: str, variant: str = "") -> type[Game]:
    """The class of a game that an address names and that has puzzles, of this variant if one is named."""
    kind = known_game(game)
    if not has_puzzles(kind, variant):
        raise Refused(404, "not-found", phrase("This game has no puzzles."))
    return kind


def _title(kind: type[Game], variant: str, reader: Reader) -> PuzzleTitle:
    card = game_card(kind, reader)
    shown = next((each for each in card.variants if each.name == variant), card)
    return PuzzleTitle(kind.name, variant, shown.title, shown.cover)


def _link(puzzle: Puzzle, context: RequestContext) -> PuzzleLink:
    path = f"/puzzles/{puzzle.game}/{puzzle.id}"
    return PuzzleLink(puzzle.id, path, picture_path(puzzle, context.reader), puzzle.players)


def _puzzle_page(puzzle: Puzzle, context: RequestContext, day: str = "") -> Response[str]:
    kind = known_game(puzzle.game)
    art = art_of(puzzle.match().game, context.reader.language)
    address = f"/api/puzzles/{puzzle.game}/{puzzle.id}"
    grade = grades(kind)[puzzle.id]
    facts = {
        "address": address,
        "id": puzzle.id,
        "name": puzzle.match().names[puzzle.seat],
        "day": day,
        "rating": grade.rating,
        "stake": stake(puzzle).render(context.reader.translate),
        "difficulty": DIFFICULTIES[grade.difficulty].render(context.reader.translate),
        "backdrop": f"{address}/backdrop.svg?v={art.version}",
        "styles": f"{address}/backdrop.css?v={art.version}",
    }
    card, played = game_card(kind, context.reader), _title(kind, puzzle.variant, context.reader)
    preview = game_preview(context, kind, puzzle.variant)
    return page("puzzle.html", context.reader, study=facts, game=card, played=played, preview=preview)

"""A base for plain games: nothing is hidden, nothing is drawn by chance, and every move has a name.

An author gives the size of the board and writes five methods of the state. A position is the list of the moves that led
to it, and the picture is a list of cells. A game may override any of this, as it may in `Game`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Self, SupportsIndex

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from ludotheque.core.colours import PALETTE
from ludotheque.core.errors import BadPosition, IllegalMove, MoveError, UnreadableMove
from ludotheque.core.game import Game, State, check_viewer
from ludotheque.core.observation import Observation
from ludotheque.core.phrases import NOTHING, Phrase, Step, phrase, seat_name, winners
from ludotheque.core.projection import Solid, disc
from ludotheque.core.scene import Piece, Scene, ScoreTable
from ludotheque.core.stacking import stacked

Cell = int | str | None
"""The content of a cell: a stone of a seat, a text, or nothing."""

PLAIN_STATE_MUST: Final = ("legal", "play", "points", "cells")
"""The methods that the state of a plain game must provide, beside `current_player`."""

_START: Final = "-"
"""The position before the first move."""
_PITCH: Final = 44
_MARGIN: Final = 34
_RADIUS: Final = 15
_STONE: Final = Solid(disc(_RADIUS), thickness=7)
_BOARD_THICKNESS: Final = 18


class PlainState(State):
    """A position of a plain game: the moves so far, and the fields that `set_up` makes and `play` changes."""

    def __init__(self, game: PlainGame) -> None:
        self.game = game
        self.plain = game
        self.history: list[int] = []
        """The actions that led here."""
        self.set_up()

    # Methods that a game must provide, beside `current_player`.

    def legal(self) -> Iterable[int]:
        """The legal actions of the seat to act, in any order."""
        raise _missing(self, "legal")

    def play(self, action: int) -> None:
        """Change the fields by a legal action; `history` ends before it."""
        raise _missing(self, "play")

    def points(self) -> Sequence[int]:
        """Each seat's points, as if the game ended now; most points wins."""
        raise _missing(self, "points")

    def cells(self) -> Sequence[Cell]:
        """Return the content of each cell, in the order of `PlainGame.cell_names`."""
        raise _missing(self, "cells")

    # Methods that it may provide.

    def set_up(self) -> None:
        """Make the fields of the state: numbers, texts, tuples, and lists, dictionaries and sets of these."""

    # Methods that follow from these.

    def legal_into(self, actions: vec[i64]) -> i64:
        count = 0
        for count, action in enumerate(sorted(self.legal()), 1):
            actions[count - 1] = action
        return count

    def apply(self, action: i64) -> None:
        self.play(int(action))
        self.history.append(int(action))

    def scores_into(self, scores: vec[i64]) -> None:
        for seat, points in enumerate(self.points()):
            scores[seat] = points

    def clone(self) -> Self:
        copy = type(self).__new__(type(self))
        copy.game = self.game
        for name, value in vars(self).items():
            setattr(copy, name, _copied(value))
        return copy

    def resample_from_infostate(self, viewer: SupportsIndex, rng: Random) -> Self:
        check_viewer(viewer, self.game.players)
        return self.clone()


class PlainObservation(Observation, frozen=True, kw_only=True):
    """The observation of a plain game, the same for every viewer."""

    moves: tuple[str, ...]
    """The names of the moves so far."""
    cells: tuple[Cell, ...]
    points: tuple[int, ...]
    columns: int

    def __str__(self) -> str:
        shown = [_as_text(cell) for cell in self.cells]
        width = max(map(len, shown), default=1)
        rows = [shown[i : i + self.columns] for i in range(0, len(shown), self.columns)]
        lines = [" ".join(text.rjust(width) for text in row) for row in rows]
        return "\n".join([*lines, self.won_by] if self.returns else lines)


class PlainGame(Game):
    """A game without chance and secrets whose position is the list of its moves."""

    has_chance = False
    has_hidden_information = False

    state_class: ClassVar[type[PlainState]]
    """The class of its states."""
    cell_path: str = "M-21-21H21V21H-21Z"
    """The outline of a cell around its middle, as an SVG path."""
    prompt: ClassVar[str] = ""
    """The request to the player to move. Default: "choose a move"."""
    shows_points: ClassVar[bool] = False
    """Whether points are listed beside the board, and named when the game ends."""

    def __init__(self, players: int = 0, settings: Mapping[str, object] | None = None) -> None:
        super().__init__(players, settings)
        self.cell_list = tuple(self.cell_names())
        """The names of the cells."""
        self.moves = tuple(self.move_names())
        """The names of the actions."""
        self._numbers = {name: number for number, name in enumerate(self.moves)}

    # Methods that a game must provide, beside `max_game_length`.

    def columns(self) -> int:
        """Return the number of cells in a row."""
        raise _missing(self, "columns")

    def rows(self) -> int:
        """Return the number of rows of cells."""
        raise _missing(self, "rows")

    # Methods that it may provide.

    def cell_names(self) -> Sequence[str]:
        """The names of the cells, row by row. Default: `a1`, `b1` and so on; after `z1` comes `aa1`."""
        columns = [_letters(column) for column in range(self.columns())]
        return [f"{column}{row + 1}" for row in range(self.rows()) for column in columns]

    def move_names(self) -> Sequence[str]:
        """The notation of each action. Its words are the choices that make it up, each a cell or a button: `a1`,
        `a1 b2`, `pass`. Default: action 0 is the first cell, and so on."""
        return self.cell_list

    def place(self, cell: int) -> tuple[float, float]:
        """The middle of a cell in the picture. Default: squares in rows."""
        row, column = divmod(cell, self.columns())
        return _MARGIN + _PITCH * column, _MARGIN + _PITCH * row

    # Methods that follow from these.

    def new_initial_state(self) -> PlainState:
        return self.state_class(self)

    def num_distinct_actions(self) -> int:
        return len(self.moves)

    def observe(self, state: PlainState, viewer: int) -> PlainObservation:
        return PlainObservation(
            viewer=viewer,
            to_move=int(state.current_player()),
            players=self.players,
            returns=tuple(state.returns()) if state.is_terminal() else (),
            moves=tuple(self.moves[action] for action in state.history),
            cells=tuple(state.cells()),
            points=tuple(state.points()),
            columns=self.columns(),
        )

    def action_to_string(self, state: PlainState, action: int) -> str:
        return self.moves[action]

    def string_to_action(self, state: PlainState, text: str) -> int:
        name = " ".join(text.split())
        action = self._numbers.get(name, -1)
        if action < 0:
            raise UnreadableMove(f"{text[:40]!r} is no move of {self.title}; a move is written like {self.moves[0]}.")
        if not state.is_legal(action):
            raise IllegalMove(f"{name} cannot be played here.")
        return action

    def steps(self, state: PlainState, action: int) -> Sequence[Step]:
        return [Step(_step(word), phrase(word)) for word in self.moves[action].split()]

    def describe(self, before: PlainState, action: int, after: PlainState, viewer: int) -> Sequence[Phrase]:
        who = seat_name(int(before.current_player()))
        lines = [phrase("{seat}: {move}.", seat=who, move=phrase(self.moves[action]))]
        return [*lines, *self._ending(after)] if after.is_terminal() else lines

    def _ending(self, state: PlainState) -> Iterator[Phrase]:
        if self.shows_points:
            yield from winners(state.scores(), state.returns())
            return
        for seat, share in enumerate(state.returns()):
            if share == 1:
                yield phrase("{seat} wins.", seat=seat_name(seat))
            elif share:
                yield phrase("{seat} shares the win.", seat=seat_name(seat))

    def write_position(self, state: PlainState) -> str:
        return ",".join(self.moves[action] for action in state.history) or _START

    def read_position(self, text: str) -> PlainState:
        state = self.new_initial_state()
        for name in [] if text == _START else text.split(","):
            try:
                state.apply_action(self.string_to_action(state, name))
            except MoveError as error:
                raise BadPosition(f"A position of {self.title} is a list of moves: {error}") from error
        return state

    def moved_pieces(self, before: PlainState, action: int, after: PlainState, viewer: int) -> Sequence[str]:
        return [_on_cell(word) for word in reversed(self.moves[action].split()) if word in self.cell_list]

    # The picture.

    def scene(self, observation: PlainObservation) -> Scene:
        places = [self.place(cell) for cell in range(len(self.cell_list))]
        return Scene(
            title=phrase(self.title),
            width=max(x for x, _ in places) + _MARGIN,
            height=max(y for _, y in places) + _MARGIN,
            thickness=_BOARD_THICKNESS,
            pieces=(*self._spots(), *stacked(self._contents(observation))),
            tables=(self._points_table(observation),) if self.shows_points else (),
            prompt=NOTHING if observation.to_move < 0 else self._prompt(),
        )

    def _prompt(self) -> Phrase:
        return phrase(self.prompt) if self.prompt else phrase("choose a move")

    def _spots(self) -> Iterator[Piece]:
        """Yield the pieces that can be clicked, one for each cell."""
        for cell, name in enumerate(self.cell_list):
            x, y = self.place(cell)
            label = phrase(name)
            yield Piece(id=f"cell-{name}", path=self.cell_path, x=x, y=y, classes="spot", label=label, step=_step(name))

    def _contents(self, observation: PlainObservation) -> Iterator[Piece]:
        """Yield the contents of the cells: stones and texts."""
        for cell, content in enumerate(observation.cells):
            if content is None:
                continue
            name = self.cell_list[cell]
            x, y = self.place(cell)
            lies = seat_name(content) if isinstance(content, int) else phrase(content)
            label = phrase("{cell}: {content}", cell=phrase(name), content=lies)
            if isinstance(content, int):
                yield Piece(id=_on_cell(name), symbol=f"stone-{content}", x=x, y=y, body=_STONE,
                            classes=f"content of-seat-{content}", label=label)  # fmt: skip
            else:
                yield Piece(id=_on_cell(name), text=content, x=x, y=y, classes="content", label=label)

    def _points_table(self, observation: PlainObservation) -> ScoreTable:
        rows = tuple((seat_name(seat), points) for seat, points in enumerate(observation.points))
        return ScoreTable(self.unit(), (NOTHING, self.unit()), rows)

    def backdrop(self) -> str:
        places = [self.place(cell) for cell in range(len(self.cell_list))]
        width, height = (max(side) + _MARGIN for side in zip(*places, strict=True))
        stones = "".join(_stone(seat, colour) for seat, colour in enumerate(self.stone_colours()))
        cells = "".join(self._drawn_cell(cell) for cell in range(len(self.cell_list)))
        board = f'<rect class="wood" width="{width:g}" height="{height:g}"/>'
        grain = f'<rect width="{width:g}" height="{height:g}" fill="url(#grain)"/>'
        return f'{_STYLE}<defs>{_MATTER}{stones}</defs><g class="backdrop">{board}{grain}{cells}</g>'

    def stone_colours(self) -> list[str]:
        """The colour of each seat's stones, as in `#0c7a78`."""
        return [PALETTE[name][0] for name in self.seat_colours()]

    def _drawn_cell(self, cell: int) -> str:
        x, y = self.place(cell)
        return (
            f'<g transform="translate({x:g} {y:g})"><path class="cell-light" transform="translate(0.8 1)" '
            f'd="{self.cell_path}"/><path class="cell" d="{self.cell_path}"/></g>'
        )


def _stone(seat: int, colour: str) -> str:
    """The symbol of a seat's stones, with the number of the seat, so that colour is not the only sign; its side is
    darker."""
    side = "#" + "".join(f"{part * 5 // 9:02x}" for part in _parts(colour))
    return (
        f"<style>.of-seat-{seat} {{ --side: {side}; }}</style>"
        f'<symbol id="stone-{seat}" overflow="visible"><circle class="stone" r="{_RADIUS}" fill="{colour}"/>'
        f'<circle r="{_RADIUS - 0.5}" fill="url(#gloss)"/>'
        f'<text class="stone-number" y="4.5" fill="{_ink_on(colour)}">{seat + 1}</text></symbol>'
    )


def _ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    red, green, blue = _parts(colour)
    return "#17181b" if 299 * red + 587 * green + 114 * blue > 140_000 else "#fff"


def _parts(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour like `#0c7a78`, each below 256."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _missing(owner: object, method: str) -> NotImplementedError:
    """The error for a method that a plain game must provide and does not."""
    kind = type(owner).__name__
    return NotImplementedError(f"{kind} does not provide the method {method}, which every plain game needs.")


def _copied(value: Any) -> Any:
    """A copy of a value that shares only what cannot change."""
    if isinstance(value, list):
        return [_copied(part) for part in value]
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return set(value) if isinstance(value, set) else value


def _step(word: str) -> str:
    """The key of the choice of a cell or a button."""
    return f"choose:{word}"


def _on_cell(name: str) -> str:
    """The id of the piece on a cell."""
    return f"on-{name}"


def _as_text(cell: Cell) -> str:
    """A cell in a text: seats count from 1."""
    if cell is None:
        return "."
    return str(cell + 1) if isinstance(cell, int) else cell


_MATTER: Final = """
<linearGradient id="wood" x2="1" y2="1">
<stop stop-color="#d9b27c"/><stop offset="1" stop-color="#b9894f"/></linearGradient>
<linearGradient id="wood-night" x2="1" y2="1">
<stop stop-color="#6b5233"/><stop offset="1" stop-color="#493620"/></linearGradient>
<radialGradient id="gloss" cx="0.35" cy="0.3" r="0.8"><stop stop-color="#fff" stop-opacity="0.5"/>
<stop offset="0.45" stop-color="#fff" stop-opacity="0.06"/>
<stop offset="1" stop-color="#000" stop-opacity="0.28"/></radialGradient>
<pattern id="grain" width="180" height="26" patternUnits="userSpaceOnUse">
<path d="M0 5C50 2 90 9 180 5M0 13C60 17 120 9 180 13M0 21C40 19 130 24 180 21" fill="none" stroke="#000"
stroke-opacity="0.07" stroke-width="1.2"/></pattern>"""
"""Wood and stone: gradients and a pattern."""
_STYLE: Final = """<style>
.wood { fill: url(#wood); } .edge { --side: #8a6233; }
.cell { fill: #f2ddb4; fill-opacity: 0.55; stroke: #5c4526; stroke-width: 1.3; }
.cell-light { fill: none; stroke: #fff3d6; stroke-opacity: 0.8; stroke-width: 1.3; }
.spot > path { fill: transparent; }
.stone { stroke: #17181b; stroke-opacity: 0.6; stroke-width: 1; }
.stone-number { font: 700 13px var(--reading, system-ui, sans-serif); text-anchor: middle; opacity: 0.9; }
.content { pointer-events: none; }
.content > text { font: 700 18px var(--reading, system-ui, sans-serif); fill: #26282d; }
.content > text { text-anchor: middle; dominant-baseline: central; }
@media (prefers-color-scheme: dark) {
  .wood { fill: url(#wood-night); } .edge { --side: #33240f; }
  .cell { fill: #2a2013; fill-opacity: 0.45; stroke: #1b130a; }
  .cell-light { stroke-opacity: 0.16; } .content > text { fill: #f3ead8; }
}
</style>"""


def _letters(column: int) -> str:
    """a, b ... z, aa, ab and so on."""
    rest, last = divmod(column, 26)
    return (_letters(rest - 1) if rest else "") + chr(97 + last)

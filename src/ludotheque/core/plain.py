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
from ludotheque.core.scene import Piece, Scene, ScoreTable

Cell = int | str | None
"""The content of a cell: a stone of a seat, a text, or nothing."""

PLAIN_STATE_MUST: Final = ("legal", "play", "points", "cells")
"""The methods that the state of a plain game must provide, beside `current_player`."""

_START: Final = "-"
"""The position before the first move."""
_PITCH: Final = 44
_MARGIN: Final = 34


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
            pieces=(*self._spots(), *self._contents(observation)),
            tables=(self._points_table(observation),) if self.shows_points else (),
            asks=NOTHING if observation.to_move < 0 else self._prompt(),
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
            symbol = f"stone-{content}" if isinstance(content, int) else ""
            text = content if isinstance(content, str) else ""
            lies = seat_name(content) if isinstance(content, int) else phrase(content)
            label = phrase("{cell}: {content}", cell=phrase(name), content=lies)
            yield Piece(id=_on_cell(name), symbol=symbol, text=text, x=x, y=y, classes="content", label=label)

    def _points_table(self, observation: PlainObservation) -> ScoreTable:
        rows = tuple((seat_name(seat), points) for seat, points in enumerate(observation.points))
        return ScoreTable(self.unit(), (NOTHING, self.unit()), rows)

    def backdrop(self) -> str:
        stones = "".join(
            f'<symbol id="stone-{seat}" overflow="visible"><circle class="stone" r="15" fill="{colour}"/></symbol>'
            for seat, colour in enumerate(self.stone_colours())
        )
        cells = "".join(self._drawn_cell(cell) for cell in range(len(self.cell_list)))
        return f'{_STYLE}<defs>{stones}</defs><g class="backdrop">{cells}</g>'

    def stone_colours(self) -> list[str]:
        """The colour of each seat's stones, as in `#0c7a78`."""
        return [PALETTE[name][0] for name in self.seat_colours()]

    def _drawn_cell(self, cell: int) -> str:
        x, y = self.place(cell)
        return f'<path class="cell" transform="translate({x:g} {y:g})" d="{self.cell_path}"/>'


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


_STYLE: Final = """<style>
.cell { fill: #dcc9a3; stroke: #6d5c3d; stroke-width: 1.5; }
.spot > path { fill: transparent; }
.stone { stroke: #17181b; stroke-width: 1; }
.content { pointer-events: none; }
.content > text { font: 700 18px var(--reading, system-ui, sans-serif); fill: #26282d; }
.content > text { text-anchor: middle; dominant-baseline: central; }
@media (prefers-color-scheme: dark) { .cell { fill: #75664a; stroke: #2d2618; } }
</style>"""


def _letters(column: int) -> str:
    """a, b ... z, aa, ab and so on."""
    rest, last = divmod(column, 26)
    return (_letters(rest - 1) if rest else "") + chr(97 + last)

"""Games of the search against itself, with visits, values and results: as plain values, and as Parquet files.

For example:

    >>> from ludotheque import load_game
    >>> from ludotheque.selfplay import play_itself
    >>> game = load_game("passerelles", rounds=1)
    >>> decisions = play_itself(game, simulations=20, seed=1)
    >>> first = decisions[0]
    >>> first.seat, sum(first.visits), len(first.searched) == len(first.visits)
    (0, 20, True)
    >>> first.state().legal_actions() == game.new_initial_state().legal_actions()
    True

`write_games` and `read_games` need the extra `data` (pyarrow).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Final

import msgspec
from msgspec import Struct

from ludotheque.core.errors import BadOption
from ludotheque.core.game import Game, State
from ludotheque.core.policy import pick
from ludotheque.core.randoms import Random, save_random
from ludotheque.core.registry import load_game
from ludotheque.search import SearchResult, think

__all__ = ["Decision", "play_itself", "read_games", "write_games"]

EXPLORED: Final = 8
"""Decisions at the start of a game whose actions are drawn by visits, so that no two games are the same."""
_ROWS: Final = 4096
"""Decisions of a group of rows in a file."""


class Decision(Struct, frozen=True):
    """One decision of a game that the search played against itself."""

    game: str
    """A game string, with the version of the game."""
    seed: int
    """The seed of the game; decisions with the same game and seed belong together."""
    ply: int
    """Moves and draws before this one."""
    seat: int
    position: str
    """The whole position, for `Game.read_position`: also what the seat does not know."""
    searched: tuple[int, ...]
    """The actions that were searched, the best first."""
    visits: tuple[int, ...]
    """Simulations of each searched action."""
    values: tuple[float, ...]
    """Expected return of the seat after each searched action."""
    action: int
    """The action that was played."""
    result: float
    """The seat's share of the win at the end."""
    scores: tuple[int, ...]
    """Final scores of all seats."""

    def state(self) -> State:
        """The position."""
        return load_game(self.game).read_position(self.position)


def play_itself(game: Game, *, simulations: int, seed: int) -> list[Decision]:
    """Play one game, the search at every seat; forced moves are not searched and not listed."""
    rng = Random(seed)
    state = game.new_initial_state()
    found: list[Decision] = []
    ply = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.is_chance_node() or len(legal) == 1:
            action = int(state.sample(rng))
        else:
            result = think(state, simulations=simulations, seed=save_random(rng))
            action = _chosen(result, rng) if len(found) < EXPLORED else result.best.action
            found.append(_decision(state, seed, ply, result, action))
        state.apply_action(action)
        ply += 1
    returns, scores = state.returns(), tuple(state.scores())
    return [msgspec.structs.replace(one, result=returns[one.seat], scores=scores) for one in found]


def _chosen(result: SearchResult, rng: Random) -> int:
    """An action drawn by its share of the visits."""
    shares = result.visit_shares()
    return list(shares)[pick(list(shares.values()), rng)]


def _decision(state: State, seed: int, ply: int, result: SearchResult, action: int) -> Decision:
    moves = result.moves
    return Decision(
        game=str(state.game),
        seed=seed,
        ply=ply,
        seat=result.seat,
        position=state.position(),
        searched=tuple(move.action for move in moves),
        visits=tuple(move.visits for move in moves),
        values=tuple(round(move.returns[result.seat], 4) for move in moves),
        action=action,
        result=0.0,
        scores=(),
    )


# Files.


def write_games(path: str | PathLike[str], decisions: Iterable[Decision]) -> int:
    """Write decisions to a Parquet file; return how many. They may come one by one: few are kept in memory."""
    parquet, schema = _parquet(), _schema()
    written = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        for rows in _groups(decisions):
            columns = {name: [getattr(one, name) for one in rows] for name in Decision.__struct_fields__}
            file.write_table(_arrow().Table.from_pydict(columns, schema=schema))
            written += len(rows)
    return written


def read_games(*paths: str | PathLike[str]) -> Iterator[Decision]:
    """Read the decisions of Parquet files, one by one. (Data frames read the same files at once.)"""
    parquet = _parquet()
    for path in paths:
        for batch in parquet.ParquetFile(path).iter_batches(_ROWS):
            yield from msgspec.convert(batch.to_pylist(), list[Decision])


def _groups(decisions: Iterable[Decision]) -> Iterator[Sequence[Decision]]:
    rows: list[Decision] = []
    for decision in decisions:
        rows.append(decision)
        if len(rows) == _ROWS:
            yield rows
            rows = []
    if rows:
        yield rows


def _schema() -> Any:
    arrow = _arrow()
    kinds = {
        "game": arrow.dictionary(arrow.int32(), arrow.string()),
        "seed": arrow.int64(),
        "ply": arrow.int32(),
        "seat": arrow.int8(),
        "position": arrow.string(),
        "searched": arrow.list_(arrow.int32()),
        "visits": arrow.list_(arrow.int32()),
        "values": arrow.list_(arrow.float32()),
        "action": arrow.int32(),
        "result": arrow.float32(),
        "scores": arrow.list_(arrow.int32()),
    }
    return arrow.schema(list(kinds.items()))


def _arrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise BadOption("Parquet files need pyarrow; install it with: pip install 'ludotheque[data]'.") from error
    return pa


def _parquet() -> Any:
    _arrow()
    from pyarrow import parquet

    return parquet

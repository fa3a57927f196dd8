"""A player that was trained by `train_network.py`: needs NumPy and a file of weights, nothing else.

A small residual network sees what the seat knows, as planes over the board and a row of fields. It gives each action a
logit, and each seat its chance to win. The player takes the legal action with the highest logit. With `look`, it tries
the most likely actions on positions that it cannot tell from the true one, asks the network how each of them turned
out, and mends the logits by that.

How well it plays, and browser tables where it can be seated beside the levels:

    python examples/network_bot.py examples/networks/passerelles.npz --against policy greedy --games 200
    ludotheque serve --bot network=python:examples.network_bot:shipped
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ludotheque import Game, Random, State, Turn, planes_of
from ludotheque.arrays import unpack_fields, unpack_planes

LOOK_SCALE: Final = 12.0
"""Logits that a certain win is worth above a certain loss, once an action has been looked at."""


class Network:
    """The network of `train_network.py`, by NumPy alone."""

    def __init__(self, game: Game, weights: str | Path) -> None:
        with np.load(weights) as stored:
            if str(stored["game"]) != str(game):
                raise ValueError(f"These weights were trained for {stored['game']}, not for {game}.")
            self._layers = {name: _layer(stored, name) for name in stored.files if f"{name}.scale" in stored.files}
        self._layout = planes_of(game).layout
        self._index = np.array(planes_of(game).action_planes().index)
        self._blocks = sum(name.startswith("blocks.") and name.endswith(".first") for name in self._layers)

    def __call__(self, words: Any) -> tuple[Any, Any]:
        """The logits of all actions, and each seat's chance to win, the seat that looks first; a row for each
        observation."""
        planes, fields = unpack_planes(self._layout, words), unpack_fields(self._layout, words)
        board = np.maximum(self._convolved("planes", planes.transpose(0, 2, 3, 1)) + self._around("fields", fields), 0)
        for number in range(self._blocks):
            board = board + self._block(f"blocks.{number}", board)
        hidden = np.maximum(self.layer("hidden", np.concatenate([board.mean((1, 2)), board.max((1, 2))], 1)), 0)
        on_board = self.layer("on_board", board).transpose(0, 3, 1, 2).reshape(len(words), -1)
        logits = np.concatenate([on_board, self.layer("beside", hidden)], 1)
        return logits[:, self._index], _softmax(self.layer("win", hidden))

    def _block(self, name: str, board: Any) -> Any:
        inner = self._convolved(f"{name}.first", np.maximum(board, 0))
        inner = inner + self._around(f"{name}.pool", board.mean((1, 2)))
        return self._convolved(f"{name}.second", np.maximum(inner, 0))

    def _around(self, name: str, rows: Any) -> Any:
        """A layer over a row of numbers, the same for every square."""
        return self.layer(name, rows)[:, None, None, :]

    def layer(self, name: str, rows: Any) -> Any:
        """One layer, over rows of numbers."""
        weight, bias = self._layers[name]
        return rows @ weight.T + bias

    def _convolved(self, name: str, board: Any) -> Any:
        """A convolution over squares and their eight neighbours; channels come last."""
        weight, bias = self._layers[name]
        padded = np.pad(board, ((0, 0), (1, 1), (1, 1), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
        return windows.reshape(*board.shape[:3], -1) @ weight.T + bias


def _layer(stored: Any, name: str) -> tuple[Any, Any]:
    """The matrix and the bias of a layer, stored as bytes with a scale for each row, the bias behind."""
    rows = stored[name].astype(np.float32) * stored[f"{name}.scale"].astype(np.float32)[:, None]
    return rows[:, :-1], rows[:, -1]


def _softmax(logits: Any) -> Any:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


class LookAhead(NamedTuple):
    """The effort of a player that tries its actions before it chooses."""

    actions: int
    """The number of actions, the most likely first, that it tries."""
    deals: int = 1
    """The number of positions, dealt anew where something is hidden, on which it tries each."""


class NetworkBot:
    """Plays the action that its network likes best."""

    def __init__(self, game: Game, weights: str | Path, seed: int = 1, look: LookAhead | None = None) -> None:
        self._network, self._planes, self._rng, self._look = Network(game, weights), planes_of(game), Random(seed), look

    def choose(self, turn: Turn) -> int:
        """The legal action with the highest logit."""
        legal = np.array(turn.legal)
        if len(legal) == 1:
            return int(legal[0])
        logits = self._network(np.array([self._planes.words(turn.state, turn.seat)]))[0][0, legal]
        if self._look:
            tried = np.argsort(-logits, kind="stable")[: self._look.actions]
            legal, logits = legal[tried], logits[tried]
            logits = logits + LOOK_SCALE * self._tried(turn, legal.tolist(), self._look.deals)
        return int(legal[logits.argmax()])

    def _tried(self, turn: Turn, actions: list[int], deals: int) -> Any:
        """The chance to win after each action, as the network sees it."""
        hidden = turn.state.game.has_hidden_information
        total = np.zeros(len(actions))
        for _ in range(deals if hidden else 1):
            dealt = turn.state.resample_from_infostate(turn.seat, self._rng) if hidden else turn.state
            total += self._chances([self._after(dealt, action) for action in actions], turn.seat)
        return total / (deals if hidden else 1)

    def _after(self, state: State, action: int) -> State:
        after = state.clone()
        after.apply_action(action)
        while after.is_chance_node():
            after.apply_action(after.sample(self._rng))
        return after

    def _chances(self, positions: list[State], seat: int) -> Any:
        """One seat's chance to win in positions, each seen by the seat that is to act there."""
        movers = [seat if position.is_terminal() else int(position.current_player()) for position in positions]
        words = [self._planes.words(position, mover) for position, mover in zip(positions, movers, strict=True)]
        shares = self._network(np.array(words))[1]
        return [
            position.returns()[seat] if position.is_terminal() else float(row[(seat - mover) % len(row)])
            for position, mover, row in zip(positions, movers, shares, strict=True)
        ]


def shipped(game: Game, seat: int, seed: int) -> NetworkBot:
    """The player with the shipped weights, for the arena and tables: `python:examples.network_bot:shipped`."""
    path = Path(__file__).parent / "networks" / f"{game.name.replace('-', '_')}.npz"
    return NetworkBot(game, path, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--against", nargs="+", default=["policy", "greedy"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--look", type=int, default=0, help="actions to try before choosing; 0: none")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play them")
    options = parser.parse_args()
    from learned_bot import game_of, share_of_wins  # beside this file, where only its program finds it

    game = game_of(options.weights)
    player = partial(NetworkBot, look=LookAhead(options.look, 2) if options.look else None)
    for opponent in options.against:
        share, low, high = share_of_wins(options.weights, opponent, options.games, options.jobs, player)
        print(f"{game} against {opponent}: {share:.1%} of {options.games} games ({low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()

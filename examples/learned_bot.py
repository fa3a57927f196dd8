"""A player that was trained by `train_ppo.py`: needs NumPy and a file of weights, nothing else.

How well it plays, and browser tables where it can be seated beside the levels:

    python examples/learned_bot.py examples/weights/passerelles.npz --against policy --games 200
    ludotheque serve --bot learned=python:examples.learned_bot:Learned
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import numpy as np

from ludotheque import Game, Random, State, Turn, bot_named, load_game, planes_of
from ludotheque.core.layout import OFF_BOARD, Layout


def feature_table(layout: Layout) -> tuple[Any, Any, Any]:
    """For every feature of an observation: its word, its bit (-1 for a number) and what to divide it by."""
    rows = [(place >> 6, place & 63, 1.0) for place in layout.plane_places if place != OFF_BOARD]
    for field in layout.fields:
        if field.scale:
            rows += [(place, -1, field.scale) for place in field.places]
        else:
            rows += [(place >> 6, place & 63, 1.0) for place in field.places]
    words, bits, scales = zip(*rows, strict=True)
    return np.array(words), np.array(bits), np.array(scales, np.float32)


class LearnedBot:
    """Plays the move that its network likes best."""

    def __init__(self, game: Game, weights: str | Path) -> None:
        with np.load(weights) as stored:
            parts = {name: stored[name] for name in stored.files}
        if str(parts["game"]) != str(game):
            raise ValueError(f"These weights were trained for {parts['game']}, not for {game}.")
        words, bits, scales = feature_table(planes_of(game).layout)
        live = parts["features"]
        self._words, self._bits, self._scales = words[live], bits[live], scales[live]
        self._actions = {int(action): place for place, action in enumerate(parts["actions"])}
        names = [name for name in parts if name.startswith("layer")]
        self._layers = [_layer(parts, name) for name in sorted(names)]
        self._policy = _layer(parts, "policy")
        self._planes = planes_of(game)

    def choose(self, state: State, seat: int) -> int:
        """The legal action with the highest logit."""
        legal = state.legal_actions()
        known = [action for action in legal if action in self._actions]
        if not known:
            return legal[0]
        logits = self._logits(state, seat)
        return max(known, key=lambda action: float(logits[self._actions[action]]))

    def inform_action(self, action: int) -> None:
        """The network sees the position alone: nothing needs to be remembered."""

    def _logits(self, state: State, seat: int) -> Any:
        words = np.asarray(self._planes.words(state, seat), np.int64)[self._words]
        bits = (words >> np.maximum(self._bits, 0)) & 1
        hidden = np.where(self._bits < 0, words / self._scales, bits).astype(np.float32)
        for weight, bias in self._layers:
            hidden = np.maximum(hidden @ weight + bias, 0)
        weight, bias = self._policy
        return hidden @ weight + bias


def _layer(parts: dict[str, Any], name: str) -> tuple[Any, Any]:
    """The matrix and the bias of a layer, stored as bytes with a scale for each row, the bias behind."""
    rows = parts[name].astype(np.float32) * parts[f"scale_{name}"].astype(np.float32)[:, None]
    return rows[:, :-1].T, rows[:, -1]


class Learned:
    """The same as a bot for the arena, the terminal and browser tables: `python:examples.learned_bot:Learned`."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self._bot = LearnedBot(game, weights_for(game))

    def choose(self, turn: Turn) -> int:
        """The legal action with the highest logit."""
        return self._bot.choose(turn.state, turn.seat)


def weights_for(game: Game) -> Path:
    """The shipped weights that were trained for this game with these options."""
    for path in sorted((Path(__file__).parent / "weights").glob("*.npz")):
        with np.load(path) as stored:
            if str(stored["game"]) == str(game):
                return path
    raise ValueError(f"There are no weights for {game}; train_ppo.py makes some.")


def play(game: Game, bots: list[Any], rng: Random) -> list[float]:
    """One game; each seat's share of the win."""
    state = game.new_initial_state()
    while not state.is_terminal():
        drawing = state.is_chance_node()
        seat = int(state.current_player())
        action = int(state.sample(rng)) if drawing else bots[seat].choose(state, seat)
        state.apply_action(action)
        for bot in bots:
            bot.inform_action(action)
    return state.returns()


def share_of_wins(learned: LearnedBot, game: Game, opponent: str, games: int) -> tuple[float, float, float]:
    """The share of wins against a bot, seats in turn, and its 95 % interval (Wilson)."""
    won = 0.0
    for number in range(games):
        seat = number % game.players
        bots: list[Any] = [bot_named(opponent, game, 1000 + number) for _ in range(game.players)]
        bots[seat] = learned
        won += play(game, bots, Random(number))[seat]
    return won / games, *_wilson(won / games, games)


def _wilson(share: float, games: int, z: float = 1.96) -> tuple[float, float]:
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - spread, middle + spread


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--against", nargs="+", default=["policy", "greedy"])
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    with np.load(options.weights) as stored:
        game = load_game(str(stored["game"]))
    learned = LearnedBot(game, options.weights)
    for opponent in options.against:
        share, low, high = share_of_wins(learned, game, opponent, options.games)
        print(f"{game} against {opponent}: {share:.1%} of {options.games} games ({low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()

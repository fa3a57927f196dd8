"""A player that was trained by `train_ppo.py`: needs NumPy and a file of weights, nothing else.

It corrects a look ahead. The game's policy says what each action is worth at the end of the turn, as `greedy` has it,
and on request what is left of that after the best reply. The network looks at the best of these actions, at what the
seat would see after each of them, and chooses.

How well it plays, and browser tables where it can be seated beside the levels:

    python examples/learned_bot.py examples/weights/chicago_express.npz --against policy greedy --games 200
    ludotheque serve --bot learned=python:examples.learned_bot:Learned
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ludotheque import Game, Random, State, Turn, bot_named, load_game, planes_of
from ludotheque.core.layout import OFF_BOARD, Layout
from ludotheque.core.policy import policy_of

CANDIDATES: Final = 16
"""Actions, the best of the look ahead first, that the network chooses among, unless its weights say otherwise."""
HINTS: Final = 4
"""Facts about each action without a look at the best reply; with it, there is one hint more."""
WORST: Final = 50.0
"""Points behind the best action beyond which all are alike."""


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


class Candidates(NamedTuple):
    """The network's input for a decision: a row for each action that it may choose."""

    actions: list[int]
    hints: Any
    """The opinions of the look ahead and the policy about each action, next to the best."""
    words: Any
    """The seat's observation after each action."""


class Lookahead:
    """Finds the candidates of a decision. It deals anew what the seat cannot see, as all our bots do."""

    def __init__(self, game: Game, seed: int, most: int = CANDIDATES, *, replies: bool = False) -> None:
        self._policy, self._planes, self._rng = policy_of(game), planes_of(game), Random(seed)
        self.most: Final = most
        self.hints: Final = HINTS + replies

    def candidates(self, state: State, seat: int) -> Candidates:
        """The best actions of a look ahead over the turn, the best first."""
        seen = state.resample_from_infostate(seat, self._rng)
        values, weights = self._policy.turn_values(seen), self._policy.weigh(seen)
        actions = sorted(values, key=lambda action: (-values[action], -weights[action]))[: self.most]
        words = b"".join(self.words_after(seen, action, seat) for action in actions)
        hints = self._hints(actions, values, weights)
        if self.hints > HINTS:
            hints = np.concatenate([hints, self._reply_hint(seen, actions, seat)], 1)
        return Candidates(actions, hints, np.frombuffer(words, np.int64).reshape(len(actions), -1))

    def words_after(self, state: State, action: int, seat: int) -> bytes:
        """What a seat sees after an action."""
        after = state.clone()
        after.apply(action)
        return self._planes.packed(after, seat)

    def _hints(self, actions: list[int], values: dict[int, float], weights: dict[int, float]) -> Any:
        """Points behind the best action, absolutely and relatively; the policy's weight; whether it is the best."""
        behind = np.maximum(np.array([values[action] - values[actions[0]] for action in actions]), -WORST)
        liked = np.log(np.array([weights[action] for action in actions]) + 1e-9)
        liked = np.maximum(liked - liked.max(), -8.0) / 4
        best = np.arange(len(actions)) == 0
        columns = [behind / self._policy.lead_scale, 0.3 * behind / (behind.std() + 1e-3), liked, best]
        return np.stack(columns, 1).astype(np.float32)

    def _reply_hint(self, state: State, actions: list[int], seat: int) -> Any:
        """Points behind the action that is best after the reply."""
        after = np.array([self._after_reply(state, action, seat) for action in actions])
        behind = np.maximum(after - after.max(), -WORST) / self._policy.lead_scale
        return behind[:, None].astype(np.float32)

    def _after_reply(self, state: State, action: int, seat: int) -> float:
        """Return the worth of an action to the seat once the next player has made the most of its turn."""
        after = state.clone()
        after.apply(action)
        while after.is_chance_node():
            after.apply(after.sample(self._rng))
        if after.is_terminal():
            return self._policy.value(after, seat)
        best = max(self._policy.turn_values(after).values())
        return best if after.current_player() == seat else -best


class LearnedBot:
    """Plays the candidate that its network likes best."""

    def __init__(self, game: Game, weights: str | Path, seed: int = 1) -> None:
        with np.load(weights) as stored:
            parts = {name: stored[name] for name in stored.files}
        if str(parts["game"]) != str(game):
            raise ValueError(f"These weights were trained for {parts['game']}, not for {game}.")
        words, bits, scales = feature_table(planes_of(game).layout)
        live = parts["features"]
        self._words, self._bits, self._scales = words[live], bits[live], scales[live]
        self._first, self._second, self._head = (_layer(parts, name) for name in ("first", "second", "head"))
        most = int(parts.get("candidates", CANDIDATES))
        self._lookahead = Lookahead(game, seed, most, replies=len(parts["head"]) > 1 + HINTS)

    def choose(self, turn: Turn) -> int:
        """The candidate with the highest logit."""
        if len(turn.legal) == 1:
            return turn.legal[0]
        found = self._lookahead.candidates(turn.state, turn.seat)
        return found.actions[int(self._logits(found).argmax())]

    def _logits(self, found: Candidates) -> Any:
        """Run the network of `train_ppo.py`: its opinion, and how much it believes each hint."""
        picked = found.words[:, self._words]
        bits = (picked >> np.maximum(self._bits, 0)) & 1
        features = np.where(self._bits < 0, picked / self._scales, bits).astype(np.float32)
        hidden = np.maximum(_times(features, self._first), 0)
        hidden = hidden + np.maximum(_times(hidden, self._second), 0)
        head = _times(hidden, self._head)
        return head[:, 0] + (head[:, 1:] * found.hints).sum(1)


def _times(rows: Any, layer: tuple[Any, Any]) -> Any:
    weight, bias = layer
    return rows @ weight + bias


def _layer(parts: dict[str, Any], name: str) -> tuple[Any, Any]:
    """The matrix and the bias of a layer, stored as bytes with a scale for each row, the bias behind."""
    rows = parts[name].astype(np.float32) * parts[f"scale_{name}"].astype(np.float32)[:, None]
    return rows[:, :-1].T, rows[:, -1]


class Learned(LearnedBot):
    """The same with the shipped weights, for the arena and tables: `python:examples.learned_bot:Learned`."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, weights_for(game), seed)


def weights_for(game: Game) -> Path:
    """The shipped weights that were trained for this game with these options."""
    for path in sorted((Path(__file__).parent / "weights").glob("*.npz")):
        with np.load(path) as stored:
            if str(stored["game"]) == str(game):
                return path
    raise ValueError(f"There are no weights for {game}; train_ppo.py makes some.")


def play(game: Game, bots: list[Any], rng: Random) -> list[float]:
    """One game; each seat's share of the win."""
    state, events = game.new_initial_state(), []
    while not state.is_terminal():
        drawing = state.is_chance_node()
        seat = int(state.current_player())
        action = int(state.sample(rng)) if drawing else bots[seat].choose(Turn(state, seat, events))
        events.append((seat, None if game.has_hidden_information else action))
        state.apply_action(action)
    return state.returns()


def share_of_wins(
    weights: Path, opponent: str, games: int, jobs: int = 1, player: Callable[..., Any] = LearnedBot
) -> tuple[float, float, float]:
    """The share of wins against a bot, seats in turn, and its 95% interval (Wilson). The number of processes does not
    change the games."""
    one = partial(win_of, weights, opponent, player)
    if jobs == 1:
        won = sum(map(one, range(games)))
    else:
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            won = sum(pool.map(one, range(games)))
    return won / games, *_wilson(won / games, games)


def win_of(weights: Path, opponent: str, player: Callable[..., Any], number: int) -> float:
    """The share of the win that the weights get in one game against a bot at all other seats."""
    game = game_of(weights)
    seat = number % game.players
    bots: list[Any] = [bot_named(opponent, game, 1000 + number) for _ in range(game.players)]
    bots[seat] = player(game, weights, number)
    return play(game, bots, Random(number))[seat]


def game_of(weights: Path) -> Game:
    """The game that weights were trained for."""
    with np.load(weights) as stored:
        return load_game(str(stored["game"]))


def _wilson(share: float, games: int, z: float = 1.96) -> tuple[float, float]:
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - spread, middle + spread


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--against", nargs="+", default=["policy", "greedy"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1, help="processes that play them")
    options = parser.parse_args()
    game = game_of(options.weights)
    for opponent in options.against:
        share, low, high = share_of_wins(options.weights, opponent, options.games, options.jobs)
        print(f"{game} against {opponent}: {share:.1%} of {options.games} games ({low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()

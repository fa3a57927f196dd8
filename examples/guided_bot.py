"""A player that was trained by `train_guided.py`: needs NumPy and a file of weights, nothing else.

Its search is that of Gumbel AlphaZero, over what its seat may know. The best actions of the lookahead over one turn,
by which `greedy` plays, are its candidates. A network says how likely each is the best; it starts from what the
lookahead says. The network then judges the position after every candidate. The best few are tried on positions that the
seat cannot tell from the true one, all of them on the same ones with the same luck: the others reply as the game's
policy does, and the network judges the position in which the seat is to act again. What is left in the end is played.
What the network judges is not the whole chance to win, but how far to trust what the policy expects, and what to add.

How well it plays, and browser tables where it can be seated beside the levels:

    python examples/guided_bot.py examples/guided/passerelles.npz --against policy greedy bot:3 --games 100
    ludotheque serve --bot guided=python:examples.guided_bot:shipped
"""

from __future__ import annotations

import argparse
import math
import struct
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

sys.path.append(str(Path(__file__).parent))  # for the arena and tables, which import `examples.guided_bot`

from learned_bot import Candidates, Lookahead, game_of, share_of_wins
from network_bot import Network

from ludotheque import CHANCE, Game, Random, State, Turn, planes_of
from ludotheque.core.policy import policy_of

CANDIDATES: Final = 16
CHANCE_SCALE: Final = 30.0
"""Logits that a certain win is worth above a certain loss."""
LEAD_ODDS: Final = 1.1
"""Logarithm of the odds of a seat that is ahead by the policy's `lead_scale`."""
LEAST_SHARE: Final = 0.002
"""Of the win, that the policy never expects less than."""
LONGEST_REPLY: Final = 40
"""Moves and draws after a candidate before the network judges in any case."""


class Effort(NamedTuple):
    """How a search tries candidates."""

    rounds: tuple[tuple[int, int], ...] = ((4, 2), (2, 4))
    """Sequential halving: how many candidates are tried, and on how many positions each."""
    greedy: bool = False
    """Whether all go on as `greedy` does, and not as the policy does in a rollout."""
    turns: int = 1
    """How often it is the seat's turn again before the network judges."""


SHIPPED: Final = {
    "chicago_express": Effort(()),
    "chicago_express_3": Effort(()),
    "passerelles": Effort(((6, 4), (3, 8))),
}
"""The effort of the shipped weights, by file."""
USUAL: Final = Effort()


class Judge(Protocol):
    """A network, on whatever device, with arrays of NumPy going in and out."""

    def priors(self, words: Any, actions: Any, hints: Any) -> Any:
        """The logit of each action (a row of them for each observation)."""

    def chances(self, words: Any) -> Any:
        """The chance to win of every seat, the one that looks first, for each observation."""


class Decision(NamedTuple):
    """A seat's decision that was searched."""

    candidates: Candidates
    words: bytes
    """What the seat saw."""
    priors: Any
    """A logit for each candidate before the search."""
    chances: Any
    """The chance to win after each candidate, as the search found it."""
    judged: Any
    """The same as the network alone has it."""
    outlook: Any
    """What the network expects after the chosen candidate: each seat's chance to win, its own first."""
    chosen: int
    """The index of the candidate to play."""


class Observer:
    """What a seat sees, and behind it what the game's policy expects: the logarithm of each seat's share of the win,
    the seat that looks first. The policy may look at a position that is dealt anew only."""

    def __init__(self, game: Game) -> None:
        self._planes, self._policy = planes_of(game), policy_of(game)

    def __call__(self, position: State, seat: int) -> bytes:
        shares = self._policy.expected_shares(position)
        logits = [math.log(max(share, LEAST_SHARE)) for share in shares[seat:] + shares[:seat]]
        return b"".join((self._planes.packed(position, seat), struct.pack(f"{len(logits)}d", *logits)))


def expectation(words: Any, players: int) -> Any:
    """What the policy expects, of observations in NumPy."""
    return words[:, -players:].view(np.float64)


class Outlook(Lookahead):
    """The lookahead, with what the policy expects after each candidate."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, seed, CANDIDATES)
        self._observer = Observer(game)

    def words_after(self, state: State, action: int, seat: int) -> bytes:
        after = state.clone()
        after.apply(action)
        return self._observer(after, seat)


class GuidedSearch:
    """Searches many decisions at once, so that the network judges in large batches."""

    def __init__(self, game: Game, judge: Judge, seed: int, effort: Effort = USUAL) -> None:
        self._judge, self._effort, self._hidden = judge, effort, game.has_hidden_information
        self._observer, self._policy = Observer(game), policy_of(game)
        self._rng, self._lookahead = Random(seed), Outlook(game, seed)

    def candidates(self, state: State, seat: int) -> Candidates:
        """The best actions of the lookahead, the best first."""
        return self._lookahead.candidates(state, seat)

    def search(self, states: list[State], found: list[Candidates], noise: Any) -> list[Decision]:
        """Search each of the decisions, whose candidates are known; `noise`, a row for each decision, is added to the
        logits while candidates are chosen."""
        seats = [int(state.current_player()) for state in states]
        words = [self._observer(self._dealt(state, seat), seat) for state, seat in zip(states, seats, strict=True)]
        used, priors = self._priors(words, found)
        after = np.zeros(used.shape)
        outlooks = self._judge.chances(np.concatenate([each.words for each in found]))
        after[used] = outlooks[:, 0]
        total, visits = after.copy(), used.astype(float)
        left = used
        for survivors, times in self._effort.rounds:
            left = _best(priors + CHANCE_SCALE * total / np.maximum(visits, 1) + noise, left, survivors)
            tried = self._tried(states, seats, found, left, times)
            tried -= np.where(left, tried - after, 0).sum(1, keepdims=True) / left.sum(1, keepdims=True)
            total += np.where(left, times * tried, 0)
            visits += times * left
        chances = total / np.maximum(visits, 1)
        chosen = np.where(left, priors + CHANCE_SCALE * chances + noise, -np.inf).argmax(1)
        begins = np.cumsum(used.sum(1)) - used.sum(1)
        return [
            Decision(
                each,
                words[row],
                *(column[row, : len(each.actions)] for column in (priors, chances, after)),
                outlooks[begins[row] + best],
                best,
            )
            for row, (each, best) in enumerate(zip(found, chosen.tolist(), strict=True))
        ]

    def _dealt(self, state: State, seat: int) -> State:
        """A position that the seat cannot tell from the true one."""
        return state.resample_from_infostate(seat, self._rng) if self._hidden else state

    def _priors(self, words: list[bytes], found: list[Candidates]) -> tuple[Any, Any]:
        """Which places are used, a row for each decision, and the logits of the candidates in them."""
        actions, hints = packed(found)
        used = np.arange(CANDIDATES) < np.array([[len(each.actions)] for each in found])
        return used, np.where(used, self._judge.priors(_rows(words), actions, hints), -1e9)

    def _tried(self, states: list[State], seats: list[int], found: list[Candidates], left: Any, times: int) -> Any:
        """The mean chance to win once the others have replied, for the candidates that are left. All candidates of a
        decision are tried on the same positions with the same luck, so that luck does not tell them apart."""
        leaves = []
        for row in np.flatnonzero(left.any(1)).tolist():
            deals = [(self._dealt(states[row], seats[row]), self._rng.randrange(1 << 60)) for _ in range(times)]
            for column in np.flatnonzero(left[row]).tolist():
                action = found[row].actions[column]
                leaves += [self._leaf(position.clone(), action, seats[row], Random(luck)) for position, luck in deals]
        chances = np.array([0.0 if share is None else share for _, share in leaves])
        going_on = np.array([share is None for _, share in leaves])
        if going_on.any():
            chances[going_on] = self._judge.chances(_rows([words for words, share in leaves if share is None]))[:, 0]
        mean = np.zeros(left.shape)
        mean[left] = chances.reshape(-1, times).mean(1)
        return mean

    def _leaf(self, position: State, action: int, seat: int, rng: Random) -> tuple[bytes, float | None]:
        """What the seat sees when it is to act again after an action and the replies, and its share of the win if the
        game is over."""
        position.apply(action)
        turns, replied = 0, False
        for _ in range(LONGEST_REPLY * self._effort.turns):
            mover = position.current_player()
            if replied and mover == seat:
                turns, replied = turns + 1, False
            if position.is_terminal() or turns == self._effort.turns:
                break
            replied = replied or mover not in (seat, CHANCE)
            position.apply(position.sample(rng) if mover == CHANCE else self._reply(position, rng))
        if position.is_terminal():
            return b"", float(self.shares(position)[seat])
        return self._observer(position, seat), None

    def _reply(self, position: State, rng: Random) -> int:
        if not self._effort.greedy:
            return int(self._policy.move(position, rng))
        values = self._policy.turn_values(position)
        return max(values, key=values.__getitem__)

    def shares(self, ended: State) -> Any:
        """The shares of the win of a game that is over, as the network learns them: half of them by how far each seat
        is ahead, since a clear win teaches more than a narrow one."""
        leads = np.array(ended.scores()) * LEAD_ODDS / self._policy.lead_scale
        powers = np.exp(leads - leads.max())
        return (np.array(ended.returns()) + powers / powers.sum()) / 2


def packed(found: list[Candidates]) -> tuple[Any, Any]:
    """Actions and hints of candidates, a row for each decision; zeros where there are fewer candidates."""
    actions = np.zeros((len(found), CANDIDATES), np.int64)
    hints = np.zeros((len(found), CANDIDATES, found[0].hints.shape[1]), np.float32)
    for row, each in enumerate(found):
        actions[row, : len(each.actions)] = each.actions
        hints[row, : len(each.actions)] = each.hints
    return actions, hints


def _rows(words: list[bytes]) -> Any:
    return np.frombuffer(b"".join(words), np.int64).reshape(len(words), -1)


def _best(scores: Any, left: Any, survivors: int) -> Any:
    """Those that are left among the best of each row."""
    scores = np.where(left, scores, -np.inf)
    ranks = (-scores).argsort(1, kind="stable").argsort(1, kind="stable")
    return left & (ranks < survivors)


class NetworkJudge:
    """The network by NumPy alone."""

    def __init__(self, game: Game, weights: str | Path) -> None:
        self._network, self._players = Network(game, weights), game.players

    def priors(self, words: Any, actions: Any, hints: Any) -> Any:
        logits = np.take_along_axis(self._network(words[:, : -self._players])[0], actions, 1)
        return logits + self._network.layer("belief", hints)[..., 0]

    def chances(self, words: Any) -> Any:
        trusted = self._network.layer("trust", expectation(words, self._players)[..., None])[..., 0]
        shares = self._network(words[:, : -self._players])[1] * np.exp(trusted)
        return shares / shares.sum(1, keepdims=True)


class GuidedBot:
    """Plays what its search chooses."""

    def __init__(self, game: Game, weights: str | Path, seed: int = 1, effort: Effort | None = None) -> None:
        if effort is None:
            effort = SHIPPED.get(Path(weights).stem, USUAL)
        self._search = GuidedSearch(game, NetworkJudge(game, weights), seed, effort)

    def choose(self, turn: Turn) -> int:
        """The best candidate after the search."""
        if len(turn.legal) == 1:
            return int(turn.legal[0])
        found = self._search.candidates(turn.state, turn.seat)
        decision = self._search.search([turn.state], [found], 0.0)[0]
        return found.actions[decision.chosen]


def shipped(game: Game, seat: int, seed: int) -> GuidedBot:
    """The player with the shipped weights, which takes about as long as level 3 does, for the arena and tables:
    `python:examples.guided_bot:shipped`."""
    for name, effort in SHIPPED.items():
        weights = Path(__file__).parent / "guided" / f"{name}.npz"
        if str(game_of(weights)) == str(game):
            return GuidedBot(game, weights, seed, effort)
    raise ValueError(f"There are no weights for {game}; train_guided.py makes some.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--against", nargs="+", default=["policy", "greedy"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--unsearched", action="store_true", help="judge each candidate, but try none with replies")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play them")
    options = parser.parse_args()
    game = game_of(options.weights)
    player = partial(GuidedBot, effort=Effort(())) if options.unsearched else GuidedBot
    for opponent in options.against:
        share, low, high = share_of_wins(options.weights, opponent, options.games, options.jobs, player)
        print(f"{game} against {opponent}: {share:.1%} of {options.games} games ({low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()

"""Train a player by search: Gumbel AlphaZero over candidates, for any game, number of seats and hidden hands. Needs
PyTorch.

    python examples/train_guided.py "cable_car(players=2)" --minutes 8 --out cable_car.npz
    python examples/guided_bot.py cable_car.npz         # how well it plays; needs NumPy alone

`guided_bot.py` has the search. Here it plays many games at once, on a `Batch`, with noise so that it tries other moves
too. The network learns to choose as the search did, and how the games ended: from the position of each decision, and
from the one after the move. Three things keep the training from swinging. The averaged weights play, not the latest.
What is learnt comes from tens of thousands of decisions, not from the latest alone. And half of the games are played
against two bots that never change, `greedy` and `policy`, which cost nothing: they play the first candidate, or the one
that the policy likes best. The wins in these games are the curve of the training; no weights are chosen by them.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from guided_bot import CANDIDATES, GuidedSearch, packed
from learned_bot import HINTS, Candidates
from torch import nn
from torch.nn import functional
from train_network import Net, Sight, save

from ludotheque import Batch, Game, Random, State, load_game, planes_of
from ludotheque.arrays import batch_arrays

AVERAGED: Final = 0.995
"""Part of the averaged weights that each step of learning keeps."""
BELIEF: Final = (4.0, 4.0, 1.0, 1.0)
"""Logits that the hints of the lookahead are worth before anything is learnt."""
LIKED: Final = 2
"""The hint that tells how much the policy likes an action."""
BOTS: Final = ("greedy", "policy")
"""The opponents in two quarters of the games; in the others the learner has all seats."""


class GuidedNet(Net):
    """The network, and how far it believes each hint of the lookahead."""

    def __init__(self, game: Game, channels: int, blocks: int) -> None:
        super().__init__(game, channels, blocks)
        self.belief = nn.Linear(HINTS, 1)
        self.belief.weight.data = torch.tensor([BELIEF])
        self.belief.bias.data.zero_()


class Player:
    """A network that judges on one device."""

    def __init__(self, game: Game, device: Any, channels: int, blocks: int) -> None:
        self.device = device
        self.sight = Sight(planes_of(game).layout, device)
        self.net = GuidedNet(game, channels, blocks).to(device, memory_format=torch.channels_last)

    def __call__(self, words: Any) -> tuple[Any, Any]:
        """The logits of all actions, and of the chances to win."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            return self.net(*self.sight(words))

    def policy(self, logits: Any, actions: Any, hints: Any) -> Any:
        """The logits of candidates."""
        return logits.gather(1, actions) + self.net.belief(hints)[..., 0]

    @torch.no_grad()
    def priors(self, words: Any, actions: Any, hints: Any) -> Any:
        seen, which, hinted = (torch.tensor(array, device=self.device) for array in (words, actions, hints))
        return self.policy(self(seen)[0], which, hinted).cpu().numpy()

    @torch.no_grad()
    def chances(self, words: Any) -> Any:
        return functional.softmax(self(torch.tensor(words, device=self.device))[1], 1)[:, 0].cpu().numpy()

    def follow(self, other: Player) -> None:
        """Take over a little of the weights of another player."""
        with torch.no_grad():
            for mine, theirs in zip(self.net.parameters(), other.net.parameters(), strict=True):
                mine.lerp_(theirs, 1 - AVERAGED)


# Self-play.


class Samples(NamedTuple):
    """Decisions to learn from, a row for each."""

    words: Any
    after: Any
    """What the seat saw after its move."""
    actions: Any
    hints: Any
    target: Any
    """The policy after the search."""
    shares: Any
    """The shares of the win in the end, the seat that looks first."""


class Memory:
    """The latest decisions, on the device."""

    def __init__(self, size: int, device: Any) -> None:
        self._size, self._device, self._added = size, device, 0
        self._columns: list[Any] = []

    def add(self, samples: Samples) -> None:
        """Keep these in place of the oldest."""
        columns = [torch.tensor(np.stack(column), device=self._device) for column in samples]
        if not self._columns:
            self._columns = [
                torch.zeros((self._size, *new.shape[1:]), dtype=new.dtype, device=self._device) for new in columns
            ]
        places = torch.arange(self._added, self._added + len(columns[0]), device=self._device) % self._size
        for kept, new in zip(self._columns, columns, strict=True):
            kept[places] = new
        self._added += len(columns[0])

    def minibatch(self, size: int) -> Samples:
        rows = torch.randint(min(self._added, self._size), (size,), device=self._device)
        return Samples(*(column[rows] for column in self._columns))


class SelfPlay:
    """Games of a learner against itself, and against bots."""

    def __init__(self, game: Game, player: Player, games: int, seed: int, most: int) -> None:
        self._batch = Batch(game, games, seed, max_decisions=most)
        self._arrays, self._rng = batch_arrays(self._batch), Random(seed)
        self._search, self._noise = GuidedSearch(game, player, seed), np.random.default_rng(seed)
        self._decided: list[list[tuple[int, tuple[Any, ...]]]] = [[] for _ in range(games)]
        """The learner's decisions in each game since it began, with their seats."""
        numbers = np.arange(games)
        self._learner = numbers // 4 % game.players
        self._opponent = np.where(numbers % 4 < len(BOTS), numbers % 4, -1)
        """The bot at all seats but the learner's; -1 for the learner itself."""
        self.results: list[list[float]] = [[] for _ in BOTS]
        """The learner's share of the win in each game against a bot."""

    def step(self) -> Iterator[Samples]:
        """One decision in every game; gives the decisions of the games that ended."""
        arrays = self._arrays
        states = [self._batch.state(row) for row in range(len(self._batch))]
        picked = arrays.legal[:, 0].copy()
        found = {
            row: self._search.candidates(states[row], int(arrays.to_move[row]))
            for row in np.flatnonzero(arrays.legal_counts > 1).tolist()
        }
        for row, each in found.items():
            picked[row] = each.actions[0 if self._opponent[row] <= 0 else int(each.hints[:, LIKED].argmax())]
        learner = (self._opponent < 0) | (arrays.to_move == self._learner)
        self._choose({row: each for row, each in found.items() if learner[row]}, states, picked)
        self._batch.step(picked)
        for row in np.flatnonzero(arrays.done).tolist():
            yield from self._ended(row, states[row], int(picked[row]))

    def _choose(self, found: dict[int, Candidates], states: list[State], picked: Any) -> None:
        """Search; write what is to be played into `picked`."""
        if not found:
            return
        noise = self._noise.gumbel(size=(len(found), CANDIDATES))
        decisions = self._search.search([states[row] for row in found], list(found.values()), noise)
        actions, hints = packed(list(found.values()))
        for number, (row, decision) in enumerate(zip(found, decisions, strict=True)):
            powers = np.exp(decision.scores - decision.scores.max())
            target = np.zeros(CANDIDATES, np.float32)
            target[: len(powers)] = powers / powers.sum()
            after = decision.candidates.words[decision.chosen]
            sample = (self._arrays.words[row].copy(), after, actions[number], hints[number], target)
            self._decided[row].append((int(self._arrays.to_move[row]), sample))
            picked[row] = decision.candidates.actions[decision.chosen]

    def _ended(self, row: int, before: State, action: int) -> Iterator[Samples]:
        """The decisions of a game that the last action ended; a game that was cut off teaches nothing."""
        decided, self._decided[row] = self._decided[row], []
        if self._arrays.truncated[row]:
            return
        if self._opponent[row] >= 0:
            self.results[self._opponent[row]].append(float(self._arrays.rewards[row, self._learner[row]]))
        before.apply(action)
        while before.is_chance_node():
            before.apply(before.sample(self._rng))
        shares = self._search.shares(before).astype(np.float32)
        columns = zip(*((*sample, np.roll(shares, -seat)) for seat, sample in decided), strict=True)
        if decided:
            yield Samples(*columns)


# Learning.


def losses(player: Player, part: Samples) -> Any:
    """The errors of the policy, and of the chances before and after the move."""
    logits, win = player(torch.cat([part.words, part.after]))
    unused = (torch.arange(CANDIDATES, device=player.device) > 0) & (part.target == 0)
    priors = player.policy(logits[: len(part.words)], part.actions, part.hints).masked_fill(unused, -1e9)
    policy = -(part.target * functional.log_softmax(priors, 1)).sum(1).mean()
    value = -(part.shares.repeat(2, 1) * functional.log_softmax(win, 1)).sum(1).mean()
    return torch.stack([policy, value])


class Training:
    """A player, its averaged weights, and the games that these play."""

    def __init__(self, options: argparse.Namespace) -> None:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        self._options, self._game = options, load_game(options.game)
        self._player = Player(self._game, device, options.channels, options.blocks)
        self._averaged = deepcopy(self._player)
        self._play = SelfPlay(self._game, self._averaged, options.games, options.seed, options.most)
        self._memory = Memory(options.memory, device)
        self._optimizer = torch.optim.AdamW(self._player.net.parameters(), lr=options.rate, weight_decay=1e-4)
        self._decisions, self._learnt = 0, 0
        self._losses = torch.zeros(2)

    def run(self) -> None:
        """Play and learn until the time is over; learning slows down on the way."""
        begin, reports = time.monotonic(), 0
        with self._options.out.with_suffix(".csv").open("w", newline="") as file:
            curve = csv.writer(file)
            curve.writerow(
                ["decisions", "seconds", "policy loss", "value loss", *BOTS, *(f"{bot} games" for bot in BOTS)]
            )
            while (spent := (time.monotonic() - begin) / (60 * self._options.minutes)) < 1:
                self._iterate(spent)
                if spent * self._options.reports >= reports + 1:
                    reports += 1
                    self._report(curve, time.monotonic() - begin)
            self._report(curve, time.monotonic() - begin)
        save(self._averaged, self._game, self._options.out)

    def _iterate(self, spent: float) -> None:
        """Play a step of all games, and learn as much from the memory as games have brought."""
        options = self._options
        for samples in self._play.step():
            self._memory.add(samples)
            self._decisions += len(samples.shares)
        self._optimizer.param_groups[0]["lr"] = options.rate * (1 - 0.95 * spent)
        while self._learnt < options.reuse * self._decisions:
            found = losses(self._player, self._memory.minibatch(options.minibatch))
            self._optimizer.zero_grad()
            found.sum().backward()
            nn.utils.clip_grad_norm_(self._player.net.parameters(), 1.0)
            self._optimizer.step()
            self._averaged.follow(self._player)
            self._losses = found.detach()
            self._learnt += options.minibatch

    def _report(self, curve: Any, seconds: float) -> None:
        """Write a row of the curve: the wins against each bot since the last one."""
        results, policy, value = self._play.results, *self._losses.tolist()
        shares = [round(float(np.mean(each)), 4) if each else "" for each in results]
        row = [self._decisions, round(seconds), round(policy, 4), round(value, 4), *shares, *map(len, results)]
        curve.writerow(row)
        print(self._options.out.stem, *row, flush=True)
        self._play.results = [[] for _ in BOTS]


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a player by search.")
    parser.add_argument("game", help="a game string, such as cable_car(players=2)")
    parser.add_argument(
        "--out", type=Path, required=True, help="where to write the weights; the curve goes beside them"
    )
    parser.add_argument("--minutes", type=float, default=8.0, help="of training")
    parser.add_argument("--games", type=int, default=64, help="at once")
    parser.add_argument("--most", type=int, default=600, help="decisions of a game before it is cut off")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=3)
    parser.add_argument("--memory", type=int, default=60_000, help="the latest decisions, to learn from")
    parser.add_argument("--reuse", type=float, default=6.0, help="times that a decision is learnt from")
    parser.add_argument("--minibatch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, at the beginning")
    parser.add_argument("--reports", type=int, default=10, help="rows of the curve")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    parser.add_argument("--seed", type=int, default=1)
    Training(parser.parse_args()).run()


if __name__ == "__main__":
    main()

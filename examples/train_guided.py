"""Train a player by search: Gumbel AlphaZero over candidates, for any game, number of seats and hidden hands. Needs
PyTorch.

    python examples/train_guided.py "cable_car(players=2)" --minutes 8 --out cable_car.npz
    python examples/guided_bot.py cable_car.npz         # how well it plays; needs NumPy alone

`guided_bot.py` has the search. Here it plays many games at once, on a `Batch`, with noise so that it tries other moves
too. The network learns to choose as the search did, and how the games ended: from the position of each decision, and
from the one after the move. The averaged weights play, not the latest. What is learnt comes from tens of thousands of
decisions, not from the latest alone. And three quarters of the games are played against others: two bots that never
change and cost nothing, `greedy` and `policy` (they play the first candidate, or the one that the policy likes best),
and a past self. The wins in these games, in which there is noise in the opening alone, are the curve of the training;
no weights are chosen by them.

The curve also tells whether there is anything to choose by: how wrong the chances are in games that are not learnt from
yet, how wrong what the policy expects is there, and how much of what the search promised came true.
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
from guided_bot import CANDIDATES, CHANCE_SCALE, Decision, Effort, GuidedSearch, packed
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
OPPONENTS: Final = ("greedy", "policy", "past")
"""The opponents in three quarters of the games, the last of them a past self; in the others the learner has all
seats."""
PAST: Final = 2
OPENING: Final = 8
"""The learner's decisions at the beginning of a game in which it tries other moves too, whoever the opponent."""


class GuidedNet(Net):
    """The network, how far it believes each hint of the lookahead, and how far it trusts what the policy expects."""

    def __init__(self, game: Game, channels: int, blocks: int) -> None:
        super().__init__(game, channels, blocks)
        self.belief = nn.Linear(HINTS, 1)
        self.belief.weight.data = torch.tensor([BELIEF])
        self.belief.bias.data.zero_()
        self.trust = nn.Linear(1, 1)
        self.trust.weight.data.fill_(1.0)
        self.trust.bias.data.zero_()


class Player:
    """A network that judges on one device."""

    def __init__(self, game: Game, device: Any, channels: int, blocks: int) -> None:
        self.device, self._players = device, game.players
        self.sight = Sight(planes_of(game).layout, device)
        self.net = GuidedNet(game, channels, blocks).to(device, memory_format=torch.channels_last)

    def __call__(self, words: Any) -> tuple[Any, Any]:
        """The logits of all actions, and of the chances to win."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits, win = self.net(*self.sight(words))
        return logits, win + self.net.trust(self.expected(words)[..., None])[..., 0]

    def expected(self, words: Any) -> Any:
        """The logits of the chances to win as the policy expects them."""
        return words[:, -self._players :].view(torch.float64).float()

    def policy(self, logits: Any, actions: Any, hints: Any) -> Any:
        """The logits of candidates."""
        return logits.gather(1, actions) + self.net.belief(hints)[..., 0]

    @torch.no_grad()
    def priors(self, words: Any, actions: Any, hints: Any) -> Any:
        seen, which, hinted = (torch.tensor(array, device=self.device) for array in (words, actions, hints))
        return self.policy(self(seen)[0], which, hinted).cpu().numpy()

    @torch.no_grad()
    def chances(self, words: Any) -> Any:
        return functional.softmax(self(torch.tensor(words, device=self.device))[1], 1).cpu().numpy()

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
    """The shares of the win to learn, the seat that looks first."""
    result: Any
    """The shares of the win in the end."""


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

    def __len__(self) -> int:
        return min(self._added, self._size)

    def minibatch(self, size: int) -> Samples:
        rows = torch.randint(len(self), (size,), device=self._device)
        return Samples(*(column[rows] for column in self._columns))


class Promises:
    """How much of what decisions promised came true: 1 if the chances of candidates can be told apart as well as the
    search believes, 0 if it goes by errors."""

    def __init__(self) -> None:
        self._together, self._squares = 0.0, 1e-9

    def add(self, promised: float, result: float) -> None:
        """Both beyond the mean of the candidates."""
        self._together += promised * result
        self._squares += promised * promised

    def kept(self) -> float:
        return self._together / self._squares


class Promise(NamedTuple):
    """What a decision promised."""

    mean: float
    """The chance to win after a candidate, the mean weighed by the priors."""
    judged: float
    """How much more the chosen candidate has, as the network judges."""
    searched: float
    """The same as the search found it."""


class Decided(NamedTuple):
    """A decision of a game that goes on."""

    seat: int
    sample: tuple[Any, ...]
    promise: Promise
    outlook: Any
    """The chances to win of all seats after it, its own first."""


class SelfPlay:
    """Games of a learner against itself, its past and bots."""

    def __init__(self, game: Game, player: Player, options: argparse.Namespace) -> None:
        games, seed = options.games, options.seed
        self._options = options
        self._batch = Batch(game, games, seed, max_decisions=options.most)
        self._arrays, self._rng, self._noise = batch_arrays(self._batch), Random(seed), np.random.default_rng(seed)
        effort = effort_of(options)
        self.past = deepcopy(player)
        self._search, self._past_search = (GuidedSearch(game, who, seed, effort) for who in (player, self.past))
        self._decided: list[list[Decided]] = [[] for _ in range(games)]
        """The learner's decisions in each game since it began, with their seats and what they promised."""
        numbers = np.arange(games)
        self._learner = numbers // 4 % game.players
        self._opponent = np.where(numbers % 4 < len(OPPONENTS), numbers % 4, -1)
        """The number of the opponent at all seats but the learner's; -1 for the learner itself."""
        self.results: list[list[float]] = [[] for _ in OPPONENTS]
        """The learner's share of the win in each game against an opponent."""
        self.promises = [Promises(), Promises()]

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
        past = ~learner & (self._opponent == PAST)
        self._choose({row: each for row, each in found.items() if learner[row]}, states, picked)
        self._choose_as_past({row: each for row, each in found.items() if past[row]}, states, picked)
        self._batch.step(picked)
        for row in np.flatnonzero(arrays.done).tolist():
            yield from self._ended(row, states[row], int(picked[row]))

    def _choose_as_past(self, found: dict[int, Candidates], states: list[State], picked: Any) -> None:
        """Write what the past self plays into `picked`."""
        if found:
            decisions = self._past_search.search([states[row] for row in found], list(found.values()), 0.0)
            for row, decision in zip(found, decisions, strict=True):
                picked[row] = decision.candidates.actions[decision.chosen]

    def _choose(self, found: dict[int, Candidates], states: list[State], picked: Any) -> None:
        """Search; write what is to be played into `picked`. Against others, noise ends with the opening."""
        if not found:
            return
        noise = self._noise.gumbel(size=(len(found), CANDIDATES))
        openings = np.array([len(self._decided[row]) < OPENING for row in found])
        noise *= ((self._opponent[list(found)] < 0) | openings)[:, None]
        decisions = self._search.search([states[row] for row in found], list(found.values()), noise)
        actions, hints = packed(list(found.values()))
        for number, (row, decision) in enumerate(zip(found, decisions, strict=True)):
            target = np.zeros(CANDIDATES, np.float32)
            target[: len(decision.priors)] = self._target(decision)
            after = decision.candidates.words[decision.chosen]
            seen = np.frombuffer(decision.words, np.int64)
            sample = (seen, after, actions[number], hints[number], target)
            seat = int(self._arrays.to_move[row])
            self._decided[row].append(Decided(seat, sample, promised(decision), decision.outlook))
            picked[row] = decision.candidates.actions[decision.chosen]

    def _target(self, decision: Decision) -> Any:
        """The policy after the search, drawn back a little to what the lookahead alone believes."""
        believed = decision.candidates.hints @ np.array(BELIEF, np.float32)
        magnet = self._options.magnet
        known = (1 - magnet) * decision.priors + magnet * believed
        return softmax(known + CHANCE_SCALE * decision.chances)

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
        if decided:
            yield self._samples(decided, self._search.shares(before).astype(np.float32))

    def _samples(self, decided: list[Decided], end: Any) -> Samples:
        """What to learn from a game that ended so: of its end, and less and less of it the earlier a decision is, of
        what the network expected on the way."""
        trace, rows, shares = self._options.trace, [], end
        for seat, sample, promise, outlook in reversed(decided):
            result = float(end[seat]) - promise.mean
            self.promises[0].add(promise.judged, result)
            self.promises[1].add(promise.searched, result)
            rows.append((*sample, np.roll(shares, -seat), np.roll(end, -seat)))
            shares = (trace * shares + (1 - trace) * np.roll(outlook, seat)).astype(np.float32)
        return Samples(*zip(*rows, strict=True))


def effort_of(options: argparse.Namespace) -> Effort:
    rounds = [each.split("x") for each in options.rounds]
    return Effort(tuple((int(left), int(times)) for left, times in rounds), options.greedy, options.turns)


def softmax(logits: Any) -> Any:
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def promised(decision: Decision) -> Promise:
    weights = softmax(decision.priors)
    judged, searched = (float(weights @ chances) for chances in (decision.judged, decision.chances))
    chosen = decision.chosen
    return Promise(judged, decision.judged[chosen] - judged, decision.chances[chosen] - searched)


# Learning.


def losses(player: Player, part: Samples) -> Any:
    """The errors of the policy, and of the chances before and after the move."""
    logits, win = player(torch.cat([part.words, part.after]))
    unused = (torch.arange(CANDIDATES, device=player.device) > 0) & (part.target == 0)
    priors = player.policy(logits[: len(part.words)], part.actions, part.hints).masked_fill(unused, -1e9)
    policy = -(part.target * functional.log_softmax(priors, 1)).sum(1).mean()
    value = -(part.shares.repeat(2, 1) * functional.log_softmax(win, 1)).sum(1).mean()
    return torch.stack([policy, value])


COLUMNS: Final = (
    "decisions",
    "seconds",
    "policy loss",
    "value loss",
    "new value loss",
    "expected value loss",
    "promise kept",
    "search's promise kept",
    "trust",
    *OPPONENTS,
    *(f"{opponent} games" for opponent in OPPONENTS),
)


def value_losses(player: Player, part: Samples) -> Any:
    """The errors of the chances: the network's, and the policy's own."""
    words = torch.cat([part.words, part.after])
    shares = part.result.repeat(2, 1)
    return torch.stack(
        [-(shares * functional.log_softmax(win, 1)).sum(1).mean() for win in (player(words)[1], player.expected(words))]
    )


class Training:
    """A player, its averaged weights, and the games that these play."""

    def __init__(self, options: argparse.Namespace) -> None:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        self._options, self._game = options, load_game(options.game)
        self._player = Player(self._game, device, options.channels, options.blocks)
        self._averaged = deepcopy(self._player)
        self._play = SelfPlay(self._game, self._averaged, options)
        self._past, self._luck = [deepcopy(self._averaged.net.state_dict())], Random(options.seed)
        self._memory = Memory(options.memory, device)
        self._optimizer = torch.optim.AdamW(self._player.net.parameters(), lr=options.rate, weight_decay=1e-4)
        self._decisions, self._learnt = 0, 0
        self._new_losses: list[tuple[list[float], int]] = []

    def run(self) -> None:
        """Play and learn until the time is over; learning slows down on the way."""
        begin, reports = time.monotonic(), 0
        with self._options.out.with_suffix(".csv").open("w", newline="") as file:
            curve = csv.writer(file)
            curve.writerow(COLUMNS)
            while (spent := (time.monotonic() - begin) / (60 * self._options.minutes)) < 1:
                self._iterate(spent)
                if spent * self._options.reports >= reports + 1:
                    reports += 1
                    self._report(curve, time.monotonic() - begin)
                    file.flush()
            self._report(curve, time.monotonic() - begin)
        save(self._averaged, self._game, self._options.out)

    def _iterate(self, spent: float) -> None:
        """Play a step of all games, and learn as much from the memory as games have brought."""
        options = self._options
        for samples in self._play.step():
            with torch.no_grad():
                fresh = Samples(*(torch.tensor(np.stack(column), device=self._player.device) for column in samples))
                self._new_losses.append((value_losses(self._averaged, fresh).tolist(), len(samples.shares)))
            self._memory.add(samples)
            self._decisions += len(samples.shares)
        self._optimizer.param_groups[0]["lr"] = options.rate * (1 - 0.95 * spent)
        while self._learnt < options.reuse * self._decisions:
            self._learn(losses(self._player, self._memory.minibatch(options.minibatch)))
            self._learnt += options.minibatch

    def _learn(self, found: Any) -> None:
        self._optimizer.zero_grad()
        found.sum().backward()
        nn.utils.clip_grad_norm_(self._player.net.parameters(), 1.0)
        self._optimizer.step()
        self._averaged.follow(self._player)

    def _report(self, curve: Any, seconds: float) -> None:
        """Write a row of the curve: the wins against each opponent since the last one."""
        if not self._decisions:
            return
        with torch.no_grad():
            learnt = torch.stack([losses(self._averaged, self._memory.minibatch(1024)) for _ in range(4)]).mean(0)
        results, (policy, value) = self._play.results, learnt.tolist()
        shares = [round(float(np.mean(each)), 4) if each else "" for each in results]
        new = np.average(
            [each for each, _ in self._new_losses] or [[np.nan] * 2], 0, [n for _, n in self._new_losses] or [1]
        )
        kept = [promise.kept() for promise in self._play.promises]
        told = [policy, value, *new, *kept, self._averaged.net.trust.weight.item()]
        row = [self._decisions, round(seconds), *(round(float(each), 4) for each in told), *shares, *map(len, results)]
        curve.writerow(row)
        print(self._options.out.stem, *row, flush=True)
        self._play.results = [[] for _ in OPPONENTS]
        self._play.promises = [Promises(), Promises()]
        self._new_losses = []
        self._meet_past()

    def _meet_past(self) -> None:
        """Remember the player as it is now, and let any of those remembered be the past self in games from now on."""
        self._past.append(deepcopy(self._averaged.net.state_dict()))
        self._play.past.net.load_state_dict(self._past[self._luck.randrange(len(self._past))])


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
    parser.add_argument("--memory", type=int, default=200_000, help="the latest decisions, to learn from")
    parser.add_argument("--reuse", type=float, default=3.0, help="times that a decision is learnt from")
    parser.add_argument("--minibatch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, at the beginning")
    parser.add_argument("--reports", type=int, default=10, help="rows of the curve")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    parser.add_argument("--rounds", nargs="*", default=["4x2", "2x4"], help="candidates and positions of a search")
    parser.add_argument("--greedy", action="store_true", help="all go on by the lookahead in a search, not the policy")
    parser.add_argument("--turns", type=int, default=1, help="of the seat again, before the network judges")
    parser.add_argument("--trace", type=float, default=0.95, help="part of the result, against the chances on the way")
    parser.add_argument("--magnet", type=float, default=0.0, help="part of the lookahead in each policy to learn")
    parser.add_argument("--seed", type=int, default=1)
    Training(parser.parse_args()).run()


if __name__ == "__main__":
    main()

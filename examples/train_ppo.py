"""Train a player that corrects a look ahead: imitate a search if you like, then PPO on a `Batch`. Needs PyTorch.

    python examples/train_ppo.py "cable_car(players=2)" --games 128 --steps 60 --self-play-rate 3e-4 --out cable.npz
    python examples/learned_bot.py cable.npz        # how well it plays; needs NumPy alone

The network chooses among the candidates that `learned_bot.Lookahead` finds: the legal actions that are best at the end
of the turn. Before it has learnt anything it plays as `greedy` does, or with `--replies` as a look ahead does that also
counts the best reply. Decisions with fewer candidates are padded, and masked. One network plays all seats, any number
of them: every seat's decisions are a separate trajectory, and its reward comes when the game ends, no matter who
moved last. The network sees what the seat to act may know and nothing else.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from learned_bot import CANDIDATES, HINTS, Candidates, Lookahead, feature_table, share_of_wins
from torch import nn

from ludotheque import Batch, Game, Random, Turn, bot_named, load_game, planes_of
from ludotheque.arrays import batch_arrays
from ludotheque.bots.players import SearchBot

LAMBDA = 0.95
CLIP = 0.1
EPOCHS = 2
MINIBATCH = 512
STRAY = 0.06
"""Share of the moves in a lesson that are random, to show how to go on from positions that no one would reach."""
TOLERANCE = 0.03
"""Part of the win that a move may give away and still be taught with a third of the best move's weight."""


class Net(nn.Module):
    """For each candidate an opinion and how much to believe each hint; for a position, its value."""

    def __init__(self, features: int, width: int, hints: int, belief: float) -> None:
        """`belief`: how much it believes the look ahead before it has learnt anything."""
        super().__init__()
        self.first = nn.Linear(features, width)
        self.second = nn.Linear(width, width)
        self.head = nn.Linear(width, 1 + hints)
        self.value = nn.Linear(width, 1)
        for layer in (self.head, self.value):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        with torch.no_grad():
            self.head.bias[1] = belief
            self.head.bias[1 + HINTS :] = belief

    def forward(self, seen: Any, hints: Any) -> Any:
        """The logits of candidates, from the features after each of them."""
        head = self.head(self.hidden(seen))
        return head[..., 0] + (head[..., 1:] * hints).sum(-1)

    def hidden(self, seen: Any) -> Any:
        hidden = torch.relu(self.first(seen))
        return hidden + torch.relu(self.second(hidden))

    def worth(self, seen: Any) -> Any:
        """Return the worth of positions to the seat that looks, from -1 to 1."""
        return torch.tanh(self.value(self.hidden(seen)).squeeze(-1))


class Decisions(NamedTuple):
    """Decisions to learn from, candidates padded; `now` is what the seat saw before it chose."""

    words: Any
    hints: Any
    mask: Any
    now: Any


def padded(found: list[Candidates], now: Any, ahead: Lookahead) -> Decisions:
    """Decisions as arrays with a row for each candidate that there may be."""
    words = np.zeros((len(found), ahead.most, now.shape[1]), np.int64)
    hints = np.zeros((len(found), ahead.most, ahead.hints), np.float32)
    mask = np.zeros((len(found), ahead.most), bool)
    for number, each in enumerate(found):
        count = len(each.actions)
        words[number, :count], hints[number, :count], mask[number, :count] = each.words, each.hints, True
    return Decisions(words, hints, mask, now)


# Lessons.


class Lessons(NamedTuple):
    """Decisions of a teacher: how much it recommends each candidate, and what the seat got in the end."""

    decisions: Decisions
    shares: Any
    results: Any
    """From -1 (the others won) to 1 (the seat won alone)."""


def lessons(game: Game, options: argparse.Namespace) -> Lessons:
    """Let a search play, in several processes at once; their number does not change the games."""
    play = partial(lessons_of_game, str(game), options)
    if options.jobs == 1:
        found = [play(number) for number in range(options.lessons)]
    else:
        with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
            found = list(pool.map(play, range(options.lessons)))
    decisions = Decisions(*(np.concatenate(part) for part in zip(*(each.decisions for each in found), strict=True)))
    return Lessons(decisions, *(np.concatenate(part) for part in zip(*(each[1:] for each in found), strict=True)))


def looker(game: Game, options: argparse.Namespace, seed: int) -> Lookahead:
    return Lookahead(game, seed, options.candidates, replies=options.replies)


def lessons_of_game(name: str, options: argparse.Namespace, number: int) -> Lessons:
    """One game of a search against itself, or in half of the games against `greedy`, which teaches nothing."""
    game = load_game(name)
    planes, dice, ahead = planes_of(game), Random(1_000_003 * options.seed + number), looker(game, options, number)
    rng = random.Random(f"{options.seed}-{number}")
    bots = [bot_named(options.teacher, game, game.players * number + seat) for seat in range(game.players)]
    sparring = rng.randrange(2 * game.players)
    if sparring < game.players:
        bots[sparring] = bot_named("greedy", game, number)
    found, shares, now, seats = [], [], [], []
    state, events = game.new_initial_state(), []
    while not state.is_terminal():
        seat = int(state.current_player())
        legal = [] if seat < 0 else state.legal_actions()
        bot = bots[seat]
        if seat < 0:
            action = int(state.sample(dice))
        elif len(legal) > 1 and isinstance(bot, SearchBot):
            searched = bot.think(Turn(state, seat, events))
            action = searched[0].action
            candidates = ahead.candidates(state, seat)
            if any(move.action in candidates.actions for move in searched):
                found.append(candidates)
                shares.append(recommended(searched, candidates.actions, seat, ahead.most))
                now.append(planes.words(state, seat))
                seats.append(seat)
        else:
            action = bot.choose(Turn(state, seat, events))
        if len(legal) > 1 and rng.random() < STRAY:
            action = rng.choice(legal)
        events.append((seat, None if game.has_hidden_information else action))
        state.apply_action(action)
    results = _advantage_of(np.array(state.returns(), np.float32)[seats], game.players)
    return Lessons(padded(found, np.array(now, np.int64), ahead), np.array(shares, np.float32), results)


def recommended(searched: list[Any], actions: list[int], seat: int, most: int) -> Any:
    """Return a search's recommendation for each candidate: more for more visits and for a smaller loss."""
    if searched[0].is_exact and searched[0].action in actions:
        return (np.arange(most) == actions.index(searched[0].action)).astype(np.float32)
    known = {move.action: move for move in searched if move.action in actions}
    tried_enough = 0.05 * max(move.visits for move in known.values())
    best = max(move.returns[seat] for move in known.values() if move.visits >= tried_enough)
    shares = np.zeros(most, np.float32)
    for place, action in enumerate(actions):
        if action in known:
            loss = max(0.0, best - known[action].returns[seat])
            shares[place] = math.sqrt(known[action].visits) * math.exp(-loss / TOLERANCE)
    return shares / shares.sum()


def _advantage_of(share: Any, seats: int) -> Any:
    """A win is worth 1, an even share 0."""
    return (share * seats - 1.0) / (seats - 1)


class Sight:
    """The features that the network sees: those that change in random games and lessons, so that it stays small."""

    def __init__(self, game: Game, device: Any, seed: int, taught: Lessons | None, games: int = 64, steps: int = 300):
        self.words, self.bits, self.scales = feature_table(planes_of(game).layout)
        self.low, self.high = np.full(len(self.words), np.inf), np.full(len(self.words), -np.inf)
        batch = Batch(game, games, seed)
        arrays, rng = batch_arrays(batch), np.random.default_rng(seed)
        for _ in range(steps):
            self._note(arrays.words)
            batch.step(arrays.legal[np.arange(games), (rng.random(games) * arrays.legal_counts).astype(int)])
        if taught:
            for rows in np.array_split(taught.decisions.now, 1 + len(taught.decisions.now) // 4096):
                self._note(rows)
        live = self.features = np.flatnonzero(self.high > self.low)
        self.device = device
        self._word = torch.as_tensor(self.words[live], device=device)
        self._bit = torch.as_tensor(np.maximum(self.bits[live], 0), device=device)
        self._is_number = torch.as_tensor(self.bits[live] < 0, device=device)
        self._scale = torch.as_tensor(self.scales[live], device=device)

    def _note(self, words: Any) -> None:
        """Note how low and how high each feature is."""
        picked = words[:, self.words]
        values = np.where(self.bits < 0, picked, (picked >> np.maximum(self.bits, 0)) & 1)
        self.low, self.high = np.minimum(self.low, values.min(0)), np.maximum(self.high, values.max(0))

    def unpack(self, words: Any) -> Any:
        """Features of observations, from their words."""
        picked = words[..., self._word]
        return torch.where(self._is_number, picked.float() / self._scale, ((picked >> self._bit) & 1).float())

    def logits(self, net: Net, decisions: Decisions) -> Any:
        """Return the logits of the candidates of some decisions; only those that exist are looked at."""
        mask = torch.as_tensor(decisions.mask, device=self.device)
        words = torch.as_tensor(decisions.words, device=self.device)[mask]
        hints = torch.as_tensor(decisions.hints, device=self.device)[mask]
        logits = torch.full(mask.shape, -1e9, device=self.device)
        return logits.masked_scatter(mask, net(self.unpack(words), hints))

    def worth(self, net: Net, decisions: Decisions) -> Any:
        return net.worth(self.unpack(torch.as_tensor(decisions.now, device=self.device)))


def part_of(decisions: Decisions, rows: Any) -> Decisions:
    return Decisions(*(column[rows] for column in decisions))


def imitate(net: Net, sight: Sight, taught: Lessons, epochs: int, rate: float) -> dict[str, float]:
    """Learn what the teacher recommends and how its games ended; a tenth of the lessons, the last, tell how well."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    kept = len(taught.shares) - len(taught.shares) // 10

    def look(rows: Any) -> tuple[Any, Any, Any]:
        decisions = part_of(taught.decisions, rows)
        logits = sight.logits(net, decisions)
        shares = torch.as_tensor(taught.shares[rows], device=sight.device)
        results = torch.as_tensor(taught.results[rows], device=sight.device)
        error = (sight.worth(net, decisions) - results).square().mean()
        return logits, -(shares * torch.log_softmax(logits, 1)).sum(1).mean(), error

    for epoch in range(epochs):
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - epoch / epochs)
        for rows in torch.randperm(kept).split(128):
            _, loss, error = look(rows.numpy())
            optimizer.zero_grad()
            (loss + 0.2 * error).backward()
            optimizer.step()
    rows = np.arange(kept, len(taught.shares))[:4096]
    with torch.no_grad():
        logits, loss, error = look(rows)
    chosen = logits.argmax(1).cpu().numpy()
    best = taught.shares[rows].argmax(1)
    return {
        "teacher's move": float((chosen == best).mean()),
        "look ahead alone": float((best == 0).mean()),
        "loss": float(loss),
        "value": float(error),
    }


# Self-play.


def advantages(values: Any, seats: Any, done: Any, rewards: Any, last: Any, to_move: Any) -> Any:
    """Generalized advantages of each decision, along the decisions of the same seat.

    (steps, games) all but `rewards`: (steps, games, seats). The reward of a seat
    that does not move belongs to its last decision; games that go on are valued by the network.
    """
    steps, games = values.shape
    count = rewards.shape[2]
    rows = torch.arange(games, device=values.device)
    following = torch.zeros(games, count, device=values.device)
    seen = torch.zeros(games, count, dtype=torch.bool, device=values.device)
    following[rows, to_move], seen[rows, to_move] = last, True
    running = torch.zeros(games, count, device=values.device)
    pending = torch.zeros(games, count, device=values.device)
    found = torch.zeros_like(values)
    for step in reversed(range(steps)):
        ended = done[step]
        following[ended], running[ended], seen[ended] = 0.0, 0.0, True
        pending[ended] = rewards[step][ended]
        seat = seats[step]
        # A seat's last decision before the rollout stops teaches nothing yet: what follows is not known.
        known = seen[rows, seat]
        error = pending[rows, seat] + following[rows, seat] - values[step]
        gain = torch.where(known, error + LAMBDA * running[rows, seat], torch.zeros_like(error))
        found[step] = gain
        running[rows, seat], following[rows, seat] = gain, values[step]
        pending[rows, seat], seen[rows, seat] = 0.0, True
    return found


class Played(NamedTuple):
    """The results of a rollout, decision by decision."""

    decisions: Decisions
    picked: Any
    log_prob: Any
    value: Any
    gain: Any


def decisions_of(batch: Batch, arrays: Any, ahead: Lookahead) -> tuple[list[Candidates], Decisions]:
    """The candidates of all games of a batch."""
    found = [ahead.candidates(batch.state(number), int(seat)) for number, seat in enumerate(arrays.to_move)]
    return found, padded(found, arrays.words.copy(), ahead)


def rollout(batch: Batch, arrays: Any, net: Net, sight: Sight, ahead: Lookahead, steps: int) -> Played:
    """Play all games for some steps; what was seen, done and got."""
    device, kept, looked = sight.device, [], []
    for _ in range(steps):
        found, decisions = decisions_of(batch, arrays, ahead)
        with torch.no_grad():
            chance = torch.distributions.Categorical(logits=sight.logits(net, decisions))
            value = sight.worth(net, decisions)
        picked = chance.sample()
        seat = torch.as_tensor(arrays.to_move.copy(), device=device)
        batch.step([each.actions[int(place)] for each, place in zip(found, picked, strict=True)])
        rewards = torch.as_tensor(arrays.rewards.copy(), device=device).float()
        done = torch.as_tensor(arrays.done.copy(), device=device).bool()
        looked.append(decisions)
        kept.append((picked, chance.log_prob(picked), value, seat, done, rewards))
    picked, log_prob, value, seat, done, rewards = (torch.stack(column) for column in zip(*kept, strict=True))
    rewards = _advantage_of(rewards, rewards.shape[2]) * done.unsqueeze(-1)
    with torch.no_grad():
        last = net.worth(sight.unpack(torch.as_tensor(arrays.words.copy(), device=device)))
    to_move = torch.as_tensor(arrays.to_move.copy(), device=device)
    gain = advantages(value, seat, done, rewards, last, to_move)
    together = Decisions(*(np.concatenate(part) for part in zip(*looked, strict=True)))
    return Played(together, picked.flatten(), log_prob.flatten(), value.flatten(), gain.flatten())


def improve(net: Net, optimizer: Any, sight: Sight, played: Played) -> dict[str, float]:
    """Some epochs of PPO over what was played."""
    target = played.gain + played.value
    gain = (played.gain - played.gain.mean()) / (played.gain.std() + 1e-8)
    losses: dict[str, float] = {}
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(gain), device=gain.device).split(MINIBATCH):
            decisions = part_of(played.decisions, rows.cpu().numpy())
            chance = torch.distributions.Categorical(logits=sight.logits(net, decisions))
            ratio = (chance.log_prob(played.picked[rows]) - played.log_prob[rows]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy_loss = -torch.min(ratio * gain[rows], clipped * gain[rows]).mean()
            value_loss = (sight.worth(net, decisions) - target[rows]).square().mean()
            optimizer.zero_grad()
            (policy_loss + 0.5 * value_loss).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            losses = {"value": float(value_loss.detach()), "entropy": float(chance.entropy().mean().detach())}
    return losses


# Weights.


def save(net: Net, sight: Sight, game: Game, most: int, out: Path) -> None:
    """Write what `LearnedBot` needs: a byte for each weight, and a scale for each row of them; the head, where a large
    bias stands beside small weights, as it is."""
    arrays: dict[str, Any] = {"game": np.array(str(game)), "features": sight.features, "candidates": most}
    for name in ("first", "second", "head"):
        layer = getattr(net, name)
        rows = torch.cat([layer.weight, layer.bias[:, None]], 1).detach().cpu().numpy()
        arrays[name], arrays[f"scale_{name}"] = (rows, np.ones(len(rows))) if name == "head" else in_bytes(rows)
    out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out, **arrays)


def in_bytes(rows: Any) -> tuple[Any, Any]:
    """Rows of numbers from -127 to 127, and what to multiply each row by."""
    scales = np.maximum(np.abs(rows).max(1), 1e-6) / 127
    return np.round(rows / scales[:, None]).astype(np.int8), scales.astype(np.float32)


class Best:
    """Keeps the weights that win most in trials, so that self-play never makes the result worse."""

    def __init__(self, game: Game, sight: Sight, options: argparse.Namespace) -> None:
        self._game, self._sight, self._options = game, sight, options
        self._share = -1.0

    def offer(self, net: Net) -> str:
        """Write the weights if they do better than those before; return how well they do."""
        options = self._options
        trial = options.out.with_suffix(".trial.npz")
        save(net, self._sight, self._game, options.candidates, trial)
        shares = [share_of_wins(trial, each, options.trial, options.jobs)[0] for each in options.against]
        told = ", ".join(f"{share:.1%} against {each}" for share, each in zip(shares, options.against, strict=True))
        if sum(shares) <= self._share:
            trial.unlink()
            return told
        trial.replace(options.out)
        self._share = sum(shares)
        return f"{told}; kept"


def train(options: argparse.Namespace) -> None:
    game = load_game(options.game)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    begin = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - begin:.0f} s: {text}", flush=True)

    taught = lessons(game, options) if options.teacher else None
    sight = Sight(game, device, options.seed, taught, steps=options.scan)
    net = Net(len(sight.features), options.width, HINTS + options.replies, options.belief).to(device)
    best = Best(game, sight, options)
    report(f"{game}, {len(sight.features)} features, on {device}")
    if taught:
        report(f"{len(taught.shares):,} lessons of {options.teacher}")
        report(f"imitation: {_listed(imitate(net, sight, taught, options.epochs, options.rate))}")
    report(best.offer(net))
    optimizer = torch.optim.Adam(net.parameters(), lr=options.self_play_rate)
    batch, ahead = Batch(game, options.games, options.seed), looker(game, options, options.seed)
    arrays = batch_arrays(batch)
    for iteration in range(1, options.iterations + 1):
        losses = improve(net, optimizer, sight, rollout(batch, arrays, net, sight, ahead, options.steps))
        if iteration % options.report == 0 or iteration == options.iterations:
            report(f"{iteration * options.games * options.steps:,} decisions of self-play: {_listed(losses)}")
            report(best.offer(net))
    for opponent in options.against:
        share, low, high = share_of_wins(options.out, opponent, options.matches, options.jobs)
        report(f"against {opponent}: {share:.1%} of {options.matches} games ({low:.1%} to {high:.1%})")


def _listed(numbers: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in numbers.items())


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a player: imitation of a search, then self-play.")
    parser.add_argument("game", help="a game string, such as cable_car(players=2)")
    parser.add_argument("--out", type=Path, required=True, help="where to write the weights")
    parser.add_argument("--teacher", default="", help="a search to imitate first, such as search:100")
    parser.add_argument("--lessons", type=int, default=200, help="games of the teacher")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play them, and the trials")
    parser.add_argument("--candidates", type=int, default=CANDIDATES, help="actions that the network chooses among")
    parser.add_argument("--replies", action="store_true", help="look at the best reply to each of them, too")
    parser.add_argument("--belief", type=float, default=10.0, help="in the look ahead, before anything is learnt")
    parser.add_argument("--epochs", type=int, default=4, help="over its lessons")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, from lessons")
    parser.add_argument("--iterations", type=int, default=60, help="of self-play; 0: imitation alone")
    parser.add_argument("--games", type=int, default=64, help="of self-play at once")
    parser.add_argument("--steps", type=int, default=16, help="decisions of each game between two updates")
    parser.add_argument("--self-play-rate", type=float, default=1e-4, help="of learning, from self-play")
    parser.add_argument("--scan", type=int, default=300, help="random steps that show which features occur")
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=20, help="iterations between two trials")
    parser.add_argument("--trial", type=int, default=40, help="games of a trial")
    parser.add_argument("--against", nargs="*", default=["policy", "greedy"])
    parser.add_argument("--matches", type=int, default=200)
    train(parser.parse_args())


if __name__ == "__main__":
    main()

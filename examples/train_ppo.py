"""Train a player: imitate a teacher first, if you like, then PPO self-play with action masks. Needs PyTorch.

    python examples/train_ppo.py "cable_car(players=2)" --minutes 8 --out examples/weights/cable_car.npz
    python examples/train_ppo.py "chicago_express(players=2)" --teacher search:100 --lessons 200 --minutes 8 --out ...
    python examples/learned_bot.py examples/weights/cable_car.npz        # how well it plays; needs NumPy alone

One network plays all seats, on a `Batch` of games. Any number of seats: every seat's decisions are a trajectory of its
own, and its reward comes when the game ends, no matter who moved last. The network sees what the seat to act may know
and nothing else.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from learned_bot import LearnedBot, feature_table, share_of_wins
from torch import nn

from ludotheque import Batch, Game, Random, bot_named, load_game, planes_of
from ludotheque.arrays import batch_arrays

LAMBDA = 0.95
CLIP = 0.2
EPOCHS = 2
MINIBATCH = 16384


class Net(nn.Module):
    """A few layers with a policy and a value on top."""

    def __init__(self, features: int, actions: int, width: int, depth: int) -> None:
        super().__init__()
        sizes = [features, *[width] * depth]
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, seen: Any) -> tuple[Any, Any]:
        for layer in self.layers:
            seen = torch.relu(layer(seen))
        return self.policy(seen), self.value(seen).squeeze(-1)


class Lessons(NamedTuple):
    """Decisions of a teacher: what its seat saw, what it could do, what it chose, and what its seat got in the end."""

    words: Any
    legal: list[list[int]]
    chosen: list[int]
    results: Any
    """From -1 (the others won) to 1 (the seat won alone)."""


def lessons(game: Game, teacher: str, games: int, seed: int, jobs: int = 1) -> Lessons:
    """Let a bot play against itself, in several processes at once; their number does not change the games."""
    play = partial(lessons_of_game, str(game), teacher, seed)
    if jobs == 1:
        found = [play(number) for number in range(games)]
    else:
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            found = list(pool.map(play, range(games)))
    words, legal, chosen, results = zip(*found, strict=True)
    return Lessons(np.concatenate(words), list(chain(*legal)), list(chain(*chosen)), np.concatenate(results))


def lessons_of_game(name: str, teacher: str, seed: int, number: int, stray: float = 0.08) -> Lessons:
    """One game of a bot against itself. Now and then a random move is played instead of its choice, so that it also
    shows how to go on from positions that it would not have reached; what it chose there is kept."""
    game = load_game(name)
    planes, dice = planes_of(game), Random(1_000_003 * seed + number)
    rng = np.random.default_rng([seed, number])
    bots = [bot_named(teacher, game, game.players * number + seat) for seat in range(game.players)]
    words: list[list[int]] = []
    legal: list[list[int]] = []
    chosen: list[int] = []
    seats: list[int] = []
    state = game.new_initial_state()
    while not state.is_terminal():
        seat = int(state.current_player())
        action = int(state.sample(dice)) if seat < 0 else bots[seat].choose(state, seat)
        if seat >= 0 and len(state.legal_actions()) > 1:
            words.append(planes.words(state, seat))
            legal.append(state.legal_actions())
            chosen.append(action)
            seats.append(seat)
            action = int(state.sample(dice)) if rng.random() < stray else action
        state.apply_action(action)
        for bot in bots:
            bot.inform_action(action)
    results = _advantage_of(np.array(state.returns(), np.float32)[seats], game.players)
    return Lessons(np.array(words, np.int64), legal, chosen, results)


def _advantage_of(share: Any, seats: int) -> Any:
    """A win is worth 1, an even share 0."""
    return (share * seats - 1.0) / (seats - 1)


class Sight:
    """What the network sees: the features and actions that random games and lessons ever use, so that it stays
    small."""

    def __init__(
        self, game: Game, device: Any, seed: int, taught: Lessons | None, games: int = 512, steps: int = 300
    ) -> None:
        self.words, self.bits, self.scales = feature_table(planes_of(game).layout)
        batch = Batch(game, games, seed)
        arrays, rng = batch_arrays(batch), np.random.default_rng(seed)
        low, high = np.full(len(self.words), np.inf), np.full(len(self.words), -np.inf)
        legal = np.zeros(batch.actions, bool)
        for _ in range(steps):
            values = self._values(arrays.words)
            low, high = np.minimum(low, values.min(0)), np.maximum(high, values.max(0))
            legal |= arrays.mask.any(0)
            batch.step(arrays.legal[np.arange(games), (rng.random(games) * arrays.counts).astype(int)])
        if taught:
            for rows in np.array_split(taught.words, 1 + len(taught.words) // 4096):
                values = self._values(rows)
                low, high = np.minimum(low, values.min(0)), np.maximum(high, values.max(0))
            legal[np.concatenate(taught.legal)] = True
        self.features, self.actions = np.flatnonzero(high > low), np.flatnonzero(legal)
        self.device = device
        live = self.features
        self._word = torch.as_tensor(self.words[live], device=device)
        self._bit = torch.as_tensor(np.maximum(self.bits[live], 0), device=device)
        self._is_number = torch.as_tensor(self.bits[live] < 0, device=device)
        self._scale = torch.as_tensor(self.scales[live], device=device)

    def _values(self, words: Any) -> Any:
        picked = words[:, self.words]
        return np.where(self.bits < 0, picked, (picked >> np.maximum(self.bits, 0)) & 1)

    def unpack(self, words: Any) -> Any:
        """Features of observations, from their words."""
        picked = words[:, self._word]
        return torch.where(self._is_number, picked.float() / self._scale, ((picked >> self._bit) & 1).float())


def imitate(net: Net, sight: Sight, taught: Lessons, epochs: int, rate: float) -> dict[str, float]:
    """Learn the teacher's choices and how its games ended; a tenth of the lessons, the last ones, tell how well."""
    device = sight.device
    place = np.full(int(sight.actions.max()) + 1, -1)
    place[sight.actions] = np.arange(len(sight.actions))
    mask = torch.zeros(len(taught.legal), len(sight.actions), dtype=torch.bool)
    rows = np.repeat(np.arange(len(taught.legal)), [len(legal) for legal in taught.legal])
    mask[rows, place[np.concatenate(taught.legal)]] = True
    words, results = torch.as_tensor(taught.words), torch.as_tensor(taught.results)
    chosen = torch.as_tensor(place[taught.chosen])
    kept = len(chosen) - len(chosen) // 10
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)

    def look(rows: Any) -> tuple[Any, Any, Any]:
        logits, value = net(sight.unpack(words[rows].to(device)))
        logits = logits.masked_fill(~mask[rows].to(device), -1e9)
        return logits, nn.functional.cross_entropy(logits, chosen[rows].to(device)), value

    for epoch in range(epochs):
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - epoch / epochs)
        for rows in torch.randperm(kept).split(256):
            _, loss, value = look(rows)
            optimizer.zero_grad()
            (loss + 0.5 * (value - results[rows].to(device)).square().mean()).backward()
            optimizer.step()
    rows = torch.arange(kept, len(chosen))
    with torch.no_grad():
        logits, loss, value = look(rows)
    same = (logits.argmax(1) == chosen[rows].to(device)).float().mean()
    error = (value - results[rows].to(device)).square().mean()
    return {"teacher's move": float(same), "loss": float(loss), "value": float(error)}


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


def rollout(batch: Batch, arrays: Any, net: Net, sight: Sight, steps: int) -> dict[str, Any]:
    """Play all games for some steps; what was seen, done and got."""
    device, kept = sight.device, []
    actions = torch.as_tensor(sight.actions, device=device)
    for _ in range(steps):
        words = torch.as_tensor(arrays.words.copy(), device=device)
        mask = torch.as_tensor(arrays.mask[:, sight.actions], device=device).bool()
        with torch.no_grad():
            logits, value = net(sight.unpack(words))
        logits = logits.masked_fill(~mask, -1e9)
        chance = torch.distributions.Categorical(logits=logits)
        picked = chance.sample()
        seat = torch.as_tensor(arrays.to_move.copy(), device=device)
        # Where only actions are legal that random games never showed, the first of them is played.
        chosen = torch.where(mask.any(1), actions[picked], torch.as_tensor(arrays.legal[:, 0].copy(), device=device))
        batch.step(chosen.cpu().numpy())
        rewards = torch.as_tensor(arrays.rewards.copy(), device=device).float()
        done = torch.as_tensor(arrays.done.copy(), device=device).bool()
        kept.append((words, mask, picked, chance.log_prob(picked), value, seat, done, rewards))
    names = ("words", "mask", "picked", "log_prob", "value", "seat", "done", "rewards")
    played = {name: torch.stack(column) for name, column in zip(names, zip(*kept, strict=True), strict=True)}
    seats = played["rewards"].shape[2]
    played["rewards"] = _advantage_of(played["rewards"], seats) * played["done"].unsqueeze(-1)
    with torch.no_grad():
        _, last = net(sight.unpack(torch.as_tensor(arrays.words.copy(), device=device)))
    to_move = torch.as_tensor(arrays.to_move.copy(), device=device)
    played["gain"] = advantages(played["value"], played["seat"], played["done"], played["rewards"], last, to_move)
    return played


def improve(net: Net, optimizer: Any, sight: Sight, played: dict[str, Any], entropy: float) -> dict[str, float]:
    """Some epochs of PPO over what was played."""
    flat = {name: column.flatten(0, 1) for name, column in played.items() if name != "rewards"}
    gain = flat["gain"]
    target = gain + flat["value"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    size = len(gain)
    losses: dict[str, float] = {}
    for _ in range(EPOCHS):
        for rows in torch.randperm(size, device=gain.device).split(MINIBATCH):
            logits, value = net(sight.unpack(flat["words"][rows]))
            chance = torch.distributions.Categorical(logits=logits.masked_fill(~flat["mask"][rows], -1e9))
            ratio = (chance.log_prob(flat["picked"][rows]) - flat["log_prob"][rows]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy_loss = -torch.min(ratio * gain[rows], clipped * gain[rows]).mean()
            value_loss = (value - target[rows]).square().mean()
            spread = chance.entropy().mean()
            loss = policy_loss + 0.5 * value_loss - entropy * spread
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            losses = {"value": float(value_loss.detach()), "entropy": float(spread.detach())}
    return losses


def save(net: Net, sight: Sight, game: Game, out: Path) -> None:
    """Write what `LearnedBot` needs: a byte for each weight, and a scale for each row of them."""
    arrays: dict[str, Any] = {"game": np.array(str(game)), "features": sight.features, "actions": sight.actions}
    for name, layer in [
        *((f"layer{number}", layer) for number, layer in enumerate(net.layers)),
        ("policy", net.policy),
    ]:
        rows = torch.cat([layer.weight, layer.bias[:, None]], 1).detach().cpu().numpy()
        arrays[name], arrays[f"scale_{name}"] = in_bytes(rows)
    out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out, **arrays)


def in_bytes(rows: Any) -> tuple[Any, Any]:
    """Rows of numbers from -127 to 127, and what to multiply each row by."""
    scales = np.maximum(np.abs(rows).max(1), 1e-6) / 127
    return np.round(rows / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def train(options: argparse.Namespace) -> None:
    game = load_game(options.game)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    begin = time.monotonic()
    taught = lessons(game, options.teacher, options.lessons, options.seed, options.jobs) if options.teacher else None
    sight = Sight(game, device, options.seed, taught, steps=options.scan)
    net = Net(len(sight.features), len(sight.actions), options.width, options.depth).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=options.rate)
    batch = Batch(game, options.games, options.seed)
    arrays = batch_arrays(batch)
    print(f"{game}: {len(sight.features)} features, {len(sight.actions)} actions, on {device}", flush=True)
    if taught:
        print(f"{time.monotonic() - begin:.0f} s, {len(taught.chosen):,} lessons of {options.teacher}", flush=True)
        learnt = imitate(net, sight, taught, options.epochs, options.rate)
        words = ", ".join(f"{name} {value:.3f}" for name, value in learnt.items())
        print(f"{time.monotonic() - begin:.0f} s, imitation: {words}", flush=True)
        save(net, sight, game, options.out)
    begin, iteration = time.monotonic(), 0
    while not options.iterations or iteration < options.iterations:
        part = (time.monotonic() - begin) / (60 * options.minutes) if options.minutes else 1.0
        if part >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = options.rate * max(0.05, 1 - part)
        played = rollout(batch, arrays, net, sight, options.steps)
        losses = improve(net, optimizer, sight, played, options.entropy * (1 - 0.8 * part))
        iteration += 1
        if iteration % options.report == 0:
            decisions = iteration * options.games * options.steps
            words = ", ".join(f"{name} {value:.3f}" for name, value in losses.items())
            print(f"{time.monotonic() - begin:.0f} s, {decisions:,} decisions: {words}", flush=True)
            save(net, sight, game, options.out)
    save(net, sight, game, options.out)
    for opponent in options.against:
        share, low, high = share_of_wins(LearnedBot(game, options.out), game, opponent, options.matches)
        print(f"against {opponent}: {share:.1%} of {options.matches} games ({low:.1%} to {high:.1%})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a player by self-play.")
    parser.add_argument("game", help="a game string, such as cable_car(players=2)")
    parser.add_argument("--out", type=Path, required=True, help="where to write the weights")
    parser.add_argument("--teacher", default="", help="a bot to imitate first, such as search:100")
    parser.add_argument("--lessons", type=int, default=200, help="games of the teacher against itself")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play them")
    parser.add_argument("--epochs", type=int, default=8, help="over its lessons")
    parser.add_argument("--minutes", type=float, default=8.0, help="of self-play; 0: imitation alone")
    parser.add_argument("--iterations", type=int, default=0, help="stop after so many; 0: when the time is over")
    parser.add_argument("--games", type=int, default=2048, help="games at once")
    parser.add_argument("--steps", type=int, default=32, help="decisions of each game between two updates")
    parser.add_argument(
        "--scan", type=int, default=1000, help="random steps that show which features and actions occur"
    )
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=int, default=50)
    parser.add_argument("--against", nargs="*", default=["policy", "greedy"])
    parser.add_argument("--matches", type=int, default=200)
    train(parser.parse_args())


if __name__ == "__main__":
    main()

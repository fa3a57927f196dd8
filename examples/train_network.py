"""Train a player: imitate a bot if you like, then masked PPO by self-play of all seats on a `Batch`. Needs PyTorch.

    python examples/train_network.py "cable_car(players=2)" --teacher greedy --minutes 10 --out cable_car.npz
    python examples/network_bot.py cable_car.npz        # how well it plays; needs NumPy alone

The same for every game and number of seats. The network sees what the seat to act may know and nothing else: planes
over the board, and fields. It gives logits of the actions, of which the legal ones count, and how likely each seat is
to win. `returns` are shares of one win, so these chances are learnt as probabilities are, and the advantage of an
action is how much it changed the chance of the seat that chose it. In a part of the games the learner plays against its
past selves, which it must not forget how to beat.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from copy import deepcopy
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from learned_bot import share_of_wins
from network_bot import NetworkBot
from torch import nn
from torch.nn import functional

from ludotheque import Batch, Game, Random, Turn, bot_named, load_game, planes_of
from ludotheque.arrays import BatchArrays, batch_arrays
from ludotheque.core.layout import OFF_BOARD, Layout

LAMBDA = 0.95
CLIP = 0.2
ENTROPY = 0.005
"""Reward for being undecided, at the beginning; it falls to a tenth."""
PAST_SHARE = 0.2
"""Part of the games in which the learner plays against a past self."""
PAST_SELVES = 12
STRAY = 0.05
"""Share of the moves in a lesson that are random."""


class Block(nn.Module):
    """Two convolutions, and what the whole board has in common."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.zeros_(self.second.weight)

    def forward(self, board: Any) -> Any:
        inner = self.first(torch.relu(board)) + self.pool(board.mean((2, 3)))[:, :, None, None]
        return self.second(torch.relu(inner))


class Net(nn.Module):
    """Logits of all actions, and logits of each seat's chance to win, the seat that looks first."""

    def __init__(self, game: Game, channels: int, blocks: int) -> None:
        super().__init__()
        layout, head = planes_of(game).layout, planes_of(game).action_planes()
        on_board = len(head.planes) * head.height * head.width
        self.planes = nn.Conv2d(len(layout.planes), channels, 3, padding=1)
        self.fields = nn.Linear(layout.features, channels)
        self.blocks = nn.ModuleList([Block(channels) for _ in range(blocks)])
        self.hidden = nn.Linear(2 * channels, 2 * channels)
        self.on_board = nn.Conv2d(channels, len(head.planes), 1)
        self.beside = nn.Linear(2 * channels, head.size - on_board)
        self.win = nn.Linear(2 * channels, game.players)
        self.register_buffer("index", torch.tensor(head.index))
        for layer in (self.on_board, self.beside, self.win):
            layer.weight.data *= 0.1

    def forward(self, planes: Any, fields: Any) -> tuple[Any, Any]:
        board = torch.relu(self.planes(planes) + self.fields(fields)[:, :, None, None])
        for block in self.blocks:
            board = board + block(board)
        hidden = torch.relu(self.hidden(torch.cat([board.mean((2, 3)), board.amax((2, 3))], 1)))
        logits = torch.cat([self.on_board(board).flatten(1), self.beside(hidden)], 1)
        return logits[:, self.index].float(), self.win(hidden).float()


class Sight:
    """Turns words of a `Batch` into planes and fields on the device."""

    def __init__(self, layout: Layout, device: Any) -> None:
        self._grid = (len(layout.planes), layout.height, layout.width)
        places = np.array(layout.plane_places)
        fields = [(place, field.scale) for field in layout.fields for place in field.places]
        self._planes = _Bits(np.maximum(places, 0), places != OFF_BOARD, device)
        self._is_number = torch.tensor([scale > 0 for _, scale in fields], device=device)
        self._bits = _Bits(np.array([0 if scale else place for place, scale in fields]), np.ones(len(fields)), device)
        self._words = torch.tensor([place if scale else 0 for place, scale in fields], device=device)
        self._scales = torch.tensor([scale or 1.0 for _, scale in fields], device=device)

    def __call__(self, words: Any) -> tuple[Any, Any]:
        numbers = words[:, self._words] / self._scales
        fields = torch.where(self._is_number, numbers, self._bits(words))
        return self._planes(words).reshape(-1, *self._grid), fields


class _Bits:
    """Single bits of words, as numbers."""

    def __init__(self, places: Any, used: Any, device: Any) -> None:
        self._word = torch.as_tensor(places >> 6, device=device)
        self._bit = torch.as_tensor(places & 63, device=device)
        self._used = torch.as_tensor(used, device=device, dtype=torch.float32)

    def __call__(self, words: Any) -> Any:
        return ((words[:, self._word] >> self._bit) & 1) * self._used


class Player:
    """A network that plays and judges on one device."""

    def __init__(self, game: Game, device: Any, channels: int, blocks: int) -> None:
        self.device = device
        self.sight = Sight(planes_of(game).layout, device)
        self.net = Net(game, channels, blocks).to(device, memory_format=torch.channels_last)

    def __call__(self, words: Any, mask: Any) -> tuple[Any, Any]:
        """The distribution over legal actions, and the logits of the chances to win."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits, win = self.net(*self.sight(words))
        return torch.distributions.Categorical(logits=logits.masked_fill(mask == 0, -1e9), validate_args=False), win


# Lessons.


class Lessons(NamedTuple):
    """Decisions of a teacher, and how their games ended."""

    words: Any
    mask: Any
    """Legal actions, eight to a byte."""
    action: Any
    returns: Any
    """Shares of the win, the seat that decided first."""


def lessons(game: Game, options: argparse.Namespace) -> Lessons:
    """Games of the teacher against itself, in several processes; their number does not change the games."""
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        numbers = range(options.lessons)
        found = list(pool.map(partial(lesson, str(game), options.teacher, options.seed), numbers, chunksize=4))
    return Lessons(*(np.concatenate(column) for column in zip(*found, strict=True)))


def lesson(name: str, teacher: str, seed: int, number: int) -> Lessons:
    """One game of the teacher; now and then another move is played, to show how to go on from there."""
    game = load_game(name)
    planes, rng, luck = planes_of(game), Random(1_000_003 * seed + number), random.Random(f"{seed}-{number}")
    bots = [bot_named(teacher, game, game.players * number + seat) for seat in range(game.players)]
    state, events, seats, found = game.new_initial_state(), [], [], []
    while not state.is_terminal():
        seat = int(state.current_player())
        action = int(state.sample(rng)) if seat < 0 else bots[seat].choose(Turn(state, seat, events))
        if seat >= 0 and len(legal := state.legal_actions()) > 1:
            mask = np.packbits(np.frombuffer(state.legal_actions_mask(), np.uint8))
            found.append((np.array(planes.words(state, seat)), mask, action))
            seats.append(seat)
            action = luck.choice(legal) if luck.random() < STRAY else action
        events.append((seat, None if game.has_hidden_information else action))
        state.apply_action(action)
    returns = np.array([np.roll(state.returns(), -seat) for seat in seats], np.float32)
    return Lessons(*(np.stack(column) for column in zip(*found, strict=True)), returns)


def imitate(player: Player, taught: Lessons, options: argparse.Namespace) -> str:
    """Learn the teacher's moves and how its games ended; the last tenth of the lessons tell how well."""
    optimizer = torch.optim.Adam(player.net.parameters(), lr=options.rate)
    actions, kept = player.net.index.numel(), len(taught.action) * 9 // 10
    words, packed, action, returns = (torch.as_tensor(column, device=player.device) for column in taught)
    bits = torch.arange(7, -1, -1, device=player.device)

    def look(rows: Any) -> tuple[Any, Any]:
        mask = ((packed[rows, :, None] >> bits) & 1).flatten(1)[:, :actions]
        chance, win = player(words[rows], mask)
        value = -(returns[rows] * functional.log_softmax(win, 1)).sum(1).mean()
        return chance, value - chance.log_prob(action[rows]).mean()

    for epoch in range(options.lesson_epochs):
        for group in optimizer.param_groups:
            group["lr"] = options.rate * (1 - epoch / options.lesson_epochs)
        for rows in torch.randperm(kept, device=player.device).split(1024):
            optimizer.zero_grad()
            look(rows)[1].backward()
            nn.utils.clip_grad_norm_(player.net.parameters(), 0.5)
            optimizer.step()
    rows = torch.arange(kept, len(action), device=player.device)[:4096]
    with torch.no_grad():
        chance, loss = look(rows)
    same = (chance.logits.argmax(1) == action[rows]).float().mean()
    return f"{len(action):,} lessons: {same:.1%} of the teacher's moves, loss {loss:.3f}"


# Self-play.


class Decisions(NamedTuple):
    """Decisions of a rollout, (steps, games) each and more."""

    words: Any
    mask: Any
    seat: Any
    picked: Any
    log_prob: Any
    chances: Any
    """The chance of each seat to win, by seat."""
    rewards: Any
    done: Any
    learnt: Any
    """Whether the learner chose, not a past self."""


class SelfPlay:
    """Games that a learner plays against itself, and some of them against past selves."""

    def __init__(self, game: Game, games: int, seed: int, most: int) -> None:
        self._batch = Batch(game, games, seed, max_decisions=most)
        self._arrays = batch_arrays(self._batch)
        self._players = game.players
        self._past: list[Any] = []
        self._rng = random.Random(seed)
        numbers = np.arange(games)
        self._against_past = numbers < PAST_SHARE * games
        self._learner = numbers % game.players

    def remember(self, player: Player) -> None:
        """Keep a copy of the learner as it is now, in place of a random older one."""
        if len(self._past) == PAST_SELVES:
            del self._past[self._rng.randrange(PAST_SELVES - 1)]
        self._past.append(deepcopy(player))

    @torch.no_grad()
    def rollout(self, player: Player, steps: int) -> tuple[Decisions, Any]:
        """Play all games for some steps: the decisions, and each seat's chances to win after them."""
        past = self._rng.choice(self._past) if self._past else player
        kept = [self._step(player, past) for _ in range(steps)]
        _, win = player(*self._seen(player.device)[:2])
        last = by_seat(functional.softmax(win, 1), self._seen(player.device)[2])
        return Decisions(*(torch.stack(column) for column in zip(*kept, strict=True))), last

    def _seen(self, device: Any) -> tuple[Any, Any, Any]:
        arrays: BatchArrays = self._arrays
        return tuple(torch.tensor(array, device=device) for array in (arrays.words, arrays.mask, arrays.to_move))

    def _step(self, player: Player, past: Player) -> tuple[Any, ...]:
        words, mask, seat = self._seen(player.device)
        chance, win = player(words, mask)
        picked = chance.sample()
        others = self._against_past & (self._arrays.to_move != self._learner)
        rows = torch.as_tensor(np.flatnonzero(others), device=player.device)
        if len(rows):
            picked[rows] = past(words[rows], mask[rows])[0].sample()
        log_prob = chance.log_prob(picked)
        self._batch.step(picked.cpu().numpy())
        done = torch.tensor(self._arrays.done, device=player.device).bool()
        learnt = torch.as_tensor(~others, device=player.device)
        chances = by_seat(functional.softmax(win, 1), seat)
        return words, mask, seat, picked, log_prob, chances, self._rewards(player.device), done, learnt

    def _rewards(self, device: Any) -> Any:
        """The shares of the win of games that ended; a game that was cut off is nobody's."""
        rewards = torch.tensor(self._arrays.rewards, device=device).float()
        rewards[torch.tensor(self._arrays.truncated, device=device).bool()] = 1 / self._players
        return rewards


def by_seat(chances: Any, looking: Any) -> Any:
    """Chances by seat, from chances that begin with the seat that looks."""
    players = chances.shape[1]
    return chances.gather(1, (torch.arange(players, device=chances.device) - looking[:, None]) % players)


def from_seat(chances: Any, looking: Any) -> Any:
    """Chances that begin with the seat that looks, from chances by seat."""
    players = chances.shape[1]
    return chances.gather(1, (torch.arange(players, device=chances.device) + looking[:, None]) % players)


def gains(played: Decisions, last: Any) -> Any:
    """Generalized advantages: how each seat's chance to win changed after each decision, (steps, games, seats)."""
    found, following, running = torch.zeros_like(played.chances), last, torch.zeros_like(last)
    for step in reversed(range(len(played.chances))):
        done = played.done[step, :, None]
        change = torch.where(done, played.rewards[step], following) - played.chances[step]
        running = change + LAMBDA * torch.where(done, 0.0, running)
        found[step], following = running, played.chances[step]
    return found


# Learning.


class Learnt(NamedTuple):
    """Samples of a rollout, decision by decision."""

    words: Any
    mask: Any
    picked: Any
    log_prob: Any
    gain: Any
    target: Any
    """The chances to win that the network should have seen, the seat that looks first."""
    learnt: Any

    def minibatches(self, size: int) -> Iterator[Learnt]:
        for rows in torch.randperm(len(self.gain), device=self.gain.device).split(size):
            yield Learnt(*(column[rows] for column in self))


def samples(played: Decisions, last: Any) -> Learnt:
    found = gains(played, last).flatten(0, 1)
    seat, chances = played.seat.flatten(), played.chances.flatten(0, 1)
    gain = found.gather(1, seat[:, None])[:, 0]
    chosen = gain[played.learnt.flatten()]
    gain = (gain - chosen.mean()) / (chosen.std() + 1e-8)
    flat = (column.flatten(0, 1) for column in (played.words, played.mask, played.picked, played.log_prob))
    return Learnt(*flat, gain, from_seat(found + chances, seat), played.learnt.flatten())


def improve(player: Player, optimizer: Any, learnt: Learnt, options: argparse.Namespace, entropy: float) -> Losses:
    """Some epochs of PPO."""
    losses = []
    for _ in range(options.epochs):
        for part in learnt.minibatches(options.minibatch):
            chance, win = player(part.words, part.mask)
            policy = clipped(chance.log_prob(part.picked) - part.log_prob, part.gain)
            undecided = chance.entropy()
            value = -(part.target * functional.log_softmax(win, 1)).sum(1)
            weight = part.learnt.float()
            loss = ((policy - entropy * undecided) * weight).sum() / weight.sum() + value.mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.net.parameters(), 0.5)
            optimizer.step()
            losses.append(torch.stack([value.mean(), undecided.mean()]).detach())
    return Losses(*torch.stack(losses).mean(0).tolist())


class Losses(NamedTuple):
    """The errors of what was seen, and how undecided the player is; lower is surer."""

    value: float
    entropy: float

    def __str__(self) -> str:
        return f"value {self.value:.3f}, entropy {self.entropy:.3f}"


def clipped(difference: Any, gain: Any) -> Any:
    ratio = difference.exp()
    return -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)


# Weights and trials.


def save(player: Player, game: Game, out: Path) -> None:
    """Write what `network_bot.Network` needs: a byte for each weight, and a scale for each row of them."""
    arrays: dict[str, Any] = {"game": np.array(str(game))}
    for name, layer in player.net.named_modules():
        if isinstance(layer, nn.Conv2d | nn.Linear):
            rows = torch.cat([layer.weight.flatten(1), layer.bias[:, None]], 1).detach().float().cpu().numpy()
            scales = np.maximum(np.abs(rows).max(1), 1e-6) / 127 if len(rows) else np.zeros(0)
            arrays[name] = np.round(rows / scales[:, None]).astype(np.int8)
            arrays[f"{name}.scale"] = scales.astype(np.float32)
    out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out, **arrays)


class Trials:
    """Lets weights play against bots, beside the training; the best weights are kept."""

    def __init__(self, game: Game, options: argparse.Namespace) -> None:
        self._game, self._options = game, options
        self._pool = ProcessPoolExecutor(options.jobs, get_context("spawn"))
        self._running: list[tuple[int, Path, list[Future[Any]]]] = []
        self._best = -1.0

    def offer(self, player: Player, decisions: int) -> None:
        """Let the player as it is now play, after so many decisions of self-play."""
        weights = self._options.out.with_suffix(f".{decisions}.npz")
        save(player, self._game, weights)
        each = [
            self._pool.submit(share_of_wins, weights, bot, self._options.trial, 1, NetworkBot)
            for bot in self._options.against
        ]
        self._running.append((decisions, weights, each))

    def results(self, *, wait: bool = False) -> Iterator[str]:
        """What trials that are over found."""
        while self._running and (wait or all(future.done() for future in self._running[0][2])):
            decisions, weights, found = self._running.pop(0)
            shares = [future.result()[0] for future in found]
            told = ", ".join(
                f"{share:.1%} against {bot}" for share, bot in zip(shares, self._options.against, strict=True)
            )
            better = sum(shares) > self._best
            if better:
                self._best = sum(shares)
                weights.replace(self._options.out)
            else:
                weights.unlink()
            yield f"after {decisions:,} decisions of self-play: {told}{' (kept)' if better else ''}"


class Training:
    """A player, the games that it plays against itself, and the trials of what it has learnt."""

    def __init__(self, options: argparse.Namespace) -> None:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        self._options, self._game = options, load_game(options.game)
        self._player = Player(self._game, device, options.channels, options.blocks)
        self._trials = Trials(self._game, options)
        self._decisions = 0

    def run(self) -> None:
        self._prepare()
        self._play()
        torch.save(self._player.net.state_dict(), self._options.out.with_suffix(".pt"))
        self._trials.offer(self._player, self._decisions)
        self._tell(wait=True)

    def _prepare(self) -> None:
        """Go on with an earlier training, or imitate a teacher."""
        options, player = self._options, self._player
        if options.resume:
            player.net.load_state_dict(torch.load(options.resume, map_location=player.device))
        elif options.teacher:
            print(imitate(player, lessons(self._game, options), options), flush=True)
            self._trials.offer(player, 0)

    def _play(self) -> None:
        """Play and learn until the time is over; learning slows down on the way."""
        options = self._options
        optimizer = torch.optim.Adam(self._player.net.parameters(), lr=options.rate, eps=1e-5)
        play = SelfPlay(self._game, options.games, options.seed, options.most)
        begin, iteration, told = time.monotonic(), 0, 0.0
        while (spent := (time.monotonic() - begin) / (60 * options.minutes)) < 1:
            if iteration % options.remember == 0:
                play.remember(self._player)
            optimizer.param_groups[0]["lr"] = options.rate * (1 - 0.95 * spent)
            learnt = samples(*play.rollout(self._player, options.steps))
            losses = improve(self._player, optimizer, learnt, options, ENTROPY * (1 - 0.9 * spent))
            self._decisions += options.games * options.steps
            iteration += 1
            if spent - told >= 1 / options.reports:
                told = spent
                print(f"{time.monotonic() - begin:.0f} s: {losses}", flush=True)
                self._trials.offer(self._player, self._decisions)
            self._tell()

    def _tell(self, *, wait: bool = False) -> None:
        for line in self._trials.results(wait=wait):
            print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a player by self-play.")
    parser.add_argument("game", help="a game string, such as cable_car(players=2)")
    parser.add_argument("--out", type=Path, required=True, help="where to write the weights")
    parser.add_argument("--teacher", default="", help="a bot to imitate first, such as greedy or search:200")
    parser.add_argument("--lessons", type=int, default=1000, help="games of the teacher")
    parser.add_argument("--lesson-epochs", type=int, default=6, help="over its lessons")
    parser.add_argument("--resume", type=Path, help="the .pt file of a training to go on with")
    parser.add_argument("--minutes", type=float, default=10.0, help="of training")
    parser.add_argument("--games", type=int, default=4096, help="at once")
    parser.add_argument("--steps", type=int, default=16, help="decisions of each game between two updates")
    parser.add_argument("--most", type=int, default=600, help="decisions of a game before it is cut off")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2, help="over each rollout")
    parser.add_argument("--minibatch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=5e-4, help="of learning, at the beginning")
    parser.add_argument("--remember", type=int, default=20, help="iterations between two past selves")
    parser.add_argument("--reports", type=int, default=8, help="trials on the way")
    parser.add_argument("--trial", type=int, default=100, help="games of a trial")
    parser.add_argument("--against", nargs="*", default=["policy", "greedy"])
    parser.add_argument("--jobs", type=int, default=2, help="processes for trials")
    parser.add_argument("--threads", type=int, default=2, help="of PyTorch")
    parser.add_argument("--seed", type=int, default=1)
    Training(parser.parse_args()).run()


if __name__ == "__main__":
    main()

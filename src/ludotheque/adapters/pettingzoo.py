"""Our games as environments of PettingZoo (AEC), and many at once. Needs the extra `pettingzoo`.

>>> from ludotheque.adapters.pettingzoo import env
>>> table = env("cable_car(players=3)")
>>> table.reset(seed=7)
>>> table.agent_selection, table.observe("seat_0")["action_mask"].shape
('seat_0', (6153,))

Draws happen inside `reset` and `step`, from a generator that `reset(seed)` seeds. The observation is the flat tensor of
the game's planes and fields, for the agent that looks; the mask is all zeros for an agent that is not to act.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludotheque.adapters.spaces import RENDER_MODES, check_render_mode, observation_spaces
from ludotheque.arrays import BatchRows, batch_arrays, unpack_rows
from ludotheque.core.batch import Batch
from ludotheque.core.game import SPECTATOR, Game, State
from ludotheque.core.planes import planes_of
from ludotheque.core.randoms import Random, check_seed, save_random
from ludotheque.core.registry import load_game

__all__ = ["VectorEnv", "env", "raw_env"]


def env(game: str | Game, render_mode: str | None = None, max_cycles: int = 0) -> Any:
    """Return an environment that checks how it is used, as PettingZoo's own do.

    `render_mode` is None or `ansi`; a game of more than `max_cycles` decisions is cut off (0: never).
    """
    return wrappers.OrderEnforcingWrapper(raw_env(game, render_mode, max_cycles))


def raw_env(game: str | Game, render_mode: str | None = None, max_cycles: int = 0) -> TableEnv:
    """The bare environment."""
    return TableEnv(load_game(game) if isinstance(game, str) else game, render_mode, max_cycles)


class TableEnv(AECEnv):
    """One game; its seats are the agents `seat_0`, `seat_1` and so on."""

    def __init__(self, game: Game, render_mode: str | None = None, max_cycles: int = 0) -> None:
        super().__init__()
        self.game = game
        self.render_mode = check_render_mode(render_mode)
        self.max_cycles = max_cycles
        self.metadata = {"render_modes": RENDER_MODES, "name": str(game), "is_parallelizable": False}
        self._planes = planes_of(game)
        self._rng = Random(0)
        self.possible_agents = [f"seat_{seat}" for seat in range(game.players)]
        seen = observation_spaces(game, self._planes.layout)
        actions = game.num_distinct_actions()
        self._action_space = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._observation_space = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.state_now: State = game.new_initial_state()

    def action_space(self, agent: str) -> Any:
        return self._action_space[agent]

    def observation_space(self, agent: str) -> Any:
        return self._observation_space[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; without a seed, with draws that no one can foresee."""
        self._rng = Random() if seed is None else Random(check_seed(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_now = self.game.new_initial_state()
        self._decisions = 0
        self._draw()
        self.agent_selection = self.possible_agents[int(self.state_now.current_player())]

    def _draw(self) -> None:
        while self.state_now.is_chance_node():
            self.state_now.apply(self.state_now.sample(self._rng))

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent knows, and what it can do now."""
        seat = self.possible_agents.index(agent)
        words = np.frombuffer(self._planes.packed(self.state_now, seat), np.int64)
        over = self.state_now.is_terminal()
        mask = bytearray(self.game.num_distinct_actions()) if over else self.state_now.legal_actions_mask(seat)
        return {"observation": unpack_rows(self._planes.layout, words), "action_mask": np.frombuffer(mask, np.int8)}

    def step(self, action: Any) -> None:
        """Carry out an action of the agent to act; at the end each agent gets its share of the win."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.state_now.apply_action(action)
        self._draw()
        self._decisions += 1
        self._cumulative_rewards[agent] = 0.0
        if self.state_now.is_terminal():
            self.rewards = dict(zip(self.agents, self.state_now.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        elif self._decisions == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[int(self.state_now.current_player())]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the public information, as text."""
        return str(self.state_now.observation(SPECTATOR)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""


class VectorEnv:
    """Many games at once, for training: the arrays of a `Batch`, as gymnasium's vector environments return them.

    A game that ends is begun anew in the same step, as in gymnasium's `AutoresetMode.SAME_STEP`.
    """

    def __init__(self, game: str | Game, size: int, *, max_decisions: int = 0, copy: bool = True) -> None:
        """Play `size` games; those of more than `max_decisions` decisions are cut off (0: never). Without `copy`, what
        `step` returns is overwritten by the next step, which is faster."""
        self.game = load_game(game) if isinstance(game, str) else game
        self.num_envs = size
        self._max_decisions = max_decisions
        self._copy = copy
        self._layout = planes_of(self.game).layout
        self.single_action_space = spaces.Discrete(self.game.num_distinct_actions())
        to_move = spaces.Discrete(self.game.players)
        self.single_observation_space = spaces.Dict({**observation_spaces(self.game, self._layout), "to_move": to_move})
        self.action_space = batch_space(self.single_action_space, size)
        self.observation_space = batch_space(self.single_observation_space, size)
        self.reset(seed=0)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start all games anew; without a seed, with draws that no one can foresee."""
        seed = save_random(Random()) if seed is None else seed
        self.batch = Batch(self.game, self.num_envs, seed, max_decisions=self._max_decisions)
        self.arrays = batch_arrays(self.batch)
        self._rows = BatchRows(self.batch)
        return self._seen(), {}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Act in every game; `infos` has what was seen last of the games that ended.

        `final_obs` has, where `_final_obs` is true, what the seat that moved last saw, as gymnasium has it;
        `final_observation` has what every seat saw, a block for each game that ended.
        """
        self.batch.step(actions)
        self._rows.update()
        arrays = self.arrays
        truncated = arrays.truncated.astype(bool)
        ended = arrays.done.astype(bool)
        infos: dict[str, Any] = {"moved": arrays.movers.copy()}
        if ended.any():
            self._add_final(infos, ended)
        return self._seen(), arrays.rewards.copy(), ended & ~truncated, truncated, infos

    def close(self) -> None:
        """Nothing is held open."""

    def _add_final(self, infos: dict[str, Any], ended: Any) -> None:
        rows = unpack_rows(self._layout, self.arrays.final_words[ended])
        final = np.full(self.num_envs, None, object)
        for number, seen in zip(np.flatnonzero(ended), rows, strict=True):
            seat = self.arrays.movers[number]
            nothing = np.zeros(self.arrays.mask.shape[1], np.int8)
            final[number] = {"observation": seen[seat], "action_mask": nothing, "to_move": seat}
        infos |= {"final_observation": rows, "final_obs": final, "_final_obs": ended}

    def _seen(self) -> dict[str, Any]:
        seen = {
            "observation": self._rows.rows,
            "action_mask": self.arrays.mask.view(np.int8),
            "to_move": self.arrays.to_move,
        }
        return {name: array.copy() for name, array in seen.items()} if self._copy else seen

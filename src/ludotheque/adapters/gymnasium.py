"""One seat of a game against named bots, as an environment of Gymnasium. Needs the extra `gymnasium`.

Importing this module registers an environment for each installed game:

>>> import gymnasium
>>> import ludotheque.adapters.gymnasium
>>> table = gymnasium.make("ludotheque/CableCar-v1", players=3, opponents="greedy", seat=1)
>>> seen, info = table.reset(seed=7)
>>> seen["action_mask"].shape
(6153,)
>>> seen, reward, terminated, truncated, info = table.step(int(seen["action_mask"].argmax()))
>>> reward, terminated
(0.0, False)

The reward is 0 until the end, then the seat's share of the win. Vector environments come from `gymnasium.make_vec`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from ludotheque.adapters.spaces import RENDER_MODES, check_render_mode, observation_spaces
from ludotheque.arrays import observation_row
from ludotheque.bots.opponents import Opponents, opponent_names
from ludotheque.core.errors import BadOption, IllegalMove
from ludotheque.core.game import Game, State, check_viewer
from ludotheque.core.planes import planes_of
from ludotheque.core.registry import game_classes, load_game

__all__ = ["SeatEnv", "register_envs"]

_SEEDS: Final = 2**62


class SeatEnv(gymnasium.Env):
    """A game in which bots play all seats but one.

    An action that is not legal ends the game without a share of the win (`info["illegal"]`); mask with `action_mask`,
    or with `action_masks()`, as the learners of sb3-contrib do.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: str | Sequence[str] = "random",
        seat: int | None = 0,
        max_decisions: int = 0,
        render_mode: str | None = None,
        **settings: object,
    ) -> None:
        """Play a seat, or one drawn for each game (None), against one bot or one for each other seat.

        A game of more than `max_decisions` decisions of the seat is cut off (0: never). `settings` are `players` and
        the options of a game that is given by its name.
        """
        if settings and not isinstance(game, str):
            raise BadOption("A game that is set up already takes no players and options.")
        self.game: Final = load_game(game, **settings) if isinstance(game, str) else game  # type: ignore[arg-type]
        self.render_mode = check_render_mode(render_mode)
        self._names = opponent_names(opponents, self.game)
        self._seat = None if seat is None else check_viewer(seat, self.game.players)
        self._max_decisions = max_decisions
        self.action_space = spaces.Discrete(self.game.num_distinct_actions())
        self.observation_space = spaces.Dict(observation_spaces(self.game, planes_of(self.game).layout))
        self.seat = 0
        """The seat that is played in this game."""
        self._state: State = self.game.new_initial_state()
        self._others: Opponents | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new game, and let the others play until the seat is to act."""
        super().reset(seed=seed)
        while True:
            self._start()
            if not self._state.is_terminal():  # a game may end before the seat has acted, if rarely
                return self._seen(), {"seat": self.seat}

    def _start(self) -> None:
        self.close()
        self.seat = int(self.np_random.integers(self.game.players)) if self._seat is None else self._seat
        self._others = Opponents(self.game, self._names, self.seat, self._new_seed)
        self._state = self.game.new_initial_state()
        self._decisions = 0
        self._others.play_on(self._state)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Act for the seat, and let the others play until it is to act again."""
        info: dict[str, Any] = {"seat": self.seat}
        if self._others is None or self._state.is_terminal():
            raise IllegalMove("The game is over, or has not begun: call reset.")
        try:
            self._state.apply_action(action)
        except IllegalMove:
            return self._seen(), 0.0, True, False, {**info, "illegal": True}
        self._decisions += 1
        self._others.play_on(self._state)
        over = self._state.is_terminal()
        reward = self._state.returns()[self.seat] if over else 0.0
        return self._seen(), reward, over, not over and self._decisions == self._max_decisions, info

    def action_masks(self) -> Any:
        """Whether each action is legal, as the learners of sb3-contrib ask for it."""
        return self._mask().astype(bool)

    def render(self) -> Any:
        """Return what the seat sees, as text."""
        return str(self._state.observation(self.seat)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close the bots."""
        if self._others is not None:
            self._others.close()
            self._others = None

    def _new_seed(self) -> int:
        return int(self.np_random.integers(_SEEDS))

    def _mask(self) -> Any:
        over = self._state.is_terminal()
        mask = bytearray(self.game.num_distinct_actions()) if over else self._state.legal_actions_mask(self.seat)
        return np.frombuffer(mask, np.int8)

    def _seen(self) -> dict[str, Any]:
        return {"observation": observation_row(self._state, self.seat), "action_mask": self._mask()}


def register_envs() -> None:
    """Register an environment for each installed game: `cable-car` as `ludotheque/CableCar-v1`, where 1 is the version
    of the game."""
    for kind in game_classes():
        words = kind.name.replace("_", "-").split("-")
        name = f"ludotheque/{''.join(word.capitalize() for word in words)}-v{kind.version}"
        if name not in gymnasium.registry:
            gymnasium.register(name, SeatEnv, kwargs={"game": kind.name})


register_envs()

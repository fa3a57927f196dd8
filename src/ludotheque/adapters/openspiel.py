"""Our games as games of OpenSpiel. Needs the extra `openspiel`.

>>> import pyspiel
>>> from ludotheque.adapters import openspiel
>>> openspiel.register_games()
>>> game = pyspiel.load_game("ludotheque_cable_car(players=3,hand=2)")
>>> game.num_players(), game.num_distinct_actions()
(3, 6153)

A position may be given to start from, so that a small part of a game can be solved:
`pyspiel.load_game("ludotheque_passerelles", {"position": "..."})`.
"""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import py_object, pythonapi
from typing import Any, Final

import msgspec
import numpy as np
import pyspiel

from ludotheque.arrays import observation_row, row_size, unpack_rows
from ludotheque.core.game import CHANCE, Game
from ludotheque.core.history import History
from ludotheque.core.options import Option, read_settings
from ludotheque.core.planes import Planes, planes_of
from ludotheque.core.randoms import Random
from ludotheque.core.registry import game_classes

__all__ = ["register_games"]

PREFIX: Final = "ludotheque_"
_SEEDS: Final = 2**53
_registered: Final[set[str]] = set()


def register_games() -> None:
    """Register all installed games with pyspiel, as `ludotheque_cable_car` and so on; once is enough."""
    for kind in game_classes():
        if kind.name not in _registered:
            _registered.add(kind.name)
            pyspiel.register_game(_game_type(kind), _loader(kind))


def _loader(kind: type[Game]) -> Any:
    """The function that pyspiel calls to load a game. It must outlive the interpreter, whose end pyspiel survives."""

    def load(params: Mapping[str, Any] | None = None) -> OpenSpielGame:
        return OpenSpielGame(kind, params)

    pythonapi.Py_IncRef(py_object(load))
    return load


def _options(kind: type[Game]) -> list[Option]:
    """The options that a game string can hold: documents are too long."""
    return [option for option in kind.options if option.kind != "document"]


def _game_type(kind: type[Game]) -> Any:
    """Return the facts that pyspiel needs about a game before it is set up."""
    types = pyspiel.GameType
    information, chance = types.Information, types.ChanceMode
    parameters = {option.name: option.default for option in _options(kind)}
    return types(
        short_name=PREFIX + kind.name.replace("-", "_"),
        long_name=kind.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if kind.has_chance else chance.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION if kind.has_hidden_information else information.PERFECT_INFORMATION
        ),
        utility=types.Utility.CONSTANT_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=kind.max_players,
        min_num_players=kind.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": kind.min_players, "position": "", **parameters},
    )


class OpenSpielGame(pyspiel.Game):
    """A game of ours, set up by OpenSpiel's parameters."""

    def __init__(self, kind: type[Game], params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        names = {option.name for option in _options(kind)}
        words = [f"{name}={value}" for name, value in given.items() if name in names]
        self.game = kind(int(given.get("players", kind.min_players)), read_settings(kind.options, words))
        self.position = str(given.get("position", ""))
        self.planes = planes_of(self.game)
        super().__init__(_game_type(kind), self._info(), given)

    def _info(self) -> Any:
        game = self.game
        return pyspiel.GameInfo(
            num_distinct_actions=game.num_distinct_actions(),
            max_chance_outcomes=game.max_chance_outcomes(),
            num_players=game.num_players(),
            min_utility=game.min_utility(),
            max_utility=game.max_utility(),
            utility_sum=game.utility_sum(),
            max_game_length=game.max_game_length(),
        )

    def new_initial_state(self) -> OpenSpielState:
        """Return the first position: the game's, or the one that was given."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of what a player sees now, or remembers since the start."""
        if params:
            raise ValueError(f"There are no parameters of observations, such as {params}.")
        return Observer(self.planes, bool(iig_obs_type and iig_obs_type.perfect_recall))


class OpenSpielState(pyspiel.State):
    """A position with its history."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        start = game.game.read_position(game.position) if game.position else None
        self.played = History(game.game, start)

    def current_player(self) -> int:
        return int(self.played.state.current_player())

    def _legal_actions(self, player: int) -> list[int]:
        return self.played.state.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.played.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.played.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        state = self.played.state
        drawing = player == CHANCE
        if drawing == state.is_chance_node() and state.is_legal(action):
            return state.action_to_string(action)
        return f"{'draw' if drawing else 'action'} {action}"

    def is_terminal(self) -> bool:
        return self.played.state.is_terminal()

    def returns(self) -> list[float]:
        return self.played.state.returns()

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> Any:
        """A position that the player cannot tell from this one, drawn evenly; the others remember nothing there."""
        other = self.clone()
        other.played = self.played.resampled(player_id, Random(int(probability_sampler() * _SEEDS)))
        return other

    def observation_tensor(self, player: int | None = None) -> Any:
        """Return what a player sees, as an array. (pyspiel would make a list of floats, which takes far longer.)"""
        state = self.played.state
        return observation_row(state, int(state.current_player()) if player is None else player)

    def __str__(self) -> str:
        return self.played.state.position()


class Observer:
    """OpenSpiel's interface to observations: a flat tensor, its parts by name, and text."""

    def __init__(self, planes: Planes, perfect_recall: bool) -> None:
        layout = planes.layout
        self._planes = planes
        self._perfect_recall = perfect_recall
        grid = len(layout.plane_places)
        self.tensor = np.zeros(row_size(layout), np.float32)
        self.dict = {
            "planes": self.tensor[:grid].reshape(len(layout.planes), layout.height, layout.width),
            "fields": self.tensor[grid:],
        }

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a player sees into the tensor."""
        words = np.frombuffer(self._planes.packed(state.played.state, player), np.int64)
        unpack_rows(self._planes.layout, words, self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a player sees, or remembers, as text."""
        if self._perfect_recall:
            return state.played.information_state_string(player)
        return msgspec.json.encode(state.played.state.observation(player)).decode()

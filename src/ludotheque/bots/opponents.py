"""One seat of a game against bots: they and the draws are played until that seat is to act."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludotheque.bots.bot import Bot
from ludotheque.bots.registry import seat_bot
from ludotheque.core.errors import BadOption
from ludotheque.core.game import Game, State
from ludotheque.core.randoms import Random
from ludotheque.core.turn import Turn


class Opponents:
    """The bots at all seats but one of one game, and the generator of its draws."""

    def __init__(self, game: Game, names: Sequence[str], seat: int, new_seed: Callable[[], int]) -> None:
        """Seat the bots of these names at the other seats, in order; seeds are drawn by `new_seed`."""
        others = [other for other in range(game.players) if other != seat]
        self._rng = Random(new_seed())
        self._bots: dict[int, Bot] = {
            other: seat_bot(name, game, other, new_seed()) for other, name in zip(others, names, strict=True)
        }

    def play_on(self, state: State) -> None:
        """Make draws and moves in `state` until the seat without a bot is to act, or the game is over."""
        while not state.is_terminal():
            player = int(state.current_player())
            if state.is_chance_node():
                state.apply(state.sample(self._rng))
            elif player in self._bots:
                turn = Turn(state.resample_from_infostate(player, self._rng), player)
                state.apply_action(self._bots[player].choose(turn))
            else:
                return

    def close(self) -> None:
        """Close the bots."""
        for bot in self._bots.values():
            bot.close()


def opponent_names(opponents: str | Sequence[str], game: Game) -> list[str]:
    """The names of the bots at the other seats: one for all of them, or one for each."""
    names = [opponents] * (game.players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != game.players - 1:
        raise BadOption(f"A game of {game.players} players has {game.players - 1} opponents, not {len(names)}.")
    return names

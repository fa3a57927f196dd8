"""Players who look one action ahead at the points or the money on the table: the yardstick of the weakest levels.

`myopic` compares scores alone. In Cable Car nothing scores until a line ends, and in Chicago Express a bid costs
nothing until it wins, so there it plays nearly at random. These players also count what a newcomer sees at a glance:
the lines as far as they reach, and what a share would pay at the next dividends. A level that wins its even share
against them can be beaten on a first evening.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ludotheque.bots.bot import Bot
from ludotheque.bots.players import BuiltinBot, MyopicBot
from ludotheque.core.game import Game, State
from ludotheque.games.cable_car.board import DEPARTURES, NOBODY, STATIONS
from ludotheque.games.cable_car.rules import CableCarState
from ludotheque.games.chicago_express.board import COMPANIES
from ludotheque.games.chicago_express.rules import ChicagoExpressState

DIVIDENDS: Final = 4
"""Dividends for which a newcomer hopes."""


class SimplePlayer(BuiltinBot):
    """The move after which what it counts is furthest ahead of the best other seat; ties by chance."""

    def _choose(self, seen: State, seat: int) -> int:
        return self.best_of({action: self._lead_after(seen, action, seat) for action in seen.legal_actions()})

    def _lead_after(self, state: State, action: int, seat: int) -> float:
        after = state.clone()
        after.apply(action)
        counted = self._count(after)
        return counted[seat] - max((points for other, points in enumerate(counted) if other != seat), default=0)

    def _count(self, state: State) -> Sequence[float]:
        raise NotImplementedError


class CableCarPlayer(SimplePlayer):
    """Counts every line as far as it reaches, as if all ended there."""

    def _count(self, state: State) -> Sequence[float]:
        assert isinstance(state, CableCarState)
        ended = state.clone()
        for station in range(STATIONS):
            owner = int(state.owners[station])
            if owner != NOBODY and not state.finished >> station & 1:
                ended.points[owner] += int(state.stretches[DEPARTURES + station]) >> 9
        return ended.scores()


class ChicagoExpressPlayer(SimplePlayer):
    """Counts cash and a few dividends of each share, with the share on offer as sold to the highest bidder."""

    def _count(self, state: State) -> Sequence[float]:
        assert isinstance(state, ChicagoExpressState)
        return [self._money(state, seat) for seat in range(state.players)]

    def _money(self, state: ChicagoExpressState, seat: int) -> float:
        buys = state.bid > 0 and state.bidder == seat
        money = float(int(state.cash[seat]) - (int(state.bid) if buys else 0))
        for company in range(COMPANIES):
            sold = state.sold[company] + (state.bid > 0 and company == state.company)
            held = state.held[COMPANIES * seat + company] + (buys and company == state.company)
            money += DIVIDENDS * int(held) * int(state.income[company]) / max(1, int(sold))
        return money


def simple_player(game: Game, seat: int, seed: int) -> Bot:
    """Return the simple player of a game: `python:simple_players:simple_player` in an arena."""
    players: dict[str, type[BuiltinBot]] = {"cable-car": CableCarPlayer, "chicago-express": ChicagoExpressPlayer}
    return players.get(game.name, MyopicBot)(game, seed)

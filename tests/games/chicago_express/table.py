"""Positions of Chicago Express for tests, and moves played by their notation."""

from __future__ import annotations

from ludotheque.games.chicago_express import ChicagoExpress, ChicagoExpressObservation, ChicagoExpressState
from ludotheque.games.chicago_express.board import hexes_of
from ludotheque.games.chicago_express.observe import observe

PRR, BO, CO, NYC, WAB = range(5)
IDS = ("PRR", "B&O", "C&O", "NYC", "WAB")


def new_game(players: int = 4, **options: object) -> ChicagoExpress:
    return ChicagoExpress(players, options)


def stand(
    game: ChicagoExpress | None = None,
    turn: str = "choose:1",
    *,
    cash: str = "",
    dials: str = "0,0,0",
    industry: str = "1,3,4",
    houses: str = "-",
    last: str = "-",
    **companies: str,
) -> ChicagoExpressState:
    """A position: what is not given is as after the opening auctions, one share each and $30 in each treasury.

    A company is `treasury:shares by seat:hexes` under its letters: PRR, BO, CO, NYC, WAB.
    """
    game = game or new_game()
    fields = [companies.get(id.replace("&", "")) or _opened(game, number) for number, id in enumerate(IDS)]
    cash = cash or ",".join(["30"] * game.players)
    return game.read_position(" ".join([turn, cash, "/".join(fields), houses, dials, industry, last]))


def _opened(game: ChicagoExpress, company: int) -> str:
    shares = [0] * game.players
    if company == WAB:
        return f"0:{listed(shares)}:-"
    shares[company % game.players] = 1
    return f"30:{listed(shares)}:{game.board.facts.companies[company].start}"


def listed(values: list[int]) -> str:
    return ",".join(str(value) for value in values)


def way(game: ChicagoExpress, company: int, *goals: str) -> str:
    """Hexes that join a company's start to all these, by short ways."""
    return Tracks(game).way(company, *goals)


class Tracks:
    """Networks of several companies that do not meet in forests and mountains."""

    def __init__(self, game: ChicagoExpress) -> None:
        self.board = game.board
        self.taken: set[int] = set()

    def way(self, company: int, *goals: str) -> str:
        """Hexes that join a company's start to all these, by short ways."""
        found = [int(self.board.start[company])]
        for goal in goals:
            found += self._way_on(found, self.board.number_of[goal])
        return self._written(found)

    def spread(self, company: int, count: int) -> str:
        """So many hexes around a company's start."""
        found = [int(self.board.start[company])]
        for hex in found:
            found += [near for near in self._near(hex) if near not in found]
        return self._written(found[:count])

    def _near(self, hex: int) -> list[int]:
        near = [near for near in hexes_of(self.board.around, hex) if near not in self.taken]
        return [hex for hex in near if self.board.hex(hex).terrain != "start" and hex != self.board.chicago]

    def _way_on(self, network: list[int], goal: int) -> list[int]:
        """The hexes from a network to a goal, the network itself left out."""
        came_from = {hex: hex for hex in network}
        queue = list(network)
        while goal not in came_from:
            hex = queue.pop(0)
            near = [*self._near(hex), *({goal} & {*hexes_of(self.board.around, hex)})]
            for step in near:
                if step not in came_from:
                    came_from[step] = hex
                    queue.append(step)
        steps = []
        while goal not in network:
            steps.append(goal)
            goal = came_from[goal]
        return steps[::-1]

    def _written(self, network: list[int]) -> str:
        self.taken |= {hex for hex in network if self.board.hex(hex).terrain in ("forest", "mountain")}
        return ",".join(self.board.hex(hex).id for hex in network)


def play(state: ChicagoExpressState, *lines: str) -> list[str]:
    """Play lines of moves as people write them; what the log says."""
    log: list[str] = []
    for line in lines:
        for action in state.string_to_actions(line):
            before = state.clone()
            state.apply_action(action)
            log += [str(phrase) for phrase in state.game.describe(before, action, state, 0)]
    return log


def seen(state: ChicagoExpressState) -> ChicagoExpressObservation:
    return observe(state, 0)


def legal(state: ChicagoExpressState) -> list[str]:
    """The legal moves in the game's notation."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def hexes(state: ChicagoExpressState) -> set[str]:
    """The hexes that can be built on or developed now."""
    return {text for text in legal(state) if text[0].isupper() and text not in IDS}

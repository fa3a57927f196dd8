"""The draws of a finished game with all possible outcomes, so that anyone can verify the dice."""

from __future__ import annotations

from litestar import get
from msgspec import Struct

from ludotheque.core.errors import StillHidden
from ludotheque.core.game import CHANCE
from ludotheque.core.phrases import phrase
from ludotheque.server.routes.context import ERRORS, Context, TableId
from ludotheque.table import Match, Nonce


class Draw(Struct, frozen=True):
    """A draw."""

    ply: int
    drawn: int
    """The index of the outcome."""
    outcomes: tuple[tuple[int, str], ...]
    """All possible outcomes in the order of the dice: weight, and name in the game's notation."""


class Draws(Struct, frozen=True):
    """All draws of a game, and the dice that made them."""

    commitment: str
    seed: str
    """Empty where the server does not know it: the record of the game did not hold it."""
    since: int
    """Other dice made the draws up to this ply, before this table started."""
    nonces: tuple[Nonce, ...]
    """The players' additions to the dice, by seat; a seat without a nonce was left out."""
    draws: tuple[Draw, ...]


@get("/tables/{table_id:str}/draws", responses=ERRORS)
async def draws(table_id: TableId, context: Context) -> Draws:
    """Every draw with the weights of what could be drawn, once the game is over."""
    table, _ = await context.enter(table_id)
    match = table.match
    if not match.is_over:
        raise StillHidden(phrase("The dice are shown once the game is over."))
    dice = match.dice
    seed = dice.seed.hex() if dice and dice.seed else ""
    nonces = dice.nonces if dice else ()
    return Draws(dice.commitment if dice else "", seed, match.branched_at, nonces, tuple(_draws(match)))


def _draws(match: Match) -> list[Draw]:
    state = match.game.new_initial_state()
    found: list[Draw] = []
    for ply, (who, action) in enumerate(match.actions(), 1):
        if who == CHANCE:
            weighted = state.weighted_outcomes()
            outcomes = tuple((weight, state.action_to_string(outcome)) for outcome, weight in weighted)
            drawn = next(place for place, (outcome, _) in enumerate(weighted) if outcome == action)
            found.append(Draw(ply, drawn, outcomes))
        state.apply(action)
    return found

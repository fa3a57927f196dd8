"""Choices that bring the dividend or the end say so beforehand, and those alone."""

from __future__ import annotations

import pytest
from librt.random import Random

from ludotheque.games.chicago_express import ChicagoExpressState
from ludotheque.games.chicago_express.notation import warning
from ludotheque.games.chicago_express.rules import AUCTION, CHOOSING

from .table import new_game, stand
from .test_properties import STYLES, move

pytestmark = pytest.mark.both


def warnings(state: ChicagoExpressState) -> dict[str, str]:
    found = [step for action in state.legal_actions() for step in state.game.steps(state, action)]
    return {step.key: str(step.warning) for step in found}


@pytest.mark.parametrize("printing", ["first", "revised"])
def test_the_second_dial_in_the_red_is_announced(printing: str) -> None:
    game = new_game(printing=printing)
    state = stand(game, dials="2,5,0")
    assert warnings(state) == {
        "action:auction": "brings the dividend",
        "action:develop": "no hex can be developed",
    }
    assert warnings(stand(game, dials="2,4,0"))["action:auction"] == ""
    assert str(game.forecast(state, AUCTION, state.child(AUCTION), 0)[0]) == "Careful: this brings the dividend."
    ending = stand(game, dials="2,5,0", industry="8,3,4")
    assert warnings(ending)["action:auction"] == "brings the dividend and ends the game"


def test_the_hex_that_takes_the_last_locomotive_is_announced() -> None:
    state = stand(turn="build:1:PRR:0", PRR="90:1,0,0,0:R5")
    state.locomotives[0], state.locomotives[1], state.locomotives[2] = 1, 0, 0
    assert warnings(state)["hex:R4"] == "makes the game end at the next dividend"
    state.locomotives[0] = 2
    assert warnings(state)["hex:R4"] == ""


def test_an_action_that_can_only_be_declined_says_why() -> None:
    """Expansion without a share offered nothing but "Decline", without a reason."""
    state = stand(PRR="0:0,1,0,0:R5")
    assert warnings(state)["action:expand"] == "none of your companies can build"
    assert warnings(state)["action:develop"] == "no hex can be developed"
    assert warnings(state)["action:auction"] == ""
    assert warnings(stand(PRR="0:1,0,0,0:R5,R4,Q4,Q3"))["action:develop"] == ""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("printing", ["first", "revised"])
def test_a_dividend_follows_just_the_choices_that_were_announced(printing: str, style: str) -> None:
    rng = Random(7)
    counts = {True: 0, False: 0}
    for players in (2, 4):
        state = new_game(players, printing=printing).new_initial_state()
        announced: bool | None = None
        dividends = 0
        while not state.is_terminal():
            action = move(state, style, rng)
            if state.stage == CHOOSING:
                announced = bool(warning(state, action).text)
            state.apply(action)
            if announced is not None and (state.is_terminal() or state.stage == CHOOSING):
                held = state.observation(0).dividends
                assert (held > dividends) == announced
                counts[announced] += 1
                dividends, announced = held, None
    assert min(counts.values()) > 3

"""Where the points of Passerelles come from: the areas of each round."""

from __future__ import annotations

from ludotheque.core.earnings import Earning, differences
from ludotheque.core.phrases import Phrase, phrase
from ludotheque.games.passerelles.rules import PasserellesState


def earnings(before: PasserellesState, action: int, after: PasserellesState) -> list[Earning]:
    """What the areas of a round gained or lost; its last move may end it and lay out the next one."""
    if after.round == before.round:
        return differences(_areas(after), before.score_now(), after.score_now())
    scored = (after.first_points - before.first_points, after.second_points - before.second_points)
    ended = differences(_areas(before), before.score_now(), scored)
    return [*ended, *differences(_areas(after), (0, 0), after.score_now())]


def _areas(state: PasserellesState) -> Phrase:
    return phrase("Areas of round {round}", round=state.round + 1)

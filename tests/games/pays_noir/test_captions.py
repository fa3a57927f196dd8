"""The captions of the rules page, held against the game that their picture shows."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from ludotheque import game_class, load_game
from ludotheque.core.earnings import totals
from ludotheque.core.game import State
from ludotheque.core.registry import game_folder
from ludotheque.study.lesson_claims import played

GAME = (
    "band_corons", "straight", "mine_end", "fields_factory", "cap_corons", "fields_factory",
    "cap_end_right_slum_station", "band_corons 0,1 quarter", "curve", "fields_factory 0,-1 factory", "curve",
    "straight 1,0 track", "corner_corons", "cap_corons 0,2 none", "port_end", "mine_end 2,0 mine", "curve",
    "fields_factory 1,1 country", "curve", "cap_end_right_slum_station -1,0 track",
)  # fmt: skip


@pytest.mark.parametrize("page", ["RULES.md", "RULES.fr.md", "RULES.nl.md"])
def test_the_caption_of_the_first_picture_says_what_the_line_and_the_mine_gave(page: str) -> None:
    state: State = load_game("pays-noir", 2).new_initial_state()
    earned = Counter[str]()
    for move in GAME:
        turn, state = played(state, state.string_to_actions(move))
        for event in turn.events:
            earned[type(event).__name__] += totals(event.earnings, 2, {"now"})[0]
    text = (game_folder(game_class("pays-noir")) / page).read_text(encoding="utf-8")
    caption = re.search(r"!\[(.*?)\]\([^)]*minute.svg\)", text, re.DOTALL)
    assert caption
    numbers = [int(number) for number in re.findall(r"\d+", caption[1])]
    assert numbers == [earned["LineFinished"] + earned["MineFinished"], state.scores()[0]]

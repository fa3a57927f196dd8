"""The gauges and the sheet of a scene in the terminal."""

from __future__ import annotations

from ludotheque import load_game
from ludotheque.cli.scene_text import scene_lines


def test_the_terminal_shows_how_far_events_are_and_every_last_bid() -> None:
    state = load_game("chicago-express", 3).new_initial_state()
    for text in ("bid 8", "bid 9", "pass"):
        state.apply_action(state.string_to_action(text))
    lines = list(scene_lines(state.game.scene(state.observation(0)), ("Ann", "Ben", "Cleo")))
    assert lines[0].startswith("Dividend: Auction 0/")
    assert "Auction: a share of PRR (Pennsylvania Railroad)" in lines
    assert [line.split() for line in lines if line.split()[0] in {"Ann", "Ben", "Cleo"}] == [
        ["Ann", "0", "$40", "$8"],
        ["Ben", "0", "$40", "$9"],
        ["Cleo", "0", "$40", "passed"],
    ]


def test_other_games_have_nothing_to_add() -> None:
    state = load_game("passerelles").new_initial_state()
    assert list(scene_lines(state.game.scene(state.observation(0)), ("Ann", "Ben"))) == []

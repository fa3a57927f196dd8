"""The events of Passerelles, from hand-made positions and whole rounds."""

from __future__ import annotations

from ludotheque.core.earnings import Earning
from ludotheque.core.events import Event, GameEnded
from ludotheque.core.game import SPECTATOR
from ludotheque.core.ghosts import ghost, scene_of
from ludotheque.core.phrases import phrase
from ludotheque.games.passerelles import Passerelles
from ludotheque.games.passerelles.board import PASS
from ludotheque.games.passerelles.effects import effects, themes
from ludotheque.games.passerelles.events import (
    AreasChanged,
    Laid,
    LandscapeLaid,
    NeutralLaid,
    Passed,
    RoundOver,
    events,
)
from ludotheque.games.passerelles.observe import areas
from ludotheque.games.passerelles.rules import PasserellesState
from tests.games.passerelles.tables import placement, play, table
from tests.games.passerelles.test_rules import CRAMPED

AREAS = phrase("Areas of round {round}", round=1)


def after(state: PasserellesState, action: int) -> list[Event]:
    then = state.clone()
    then.apply_action(action)
    return events(state, action, then)


def end_of_round(rounds: int) -> tuple[PasserellesState, int]:
    """A position with the action that ends its round."""
    state = table(rounds=rounds)
    play(state, f"{CRAMPED}, pass, 5v H3")
    return state, state.legal_actions()[0]


def test_the_last_piece_of_a_round_is_drawn_before_the_board_is_cleared() -> None:
    state, action = end_of_round(rounds=2)
    (then := state.clone()).apply_action(action)
    assert not then.laid, "the board of the next round is empty"
    shown = state.game.before_clearing(state, action, then)
    drawn, *_ = ghost(state, action, then, SPECTATOR).pieces
    (_, over, *_) = events(state, action, then)
    assert shown.laid == state.laid + 1
    assert drawn.id in {piece.id for piece in scene_of(shown, SPECTATOR).pieces if not piece.in_tray}
    assert isinstance(over, RoundOver)
    assert over.areas == tuple(areas(shown))


def test_a_wall_that_closes_an_area_names_what_would_count_at_the_end() -> None:
    state = table("B5vF1", to_move="B")
    laid, changed = after(state, placement("5hA6"))
    assert laid == Laid(seat=0, places=("piece:B5.2",), placement=placement("5hA6"), height=0, covered=0)
    earned = (Earning(0, AREAS, 25, "end"),)
    assert changed == AreasChanged(seat=0, places=("area:B:A1",), squares=25, earnings=earned)


def test_a_bridge_counts_the_squares_that_it_covers() -> None:
    (laid,) = after(table("B2vC4 Y2vE4"), placement("3hC4"))
    assert laid == Laid(seat=0, places=("piece:B3.1", "height:B3.1"), placement=placement("3hC4"), height=1, covered=1)


def test_neutral_pieces_and_passes_open_the_round() -> None:
    state = Passerelles(settings={"landscape": "free"}).new_initial_state()
    (laid,) = after(state, placement("1hC4"))
    assert laid == NeutralLaid(seat=1, places=("piece:N1.1",), placement=placement("1hC4"))
    assert after(state, PASS) == [Passed(seat=1, by_choice=True)]
    state.apply_action(PASS)
    assert after(state, PASS) == [Passed(seat=0, by_choice=True), LandscapeLaid(seat=0)]


def test_points_that_would_count_at_the_end_count_when_the_round_is_over() -> None:
    state, action = end_of_round(rounds=1)
    *_, scored, ended = after(state, action)
    assert isinstance(scored, RoundOver)
    assert isinstance(ended, GameEnded)
    assert ended.scores == scored.points
    counted = [Earning(seat, AREAS, points) for seat, points in enumerate(scored.points) if points]
    pending = [Earning(seat, AREAS, -points, "end") for seat, points in enumerate(scored.points) if points]
    assert scored.earnings == (*counted, *pending)
    assert len(scored.places) == sum(scored.points)


def test_the_last_move_of_a_round_is_known_although_the_board_is_cleared() -> None:
    state, action = end_of_round(rounds=2)
    laid, scored = after(state, action)
    assert isinstance(laid, Laid)
    assert isinstance(scored, RoundOver)
    assert laid.places == ("piece:B5.3", "height:B5.3")
    then = state.clone()
    then.apply_action(action)
    assert scored.points == tuple(then.scores())
    assert [str(effect) for effect in effects(state, action, then, 0)] == [
        f"bridges at height {laid.height} and covers {laid.covered} squares of the other player"
    ]
    assert "Bridge" in map(str, themes(state, [action]))

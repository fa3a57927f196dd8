"""The events of Cable Car, and what of them each viewer may know."""

from __future__ import annotations

from librt.random import Random

from ludotheque.core.earnings import Earning, totals
from ludotheque.core.events import Event, all_earnings
from ludotheque.core.game import SPECTATOR
from ludotheque.core.observation import HIDDEN
from ludotheque.core.phrases import Detailed, phrase
from ludotheque.games.cable_car.events import (
    LineFinished,
    LineLengthened,
    SharesCounted,
    ShareSwapped,
    ShareTaken,
    ShareValuesChanged,
    TileDrawn,
    TileLaid,
    events,
)
from ludotheque.games.cable_car.log import describe_event
from ludotheque.games.cable_car.observation import Line
from ludotheque.games.cable_car.observe import seen_events
from ludotheque.games.cable_car.rules import CableCarState
from tests.games.cable_car.positions import game, play, position


def after(state: CableCarState, move: str, viewer: int | None = None) -> list[Event]:
    """The events of a move; for one viewer, those that it may know."""
    then = play(state.clone(), move)
    action = state.string_to_action(move)
    return events(state, action, then) if viewer is None else seen_events(state, action, then, viewer)


def test_a_tile_names_every_line_that_it_changes() -> None:
    laid, longer = after(position(hands="aaaa|cccc"), "aaaa B1")
    assert laid == TileLaid(seat=0, places=("tile:B1",), tile="aaaa", turn=0, cell="B1")
    assert longer == LineLengthened(
        seat=1, places=("line:2", "car:2"), line=Line(2, 1, 1, -1), company="", leads_to="B2"
    )


def test_the_power_station_is_a_source_of_its_own() -> None:
    rng = Random(3)
    state, found = game(3).new_initial_state(), list[Event]()
    while not state.is_terminal():
        then = state.clone()
        action = int(state.sample(rng))
        then.apply(action)
        found += events(state, action, then)
        state = then
    finished = [event for event in found if isinstance(event, LineFinished)]
    powered = next(event for event in finished if event.line.end == 0)
    run, owner = powered.line.run, powered.line.owner
    assert powered.earnings == (Earning(owner, phrase("Lines"), run), Earning(owner, phrase("Power station"), run))
    assert totals(all_earnings(finished), 3) == state.scores()


def test_a_drawn_tile_is_known_to_its_seat_alone() -> None:
    state = play(position(hands="aaaa|cccc"), "draw")
    for viewer, tile in ((0, "aacb"), (1, HIDDEN), (SPECTATOR, HIDDEN)):
        assert after(state, "aacb", viewer) == [TileDrawn(seat=0, tile=tile, why="to place")]


def test_a_share_from_the_pile_is_known_to_its_seat_and_its_value_to_nobody() -> None:
    state = position(companies=True)
    swapped = ShareSwapped(seat=0, places=("hidden:40",), percent=40, company="")
    assert after(state, "swap 40 hidden")[0] == swapped
    assert after(state, "swap 40 hidden", 1) == [swapped]
    state = play(state, "swap 40 hidden")
    taken, changed = after(state, "green")
    assert isinstance(taken, ShareTaken)
    assert taken.company == "green"
    assert isinstance(changed, ShareValuesChanged)
    assert {earning.counts for earning in changed.earnings} == {"secret"}
    (own,), (other,) = after(state, "green", 0), after(state, "green", 1)
    assert own == ShareTaken(seat=0, percent=40, company="green", knowers=0)
    assert other == ShareTaken(seat=0, percent=40, company=HIDDEN, knowers=0)


def test_the_news_leave_out_shares_that_are_dealt_and_tell_of_one_that_is_swapped() -> None:
    state, taken = game(2, companies=True).new_initial_state(), None
    while not isinstance(taken, ShareTaken):
        before, action = state.clone(), state.legal_actions()[0]
        state.apply(action)
        (taken, *_) = events(before, action, state)
    (dealt,) = describe_event(taken)
    assert isinstance(dealt, Detailed)
    assert not dealt.short.text
    swapped, _ = after(play(position(companies=True), "swap 40 hidden"), "green")
    (told,) = describe_event(swapped)
    assert str(told) == "Seat 1 gets 40% of green."
    assert not isinstance(told, Detailed)


def test_shares_count_at_the_end() -> None:
    rng = Random(1)
    state, secret = game(3, companies=True).new_initial_state(), [0, 0, 0]
    found: list[Event] = []
    while not state.is_terminal():
        then = state.clone()
        action = int(state.sample(rng))
        then.apply(action)
        found = events(state, action, then)
        change = totals(all_earnings(found), 3, ["secret"])
        secret = [pending + more for pending, more in zip(secret, change, strict=True)]
        state = then
    assert secret == [0, 0, 0]
    counted = [event for event in found if isinstance(event, SharesCounted)]
    assert [event.shares + event.majorities for event in counted] == state.scores()
    assert totals(all_earnings(counted), 3, ["now"]) == state.scores()

"""The events of Pays noir, and what of them each viewer may know."""

from __future__ import annotations

from librt.random import Random

from ludotheque.core.earnings import Earning, totals
from ludotheque.core.events import Event, GameEnded, all_earnings
from ludotheque.core.phrases import phrase
from ludotheque.games.pays_noir.event_notices import event_notices
from ludotheque.games.pays_noir.events import (
    CardChosen,
    CardDiscarded,
    CountryCounted,
    FinalCountChanged,
    LineFinished,
    MemberPlaced,
    NoMemberPlaced,
    PortCounted,
    TownClosed,
    TrackFull,
    events,
)
from ludotheque.games.pays_noir.observe import seen_events
from ludotheque.games.pays_noir.rules import PaysNoirState
from ludotheque.games.pays_noir.scene import tint_name
from tests.games.pays_noir.positions import game, play, points, position
from tests.speeds import several


def after(state: PaysNoirState, *moves: str, viewer: int | None = None) -> list[Event]:
    """The events of the last of some moves; for one viewer, those that it may know."""
    *first, last = moves
    state = state.clone()
    play(state, *first)
    then, action = state.clone(), state.string_to_action(last)
    then.apply_action(action)
    return events(state, action, then) if viewer is None else seen_events(state, action, then, viewer)


def kinds(found: list[Event]) -> list[type[Event]]:
    return [type(event) for event in found]


def test_a_chosen_card_is_known_to_its_seat_alone() -> None:
    state = position("straight@1,0,90", "terminus")
    (own,) = after(state, "terminus", viewer=0)
    assert isinstance(own, CardChosen)
    assert own.card is not None
    assert own.card.id == "terminus"
    assert own.places[0].startswith("hand:")
    assert after(state, "terminus", viewer=1) == [CardChosen(seat=0, card=None)]


def test_a_discard_shows_the_hand_but_not_its_order() -> None:
    state = position("mine_end@1,0,270 port_end@-1,0,90 cap_corons@0,1,180", "crossing", pile=False)
    discarded = after(state, "discard crossing", viewer=1)[0]
    assert isinstance(discarded, CardDiscarded)
    assert [card.id for card in discarded.hand] == ["crossing"]
    assert discarded.places == ()


def test_a_finished_line_names_its_ends_its_cards_and_its_points() -> None:
    state = position("straight@1,0,90+1:track:0", "terminus")
    declined, line = after(state, "terminus", "at 2,0", "no member")
    assert declined == NoMemberPlaced(seat=0, places=("no-member",))
    assert line == LineFinished(
        places=("card:0,0", "card:1,0", "card:2,0"),
        earnings=(Earning(0, phrase("Railway lines"), 3),),
        points=3,
        seats=(0,),
        ends=("station", "station"),
    )


def test_country_counts_at_the_end_and_not_now() -> None:
    state = position("", "fields_factory")
    found = after(state, "fields_factory", "at 0,-1", "member country:0")
    placed, changed = found
    assert isinstance(placed, MemberPlaced)
    assert placed.places == ("member:0,-1",)
    assert changed == FinalCountChanged(earnings=(Earning(0, phrase("Countries"), 1, "end"),))


def test_the_final_count_makes_country_count() -> None:
    state = position("fields_factory@0,-1+1:country:0", "fields_factory", pile=False)
    found = after(state, "fields_factory", "at 0,-2", "no member")
    assert CountryCounted in kinds(found)
    assert TrackFull not in kinds(found)
    earned = all_earnings(found)
    assert totals(earned, 2, ["now"]) == [2, 0]
    assert totals(earned, 2, ["end"]) == [-2, 0]


def test_a_finished_port_counts_now_instead_of_at_the_end() -> None:
    state = position("port_end@-1,0,90+1:port:0", "terminus")
    found = after(state, "terminus", "at 1,0", "no member")
    (port,) = [event for event in found if isinstance(event, PortCounted)]
    assert port.finished
    assert port.earnings == (Earning(0, phrase("Ports"), 1),)
    assert Earning(0, phrase("Ports"), -1, "end") in all_earnings(found)


def test_only_points_before_the_final_count_fill_the_track() -> None:
    state = position("fields_factory@0,-1+1:country:0", "fields_factory", pile=False, at=game(track=30), points="29,0")
    found = after(state, "fields_factory", "at 0,-2", "no member")
    assert TrackFull not in kinds(found)
    assert isinstance(found[-2], GameEnded)
    assert found[-2].scores == (31, 0)
    lines = play(state, "fields_factory", "at 0,-2", "no member")
    assert lines[-1] == "Seat 1 wins with 31 points."
    assert not any("score track ends" in line for line in lines)


def test_a_track_that_is_full_takes_away_what_was_pending() -> None:
    table = "straight@1,0,90+1:track:0 fields_factory@0,-1+2:country:0"
    state = position(table, "terminus", at=game(track=30), points="27,29")
    found = after(state, "terminus", "at 2,0")
    assert TrackFull in kinds(found)
    assert totals(all_earnings(found), 2, ["end"]) == [0, -1]


def test_a_town_without_members_is_closed_in_silence() -> None:
    state = position("", "cap_corons")
    assert TownClosed not in kinds(after(state, "cap_corons", "at 0,1"))


def test_what_counts_now_moves_the_markers_on_the_track() -> None:
    rng = Random(5)
    state = game(3).new_initial_state()
    while not state.is_terminal():
        then, action = state.clone(), int(state.sample(rng))
        then.apply(action)
        earned = all_earnings(events(state, action, then))
        moved = [now - was for was, now in zip(points(state), points(then), strict=True)]
        assert totals(earned, 3, ["now"]) == moved
        state = then


def test_each_country_is_counted_where_it_lies_and_in_the_colour_of_each_family_that_scores() -> None:
    counted = 0
    for seed in range(several(4, 40)):
        state = game().new_initial_state()
        rng = Random(seed)
        while not state.is_terminal():
            before, action = state.clone(), state.sample(rng)
            state.apply_action(action)
        found = [event for event in events(before, action, state) if isinstance(event, CountryCounted)]
        pieces = {piece.id: piece for piece in game().scene(game().observe(state, 0)).pieces}
        for event in found:
            (country,) = event.places
            assert "country" in pieces[country].classes
            (card,) = event_notices([event])
            tints = [(seat, (tint_name(country, seat),)) for seat in event.seats]
            assert [(row.who, row.places) for row in card.rows] == tints
            assert {f"held:{country}:{seat}" for seat in event.seats} <= pieces.keys()
            assert {name for _, names in tints for name in names} <= pieces.keys()
        counted += len(found)
    assert counted

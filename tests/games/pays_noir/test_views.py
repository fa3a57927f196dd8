"""What each viewer sees, and what is dealt again because a viewer does not know it."""

from __future__ import annotations

import math
import random
import re
import weakref
from collections import Counter
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from librt.random import Random

from ludotheque import SPECTATOR, choices, load_game
from ludotheque.core.choices import refusal
from ludotheque.core.observation import HIDDEN
from ludotheque.games.pays_noir import scene as scene_module
from ludotheque.games.pays_noir.card_art import CARD_SIDE
from ludotheque.games.pays_noir.document import read_cards
from ludotheque.games.pays_noir.observation import FAMILIES, PaysNoirObservation
from ludotheque.games.pays_noir.observe import observe, reveals, sees
from ludotheque.games.pays_noir.pictures import Picture
from ludotheque.games.pays_noir.rules import PaysNoirState
from ludotheque.games.pays_noir.scene import lens, tint_name
from ludotheque.games.pays_noir.spots import spot_points
from ludotheque.games.pays_noir.tabletop import bare_tabletop, held, look
from ludotheque.show.language import Reader
from ludotheque.show.scenes import renderer
from ludotheque.table import Match
from tests.games.pays_noir.cards_at_random import strange_cards
from tests.games.pays_noir.positions import game, lay, play, position
from tests.speeds import several
from tests.table.matches import random_match

pytestmark = pytest.mark.both


def told(state: PaysNoirState, viewer: int) -> bytes:
    return msgspec.json.encode(observe(state, viewer))


def test_a_look_at_the_table_takes_over_only_what_has_not_changed() -> None:
    """After an earlier look at the same game or one at another game, it shows the same as a first look."""
    states, generators = [game(3).new_initial_state() for _ in range(2)], [Random(seed) for seed in range(2)]
    before = bare_tabletop()
    for step in range(400):
        number = step // 3 % 2
        state = states[number]
        if not state.is_terminal():
            state.apply(state.sample(generators[number]))
        again, first = look(state, before), look(state, bare_tabletop())
        assert (again.cards, again.groups, again.edges) == (first.cards, first.groups, first.edges)
        assert again.final_count == first.final_count
        before = again


def test_a_hand_is_seen_by_its_player_only() -> None:
    state = position("", "curve straight terminus", others="junction")
    assert observe(state, 0).hands[0][:2] == ("terminus", "straight")
    assert observe(state, 0).hands[1] == (HIDDEN,) * 3
    for viewer in (1, SPECTATOR):
        assert observe(state, viewer).hands[0] == (HIDDEN,) * 4


def test_no_view_names_a_card_that_its_viewer_has_not_seen() -> None:
    """In the middle of random games: whatever a view names lies on the table, was discarded, shown, or is one's own."""
    for seed in range(20):
        state = game(3).new_initial_state()
        rng = Random(seed)
        for _ in range(20 + 10 * seed):
            if not state.is_terminal():
                state.apply(state.sample(rng))
        for viewer in (0, 1, 2, SPECTATOR):
            seen = observe(state, viewer)
            open_cards = {laid.card for laid in seen.cards} | set(seen.discards)
            for seat in range(3):
                open_cards |= set(seen.shown[seat]) | {HIDDEN}
                if seat == viewer:
                    open_cards |= set(seen.hands[seat])
            assert {card for hand in seen.hands for card in hand} | set(seen.edges) <= open_cards
            assert seen.pile == state.left


def test_changing_hands_and_pile_changes_no_view_by_a_byte() -> None:
    rng = Random(7)
    changed = 0
    for seed in range(10):
        state = game(2 + seed % 4).new_initial_state()
        for _ in range(400):
            for viewer in (seed % state.players, SPECTATOR):
                other = state.resample_from_infostate(viewer, rng)
                changed += other.position() != state.position()
                assert told(other, viewer) == told(state, viewer)
            for _ in range(23):
                if not state.is_terminal():
                    state.apply(state.sample(rng))
            if state.is_terminal():
                break
    assert changed > 100


def test_the_card_being_placed_is_hidden_until_it_lies() -> None:
    state = position("", "curve")
    action = state.string_to_action("curve")
    assert [sees(state, action, viewer) for viewer in (0, 1, SPECTATOR)] == [True, False, False]
    assert not reveals(state, action), "the choice may be taken back"
    play(state, "curve")
    assert observe(state, 0).chosen == "curve"
    assert observe(state, 0).fits
    assert (observe(state, 1).chosen, observe(state, 1).fits) == (HIDDEN, ())
    assert not reveals(state, state.string_to_action("1,0"))
    play(state, "1,0")
    assert (observe(state, 1).chosen, observe(state, 1).place, observe(state, 1).fits) == (HIDDEN, (1, 0), ())
    assert reveals(state, state.string_to_action("180")), "now it lies"
    play(state, "180")
    assert observe(state, 1).cards[-1].card == "curve"
    assert not reveals(state, state.string_to_action("none"))


def test_a_card_that_fits_in_one_turn_is_shown_by_its_place() -> None:
    state = position("", "straight")
    play(state, "straight")
    assert reveals(state, state.string_to_action("1,0"))


def test_a_discard_shows_the_hand() -> None:
    table = "mine_end@1,0,270 port_end@-1,0,90 cap_corons@0,1,180"
    state = position(table, "crossing heart_bourgeois", others="straight", pile=False)
    action = state.string_to_action("discard crossing")
    assert reveals(state, action)
    assert sees(state, action, 1)


def test_a_draw_is_seen_by_the_player_who_draws() -> None:
    state = position("", "straight")
    lay(state, "straight", "1,0")
    assert [sees(state, 1, viewer) for viewer in (0, 1, SPECTATOR)] == [False, True, False]


# Dealing anew.


def test_unseen_cards_are_dealt_evenly() -> None:
    """Seat 1 knows that seat 2 holds two of five unseen cards: each of the ten pairs is as likely."""
    unseen = ["crossing", "junction", "two_curves", "terminus", "curve"]
    state = position("straight@1,0,90", "straight", others=" ".join(unseen[:2]), pile=False)
    for card in unseen[2:]:
        number = [card.id for card in state.deck.cards].index(card)
        state.pile[number] += 1
        state.left += 1
    rng = Random(3)
    pairs: Counter[tuple[str, ...]] = Counter()
    for _ in range(2000):
        pairs[observe(state.resample_from_infostate(0, rng), 1).hands[1]] += 1
    assert len(pairs) == 10
    assert min(pairs.values()) > 140
    assert max(pairs.values()) < 270


def test_a_card_chosen_unseen_is_dealt_anew_among_those_that_fit() -> None:
    """Only rail is open in the east and only for rail cards; what seat 1 has chosen there must be such a card."""
    state = position("", "curve")
    play(state, "curve", "1,0")
    rng = Random(5)
    chosen: Counter[str] = Counter()
    for _ in range(300):
        other = state.resample_from_infostate(1, rng)
        card = state.deck.cards[other.chosen]
        assert other.chosen in [entry >> 1 for entry in held(other, 0)]
        assert card.edges.count("rail") >= 1
        assert len(other.legal_actions()) > 1
        chosen[card.id] += 1
    assert len(chosen) > 10
    assert chosen["curve"] == max(chosen.values()), "it has most copies"


def test_the_viewer_on_turn_keeps_the_chosen_card() -> None:
    state = position("", "curve")
    play(state, "curve")
    assert state.resample_from_infostate(0, Random(1)).chosen == state.chosen


def test_shown_cards_stay_where_they_are() -> None:
    table = "mine_end@1,0,270 port_end@-1,0,90 cap_corons@0,1,180"
    state = position(table, "crossing heart_bourgeois two_curves three_end_slum_water")
    play(state, "discard crossing")
    for seed in range(20):
        other = state.resample_from_infostate(1, Random(seed))
        assert observe(other, 0).hands[0] == ("heart_bourgeois", "three_end_slum_water", "two_curves")


# Text and picture.


def test_the_text_of_an_observation_draws_the_table() -> None:
    state = position("straight@1,0,90+2:track:0 band_corons@0,1+1:quarter:0", "curve")
    text = str(observe(state, 0))
    assert "+---T---+" in text
    assert "=       =  2t   =" in text
    assert "Town at (0,0), seat 1: 1, open ends: 1" in text
    assert "> Seat 1, blue, 0 points, 7 members" in text
    assert "Seat 2, red, 0 points, 7 members, cards ?, ?, ?" in text


def pieces(seen: PaysNoirObservation) -> dict[str, str]:
    return {piece.id: piece.step for piece in game().scene(seen).pieces}


def test_the_picture_offers_the_hand_then_places_then_turns_then_spots() -> None:
    state = position("", "curve")
    assert "card:curve" in pieces(observe(state, 0)).values()
    assert not any(pieces(observe(state, 1)).values()), "nothing to click for the others"
    play(state, "curve")
    steps = pieces(observe(state, 0))
    assert steps["place:1,0"] == "place:1,0"
    play(state, "1,0")
    assert pieces(observe(state, 0))["turn:180"] == "turn:180"
    assert pieces(observe(state, 1))["ghost"] == ""
    play(state, "180")
    steps = pieces(observe(state, 0))
    assert {"spot:track:0", "spot:country:0", "spot:country:1"} <= set(steps)
    assert steps["no-member"] == "spot:none"


def test_every_step_of_the_choices_can_be_clicked() -> None:
    state = position("", "cap_corons_port_straight")
    for move in ("cap_corons_port_straight", "1,0", "0", "none"):
        clickable = set(pieces(observe(state, 0)).values())
        assert {choice.step.key for choice in choices(state)} <= clickable
        play(state, move)


def test_spots_that_are_taken_say_by_whom() -> None:
    state = position("straight@1,0,90+2:track:0", "straight")
    play(state, "straight", "2,0")
    labels = {piece.id: str(piece.label) for piece in game().scene(observe(state, 0)).pieces}
    assert labels["taken:track:0"] == "Not on the track: Seat 2 is there"
    assert "spot:track:0" not in labels
    assert "spot:country:0" in labels


def test_towns_lines_networks_sites_and_countries_are_pieces_with_names() -> None:
    state = position("straight@1,0,90+2:track:0 mine_end@-1,0,90", "curve")
    seen = observe(state, SPECTATOR)
    scene = game().scene(seen)
    kinds = Counter(piece.id.partition(":")[0] for piece in scene.pieces if "group" in piece.classes)
    assert kinds == {"town": 1, "line": 2, "network": 1, "mine": 1, "country": 1}
    names = {group.name for group in seen.groups}
    assert names <= {piece.id for piece in scene.pieces}
    labels = {piece.id: str(piece.label) for piece in scene.pieces}
    assert labels["network:5"] == "Rail network (lines: 2, sites: 1)"
    line = next(group for group in seen.groups if any(group.members))
    assert labels[line.name] == "Railway line over 2 cards, 1 open end; members: Seat 2 (1)"
    assert next(piece.where for piece in scene.pieces if piece.id == line.name) == "(0,0)"


def test_members_stand_in_the_picture_in_their_colours() -> None:
    state = position("straight@1,0,90+2:track:0", "curve")
    found = [piece for piece in game().scene(observe(state, 0)).pieces if piece.id.startswith("member:")]
    assert [(piece.id, piece.symbol) for piece in found] == [("member:1,0", "member-red")]


ON_PHONE = 72 / 100
"""Pixels of a unit on a phone."""


def test_the_spots_of_a_card_are_far_enough_apart_to_be_hit() -> None:
    for card in game().deck.cards:
        points, scale = list(spot_points(card).values()), lens(Picture(card))
        assert all(scale * math.dist(one, other) * ON_PHONE >= 40 for one, other in combinations(points, 2)), card.id
        assert all(max(abs(x), abs(y)) <= 42 for x, y in points), card.id


def test_the_targets_for_members_are_large_and_do_not_overlap() -> None:
    drawn = game().backdrop()
    apart = {
        card.id: [
            lens(Picture(card)) * math.dist(one, other) for one, other in combinations(spot_points(card).values(), 2)
        ]
        for card in game().deck.cards
    }
    for colour in FAMILIES:
        symbol = drawn[drawn.index(f'id="spot-{colour}"') :]
        radius = float(re.findall(r'class="pn-target" r="([\d.]+)"', symbol)[0])
        assert 2 * radius * ON_PHONE >= 40
        assert [card for card, distances in apart.items() if min(distances, default=99) < 2 * radius] == []


def test_what_a_low_spot_brings_is_written_above_it() -> None:
    """Below it, the edge of the board may cut it."""
    state = position("", "cap_corons")
    play(state, "cap_corons", "0,1")
    scene = game().scene(observe(state, 0))
    lens_at = next(piece.y for piece in scene.pieces if piece.id == "lens")
    spots = {piece.y > lens_at: piece.classes for piece in scene.pieces if piece.step == "spot:quarter:0"}
    assert spots == {True: "spot tag-above"}


def test_a_card_is_enlarged_no_more_than_its_spots_need() -> None:
    """What surrounds it stays in view."""
    scales = {card.id: lens(Picture(card)) for card in game().deck.cards}
    assert scales["cap_corons"] < scales["curve"] < scales["port_junction"]
    art = Path(scene_module.__file__).with_name("art.svg").read_text()
    assert all(f".lens.by-{10 * scale:g} > use {{ transform: scale({scale:g}); }}" in art for scale in scales.values())


def test_only_the_latest_custom_cards_stay_in_memory() -> None:
    card = next(iter(game().deck.cards))
    picture = Picture(card)
    gone = weakref.ref(picture)
    lens(picture)
    del picture
    for _ in range(1024):
        lens(Picture(card))
    assert gone() is None


def test_the_picture_has_no_numbers_that_no_sentence_uses() -> None:
    pieces = game().scene(observe(position("straight@1,0,90", "curve"), 0)).pieces
    assert [piece.text for piece in pieces if piece.text and not piece.in_tray] == []


def test_after_the_game_the_picture_is_no_larger_than_the_landscape() -> None:
    match = random_match(load_game("pays-noir", 2), 5)
    last, before = (match.game.scene(match.view(0, ply).observation) for ply in (match.ply, match.ply - 3))
    assert not [piece for piece in last.pieces if piece.in_tray], "no hand and no pile take its place"
    assert last.width < before.width
    assert last.height < before.height
    for size, places in ((last.width, "x"), (last.height, "y")):
        middles = [getattr(piece, places) for piece in last.pieces if "mapped" in piece.classes]
        assert size == max(middles) - min(middles) + CARD_SIDE + 2 * scene_module.MARGIN


def test_held_country_is_tinted_below_the_cards_for_each_family_that_holds_it() -> None:
    north, south = "fields_factory@0,-1+1:country:0", "fields_factory@0,-2+2:country:0"
    for table, families in (("", []), (north, ["blue"]), (f"{north} {south}", ["blue", "red shared"])):
        seen = observe(position(table, "curve"), SPECTATOR)
        pieces = game().scene(seen).pieces
        tints = [number for number, piece in enumerate(pieces) if "tint" in piece.classes]
        held = [group.name for group in seen.groups if group.kind == "country" and any(group.members)]
        assert [pieces[number].classes.partition("tint ")[2] for number in tints] == families
        assert [pieces[number].id for number in tints] == [
            tint_name(country, seat) for country in held for seat in range(len(families))
        ]
        assert all(number < min(n for n, piece in enumerate(pieces) if "mapped" in piece.classes) for number in tints)


def test_places_where_the_card_does_not_fit_can_be_asked_why() -> None:
    state = position("straight@1,0,90", "mine_end")
    play(state, "mine_end")
    shown = {piece.step: piece for piece in game().scene(observe(state, 0)).pieces if piece.step}
    refused = [step for step, piece in shown.items() if "refused" in piece.classes]
    assert refused
    assert all(refusal(state, [step]) for step in refused)
    offered = [step for step, piece in shown.items() if step.startswith("place:") and step not in refused]
    assert offered
    assert not any(refusal(state, [step]) for step in offered)


def test_any_card_can_be_drawn() -> None:
    for seed in range(several(2, 10)):
        for card in read_cards(strange_cards(random.Random(seed))).cards:
            picture = Picture(card)
            assert set(picture.points) == set(picture.paths) == set(card.spots)


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_the_log_names_places_by_what_lies_beside_them_and_no_coordinates(language: str) -> None:
    match = random_match(load_game("pays-noir", 3), 5)
    render = renderer("pays-noir", Reader(language), match.names)
    lines = [render(line.phrase) for line in match.view(0).log]
    beside = {"en": "to the ", "fr": "pose une carte (au |à l')", "nl": "ten "}[language]
    assert sum(re.search(beside, line) is not None for line in lines) > 20
    assert not [line for line in lines if re.search(r"\(-?\d|\d ?, ?-?\d", line)]


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_choices_and_tips_name_places_by_what_lies_beside_them_each_in_its_own_words(language: str) -> None:
    match = random_match(load_game("pays-noir", 3), 5, plies=120)
    render = renderer("pays-noir", Reader(language), match.names)
    while phase_of(match) != "place":
        match.play(match.to_move, match.resampled(match.to_move, Random(1)).legal_actions()[0])
    seat = match.to_move
    state = match.resampled(seat, Random(1))
    labels = [render(match.game.steps(state, action)[0].label) for action in state.legal_actions()]
    assert len(labels) == len(set(labels)) > 2
    scene = match.game.scene(match.view(seat).observation)
    tips = [render(piece.label) for piece in scene.pieces if piece.label]
    said = [render(match.game.describe_decision(state, action)) for action in state.legal_actions()]
    assert not [text for text in (*labels, *tips, *said) if re.search(r"\(-?\d+ ?, ?-?\d+\)", text)]


def phase_of(match: Match) -> str:
    seen = match.view(match.to_move).observation
    assert isinstance(seen, PaysNoirObservation)
    return seen.phase

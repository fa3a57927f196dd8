"""Card files: ours, other people's, and what can be wrong with them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from ludotheque import load_game
from ludotheque.core.options import read_settings
from ludotheque.errors import BadOption
from ludotheque.games.pays_noir import PaysNoir
from ludotheque.games.pays_noir.card_report import card_report, contact_sheet
from ludotheque.games.pays_noir.document import built_in_cards, built_in_document, faults, read_cards
from ludotheque.table import Match, Record, read_record, write_text
from tests.games.pays_noir.cards_at_random import random_card, strange_cards

Document = dict[str, Any]


def test_our_own_cards_are_73_and_say_that_they_are_ours() -> None:
    own = built_in_document()
    assert faults(own) == []
    assert built_in_cards().total == own["cards_total"] == 73
    assert "Own design" in own["provenance"]["cards"]
    assert "Own choice" in own["provenance"]["score_track"]


def changed(change: Callable[[Document], object]) -> Document:
    """Our own file with something changed."""
    document = built_in_document()
    change(document)
    return document


def of_card(id: str, change: Callable[[Document], object]) -> Document:
    """Our own file with one card changed."""
    return changed(lambda file: change(next(card for card in file["cards"] if card["id"] == id)))


WRONG_FILES: list[tuple[Callable[[Document], object], str]] = [
    (lambda file: file.pop("cards"), "The file has no list cards."),
    (lambda file: file.update(cards="all"), "The file has no list cards."),
    (lambda file: file.update(colour="blue"), "The file has a field 'colour', which means nothing here."),
    (lambda file: file.pop("members"), "The field members is missing; it must be a whole number from 1 to 15."),
    (lambda file: file.update(members=True), "The field members is True; it must be a whole number from 1 to 15."),
    (lambda file: file.update(hand=0), "The field hand is 0; it must be a whole number from 1 to 9."),
    (lambda file: file.update(title=5), "The title is not a text of at most 120 signs."),
    (lambda file: file.update(title="x" * 121), "The title is not a text of at most 120 signs."),
    (lambda file: file.update(players=3), "The field players must hold the two numbers min and max."),
    (lambda file: file.update(players={"min": 4, "max": 2}), "The least number of players is greater than the most."),
    (lambda file: file.update(score_track_by_players={"6": 9}),
     "The field score_track_by_players names '6'; it takes the players 2 to 5."),
    (lambda file: file.update(cards_total=72), "The field cards_total says 72, but there are 73."),
    (lambda file: file["cards"].pop(0) and file.update(cards_total=72), "No cards are the start card; it must be one."),
    (lambda file: file.update(cards=file["cards"][:3], cards_total=6),
     "There are 6 cards; the start card and the first hands alone take 16."),
    (lambda file: file["cards"][1].update(copies=200) or file.update(cards_total=271),
     "There are 271 cards; more than 200 cannot be played."),
]  # fmt: skip


@pytest.mark.parametrize(("change", "sentence"), WRONG_FILES)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(change: Callable[[Document], object], sentence: str) -> None:
    assert [str(fault) for fault in faults(changed(change))] == [sentence]


WRONG_CARDS: list[tuple[str, Callable[[Document], object], str]] = [
    ("straight", lambda card: card.update(copies=0), "The field copies must be a whole number from 1 to 200."),
    ("straight", lambda card: card.update(start="no"), "The field start must be true or false."),
    ("straight", lambda card: card.update(name="{x}"),
     "The field name must be a text of at most 120 signs, without braces."),
    ("straight", lambda card: card.update(shape="round"), "The field 'shape' means nothing here."),
    ("straight", lambda card: card["edges"].update(N="river"),
     "The edge N shows 'river'; an edge shows country, rail or town."),
    ("straight", lambda card: card["edges"].pop("N"),
     "The field edges must say what each of the edges N, E, S and W shows."),
    ("straight", lambda card: card.update(tracks={}), "The field tracks must be a list of objects."),
    ("straight", lambda card: card.update(tracks=[]), "The rail edge N belongs to no track."),
    ("straight", lambda card: card["tracks"].append({"ends": ["N", "S"]}),
     "The rail edge N belongs to 2 tracks; it must be one."),
    ("straight", lambda card: card["tracks"][0].update(ends=["N"]), "The field ends of track:0 must name two ends."),
    ("straight", lambda card: card["tracks"][0].update(ends=["N", "N"]), "Both ends of track:0 are N."),
    ("straight", lambda card: card["tracks"][0].update(ends=["N", "E"]),
     "A track reaches the edge E, which is not a rail edge."),
    ("terminus", lambda card: card["tracks"][0].update(ends=["N", "mine:0"]),
     "A track ends at 'mine:0', which is not on the card."),
    ("mine_end", lambda card: card["sites"].append({"kind": "port"}), "No track ends at port:0."),
    ("mine_end", lambda card: card["sites"][0].update(kind="lake"),
     "Site 1 is of kind 'lake'; a site is a mine, factory or port."),
    ("mine_end", lambda card: card["sites"][0].update(at=[50, 101]),
     "The field at of site 1 must be two numbers from 0 to 100."),
    ("terminus", lambda card: card["stations"].append({}), "No track ends at station:1."),
    ("cap_corons", lambda card: card["quarters"][0].update(kind="rich"),
     "The quarter:0 is of kind 'rich'; a quarter is bourgeois, corons or slum."),
    ("cap_corons", lambda card: card["quarters"][0].update(urbanism="gas"),
     "The quarter:0 carries 'gas'; an urbanism symbol is water, sewers or lighting."),
    ("cap_corons", lambda card: card["quarters"][0].update(station=1),
     "The field station of quarter:0 must be true or false."),
    ("cap_corons", lambda card: card["quarters"][0].update(edges=[]), "The quarter:0 reaches no edge."),
    ("cap_corons", lambda card: card["quarters"][0].update(edges=["N", "E"]),
     "A quarter reaches the edge E, which is not a town edge."),
    ("cap_corons", lambda card: card.update(quarters=[]), "The town edge N belongs to no quarter."),
    ("cap_corons", lambda card: card["patches"][0]["halves"].append("N1"),
     "The half edge N1 is town, but a patch reaches it."),
    ("cap_corons", lambda card: card["patches"][0]["halves"].append("X1"),
     "The field halves of country:0 names 'X1'; it takes N1, N2, E1, E2, S1, S2, W1 or W2."),
    ("cap_corons", lambda card: card["patches"][0]["halves"].append("E1"),
     "The field halves of country:0 names something twice."),
    ("cap_corons", lambda card: card["patches"][0].update(touches=["mine:0"]),
     "The country:0 touches 'mine:0', which is not a quarter or site of the card."),
    ("cap_corons", lambda card: card["patches"][0].update(touches="all"),
     "The field touches of country:0 must be a list of names."),
    ("straight", lambda card: card["patches"].pop(), "The half edge N2 belongs to no patches; it must be one."),
    ("straight", lambda card: card.update(patches=[{"halves": ["N1", "N2", "E1", "E2", "S1", "S2", "W1", "W2"]}]),
     "The country:0 lies on both sides of what joins the edges N and S."),
    ("junction", lambda card: card["patches"][1]["halves"].append(card["patches"][0]["halves"].pop(0)),
     "The country:1 lies on both sides of what joins the edges N, E and S."),
    ("fields_factory", lambda card: card.update(patches=[
        {"halves": ["N1", "E1", "E2", "S1", "S2", "W1", "W2"]}, {"halves": ["N2"]}]),
     "The country:0 has only one half of the country edge N."),
    ("fields_factory", lambda card: card["patches"][0].update(touches=[]),
     "The factory:0 lies on no patch: name it in the field touches of one."),
    ("cap_corons", lambda card: card["patches"][0].update(touches=[]),
     "The country:0 lies beside quarter:0: name it in its field touches."),
    ("band_corons", lambda card: card["patches"][1].update(touches=[]),
     "The country:1 lies beside quarter:0: name it in its field touches."),
]  # fmt: skip


@pytest.mark.parametrize(("id", "change", "sentence"), WRONG_CARDS)
def test_every_fault_names_its_card(id: str, change: Callable[[Document], object], sentence: str) -> None:
    found = faults(of_card(id, change))
    assert sentence in [fault.sentence for fault in found]
    assert {fault.card for fault in found} == {id}
    assert str(found[0]).startswith(f"Card {id}: ")


def test_a_card_without_a_usable_id_is_named_by_its_place() -> None:
    (fault,) = faults(of_card("straight", lambda card: card.update(id="a b")))
    assert fault.card == "number 36"


def test_ids_must_differ_whatever_their_case() -> None:
    document = of_card("straight", lambda card: card.update(id="CURVE"))
    assert [fault.sentence for fault in faults(document)] == [
        "2 entries have this id; give the number of cards in copies."
    ]


def test_the_start_card_has_one_copy() -> None:
    document = changed(lambda file: file["cards"][0].update(copies=2) or file.update(cards_total=74))
    assert [str(fault) for fault in faults(document)] == ["Card start_station: The start card must have one copy."]


def test_all_faults_are_found_at_once() -> None:
    def spoil(file: Document) -> None:
        file.update(hand=0)
        file["cards"][1].update(copies=0, name=3)
        file["cards"][2]["edges"].update(N="sea")

    assert [fault.card for fault in faults(changed(spoil))] == ["fields_factory", "fields_factory", "cap_corons", ""]


@pytest.mark.parametrize("nonsense", [{}, {"cards": [1, None, "x"]}, {"cards": [{}]}, {"cards": [{"edges": []}]},
                                      {"cards": [{"id": [], "edges": {"N": []}, "quarters": [[]]}]},
                                      {"players": [], "score_track_by_players": [], "cards": {}}])  # fmt: skip
def test_nonsense_has_faults_and_breaks_nothing(nonsense: Document) -> None:
    assert faults(nonsense)
    with pytest.raises(BadOption, match="The card file cannot be played"):
        read_cards(nonsense)


def test_strange_cards_are_read_and_drawn() -> None:
    for seed in range(50):
        card_set = read_cards(strange_cards(random.Random(seed)))
        ET.fromstring(contact_sheet(card_set))


def test_a_card_that_lacks_a_patch_or_the_track_of_an_edge_is_never_read_silently() -> None:
    rng = random.Random(1)
    for number in range(200):
        card = random_card(rng, f"card_{number}")
        for field in ("tracks", "patches"):
            for i, part in enumerate(card[field]):
                if field == "patches" or set(part["ends"]) & set("NESW"):
                    fewer = {**card, field: card[field][:i] + card[field][i + 1 :]}
                    assert any(fault.card == card["id"] for fault in faults({"cards": [fewer]}))


# Playing with other cards.


def test_a_card_file_is_read_by_the_option_cards(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(strange_cards(random.Random(3))))
    settings = read_settings(PaysNoir.options, [f"cards={path}"])
    game = load_game("pays-noir", 3, **settings)
    assert isinstance(game, PaysNoir)
    assert game.deck.cards[0].id == "card_0"


def test_faults_of_a_card_file_are_a_bad_option() -> None:
    document = of_card("straight", lambda card: card.update(tracks=[]))
    with pytest.raises(BadOption, match="Card straight: The rail edge N belongs to no track"):
        PaysNoir(2, {"cards": document})


def test_a_card_file_may_be_for_fewer_players() -> None:
    document = changed(lambda file: file.update(players={"min": 2, "max": 3}))
    PaysNoir(3, {"cards": document})
    with pytest.raises(BadOption, match="for 2 to 3 players, not 4"):
        PaysNoir(4, {"cards": document})


def test_a_file_may_have_just_enough_cards_for_the_first_hands() -> None:
    """There is no pile then: seat 1 places one of its three cards without drawing."""
    few = [{**card, "copies": 1} for card in built_in_document()["cards"][:7]]
    document = changed(lambda file: file.update(cards=few, cards_total=7, players={"min": 2, "max": 2}))
    state = PaysNoir(2, {"cards": document}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert (state.current_player(), len(state.legal_actions())) == (0, 3)


def test_a_record_carries_the_cards_it_was_played_with() -> None:
    match = Match.start(PaysNoir(2, {"cards": strange_cards(random.Random(5))}))
    while not match.is_over:
        action = match.view(match.to_move).choices[0].action
        assert action is not None
        match.play(match.to_move, action)
    again = read_record(write_text(Record.full(match))).to_match()
    assert again.state_at(again.ply).position() == match.state_at(match.ply).position()


# The report.


def test_the_report_tells_edges_contents_and_gaps() -> None:
    text = str(card_report(built_in_document()))
    assert "73 cards in 54 pictures, without faults" in text
    assert "country 114 (40%), rail 95 (33%), town 79 (27%)" in text
    assert "7 mines, 5 ports" in text
    assert "four neighbours: 4% on average of 24 gaps, from 1 to 7 cards" in text


def test_the_report_names_gaps_that_no_card_fills() -> None:
    document = changed(lambda file: file.update(cards=[c for c in file["cards"] if c["id"] != "heart_bourgeois"],
                                                cards_total=72))  # fmt: skip
    assert "filled by no card: TTTT" in str(card_report(document))


def test_the_report_lists_the_faults() -> None:
    document = of_card("straight", lambda card: card.update(copies=0))
    assert str(card_report(document)).splitlines() == [
        "Pays noir: 1 faults.",
        "- Card straight: The field copies must be a whole number from 1 to 200.",
    ]


def test_the_contact_sheet_shows_every_card() -> None:
    sheet = ET.fromstring(contact_sheet(built_in_cards()))
    titles = {element.text for element in sheet.iter("{http://www.w3.org/2000/svg}title")}
    assert {f"{card.id}: {card.name}" for card in built_in_cards().cards} <= titles


def test_the_contact_sheet_has_a_style_for_all_that_it_draws() -> None:
    """Its ground was black, and its words of any size, once the styles had left the art of the board."""
    sheet = contact_sheet(built_in_cards())
    drawn = {name for names in re.findall(r'class="([^"]*)"', sheet) for name in names.split()}
    styles = "".join(re.findall(r"<style>(.*?)</style>", sheet, re.DOTALL))
    assert drawn <= set(re.findall(r"\.([a-z][\w-]*)", styles))

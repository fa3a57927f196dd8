"""Records: lossless in both formats, and read strictly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from librt.random import Random

from ludotheque import CHANCE, load_game
from ludotheque.core.game import Game
from ludotheque.errors import BadRecord
from ludotheque.table import Dice, Match, Nonce, Ply, Record, read_json, read_record, read_text, write_json, write_text
from ludotheque.table.dice import commitment_of
from ludotheque.table.names import NAME_LENGTH
from tests.speeds import pairs
from tests.table.matches import SEED, cable_cars, numbers, orchard, play_on, random_match, toys, viewers
from tests.toy import Nim, Orchard

names = st.one_of(
    st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=NAME_LENGTH),
    st.sampled_from(["Ann", "Seat 1", "Seat 2", "Ann: draw", "A:", "1. A", "(x) {y}", '"', "\\", "[Game]", "Result:"]),
).filter(lambda name: name == name.strip())
comments = st.one_of(
    st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t\\{}()\"'"), max_size=60),
    st.sampled_from(["{", "}", "\\", "\\n", "\n", "a\n\nb", "  ", "\\}", "{{}}", "1. Ann: draw", "\u2028", "[x]"]),
)


@st.composite
def matches(draw: st.DrawFn, games: st.SearchStrategy[Game]) -> Match:
    """A match at random, perhaps not over or ended early, with odd names and odd comments."""
    game = draw(games)
    match = random_match(game, draw(numbers), draw(st.integers(0, 30) | st.just(10**9)))
    for seat in range(game.players):
        match.rename(seat, draw(names))
    for ply in draw(st.lists(st.integers(1, max(1, match.ply)), max_size=5)) if match.ply else ():
        match.comment(ply, draw(comments))
    if not match.is_over:
        for seat in draw(st.lists(st.integers(0, game.players - 1), max_size=game.players - 1, unique=True)):
            match.ending = match.ending.resign(seat, match.ply)
        if draw(st.booleans()):
            match.ending = match.ending.abandon()
    return match


def check_round_trips(match: Match) -> None:
    for record in (Record.full(match), *(Record.seen_by(match, viewer) for viewer in viewers(match))):
        as_json, as_text = write_json(record), write_text(record)
        assert read_record(as_json) == read_json(as_json) == record
        assert read_record(as_text) == read_text(as_text) == record
        assert write_json(read_text(as_text)) == as_json
        assert write_text(read_json(as_json)) == as_text
        assert json.loads(as_json) == json.loads(msgspec.json.encode(record))
    full = Record.full(match)
    again = full.to_match()
    assert Record.full(again) == full
    assert [again.view(viewer) for viewer in viewers(match)] == [match.view(viewer) for viewer in viewers(match)]


@given(matches(toys()))
@settings(max_examples=40)
def test_json_text_and_match_are_the_same_record(match: Match) -> None:
    check_round_trips(match)


@given(matches(cable_cars()))
@settings(max_examples=8)
def test_records_of_cable_car_are_the_same_in_every_form(match: Match) -> None:
    check_round_trips(match)


@pytest.mark.parametrize(("players", "companies"), pairs(range(2, 7), (False, True)))
def test_whole_games_of_cable_car_go_through_every_form(players: int, companies: bool) -> None:
    check_round_trips(random_match(load_game("cable-car", players, companies=companies, rotation=True), players))


GOLDEN = r"""[Format "ludotheque-record"]
[Version 1]
[Game "orchard"]
[Players 2]
[Option rounds 1]
[Option season "summer"]
[Option peeking true]
[Option deck {"cards":[1,1,1,1,1,1],"by":"Zoë"}]
[Seat 1 "Ann"]
[Seat 2 "Zoë \"Z\""]
[Dice "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"]
[Seed "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"]

     (card 4) {low} (card 3)
  1. Ann:     peek
  2. Ann:     pick C {A \{brave\}\nmove}
  3. Ann:     take 2 (wind 1)
  4. Zoë "Z": swap (card 1)
  5. Zoë "Z": pick A
  6. Zoë "Z": take 1 (wind 2)

Result: Ann 16 (1), Zoë "Z" 4 (0)
"""


@pytest.mark.both
def test_a_golden_record_is_still_read() -> None:
    record = read_record(GOLDEN)
    assert write_text(record) == GOLDEN
    assert record.plies[0] == Ply("chance", "card 4", "low")
    assert record.plies[3].comment == "A {brave}\nmove"
    assert record.to_match().verify_dice() == 5


@pytest.mark.both
def test_the_same_match_as_json() -> None:
    lines = write_json(read_record(GOLDEN)).splitlines()
    assert lines[:8] == [
        "{",
        '"format": "ludotheque-record",',
        '"version": 1,',
        '"game": "orchard",',
        '"players": 2,',
        '"settings": {"rounds":1,"season":"summer","peeking":true,"deck":{"cards":[1,1,1,1,1,1],"by":"Zoë"}},',
        '"seats": ["Ann","Zoë \\"Z\\""],',
        '"dice": {"commitment":"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",'
        '"seed":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"},',
    ]
    assert lines[9:12] == [
        '{"who":"chance","move":"card 4","comment":"low"},',
        '{"who":"chance","move":"card 3"},',
        '{"who":0,"move":"peek"},',
    ]
    assert lines[-2:] == ['"result": {"scores":[16,4],"returns":[1.0,0.0]}', "}"]


def test_ambiguous_moves_are_quoted() -> None:
    text = write_text(Record.full(random_match(Nim(2), 1)))
    assert '\n  1. Ann: "(' in text


def test_seats_with_ambiguous_names_are_called_by_number() -> None:
    for alike in (["Ann", "Ann"], ["Ann", "Ann: draw"]):
        match = random_match(Nim(2), 1)
        for seat, name in enumerate(alike):
            match.rename(seat, name)
        text = write_text(Record.full(match))
        assert "\n  1. Seat 1: " in text
        assert read_text(text) == Record.full(match)


def test_long_draws_continue_on_the_next_line() -> None:
    text = write_text(Record.full(random_match(load_game("cable-car", 6, companies=True), 1, plies=35)))
    assert max(len(line) for line in text.splitlines()) <= 100


def test_a_match_with_draws_made_elsewhere_has_no_dice_in_its_record() -> None:
    match = Match(Orchard(2))
    match.add(CHANCE, "card 1")
    record = Record.full(match)
    assert record.dice is None
    assert read_text(write_text(record)) == read_json(write_json(record)) == record
    again = record.to_match()
    again.add(CHANCE, "card 2")
    assert again.to_move == 0


def test_a_record_with_a_commitment_alone_keeps_it() -> None:
    match = Match(Orchard(2), dice=Dice(commitment=Dice(SEED).commitment))
    record = Record.full(match)
    assert record.dice
    assert (record.dice.commitment, record.dice.seed) == (Dice(SEED).commitment, "")
    assert Record.full(read_text(write_text(record)).to_match()) == record


def test_a_match_from_a_record_goes_on_with_the_same_dice() -> None:
    match = orchard(3)
    match.play(0, "pick A")
    again = read_record(write_text(Record.full(match))).to_match()
    for each in (match, again):
        each.play(0, "take 2")
    assert again.actions() == match.actions()


def test_an_option_that_a_record_does_not_name_has_its_default() -> None:
    text = GOLDEN.replace('[Option season "summer"]\n', "").replace("[Option peeking true]\n", "")
    record = read_text(text)
    assert write_text(record) == text
    assert record.to_match().game.settings["season"] == "summer"


def test_text_is_read_whatever_the_spaces_and_line_ends() -> None:
    record = read_text(GOLDEN)
    assert read_record(GOLDEN.replace("\n", "\r\n")) == record
    assert read_record("\ufeff\n" + GOLDEN) == record
    assert read_record(GOLDEN.replace("    ", " ")) == record
    assert read_record(GOLDEN.replace("\n  3", "\n\n\n3")) == record
    assert read_record(GOLDEN.replace(" (wind", "\n(wind")) == record
    assert read_record(GOLDEN.encode()) == record
    assert read_record("\ufeff" + write_json(record)) == record


def test_a_record_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(GOLDEN, encoding="utf-8")
    assert read_record(path) == read_record(GOLDEN)
    with pytest.raises(BadRecord, match=r"cannot be read: No such file or directory\.$"):
        read_record(tmp_path / "missing")
    with pytest.raises(BadRecord, match=r"cannot be read: Is a directory\.$"):
        read_record(tmp_path)


def test_a_redacted_record_is_a_document_but_cannot_be_replayed() -> None:
    match = orchard()
    match.play(0, "pick A")
    for viewer in viewers(match):
        record = Record.seen_by(match, viewer)
        assert record.is_redacted
        assert read_text(write_text(record)) == read_json(write_json(record)) == record
        with pytest.raises(BadRecord, match="hides what they did not see: it cannot be replayed"):
            record.to_match()
    text = write_text(Record.seen_by(match, 1))
    assert "[Viewer 2]" in text
    assert "(?) (card 1)\n" in text


def test_a_record_for_a_viewer_who_saw_everything_can_be_replayed() -> None:
    match = Match.start(Nim(2))
    match.play(0, "(1)")
    record = Record.seen_by(match, 1)
    assert record.viewer == 1
    assert not record.is_redacted
    assert record.to_match().ply == 1


@pytest.mark.parametrize("version", [1, 2])
def test_a_record_tells_the_version_of_its_game(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    match = random_match(load_game("orchard"), 3)
    monkeypatch.setattr(type(match.game), "version", version)
    record = Record.full(match)
    for written in (write_json(record), write_text(record)):
        assert read_record(written).game_version == version
        assert ("game_version" in written or "GameVersion" in written) == (version == 2)


@pytest.mark.parametrize(("played", "installed"), [(1, 2), (2, 1)])
@pytest.mark.parametrize("write", [write_json, write_text])
@pytest.mark.parametrize("is_whole", [True, False])
def test_a_record_of_another_version_of_its_game_is_refused(
    played: int, installed: int, write: Callable[[Record], str], is_whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that is only printed, because plies are hidden: its moves may mean something else."""
    match = Match.start(load_game("orchard"), dice=Dice(SEED))
    monkeypatch.setattr(type(match.game), "version", played)
    written = write(Record.full(match) if is_whole else Record.seen_by(match, 1))
    assert read_record(written).game_version == played
    monkeypatch.setattr(type(match.game), "version", installed)
    with pytest.raises(BadRecord, match=f"played with version {played} of .*, but version {installed} is installed"):
        read_record(written)


def test_a_record_keeps_what_people_added_to_the_dice() -> None:
    nonces = (Nonce(0, commitment_of(bytes(32)), "00" * 32), Nonce(1, commitment_of(SEED)))
    match = play_on(Match.start(Orchard(2), dice=Dice(SEED, nonces=nonces)), Random(3))
    record = Record.full(match)
    check_round_trips(match)
    again = read_text(write_text(record)).to_match()
    assert again.dice
    assert again.dice.nonces == nonces
    assert again.verify_dice() > 0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f'[Nonce 3 ["{"00" * 32}"]]', "a seat that does not exist"),
        (f'[Nonce 1 ["{"00" * 32}", "{"11" * 32}"]]', "not the one that was committed to"),
        ("[Nonce 1 []]", "in brackets"),
        ("[Nonce one []]", "in brackets"),
        (f'[Nonce 1 ["{"0g" * 32}"]]', "64 hexadecimal digits"),
    ],
)
def test_a_bad_nonce_is_refused(line: str, reason: str) -> None:
    text = write_text(Record.full(orchard()))
    with pytest.raises(BadRecord, match=reason):
        read_text(text.replace("[Seed ", f"{line}\n[Seed "))

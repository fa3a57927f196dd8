"""A bad record is refused with one sentence that names the place, the move and the reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from ludotheque import load_game
from ludotheque.errors import BadRecord
from ludotheque.table import Record, read_record, record_text, write_json, write_text
from ludotheque.table.record_file import RECORD_LENGTH
from tests.table.matches import json_values, orchard, random_match
from tests.table.test_records import GOLDEN
from tests.toy import Nim, Orchard

JSON = write_json(read_record(GOLDEN))
REDACTED = write_text(Record.seen_by(orchard(3), 1))


def complaint(source: str | bytes) -> str:
    with pytest.raises(BadRecord) as refusal:
        read_record(source)
    return checked(refusal.value)


def checked(refusal: BadRecord) -> str:
    """One sentence that can be shown."""
    sentence = str(refusal)
    assert sentence.isprintable()
    assert sentence.endswith(".")
    assert len(sentence) < 500
    return sentence


def changed(**fields: Any) -> str:
    """The golden record as JSON, with some fields changed or, for None, left out."""
    document = {**json.loads(JSON), **fields}
    return json.dumps({name: value for name, value in document.items() if value is not None})


def with_ply(index: int, **fields: Any) -> str:
    plies = json.loads(JSON)["plies"]
    plies[index] = {**plies[index], **fields}
    return changed(plies=plies)


# In text, the line is named.


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("  2. Ann:     pick C", "  2. Ann:     pick D", "Line 16 (ply 4), 'pick D': 'pick D' is no move of Orchard."),
        ("  2. Ann:     pick C", "  2. Ann:     take 2", "Line 16 (ply 4), 'take 2': 'take 2' cannot be played here."),
        ("  4. Zoë \"Z\": swap", "  4. Ann: swap", "Line 18 (ply 7), 'swap': It is Zoë \"Z\"'s turn; Ann has to wait."),
        ("(wind 1)", "(wind 7)", "Line 17 (ply 6), 'wind 7': 'wind 7' is no move of Orchard."),
        ("(wind 1)", "", "Line 18 (ply 6), 'swap': A draw comes first; Zoë \"Z\" has to wait."),
        ("(card 4)", "(card 3)", "Line 14 (ply 2), 'card 3': 'card 3' cannot be played here."),
        ("pick A", "pick A (wind 0)", "Line 19 (ply 10), 'wind 0': It is Zoë \"Z\"'s turn; nothing is drawn now."),
        ("  3. Ann", "  4. Ann", "Line 17: Move 3 comes next, not 4."),
        ("  3. Ann:", "  3. Bob:", "Line 17: Nobody here is called 'Bob'."),
        ("  3. Ann:     take 2", "  3. Ann: )", "Line 17: ') (wind 1)' does not begin with a move."),
        ("  3. Ann:     take 2", "  3. Ann take 2", "Line 17: '3. Ann take 2 (wind 1)' is neither a move"),
        ("(wind 1)", "(wind 1", "Line 17: '(wind 1' is neither a draw in parentheses nor a comment in braces."),
        ("{low}", "{low", "Line 14: '{low (card 3)' is neither a draw in parentheses nor a comment in braces."),
        ("{low}", "{low} {high}", "Line 14: A comment must follow a move or a draw, at most one each."),
        ("(card 4) {low}", "{low} (card 4)", "Line 14: A comment must follow a move or a draw"),
        (r"\nmove", r"\xmove", r"Line 16: \x is not an escape of a comment; a backslash is written twice."),
        ("{low}", "{lo\x1bw}", "Line 14 (ply 1), 'card 4': The comment holds the character '\\x1b'"),
        ('[Game "orchard"]', '[Game "chess"]', "Line 3: There is no game 'chess'; the games are: "),
        ('[Game "orchard"]', "[Game orchard]", "Line 3: 'orchard' is not a value: JSON is malformed"),
        ('[Game "orchard"]', "[Game 7]", "Line 3: Expected `str`, got `int`."),
        ('[Game "orchard"]\n', "", "The header: Object missing required field `game`."),
        ("[Players 2]", "[Players 9]", "Line 4: Orchard is for 2 to 5 players, not 9."),
        ("[Players 2]", "[Players 3]", "Line 10: There are 2 names for 3 seats."),
        ("[Players 2]", "[Players 2.0]", "Line 4: Expected `int`, got `float`."),
        ("[Players 2]", "[Players true]", "Line 4: Expected `int`, got `bool`."),
        ("[Option rounds 1]", "[Option rounds 4]", "Line 8: The option rounds takes one of 1, 2, 3, 40, not 4."),
        ("[Option rounds 1]", "[Option laps 1]", "Line 8: There is no option 'laps'; the options are: rounds"),
        ("[Option rounds 1]", "[Option rounds 1]\n[Option rounds 1]", "Line 6: The option 'rounds' is given twice."),
        ("[Option rounds 1]", "[Option]", "Line 5: '[Option]' is not a header line."),
        ("[Option rounds 1]", "[Option rounds]", "Line 5: '' is not a value: Input data was truncated."),
        ("[Option rounds 1]", "[Colour 1]", "Line 5: '[Colour 1]' is not a header line."),
        ("[1,1,1,1,1,1]", "[1,1,1,1,1]", "Line 8: The option deck takes"),
        ("[Version 1]", "[Version 2]", "The version of this record is 2; this program reads version 1."),
        ("[Version 1]", "[Version true]", "The version of this record is True; this program reads version 1."),
        ("[Version 1]", "[Version 1]\n[Version 1]", "Line 3: Version is given twice."),
        ("ludotheque-record", "pgn", "This is not a record: its format is not given as 'ludotheque-record'."),
        ("[Seat 2", "[Seat 3", "Line 10: Seat 2 comes next, not '3'."),
        ('[Seat 1 "Ann"]', "[Seat 1 7]", "Line 9: The name of a seat must be in quotation marks."),
        ('"Ann"', '" Ann"', "Line 15: Nobody here is called 'Ann'."),
        ('[Dice "63', '[Dice "64', "Line 12: The seed of the dice is not the one that was committed to."),
        ('[Dice "63', '[Dice "', "Line 12: The commitment and the seed of dice are 64 hexadecimal digits each"),
        ('[Seed "00', '[Seed "0G', "Line 12: The commitment and the seed of dice are 64 hexadecimal digits each"),
        ("Ann 16 (1)", "Ann 17 (1)", "Line 22: The game ends with the scores [16, 4], wins [1.0, 0.0]."),
        ("Ann 16 (1)", "Ann 16 (0.5)", "Line 22: The game ends with the scores [16, 4], wins [1.0, 0.0]."),
        ("Ann 16 (1)", "Ann 16", "Line 22: The result names each seat with its score and its share of the win"),
        ("Ann 16 (1)", "Ann 16 (x)", "Line 22: 'x' is not a value: JSON is malformed"),
        ("(wind 2)", "", "Line 22: The game is not over after the last ply, so there is no result yet."),
        ("(wind 2)", "(wind 2) (wind 2)", "Line 20 (ply 12), 'wind 2': The game is over."),
        ("Result: ", "Result ", "Line 22: 'Result Ann 16 (1)"),
        ("(0)\n", "(0)\nbye", "Line 23: Nothing can follow the result."),
        ("  2. Ann", '[Game "nim"]\n  2. Ann', "Line 16: The header must come before the moves."),
    ],
)  # fmt: skip
def test_a_bad_text_names_the_line_the_move_and_the_reason(old: str, new: str, sentence: str) -> None:
    assert old in GOLDEN
    assert complaint(GOLDEN.replace(old, new, 1)).startswith(sentence)


def test_an_incomplete_text_is_refused() -> None:
    lines = GOLDEN.splitlines(keepends=True)
    for length in range(1, len(lines)):
        complaint("".join(lines[:length]))
    assert complaint("".join(lines[:-1])) == "The record is incomplete: its last line must be the result."


@pytest.mark.parametrize("line", ["1. " + " " * 900_000 + "x", "1. Ann:" + " " * 900_000 + "x"])
def test_a_line_made_to_be_slow_is_refused_at_once(line: str) -> None:
    # The reader once tried every way to divide the spaces: hours for one such line.
    assert complaint(REDACTED.partition("\n\n")[0] + "\n\n" + line) == (
        "Line 15: A line of moves has at most 20,000 characters."
    )


def test_a_line_of_spaces_is_read_in_one_pass() -> None:
    header = REDACTED.partition("\n\n")[0]
    assert "is neither a move, such as '1. Ann: pass'" in complaint(f"{header}\n\n1. {' ' * 19_000}x")


def test_a_record_of_too_many_lines_is_refused() -> None:
    assert complaint("[\n" * 60_000) == "This is too long for a record: one has at most 50,000 lines."


def test_the_length_of_a_record_is_counted_in_characters(tmp_path: Path) -> None:
    match = orchard()
    match.comment(1, "棋" * 4000)
    text = write_json(Record.full(match))
    long = text + " " * (RECORD_LENGTH - len(text))
    path = tmp_path / "long.json"
    path.write_text(long, encoding="utf-8")
    assert path.stat().st_size > RECORD_LENGTH
    assert read_record(path) == read_record(long) == read_record(text)
    path.write_text(long + " ", encoding="utf-8")
    with pytest.raises(BadRecord, match="at most 1,000,000 characters"):
        read_record(path)


def test_a_finished_game_must_have_its_result() -> None:
    text = GOLDEN[: GOLDEN.index("Result")] + "Result: unfinished\n"
    sentence = "The game is over after the last ply, but the record has no result."
    assert complaint(text) == complaint(changed(result=None)) == sentence


# In JSON, the ply or the field is named.


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (with_ply(3, move="pick D"), "Ply 4, 'pick D': 'pick D' is no move of Orchard."),
        (with_ply(3, move="?"), "Ply 4, '?': Only a record made for one viewer may hide a ply."),
        (with_ply(3, who=1), "Ply 4, 'pick C': It is Ann's turn; Zoë \"Z\" has to wait."),
        (with_ply(3, who=7), "Ply 4, 'pick C': There is no seat 8; the seats are 1 to 2."),
        (with_ply(3, who="chance"), "Ply 4, 'pick C': It is Ann's turn; nothing is drawn now."),
        (with_ply(3, who=-1), "Ply 4: Expected `int` >= 0."),
        (with_ply(3, who="Ann"), "Ply 4: Invalid enum value 'Ann'."),
        (with_ply(3, move=5), "Ply 4: Expected `str`, got `int`."),
        (with_ply(3, note="!"), "Ply 4: Object contains unknown field `note`."),
        (with_ply(3, comment="\r"), "Ply 4, 'pick C': The comment holds the character '\\r', which cannot be shown."),
        (changed(plies={}), "The field plies: Expected `array`, got `object`."),
        (changed(author="me"), "The record: Object contains unknown field `author`."),
        (changed(game=None), "The record: Object missing required field `game`."),
        (changed(game="chess" * 99), "The field game: There is no game 'chesschess"),
        (changed(settings={"rounds": "1"}), "The field settings: The option rounds takes one of 1, 2, 3, 40, not '1'."),
        (changed(settings={"rounds": [1]}), "The field settings: Expected `bool | int | str | object | null`"),
        (changed(seats=["Ann"]), "The field seats: There are 1 names for 2 seats."),
        (changed(seats=[]), "The field seats: There are 0 names for 2 seats."),
        (changed(seats=["Ann", "\u202eBob"]), "The field seats: The name '\\u202eBob' holds the character"),
        (changed(players=0), "The field players: Expected `int` >= 1."),
        (changed(dice={"commitment": ""}), "The field dice: The commitment and the seed of dice are 64 hexadecimal"),
        (changed(dice={"seed": "00"}), "The field dice: Object missing required field `commitment`."),
        (changed(result={"scores": [10, 10]}), "The field result: Object missing required field `returns`."),
        (changed(result={"scores": [1], "returns": [1]}), "The field result: The game ends with the scores [16, 4]"),
        (changed(viewer=0, result=None), "The field dice: A record made for one viewer must not hold the seed."),
        (changed(viewer=5, dice=None, result=None), "The field viewer: There is no seat 6"),
        (changed(viewer="spectator", dice=None), "The field result: A record made for one viewer is of a running game"),
        (changed(format="pgn"), "This is not a record: its format is not given as 'ludotheque-record'."),
        (changed(version=None), "The version of this record is None; this program reads version 1."),
        (changed(version=1.0), "The version of this record is 1.0; this program reads version 1."),
        (JSON.replace('"game": ', '"game": ,'), "Line 4: JSON is malformed: invalid character."),
        (JSON[:-3], "The record is not a complete JSON document: Input data was truncated."),
        (JSON + "x", "Line 24: JSON is malformed: trailing characters."),
        ('{"a":' * 5000, "The record is not a complete JSON document: maximum recursion depth exceeded"),
        ("{}", "This is not a record: its format is not given as 'ludotheque-record'."),
        ("", 'This is not a record: one begins with "{" (JSON) or with "[" (text).'),
        ("1. e4 e5", 'This is not a record: one begins with "{" (JSON) or with "[" (text).'),
        (b"\xff\xfe{}", "This is not a record: it is not text in UTF-8."),
        ("{\ud800", "This is not a record: it is not text in UTF-8."),
    ],
)
def test_a_bad_json_names_the_ply_or_the_field_and_the_reason(source: str | bytes, sentence: str) -> None:
    assert complaint(source).startswith(sentence)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[Viewer 2]\n", "", "Line 14 (ply 1), '?': Only a record made for one viewer may hide a ply."),
        ("[Viewer 2]", "[Viewer 4]", "Line 12: There is no seat 4 to have seen the game from."),
        ("[Viewer 2]", "[Viewer 0]", "Line 12: Expected `int` >= 0."),
        ("[Viewer 2]", '[Viewer "Bob"]', "Line 12: Invalid enum value 'Bob'."),
        ("(?)", "(?) {It was a 3.}", "Line 15 (ply 1), '?': A hidden ply must not have a comment."),
        ("(card 1)", "(card 1) {\x7f}", "Line 15 (ply 2), 'card 1': The comment holds the character"),
        ("[Players 3]", "[Players 2]", "Line 11: There are 3 names for 2 seats."),
        ("[Dice", "[Seed", "Line 13: Object missing required field `commitment`."),
    ],
)
def test_a_redacted_record_is_checked_as_far_as_possible(old: str, new: str, sentence: str) -> None:
    assert old in REDACTED
    assert complaint(REDACTED.replace(old, new, 1)).startswith(sentence)


def test_a_redacted_record_has_moves_of_existing_seats_only() -> None:
    match = orchard()
    match.play(0, "pick A")
    document = msgspec.to_builtins(Record.seen_by(match, 1))
    document["plies"][2]["who"] = 2
    assert complaint(json.dumps(document)) == "Ply 3, 'pick A': There is no seat 3."


# Fuzzed.

SOURCES = [
    GOLDEN,
    JSON,
    REDACTED,
    write_text(Record.full(random_match(Nim(2), 1))),
    write_text(Record.full(random_match(load_game("cable-car", 3, companies=True, hand=2), 1, plies=60))),
    write_json(Record.full(random_match(load_game("cable-car", 2, rotation=True), 2))),
    write_json(Record.full(random_match(Orchard(4), 3))),
]


def check_refused_or_right(source: str | bytes) -> None:
    """Check that a source is refused with one sentence, or is a correct record."""
    try:
        record = read_record(source)
    except BadRecord as refusal:
        checked(refusal)
        return
    assert read_record(write_text(record)) == read_record(write_json(record)) == record


@given(st.text() | st.binary() | st.text('[]{}(),:"\\ 0123456789.aA\n'))
@settings(max_examples=200)
def test_arbitrary_input_is_refused(source: str | bytes) -> None:
    with pytest.raises(BadRecord) as refusal:
        read_record(source)
    checked(refusal.value)


@given(st.sampled_from(SOURCES), st.data())
@settings(max_examples=300)
def test_a_record_with_broken_bytes_is_refused_or_right(source: str, data: st.DataObject) -> None:
    content = bytearray(source.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = min(len(content), start + data.draw(st.integers(0, 3)))
        content[start:end] = data.draw(st.binary(max_size=3) | st.sampled_from([b'"', b"}", b"(", b"\\", b"[", b"0"]))
    check_refused_or_right(bytes(content))


@given(st.sampled_from(SOURCES), st.data())
@settings(max_examples=150)
def test_a_record_with_mixed_up_lines_is_refused_or_right(source: str, data: st.DataObject) -> None:
    lines = source.split("\n")
    here, there = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    kind = data.draw(st.sampled_from(["swap", "drop", "repeat", "join"]))
    if kind == "swap":
        lines[here], lines[there] = lines[there], lines[here]
    elif kind == "drop":
        del lines[here]
    elif kind == "repeat":
        lines.insert(there, lines[here])
    else:
        lines[here] += lines[there]
    check_refused_or_right("\n".join(lines))


@given(st.sampled_from(SOURCES), st.data())
@settings(max_examples=250)
def test_a_record_with_changed_fields_is_refused_or_right(source: str, data: st.DataObject) -> None:
    document = msgspec.to_builtins(read_record(source))
    place: Any = document
    while True:
        key = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], (dict, list)) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    kind = data.draw(st.sampled_from(["change", "drop", "add"]))
    if kind == "drop":
        del place[key]
    elif kind == "change":
        place[key] = data.draw(json_values | st.sampled_from(["?", "draw", "chance", "spectator", 0, 1, True, {}, []]))
    elif isinstance(place, dict):
        place[data.draw(st.text(max_size=4) | st.just("viewer"))] = data.draw(json_values)
    else:
        place.insert(key, place[key])
    check_refused_or_right(msgspec.json.encode(document))


@given(st.sampled_from(SOURCES), st.data())
@settings(max_examples=150)
def test_a_record_with_another_move_is_refused_or_right(source: str, data: st.DataObject) -> None:
    document = msgspec.to_builtins(read_record(source))
    plies = document["plies"]
    moves = st.sampled_from([ply["move"] for ply in plies]) | st.text(max_size=8)
    data.draw(st.sampled_from(plies))["move"] = data.draw(moves)
    check_refused_or_right(msgspec.json.encode(document))


def test_labels_of_the_seats_are_computed_once_for_all_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once they were computed for each move: 20,000 seats with 29,000 moves took minutes."""
    computed: list[int] = []

    def labels(names: Sequence[str]) -> list[str]:
        computed.append(len(names))
        return list(names)

    monkeypatch.setattr(record_text, "_labels", labels)
    header = '[Format "ludotheque-record"]\n[Version 1]\n[Game "nim"]\n[Players 2]\n'
    seats = "".join(f'[Seat {seat} "{seat}"]\n' for seat in range(1, 201))
    moves = "".join(f"{number}. 1: take 1\n" for number in range(1, 301))
    assert "200 names for 2 seats" in complaint(header + seats + moves + "Result: unfinished")
    assert computed == [200]

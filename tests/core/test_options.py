"""Options: what a person writes, what a program gives, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from ludotheque import Option, Variant, load_game
from ludotheque.core.options import OptionValue, read_document, read_settings, resolve_settings
from ludotheque.errors import BadOption
from tests.speeds import several

FLAG = Option(name="rotation", default=False, help="Tiles may be turned.")
NUMBER = Option(name="hand", default=1, choices=(1, 2, 3), help="How many tiles a hand holds.")
CHOICE = Option(name="season", default="summer", choices=("summer", "winter"), help="When it is.")
DOCUMENT = Option(name="map", default=None, help="A map of your own.")
ALL = (FLAG, NUMBER, CHOICE, DOCUMENT)


@pytest.mark.parametrize(
    ("option", "kind", "takes"),
    [
        (FLAG, "flag", "on or off"),
        (NUMBER, "number", "one of 1, 2, 3"),
        (CHOICE, "choice", "one of summer, winter"),
        (DOCUMENT, "document", "the path of a JSON or TOML file"),
    ],
)
def test_an_option_says_what_it_takes(option: Option, kind: str, takes: str) -> None:
    assert (option.kind, option.takes) == (kind, takes)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [(FLAG, "on", True), (FLAG, "No", False), (FLAG, "1", True), (NUMBER, " 2 ", 2), (CHOICE, "Winter", "winter")],
)
def test_words_are_read_as_values(option: Option, text: str, value: OptionValue) -> None:
    assert option.read(text) == value
    assert option.read(option.write(value)) == value


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (FLAG, 1),
        (FLAG, "on"),
        (NUMBER, True),
        (NUMBER, "1"),
        (NUMBER, 4),
        (CHOICE, "autumn"),
        (CHOICE, None),
        (DOCUMENT, 3),
    ],
)
def test_a_value_of_another_type_or_out_of_range_is_refused(option: Option, value: object) -> None:
    with pytest.raises(BadOption, match=f"The option {option.name} takes"):
        option.check(value)


def test_options_not_given_have_their_defaults() -> None:
    assert resolve_settings(ALL, {"hand": 2}) == {"rotation": False, "hand": 2, "season": "summer", "map": None}


def test_settings_are_read_from_words(tmp_path: Path) -> None:
    file = tmp_path / "map.toml"
    file.write_text("hexes = [1, 2]\n")
    words = ["rotation=on", "hand=3", f"map={file}"]
    assert read_settings(ALL, words) == {"rotation": True, "hand": 3, "map": {"hexes": [1, 2]}}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["hand"], "name=value"),
        (["hands=1"], "There is no option 'hands'; the options are: rotation, hand, season, map."),
        (["hand=1", "hand=1"], "given twice"),
    ],
)
def test_bad_words_get_a_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        read_settings(ALL, words)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("map.json", b"\xff\xfe", "not a text file"),
        ("map.json", b"[1]", "one object at its top"),
        ("map.json", b'{"a": ' + b"[" * 100_000, "not well formed"),
        ("map.json", b'{"a": ' + b"9" * 10_000 + b"}", "not well formed"),
        ("map.toml", b"a = " + b"[" * 100_000, "not well formed"),
        ("map.toml", b"a = ", "not well formed"),
        ("map.json", b"{}" + b" " * 1_000_000, "longer than 1,000,000 bytes"),
        ("no\0name", None, "not a text file"),
        ("missing.json", None, "No such file"),
        ("", None, "Is a directory"),
    ],
    ids=range(10),
)
def test_a_bad_document_gets_a_sentence(tmp_path: Path, name: str, content: bytes | None, sentence: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadOption, match=sentence):
        read_document(str(tmp_path / name))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["map.json", "map.toml"]))
def test_any_document_is_an_object_or_refused(tmp_path: Path, content: bytes, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    try:
        assert isinstance(read_document(str(file)), dict)
    except BadOption as error:
        assert str(error)


@settings(max_examples=several(30, 100))
@given(st.lists(st.text(max_size=30), max_size=3))
def test_any_words_are_settings_or_refused(words: list[str]) -> None:
    try:
        resolve_settings(ALL, read_settings(ALL, words))
    except BadOption as error:
        assert str(error)


def test_a_variant_is_a_game_with_its_settings() -> None:
    windy = Variant(name="windy", title="Windy", sentence="Leaves fly.", settings={"season": "winter", "hand": 2})
    assert windy.describes({"season": "winter", "hand": 2, "rotation": True})
    assert not windy.describes({"season": "winter", "hand": 1})
    assert not windy.describes({})


def test_a_table_has_the_title_of_its_variant() -> None:
    assert load_game("cable-car", companies=True, hand=2).shown_title() == "The Companies"
    assert load_game("cable-car").shown_title() == "Cable Car"

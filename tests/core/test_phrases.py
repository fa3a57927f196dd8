"""Phrases and their translation."""

from __future__ import annotations

from ludotheque.core.phrases import NOTHING, Translation, phrase, points, seat_name

LAYS = phrase("{seat} lays {tile}.", seat=seat_name(1), tile=phrase("a bridge"))
GERMAN = {
    "{seat} lays {tile}.": "{tile} wird von {seat} gelegt.",
    "a bridge": "Eine Brücke",
    "Seat {number}": "Platz {number}",
}


class German(Translation):
    def __call__(self, text: str) -> str:
        return GERMAN[text]


class WithHeader(Translation):
    def __call__(self, text: str) -> str:
        return text or "the header of a catalogue"


def test_a_phrase_reads_in_english_by_itself() -> None:
    assert str(LAYS) == "Seat 2 lays a bridge."


def test_a_phrase_is_translated_with_all_that_fills_it() -> None:
    assert LAYS.render(German()) == "Eine Brücke wird von Platz 2 gelegt."


def test_a_number_takes_the_plural_in_english_unless_it_is_one() -> None:
    assert [str(points(count)) for count in (0, 1, 2)] == ["0 points", "1 point", "2 points"]


def test_seats_are_called_by_their_names() -> None:
    assert LAYS.render(names=["Ann", "Bob {x}"]) == "Bob {x} lays a bridge."


def test_an_empty_phrase_is_empty_in_every_language() -> None:
    assert NOTHING.render(WithHeader()) == ""


def test_a_phrase_knows_whether_it_depends_on_the_names_of_players() -> None:
    assert seat_name(1).names_seat
    assert phrase("{line}: {who}", line=3, who=phrase("won by {seat}", seat=seat_name(0))).names_seat
    assert not phrase("{cell}, {state}", cell="A1", state=phrase("free")).names_seat

"""Catalogues of translators, with the plural rule of their language."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludotheque.core.phrases import phrase, plural, points
from ludotheque.show.language import Catalogue, read_catalogue, translator
from ludotheque.web import LANGUAGES

# Made up, with the rule of Polish: 1; 2 to 4 but not 12 to 14; all others.
SLAVIC = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "{count} point"
msgid_plural "{count} points"
msgstr[0] "{count} punkt"
msgstr[1] "{count} punkty"
msgstr[2] "{count} punktów"

msgid "{seat} wins with {points}."
msgstr "{seat} wygrywa: {points}."

msgid "{count} tile"
msgid_plural "{count} tiles"
msgstr[0] "{count} kafelek"
msgstr[1] ""
msgstr[2] ""
"""


@pytest.fixture
def slavic(tmp_path: Path) -> Catalogue:
    path = tmp_path / "pl.po"
    path.write_text(SLAVIC, encoding="utf-8")
    return read_catalogue(path, "pl")


def test_a_language_may_have_more_than_two_forms(slavic: Catalogue) -> None:
    said = [points(count).render(slavic) for count in (0, 1, 2, 5, 12, 21, 22, 104)]
    assert said == [
        "0 punktów", "1 punkt", "2 punkty", "5 punktów", "12 punktów", "21 punktów", "22 punkty", "104 punkty",
    ]  # fmt: skip


def test_a_plural_inside_a_sentence_is_translated_too(slavic: Catalogue) -> None:
    assert phrase("{seat} wins with {points}.", seat="Ola", points=points(3)).render(slavic) == "Ola wygrywa: 3 punkty."


def test_what_a_catalogue_lacks_stays_english(slavic: Catalogue) -> None:
    assert phrase("{count} more", count=2).render(slavic) == "2 more"
    assert plural(2, "{count} card", "{count} cards").render(slavic) == "2 cards"
    assert plural(1, "{count} tile", "{count} tiles").render(slavic) == "1 tile", "some of its forms are missing"


def test_french_uses_the_singular_for_nothing() -> None:
    assert [points(count).render(translator("fr")) for count in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


def test_a_language_is_a_folder_with_a_catalogue() -> None:
    assert LANGUAGES == ("en", "fr", "nl")
    assert translator("en").sentences == {}
    assert all(translator(language).sentences for language in LANGUAGES[1:])


def test_a_custom_catalogue_comes_second(slavic: Catalogue) -> None:
    both = Catalogue({"a": "custom", "b": "custom"}, {}) | Catalogue({"a": "ours"}, slavic.plurals)
    assert (both("a"), both("b"), both("c")) == ("ours", "custom", "c")
    assert points(2).render(both) == "2 punkty"

"""Names and chat that people enter, and stored names that may hold what cannot be seen."""

# ruff: noqa: RUF001  (ambiguous letters are what this is about)

from __future__ import annotations

import pytest

from ludotheque.errors import BadName
from ludotheque.table.look_alikes import skeleton
from ludotheque.table.names import check_new_name, check_unlike, unlinked_name, visible_name, visible_text

REAL_NAMES = [
    "Ann",
    "Anaïs Lefèvre",
    "Noël-Étienne d'Œuvre",
    "Sjoerd IJsbrand van 't Hoff",
    "Γιώργος",
    "Ирина Йодль",
    "محمد",
    "می\u200cخواهم",
    "עִבְרִית",
    "क्\u200dष",
    "Nguyễn Thị Ánh",
    "山田 太郎",
    "김민준",
    "สมชาย",
    "J.R.R. Tolkien",
    "john.doe",
    "👩\u200d🚀",
]


@pytest.mark.parametrize(
    ("stored", "shown"),
    [("Ann", "Ann"), ("A\u200bnn\u202e", "Ann"), ("\u3164Bob\n", "Bob"), ("👩\u200d🚀", "👩\u200d🚀")],
)
def test_a_stored_name_is_shown_without_what_cannot_be_seen(stored: str, shown: str) -> None:
    assert visible_name(stored) == shown


@pytest.mark.parametrize("name", REAL_NAMES)
def test_names_of_many_languages_are_accepted(name: str) -> None:
    assert check_new_name(name) == name


def test_names_of_many_languages_are_told_apart() -> None:
    assert len({skeleton(name) for name in REAL_NAMES}) == len(REAL_NAMES)


@pytest.mark.parametrize("name", ["https://evil.example", "www.evil.example", "a\u0301\u0302\u0303\u0304", "A\u200cnn"])
def test_links_piles_of_marks_and_invisible_signs_are_no_names(name: str) -> None:
    with pytest.raises(BadName):
        check_new_name(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "Ann"),
        ("ann", "Ann"),
        ("\u0410nn", "Ann"),
        ("Ａｎｎ", "Ann"),
        ("A\u0323nn", "Ann"),
        ("ЕВА", "EBA"),
        ("ΝΙΚΟ", "NIKO"),
        ("Bi11", "Bill"),
        ("Ann  Lee", "Ann Lee"),
        ("𝓑𝓸𝓫", "Bob"),
    ],
)
def test_a_name_that_looks_like_another_is_refused(name: str, other: str) -> None:
    with pytest.raises(BadName, match="looks like"):
        check_unlike(name, ["Zoë", other])


def test_a_name_that_looks_like_no_other_is_accepted() -> None:
    assert check_unlike("Anna", ["Ann", "Hanna", "أنا"]) == "Anna"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("evil.example/x", "evil. example/ x"), ("J.R. Lee", "J. R. Lee"), ("a@b.example", "a@ b. example")],
)
def test_no_mail_program_finds_an_address_in_a_name(name: str, shown: str) -> None:
    assert unlinked_name(name) == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("one\ntwo", "one\ntwo"),
        ("safe\u202egnp.exe", "safegnp.exe"),
        ("\u2066a\u2069\u200b\u2028b", "ab"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 3),
        ("\u3164\u200b", ""),
    ],
)
def test_text_is_shown_without_what_changes_the_lines_around_it(written: str, shown: str) -> None:
    assert visible_text(written) == shown

"""The typefaces of the pages: small, complete for our languages, and at the address that pages preload."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain

import pytest
from fontTools.ttLib import TTFont
from scripts import typefaces, words

from ludotheque.core.registry import game_class, rules_page
from ludotheque.server.http.templates import static
from ludotheque.web import WEB
from tests.ours import OURS

FACES = ("besley", "public-sans")
TOGETHER = 60_000
"""Bytes."""
SIGNS = frozenset("≈─■▾◐▴▶●○⚑✓✗↻♪✉←→⟳⤢❚")
"""Signs that the system's own fonts draw."""
ISOLATES = frozenset("\u2068\u2069")
"""Marks around names, which no font draws."""


@cache
def characters(face: str) -> frozenset[str]:
    font = TTFont(typefaces.FONTS / f"{face}.woff2")
    return frozenset(map(chr, font.getBestCmap()))


@cache
def written() -> frozenset[str]:
    """The characters of all sentences, templates and rules, in every language."""
    forms = chain.from_iterable(words.translations(language).values() for language in words.TRANSLATED)
    sentences = chain(*(chain(sentence) for sentence in words.wanted()), *forms)
    templates = [path.read_text(encoding="utf-8") for path in (WEB / "templates").iterdir()]
    rules = [rules_page(game_class(game), language) for game in OURS for language in ("en", *words.TRANSLATED)]
    return frozenset(chain.from_iterable(chain(sentences, templates, rules))) - {"\n"}


@pytest.mark.parametrize("face", FACES)
def test_every_character_that_we_write_is_in_the_typeface(face: str) -> None:
    used = written()
    assert {*"éèêëàâçîïôùûœÉÀ0123456789…«»±"} <= used
    assert used - characters(face) - SIGNS - ISOLATES == frozenset()


def test_the_typefaces_are_small() -> None:
    assert sum((typefaces.FONTS / f"{face}.woff2").stat().st_size for face in FACES) < TOGETHER


@pytest.mark.parametrize("face", FACES)
def test_figures_have_one_width(face: str) -> None:
    font = TTFont(typefaces.FONTS / f"{face}.woff2")
    tabular = {
        new
        for record in font["GSUB"].table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
        for subtable in font["GSUB"].table.LookupList.Lookup[index].SubTable
        for old, new in subtable.mapping.items()
        if old in ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    }
    assert len(tabular) == 10
    assert len({font["hmtx"][glyph][0] for glyph in tabular}) == 1


def test_styles_and_pages_name_the_same_files() -> None:
    """Otherwise a browser would load a typeface twice."""
    assert typefaces.STYLES.read_text(encoding="utf-8") == typefaces.styles()
    named = re.findall(r'url\("\.\.(/fonts/[^"]+)"\)', typefaces.styles())
    assert {f"/static{address}" for address in named} == {static(f"fonts/{face}.woff2") for face in FACES}


def test_the_notice_holds_the_licences_of_both() -> None:
    notice = typefaces.NOTICE.read_text(encoding="utf-8")
    assert notice.count("SIL OPEN FONT LICENSE Version 1.1") == len(FACES)
    assert all(f"The {name} Project Authors" in notice for name in ("Besley", "Public Sans"))


def test_the_notice_is_the_one_that_its_script_writes() -> None:
    if not typefaces.PACKAGES.exists():
        pytest.skip("needs the packages of the typefaces")
    assert typefaces.notice() == typefaces.NOTICE.read_text(encoding="utf-8"), "run python -m scripts.typefaces"

"""The words of a reader: which language, and what the sentences are in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from gettext import c2py
from pathlib import Path
from typing import Final

from babel import Locale, negotiate_locale
from babel.messages.pofile import read_po
from msgspec import Struct

from ludotheque.core.phrases import Translation
from ludotheque.core.registry import game_class, game_folder
from ludotheque.web import LANGUAGES, catalogue_path

COOKIE: Final = "ludotheque_lang"


class Reader(Struct, frozen=True):
    """Someone who reads a language."""

    language: str

    @property
    def translate(self) -> Catalogue:
        return translator(self.language)


class Language(Struct, frozen=True):
    """A language to choose."""

    code: str
    name: str


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages, each with its name in that language."""
    return tuple(Language(code, str(Locale(code).get_display_name(code)).capitalize()) for code in LANGUAGES)


class Catalogue(Translation):
    """A language from the file that translators write; what it lacks stays English."""

    def __init__(self, sentences: dict[str, str], plurals: dict[str, Callable[[int], str]]) -> None:
        self.sentences = sentences
        self.plurals = plurals
        """Functions from a number to the form that the language uses for it, by the English singular."""

    def __call__(self, text: str) -> str:
        return self.sentences.get(text, text)

    def plural(self, one: str, many: str, count: int) -> str:
        form = self.plurals.get(one)
        return form(count) if form else super().plural(one, many, count)

    def __or__(self, other: Catalogue) -> Catalogue:
        """Both in one; the other one is preferred, as with dictionaries."""
        return Catalogue(self.sentences | other.sentences, self.plurals | other.plurals)


def read_catalogue(path: Path, language: str) -> Catalogue:
    """The sentences in a file of translators; nothing if there is none."""
    if not path.is_file():
        return Catalogue({}, {})
    with path.open("rb") as source:
        messages = read_po(source, locale=language)
    rule = c2py(messages.plural_expr)
    single = {message.id: str(message.string) for message in messages if isinstance(message.id, str)}
    several = {message.id[0]: tuple(message.string or ()) for message in messages if not isinstance(message.id, str)}
    return Catalogue(
        {sentence: written for sentence, written in single.items() if sentence and written},
        {one: partial(_form, forms, rule) for one, forms in several.items() if forms and all(forms)},
    )


def _form(forms: Sequence[str], rule: Callable[[int], int], count: int) -> str:
    return forms[rule(count)]


@cache
def translator(language: str) -> Catalogue:
    """The translation into a language."""
    return read_catalogue(catalogue_path(language), language)


@cache
def game_translator(game: str, language: str) -> Catalogue:
    """The same with the custom catalogue of a game of another package: `locale/fr.po` beside its class."""
    custom = read_catalogue(game_folder(game_class(game)) / "locale" / f"{language}.po", language)
    return custom | translator(language)


def choose_language(asked: str | None, remembered: str | None, accepted: str) -> str:
    """The reader's language: what the address asks for, what the browser remembers, what it prefers, English."""
    for code in (asked, remembered):
        if code in LANGUAGES:
            return code
    return negotiate_locale(_preferred(accepted), LANGUAGES, sep="-") or "en"


def _preferred(accepted: str) -> Sequence[str]:
    """The languages of an `Accept-Language` header, the most preferred first."""
    weighted: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        code, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            weight = 0.0
        if code and weight > 0:
            weighted.append((weight, code))
    return [code for _, code in sorted(weighted, key=lambda pair: -pair[0])]

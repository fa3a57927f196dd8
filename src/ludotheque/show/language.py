"""The words of a reader: which language, and what the sentences are in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from babel import Locale, negotiate_locale
from babel.messages.pofile import read_po
from msgspec import Struct

from ludotheque.core.registry import game_class, game_folder

LANGUAGES: Final = ("en", "fr", "nl")
COOKIE: Final = "ludotheque_lang"
WEB: Final = Path(__file__).parent.parent / "web"
_DOMAIN: Final = "ludotheque"


class Reader(Struct, frozen=True):
    """Somebody who reads a language."""

    language: str

    @property
    def translate(self) -> Callable[[str], str]:
        return translator(self.language)


class Language(Struct, frozen=True):
    """A language to choose."""

    code: str
    name: str


@cache
def languages() -> tuple[Language, ...]:
    """All languages, by their own names."""
    return tuple(Language(code, str(Locale(code).get_display_name(code)).capitalize()) for code in LANGUAGES)


@cache
def catalogue(language: str) -> dict[str, str]:
    """The sentences of a language by the English ones, from the file that translators write; English needs none."""
    return _read_catalogue(WEB / "locale" / language / "LC_MESSAGES" / f"{_DOMAIN}.po", language)


@cache
def game_catalogue(game: str, language: str) -> dict[str, str]:
    """The same with what a game of another package brings: `locale/fr.po` beside its class."""
    own = game_folder(game_class(game)) / "locale" / f"{language}.po"
    return {**_read_catalogue(own, language), **catalogue(language)}


def _read_catalogue(path: Path, language: str) -> dict[str, str]:
    if not path.is_file():
        return {}
    with path.open("rb") as source:
        messages = read_po(source, locale=language, domain=_DOMAIN)
    return {str(message.id): str(message.string) for message in messages if message.id and message.string}


@cache
def translator(language: str) -> Callable[[str], str]:
    """From an English sentence with gaps to the same in a language; what no catalogue has stays English."""
    sentences = catalogue(language)
    return (lambda text: sentences.get(text, text)) if sentences else str


@cache
def game_translator(game: str, language: str) -> Callable[[str], str]:
    """The same with the sentences that a game of another package brings."""
    sentences = game_catalogue(game, language)
    return (lambda text: sentences.get(text, text)) if sentences else str


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

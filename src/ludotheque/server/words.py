"""The words of a reader: which language, and what the sentences are in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale, negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from msgspec import Struct

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
    """All there are, each in its own words."""
    return tuple(Language(code, str(Locale(code).get_display_name(code)).capitalize()) for code in LANGUAGES)


@cache
def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language, read from the file that translators write; English needs none."""
    path = WEB / "locale" / language / "LC_MESSAGES" / f"{_DOMAIN}.po"
    if not path.is_file():
        return NullTranslations()
    with path.open("rb") as source:
        messages = read_po(source, locale=language, domain=_DOMAIN)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return Translations(compiled, _DOMAIN)


@cache
def translator(language: str) -> Callable[[str], str]:
    """From an English sentence with gaps to the same in a language."""
    if type(catalogue(language)) is NullTranslations:
        return str
    gettext = catalogue(language).gettext
    # The empty message is not a message: catalogues keep their header there.
    return lambda text: gettext(text) if text else ""


def choose_language(asked: str | None, remembered: str | None, accepted: str) -> str:
    """The reader's language: what the address asks for, what the browser remembers, what it prefers, English."""
    for code in (asked, remembered):
        if code in LANGUAGES:
            return code
    return negotiate_locale(_preferred(accepted), LANGUAGES, sep="-") or "en"


def _preferred(accepted: str) -> Sequence[str]:
    """The languages of an `Accept-Language` header, the dearest first."""
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

"""Brings the catalogues of translators up to date with the words of pages, scripts, core and games.

`python scripts/words.py` adds what is new to `locale/<language>/LC_MESSAGES/ludotheque.po` (untranslated), drops what
is gone, lists for the pages what their scripts say, and tells what still needs a translator; with `--check` it changes
nothing. Babel finds the words: `phrase("...")` in Python, `_("...")` in templates and scripts.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from ludotheque.core.phrases import SEAT
from ludotheque.core.registry import game_class, game_names

PACKAGE = Path(__file__).parents[1] / "src" / "ludotheque"
WEB = PACKAGE / "web"
SCRIPT_WORDS = WEB / "templates" / "script_words.json"
LANGUAGES = ("fr", "nl")
KINDS = (
    ("python", PACKAGE, "**/*.py", "phrase"),
    ("jinja2", WEB / "templates", "*.html", "_"),
    ("javascript", WEB / "static", "*.js", "_"),
)

IDLE = (b'"Project-', b'"Report-', b'"POT-', b'"PO-', b'"Last-', b'"Language-Team', b'"Generated-')


def sentences(method: str, folder: Path, pattern: str, keyword: str) -> Iterator[tuple[str, str]]:
    """The English sentences below a folder, and the file that says each."""
    for path in sorted(folder.glob(pattern)):
        for _, sentence, _, _ in extract_from_file(method, path, keywords={keyword: None}):
            if sentence and sentence != "...":
                yield str(sentence), path.relative_to(PACKAGE).as_posix()


def facts() -> Iterator[tuple[str, str]]:
    """What games declare: titles, options, and words in their data files."""
    for name in game_names():
        kind = game_class(name)
        if not kind.__module__.startswith("ludotheque."):
            continue  # other packages have translators of their own
        yield kind.title, name
        yield kind.sentence, name
        for option in kind.options:
            yield option.help, name
        for words in kind.words_in_data():
            yield words, name


def wanted() -> dict[str, set[str]]:
    """All sentences, and where each is said."""
    places: dict[str, set[str]] = {}
    for kind in KINDS:
        for sentence, place in sentences(*kind):
            places.setdefault(sentence, set()).add(place)
    for sentence, place in (*facts(), (SEAT, "core")):
        places.setdefault(sentence, set()).add(place)
    return places


def po_path(language: str) -> Path:
    return WEB / "locale" / language / "LC_MESSAGES" / "ludotheque.po"


def translations(language: str) -> dict[str, str]:
    """The sentences of a language by the English ones; empty where a translator is needed."""
    if not po_path(language).exists():
        return {}
    with po_path(language).open("rb") as file:
        return {str(entry.id): str(entry.string) for entry in read_po(file, locale=language) if entry.id}


def catalogue(language: str, said: dict[str, set[str]], known: dict[str, str]) -> bytes:
    """A language's file: every sentence that is said and where, with its translation as far as one is known."""
    entries = Catalog(locale=language, header_comment=f"# Ludotheque in {language}.", fuzzy=False)
    for sentence, places in sorted(said.items()):
        entries.add(sentence, known.get(sentence, ""), locations=[(place, 0) for place in sorted(places)])
        # Babel marks a sentence with % as C's printf; ours have {gaps}.
        entries[sentence].flags.clear()
    text = io.BytesIO()
    write_po(text, entries, width=120, sort_output=True, include_lineno=False)
    # Times, versions and addresses to fill in are no use to a reader of changes.
    return b"".join(line for line in text.getvalue().splitlines(True) if not line.startswith(IDLE))


def script_words() -> str:
    """The list of what the scripts say, for the pages to translate."""
    said = sorted({sentence for sentence, _ in sentences(*KINDS[2])})
    lines = (f"  {text}: {{{{ _({text}) | tojson }}}}" for text in (json.dumps(s, ensure_ascii=False) for s in said))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(check: bool) -> int:
    said, known = wanted(), {language: translations(language) for language in LANGUAGES}
    files = {po_path(language): catalogue(language, said, known[language]) for language in LANGUAGES}
    files[SCRIPT_WORDS] = script_words().encode()
    stale = [path for path, content in files.items() if not path.exists() or path.read_bytes() != content]
    for path in stale:
        print(f"{path.relative_to(PACKAGE)} {'is out of date' if check else 'is brought up to date'}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path])
    missing = [(language, sentence) for language in LANGUAGES for sentence in said if not known[language].get(sentence)]
    for language, sentence in missing:
        print(f"{language}: {sentence!r} is not translated")
    return 1 if missing or (check and stale) else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

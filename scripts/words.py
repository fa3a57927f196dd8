"""Update the translation catalogues with the text of the pages, scripts and Python modules.

`python -m scripts.words` adds new messages to `locale/<language>/LC_MESSAGES/ludotheque.po` (untranslated), removes
unused ones, writes the list of messages that the scripts use, and prints what still needs a translation; with `--check`
it changes nothing. Babel extracts the messages: `phrase("...")` in Python, `_("...")` in templates and scripts.
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
from ludotheque.study.lessons import lessons

PACKAGE = Path(__file__).parents[1] / "src" / "ludotheque"
WEB = PACKAGE / "web"
SCRIPT_WORDS = WEB / "templates" / "script_words.json"
LANGUAGES = ("fr", "nl")
KINDS = (
    ("python", PACKAGE, "**/*.py", "phrase"),
    ("jinja2", WEB / "templates", "*.html", "_"),
    ("javascript", WEB / "static", "**/*.js", "_"),
)

NOISY_HEADERS = (b'"Project-', b'"Report-', b'"POT-', b'"PO-', b'"Last-', b'"Language-Team', b'"Generated-')


def sentences(method: str, folder: Path, pattern: str, keyword: str) -> Iterator[tuple[str, str]]:
    """Yield the English sentences below a folder, with the file of each."""
    for path in sorted(folder.glob(pattern)):
        for _, sentence, _, _ in extract_from_file(method, path, keywords={keyword: None}):
            if sentence and sentence != "...":
                yield str(sentence), path.relative_to(PACKAGE).as_posix()


def facts() -> Iterator[tuple[str, str]]:
    """Yield what games declare: titles, options, the text in their data files, and lessons."""
    for name in game_names():
        kind = game_class(name)
        if not kind.__module__.startswith("ludotheque."):
            continue  # other packages have their own catalogues
        yield kind.title, name
        yield kind.sentence, name
        for option in kind.options:
            yield from ((words, name) for words in (option.help, *option.sentences))
        for lesson in lessons(kind):
            yield from ((text, f"lessons of {name}") for text in lesson.texts())
        for words in kind.words_in_data():
            yield words, name


def wanted() -> dict[str, set[str]]:
    """Return all sentences, and where each is used."""
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
    """Return the translations of a language by the English sentence; empty if one is missing."""
    if not po_path(language).exists():
        return {}
    with po_path(language).open("rb") as file:
        return {str(entry.id): str(entry.string) for entry in read_po(file, locale=language) if entry.id}


def catalogue(language: str, used: dict[str, set[str]], translated: dict[str, str]) -> bytes:
    """Return the catalogue of a language: every sentence, where it is used, and its translation if there is one."""
    entries = Catalog(locale=language, header_comment=f"# Ludotheque in {language}.", fuzzy=False)
    for sentence, places in sorted(used.items()):
        entries.add(sentence, translated.get(sentence, ""), locations=[(place, 0) for place in sorted(places)])
        # Babel marks a sentence with % as a C format; ours have {placeholders}.
        entries[sentence].flags.clear()
    text = io.BytesIO()
    write_po(text, entries, width=120, sort_output=True, include_lineno=False)
    # Times, versions and template headers would only add noise to diffs.
    return b"".join(line for line in text.getvalue().splitlines(True) if not line.startswith(NOISY_HEADERS))


def script_words() -> str:
    """Return the list of the scripts' messages, for the pages to translate."""
    used = sorted({sentence for sentence, _ in sentences(*KINDS[2])})
    lines = (f"  {text}: {{{{ _({text}) | tojson }}}}" for text in (json.dumps(s, ensure_ascii=False) for s in used))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(check: bool) -> int:
    used, translated = wanted(), {language: translations(language) for language in LANGUAGES}
    files = {po_path(language): catalogue(language, used, translated[language]) for language in LANGUAGES}
    files[SCRIPT_WORDS] = script_words().encode()
    stale = [path for path, content in files.items() if not path.exists() or path.read_bytes() != content]
    for path in stale:
        print(f"{path.relative_to(PACKAGE)} {'is out of date' if check else 'was updated'}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path])
    missing = [
        (language, sentence) for language in LANGUAGES for sentence in used if not translated[language].get(sentence)
    ]
    for language, sentence in missing:
        print(f"{language}: {sentence!r} is not translated")
    return 1 if missing or (check and stale) else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

"""Update the translation catalogues with the text of the pages, scripts and Python modules.

`python -m scripts.words` adds new messages to `locale/<language>/LC_MESSAGES/ludotheque.po` (untranslated), removes
unused ones, writes the list of messages that the scripts use, and prints what still needs a translation; with `--check`
it changes nothing. Babel extracts the messages: `phrase("...")` and `plural(count, "...", "...")` in Python, `_("...")`
in templates and scripts, `ngettext("...", "...", count)` in templates; scripts say "Spectators: {count}" where others
need a plural. A sentence is the tuple of its English text, or of its singular and its plural; a translation is
the tuple of the forms that the language has for it.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from ludotheque.bots.tuning import tuning
from ludotheque.core.phrases import SEAT
from ludotheque.core.registry import game_class, game_names
from ludotheque.study.lessons import lessons
from ludotheque.web import LANGUAGES, WEB, catalogue_path

Sentence = tuple[str, ...]
Kind = tuple[str, Path, str, Mapping[str, tuple[int, ...] | None]]
PACKAGE = Path(__file__).parents[1] / "src" / "ludotheque"
SCRIPT_WORDS = WEB / "script_words.json"
TRANSLATED = LANGUAGES[1:]
KINDS: tuple[Kind, ...] = (
    ("python", PACKAGE, "**/*.py", {"phrase": None, "plural": (2, 3)}),
    ("jinja2", WEB / "templates", "*.html", {"_": None, "ngettext": (1, 2)}),
    ("javascript", WEB / "static", "**/*.js", {"_": None}),
)
BEFORE_MARK = re.compile(r" (?=[:;!?»%$])|(?<=«) ")

NOISY_HEADERS = (b'"Project-', b'"Report-', b'"POT-', b'"PO-', b'"Last-', b'"Language-Team', b'"Generated-')


def sentences(
    method: str, folder: Path, pattern: str, keywords: Mapping[str, tuple[int, ...] | None]
) -> Iterator[tuple[Sentence, str]]:
    """Yield the English sentences below a folder, with the file of each."""
    for path in sorted(folder.glob(pattern)):
        for _, found, _, _ in extract_from_file(method, path, keywords=keywords):
            sentence = _tuple(found)
            if all(sentence) and sentence != ("...",):
                yield sentence, path.relative_to(PACKAGE).as_posix()


def _tuple(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return Babel's text of a message or its translation, as a tuple even if there is one form."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def facts() -> Iterator[tuple[str, str]]:
    """Yield what games declare: titles, options, the text in their data files, lessons, and styles of bots."""
    for name in game_names():
        kind = game_class(name)
        if not kind.__module__.startswith("ludotheque."):
            continue  # other packages have their own catalogues
        yield kind.title, name
        yield kind.sentence, name
        for variant in kind.variants:
            yield from ((words, name) for words in (variant.title, variant.sentence))
        for option in kind.options:
            yield from ((words, name) for words in (option.help, *option.meanings))
        for lesson in lessons(kind):
            yield from ((text, f"lessons of {name}") for text in lesson.texts())
        for style in tuning(kind).styles:
            yield from ((words, f"bots of {name}") for words in (style.name, style.about))
        for words in kind.words_in_data():
            yield words, name


@cache
def wanted() -> dict[Sentence, set[str]]:
    """Return all sentences, and where each is used."""
    places: dict[Sentence, set[str]] = {}
    for kind in KINDS:
        for sentence, place in sentences(*kind):
            places.setdefault(sentence, set()).add(place)
    for text, place in (*facts(), (SEAT, "core")):
        places.setdefault((text,), set()).add(place)
    return places


@cache
def translations(language: str) -> dict[Sentence, tuple[str, ...]]:
    """Return the translations of a language by the English sentence; forms that are missing are empty."""
    path = catalogue_path(language)
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {_tuple(entry.id): _tuple(entry.string) for entry in read_po(file, locale=language) if entry.id}


def catalogue(
    language: str, used: Mapping[Sentence, set[str]], translated: Mapping[Sentence, tuple[str, ...]]
) -> bytes:
    """Return the catalogue of a language: every sentence, where it is used, and its translation if there is one."""
    entries = Catalog(locale=language, header_comment=f"# Ludotheque in {language}.", fuzzy=False)
    for sentence, places in sorted(used.items()):
        forms = translated.get(sentence, ("",) * (entries.num_plurals if len(sentence) > 1 else 1))
        forms = tuple(map(keep_marks, forms)) if language == "fr" else forms
        id, string = (sentence, forms) if len(sentence) > 1 else (sentence[0], forms[0])
        entries.add(id, string, locations=[(place, 0) for place in sorted(places)])
        # Babel marks a sentence with % as a C format; ours have {placeholders}.
        entries[id].flags.clear()
    text = io.BytesIO()
    write_po(text, entries, width=120, sort_output=True, include_lineno=False)
    # Times, versions and template headers would only add noise to diffs.
    return b"".join(line for line in text.getvalue().splitlines(True) if not line.startswith(NOISY_HEADERS))


def keep_marks(sentence: str) -> str:
    """Keep French marks, which stand apart from their words, on the same line: "Continuez !", "40 %"."""
    return BEFORE_MARK.sub("\u00a0", sentence)


def script_words() -> str:
    """Return the list of the scripts' messages, for the pages to translate."""
    used = sorted({text for (text,), _ in sentences(*KINDS[2])})
    return json.dumps(used, ensure_ascii=False, indent=1) + "\n"


def main(check: bool) -> int:
    used, translated = wanted(), {language: translations(language) for language in TRANSLATED}
    files = {catalogue_path(language): catalogue(language, used, translated[language]) for language in TRANSLATED}
    files[SCRIPT_WORDS] = script_words().encode()
    stale = [path for path, content in files.items() if not path.exists() or path.read_bytes() != content]
    for path in stale:
        print(f"{path.relative_to(PACKAGE)} {'is out of date' if check else 'was updated'}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path])
    missing = [
        (language, sentence)
        for language in TRANSLATED
        for sentence in used
        if not all(translated[language].get(sentence, ("",)))
    ]
    for language, sentence in missing:
        print(f"{language}: {sentence[0]!r} is not translated")
    return 1 if missing or (check and stale) else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

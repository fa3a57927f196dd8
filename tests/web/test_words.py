"""No sentence is missing in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import pytest
from librt.random import Random
from markdown_it import MarkdownIt
from scripts import pictures, words

from ludotheque.core.game import CHANCE, SPECTATOR, State
from ludotheque.core.phrases import Phrase
from ludotheque.core.registry import game_class, game_folder, rules_language, rules_page, rules_pictures
from ludotheque.web import WEB
from tests.ours import OURS

SAME = re.compile(r"[^A-Za-z]*(\{\w+\}[^A-Za-z]*)*")


@pytest.mark.parametrize("language", words.TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    translated = words.translations(language)
    assert [sentence for sentence in words.wanted() if not all(translated.get(sentence, ("",)))] == []


@pytest.mark.parametrize("language", words.TRANSLATED)
def test_translations_have_the_same_gaps(language: str) -> None:
    def gaps(sentence: str) -> set[str]:
        return set(re.findall(r"\{\w+\}", sentence))

    for sentence, forms in words.translations(language).items():
        assert {frozenset(gaps(form)) for form in (*sentence, *forms)} == {frozenset(gaps(sentence[0]))}, sentence


def test_no_sentence_says_a_percentage_of_wins_without_saying_of_what() -> None:
    """Newcomers know what "wins 62 of 100 games from here" counts."""
    unclear = re.compile(r"\bwins?\b[^.]*%|%[^.]*\bwin\b", re.IGNORECASE)
    found = [sentence for sentence in words.wanted() if any(unclear.search(form) for form in sentence)]
    assert found == []


def test_no_french_sentence_puts_de_before_a_name() -> None:
    before_a_name = re.compile(r"\b(de|que) \{(name|names|seat|seats|player)\}")
    written = [form for forms in words.translations("fr").values() for form in forms]
    assert [text for text in written if before_a_name.search(text)] == [], "d'Ann, not de Ann"


def test_a_french_mark_stays_on_the_line_of_its_word() -> None:
    assert words.keep_marks("« Oui » : 40 % ou 2 $ ?") == "«\u00a0Oui\u00a0»\u00a0: 40\u00a0% ou 2\u00a0$\u00a0?"
    written = [form for forms in words.translations("fr").values() for form in forms]
    assert [text for text in written if text != words.keep_marks(text)] == []


def test_a_colour_is_never_an_adjective_that_would_need_an_ending() -> None:
    written = [
        form for language in words.TRANSLATED for forms in words.translations(language).values() for form in forms
    ]
    assert "aire ({colour}) de {count}" in written
    assert [text for text in written if re.search(r"\w \{colour\}|\{colour\} \w", text)] == []


def test_the_catalogues_and_the_words_of_scripts_are_up_to_date() -> None:
    assert words.main(check=True) == 0


def test_no_sentence_of_a_script_is_overlooked() -> None:
    """Babel reads most scripts well, but not what stands inside a template literal."""
    listed = words.SCRIPT_WORDS.read_text(encoding="utf-8").splitlines()
    for path in sorted((WEB / "static").rglob("*.js")):
        written = re.findall(r'(?<!\w)_\(\s*("(?:[^"\\]|\\.)+")', path.read_text(encoding="utf-8"))
        known = {'"..."', *(line.strip(" ,") for line in listed)}
        assert [text for text in written if text not in known] == [], path.name


def test_no_sentence_of_a_script_needs_a_plural() -> None:
    """Scripts know no plural rules: a number stands after a colon, or in brackets."""
    used = [text for (text,), _ in words.sentences(*words.KINDS[2])]
    assert "Spectators: {count}" in used
    assert [text for text in used if "{count}" in text and ": {count}" not in text] == []


def phrases(value: object) -> Iterator[Phrase]:
    """All phrases inside a value, those inside phrases too."""
    if isinstance(value, Phrase):
        yield value
        yield from phrases(list(value.values.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from phrases(part)
    elif hasattr(value, "__struct_fields__"):
        yield from phrases([getattr(value, name) for name in value.__struct_fields__])


def said(state: State, action: int, after: State) -> Iterator[Phrase]:
    """What a move makes the game say."""
    game = state.game
    for viewer in (0, SPECTATOR):
        yield from phrases(list(game.describe(state, action, after, viewer)))
    yield from phrases(list(game.earnings(state, action, after)))
    if state.current_player() != CHANCE:
        yield from phrases(list(game.steps(state, action)))


@pytest.mark.parametrize("name", OURS)
def test_nothing_is_said_in_a_game_that_no_catalogue_has(name: str) -> None:
    """Also what is put together while a game runs, such as the names of colours and cards."""
    rng = Random(3)
    game = game_class(name)()
    state = game.new_initial_state()
    heard: set[str] = set()
    for ply in count():
        if state.is_terminal():
            break
        action = int(state.sample(rng))
        after = state.clone()
        after.apply(action)
        heard |= {phrase.text for phrase in said(state, action, after)}
        if ply % 8 == 0 or after.is_terminal():
            heard |= {phrase.text for phrase in phrases(game.scene(game.observe(after, ply % game.players)))}
        state = after
    for language in words.TRANSLATED:
        known = {sentence[0] for sentence in words.translations(language)}
        assert {text for text in heard if text not in known and not SAME.fullmatch(text)} == set()


def test_scripts_and_templates_keep_to_the_page_policy() -> None:
    for path in (WEB / "templates").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'\sstyle="|\son\w+="|<style', text), path.name


# The pages of rules.


def shape(page: str) -> list[object]:
    """What a page of rules is built of: headings, tables, lists, pictures, code; not its words."""
    built: list[object] = []
    for token in MarkdownIt("commonmark").enable("table").parse(page):
        if token.type == "fence":
            built.append(token.content)
        elif token.type == "inline":
            built += [part.attrs["src"] for part in token.children or [] if part.type == "image"]
            built += re.findall(r"`(test_\w+)`", token.content)
        elif token.nesting == 1:
            built.append((token.type, token.tag))
    return built


@pytest.mark.parametrize("language", words.TRANSLATED)
@pytest.mark.parametrize("name", OURS)
def test_the_rules_are_there_in_every_language_and_whole(name: str, language: str) -> None:
    kind = game_class(name)
    assert rules_language(kind, language) == language
    assert shape(rules_page(kind, language)) == shape(rules_page(kind))


@pytest.mark.parametrize("name", OURS)
def test_the_rules_show_pictures_and_each_picture_is_shown(name: str) -> None:
    kind = game_class(name)
    shown = {
        (game_folder(kind) / str(part)).resolve() for part in shape(rules_page(kind)) if str(part).endswith(".svg")
    }
    assert shown
    assert shown == {pictures.path_of(name, picture) for picture in rules_pictures(kind)}


def test_the_pictures_of_the_rules_are_up_to_date() -> None:
    for path, picture in pictures.drawn().items():
        assert path.read_text(encoding="utf-8") == picture, "run python -m scripts.pictures"

"""What the logs of all games have in common."""

from __future__ import annotations

import pytest

from ludotheque import load_game
from ludotheque.core.phrases import Detailed
from ludotheque.show.language import Reader
from ludotheque.show.scenes import render_lines, renderer
from tests.ours import OURS
from tests.table.matches import random_match

LANGUAGES = ("en", "fr", "nl")
TITLES = [*((name, {}) for name in OURS), ("cable-car", {"companies": True})]


@pytest.mark.parametrize(("name", "options"), TITLES)
def test_every_line_begins_as_a_sentence_does(name: str, options: dict[str, bool]) -> None:
    """In the log, and in the news, which leave out some lines."""
    match = random_match(load_game(name, **options), 5)
    lines = match.view(0).log
    for language in LANGUAGES:
        rendered = render_lines(lines, renderer(name, Reader(language), match.names))
        texts = {text for line in rendered for text in (line.text, line.short) if text}
        assert [text for text in texts if text[0].islower()] == []


def test_news_of_the_last_move_leave_the_final_count_to_its_cards() -> None:
    """Eight companies and all their owners were cut in the middle of a word."""
    match = random_match(load_game("cable-car", 3, companies=True), 5)
    last = [line.phrase for line in match.view(0).log if line.ply == match.ply]
    told = [str(line.short if isinstance(line, Detailed) else line) for line in last]
    assert len(" ".join(filter(None, told))) < 120, told

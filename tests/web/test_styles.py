"""The style sheets: one home for colours and sizes, and enough contrast in both moods."""

from __future__ import annotations

import re
from colorsys import rgb_to_hsv
from pathlib import Path
from typing import NamedTuple

import pytest

import ludotheque.games
from ludotheque.show.static import STATIC

STYLES = STATIC / "styles"
GAMES = Path(ludotheque.games.__file__).parent
HOMES = {"tokens.css", "typefaces.css", "chart.css"}
"""The sheets that name colours: `chart.css` has the seats' colours as they read as thin lines."""
SHEETS = sorted(path.name for path in STYLES.iterdir())
TOKEN = re.compile(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);")


class Moods(NamedTuple):
    """A colour by day and by night."""

    light: str
    dark: str


def tokens() -> dict[str, Moods]:
    source = (STYLES / "tokens.css").read_text(encoding="utf-8")
    return {name: Moods(light, dark) for name, light, dark in TOKEN.findall(source)}


def luminance(colour: str) -> float:
    """The relative luminance of WCAG."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("mood", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "grounds"),
    [
        ("ink", "ground sheen card soft warm-soft"),
        ("dim", "ground sheen card soft"),
        ("accent", "ground sheen card soft"),
        ("on-accent", "accent accent-deep"),
        ("warm", "ground sheen card warm-soft"),
        ("ground", "warm"),
        ("on-contrast", "contrast"),
        ("refused", "ground card"),
    ],
)
def test_text_is_readable_in_both_moods(mood: str, text: str, grounds: str) -> None:
    known = tokens()
    for ground in grounds.split():
        seen = contrast(getattr(known[text], mood), getattr(known[ground], mood))
        assert seen >= 4.5, f"{text} on {ground}: {seen:.2f}"


@pytest.mark.parametrize("mood", ["light", "dark"])
@pytest.mark.parametrize("mark", ["mark", "picked", "shown", "refused"])
def test_marks_stand_out_from_cards(mood: str, mark: str) -> None:
    known = tokens()
    assert contrast(getattr(known[mark], mood), getattr(known["card"], mood)) >= 3


@pytest.mark.parametrize("mood", ["light", "dark"])
@pytest.mark.parametrize("mark", ["picked", "mark"])
def test_what_a_lesson_points_at_has_another_hue_than_what_the_reader_picks(mood: str, mark: str) -> None:
    known = tokens()
    apart = abs(hue(getattr(known["shown"], mood)) - hue(getattr(known[mark], mood)))
    assert min(apart, 360 - apart) >= 60


def hue(colour: str) -> float:
    """In degrees around the circle of colours."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 360 * rgb_to_hsv(red, green, blue)[0]


@pytest.mark.parametrize("sheet", [name for name in SHEETS if name not in HOMES])
def test_only_tokens_name_colours_sizes_of_text_and_corners(sheet: str) -> None:
    source = (STYLES / sheet).read_text(encoding="utf-8")
    assert re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(|font-size: [\d.]+rem|border-radius: [1-9]\d*px", source) == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_token_in_use_is_defined(sheet: str) -> None:
    defined = {name for path in STYLES.iterdir() for name in re.findall(r"(--[\w-]+):", path.read_text("utf-8"))}
    used = re.findall(r"var\((--[\w-]+)\)", (STYLES / sheet).read_text(encoding="utf-8"))
    assert {*used} - defined - BY_SCRIPTS == set()


BY_SCRIPTS = {"--seat", "--tray-ratio", "--tray-width"}
"""Properties that scripts set on elements."""


@pytest.mark.parametrize("art", sorted(GAMES.glob("*/art.svg")), ids=lambda art: art.parent.name)
def test_art_does_not_look_into_a_board_with_has(art: Path) -> None:
    """It would look at the styles of all pieces again whenever one of them changes, which took 2 to 3 ms each time; the
    board says in `data-tray` what kinds of pieces the tray has."""
    assert ":has(" not in art.read_text(encoding="utf-8")


def test_the_edge_of_a_tilted_board_takes_no_class_from_pieces() -> None:
    """The rims of what is held in Pays noir are `edge` too, and were hidden with it."""
    rules = re.findall(r"^.*\.edge\b.*$", (STYLES / "board.css").read_text(encoding="utf-8"), re.MULTILINE)
    assert rules
    assert all(rule.endswith(".ground-drawing > .edge {") for rule in rules)


def test_a_card_about_an_event_changes_nothing_around_it() -> None:
    """A short card shared a class with the table in brief, so that the board changed its size while it was shown."""
    script = (STATIC / "table/time/event_card.js").read_text(encoding="utf-8")
    given = set(" ".join(re.findall(r'(?:class: |toggle\()"([\w -]+)"', script)).split())
    assert {"event-card", "brief"} <= given
    asked = {name for path in STYLES.glob("*.css") for name in re.findall(r":has\(\.([\w-]+)", path.read_text("utf-8"))}
    assert not given & asked

"""The page scripts and styles: their types, what they import, and where breakpoints are."""

from __future__ import annotations

import re

import pytest
from scripts import icons, sounds, wire_types

from ludotheque.core.registry import game_class
from ludotheque.show.scripts import STATIC, deferred, imported, imports, resolve, served, without_comments
from tests.ours import OURS

SCRIPTS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
STYLES = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.css"))
PAGES = {
    "apply_theme.js", "club.js", "clubs.js", "lesson.js", "lobby.js", "no_connection.js", "operator.js", "pair.js",
    "person.js", "preferences.js", "profile.js", "puzzle.js", "puzzles.js", "recover.js", "reminders.js", "replay.js",
    "rules.js", "rush.js", "service_worker.js", "table.js", "tournament.js", "tournaments.js", "unplayable.js",
}  # fmt: skip
"""The scripts that pages load, and the service worker; all others are imported."""
SCREENS = {
    "(max-width: 599px)",  # phones
    "(max-width: 559px) and (max-height: 700px)",  # small phones
    "(max-width: 899px), (max-height: 520px)",  # phones and tablets
    "(min-width: 560px) and (max-height: 520px)",  # phones held sideways
    "(min-width: 900px) and (min-height: 521px)",  # desktops
}
"""The kinds of screens that style sheets ask for."""


BELOW = {
    "lib": {"lib"},
    "board": {"board", "lib"},
    "play": {"play", "board", "lib"},
    "study": {"study", "play", "board", "lib"},
    "lobby": {"lobby", "table/dice", "lib"},
}
"""By folder: those that it may import from."""


def test_the_wire_types_are_up_to_date() -> None:
    assert wire_types.main(check=True) == 0


@pytest.mark.parametrize("path", SCRIPTS)
def test_every_script_is_type_checked(path: str) -> None:
    assert (STATIC / path).read_text(encoding="utf-8").startswith("// @ts-check\n")


def test_comments_are_not_served() -> None:
    source = b"// why\nlet one = 1; // 1\n  /**\n   * Two * 2.\n   */\nlet two = /** @type {2} */ (2);\n/* three */\n"
    assert without_comments(source) == b"\nlet one = 1; // 1\n\n\n\nlet two = /** @type {2} */ (2);\n\n"


@pytest.mark.parametrize("path", SCRIPTS)
def test_no_template_could_hold_what_looks_like_a_comment(path: str) -> None:
    lines = served(STATIC / path).decode().splitlines()
    assert [line for line in lines if line.count("`") % 2] == []


def test_every_script_is_loaded_by_a_page_or_imported() -> None:
    needed = {name for page in PAGES for name in imported(page)}
    later = {name for path in SCRIPTS for name in deferred(path)}
    assert needed | later | PAGES | {name for path in later for name in imported(path)} == set(SCRIPTS)


@pytest.mark.parametrize("path", SCRIPTS)
def test_every_module_that_is_loaded_later_is_found(path: str) -> None:
    source = (STATIC / path).read_text(encoding="utf-8")
    assert len(deferred(path)) == len(re.findall(r'import\("[^"]+"\)(?!\.)', source))
    assert all((STATIC / name).is_file() for name in deferred(path))


@pytest.mark.parametrize("path", SCRIPTS)
def test_every_import_is_found(path: str) -> None:
    source = (STATIC / path).read_text(encoding="utf-8")
    written = re.findall(r'^(?:import|\}).*"(\.[^"]+)";$', source, re.MULTILINE)
    assert [resolve(path, address) for address in written] == [*imports(path)]
    assert all((STATIC / name).is_file() for name in imports(path))


@pytest.mark.parametrize("folder", BELOW)
def test_a_folder_imports_only_from_those_below_it(folder: str) -> None:
    inside = [path for path in SCRIPTS if path.startswith(f"{folder}/")]
    assert inside
    for path in inside:
        assert {name.rpartition("/")[0] for name in (*imports(path), *deferred(path))} <= BELOW[folder], path


@pytest.mark.parametrize("path", STYLES)
def test_style_sheets_know_the_same_kinds_of_screens(path: str) -> None:
    asked = re.findall(r"@media (\(.*-(?:width|height):.*) \{", (STATIC / path).read_text(encoding="utf-8"))
    assert {*asked} <= SCREENS


@pytest.mark.parametrize("path", SCRIPTS)
def test_no_script_knows_the_widths_of_screens(path: str) -> None:
    assert "-width:" not in (STATIC / path).read_text(encoding="utf-8")


def test_the_icons_are_as_the_script_draws_them() -> None:
    for path, drawn in icons.svgs().items():
        assert path.read_text(encoding="utf-8") == drawn
    for name, side in icons.PNGS.items():
        assert (STATIC / name).read_bytes()[16:24] == side.to_bytes(4, "big") * 2, name


def test_the_sounds_are_as_the_script_makes_them_and_small() -> None:
    made = sounds.files()
    assert {*made} == {*(STATIC / "sounds").iterdir()}
    for path, content in made.items():
        assert path.read_bytes() == content
        assert len(content) <= 6_000, path.name


@pytest.mark.parametrize("game", OURS)
def test_the_pieces_of_a_game_make_sounds_that_there_are(game: str) -> None:
    assert {*game_class(game).sounds().values()} <= {path.stem for path in sounds.files()}

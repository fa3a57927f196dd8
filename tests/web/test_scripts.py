"""The page scripts and styles: their types, what they import, and where breakpoints are."""

from __future__ import annotations

import gzip
import re

import pytest
from scripts import icons, sounds, wire_types

from ludotheque.core.registry import game_class
from ludotheque.show.static import (
    AFTER_CODE,
    STATIC,
    bundle,
    imported,
    imports,
    resolve,
    static_file,
    style_sheet,
    without_comments,
)
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
    "(max-width: 559px) and (max-height: 700px), (min-width: 560px) and (max-height: 520px)",  # they, or held sideways
    "(max-width: 899px), (max-height: 520px)",  # phones and tablets
    "(max-width: 899px) and (min-height: 521px)",  # phones and tablets held upright
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


def read(path: str) -> str:
    return (STATIC / path).read_text(encoding="utf-8")


def test_the_wire_types_are_up_to_date() -> None:
    assert wire_types.main(check=True) == 0


def test_every_script_is_type_checked() -> None:
    assert [path for path in SCRIPTS if not read(path).startswith("// @ts-check\n")] == []


def test_comments_and_indents_are_not_served() -> None:
    source = (
        "// why\nlet one = 1; // 1\n\n  /**\n   * Two * 2.\n   */\n  let two = /** @type {2} */ (2);\n/* three */\n"
    )
    assert without_comments(source) == "let one = 1;\nlet two = /** @type {2} */ (2);\n"
    assert without_comments("a {\n  top: 0; /* why */\n}\n") == "a {\ntop: 0;\n}\n"


def test_no_string_holds_what_looks_like_a_comment() -> None:
    for path in SCRIPTS:
        for line in read(path).splitlines():
            code, *comment = AFTER_CODE.split(line)
            assert not comment or not any(code.count(quote) % 2 for quote in "\"'`"), (path, line)


def test_no_template_could_hold_what_looks_like_a_comment_or_indentation() -> None:
    for path in SCRIPTS:
        lines = without_comments(read(path)).splitlines()
        assert [line for line in lines if line.count("`") % 2] == [], path


def test_every_script_is_loaded_by_a_page_or_imported() -> None:
    assert {name for page in PAGES for name in imported(page)} | PAGES == set(SCRIPTS)


def test_every_script_is_written_so_that_it_can_be_put_into_one_file_with_others() -> None:
    for path in SCRIPTS:
        source = read(path)
        others = re.findall(r"^export (?!async function \w|class \w|const \w+ =|function \w).*", source, re.MULTILINE)
        assert others == [], path
        code = re.sub(r"/\*.*?\*/", "", without_comments(source))
        assert re.findall(r"import\(.*|import\.meta.*|\$\w+ =|</script|<!--", code) == [], path


def test_scripts_in_one_file_are_each_there_once_after_those_that_they_import() -> None:
    text = bundle("table.js")
    defined = re.findall(r"^const (\$\w+) = \(\(\) => \{$", text, re.MULTILINE)
    assert len(defined) == len(set(defined)) == len(imported("table.js")) > 80
    for name in defined:
        first = re.search(rf"\}} = \{name};", text)
        assert first is None or text.index(f"const {name} = ") < first.start(), name
    assert not re.search(r"^(?:import|export) ", text, re.MULTILINE)


def test_a_script_takes_what_it_imports_by_its_name() -> None:
    text = bundle("preferences.js")
    assert "const $lib_dom = (() => {" in text
    assert "return { make, button, part," in text
    assert "const { part } = $lib_dom;" in text
    assert "const { setTheme, theme } = $lib_theme;" in text


def test_a_style_sheet_holds_those_that_it_imports() -> None:
    whole = style_sheet("styles/every_page.css")
    assert "@import" not in whole
    parts = [style_sheet(f"styles/{name}.css") for name in ("typefaces", "tokens", "base", "top")]
    assert whole == "".join(f"{part}\n" for part in parts)


def test_static_files_are_compressed_where_that_makes_them_smaller() -> None:
    script, font = static_file("table.js"), static_file("fonts/besley.woff2")
    assert script.compressed
    assert gzip.decompress(script.compressed) == script.content
    assert len(script.compressed) * 2 < len(script.content)
    assert font.compressed is None


def test_every_import_is_found() -> None:
    for path in SCRIPTS:
        written = re.findall(r'^(?:import|\} from).*"(\.[^"]+)";$', read(path), re.MULTILINE)
        assert [resolve(path, address) for address in written] == [*imports(path)], path
        assert all((STATIC / name).is_file() for name in imports(path)), path


@pytest.mark.parametrize("folder", BELOW)
def test_a_folder_imports_only_from_those_below_it(folder: str) -> None:
    inside = [path for path in SCRIPTS if path.startswith(f"{folder}/")]
    assert inside
    for path in inside:
        assert {name.rpartition("/")[0] for name in imports(path)} <= BELOW[folder], path


def test_style_sheets_know_the_same_kinds_of_screens() -> None:
    for path in STYLES:
        assert {*re.findall(r"@media (\(.*-(?:width|height):.*) \{", read(path))} <= SCREENS, path


def test_no_script_knows_the_widths_of_screens() -> None:
    assert [path for path in SCRIPTS if "-width:" in read(path)] == []


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

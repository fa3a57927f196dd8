"""Cut the typefaces of the pages from their npm packages: `python -m scripts.typefaces`.

Besley, a Clarendon, sets titles and numbers in one weight; Public Sans sets everything that is read, from regular to
bold. Both keep the letters of western European languages and figures of equal width; other signs are the system's.
It writes the files, the style sheet that declares them, and their licences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fontTools.misc.transform import Transform
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from ludotheque.show.static import version_of

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ROOT / "node_modules" / "@fontsource-variable"
FONTS: Final = ROOT / "src" / "ludotheque" / "web" / "static" / "fonts"
STYLES: Final = FONTS.parent / "styles" / "typefaces.css"
NOTICE: Final = ROOT / "NOTICE"
FOREIGN: Final = ROOT / "docs" / "assets"
_HEAD: Final = """\
Ludotheque is under the MIT licence (LICENSE). Its art, covers, icons, sounds and words were made for it. These files
were made by others, under licences of their own; those of all but the last are below:

- src/ludotheque/web/static/fonts/besley.woff2: a part of the typeface Besley, SIL Open Font License 1.1
- src/ludotheque/web/static/fonts/public-sans.woff2: a part of the typeface Public Sans, SIL Open Font License 1.1
- docs/assets/iframe-worker.js: iframe-worker 1.0.4, MIT licence; only on the documentation site
- tests/browser/axe/axe.min.js: axe-core, Mozilla Public License 2.0 (tests/browser/axe/LICENSE); only for tests"""
BOLD: Final = 700
PUNCTUATION: Final = (0x2013, 0x2014, *range(0x2018, 0x201F), 0x2022, 0x2026, 0x2039, 0x203A, 0x20AC, 0x2212)
"""Dashes, quotation marks, bullet, ellipsis, euro and minus."""
CHARACTERS: Final = (*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ŒœŸ"), *PUNCTUATION)
"""Latin-1, and the letters and signs of French and Dutch beyond it."""
FEATURES: Final = ["ccmp", "kern", "liga", "locl", "mark", "tnum"]


def source(name: str) -> TTFont:
    """The letters of western Europe of a typeface, with its axis of weight."""
    return TTFont(PACKAGES / name / "files" / f"{name}-latin-wght-normal.woff2", recalcTimestamp=False)


def display_face() -> TTFont:
    """Besley in bold."""
    font = instantiateVariableFont(source("besley"), {"wght": BOLD})
    _mend_tabular_zero(font)
    return _subset(font)


def text_face() -> TTFont:
    """Public Sans from regular to bold."""
    return _subset(instantiateVariableFont(source("public-sans"), {"wght": (400, BOLD)}))


def _mend_tabular_zero(font: TTFont) -> None:
    """Draw the zero of equal width from the bold zero: upstream, it stays regular at every weight."""
    glyphs = font.getGlyphSet()
    (width, _), (drawn, bearing) = font["hmtx"]["uniFF11"], font["hmtx"]["zero"]
    pen = TTGlyphPen(None)
    glyphs["zero"].draw(TransformPen(pen, Transform().scale(width / drawn, 1)))
    font["glyf"]["uniFF10"] = pen.glyph()
    font["hmtx"]["uniFF10"] = (width, round(bearing * width / drawn))


def _subset(font: TTFont) -> TTFont:
    options = Options(layout_features=FEATURES, hinting=False, flavor="woff2", name_IDs=[1, 2, 13, 14])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    return font


def styles() -> str:
    """The style sheet that declares the typefaces.

    Until one has come, a font of the system takes its place in the same width and height, so that no line moves.
    """
    faces = (
        _face("Besley", "600 900", f'url("{_address("besley")}") format("woff2")'),
        _face("Public Sans", "400 700", f'url("{_address("public-sans")}") format("woff2")'),
        _face("Besley stand-in", "600 900", 'local("Georgia Bold"), local("Georgia")', (106.3, 117.6, 40)),
        _face("Public Sans stand-in", "400 700", 'local("Arial"), local("Liberation Sans")', (105.6, 90, 21.3)),
    )
    return "/* Written by scripts/typefaces.py. */\n" + "".join(faces)


def _face(family: str, weight: str, where: str, measures: tuple[float, float, float] | None = None) -> str:
    """One face; `measures`: width of its letters, ascent and descent, in percent of those of the font that it uses."""
    lines = [f'font-family: "{family}"', f"font-weight: {weight}", "font-display: swap", f"src: {where}"]
    if measures:
        names = ("size-adjust", "ascent-override", "descent-override", "line-gap-override")
        lines += [f"{name}: {value:g}%" for name, value in zip(names, (*measures, 0), strict=True)]
    return "@font-face {\n" + "".join(f"  {line};\n" for line in lines) + "}\n"


def _address(name: str) -> str:
    """The address of a file with its version, the same as in the page that preloads it."""
    return f"../fonts/{name}.woff2?v={version_of((FONTS / f'{name}.woff2').read_bytes())}"


def notice() -> str:
    """The files that others made, and the licences of those that are shipped."""
    faces = [f"{name}: {licence(package)}" for name, package in (("Besley", "besley"), ("Public Sans", "public-sans"))]
    worker = f"iframe-worker: {(FOREIGN / 'iframe-worker.LICENSE').read_text(encoding='utf-8').strip()}"
    return "\n\n".join((_HEAD, *faces, worker)) + "\n"


def licence(package: str) -> str:
    return (PACKAGES / package / "LICENSE").read_text(encoding="utf-8").strip()


if __name__ == "__main__":
    FONTS.mkdir(exist_ok=True)
    display_face().save(FONTS / "besley.woff2")
    text_face().save(FONTS / "public-sans.woff2")
    STYLES.write_text(styles(), encoding="utf-8")
    NOTICE.write_text(notice(), encoding="utf-8")

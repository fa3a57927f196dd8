"""Draw the icons of the site into `web/static`: `python -m scripts.icons`.

The SVG files are for tabs, with a mark while it is one's turn; the PNG files for the installed app. A maskable icon
fills its square, because systems cut it to a shape of their choice: what matters is within the inner four fifths.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright
from tests.browser.conftest import chromium

STATIC: Final = Path(__file__).parents[1] / "src" / "ludotheque" / "web" / "static"
_LINE: Final = (
    '<path d="M6 22c5 0 5-12 10-12s5 12 10 12" fill="none" stroke="#f6d27a" stroke-width="3.4" stroke-linecap="round"/>'
    '<circle cx="6" cy="22" r="2.6" fill="#fff"/><circle cx="26" cy="22" r="2.6" fill="#fff"/>'
)
_MARK: Final = '<circle cx="24.5" cy="7.5" r="7" fill="#d8341f" stroke="#fff" stroke-width="1.6"/>'
PNGS: Final = {"icons/icon-192.png": 192, "icons/icon-512.png": 512, "icons/maskable-512.png": 512}
"""The side of each, in pixels."""


def icon(mark: bool = False, maskable: bool = False) -> str:
    """The icon as SVG."""
    corner = 0 if maskable else 7
    line = f'<g transform="translate(3.2 3.2) scale(0.8)">{_LINE}</g>' if maskable else _LINE
    ground = f'<rect width="32" height="32" rx="{corner}" fill="#1f5f5b"/>'
    body = ground + line + (_MARK if mark else "")
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{body}</svg>\n'


def svgs() -> dict[Path, str]:
    """The icons of tabs by path."""
    return {STATIC / "icon.svg": icon(), STATIC / "icon_marked.svg": icon(mark=True)}


def draw_pngs() -> None:
    """Let a browser draw the PNG files."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, side in PNGS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{icon(maskable='mask' in name)}"
            )
            (STATIC / name).parent.mkdir(exist_ok=True)
            page.screenshot(path=STATIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    for path, drawn in svgs().items():
        path.write_text(drawn, encoding="utf-8")
    draw_pngs()

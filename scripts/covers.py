"""Draw the previews of links from the covers of games: `python -m scripts.covers`.

A preview is a JPEG file, since other sites draw no SVG: the cover with its title on a plate, as the lobby shows it. The
site has one too, with all covers beside each other.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route, sync_playwright
from tests.browser.conftest import chromium
from tests.ours import OURS

from ludotheque.core.registry import game_class, game_folder
from ludotheque.show.art import cover
from ludotheque.show.static import STATIC

SIDES: Final = (1200, 630)
"""Width and height of a preview in pixels, as sites expect them."""
QUALITY: Final = 80
SITE: Final = STATIC / "preview.jpg"
_STYLES: Final = """
body { margin: 0; width: 100vw; height: 100vh; }
.cover { width: 100%; height: 100%; }
.cover.cover > img { width: 100%; height: 100%; aspect-ratio: auto; }
.cover.cover > h2 { font-size: 72px; }
.all { position: relative; display: grid; grid-template: 1fr 1fr / repeat(6, 1fr); height: 100%; }
.all > .cover { grid-column: span 2; }
.all > .cover:nth-child(-n + 2) { grid-column: span 3; }
.all > .site { position: absolute; inset: 0; background: none; }
.all > .site.site > h2 { inset-block-end: 41%; font-size: 92px; }
"""


def titles() -> dict[tuple[str, str], str]:
    """The titles of all games and variants, by game and variant."""
    return {
        (game, variant): title
        for game in OURS
        for variant, title in [
            ("", game_class(game).title),
            *((each.name, each.title) for each in game_class(game).variants),
        ]
    }


def path_of(game: str, variant: str) -> Path:
    """The preview of a game or variant, beside its cover."""
    return game_folder(game_class(game)) / ".".join(filter(None, ("cover", variant, "jpg")))


def _image(game: str, variant: str) -> str:
    return f'<div class="cover"><img src="cover/{game}/{variant}">'


def _serve(route: Route) -> None:
    """Answer a request of the page: a cover, or a static file."""
    path = urlsplit(route.request.url).path[1:]
    if path.startswith("cover/"):
        _, game, variant = path.split("/")
        route.fulfill(body=cover(game, variant), content_type="image/svg+xml")
    else:
        route.fulfill(path=STATIC / path)


def _draw(page: Page, body: str, path: Path) -> None:
    sheets = "".join(f'<link rel="stylesheet" href="styles/{name}.css">' for name in ("typefaces", "tokens", "base"))
    page.set_content(f'<base href="http://covers/">{sheets}<style>{_STYLES}</style>{body}', wait_until="networkidle")
    page.evaluate("document.fonts.ready")
    page.screenshot(path=path, type="jpeg", quality=QUALITY)


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": SIDES[0], "height": SIDES[1]}, color_scheme="light")
        page.route("http://covers/**", _serve)
        for (game, variant), title in titles().items():
            _draw(page, f"{_image(game, variant)}<h2>{escape(title)}</h2></div>", path_of(game, variant))
        covers = "".join(f"{_image(game, variant)}</div>" for game, variant in titles())
        _draw(page, f'<div class="all">{covers}<div class="cover site"><h2>Ludotheque</h2></div></div>', SITE)
        browser.close()


if __name__ == "__main__":
    main()

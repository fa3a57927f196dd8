"""Find the broken links of a site that has been built: in pages opened from a server and from files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

_LINKING: Final = ("href", "src", "poster", "data")


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _LINKING and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


@cache
def _read(page: Path) -> _Page:
    parsed = _Page()
    parsed.feed(page.read_text(encoding="utf-8"))
    return parsed


def broken(site: Path) -> Iterator[str]:
    """Yield each link of the site that leads nowhere, with its page and the reason."""
    _read.cache_clear()
    for page in sorted(site.rglob("*.html")):
        for link in _read(page).links:
            if reason := _reason(page, link):
                yield f"{page.relative_to(site)}: {link} {reason}"


def _reason(page: Path, link: str) -> str:
    """Return why a link is broken; empty if it is not, or leads out of the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    if parts.path.startswith("/"):
        return "starts at the root of the server: it fails in a folder, and from files"
    target = page if not parts.path else page.parent / unquote(parts.path)
    if target.is_dir():
        return "is a folder: browsers show no page for it from files"
    if not target.is_file():
        return "leads to no file"
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in _read(target).anchors:
        return "leads to no such place on the page"
    return ""

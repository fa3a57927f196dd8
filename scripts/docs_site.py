"""Arrange the pages for the documentation site: `python -m scripts.docs_site arrange` fills `build/docs` for Zensical,
`python -m scripts.docs_site finish` makes sure that the built site needs no network and has no broken link.

The pages link to each other and to files of the repository as a reader of the repository needs it. Here they are put
side by side, with the rules of the games and the first page, and their links are changed to match. A link that leads
nowhere is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

from ludotheque.core.game import SPECTATOR
from ludotheque.core.registry import game_class, game_folder, game_names
from ludotheque.show.offline import review_file
from ludotheque.study.review import Budget, Decision, pending_decisions
from ludotheque.study.review_file import ReviewFile, terms
from ludotheque.table import Match, read_record
from scripts import command_page, routes_page, site_links

ROOT: Final = Path(__file__).parents[1]
SITE: Final = ROOT / "build" / "docs"
BUILT: Final = ROOT / "build" / "site"
_LINK: Final = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
_CODE: Final = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
_SHIM_ELSEWHERE: Final = "https://unpkg.com/iframe-worker/shim"
"""Address that the theme loads for searching in pages that are opened as files, where browsers start no worker."""
_SHIM: Final = Path("assets", "iframe-worker.js")
_MISSING: Final = "404.html"
_FIND_ROOT: Final = """<script>
{ // A server shows this page for an address of any depth: links start from the root of the site.
  const folder = /^(.*?)\\/(?:%s)\\//.exec(location.pathname);
  const base = document.createElement("base");
  base.href = folder ? `${folder[1]}/` : location.pathname.replace(/[^/]*$/, "");
  document.head.append(base);
}
</script>"""
_FROM_ELSEWHERE: Final = re.compile(
    r'<(?:script|img)[^>]* src="https?:[^"]*"|<link[^>]* rel="stylesheet"[^>]* href="https?:[^"]*"'
)
MATCHES: Final = ROOT / "docs" / "matches"
SIMULATIONS: Final = 1000
"""Simulations for each decision in the stored reviews of the matches."""
_API: Final = ("", ".search", ".arena", ".arrays", ".prompts", ".selfplay", ".table", ".errors", ".testing")


def places() -> dict[Path, Path]:
    """Return the place of each page of the repository on the site."""
    found = {ROOT / "README.md": Path("index.md"), ROOT / "docs" / "rulings": Path("rulings/index.md")}
    for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY"):
        found[ROOT / f"{name}.md"] = Path(f"{name.lower()}.md")
    for page in (ROOT / "docs").rglob("*"):
        if page.is_file() and page.parent != MATCHES:
            found[page] = page.relative_to(ROOT / "docs")
    for record in MATCHES.glob("*.json"):
        found[record] = Path("matches") / f"{record.stem}.html"
    for name in game_names():
        folder = game_folder(game_class(name))
        found[folder / "RULES.md"] = Path("rules") / f"{name}.md"
    return found


def arrange() -> None:
    """Write all pages, and the files they link to, into an empty folder."""
    shutil.rmtree(SITE, ignore_errors=True)
    known = places()
    for source, place in [*known.items()]:
        if source.suffix == ".md":
            _write(place, _with_links(source, place, known))
        elif source.parent == MATCHES:
            _write(place, _match_page(source))
        elif source.is_file():
            _copy(source, place)
    _write(Path("rulings/index.md"), _list_of_rulings())
    _write(Path("api.md"), _api_page())
    _write(Path("routes.md"), routes_page.page())
    _append(Path("command-line.md"), command_page.reference())


def _with_links(page: Path, place: Path, known: dict[Path, Path]) -> str:
    """The text of a page with its links changed; code stays as it is."""
    parts = _CODE.split(page.read_text(encoding="utf-8"))
    for number in range(0, len(parts), 2):
        parts[number] = _LINK.sub(lambda link: _changed(link, page, place, known), parts[number])
    return "".join(parts)


def _changed(link: re.Match[str], page: Path, place: Path, known: dict[Path, Path]) -> str:
    if "://" in link[2]:
        return link[0]
    target = (page.parent / link[2]).resolve()
    if not target.exists():
        raise SystemExit(f"{page.relative_to(ROOT)} links to {link[2]}, which does not exist.")
    if target not in known:
        known[target] = _copied(target)
    return f"{link[1]}{os.path.relpath(known[target], place.parent)}{link[3]}"


def _copied(target: Path) -> Path:
    """Put a file of the repository on the site, as a file to read."""
    # The site leaves out folders whose names begin with a dot.
    place = Path("files", *(part.removeprefix(".") for part in target.relative_to(ROOT).parts))
    if target.is_dir():
        raise SystemExit(f"A page links to the folder {target.relative_to(ROOT)}; link to a file.")
    _copy(target, place)
    return place


def _copy(source: Path, place: Path) -> None:
    (SITE / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, SITE / place)


def _write(place: Path, text: str) -> None:
    (SITE / place).parent.mkdir(parents=True, exist_ok=True)
    (SITE / place).write_text(text, encoding="utf-8")


def _append(place: Path, text: str) -> None:
    with (SITE / place).open("a", encoding="utf-8") as page:
        page.write(f"\n{text}")


def _match_page(record: Path) -> str:
    """The page that replays a match of the documentation, with its stored review."""
    match, decisions = reviewed_match(record)
    return review_file(match, decisions, SPECTATOR, "en")


def reviewed_match(record: Path) -> tuple[Match, list[Decision]]:
    """A match of the documentation with its stored review, which has to be whole and of this match."""
    match, budget = read_record(record).to_match(), Budget(SIMULATIONS)
    decisions = ReviewFile(record.with_suffix(".review.jsonl"), terms(match, budget)).decisions()
    if len(decisions) != len(pending_decisions(match, budget, SPECTATOR)):
        raise SystemExit(f"The stored review of {record.name} is not whole.")
    return match, decisions


def _list_of_rulings() -> str:
    pages = sorted(page.stem for page in (ROOT / "docs" / "rulings").glob("*.md"))
    return "# Rulings and their tests\n\n" + "".join(f"- [{name}]({name}.md)\n" for name in pages)


def _api_page() -> str:
    """The reference, which mkdocstrings fills from the sources."""
    return "# API reference\n\n" + "\n".join(f"::: ludotheque{name}\n" for name in _API)


def finish() -> None:
    """Bring what the theme would load from elsewhere; anything left, and any broken link, is an error."""
    for page in BUILT.rglob("*.html"):
        shim = os.path.relpath(BUILT / _SHIM, page.parent)
        text = page.read_text(encoding="utf-8").replace(_SHIM_ELSEWHERE, shim)
        if page == BUILT / _MISSING:
            text = at_any_depth(text, {path.name for path in BUILT.iterdir() if path.is_dir()})
        if found := _FROM_ELSEWHERE.search(text):
            raise SystemExit(f"{page.relative_to(BUILT)} needs a network: {found[0]}")
        page.write_text(text, encoding="utf-8")
    if broken := [*site_links.broken(BUILT)]:
        raise SystemExit("Broken links:\n" + "\n".join(broken))


def at_any_depth(page: str, folders: set[str]) -> str:
    """The page for addresses that do not exist, with links that start from the root of the site wherever that is."""
    page = re.sub(r'((?:href|src)=)"/', r'\1"', page)
    page = page.replace('new URL("/",location)', 'new URL("./",document.baseURI)').replace('"base":"/"', '"base":"."')
    page = page.replace('"search":"/', '"search":"./')
    return page.replace("<head>", "<head>" + _FIND_ROOT % "|".join(sorted(folders)), 1)


if __name__ == "__main__":
    {"arrange": arrange, "finish": finish}[sys.argv[1]]()

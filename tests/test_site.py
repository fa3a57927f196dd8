"""The documentation site: its links work on a server, in a folder of one, and from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts import docs_site, site_links


def site(folder: Path, **pages: str) -> Path:
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("other.html#there", ""),
        ("#here", ""),
        ("https://example.org/", ""),
        ("mailto:ann@example.org", ""),
        ("/other.html", "starts at the root"),
        ("gone.html", "leads to no file"),
        ("other.html#gone", "no such place"),
        ("images", "is a folder"),
    ],
)
def test_a_broken_link_is_named_with_its_reason(tmp_path: Path, link: str, reason: str) -> None:
    (tmp_path / "images").mkdir()
    pages = site(tmp_path, index=f'<h1 id="here"><a href="{link}">x</a></h1>', other='<p id="there">')
    found = [*site_links.broken(pages)]
    assert len(found) == bool(reason)
    assert all(line.startswith(f"index.html: {link} ") and reason in line for line in found)


def test_a_picture_that_is_missing_is_named(tmp_path: Path) -> None:
    assert [*site_links.broken(site(tmp_path, index='<img src="gone.png">'))] == [
        "index.html: gone.png leads to no file"
    ]


def test_the_page_for_missing_addresses_links_from_the_root_of_the_site_wherever_it_is() -> None:
    built = (
        '<head></head><script>new URL("/",location)</script><a href="/play.html">Play</a>'
        '{"base":"/","search":"/assets/search.js"}'
    )
    page = docs_site.at_any_depth(built, {"rules", "assets"})
    assert 'href="play.html"' in page
    assert '"/' not in page
    assert "(?:assets|rules)" in page
    assert page.index("createElement") < page.index("play.html")


def test_pages_opened_as_files_search_without_a_network() -> None:
    shim = (docs_site.ROOT / "docs" / "assets" / "iframe-worker.js").read_text(encoding="utf-8")
    assert "MIT licence" in shim.splitlines()[0]
    assert (
        docs_site.places()[docs_site.ROOT / "docs" / "assets" / "iframe-worker.js"].as_posix()
        == "assets/iframe-worker.js"
    )

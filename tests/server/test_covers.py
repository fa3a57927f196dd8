"""Covers of games, and the previews of links."""

from __future__ import annotations

import gzip
import re

import pytest
from scripts import covers

from ludotheque.core.registry import game_class
from ludotheque.show.art import cover, lobby_picture
from tests.server.harness import Browser

LIMIT = 12_000
"""Bytes of a cover on the wire."""
META = re.compile(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">')


@pytest.mark.parametrize(("game", "variant"), list(covers.titles()))
def test_every_title_has_a_small_cover_of_its_own_and_a_preview(game: str, variant: str) -> None:
    drawn = cover(game, variant)
    assert drawn != lobby_picture(game, variant)
    assert len(gzip.compress(drawn.encode())) < LIMIT
    assert "<script" not in drawn
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    assert covers.path_of(game, variant).read_bytes()[:3] == b"\xff\xd8\xff", "a JPEG file"


def test_a_game_without_a_cover_shows_its_board(ann: Browser) -> None:
    assert ann.get("/api/games/orchard/cover.svg").text == ann.get("/api/games/orchard/picture.svg").text
    assert ann.get("/api/games/orchard/cover.jpg").status_code == 404
    assert "/static/preview.jpg" in previews(ann, "/rules/orchard")["og:image"]


def test_covers_are_served(ann: Browser) -> None:
    assert ann.get("/api/games/cable-car/cover.svg", variant="companies").text == cover("cable-car", "companies")
    assert ann.get("/api/games/cable-car/cover.jpg").headers["content-type"] == "image/jpeg"
    assert ann.get("/api/games/cable-car/cover.svg", variant="../../secret").status_code == 404


def previews(browser: Browser, path: str) -> dict[str, str]:
    return dict(META.findall(browser.get(path).text))


@pytest.mark.parametrize("path", ["/", "/rules/pays-noir", "/learn/pays-noir/first-game", "/puzzles/pays-noir"])
def test_links_have_a_preview(ann: Browser, path: str) -> None:
    shown = previews(ann, path)
    assert shown["og:title"] == ("Ludotheque" if path == "/" else game_class("pays-noir").title)
    assert shown["twitter:card"] == "summary_large_image"
    site, _, address = shown["og:image"].partition("://")
    assert site == "http"
    picture = ann.get("/" + address.partition("/")[2])
    assert picture.headers["content-type"] == "image/jpeg"


def test_the_preview_of_a_table_tells_its_game_alone(ann: Browser, bob: Browser) -> None:
    table = ann.open("cable-car", "me open")
    shown = previews(bob, f"/t/{table.id}")
    assert shown == previews(bob, "/rules/cable-car")
    assert table.id not in "".join(shown.values())

"""What a browser without a cache loads before it shows the first board."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.ours import OURS
from tests.server.harness import Browser

LIMIT = 175_000
"""Bytes without typefaces; the design allows 200 kB."""
ADDRESS = re.compile(r'<(?:link rel="(?:stylesheet|modulepreload|preload|icon)"[^>]*href|script[^>]*src)="([^"]+)"')


def transferred(answer: httpx.Response) -> int:
    """The bytes of a response on the wire, headers included."""
    assert answer.status_code == 200, answer.url
    headers = sum(len(name) + len(value) + len(": \r\n") for name, value in answer.headers.raw)
    return headers + answer.num_bytes_downloaded


@pytest.fixture(scope="module")
def static_sizes() -> dict[str, int]:
    """The sizes of files that all games load, by address."""
    return {}


@pytest.mark.parametrize("game", OURS)
def test_the_first_board_is_small(ann: Browser, static_sizes: dict[str, int], game: str) -> None:
    table = ann.open(game, "me bot bot" if game == "chicago-express" else "me bot")
    page = ann.get(f"/t/{table.id}")
    addresses = [address.replace("&amp;", "&") for address in ADDRESS.findall(page.text)]
    board = [address for address in addresses if address.startswith("/api/")]
    shared = [address for address in addresses if address.startswith("/static/") and ".woff2" not in address]
    assert len(board) == 2, "backdrop and its styles"
    assert {"table.js", "styles/table_page.css"} < {name.partition("?")[0].removeprefix("/static/") for name in shared}
    assert len(shared) < 10, "one file of scripts, two of styles"
    for address in [*shared, "/static/styles/board.css"]:
        static_sizes.setdefault(address, transferred(ann.get(address)))
    with ann.socket(table.id) as socket:
        socket.hear_until("view")
        view = sum(len(text.encode()) for text in socket.traffic)
    whole = sum(transferred(answer) for answer in [page, *map(ann.get, board)])
    assert whole + view + sum(static_sizes[address] for address in shared) < LIMIT

"""docs/protocol.md names every route of the application."""

from __future__ import annotations

import re
from pathlib import Path

from litestar import HttpMethod
from litestar.routes import HTTPRoute

from ludotheque.server.app import create_app
from ludotheque.server.config import Settings

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def plain(path: str) -> str:
    """A path with its parameters without names and types: `/api/tables/{}/moves`."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def routes() -> list[tuple[str, str]]:
    """The method and path of each route."""
    app = create_app(Settings(data=Path()))
    return [
        (method, route.path)
        for route in app.routes
        if isinstance(route, HTTPRoute) and not route.path.startswith("/api/schema")
        for method in route.methods
        if method in (HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE)
    ]


def test_every_route_of_the_application_is_documented() -> None:
    """With its method under `/api`; pages, which are only fetched, by their address."""
    text = plain(PROTOCOL)
    found = routes()
    assert len(found) > 40
    missing = [
        f"{method} {path}"
        for method, path in found
        if (f"`{method} {plain(path)}" if path.startswith("/api/") else f"`{plain(path)}") not in text
        and f"`{method} {plain(path)}" not in text
    ]
    assert not missing, "\n".join(missing)

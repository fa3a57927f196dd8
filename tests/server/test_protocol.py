"""The list of routes and docs/protocol.md name every route, and every field that the socket sends."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from litestar import HttpMethod
from litestar.routes import HTTPRoute
from scripts import routes_page

from ludotheque import web
from ludotheque.server.app import create_app
from ludotheque.server.commands import FromClient, LookMessage, PingMessage, RefreshMessage
from ludotheque.server.config import Settings
from ludotheque.server.routes.table_commands import BY_MESSAGE
from tests.server.harness import Browser

WIRE = (Path(web.__file__).parent / "static" / "wire.d.ts").read_text(encoding="utf-8")
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
    text = plain(PROTOCOL + routes_page.page())
    found = routes()
    assert len(found) > 40
    missing = [
        f"{method} {path}"
        for method, path in found
        if (f"`{method} {plain(path)}" if path.startswith("/api/") else f"`{plain(path)}") not in text
        and f"`{method} {plain(path)}" not in text
    ]
    assert not missing, "\n".join(missing)


def sent_over_the_socket() -> dict[str, str]:
    """The fields of the types that messages of the socket are made of."""
    types = dict(re.findall(r"export interface (\w+) \{\n(.*?)\n\}", WIRE, re.DOTALL))
    found: dict[str, str] = {}
    waiting = re.findall(r"\w+", " ".join(re.findall(r"export type (?:FromClient|ToClient) = (.*);", WIRE)))
    while waiting:
        name = waiting.pop()
        if name in types and name not in found:
            found[name] = types[name]
            waiting += re.findall(r"\w+", types[name])
    return found


def test_every_field_of_the_socket_is_documented() -> None:
    """Those of HTTP bodies alone are in OpenAPI."""
    named = set(re.findall(r"\w+", " ".join(re.findall(r"```.*?```|`[^`]*`", PROTOCOL, re.DOTALL))))
    types = sent_over_the_socket()
    assert {"MoveMessage", "TableView", "RenderedPiece"} <= set(types)
    missing = [
        f"{name}.{field}"
        for name, fields in types.items()
        for field in re.findall(r"^  (\w+)\??:", fields, re.MULTILINE)
        if field not in named
    ]
    assert not missing, "\n".join(missing)


def test_every_message_of_a_client_is_a_command_at_its_table_or_about_its_socket() -> None:
    about_the_socket = {LookMessage, RefreshMessage, PingMessage}
    assert {*BY_MESSAGE} | about_the_socket == {*get_args(FromClient)}
    assert not about_the_socket & {*BY_MESSAGE}
    assert all(issubclass(message, command.sent) for message, command in BY_MESSAGE.items())


def test_a_seat_that_is_not_at_the_table_is_refused_over_http_and_socket(ann: Browser) -> None:
    table = ann.open("nim", "me me")
    move = {"seat": 9, "version": 1, "action": 0}
    assert ann.post(f"/api/tables/{table.id}/moves", move).json()["error"] == "no-such-seat"
    with ann.socket(table.id) as socket:
        socket.send(type="move", **move)
        assert socket.hear_until("error")["error"] == "no-such-seat"

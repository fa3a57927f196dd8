"""The routes of the API, by the OpenAPI description of the server, and its pages: a page of the documentation site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from litestar import Litestar
from litestar.routes import HTTPRoute

from ludotheque.server.app import create_app
from ludotheque.server.config import Settings

_HEAD: Final = """# Routes

For those who call the server. Rendered from OpenAPI, which the server has under `/api/schema/openapi.json`; [the
protocol](protocol.md) explains identity, errors, the view and limits. `table_id` is the name in `/t/{table_id}`, names
after `?` are queries, and the types are those of `src/ludotheque/web/static/wire.d.ts`.

| route | body | answer | |
|---|---|---|---|
"""


def page() -> str:
    """Return the text of the page."""
    app = create_app(Settings(data=Path()))
    rows = "".join(f"| {' | '.join(row)} |\n" for row in _rows(app))
    return f"{_HEAD}{rows}\n## Pages\n\n{', '.join(_pages(app))}.\n"


def _pages(app: Litestar) -> Iterator[str]:
    """The addresses that OpenAPI leaves out: pages, and the files that they need."""
    described = app.openapi_schema.to_schema()["paths"]
    for route in app.routes:
        path = re.sub(r":\w+\}", "}", route.path)
        if isinstance(route, HTTPRoute) and not path.startswith("/api/") and path not in described:
            yield f"`{path}`"


def _rows(app: Litestar) -> Iterator[tuple[str, str, str, str]]:
    for path, methods in app.openapi_schema.to_schema()["paths"].items():
        for method, operation in methods.items():
            yield _route(method, path, operation), _body(operation), _answer(operation), _purpose(operation)


def _route(method: str, path: str, operation: Mapping[str, Any]) -> str:
    queries = "&".join(field["name"] for field in operation.get("parameters", ()) if field["in"] == "query")
    return f"`{method.upper()} {path}{'?' if queries else ''}{queries}`"


def _body(operation: Mapping[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    return ", ".join(_type(kind, body.get("schema", {})) for kind, body in content.items())


def _answer(operation: Mapping[str, Any]) -> str:
    content = next(reply.get("content", {}) for status, reply in operation["responses"].items() if status < "300")
    return ", ".join(_type(kind, reply.get("schema", {})) for kind, reply in content.items())


def _type(kind: str, schema: Mapping[str, Any]) -> str:
    """The name of a type in `wire.d.ts`; the media type of what has none."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "items" in schema:
        return f"{_type(kind, schema['items'])}, a list"
    return kind


def _purpose(operation: Mapping[str, Any]) -> str:
    """The first paragraph of the handler's docstring, on one line."""
    return " ".join(operation["description"].partition("\n\n")[0].split())

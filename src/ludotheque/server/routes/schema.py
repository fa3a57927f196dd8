"""The description of the API by OpenAPI."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response, Router
from litestar.concurrency import sync_to_thread
from litestar.enums import OpenAPIMediaType
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

import ludotheque

_PATH: Final = "/api/schema"
_DOCUMENT: Final = f"{_PATH}/openapi.json"


async def _document(request: Request[Any, Any, Any]) -> Response[bytes] | None:
    """Respond with the description, which a thread makes when someone first asks: it takes most of a second, and moves
    must not wait for it."""
    if request.url.path != _DOCUMENT:
        return None
    content = await sync_to_thread(_encoded, request)
    return Response(content, media_type=OpenAPIMediaType.OPENAPI_JSON)


def _encoded(request: Request[Any, Any, Any]) -> bytes:
    """The description as JSON; made once for each application."""
    state = request.app.state
    if "openapi_json" not in state:
        state.openapi_json = JsonRenderPlugin.render_json(request, request.app.openapi_schema.to_schema())
    return bytes(state.openapi_json)


def openapi_config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Ludotheque",
        version=ludotheque.__version__,
        openapi_router=Router(_PATH, route_handlers=[], include_in_schema=False, before_request=_document),
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        use_handler_docstrings=True,
    )

"""Routes that let a phone install the site: the web manifest, the service worker and its offline page."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, get
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.http.templates import page, static
from ludotheque.server.routes.context import Context
from ludotheque.show.static import bundle

GROUND: Final = "#f3ecdd"
"""The background of the light pages, as in `tokens.css`."""


class Icon(Struct, frozen=True):
    src: str
    sizes: str
    type: str
    purpose: str = "any"


class Manifest(Struct, frozen=True, kw_only=True):
    """The description of an installed site for systems (W3C Web Application Manifest)."""

    name: str = "Ludotheque"
    short_name: str = "Ludotheque"
    description: str
    lang: str
    id: str = "/"
    start_url: str = "/"
    scope: str = "/"
    display: str = "standalone"
    background_color: str = GROUND
    theme_color: str = GROUND
    categories: tuple[str, ...] = ("games",)
    icons: tuple[Icon, ...]


@get("/manifest.webmanifest", include_in_schema=False)
async def manifest(context: Context) -> Response[bytes]:
    """The manifest in the reader's language."""
    reader = context.reader
    sentence = phrase("Modern board games against bots, with friends on one screen, or with friends elsewhere.")
    found = Manifest(description=sentence.render(reader.translate), lang=reader.language, icons=_icons())
    headers = {"Cache-Control": "no-cache"}
    return Response(msgspec.json.encode(found), media_type="application/manifest+json", headers=headers)


def _icons() -> tuple[Icon, ...]:
    return (
        Icon(static("icons/icon-192.png"), "192x192", "image/png"),
        Icon(static("icons/icon-512.png"), "512x512", "image/png"),
        Icon(static("icons/maskable-512.png"), "512x512", "image/png", "maskable"),
    )


@get("/service-worker.js", include_in_schema=False, sync_to_thread=True)
def service_worker() -> Response[bytes]:
    """The service worker, at the top so that it may serve all pages."""
    content = bundle("service_worker.js").encode()
    return Response(content, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@get("/offline", include_in_schema=False)
async def offline_page(context: Context) -> Response[str]:
    """Return the page that the service worker shows when the server cannot be reached."""
    return page("no_connection.html", context.reader)


WEB_APP: Final = (manifest, service_worker, offline_page)

"""Parameters, responses and headers that several routes share."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from ludotheque.server.errors import ErrorBody
from ludotheque.server.http.guard import PICTURE_POLICY
from ludotheque.server.routes.context import RequestContext

FOR_EVER: Final = "private, max-age=31536000, immutable"


ERRORS: Final = {
    status: ResponseSpec(ErrorBody, description=description, generate_examples=False)
    for status, description in {
        400: "Malformed, or a set-up that cannot be.",
        403: "Not for you.",
        404: "No such thing, or none that you may know of.",
        409: "Not now; look again.",
        413: "Too large.",
        415: "Not JSON.",
        422: "The rules say no.",
        429: "Too often.",
    }.items()
}


Context = NamedDependency[RequestContext]


TableId = Annotated[str, PathParameter(max_length=32)]


At = Annotated[int | None, QueryParameter(name="at", ge=0, le=2**31 - 1, description="A ply; none: now.")]


As = Annotated[int | None, QueryParameter(name="as", ge=-5, le=63, description="One of your seats, or -5 to watch.")]


def svg(text: str, caching: str) -> Response[str]:
    headers = {"Cache-Control": caching, "Content-Security-Policy": PICTURE_POLICY}
    return Response(text, media_type="image/svg+xml", headers=headers)

"""Errors as responses: a page for people, JSON for programs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import HTTPScope, Receive, Send

from ludotheque.core.errors import LudothequeError
from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused, internal_error, malformed, refusal, unavailable
from ludotheque.server.http.caller import reader_of
from ludotheque.server.http.templates import page
from ludotheque.server.storage.failures import STORAGE_ERRORS

_LOG: Final = logging.getLogger("ludotheque.server")

AnyRequest = Request[Any, Any, Any]


def _error_response(request: AnyRequest, refused: Refused) -> Response[Any]:
    """An error as a page for people, or as JSON for programs."""
    headers = {"Retry-After": str(refused.retry_after)} if refused.retry_after else {}
    path = request.url.path
    if request.method == "GET" and not path.startswith(("/api/", "/static/", "/health", "/ready", "/metrics")):
        words = {"status": refused.status, "sentence": refused.body(reader_of(request)).sentence}
        return page("error.html", reader_of(request), refused.status, **words)
    return Response(
        refused.body(reader_of(request)), status_code=refused.status, media_type="application/json", headers=headers
    )


async def send_refusal(scope: HTTPScope, receive: Receive, send: Send, refused: Refused) -> None:
    """Refuse a request before any route sees it."""
    request = AnyRequest(scope, receive, send)
    await _error_response(request, refused).to_asgi_response(None, request)(scope, receive, send)


def _refused(request: AnyRequest, error: Refused) -> Response[Any]:
    return _error_response(request, error)


def _game_error(request: AnyRequest, error: LudothequeError) -> Response[Any]:
    return _error_response(request, refusal(error))


_HTTP_ERRORS: Final = {
    404: ("not-found", phrase("Page not found.")),
    405: ("not-found", phrase("Page not found.")),
    413: ("too-large", phrase("That is too large.")),
    415: ("unsupported-type", phrase("The body must be application/json.")),
}


def _http_error(request: AnyRequest, error: HTTPException) -> Response[Any]:
    if isinstance(error, ValidationException):
        return _error_response(request, malformed(_first_error(error)))
    if error.status_code >= 500:
        return _internal_error(request, error)
    if error.status_code == 400:
        return _error_response(request, malformed(error.detail))
    name, sentence = _HTTP_ERRORS.get(error.status_code, ("malformed", phrase("That request is not possible.")))
    return _error_response(request, Refused(error.status_code, name, sentence))


def _first_error(error: ValidationException) -> str:
    """Describe the first field that is wrong."""
    extra = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    key, message = str(extra.get("key", "")), str(extra.get("message", "")) or error.detail
    return f"{key}: {message}" if key else message


def _unavailable(request: AnyRequest, error: Exception) -> Response[Any]:
    _LOG.error("the database failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _error_response(request, unavailable())


def _internal_error(request: AnyRequest, error: Exception) -> Response[Any]:
    _LOG.error("a request failed", exc_info=error, extra={"method": request.method, "path": request.url.path})
    return _error_response(request, internal_error())


EXCEPTION_HANDLERS: Final[dict[int | type[Exception], Callable[[AnyRequest, Any], Response[Any]]]] = {
    Refused: _refused,
    LudothequeError: _game_error,
    HTTPException: _http_error,
    **dict.fromkeys(STORAGE_ERRORS, _unavailable),
    Exception: _internal_error,
}

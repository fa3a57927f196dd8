"""The caller of a request: their keys, language and address."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from msgspec import Struct, structs

from ludotheque.server.http.addresses import limited_address
from ludotheque.server.keys import COOKIE, COOKIE_AGE, SECURE_COOKIE, digest, is_secret, new_secret
from ludotheque.show.language import COOKIE as LANGUAGE_COOKIE, Reader, choose_language

HTTPConnection = ASGIConnection[Any, Any, Any, Any]


class Caller(Struct, frozen=True):
    """A client, as its request identifies it."""

    browser: str
    """The secret in its cookie, if it has one."""
    bearer: str
    """The key of a link that a program sends, if any."""
    address: str
    """Its address, as `limited_address` gives it."""
    secure: bool
    token: str = ""
    """The bearer token, in any form: the key of a link, or the operator's token."""
    old_browser: str = ""
    """Over https: the secret in a cookie without the prefix, from before there was one; it opens old tables only."""

    @property
    def digests(self) -> tuple[bytes, ...]:
        return tuple(digest(secret) for secret in (self.browser, self.bearer, self.old_browser) if secret)

    def renewed(self) -> Caller:
        """The same client with a new secret."""
        return structs.replace(self, browser=new_secret())

    def cookie(self) -> Cookie:
        """The cookie that stores the browser's secret."""
        return Cookie(
            key=SECURE_COOKIE if self.secure else COOKIE,
            value=self.browser,
            max_age=COOKIE_AGE,
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )


def caller_of(connection: HTTPConnection) -> Caller:
    """The caller of a request or socket."""
    secure = connection.url.scheme in ("https", "wss")
    plain, prefixed = _secret(connection, COOKIE), _secret(connection, SECURE_COOKIE)
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    client = connection.client
    return Caller(
        browser=prefixed if secure else plain,
        bearer=bearer if scheme.lower() == "bearer" and is_secret(bearer) else "",
        address=limited_address(client.host) if client else "",
        secure=secure,
        token=bearer if scheme.lower() == "bearer" else "",
        old_browser=plain if secure else "",
    )


def _secret(connection: HTTPConnection, cookie: str) -> str:
    value = connection.cookies.get(cookie, "")
    return value if is_secret(value) else ""


def reader_of(connection: HTTPConnection) -> Reader:
    """The language of the caller."""
    asked = connection.query_params.get("lang")
    accepted = connection.headers.get("accept-language", "")
    return Reader(choose_language(asked, connection.cookies.get(LANGUAGE_COOKIE), accepted))

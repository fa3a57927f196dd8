"""The caller of a request: their keys, language and address."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from msgspec import Struct

from ludotheque.server.keys import COOKIE, COOKIE_AGE, digest, is_secret, new_secret
from ludotheque.show.language import COOKIE as LANGUAGE_COOKIE
from ludotheque.show.language import Reader, choose_language

Connection = ASGIConnection[Any, Any, Any, Any]


class Caller(Struct, frozen=True):
    """A client, as its request identifies it."""

    browser: str
    """The secret in its cookie, if it has one."""
    bearer: str
    """The key of a link that a program sends, if any."""
    address: str
    secure: bool

    @property
    def digests(self) -> tuple[bytes, ...]:
        return tuple(digest(secret) for secret in (self.browser, self.bearer) if secret)

    def known(self) -> Caller:
        """The same client, with a new secret if it has none."""
        return self if self.browser else Caller(new_secret(), self.bearer, self.address, self.secure)

    def cookie(self) -> Cookie:
        """The cookie that stores the browser's secret."""
        return Cookie(
            key=COOKIE,
            value=self.browser,
            max_age=COOKIE_AGE,
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )


def caller_of(connection: Connection) -> Caller:
    """The caller of a request or socket."""
    cookie = connection.cookies.get(COOKIE, "")
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    client = connection.client
    return Caller(
        browser=cookie if is_secret(cookie) else "",
        bearer=bearer if scheme.lower() == "bearer" and is_secret(bearer) else "",
        address=client.host if client else "",
        secure=connection.url.scheme in ("https", "wss"),
    )


def reader_of(connection: Connection) -> Reader:
    """The language of the caller."""
    asked = connection.query_params.get("lang")
    accepted = connection.headers.get("accept-language", "")
    return Reader(choose_language(asked, connection.cookies.get(LANGUAGE_COOKIE), accepted))

"""Who asks: by which keys, in which language, and from where."""

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
    """A client, as one request shows it."""

    browser: str
    """The secret in its cookie, if it has one."""
    bearer: str
    """The key of a link that a program carries, if any."""
    address: str
    secure: bool

    @property
    def digests(self) -> tuple[bytes, ...]:
        return tuple(digest(secret) for secret in (self.browser, self.bearer) if secret)

    def known(self) -> Caller:
        """The same client with a secret of its own."""
        return self if self.browser else Caller(new_secret(), self.bearer, self.address, self.secure)

    def cookie(self) -> Cookie:
        """What makes the browser remember its secret."""
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
    """Who is at the other end of a connection."""
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
    """What language they read."""
    asked = connection.query_params.get("lang")
    accepted = connection.headers.get("accept-language", "")
    return Reader(choose_language(asked, connection.cookies.get(LANGUAGE_COOKIE), accepted))

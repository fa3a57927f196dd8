"""Send e-mail by the operator's SMTP server."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from ipaddress import ip_address
from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from ludotheque.core.errors import BadOption

TIMEOUT: Final = 20.0
"""Seconds that the server may take to respond."""
_PORTS: Final = {"smtp": 587, "smtps": 465}


class SmtpServer(Struct, frozen=True):
    """An SMTP server, and who logs in there."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    is_smtps: bool = False
    """Whether TLS comes first; otherwise STARTTLS is used if the server offers it."""

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine, so that no one can listen in between."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def send(self, message: EmailMessage) -> None:
        """Hand a message over; blocks. Raises `smtplib.SMTPException` or `OSError`."""
        with self._connect() as connection:
            if self.user:
                connection.login(self.user, self.password)
            connection.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        if self.is_smtps:
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT, context=context)
        connection = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
        try:
            self._encrypt(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _encrypt(self, connection: smtplib.SMTP) -> None:
        """Switch to TLS where the server offers it; refuse to send a password over a network without it."""
        connection.ehlo()
        if self.is_local:
            return
        if connection.has_extn("starttls"):
            connection.starttls(context=ssl.create_default_context())
        elif self.user:
            raise smtplib.SMTPNotSupportedError("the server offers no STARTTLS, so the password is not sent")


def read_smtp_url(url: str) -> SmtpServer:
    """Read `smtp://user:password@host:port` or `smtps://...`; `BadOption`, without the password, if it is neither."""
    try:
        found = urlsplit(url)
        host, port = found.hostname, found.port
    except ValueError:
        host = port = None
    if not host or found.scheme not in _PORTS or found.path.strip("/") or found.query or found.fragment:
        raise BadOption("--smtp-url must be smtp://user:password@host:port or smtps://user:password@host:port.")
    default = 25 if found.scheme == "smtp" and not found.username else _PORTS[found.scheme]
    user, password = unquote(found.username or ""), unquote(found.password or "")
    return SmtpServer(host, port or default, user, password, is_smtps=found.scheme == "smtps")

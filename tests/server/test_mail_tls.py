"""E-mail over TLS, by STARTTLS and from the start: with the password, and only to a server that proves its name."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from ludotheque.server.mail.smtp import read_smtp_url
from tests.server.post_office import PostOffice
from tests.server.postgres import free_port

HOST: Final = "mail.club.example"
"""A name that is not of this machine, so that TLS is required; the tests resolve it to the loopback."""


class TlsOffice(PostOffice):
    """Remembers who logged in."""

    def __init__(self) -> None:
        super().__init__()
        self.logins: list[tuple[bytes, bytes]] = []

    def authenticate(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login, data.password))
        return AuthResult(success=True)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for the host, signed by itself, and its key."""
    openssl = shutil.which("openssl")
    if not openssl:
        pytest.fail("This test makes a certificate with openssl; on Debian: apt-get install openssl")
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key


@pytest.fixture(autouse=True)
def resolve_to_the_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = socket.getaddrinfo

    def resolved(host: Any, *args: Any, **more: Any) -> Any:
        return resolve("127.0.0.1" if str(host).endswith("club.example") else host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)


@contextmanager
def tls_office(certificate: tuple[Path, Path], scheme: str) -> Iterator[tuple[TlsOffice, str]]:
    """A mail server that takes nothing without TLS, and its address for `--smtp-url`."""
    office, port = TlsOffice(), free_port()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    options: dict[str, Any] = {"authenticator": office.authenticate, "auth_required": True}
    if scheme == "smtp":
        options |= {"tls_context": context, "require_starttls": True}
    else:
        options |= {"ssl_context": context, "auth_require_tls": False}  # aiosmtpd knows only the TLS of STARTTLS
    controller = Controller(office, hostname="127.0.0.1", port=port, **options)
    controller.start()
    try:
        yield office, f"{scheme}://games%40club.example:p%2Fw@{HOST}:{port}"
    finally:
        controller.stop()


def email() -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "games@club.example", "bob@example.org", "Your turn"
    message.set_content("It is your turn, à toi.")
    return message


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS:UserWarning")
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_message_and_the_password_go_over_tls(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with tls_office(certificate, scheme) as (office, url):
        read_smtp_url(url).send(email())
        assert office.logins == [(b"games@club.example", b"p/w")]
        assert office.take().get_content().strip() == "It is your turn, à toi."


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS:UserWarning")
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_server_that_cannot_prove_its_name_gets_no_password(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    with tls_office(certificate, scheme) as (office, url):
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        with pytest.raises(ssl.SSLCertVerificationError):  # nobody vouches for it
            read_smtp_url(url).send(email())
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        with pytest.raises(ssl.SSLCertVerificationError):  # it is another one
            read_smtp_url(url.replace(HOST, "other.club.example")).send(email())
        assert (office.logins, office.messages) == ([], [])

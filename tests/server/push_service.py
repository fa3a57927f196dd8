"""A push service on the loopback, and browsers that can read what arrives there.

What they do is written here a second time, by RFC 8291, 8188 and 8292, with other parts of the library.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import ssl
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import httpcore
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

from tests.server.harness import wait_until

HOST: Final = "push.example.org"
"""A public name; `LoopbackNetwork` leads it to this machine."""

_SIGNS_CERTIFICATES: Final = x509.KeyUsage(
    digital_signature=True,
    key_cert_sign=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)


class Receiver:
    """A browser that has subscribed."""

    def __init__(self, name: str = "bob") -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.secret = os.urandom(16)
        self.path = f"/send/{name}"

    @property
    def subscription(self) -> dict[str, str]:
        """What the page tells the server."""
        return {"endpoint": f"https://{HOST}{self.path}", "p256dh": encode(self.public), "auth": encode(self.secret)}

    def read(self, body: bytes) -> Any:
        """Decrypt a message."""
        salt, size, sender = body[:16], int.from_bytes(body[16:20]), body[21 : 21 + body[20]]
        assert size == 4096
        assert len(body) <= size
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derive(self.secret, shared, b"WebPush: info\0" + self.public + sender, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, body[21 + body[20] :], None)
        assert len(padded) % 512 == 0
        text, delimiter = padded.rstrip(b"\0")[:-1], padded.rstrip(b"\0")[-1:]
        assert delimiter == b"\x02"
        return json.loads(text)


class Request:
    """A message as the service gets it."""

    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path = path
        self.headers = headers
        self.body = body

    def claims(self, key: str) -> dict[str, Any]:
        """What the sender claims, after its signature by a public key was checked."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        token, _, used = rest.partition(", k=")
        assert (scheme, used) == ("vapid", key)
        signed, _, signature = token.removeprefix("t=").rpartition(".")
        r, s = (int.from_bytes(part) for part in (decode(signature)[:32], decode(signature)[32:]))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
        public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
        header, claims = (json.loads(decode(part)) for part in signed.split("."))
        assert header == {"typ": "JWT", "alg": "ES256"}
        return dict(claims)


class PushService:
    """Takes messages in, and answers with a status."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.status = 201
        self.port = 0

    def take(self) -> Request:
        """Wait for the next message."""
        wait_until(lambda: self.requests)
        return self.requests.pop(0)


class LoopbackNetwork(httpcore.AsyncNetworkBackend):
    """Leads every host to a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self.port, timeout)


@contextmanager
def push_service(folder: Path) -> Iterator[tuple[PushService, Path]]:
    """A running service, and the certificate by which it is known."""
    service, certificate = PushService(), write_certificate(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.requests.append(Request(self.path, headers, body))
            self.send_response(service.status)
            self.send_header("Location", "https://127.0.0.1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service, certificate
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_certificate(folder: Path) -> Path:
    """A certificate for the host that signs itself, with its key."""
    key, at = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(at - timedelta(days=1))
        .not_valid_after(at + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(_SIGNS_CERTIFICATES, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "push.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    return file


def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """HKDF for up to 32 bytes (RFC 5869)."""
    key = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(key, info + b"\x01", hashlib.sha256)[:length]


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "==")

"""The server's signature on its push messages (VAPID, RFC 8292): push services know from whom they come."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from ludotheque.server.push.encryption import CURVE, encode_key

_VALID_FOR: Final = timedelta(hours=12)
_HEADER: Final = {"typ": "JWT", "alg": "ES256"}


class VapidKey:
    """The key pair of a server."""

    def __init__(self, private: ec.EllipticCurvePrivateKey) -> None:
        self._private = private
        self.public = to_base64url(encode_key(private.public_key()))
        """The key that browsers are told when they subscribe."""

    @classmethod
    def read(cls, text: str) -> VapidKey:
        return cls(ec.derive_private_key(int.from_bytes(from_base64url(text)), CURVE))

    def authorization(self, endpoint: str, contact: str, at: datetime) -> str:
        """Return the header that signs messages to an endpoint; `contact` tells its operator whom to ask."""
        site = urlsplit(endpoint)
        claims: dict[str, str | int] = {
            "aud": f"{site.scheme}://{site.netloc}",
            "exp": int((at + _VALID_FOR).timestamp()),
        }
        if contact:
            claims["sub"] = contact
        signed = f"{_encoded(_HEADER)}.{_encoded(claims)}"
        return f"vapid t={signed}.{self._sign(signed)}, k={self.public}"

    def _sign(self, text: str) -> str:
        r, s = decode_dss_signature(self._private.sign(text.encode(), ec.ECDSA(SHA256())))
        return to_base64url(r.to_bytes(32) + s.to_bytes(32))


def new_private_key() -> str:
    """Make a private key, as it is stored."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return to_base64url(number.to_bytes(32))


def to_base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Decode; `ValueError` if it is no base64url."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _encoded(part: object) -> str:
    return to_base64url(msgspec.json.encode(part))

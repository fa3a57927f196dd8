"""A passkey in software: what a phone or a security key does, as WebAuthn says."""

from __future__ import annotations

import hashlib
import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

ORIGIN = "https://club.example"
PRESENT, VERIFIED, ATTESTED = 1, 4, 64


class SoftPasskey:
    """A device that makes one passkey and signs with it. Tests change what it claims."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(32)
        self.handle = ""
        self.origin, self.host = ORIGIN, "club.example"
        self.flags = PRESENT | VERIFIED
        self.counter = 1
        self.more: dict[str, Any] = {}

    def make(self, asked: dict[str, Any]) -> dict[str, str]:
        """Make the passkey; return what the page sends."""
        self.handle = asked["handle"]
        point = self.private.public_key().public_numbers()
        key = ES256({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})
        data = self._data(ATTESTED, bytes(AttestedCredentialData.create(b"\0" * 16, self.id, key)))
        self._count()
        made = AttestationObject.create("none", AuthenticatorData(data), {})
        return {"client_data": self._client("create", asked["challenge"]), "attestation": encode(bytes(made))}

    def sign(self, asked: dict[str, Any]) -> dict[str, str]:
        """Sign a challenge; return what the page sends."""
        client, data = self._client("get", asked["challenge"]), self._data()
        signed = data + hashlib.sha256(decode(client)).digest()
        self._count()
        return {
            "id": encode(self.id),
            "client_data": client,
            "authenticator_data": encode(data),
            "signature": encode(self.private.sign(signed, ec.ECDSA(SHA256()))),
            "handle": self.handle,
        }

    def _count(self) -> None:
        """Count what it signs; a passkey that devices share stays at 0."""
        self.counter += bool(self.counter)

    def _client(self, what: str, challenge: str) -> str:
        said = {"type": f"webauthn.{what}", "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return encode(json.dumps(said | self.more).encode())

    def _data(self, flags: int = 0, more: bytes = b"") -> bytes:
        host = hashlib.sha256(self.host.encode()).digest()
        return host + bytes([self.flags | flags]) + self.counter.to_bytes(4) + more


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "==")

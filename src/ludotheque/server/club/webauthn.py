"""Signatures of passkeys (WebAuthn), checked by Yubico's library. Needs the extra `passkeys`."""

from __future__ import annotations

import hashlib
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    CollectedClientData,
    PublicKeyCredentialRpEntity,
    UserVerificationRequirement,
)
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused, forbidden

logging.getLogger("fido2").setLevel(logging.WARNING)  # below that it logs the ids of credentials
ALGORITHMS: Final = tuple(int(algorithm) for algorithm in CoseKey.supported_algorithms())
"""The kinds of signatures that are understood (COSE), the best first."""
_REQUIRED: Final = UserVerificationRequirement.REQUIRED


class Site(Struct, frozen=True):
    """The site for which a passkey works."""

    rp_id: str
    origin: str


class NewCredential(Struct, frozen=True):
    """A passkey that a browser has made."""

    id: bytes
    data: bytes
    counter: int


class Assertion(Struct, frozen=True):
    """A signature of a passkey, as a browser sends it in base64url."""

    id: str
    client_data: str
    authenticator_data: str
    signature: str


def handle_of(challenge: bytes) -> bytes:
    """Return the handle of the passkey that is made with a challenge; only the passkey keeps it."""
    return hashlib.sha256(b"passkey handle " + challenge).digest()


def challenge_in(client_data: str) -> bytes:
    """Return the challenge that a browser claims to have signed."""
    with _refusing():
        return CollectedClientData(decode(client_data)).challenge


def read_id(text: str) -> bytes:
    """Return the id of a credential that a browser names."""
    with _refusing():
        return decode(text)


def id_of(credential: bytes) -> str:
    """Return the id of a stored credential, as browsers read it."""
    return encode(AttestedCredentialData(credential).credential_id)


def check_new(site: Site, challenge: bytes, client_data: str, attestation: str) -> NewCredential:
    """Check a new passkey: made here, for this challenge, by a person who was there and proved who they are."""
    with _refusing():
        _check_frame(client_data)
        made = _server(site).register_complete(_state(challenge), _response(client_data, attestationObject=attestation))
        data = made.credential_data
        if data is None or data.public_key[3] not in ALGORITHMS:
            raise ValueError("The key of this passkey is of an unknown kind.")
        return NewCredential(data.credential_id, bytes(data), made.counter)


def check_assertion(site: Site, challenge: bytes, assertion: Assertion, credential: bytes) -> int:
    """Check the signature of a known passkey in the same way; return its counter."""
    with _refusing():
        _check_frame(assertion.client_data)
        signed = _response(
            assertion.client_data,
            assertion.id,
            authenticatorData=assertion.authenticator_data,
            signature=assertion.signature,
        )
        _server(site).authenticate_complete(_state(challenge), [AttestedCredentialData(credential)], signed)
        return int.from_bytes(decode(assertion.authenticator_data)[33:37])


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _server(site: Site) -> Fido2Server:
    rp = PublicKeyCredentialRpEntity(name="Ludotheque", id=site.rp_id)
    return Fido2Server(rp, verify_origin=lambda origin: origin == site.origin)


def _state(challenge: bytes) -> dict[str, object]:
    return {"challenge": encode(challenge), "user_verification": _REQUIRED}


def _response(client_data: str, id: str = "", **more: str) -> dict[str, object]:
    return {"id": id, "rawId": id, "type": "public-key", "response": {"clientDataJSON": client_data, **more}}


def _check_frame(client_data: str) -> None:
    """Raise if the page was shown inside of another site."""
    if CollectedClientData(decode(client_data)).cross_origin:
        raise ValueError("The page is shown inside of another site.")


@contextmanager
def _refusing() -> Iterator[None]:
    """Refuse what cannot be read or is not right. The library raises errors of many kinds for what strangers send."""
    try:
        yield
    except Exception as error:
        raise bad_passkey() from error


def bad_passkey() -> Refused:
    return forbidden(phrase("This passkey does not open a profile here."))

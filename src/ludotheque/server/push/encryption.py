"""Encryption of push messages for one browser (RFC 8291, RFC 8188): the push service between cannot read them."""

from __future__ import annotations

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
RECORD_BYTES: Final = 4096
"""The most bytes of a message that all push services take."""
BLOCK: Final = 512
"""Messages are padded to a multiple of this, so that their length tells little about the names in them."""
_LAST_RECORD: Final = b"\x02"
_TAG_BYTES: Final = 16


def encrypt(
    text: bytes,
    browser_key: bytes,
    auth_secret: bytes,
    *,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
    block: int = BLOCK,
) -> bytes:
    """Return the body of a push message. `sender` and `salt` are new for each message unless a test names them."""
    sender, salt = sender or ec.generate_private_key(CURVE), salt or os.urandom(16)
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser_key)
    sender_key = encode_key(sender.public_key())
    key_info = b"WebPush: info\0" + browser_key + sender_key
    shared = _derive(sender.exchange(ec.ECDH(), receiver), auth_secret, key_info, 32)
    content_key = _derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_BYTES.to_bytes(4) + len(sender_key).to_bytes(1) + sender_key
    return header + AESGCM(content_key).encrypt(nonce, _padded(text, block, RECORD_BYTES - len(header)), None)


def encode_key(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as browsers exchange it: an uncompressed point of 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def is_key(data: bytes) -> bool:
    """Whether data is a public key: a point on the curve."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)
    except ValueError:
        return False
    return True


def _padded(text: bytes, block: int, most: int) -> bytes:
    padded = text + _LAST_RECORD
    padded += bytes(-len(padded) % block)
    if len(padded) + _TAG_BYTES > most:
        raise ValueError("The message is too long to be pushed.")
    return padded


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)

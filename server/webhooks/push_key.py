"""Private key of a server for Web Push (VAPID, RFC 8292), and the encryption for devices (RFC 8291)."""

import time
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Final, Protocol

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from server.storage.platform import open_private, read_small
from server.storage.port import PushRecord

VALID: Final = 12 * 3600
"""Seconds for which a signature is valid. Push services accept at most a day."""
_CURVE: Final = ec.SECP256R1()
_MISSING: Final = "Web Push needs more packages: pip install 'conquest-empire[push]'."


class Signer(Protocol):
    """Private key as py_vapid holds it."""

    @property
    def public_key(self) -> ec.EllipticCurvePublicKey:
        """The public key."""

    def sign(self, claims: dict[str, str | int], /) -> dict[str, str]:
        """Return the headers that sign these claims."""


class PushKey:
    """Key of a server, which signs its requests to push services.

    `contact`: a mailto: or https: address by which push services can reach the operator.
    """

    def __init__(self, signer: Signer, contact: str) -> None:
        self._signer = signer
        self._contact = contact
        self.public = _point(signer.public_key)
        """The public key: an uncompressed point, 65 bytes."""

    def authorization(self, origin: str) -> str:
        """Return the `Authorization` header for requests to a push service at that origin."""
        until = int(time.time()) + VALID
        return self._signer.sign({"aud": origin, "exp": until, "sub": self._contact})["Authorization"]


def new_key(path: Path) -> bytes:
    """Write a new key to a file that only its owner can read; return its public key. Raises OSError if it exists."""
    private = ec.generate_private_key(_CURVE)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with open_private(path, "xb") as file:
        file.write(pem)
    return _point(private.public_key())


def read_key(path: Path, contact: str) -> PushKey:
    """Read a key from a file. Raises ValueError if it is none, or a library is missing, and OSError."""
    try:
        from py_vapid import Vapid02, VapidException
        from pywebpush import WebPusher as _WebPusher  # noqa: F401
    except ModuleNotFoundError:
        raise ValueError(_MISSING) from None
    try:
        return PushKey(Vapid02.from_pem(read_small(path)), contact)
    except (ValueError, TypeError, VapidException):
        raise ValueError(f"{path} is no key for Web Push; make one with conquest-server push-key FILE.") from None


def encrypted(data: bytes, device: PushRecord) -> bytes:
    """Return the bytes encrypted for a device, which alone can read them (aes128gcm)."""
    from pywebpush import WebPusher  # Only servers with a key need this import, which brings two HTTP clients.

    keys = {"p256dh": urlsafe_b64encode(device.p256dh), "auth": urlsafe_b64encode(device.auth)}
    return bytes(WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(data)["body"])


def are_keys(p256dh: bytes, auth: bytes) -> bool:
    """Whether these are the keys of a push subscription: a point of the curve, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, p256dh)
    except ValueError:
        return False
    return len(p256dh) == 65 and len(auth) == 16


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

"""Promise of a match's dice: what the server derives from the root in the table's record."""

import hmac
from collections.abc import Callable
from functools import partial
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from protocol import hash_signature
from server.storage.port import DiceRoot

_DOMAIN: Final = b"conquest dice 1\n"


class Promise(Struct, frozen=True):
    """Secrets of a server for one match.

    secret: published at the end. key: the public half of the key that signs the record. sign: signs a digest; call it
    for one digest only, as a second signature of hashes would reveal how to forge more.
    """

    secret: bytes
    key: bytes
    sign: Callable[[bytes], bytes]


def promise(root: DiceRoot | bytes) -> Promise:
    """Return the promise from its root. Plain bytes are a root of a server before version 0.2."""
    if isinstance(root, bytes):
        secret, seed = _derived_secrets(root)
        return Promise(secret, hash_signature.public(seed), partial(hash_signature.sign, seed))
    secret, seed = _derived_secrets(root.secret)
    signer = Ed25519PrivateKey.from_private_bytes(seed)
    return Promise(secret, signer.public_key().public_bytes_raw(), signer.sign)


def _derived_secrets(root: bytes) -> tuple[bytes, bytes]:
    """Return the secret of the dice and the seed of the key."""
    # Two labels: the secret is published at the end, and must tell nothing about the seed of the key.
    return hmac.digest(root, _DOMAIN + b"secret", "sha256"), hmac.digest(root, _DOMAIN + b"seed", "sha256")

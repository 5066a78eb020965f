"""Signatures hold for the signed digest and for no other: those of Ed25519, and the older ones of hashes."""

import hashlib
import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol import hash_signature
from protocol.record import signed

SEED = b"s" * 32
VECTORS = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
)  # fmt: skip
"""From RFC 8032, section 7.1: public key, message, signature."""


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_the_published_examples_hold(key: str, message: str, signature: str) -> None:
    assert signed(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))
    assert not signed(bytes.fromhex(key), bytes.fromhex(message + "00"), bytes.fromhex(signature))


def pair(kind: str, text: str) -> tuple[bytes, bytes]:
    """Return a key, and its signature under that text."""
    if kind == "hashes":
        return hash_signature.public(SEED), hash_signature.sign(SEED, digest(text))
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    return key.public_key().public_bytes_raw(), key.sign(digest(text))


@pytest.mark.parametrize(("kind", "size"), [("hashes", 2144), ("ed25519", 64)])
def test_a_signature_holds_for_its_digest_and_key_alone(kind: str, size: int) -> None:
    rng = random.Random(1)
    key, made = pair(kind, "a")
    assert len(made) == size and signed(key, digest("a"), made)
    assert not signed(key, digest("b"), made) and not signed(key, digest("a")[:-1], made)
    for other in (b"", b"k" * 32, key[::-1], key[:-1], key + b"x"):
        assert not signed(other, digest("a"), made)
    for _ in range(200):
        at, bit = rng.randrange(len(made)), 1 << rng.randrange(8)
        assert not signed(key, digest("a"), made[:at] + bytes((made[at] ^ bit,)) + made[at + 1 :])
    for damaged in (b"", made[:-1], made + b"x"):
        assert not signed(key, digest("a"), damaged)


def test_a_signature_of_one_kind_is_none_of_the_other() -> None:
    (hashes, of_hashes), (curve, of_curve) = pair("hashes", "a"), pair("ed25519", "a")
    assert not signed(hashes, digest("a"), of_curve) and not signed(curve, digest("a"), of_hashes)


def test_the_extremes_of_a_digest_are_signed_with_hashes_too() -> None:
    key, low, high = hash_signature.public(SEED), bytes(32), b"\xff" * 32
    for one, other in ((low, high), (high, low)):
        assert signed(key, one, hash_signature.sign(SEED, one))
        assert not signed(key, one, hash_signature.sign(SEED, other))


def test_a_link_that_was_gone_on_from_is_missed_elsewhere() -> None:
    """Anyone can raise a digit by hashing once more; the checksum of the remaining steps would then have to go down."""
    key, low = hash_signature.public(SEED), bytes(32)
    made = hash_signature.sign(SEED, low)
    stepped = hashlib.sha256(made[:32]).digest() + made[32:]
    assert not signed(key, b"\x10" + low[1:], stepped)

"""A signature of hashes: it holds for the signed digest and for no other."""

import hashlib
import random

from shared import signature

SEED = b"s" * 32


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def test_what_was_signed_is_signed() -> None:
    key = signature.public(SEED)
    for text in ("", "a", "b"):
        made = signature.sign(SEED, digest(text))
        assert len(made) == signature.SIGNATURE == 2144
        assert signature.signed(key, digest(text), made)
        assert not signature.signed(key, digest(text + "x"), made)
        assert not signature.signed(signature.public(b"t" * 32), digest(text), made)


def test_the_extremes_of_a_digest_are_signed_too() -> None:
    key = signature.public(SEED)
    low, high = bytes(32), b"\xff" * 32
    assert signature.signed(key, low, signature.sign(SEED, low))
    assert signature.signed(key, high, signature.sign(SEED, high))
    assert not signature.signed(key, high, signature.sign(SEED, low))
    assert not signature.signed(key, low, signature.sign(SEED, high))


def test_a_link_that_was_gone_on_from_is_missed_elsewhere() -> None:
    """Anyone can raise a digit by hashing once more; the checksum of the remaining steps would then have to go down."""
    key, low = signature.public(SEED), bytes(32)
    made = signature.sign(SEED, low)
    higher = b"\x10" + low[1:]
    stepped = hashlib.sha256(made[:32]).digest() + made[32:]
    assert not signature.signed(key, higher, stepped)


def test_any_other_signature_is_none() -> None:
    key, rng = signature.public(SEED), random.Random(1)
    made = signature.sign(SEED, digest("a"))
    for _ in range(200):
        at, bit = rng.randrange(len(made)), 1 << rng.randrange(8)
        other = made[:at] + bytes((made[at] ^ bit,)) + made[at + 1 :]
        assert not signature.signed(key, digest("a"), other)
    for other in (b"", made[:-1], made + b"x"):
        assert not signature.signed(key, digest("a"), other)
    assert not signature.signed(key, digest("a")[:-1], made)

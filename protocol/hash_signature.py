"""Signature of hashes alone, after Winternitz: a key signs one digest, ever, and 32 public bytes check it.

It is still here because matches that began before version 0.2 are committed to such keys, and their records must be
verified for ever.

Each half byte of the digest is a step count along a chain of SHA-256. From a known link a reader can compute later
links, but not earlier ones. Three more chains count the remaining steps: an attacker who goes forward on one chain
would have to go back on another.
"""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Final

SIZE: Final = 32
"""Bytes of a seed, a digest, a public key and a link."""
_STEPS: Final = 15
_CHAINS: Final = 2 * SIZE + 3
SIGNATURE: Final = _CHAINS * SIZE
"""Bytes of a signature."""


def public(seed: bytes) -> bytes:
    """Return the public half of the key."""
    return _folded(_chain_after(link, _STEPS) for link in _first(seed))


def sign(seed: bytes, digest: bytes) -> bytes:
    """Sign a digest. Never sign two different ones by one seed: two signatures would reveal links for forgeries."""
    return b"".join(_chain_after(link, steps) for link, steps in zip(_first(seed), _counts(digest), strict=True))


def signed(key: bytes, digest: bytes, signature: bytes) -> bool:
    """Whether the holder of the other half of the key signed that digest."""
    if len(signature) != SIGNATURE or len(digest) != SIZE:
        return False
    links = (signature[at : at + SIZE] for at in range(0, SIGNATURE, SIZE))
    left = (_STEPS - steps for steps in _counts(digest))
    return hmac.compare_digest(_folded(map(_chain_after, links, left)), key)


def _first(seed: bytes) -> Iterator[bytes]:
    """Return the beginning of each chain."""
    return (hmac.digest(seed, b"%d" % chain, "sha256") for chain in range(_CHAINS))


def _counts(digest: bytes) -> list[int]:
    """Return the number of steps along each chain."""
    counts = [half for byte in digest for half in divmod(byte, 16)]
    rest = sum(_STEPS - count for count in counts)
    # At most 64 times 15, so three half bytes hold it.
    return [*counts, rest // 256, rest // 16 % 16, rest % 16]


def _chain_after(link: bytes, steps: int) -> bytes:
    for _ in range(steps):
        link = hashlib.sha256(link).digest()
    return link


def _folded(ends: Iterator[bytes]) -> bytes:
    return hashlib.sha256(b"".join(ends)).digest()

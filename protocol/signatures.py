"""Signatures of records: Ed25519, or hashes for matches that began before version 0.2."""

from protocol import hash_signature


def is_hash_signature(signature: bytes) -> bool:
    """Whether the signature is one of hashes. The length tells: one of Ed25519 has 64 bytes."""
    return len(signature) == hash_signature.SIGNATURE


def signed(key: bytes, digest: bytes, signature: bytes) -> bool:
    """Whether the holder of the private half of the key signed that digest."""
    if is_hash_signature(signature):
        return hash_signature.signed(key, digest, signature)
    # Imported here: it takes 25 to 40 ms, and only a verification needs it.
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ModuleNotFoundError:
        needed = "Signatures need the package cryptography. Do this: pip install 'conquest-empire[verify]'"
        raise ModuleNotFoundError(needed, name="cryptography") from None

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, digest)
    except (InvalidSignature, ValueError):  # ValueError: the key does not have 32 bytes.
        return False
    return True

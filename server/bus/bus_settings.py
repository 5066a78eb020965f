"""Settings of the message bus; a module without the NATS library, so that single servers do not need it."""

from pathlib import Path

from msgspec import Struct


class BusSettings(Struct, frozen=True):
    """Address and credentials of NATS.

    `urls`: one or more, separated by commas, as `nats://user:password@host:port` or `tls://...`. `credentials`: file
    with a user's key. `authority`: file with the certificates to trust, for TLS. `prefix`: of all subjects, so that
    clusters can share NATS servers."""

    urls: str
    credentials: Path | None = None
    authority: Path | None = None
    prefix: str = "conquest"

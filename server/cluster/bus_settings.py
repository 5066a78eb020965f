"""Where the bus is; no library is needed to say so."""

from pathlib import Path

from msgspec import Struct


class BusSettings(Struct, frozen=True):
    """How to reach NATS. `urls`: one or more, separated by commas, as `nats://user:password@host:port` or `tls://...`;
    `credentials`: a file of a user's key; `authority`: a file with the certificates to trust, for TLS; `prefix`: of all
    subjects, so that clusters can share servers."""

    urls: str
    credentials: Path | None = None
    authority: Path | None = None
    prefix: str = "conquest"

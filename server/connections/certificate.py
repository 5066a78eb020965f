"""Certificate of this server for TLS, read from the operator's files and read again when they change."""

import os
import ssl
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from msgspec import Struct

from server import log
from server.storage.platform import read_small

CHECK: Final = 1.0
"""Seconds between two looks at the files' times."""


class CertificateFiles(Struct, frozen=True):
    """Files in PEM format. `chain`: the certificate and its intermediates; `key`: its private key."""

    chain: Path
    key: Path


class Certificate:
    """Certificate and key, as the contexts of new connections have them.

    A renewed certificate serves from the next connection on, without a restart. While the two files do not fit
    together, the earlier pair goes on.
    """

    def __init__(self, files: CertificateFiles, now: Callable[[], float] = time.time) -> None:
        """Read the files; `now` in seconds since 1970. Raises ValueError with what is wrong and what to do."""
        self._files = files
        self._now = now
        self._seen = _state(files)
        self._looked = now()
        self._context, self._leaf = _load(files)
        if self.expires <= now():
            day = datetime.fromtimestamp(self.expires, UTC).date()
            raise ValueError(f"the certificate in {files.chain} expired on {day}; renew it, or leave out --certificate")

    @property
    def expires(self) -> float:
        """End of its validity, in seconds since 1970."""
        return self._leaf.not_valid_after_utc.timestamp()

    @property
    def names(self) -> tuple[str, ...]:
        """Host names and addresses for which it is valid, those with a wildcard too."""
        try:
            found = self._leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return ()
        addresses = found.get_values_for_type(x509.IPAddress)
        return (*found.get_values_for_type(x509.DNSName), *map(str, addresses))

    @property
    def name(self) -> str:
        """The first of its names without a wildcard. Raises ValueError if there is none."""
        for name in self.names:
            if "*" not in name:
                return name
        raise ValueError(f"the certificate in {self._files.chain} names no single host; say which one is yours")

    def check_name(self, host: str) -> None:
        """Raise ValueError if it is not valid for that host."""
        if not _names_host(self.names, host):
            valid = ", ".join(self.names) or "no name"
            raise ValueError(f"the certificate in {self._files.chain} is for {valid}, not for {host}; use that name, "
                             f"or get a certificate for {host}")  # fmt: skip

    def context(self) -> ssl.SSLContext:
        """Return the context for a new connection, of the renewed files if there are any."""
        now = self._now()
        # `abs`, because the system's clock may be set back.
        if abs(now - self._looked) >= CHECK:
            self._looked = now
            self._renew()
        return self._context

    def _renew(self) -> None:
        try:
            state = _state(self._files)
            if state == self._seen:
                return
            self._context, self._leaf = _load(self._files)
        except ValueError as error:
            log.seldom("certificate-not-renewed", error=str(error))
        else:
            # Only after the pair fits: half-written files are looked at again at the next connection.
            self._seen = state
            log.info("certificate-renewed", until=self._leaf.not_valid_after_utc.isoformat())


def _state(files: CertificateFiles) -> tuple[object, ...]:
    """Return what changes with the files. Links are followed: renewing programs exchange their targets."""
    found = map(_status, (files.chain, files.key))
    return tuple((status.st_mtime_ns, status.st_ino, status.st_size) for status in found)


def _status(file: Path) -> os.stat_result:
    try:
        return file.stat()
    except OSError as error:
        raise _unreadable(file, error) from None


def _content_of(file: Path) -> bytes:
    try:
        return read_small(file)
    except OSError as error:
        raise _unreadable(file, error) from None


def _unreadable(file: Path, error: OSError) -> ValueError:
    return ValueError(f"{file} cannot be read ({error.strerror}); give the right file, readable for this user")


def _load(files: CertificateFiles) -> tuple[ssl.SSLContext, x509.Certificate]:
    # Both are read although OpenSSL opens them itself: its errors do not name the file.
    chain, _key = map(_content_of, (files.chain, files.key))
    try:
        leaf = x509.load_pem_x509_certificate(chain)
    except ValueError:
        raise ValueError(f"{files.chain} has no certificate in PEM format; give --certificate the full chain") from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION  # Strangers could otherwise keep the processor busy.
    try:
        context.load_cert_chain(files.chain, files.key, password=_no_password)
    except _Encrypted:
        raise ValueError(f"the key in {files.key} has a password; give --key a file without one") from None
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            wrong = f"the key in {files.key} does not belong to the certificate in {files.chain}; give --key its own"
        else:
            wrong = f"{files.key} has no private key in PEM format; give --key the file with it"
        raise ValueError(wrong) from None
    except OSError as error:
        raise _unreadable(files.key, error) from None
    return context, leaf


class _Encrypted(Exception):
    """Raised when a key asks for a password, for which OpenSSL would otherwise ask in the terminal."""


def _no_password() -> str:
    raise _Encrypted


def _names_host(names: Iterable[str], host: str) -> bool:
    """Whether one of a certificate's names is that host; a wildcard stands for one label (RFC 6125)."""
    try:
        return str(ip_address(host)) in names
    except ValueError:
        wanted = host.lower().rstrip(".")
    parent = wanted.partition(".")[2]
    return any(name.lower() in (wanted, f"*.{parent}") for name in names)

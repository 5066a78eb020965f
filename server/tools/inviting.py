"""What an operator tells his friends: printed where he looks, not into a log."""

import contextlib
from typing import Final, TextIO

import ifaddr
import segno

from protocol.blocks import in_blocks
from protocol.links import joined, link_to, reachable

_ALL: Final = {"": (".", ":"), "0.0.0.0": (".",), "::": (":",)}
"""What addresses look like at which a server is reached that listens on all."""


def invite(host: str, port: int, terminal: TextIO) -> None:
    """The addresses at which others reach a server that listens on `host`, and the link as a QR code."""
    hosts = reachable(own for own in _own() if any(mark in own for mark in _ALL.get(host, ())) or own == host)
    if hosts and terminal.isatty():
        print(f"Friends join at {' or '.join(joined(each, port) for each in hosts)}.", file=terminal)
        with contextlib.suppress(UnicodeEncodeError):  # It has no such letters.
            code = segno.make(link_to(hosts[0], port), error="m", micro=False)
            print(in_blocks([bytes(row) for row in code.matrix_iter(border=2)]), file=terminal, flush=True)


def _own() -> list[str]:
    """All addresses of the network cards; none where the system does not tell."""
    with contextlib.suppress(OSError):
        found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
        return [ip if isinstance(ip, str) else ip[0] for ip in found]
    return []

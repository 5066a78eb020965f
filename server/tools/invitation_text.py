"""Invitation for an operator's friends, printed on the terminal and not into a log."""

import contextlib
from typing import Final, TextIO

from protocol.links import joined, link_to, reachable, sight_at, sight_of
from protocol.routes import routes_of
from protocol.terminal_picture import qr_code

_ALL: Final = {"": (".", ":"), "0.0.0.0": (".",), "::": (":",)}
"""Marks of the addresses at which a server is reached that listens on all."""


def invite(host: str, port: int, terminal: TextIO, public: str = "") -> None:
    """Print how others reach a server that listens on `host`: addresses, the page for browsers, the link as a QR code.

    public: its public address, "" if unknown. Nothing is printed if `terminal` is none.
    """
    if not terminal.isatty():
        return
    hosts = reached(host)
    if hosts:
        print(f"Friends join at {' or '.join(joined(each, port) for each in hosts)}.", file=terminal)
        page = sight_of(routes_of(public)[0]) if public else sight_at(hosts[0], port)
        print(f"Watch in a browser at {page}", file=terminal)
        with contextlib.suppress(UnicodeEncodeError):  # The terminal's encoding may lack the block characters.
            print(qr_code(link_to(hosts[0], port)), file=terminal, flush=True)


def reached(host: str) -> list[str]:
    """Return the addresses at which others reach a server that listens on `host`, the likeliest first."""
    return reachable(own for own in _own() if any(mark in own for mark in _ALL.get(host, ())) or own == host)


def _own() -> list[str]:
    """Return all addresses of the network cards; none if the system does not tell."""
    import ifaddr  # Imported late: servers started by a program never need it.

    with contextlib.suppress(OSError):
        found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
        return [ip if isinstance(ip, str) else ip[0] for ip in found]
    return []

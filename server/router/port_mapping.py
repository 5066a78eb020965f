"""Port mappings, the routers that make them, and their errors."""

from ipaddress import IPv4Address, IPv6Address
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

Address: TypeAlias = IPv4Address | IPv6Address
OTHER_PORTS: Final = 10
"""Outer ports that are tried, one after the other, while another computer has them."""


class Mapping(Struct, frozen=True):
    """Port that a router passes on to this server, at the router's outer address.

    `lifetime`: seconds until it ends unless it is asked for again; 0: it stays until it is removed.
    """

    address: Address
    port: int
    lifetime: int


class RouterError(Exception):
    """Port that could not be opened. The text is for the log."""


class NoRouter(RouterError):
    """No router answered in time."""


class RouterRefused(RouterError):
    """A router answered, but it does not open the port. `address`: its outer address, if it told it."""

    def __init__(self, why: str, address: Address | None = None) -> None:
        super().__init__(why)
        self.address = address


class Router(Protocol):
    """Router that answered before. Each method raises RouterError."""

    async def open(self, port: int, outside: int, seconds: int) -> Mapping:
        """Make or renew a mapping to that port of this computer; `outside`: preferred port at the router."""

    async def close(self, port: int) -> None:
        """Remove the mapping to that port."""

"""Announcement of a table on the local network, and discovery of others, by multicast (DNS-SD).

Runs in one event loop. Only `Nearby` (client/network/nearby.py) imports it, as late as possible.
"""

import logging
import secrets
from collections.abc import Sequence
from ipaddress import ip_address
from time import monotonic
from typing import Final, TypeAlias

from msgspec import Struct
from zeroconf import InterfaceChoice, IPVersion, NonUniqueNameException, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from client.network.addresses import nearest, own_cards
from protocol import announcement
from protocol.announcement import MOST, Announcement, Near
from protocol.links import joined, reachable

Interfaces: TypeAlias = Sequence[str] | None
"""Addresses of the network cards to use; None: all."""

TTL: Final = 60
"""Seconds that an announcement is valid; a killed program withdraws nothing."""
BEAT: Final = 20.0
"""Seconds between repetitions of the announcement."""
LONGEST: Final = 2.0 * TTL
"""Maximum seconds that a foreign announcement is believed, whatever TTL it claims."""
_PTR: Final = 12
_SRV: Final = 33
_IN: Final = 1
"""Type and class of the records that name announcements (RFC 1035)."""
_ADDRESSES: Final = 8
"""Maximum number of addresses read of one table."""

logging.getLogger("zeroconf").setLevel(logging.ERROR)  # Any computer nearby could fill the log.


class _Listed(Struct):
    """Listed table, valid until a time of the monotonic clock."""

    near: Near
    until: float


class DnsSd:
    """Announcer and listener in one event loop.

    The constructor raises OSError if the network does not carry multicast.
    """

    def __init__(self, interfaces: Interfaces, service: str) -> None:
        self._loopback = interfaces is not None
        self._service = service
        self._cards = own_cards()
        self._zeroconf = _open(interfaces)
        self._browser: AsyncServiceBrowser | None = None
        self._listed: dict[str, _Listed] = {}
        """Tables by the name of the announcement.

        They are kept apart from the library's cache, which a flood of announcements can empty.
        """
        self._partial: dict[str, None] = {}
        """Names with incomplete records, the oldest first, no more than are listed."""
        self._overflown = False
        """Whether a table was left out because the list was full."""
        self._name = _a_name()
        self._mine: AsyncServiceInfo | None = None
        self._announced: tuple[object, ...] = ()
        """Content of the last announcement."""
        self._announced_at = 0.0

    async def close(self) -> None:
        """Withdraw the announcement and close the sockets."""
        await self._zeroconf.async_close()

    # Announcing

    async def announce(self, table: Announcement | None, port: int, addresses: Sequence[str]) -> None:
        """Announce that table, or withdraw it (None); repeat an unchanged one after `BEAT` seconds."""
        content, mine = (table, port, *addresses), self._mine
        if table is None:
            self._mine = None
            if mine is not None:
                await (await self._zeroconf.async_unregister_service(mine))
        elif content != self._announced or mine is None or monotonic() > self._announced_at + BEAT:
            self._announced, self._announced_at = content, monotonic()
            await self._say(self._info(table, port, addresses))

    async def _say(self, info: AsyncServiceInfo) -> None:
        """Register or update the announcement; after a conflict of names, take another name next time."""
        if self._mine is not None:
            self._mine = info
            await (await self._zeroconf.async_update_service(info))
            return
        try:
            # The first await ends once the name is ours, the second one once all packets are out.
            await (await self._zeroconf.async_register_service(info))
            self._mine = info
        except NonUniqueNameException:
            self._name = _a_name()

    def _info(self, table: Announcement, port: int, addresses: Sequence[str]) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            self._service, f"{self._name}.{self._service}", port, server=f"{self._name}.local.",
            properties=dict(table.record()),
            addresses=[ip_address(address).packed for address in addresses], host_ttl=TTL, other_ttl=TTL,
        )  # fmt: skip

    # Listening

    async def listen(self, on: bool) -> None:
        """Start or stop listening for other tables."""
        if on and self._browser is None:
            self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, self._service, handlers=[self._hear])
        elif not on and self._browser is not None:
            browser, self._browser = self._browser, None
            self._listed.clear()
            self._partial.clear()
            await browser.async_cancel()

    def _hear(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        """Note a changed announcement; the library may call this very often."""
        if state_change is ServiceStateChange.Removed:
            self._listed.pop(name, None)
            self._partial.pop(name, None)
        else:
            self._look_at(name)

    def tables(self) -> tuple[Near, ...]:
        """Return all announced tables that are still valid, at most MOST."""
        for name in (*self._listed, *self._partial):
            self._look_at(name)
        for name in [name for name, listed in self._listed.items() if listed.until < monotonic()]:
            del self._listed[name]
        if self._overflown and len(self._listed) < MOST:
            self._overflown = False
            for record in self._zeroconf.zeroconf.cache.get_all_by_details(self._service, _PTR, _IN):
                self._look_at(str(getattr(record, "alias", "")))
        return tuple(listed.near for listed in self._listed.values())

    def _look_at(self, name: str) -> None:
        """List a table if its records are complete and valid and there is a free place."""
        if len(self._listed) >= MOST and name not in self._listed:
            self._overflown = True
            return
        info = AsyncServiceInfo(self._service, name)
        if info.load_from_cache(self._zeroconf.zeroconf):
            self._partial.pop(name, None)
            near = self._read(info)
            if near is not None and name != f"{self._name}.{self._service}":
                self._listed[name] = _Listed(near, monotonic() + self._left(name))
        elif name not in self._listed:
            self._partial[name] = None
            if len(self._partial) > MOST:
                del self._partial[next(iter(self._partial))]

    def _left(self, name: str) -> float:
        """Return the seconds that an announcement is still valid."""
        record = self._zeroconf.zeroconf.cache.get_by_details(name, _SRV, _IN)
        return min(LONGEST, record.get_remaining_ttl(monotonic() * 1000)) if record is not None else 0.0

    def _read(self, info: AsyncServiceInfo) -> Near | None:
        """Return the table of a foreign announcement; None if it is invalid."""
        try:
            table = announcement.read(info.properties)
        except announcement.Unreadable:
            return None
        given = info.parsed_addresses(IPVersion.All)[:_ADDRESSES]
        hosts = nearest(reachable(given), self._cards) or (given if self._loopback else [])
        return Near(table, joined(hosts[0], info.port)) if hosts and info.port else None


def _a_name() -> str:
    """Return a random name for our announcement; players never see it."""
    return f"conquest-{secrets.token_hex(6)}"


def _open(interfaces: Interfaces) -> AsyncZeroconf:
    """Open the sockets, with IPv6 where the system has it."""
    if interfaces is not None:
        return AsyncZeroconf(interfaces=list(interfaces))
    try:
        return AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.All)
    except OSError:
        return AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only)

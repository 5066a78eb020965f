"""Opener that keeps the router's port open while the server runs, and reports the address for clients elsewhere."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv6Address
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from protocol.links import joined
from server import log
from server.router import reports
from server.router.gateway import gateways, gateways6, own_address
from server.router.pcp import PcpRouter
from server.router.port_mapping import Address, Mapping, NoRouter, Router, RouterError, RouterRefused

Find: TypeAlias = Callable[[], Awaitable[Router]]
"""Finds a router by one protocol. Raises RouterError."""
Tell: TypeAlias = Callable[[str, str], object]
"""Takes the WebSocket address for clients elsewhere, "" if there is none, and a report for the host."""

LEASE: Final = 1200
"""Seconds after which the router closes the port if this server ends without a word."""
REFRESH: float = 60.0
"""Seconds between two requests for the mapping. Each renews it, and notices a restarted router or a new address."""


LONGEST: Final = 1800.0
"""Longest pause in seconds after refusals, which double it each time: a router rarely changes its mind."""


class PortOpener:
    """Opener of one port. `find`: ways to the IPv4 router; `find6`: ways to the IPv6 firewall; `own`: our address."""

    def __init__(
        self, port: int, tell: Tell, find: Sequence[Find], find6: Sequence[Find],
        own: Callable[[int], Address | None] = own_address,
    ) -> None:  # fmt: skip
        self._port = port
        self._tell = tell
        self._own = own
        self._keepers = {4: _Keeper(find), 6: _Keeper(find6)}
        self._url = ""
        """Last address that worked."""
        self._note = ""
        """Note on its change."""
        self._refusals = 0
        """Refusals without a mapping in between."""

    async def run(self, pause: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        """Open the port and keep it open, for ever."""
        while True:
            await pause(await self.refresh())

    async def refresh(self) -> float:
        """Open or renew the mapping, and tell the address; return the seconds until the next time."""
        try:
            mapping, report = await self._open()
        except Exception:  # A router may say anything; the server must go on.
            log.failure("router-failed")
            mapping, report = None, reports.no_answer(self._port)
        url = f"ws://{joined(str(mapping.address), mapping.port)}" if mapping is not None else ""
        if url and url != self._url:
            self._note = reports.changed() if self._url else ""
            self._url = url
        self._tell(url, " ".join(filter(None, (self._note if url else "", report))))
        if mapping is not None:
            self._refusals = 0
            # At half of the lease at the latest, as RFC 6886 and RFC 6887 advise.
            return min(REFRESH, mapping.lifetime / 2) if mapping.lifetime else REFRESH
        # A limited exponent: after weeks of refusals the power would exceed a float.
        return float(min(REFRESH * 2 ** min(max(self._refusals - 1, 0), 16), LONGEST))

    async def close(self) -> None:
        """Close the port."""
        for keeper in self._keepers.values():
            await keeper.close(self._port)

    async def _open(self) -> tuple[Mapping | None, str]:
        """Return a mapping that works from elsewhere, or None, and a report."""
        own = self._own(4)
        if own is not None and own.is_global:
            # There is no router in between.
            return Mapping(own, self._port, 0), ""
        report = reports.no_network()
        if own is not None:
            mapping, report = await self._open4()
            if mapping is not None:
                return mapping, report
        own6 = self._own(6)
        if own6 is not None and own6.is_global:
            with contextlib.suppress(RouterError):
                return await self._keepers[6].keep(self._port), reports.only_ipv6()
        return None, report

    async def _open4(self) -> tuple[Mapping | None, str]:
        """Return a mapping of a public IPv4 address, or None, and a report."""
        try:
            mapping = await self._keepers[4].keep(self._port)
        except RouterRefused as error:
            log.info("router-refused", error=str(error))
            self._refusals += 1
            if error.address is not None and not error.address.is_global:
                return None, reports.two_routers(error.address)
            return None, reports.refused(self._port)
        except RouterError as error:
            log.info("no-router", error=str(error))
            self._refusals = 0
            return None, reports.no_answer(self._port)
        if not mapping.address.is_global:
            return None, reports.two_routers(mapping.address)
        return mapping, "" if mapping.port == self._port else reports.taken(self._port, mapping.port)


class _Keeper:
    """Holder of one mapping. Ways to a router are tried in their order until one works."""

    def __init__(self, ways: Sequence[Find]) -> None:
        self._ways = ways
        self._router: Router | None = None
        self._outside = 0
        """Outer port of the last mapping, which the link has; 0 before there was one."""

    async def keep(self, port: int) -> Mapping:
        """Make or renew the mapping. Raise RouterError, a refusal rather than a missing answer."""
        if self._router is not None:
            with contextlib.suppress(RouterError):
                return await self._mapping_by(self._router, port)
            self._router = None  # It may have restarted and be found elsewhere.
        worst: RouterError = NoRouter("there is no router to ask")
        for find in self._ways:
            try:
                router = await find()
                mapping = await self._mapping_by(router, port)
            except RouterError as error:
                worst = worst if isinstance(worst, RouterRefused) and not _tells_more(error) else error
            else:
                self._router = router
                return mapping
        raise worst

    async def close(self, port: int) -> None:
        """Remove the mapping, if there is one."""
        router, self._router = self._router, None
        if router is not None:
            try:
                await router.close(port)
            except RouterError as error:
                log.info("router-not-closed", error=str(error))

    async def _mapping_by(self, router: Router, port: int) -> Mapping:
        mapping = await router.open(port, self._outside or port, LEASE)
        self._outside = mapping.port
        return mapping


def _tells_more(error: RouterError) -> bool:
    return isinstance(error, RouterRefused) and error.address is not None


def port_opener(port: int, tell: Tell) -> PortOpener:
    """Return an opener for this computer's routers: by PCP and NAT-PMP, then by UPnP if its library is installed."""
    return PortOpener(port, tell, (_pcp, _upnp), (_pcp6, _upnp6))


async def _pcp() -> Router:
    return PcpRouter(_first(await asyncio.to_thread(gateways)))


async def _pcp6() -> Router:
    return PcpRouter(_first(await asyncio.to_thread(gateways6))).at(_own6())


async def _upnp() -> Router:
    await asyncio.to_thread(_import_upnp)
    from server.router import upnp

    return upnp.UpnpRouter(await upnp.find())


async def _upnp6() -> Router:
    await asyncio.to_thread(_import_upnp)
    from server.router import upnp

    own = _own6()
    try:
        gateway = await upnp.find(own)
    except NoRouter:
        # A gateway that is silent by IPv6 may answer a search by IPv4.
        gateway = await upnp.find()
    return upnp.UpnpFirewall(gateway, own)


def _import_upnp() -> None:
    """Import the library, which takes a second. Raise NoRouter if it is not installed."""
    try:
        import server.router.upnp  # noqa: F401
    except ImportError as error:
        raise NoRouter(f"UPnP needs the extra `router`: {error}") from error


def _first(found: list[str]) -> str:
    if not found:
        raise NoRouter("there is no default route")
    return found[0]


def _own6() -> IPv6Address:
    own = own_address(6)
    if not isinstance(own, IPv6Address):
        raise NoRouter("there is no IPv6")
    return own


LookUp: TypeAlias = Callable[[str], Awaitable[set[str]]]
"""Returns the addresses of a name. Raises OSError."""


async def look_up(host: str) -> set[str]:
    """Return the addresses of a name. Raise OSError if there are none."""
    return {str(info[4][0]) for info in await asyncio.get_running_loop().getaddrinfo(host, None)}


def url_of(name: str, port: int, mapped: str) -> str:
    """Return a named WebSocket address with the router's port.

    name: that address with this server's own `port`. mapped: the router's address and port, "" if it opened none.
    """
    outside = urlsplit(mapped).port if mapped else None
    if outside is None or outside == port:
        return name
    return f"wss://{joined(urlsplit(name).hostname or '', outside)}"


async def trouble_of(name: str, mapped: str, find: LookUp = look_up) -> str:
    """Return why the name of a WebSocket address does not lead to the router's, with what to do; "" if it does."""
    host, here = urlsplit(name).hostname or "", urlsplit(mapped).hostname or ""
    try:
        found = await find(host)
    except (OSError, UnicodeError):  # The latter for an impossible name.
        return reports.name_unknown(host, here)
    return "" if here in found else reports.name_elsewhere(host, sorted(found)[0], here)

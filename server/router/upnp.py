"""UPnP internet gateways, by the library async-upnp-client, which this module alone imports."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from collections.abc import Mapping as Values
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from typing import Any, Final
from urllib.parse import urlsplit

from async_upnp_client.aiohttp import AiohttpRequester
from async_upnp_client.client import UpnpDevice, UpnpService
from async_upnp_client.client_factory import UpnpFactory
from async_upnp_client.exceptions import UpnpActionError, UpnpError
from async_upnp_client.search import SsdpSearchListener
from async_upnp_client.ssdp import SSDP_IP_V6, SSDP_PORT
from async_upnp_client.utils import CaseInsensitiveDict

from server.router.gateway import own_address
from server.router.port_mapping import OTHER_PORTS, Mapping, NoRouter, RouterError, RouterRefused

GATEWAY: Final = "urn:schemas-upnp-org:device:InternetGatewayDevice:1"
"""Target of the search; gateways of version 2 answer to it as well."""
SEARCH: Final = 2
"""Seconds within which a gateway answers (the MX of its search)."""
REPEATS: Final = 2
"""Searches, since UDP may lose one."""
PATIENCE: Final = 5
"""Seconds for each request to the gateway."""
WORDS: Final = "Conquest"
"""Description of our mappings in the router's list."""
_CONNECTIONS: Final = ("WANIPConnection", "WANPPPConnection")
_FIREWALL: Final = "WANIPv6FirewallControl"
_CONFLICT: Final = (718, 729)
"""Errors of a port that is taken."""
_PERMANENT_ONLY: Final = (402, 501, 725)
"""Errors of gateways whose mappings never end by themselves. Some say that the lease is a wrong value, or only fail."""
_TCP: Final = 6
_LONGEST: Final = 86400
"""Longest life of a pinhole, in seconds."""


async def find(own: IPv6Address | None = None) -> UpnpDevice:
    """Return the first gateway that answers a search on the local network. Raise NoRouter.

    own: our address if it must be asked by IPv6. miniupnpd opens pinholes only to the address that asks.
    """
    found: asyncio.Queue[str] = asyncio.Queue()

    def hear(headers: CaseInsensitiveDict) -> None:
        location, sender = headers.get("location", ""), headers.get("_remote_addr", ("",))[0]
        # A gateway describes itself: a location elsewhere would let any device make us call foreign servers.
        if _host(location) == sender or (own is not None and _is_beside(own, _host(location))):
            found.put_nowait(location)

    listeners = _search_listeners(hear, own)
    try:
        for listener in listeners:
            await listener.async_start()
        for _try in range(REPEATS):
            for listener in listeners:
                listener.async_search()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SEARCH):
                    while True:
                        with contextlib.suppress(NoRouter):
                            return await describe(await found.get())
    except (OSError, UpnpError) as error:
        raise NoRouter(f"UPnP: {error}") from error
    finally:
        for listener in listeners:
            listener.async_stop()
    raise NoRouter("UPnP: no gateway answers")


def _search_listeners(hear: Callable[[CaseInsensitiveDict], None], own: IPv6Address | None) -> list[SsdpSearchListener]:
    """Return the searches: one by IPv4, or one by IPv6 on each network card."""
    if own is None:
        return [SsdpSearchListener(callback=hear, timeout=SEARCH, search_target=GATEWAY)]
    return [
        SsdpSearchListener(
            callback=hear, timeout=SEARCH, search_target=GATEWAY, source=(str(own), 0, 0, card),
            target=(SSDP_IP_V6, SSDP_PORT, 0, card),
        )
        for card, name in socket.if_nameindex()
        if not name.startswith("lo")
    ]  # fmt: skip


async def describe(location: str) -> UpnpDevice:
    """Return the gateway that is described there. Raise NoRouter if it is none."""
    try:
        device = await UpnpFactory(AiohttpRequester(PATIENCE), non_strict=True).async_create_device(location)
    except (UpnpError, ValueError, OSError, TimeoutError) as error:
        raise NoRouter(f"UPnP: {error}") from error
    if not _services(device, *_CONNECTIONS):
        raise NoRouter(f"UPnP: {location} is no gateway to the internet")
    return device


def _host(location: str) -> str:
    with contextlib.suppress(ValueError):
        return urlsplit(location).hostname or ""
    return ""


def _is_beside(own: IPv6Address, host: str) -> bool:
    """Whether a host is in our own network. By IPv6, gateways answer from another address than they name."""
    with contextlib.suppress(ValueError):
        return IPv6Address(host) in IPv6Network((own, 64), strict=False)
    return False


def _services(device: UpnpDevice, *kinds: str) -> list[UpnpService]:
    """Return the services of these kinds, in any version."""
    return [service for service in device.all_services if service.service_type.split(":")[-2] in kinds]


async def _call(service: UpnpService, action: str, **values: Any) -> Values[str, Any]:
    """Call an action of the gateway. Raise UpnpActionError, or NoRouter without an answer."""
    if not service.has_action(action):
        raise UpnpActionError(error_code=602, error_desc=f"{action} is missing")
    try:
        return await service.action(action).async_call(**values)
    except UpnpActionError:
        raise
    except (UpnpError, OSError, TimeoutError) as error:
        raise NoRouter(f"UPnP: {error}") from error


class UpnpRouter:
    """Gateway that maps ports of its IPv4 address."""

    def __init__(self, device: UpnpDevice) -> None:
        self._connections = _services(device, *_CONNECTIONS)
        self._host = _host(device.device_url)
        self._connection = self._connections[0]
        self._mapped = 0
        """Outer port of our mapping; 0 before there is one."""

    async def open(self, port: int, outside: int, seconds: int) -> Mapping:
        """Make or renew a mapping, see `Router`."""
        address = await self._outer_address()
        own = own_address(4, self._host)
        if own is None:
            raise NoRouter("UPnP: there is no way to the gateway any more")
        first = self._mapped or outside
        try:
            for candidate in range(first, min(first + OTHER_PORTS, 65536)):
                lifetime = await self._map(port, candidate, str(own), seconds)
                if lifetime is not None:
                    self._mapped = candidate
                    return Mapping(address, candidate, lifetime)
        except UpnpActionError as error:
            raise RouterRefused(f"UPnP: {error}", address) from error
        raise RouterRefused(f"UPnP: ports {first} to {first + OTHER_PORTS - 1} are taken", address)

    async def close(self, port: int) -> None:
        """Remove the mapping, see `Router`."""
        outside = self._mapped or port
        self._mapped = 0
        try:
            await _call(self._connection, "DeletePortMapping", NewRemoteHost="", NewExternalPort=outside,
                        NewProtocol="TCP")  # fmt: skip
        except UpnpActionError as error:
            raise RouterRefused(f"UPnP: {error}") from error

    async def _outer_address(self) -> IPv4Address:
        """Return the outer address of the connection that is used from then on: of the first with a public one, else
        of the first with any.

        Routers list connections that are down, too: with 0.0.0.0, with no address, or without an answer.
        """
        found: dict[IPv4Address, UpnpService] = {}
        silent: NoRouter | None = None
        for connection in self._connections:
            try:
                told = await _call(connection, "GetExternalIPAddress")
                found.setdefault(IPv4Address(str(told["NewExternalIPAddress"])), connection)
            except NoRouter as error:
                silent = error
            except (UpnpActionError, ValueError):
                continue
        if not found and silent is not None:
            raise silent
        address = max(found, key=lambda each: (each.is_global, not each.is_unspecified), default=IPv4Address(0))
        if address.is_unspecified:
            # miniupnpd hides a private outer address, since no mapping to it would help.
            raise RouterRefused("UPnP: the gateway has no outer address", address)
        self._connection = found[address]
        return address

    async def _map(self, port: int, outside: int, own: str, seconds: int) -> int | None:
        """Map the outer port; return the seconds of the mapping, or None if the port is taken."""
        for lifetime in (seconds, 0):
            try:
                await _call(self._connection, "AddPortMapping", NewRemoteHost="", NewExternalPort=outside,
                            NewProtocol="TCP", NewInternalPort=port, NewInternalClient=own, NewEnabled=True,
                            NewPortMappingDescription=WORDS, NewLeaseDuration=lifetime)  # fmt: skip
            except UpnpActionError as error:
                if error.error_code in _CONFLICT:
                    return None
                if error.error_code not in _PERMANENT_ONLY or not lifetime:
                    raise
            else:
                return lifetime
        return None


class UpnpFirewall:
    """Gateway that lets IPv6 connections to `own`, an address of this computer, through its firewall."""

    def __init__(self, device: UpnpDevice, own: IPv6Address) -> None:
        """Raise NoRouter if it has no such firewall."""
        services = _services(device, _FIREWALL)
        if not services:
            raise NoRouter("UPnP: the gateway has no firewall for IPv6")
        self._firewall = services[0]
        self._own = own
        self._pinhole: int | None = None

    async def open(self, port: int, outside: int, seconds: int) -> Mapping:
        """Make or renew a pinhole, see `Router`; it has the same port inside and outside."""
        seconds = min(seconds, _LONGEST)
        try:
            if self._pinhole is not None:
                with contextlib.suppress(UpnpActionError):  # The router forgot it, perhaps in a restart.
                    await _call(self._firewall, "UpdatePinhole", UniqueID=self._pinhole, NewLeaseTime=seconds)
                    return Mapping(self._own, port, seconds)
            told = await _call(self._firewall, "AddPinhole", RemoteHost="", RemotePort=0, InternalClient=str(self._own),
                               InternalPort=port, Protocol=_TCP, LeaseTime=seconds)  # fmt: skip
        except UpnpActionError as error:
            raise RouterRefused(f"UPnP: {error}", self._own) from error
        self._pinhole = int(told["UniqueID"])
        return Mapping(self._own, port, seconds)

    async def close(self, port: int) -> None:
        """Remove the pinhole, see `Router`."""
        pinhole, self._pinhole = self._pinhole, None
        if pinhole is None:
            return
        try:
            await _call(self._firewall, "DeletePinhole", UniqueID=pinhole)
        except UpnpActionError as error:
            raise RouterError(f"UPnP: {error}") from error

"""One announcement on the local network (DNS-SD), said, changed and taken back. Only a beacon loads this, as late as it
can: the library may be missing."""

import secrets
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from zeroconf import InterfaceChoice
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from protocol.announcement import Announcement

TTL: Final = 60
"""Seconds that an announcement holds, if nobody says goodbye."""
BEAT: Final = 20
"""Times that the same is to be said until it is said again."""


class Light:
    """See the module's docstring. To be made in the loop that it lives in; raises OSError where the network does not
    carry it."""

    def __init__(self, service: str, port: int, interfaces: Sequence[str] | None) -> None:
        self._service, self._port = service, port
        self._name = f"conquest-{secrets.token_hex(6)}"
        self._zeroconf = AsyncZeroconf(interfaces=InterfaceChoice.All if interfaces is None else list(interfaces))
        self._mine: AsyncServiceInfo | None = None
        self._said: tuple[object, ...] = ()
        self._times = 0

    async def say(self, table: Announcement | None, addresses: Sequence[str]) -> None:
        """Tell everybody of that table at these addresses, or that there is none."""
        mine, said = self._mine, (table, *addresses)
        self._times += 1
        if table is None:
            self._mine = None
            if mine is not None:
                await (await self._zeroconf.async_unregister_service(mine))
        elif mine is None or said != self._said or self._times >= BEAT:
            self._said, self._times, self._mine = said, 0, self._info(table, addresses)
            tell = self._zeroconf.async_update_service if mine is not None else self._zeroconf.async_register_service
            await (await tell(self._mine))

    async def close(self) -> None:
        """Say goodbye."""
        await self._zeroconf.async_close()

    def _info(self, table: Announcement, addresses: Sequence[str]) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            self._service, f"{self._name}.{self._service}", self._port, server=f"{self._name}.local.",
            properties=dict(table.record()),
            addresses=[ip_address(address).packed for address in addresses], host_ttl=TTL, other_ttl=TTL,
        )  # fmt: skip

"""Announcement on the local network (DNS-SD): published, updated and withdrawn.

Only a beacon imports this module, as late as possible, because the library may be missing.
"""

import secrets
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from zeroconf import InterfaceChoice
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from protocol.announcement import Announcement

TTL: Final = 60
"""Seconds that an announcement is valid without a goodbye."""
BEAT: Final = 20
"""Number of identical announcements after which it is sent again."""


class Light:
    """DNS-SD service of this server.

    Create it in the event loop that uses it. Raises OSError if the network does not allow multicast.
    """

    def __init__(self, service: str, port: int, interfaces: Sequence[str] | None) -> None:
        self._service, self._port = service, port
        self._name = f"conquest-{secrets.token_hex(6)}"
        self._zeroconf = AsyncZeroconf(interfaces=InterfaceChoice.All if interfaces is None else list(interfaces))
        self._mine: AsyncServiceInfo | None = None
        self._said: tuple[object, ...] = ()
        self._times = 0

    async def say(self, table: Announcement | None, addresses: Sequence[str]) -> None:
        """Announce a table at these addresses, or withdraw the announcement if `table` is None."""
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
        """Withdraw the announcement and close the sockets."""
        await self._zeroconf.async_close()

    def _info(self, table: Announcement, addresses: Sequence[str]) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            self._service, f"{self._name}.{self._service}", self._port, server=f"{self._name}.local.",
            properties=dict(table.record()),
            addresses=[ip_address(address).packed for address in addresses], host_ttl=TTL, other_ttl=TTL,
        )  # fmt: skip

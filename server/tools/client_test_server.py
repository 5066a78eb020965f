"""Server that tests a client: it leads the client through the paths of SPEC.md and notes faults."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from protocol.limits import Close
from server.tools.client_test_player import PATHS, PlayerPaths
from server.tools.client_test_spectator import WATCHED, SpectatorPaths
from server.tools.client_test_table import TestTable
from server.tools.client_under_test import Fault, Gone, Silent, Stuck, Wire
from shared.kernel.ruleset import AnyRuleset


class Report(msgspec.Struct, frozen=True):
    """Result: the client's name for itself, the paths that it completed, and its faults."""

    client: str
    holds: bool
    walked: list[str]
    faults: list[Fault]
    missing: list[str]
    """Paths that were not reached."""
    watches: bool = False
    """Whether the client watched, in place of playing."""

    @property
    def paths(self) -> dict[str, str]:
        """The paths of such a client and their meanings."""
        return WATCHED if self.watches else PATHS


class ClientTestServer:
    """Test of one client."""

    def __init__(
        self, arrivals: asyncio.Queue[Wire], rulesets: dict[str, AnyRuleset], game: str, patience: float
    ) -> None:
        self.table = TestTable(arrivals, rulesets, game, patience)
        self.it = self.table.it

    async def examine(self, wait: float | None) -> Report:
        """Lead the client along all paths. Raises Silent if none connects within `wait` seconds."""
        await self.it.arrive(wait)
        walked: list[str] = []
        if await self._walk("greeting", self._greeting, walked) and await self._walk("table", self.table.enter, walked):
            await self._lead(walked)
        await self.it.wire.socket.close(Close.NORMAL)
        paths = WATCHED if self.table.watches else PATHS
        missing = [path for path in paths if path not in walked and path != self.it.path]
        return Report(self.table.client, not self.it.faults, walked, [*self.it.faults], missing, self.table.watches)

    async def _greeting(self) -> None:
        await self.table.greet()
        await self.it.barrier()

    async def _lead(self, walked: list[str]) -> None:
        """Lead a client that is at the table along the other paths."""
        names = WATCHED if self.table.watches else PATHS
        paths = SpectatorPaths(self.table) if self.table.watches else PlayerPaths(self.table)
        for name in [name for name in names if name not in walked]:
            if not await self._walk(name, paths.path(name), walked):
                return

    async def _walk(self, name: str, path: Callable[[], Awaitable[None]], walked: list[str]) -> bool:
        """Walk a path, and return whether the test can go on."""
        self.it.path = name
        try:
            await path()
        except Stuck:
            return False
        except Silent:
            self.it.fault("silent", f"It said nothing for {self.it.patience:g} seconds, and something was its turn.")
            return False
        except Gone as gone:
            self.it.fault("gone", f"It closed the connection (code {gone.code}).")
            return False
        walked.append(name)
        return True

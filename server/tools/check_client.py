"""Command `check-client`: a server that tests clients under development."""

import argparse
import asyncio
import errno
import sys
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve

from protocol.limits import MAX_TO_SERVER, Close
from protocol.process import stopping
from server.tools.client_test_player import PATHS, WATCHED, PlayerPaths, SpectatorPaths
from server.tools.client_test_table import TestTable
from server.tools.client_under_test import Fault, Gone, Silent, Stuck, Wire
from server.tools.serve import PORTS, between, host_alone
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS

HOLDS: Final = 0
WRONG: Final = 1
NO_CLIENT: Final = 2
STATUS: Final = (
    "Exit status: 0 if all was right; 1 if an error was found, or a path was not reached; 2 if no client connected, or "
    "the port is taken."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `check-client`."""
    parser.epilog = STATUS
    parser.add_argument("--host", type=host_alone, default="127.0.0.1", help="address to listen on")
    parser.add_argument(
        "--port", type=between(0, PORTS), default=8600, help="port to listen on; 0: any free one (default: 8600)"
    )
    parser.add_argument(
        "--game", choices=list(RULESETS), default="classic", help="game of the tables that a client joins"
    )
    parser.add_argument(
        "--patience", type=float, default=10.0, metavar="SECONDS", help="time limit for each answer of the client"
    )
    parser.add_argument(
        "--wait", type=float, metavar="SECONDS", help="time limit for the client to connect (default: none)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Test one client and return the exit status. Raises OSError if the port is taken."""
    try:
        report = stopping.run(examined(args, _say_where))
    except OSError as error:
        what = "that port is taken" if error.errno == errno.EADDRINUSE else "this computer has no such address"
        raise OSError(error.errno, f"cannot listen on {args.host}:{args.port}: {what}; give another one") from error
    if report is None:
        print("conquest-server: no client connected; start it, or raise --wait.", file=sys.stderr)
        return NO_CLIENT
    print(msgspec.json.encode(report).decode() if args.json else "\n".join(lines(report)))
    return HOLDS if report.holds else WRONG


def _say_where(address: str) -> None:
    print(f"conquest-server tests a client on {address}: any table, any code.", file=sys.stderr, flush=True)


class ClientReport(msgspec.Struct, frozen=True):
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

    async def examine(self, wait: float | None) -> ClientReport:
        """Lead the client along all paths. Raises Silent if none connects within `wait` seconds."""
        await self.it.arrive(wait)
        walked: list[str] = []
        if await self._walk("greeting", self._greeting, walked) and await self._walk("table", self.table.enter, walked):
            await self._lead(walked)
        await self.it.wire.socket.close(Close.NORMAL)
        paths = WATCHED if self.table.watches else PATHS
        missing = [path for path in paths if path not in walked and path != self.it.path]
        return ClientReport(
            self.table.client, not self.it.faults, walked, [*self.it.faults], missing, self.table.watches
        )

    async def _greeting(self) -> None:
        await self.table.greet()
        await self.it.barrier()

    async def _lead(self, walked: list[str]) -> None:
        """Lead a client that is at the table along the other paths."""
        names = WATCHED if self.table.watches else PATHS
        paths = SpectatorPaths(self.table) if self.table.watches else PlayerPaths(self.table)
        for name in [name for name in names if name not in walked]:
            if not await self._walk(name, getattr(paths, f"_{name}"), walked):
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


async def examined(args: argparse.Namespace, ready: Callable[[str], object]) -> ClientReport | None:
    """Return the report on a client, or None if none connected; call `ready` with the address once it can."""
    arrivals: asyncio.Queue[Wire] = asyncio.Queue()

    async def met(socket: ServerConnection) -> None:
        wire = Wire(socket)
        arrivals.put_nowait(wire)
        await wire.run()

    serving = serve(
        met, args.host, args.port, compression=None, max_size=MAX_TO_SERVER, ping_interval=None, close_timeout=1
    )
    async with serving as server:
        ready(_address(server))
        try:
            return await ClientTestServer(arrivals, RULESETS, args.game, args.patience).examine(args.wait)
        except Silent:
            return None


def _address(server: Server) -> str:
    host, port = next(iter(server.sockets)).getsockname()[:2]
    return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"


def lines(report: ClientReport) -> list[str]:
    """Return the result in words."""
    said = [f"The client {report.client!r}:"]
    for path, meaning in report.paths.items():
        said += _lines(report, path, meaning)
    wrong = len(report.faults)
    return [
        *said,
        "No errors." if report.holds else f"{wrong} error{'' if wrong == 1 else 's'}.",
    ]


def _lines(report: ClientReport, path: str, meaning: str) -> list[str]:
    found = [f"  WRONG  {path}, {fault.fault}: {fault.text}" for fault in report.faults if fault.path == path]
    if found:
        return found
    return [f"  {'right' if path in report.walked else '-    '}  {path}: {meaning}"]

"""Cost of matches that were begun and abandoned: `python -m tests.bench.bench_abandoned --matches 400`.

A stranger holds two seats with a clock of one second, starts the match and disconnects. The yardstick, in the same run,
is the server before: its share of a core, and its time to answer `Ping`. "fresh": while the first decisions are taken
for the absent players. "resting": 15 seconds later; so many matches rest in the end. Prints one JSON object."""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from server.opening import open_store
from shared.messages import Create, Done, Join, Ping, Pong, Seated, Start
from shared.tables import Pace, Run
from tests.faults.process import Process, resident
from tests.server.fakes import Client

FAST: Final = Pace(Run.LIVE, 1)
BETWEEN: Final = 0.05
"""Seconds between two pings: a client may send 30 messages a second."""


def spent(pid: int) -> float:
    """Seconds of a processor that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(server: Process, client: Client, seconds: float) -> dict[str, float]:
    """The share of a core, and the times of pings in milliseconds."""
    pid, times = server.process.pid, []
    began, before = time.monotonic(), spent(server.process.pid)
    while time.monotonic() - began < seconds:
        asked = time.perf_counter()
        await client.ask(Ping, Pong)
        times.append(1000 * (time.perf_counter() - asked))
        await asyncio.sleep(BETWEEN)
    share = (spent(pid) - before) / (time.monotonic() - began)
    return {
        "core_percent": round(100 * share, 2),
        "p50_ms": round(statistics.median(times), 2),
        "p99_ms": round(statistics.quantiles(times, n=100)[98], 2),
        "resident_mib": round(resident(pid), 1),
    }


async def abandon(url: str, game: str) -> None:
    """Begin a match on two seats, and go without a word."""
    host, guest = await Client(url, "Nero").open(), await Client(url, "Otho").open()
    match = (await host.ask(lambda ref: Create(ref, game, 2, {}, "t", pace=FAST), Seated)).match
    await guest.ask(lambda ref: Join(ref, match), Seated)
    await host.ask(Start, Done)
    host.cut()
    guest.cut()


async def resting(data: Path) -> int:
    """Return the number of resting matches, by the server's stored data."""
    store = await open_store("", data)
    kept = [await store.look(match) for match in await store.unfinished()]
    await store.close()
    return sum(glance is not None and glance.table.rested > 0 for glance in kept)


async def run(matches: int, seconds: float, settled: float, game: str, home: Path) -> dict[str, object]:
    """Measure all; see `main`."""
    found: dict[str, object] = {"matches": matches, "load": os.getloadavg()[0]}
    server = Process(home)
    await server.start()
    try:
        client = await Client(server.url, "Livia").open()
        found["before"] = await measure(server, client, seconds)
        for _ in range(matches):
            await abandon(server.url, game)
        found["fresh"] = await measure(server, client, min(3.0, seconds))
        await measure(server, client, settled)
        found["resting"] = await measure(server, client, seconds)
    finally:
        await server.kill()
    found["resting_matches"] = await resting(home)
    return found


def main() -> None:
    """Measure, and print the result."""
    parser = argparse.ArgumentParser("tests.bench.bench_abandoned", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--matches", type=int, default=400, help="how many (default: 400)")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each part is measured (default: 15)")
    parser.add_argument("--settled", type=float, default=15.0, help="seconds in which all come to rest (default: 15)")
    parser.add_argument("--game", default="mb1984", help="the rule set (default: mb1984)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        print(json.dumps(asyncio.run(run(args.matches, args.seconds, args.settled, args.game, Path(home))), indent=1))


if __name__ == "__main__":
    main()

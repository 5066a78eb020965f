"""Cost of shutting down a busy node: `python -m tests.bench.bench_drain --tables 1411`.

Three servers on PostgreSQL and NATS. The first one runs `--tables` tables, some of them with their hosts at them, and a
match that three people play, each at another server. Then the first server gets SIGTERM. Prints one JSON object:

- pause: the longest time without an accepted action in the match in play, in seconds;
- free: seconds until the database names that server as the owner of no table;
- ended, status: seconds until its process has ended, and its exit status;
- left: tables that the database still names as its own then.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import asyncpg
from msgspec import Struct

from protocol.process import stopping
from server.connections import event_loop
from server.tools.nodes import Node
from server.tools.serve import raise_file_limit
from shared.messages import Create, Done, Seated, SetBot, Snapshot, Start
from shared.rulesets.registry import ruleset
from tests.bench.bench_cluster import running
from tests.faults.party import PEOPLE, Host, Party, Viewer, gathered

RULES: Final = ruleset("classic")
AT_ONCE: Final = 8
"""Tables that are made side by side."""
WARM: Final = 10
"""Actions before the server ends, and after it."""
LOOK: Final = 0.02
"""Seconds between two looks at the database."""
PATIENCE: Final = 60.0
"""Seconds after which the measurement gives up."""


class At(Struct, frozen=True):
    """A server, by its address."""

    url: str


class Places(Struct, frozen=True):
    """The servers, as clients know them."""

    nodes: Sequence[Host]


class Waiter(Viewer):
    """Host of a table whose match waits for their decision, which never comes."""

    async def begin(self) -> None:
        """Make the table, with a bot on the other seat, and start."""
        await self._connect()
        client = self.client
        await client.ask(lambda ref: Create(ref, RULES.id, 2, {}, self.name, seat=0), Seated)
        await client.ask(lambda ref: SetBot(ref, 1, "random"), Done)
        await client.say(Start)
        await client.wait_for(Snapshot)


async def wait(urls: Sequence[str], tables: int, people: int) -> None:
    """Let the first server run so many tables, then say so; the hosts of so many stay for ever."""
    places, numbers, staying = Places([At(url) for url in urls]), iter(range(tables)), list[Waiter]()
    await asyncio.gather(*(_make(places, numbers, people, staying) for _ in range(AT_ONCE)))
    lives = [asyncio.create_task(waiter.live()) for waiter in staying]
    while not all(waiter.synced for waiter in staying):
        await asyncio.sleep(LOOK)
    print("ready", flush=True)
    await asyncio.gather(*lives)


async def _make(places: Places, numbers: Iterator[int], people: int, staying: list[Waiter]) -> None:
    for number in numbers:
        waiter = Waiter(places, f"Host {number}", 0)
        await waiter.begin()
        waiter.cut()
        if number < people:
            staying.append(waiter)


@asynccontextmanager
async def _waiting(nodes: Sequence[Node], tables: int, people: int) -> AsyncIterator[None]:
    """Tables on the first server. Their hosts are a process of their own: they come back in their own time."""
    command = (sys.executable, "-m", "tests.bench.bench_drain", "--wait", *(node.address for node in nodes))
    process = await asyncio.create_subprocess_exec(
        *command, "--tables", str(tables), "--people", str(people), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"
    try:
        yield
    finally:
        process.kill()
        await process.wait()


async def _free(line: "asyncpg.Connection[asyncpg.Record]", node: Node) -> float:
    """Wait until no table is that server's; when that was."""
    async with asyncio.timeout(PATIENCE):
        while await _owned(line, node.name):
            await asyncio.sleep(LOOK)
    return time.monotonic()


async def _owned(line: "asyncpg.Connection[asyncpg.Record]", node: str) -> int:
    return int(await line.fetchval("SELECT count(*) FROM matches WHERE owner = $1", node))


async def _slow(line: "asyncpg.Connection[asyncpg.Record]", milliseconds: float) -> None:
    """Let every commit take that much longer, as on a slow disk."""
    for setting, value in (("commit_delay", round(milliseconds * 1000)), ("commit_siblings", 0)):
        await line.execute(f"ALTER SYSTEM SET {setting} = {value}")
    await line.execute("SELECT pg_reload_conf()")


async def measure(home: Path, tables: int, people: int, commit: float) -> dict[str, Any]:
    """End a server with so many tables, of which so many have their hosts at them; a commit takes `commit` ms more."""
    async with running(home, PEOPLE) as (found, nodes):
        places = Places([At(node.address) for node in nodes])
        party = await gathered(places, RULES, random.Random(1), bot=False)
        try:
            async with _waiting(nodes, tables, people):
                await party.all_here()
                await party.more(WARM)
                return await _drained(found.store, nodes[0], party, commit)
        finally:
            await party.end()


async def _drained(store: str, node: Node, party: Party, commit: float) -> dict[str, Any]:
    line, looking = await asyncpg.connect(store), await asyncpg.connect(store)
    await _slow(line, commit)
    await party.more(WARM)
    owned, began = await _owned(line, node.name), time.monotonic()
    free = asyncio.create_task(_free(looking, node))
    await node.stop()
    ended, left = time.monotonic(), await _owned(line, node.name)
    async with asyncio.timeout(PATIENCE):
        await party.more(WARM, ended)
    freed = await free
    for each in (line, looking):
        await each.close()
    wrong = list(itertools.chain.from_iterable(viewer.wrong for viewer in party.viewers))
    return {
        "owned": owned,
        "pause": round(party.pause_since(began), 2),
        "free": round(freed - began, 2),
        "ended": round(ended - began, 2),
        "status": node.status,
        "left": left,
        "wrong": wrong,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wait", nargs="*", default=(), help=argparse.SUPPRESS)
    parser.add_argument("--tables", type=int, default=1411)
    parser.add_argument("--people", type=int, default=200, help="tables whose hosts stay (default: 200)")
    parser.add_argument(
        "--commit", type=float, default=0.0, help="milliseconds that a commit takes longer (default: 0)"
    )
    parser.add_argument("--data", type=Path, default=None, help="a directory on the disk that is meant")
    args = parser.parse_args()
    raise_file_limit()
    if args.wait:
        return stopping.run(wait(args.wait, args.tables, args.people), event_loop.chosen(event_loop.AUTO))
    with tempfile.TemporaryDirectory(prefix="conquest-bench-", dir=args.data) as home:
        measured = measure(Path(home), args.tables, args.people, args.commit)
        found = stopping.run(measured, event_loop.chosen(event_loop.AUTO))
    print(json.dumps(found | {"load": [round(each, 1) for each in os.getloadavg()]}, indent=2))
    return None


if __name__ == "__main__":
    main()

"""Six players under attack by strangers: `python -m tests.faults.floods --seconds 10`, about half an hour.

Server, players and attackers are processes in a network namespace in which every address of 198.18.0.0/15 is this
machine. No client is on loopback, so all limits are those for strangers. It needs Linux with `unshare` and `ip`, not
root.

The time from Act to Accepted is measured. Attackers need a processor too. Therefore each attack is also made on a
second server without players ("elsewhere"): a slowdown then comes from the machine, not from our server. The server has
one processor; everything else has another, attackers and the second server with the least priority.

An attack counts as resisted under these conditions: 99 of 100 acts take at most 10 ms longer than quiet with one
attacker, 50 ms with fifty; all players who drop can return. If it fails but costs as much elsewhere, the result is
unclear: measure again on a quieter machine."""

import argparse
import asyncio
import contextlib
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from server.connections import event_loop
from shared.rulesets.classic.definition import CLASSIC
from tests.faults.attacks import ATTACKS, Attack, Deeds
from tests.faults.process import Person, Process, begun

HOST: Final = "198.18.0.1"
SEATS: Final = 6
STRANGERS: Final = tuple([f"198.18.1.{seat + 1}" for seat in range(SEATS)])
"""Where the players come from."""
ALLOWED: Final = {1: 0.010, 50: 0.050}
"""Seconds by which a number of attackers may slow the players down."""
FAILS: Final = "FAILS"
PATIENCE: Final = 10.0
"""Seconds after which a client gives up waiting for an answer."""
SETTLING: Final = 3.0
"""Seconds that an attack goes on beside its measurement: to begin, and for all to drop and come back."""


class Measured(Struct):
    """Times of acts in seconds, sorted."""

    times: list[float]

    @property
    def p99(self) -> float:
        """The time that 99 of 100 acts stay below."""
        return self.times[int(len(self.times) * 0.99)] if self.times else PATIENCE


class Row(Struct):
    """Result of one attack: `times` during it, `quiet` before, `elsewhere` while it went against another server.

    back: the longest time in seconds that a dropped player took to return to their seat. log: bytes."""

    name: str
    attackers: int
    allowed: float
    quiet: Measured
    elsewhere: Measured
    times: Measured
    back: float
    deeds: Deeds
    log: int

    @property
    def limit(self) -> float:
        """Longest allowed time of the 99th of 100 acts."""
        return self.quiet.p99 + self.allowed

    @property
    def verdict(self) -> str:
        """Whether the players hardly noticed; "unclear" where they noticed as much of an attack elsewhere."""
        if self.back >= PATIENCE or self.times.p99 > max(self.limit, self.elsewhere.p99 + self.allowed):
            return FAILS
        return "holds" if self.times.p99 <= self.limit else "unclear"


class Six:
    """Six people at a table, whose acts are timed."""

    people: list[Person]

    def __init__(self, url: str, seed: int, sources: Sequence[str] = STRANGERS) -> None:
        self._url = url
        self._sources = sources
        self._rng = random.Random(seed)
        self._heard = asyncio.Event()
        self._listening: list[asyncio.Task[None]] = []

    async def sit_down(self) -> None:
        """In a match that begins."""
        self.people = await begun(self._url, CLASSIC, SEATS, self._rng.getrandbits(32), self._sources)
        self._listening = [asyncio.create_task(self._listen(person)) for person in self.people]
        self._actor = self.people[0]

    @property
    def match(self) -> str:
        """Match that the players are at."""
        return self.people[0].client.session.match

    async def play(self, seconds: float) -> Measured:
        """Act about thirty times a second, one after the other, for so long; after a match comes the next."""
        times = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.people[0].progress.over:
                await self.get_up()
                await self.sit_down()
            await asyncio.sleep(self._rng.uniform(0.01, 0.03))
            times += await self._act()
        return Measured(sorted(times))

    async def return_all(self) -> float:
        """Disconnect and reconnect all players, one after the other; return the longest time that it took."""
        return max([await self._return(seat) for seat in range(SEATS)])

    async def get_up(self) -> None:
        """Disconnect all people."""
        for task in self._listening:
            task.cancel()
        for person in self.people:
            person.client.cut()

    async def _listen(self, person: Person) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                with contextlib.suppress(TimeoutError):
                    await person.hear()
                self._heard.set()

    async def _act(self) -> list[float]:
        """Act once for a player who owes a decision; return the time until it was accepted."""
        for person in (self._actor, *self.people):
            data = person.decide()
            if data:
                self._actor = person
                return await self._say(person, data)
        return []

    async def _say(self, person: Person, data: bytes) -> list[float]:
        began = time.perf_counter()
        await person.client.socket.send(data)
        await self._until_answered(person)
        taken = time.perf_counter() - began
        was_refused = not person.client.session.pending and max(person.sent) not in person.acknowledged
        return [] if was_refused else [taken]

    async def _until_answered(self, person: Person) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while person.client.session.pending:
                    self._heard.clear()
                    await self._heard.wait()

    async def _return(self, seat: int) -> float:
        person = self.people[seat]
        self._listening[seat].cancel()
        person.client.cut()
        began = time.perf_counter()
        while time.perf_counter() - began < PATIENCE:
            with contextlib.suppress(ConnectionClosed, OSError, TimeoutError):
                await self._come_back(person)
                self._listening[seat] = asyncio.create_task(self._listen(person))
                return time.perf_counter() - began
        return PATIENCE

    @staticmethod
    async def _come_back(person: Person) -> None:
        async with asyncio.timeout(PATIENCE):
            await person.client.open()
            while not person.synced:
                await person.hear()


@contextmanager
def processor(which: int) -> Iterator[None]:
    """Run the processes that are started inside on that processor, if there are several."""
    if not hasattr(os, "sched_setaffinity") or (os.cpu_count() or 1) < 2:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {which})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@asynccontextmanager
async def served(
    directory: Path, name: str, loop: str, core: int, priority: int = 0
) -> AsyncIterator[tuple[str, Path]]:
    """A server of its own on that loop: host:port, and where its log is. `priority` 19 is the least."""
    told = directory / f"{name}.log"
    with told.open("wb") as log, processor(core):
        server = Process(directory / name, "--host", HOST, "--loop", loop, log=log.fileno())
        await server.start()
    for thread in Path(f"/proc/{server.process.pid}/task").iterdir():
        # In a network of our own nothing may run before what started it.
        least = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, int(thread.name), max(priority, least))
    try:
        yield server.url.removeprefix("ws://"), told
    finally:
        await server.kill()


@asynccontextmanager
async def attacked(
    attack: Attack, target: str, first: int, attackers: int, match: str, seconds: float
) -> AsyncIterator[list[Deeds]]:
    """Inside the attack is going on; afterwards the list holds what was done. It ends by itself."""
    swarm = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.attacks", attack.name, "--target", target, "--match", match),
        *("--attackers", str(attackers), "--first", str(first), "--seconds", str(seconds)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert swarm.stdout is not None
    await swarm.stdout.readline()
    found: list[Deeds] = []
    try:
        yield found
    finally:
        rest, _ = await swarm.communicate()
        found.append(msgspec.json.decode(rest, type=Deeds))


class Arena:
    """Network in which all attacks take place. Every attacker has a new address."""

    def __init__(self, seconds: float, loop: str) -> None:
        self._seconds = seconds
        self._loop = loop
        self._addresses = 0

    async def rows(self, attack: Attack, counts: list[int]) -> AsyncIterator[Row]:
        """An attack with so many attackers, and with as many more."""
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            async with (
                served(directory, "server", self._loop, 0) as (target, log),
                served(directory, "other", self._loop, 1, 19) as (other, _),
            ):
                for count in counts:
                    six = Six(f"ws://{target}", seed=count)
                    await six.sit_down()
                    yield await self._row(attack, count, six, target, other, log)
                    await six.get_up()

    async def _row(self, attack: Attack, count: int, six: Six, target: str, other: str, log: Path) -> Row:
        attackers = attack.attackers or count
        quiet = await six.play(self._seconds)
        async with self._attacked(attack, other, attackers, six.match):
            elsewhere = await six.play(self._seconds)
        before = log.stat().st_size
        async with self._attacked(attack, target, attackers, six.match) as deeds:
            times = await six.play(self._seconds)
            back = await six.return_all()
        allowed = ALLOWED[1] if attackers == 1 else ALLOWED[50]
        written = log.stat().st_size - before
        return Row(attack.name, attackers, allowed, quiet, elsewhere, times, back, deeds[0], written)

    def _attacked(
        self, attack: Attack, target: str, attackers: int, match: str
    ) -> contextlib.AbstractAsyncContextManager[list[Deeds]]:
        first = self._addresses
        self._addresses += attackers
        seconds = self._seconds + min(SETTLING, 2 * self._seconds)
        return attacked(attack, target, first, attackers, match, seconds)


HEAD: Final = (
    f"{'attack':<40}{'by':>4}{'quiet':>8}{'elsewhere':>11}{'p50':>8}{'p99':>8}{'limit':>8}{'back':>8}"
    f"{'tried':>9}{'heard':>8}{'MiB':>7}{'log KiB':>9}"
)


def line(row: Row) -> str:
    """A row of the table; times in ms."""
    quiet, elsewhere, limit, p99 = (
        1000 * time for time in (row.quiet.p99, row.elsewhere.p99, row.limit, row.times.p99)
    )
    middle = 1000 * statistics.median(row.times.times or [PATIENCE])
    return (
        f"{row.name:<40}{row.attackers:>4}{quiet:>8.1f}{elsewhere:>11.1f}{middle:>8.1f}{p99:>8.1f}{limit:>8.1f}"
        f"{1000 * row.back:>8.0f}{row.deeds.tried:>9}{row.deeds.answered:>8}{row.deeds.bytes / 2**20:>7.1f}"
        f"{row.log / 1024:>9.1f}  {row.verdict}"
    )


async def measure(chosen: list[Attack], counts: list[int], seconds: float, loop: str) -> list[Row]:
    """All rows, each told as soon as it is known."""
    arena = Arena(seconds, loop)
    rows = []
    print("Times in ms. by: attackers; back: to return to a seat; tried, heard: connections; log: of the server.")
    print(HEAD, flush=True)
    for attack in chosen:
        wanted = counts[:1] if attack.attackers else counts
        async for row in arena.rows(attack, wanted):
            rows.append(row)
            print(line(row), flush=True)
    return rows


def can_enter() -> bool:
    """Whether this machine lets us have a network of our own."""
    tools = shutil.which("unshare") and shutil.which("ip")
    return bool(tools) and subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode == 0


def enter(arguments: list[str]) -> list[str]:
    """The command that does the same in a network of its own."""
    network = "ip link set lo up && ip route add local 198.18.0.0/15 dev lo"
    command = [sys.executable, "-m", "tests.faults.floods", "--inside", *arguments]
    return ["unshare", "-rn", "sh", "-c", f'{network} && exec "$@"', "sh", *command]


def main() -> int:
    """Attack, print the table; 1 where an attack does not hold."""
    parser = argparse.ArgumentParser("tests.faults.floods", description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement (default: 10)")
    parser.add_argument("--attackers", type=int, nargs="*", default=[1, 50], help="how many (default: 1 and then 50)")
    parser.add_argument("--only", default="", help="attacks whose names contain this")
    parser.add_argument("--loop", default=event_loop.AUTO, help="of the servers, as of `serve` (default: auto)")
    parser.add_argument("--json", action="store_true", help="print all that was measured too, as the last line")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.inside:
        if not can_enter():
            print(
                "This needs Linux with `unshare` and `ip`, and the right to have a network of one's own.",
                file=sys.stderr,
            )
            return 2
        return subprocess.call(enter(sys.argv[1:]))
    chosen = [attack for attack in ATTACKS if args.only in attack.name]
    with processor(1):
        rows = asyncio.run(measure(chosen, args.attackers, args.seconds, args.loop))
    if args.json:
        print(msgspec.json.encode(rows).decode())
    verdicts = [row.verdict for row in rows]
    print(", ".join(f"{verdicts.count(word)} {word}" for word in sorted(set(verdicts))), file=sys.stderr)
    return 1 if FAILS in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())

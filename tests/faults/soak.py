"""Long run in which people and bots play, join, leave, drop and return: `python -m tests.faults.soak --minutes 60`.

A real server has always the same number of tables, with one match after the other, of all rule sets. Afterwards its
memory must have grown by less than 1 MiB an hour since it was warm. It must have as many open files as then. No error
may have been logged, and no client's view may have been wrong. Linux only."""

import argparse
import asyncio
import contextlib
import itertools
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from shared.messages import Create, Done, Join, Leave, Say, Seated, SetBot, Snapshot, Start, Watch
from shared.rulesets.registry import RULESETS, ruleset
from tests.faults.process import Person, Process, Progress, resident
from tests.server.fakes import Client

ALLOWED: Final = 1.0
"""MiB an hour."""
WARM: Final = 0.3
"""Share of the time after which nothing may grow: finished matches stay in memory for minutes."""
LENGTH: Final = 150
"""Actions after which people leave a match."""
TABLES: Final = 6
SAMPLE: Final = 5.0
"""Seconds between two looks at the server."""


class Sample(Struct, frozen=True):
    """State of the server: hours since the beginning, MiB of memory, MiB of its bots, open files, open sockets."""

    at: float
    memory: float
    bots: float
    files: int
    sockets: int


class Tally(Struct):
    """Counters of a run, and its faults."""

    matches: int = 0
    actions: int = 0
    returns: int = 0
    wrong: list[str] = []


class Evening:
    """Match with its clients, from the first join to the last leave."""

    def __init__(self, url: str, rng: random.Random, tally: Tally) -> None:
        self._url = url
        self._rng = rng
        self._tally = tally
        self._progress = Progress()
        self._rules = ruleset(rng.choice(list(RULESETS)))
        self._seats = rng.randint(2, 4)
        self._people = [self._person(seat) for seat in range(rng.randint(1, self._seats))]
        self._match = ""

    async def pass_by(self) -> None:
        """Play the match from its start to the end."""
        onlookers: list[asyncio.Task[None]] = []
        try:
            await self._sit_down()
            onlookers += [asyncio.create_task(self._look_on()) for _ in range(self._rng.randint(0, 2))]
            await asyncio.gather(*(self._live(person) for person in self._people))
        finally:
            for task in onlookers:
                task.cancel()
            await asyncio.gather(*onlookers, return_exceptions=True)
            for person in self._people:
                _cut(person.client)
        self._tally.matches += 1
        self._tally.actions += self._progress.sent
        self._tally.wrong += ["somebody was served badly" for person in self._people if _errs(person)]

    def _person(self, seat: int) -> Person:
        rng = random.Random(self._rng.getrandbits(32))
        return Person(self._url, f"Person {seat}", self._rules, rng, self._progress)

    async def _sit_down(self) -> None:
        host = self._people[0].client
        await host.open()
        create = Create(1, self._rules.id, self._seats, {}, "Soak", think=self._rng.choice((0, 60)), takeover=1)
        self._match = (await host.ask(lambda ref: _numbered(create, ref), Seated)).match
        for person in self._people[1:]:
            await person.client.open()
            await person.client.ask(lambda ref: Join(ref, self._match), Seated)
        for seat in range(len(self._people), self._seats):
            await host.ask(lambda ref, seat=seat: SetBot(ref, seat, "greedy"), Done)  # type: ignore[misc]
        await host.say(Start)
        for person in self._people:
            await person.client.wait_for(Snapshot)

    async def _live(self, person: Person) -> None:
        """Play, chat, drop and reconnect; leave at last."""
        while not self._progress.over and self._progress.sent < LENGTH:
            with contextlib.suppress(TimeoutError):
                await self._do_something(person)
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            if person.rng.random() < 0.5:
                await person.client.say(Leave)
                while person.client.session.match:
                    await person.hear()

    async def _do_something(self, person: Person) -> None:
        try:
            if person.rng.random() < 0.01:
                await self._come_back(person)
            if person.rng.random() < 0.01:
                await person.client.say(lambda ref: Say(ref, "Ave!"))
            if await person.play():
                await asyncio.sleep(person.rng.uniform(0.0, 0.1))
            await person.hear()
        except ConnectionClosed:
            await self._come_back(person)

    async def _come_back(self, person: Person) -> None:
        person.client.cut()
        await asyncio.sleep(person.rng.choice((0.0, 0.1, 2.0)))
        await person.client.open()
        while not person.synced:
            await person.hear()
        self._tally.returns += 1

    async def _look_on(self) -> None:
        """Watch the match, leave, and come again."""
        while True:
            client = Client(self._url, "Onlooker")
            try:
                await client.open()
                await client.ask(lambda ref: Watch(ref, self._match), Done)
                for _ in range(self._rng.randint(1, 60)):
                    await client.next()
            except (TimeoutError, ConnectionClosed):
                continue
            finally:
                _cut(client)


def _cut(client: Client) -> None:
    """Close a connection, if there is one."""
    if hasattr(client, "socket"):
        client.cut()


def _numbered(create: Create, ref: int) -> Create:
    return Create(ref, *(getattr(create, field) for field in create.__struct_fields__[1:]))


def _errs(person: Person) -> bool:
    """Whether a client's view was wrong, or a request was refused as a server error."""
    return bool(person.client.session.mismatches) or any(each.code == "server-error" for each in person.refused)


def _of_the_network(pid: int) -> set[str]:
    """Return all sockets but those to the server's own processes, which exist from the first bot's decision on."""
    tables = (Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:] for name in ("tcp", "tcp6"))
    return {f"socket:[{row.split()[9]}]" for table in tables for row in table}


def sample(pid: int, began: float) -> Sample:
    """Return the present state of the server."""
    files, sockets, lines = 0, 0, _of_the_network(pid)
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            where = str(link.readlink())
            sockets, files = sockets + (where in lines), files + (not where.startswith("socket:"))
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    bots = sum(resident(int(child)) for child in children)
    return Sample((time.monotonic() - began) / 3600, resident(pid), bots, files, sockets)


def slope(samples: Sequence[Sample], of: Callable[[Sample], float]) -> float:
    """Return the growth in an hour: the median over pairs of distant samples."""
    half = len(samples) // 2
    pairs = zip(samples[:half], samples[-half:], strict=True)
    return statistics.median([(of(late) - of(early)) / (late.at - early.at) for early, late in pairs]) if half else 0.0


def judged(samples: Sequence[Sample], allowed: float = ALLOWED) -> list[str]:
    """Return the faults of the server's memory and files since it was warm."""
    warm = samples[int(len(samples) * WARM) :]
    wrong = []
    for name, grows in (("server", slope(warm, lambda s: s.memory)), ("bots", slope(warm, lambda s: s.bots))):
        print(f"memory of the {name}: {grows:+.2f} MiB an hour")
        if grows > allowed:
            wrong.append(f"the {name}'s memory grows by {grows:.2f} MiB an hour")
    files = sorted({each.files for each in warm})
    print(f"open files beside sockets: {files}")
    third = len(warm) // 3
    if third and statistics.median([s.files for s in warm[-third:]]) > statistics.median(
        [s.files for s in warm[:third]]
    ):
        wrong.append(f"files stay open: {files}")
    return wrong


async def soak(seconds: float, seed: int, tables: int = TABLES) -> tuple[list[Sample], Tally]:
    """Run for so many seconds; return the samples of the server, and the counters."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        told = Path(name) / "log"
        with told.open("wb") as log:
            server = Process(Path(name) / "data", "--bot-pace", "0.05", log=log.fileno())
            await server.start()
            try:
                samples = await _evenings(server, seconds, seed, tables, tally)
            finally:
                await server.kill()
        tally.wrong += [line for line in told.read_text().splitlines() if '"level": "error"' in line][:5]
    return samples, tally


async def _evenings(server: Process, seconds: float, seed: int, tables: int, tally: Tally) -> list[Sample]:
    began = time.monotonic()
    pid = server.process.pid
    before = sample(pid, began)

    async def one_after_the_other(number: int) -> None:
        for count in itertools.count():
            try:
                await Evening(server.url, random.Random(f"{seed}:{number}:{count}"), tally).pass_by()
            except Exception as error:
                tally.wrong.append(f"an evening ended with {error!r}")

    going = [asyncio.create_task(one_after_the_other(number)) for number in range(tables)]
    samples = []
    while time.monotonic() - began < seconds and not tally.wrong:
        await asyncio.sleep(min(SAMPLE, seconds / 10))
        samples.append(sample(pid, began))
        _tell(samples, tally)
    for task in going:
        task.cancel()
    await asyncio.gather(*going, return_exceptions=True)
    await _all_gone(pid, before, began, tally)
    return samples


async def _all_gone(pid: int, before: Sample, began: float, tally: Tally) -> None:
    """Wait until the server has noticed by their silence that clients are gone."""
    for _ in range(60):
        if sample(pid, began).sockets <= before.sockets:
            return
        await asyncio.sleep(0.5)
    tally.wrong.append(f"{sample(pid, began).sockets} sockets are open, {before.sockets} were before anybody came")


def _tell(samples: Sequence[Sample], tally: Tally) -> None:
    if len(samples) % 12 == 1:
        last = samples[-1]
        print(
            f"{last.at * 60:6.1f} min  {last.memory:6.1f} MiB, bots {last.bots:6.1f} MiB, {last.files} files, "
            f"{last.sockets} sockets; {tally.matches} matches, {tally.actions} actions, {tally.returns} returns",
            flush=True,
        )


def main() -> int:
    """Run the soak test."""
    parser = argparse.ArgumentParser("tests.faults.soak", description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"at a time (default: {TABLES})")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    samples, tally = asyncio.run(soak(args.minutes * 60, args.seed, args.tables))
    print(f"{tally.matches} matches, {tally.actions} actions of people, {tally.returns} returns to a seat.")
    wrong = [*tally.wrong, *judged(samples)]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

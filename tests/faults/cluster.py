"""Fault injection for a cluster: `python -m tests.faults.cluster --minutes 30 --seed 1`.

Three servers on a real PostgreSQL and a real NATS; people play and watch at all of them. Meanwhile servers are killed,
suspended, cut off and updated, engines are restarted, packets get lost and disks are full. Afterwards everything that
clients saw is compared with the stored data, and their pauses with those that are promised. Lost packets and full disks
need Linux and root, since the program then has a network and file systems of its own."""

import argparse
import asyncio
import contextlib
import math
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import asyncpg
import msgspec
from msgspec import Struct

from shared.rulesets.registry import RULESETS, ruleset
from tests.faults.judges import Verdict, judged, look_at_talk
from tests.faults.nodes import Node, World, world
from tests.faults.party import Party, gathered
from tests.faults.sabotage import BUGS
from tests.faults.surroundings import can_enter, enter, full, losing
from tests.support.proxy import Proxy

SETTLED: Final = 3
"""Actions that are accepted after a fault before the next one."""
STUCK: Final = 60.0
"""Seconds after the end of a fault within which all play on."""
EACH: Final = 25
"""Faults in one match."""
REDIRECTED: Final = 5.0
"""Seconds within which people are sent away from a node that is cut off from the bus, if their match is elsewhere."""
STEPS: Final = (-3600.0, 3600.0, -30.0, 30.0)
"""Seconds by which the database's clock steps."""
DOWN: Final = 1.0
"""Seconds for which a node is away that ended; all share this machine, and a start takes much of it."""


class Nemesis:
    """Fault injection at one table. `longest`: longest duration of a fault in seconds. `long`: the chance that it lasts
    30 to 60 s instead."""

    def __init__(self, world: World, party: Party, rng: random.Random, longest: float, long: float) -> None:
        self.world = world
        self.party = party
        self.rng = rng
        self.longest = longest
        self.long = long
        self.wrong: list[str] = []
        self.slow: list[str] = []
        self.since = 0.0
        """The time from which the pause of the present fault counts."""
        self.redirects: list[float] = []
        """Seconds until people were sent away from a node that was cut off from the bus."""
        self.faults: list[tuple[float, float]] = []
        """Begin of each fault, and the time at which all went on after it."""

    async def owner(self) -> Node:
        """Return the node that runs the match."""
        return await self.world.holder(self.party.match)

    async def other(self) -> Node:
        """Return a node that is not the owner."""
        owner = await self.owner()
        return self.rng.choice([node for node in self.world.nodes if node is not owner])

    async def either(self) -> Node:
        """Return the owner or, less often, another node."""
        return await (self.owner() if self.rng.random() < 0.7 else self.other())

    async def lasting(self) -> None:
        """Wait for the duration of a fault."""
        if self.rng.random() < self.long:
            return await asyncio.sleep(self.rng.uniform(30.0, 60.0))
        return await asyncio.sleep(self.rng.choice((0.3, 0.6, 1.0)) * self.longest)


async def _ended(node: Node, by: signal.Signals) -> None:
    node.signal(by)
    await node.ended()
    await asyncio.sleep(DOWN)
    await node.start()


async def kill_owner(nemesis: Nemesis) -> None:
    """Kill the owner with kill -9."""
    await _ended(await nemesis.owner(), signal.SIGKILL)


async def kill_edge(nemesis: Nemesis) -> None:
    """Kill a node with clients, but not the owner, with kill -9."""
    await _ended(await nemesis.other(), signal.SIGKILL)


async def drain(nemesis: Nemesis) -> None:
    """Update the owner: SIGTERM, and a new process."""
    await _ended(await nemesis.owner(), signal.SIGTERM)


async def _frozen(nemesis: Nemesis, node: Node) -> None:
    node.signal(signal.SIGSTOP)
    await nemesis.lasting()
    node.signal(signal.SIGCONT)


async def freeze_owner(nemesis: Nemesis) -> None:
    """Suspend the owner; it resumes when others have taken over."""
    await _frozen(nemesis, await nemesis.owner())


async def freeze_edge(nemesis: Nemesis) -> None:
    """Suspend a node with clients, but not the owner."""
    await _frozen(nemesis, await nemesis.other())


async def strand(nemesis: Nemesis) -> None:
    """Suspend the owner with all players at it, who try no other node. Their messages reach a node that was fenced off
    meanwhile, at the same head of the log."""
    owner = await nemesis.owner()
    nemesis.party.gather(owner.number, loyal=True)
    await nemesis.party.all_here()
    await nemesis.party.more(SETTLED)
    owner.signal(signal.SIGSTOP)
    await asyncio.sleep(max(6.0, nemesis.longest))
    owner.signal(signal.SIGCONT)
    await asyncio.sleep(1.0)
    nemesis.party.spread()


def _cut(line: Proxy) -> None:
    line.refusing = True
    line.cut()


def _freeze(line: Proxy) -> None:
    line.frozen = True


def _hold_asked(line: Proxy) -> None:
    line.holds_asked = True


def _hold_answers(line: Proxy) -> None:
    line.holds_answers = True


def _swallow_asked(line: Proxy) -> None:
    line.deaf = True


def _swallow_answers(line: Proxy) -> None:
    line.mute = True


def _slow(line: Proxy) -> None:
    line.delay = 0.1


def _lag(line: Proxy) -> None:
    line.delay = 1.5


def _vary(line: Proxy) -> None:
    line.jitter = 2.0


WAYS: Final[Mapping[str, Callable[[Proxy], None]]] = {
    "cut": _cut,
    "frozen": _freeze,
    "asked-held": _hold_asked,
    "answers-held": _hold_answers,
    "asked-swallowed": _swallow_asked,
    "answers-swallowed": _swallow_answers,
    "slow": _slow,
    "lagging": _lag,
    "varying": _vary,
}
"""Faults of the connection between a node and an engine."""


async def _line(nemesis: Nemesis, line: Proxy, way: Callable[[Proxy], None]) -> None:
    way(line)
    try:
        await nemesis.lasting()
    finally:
        line.heal()


async def on_store(way: Callable[[Proxy], None], nemesis: Nemesis) -> None:
    """Break the connection of the owner or another node to PostgreSQL."""
    await _line(nemesis, (await nemesis.either()).store, way)


async def on_bus(way: Callable[[Proxy], None], nemesis: Nemesis) -> None:
    """Break the connection of a node to NATS."""
    node = await (nemesis.owner() if nemesis.rng.random() < 0.6 else nemesis.other())
    await _line(nemesis, node.bus, way)


async def _lines(nemesis: Nemesis, node: Node, ways: tuple[Callable[[Proxy], None], Callable[[Proxy], None]]) -> None:
    for line, way in zip((node.store, node.bus), ways, strict=True):
        way(line)
    try:
        await nemesis.lasting()
    finally:
        for line in (node.store, node.bus):
            line.heal()


async def cut_off(nemesis: Nemesis) -> None:
    """Cut the owner off from both engines."""
    await _lines(nemesis, await nemesis.owner(), (_cut, _cut))


async def vary(nemesis: Nemesis) -> None:
    """Let all that a node and both engines send each other take up to 2 s, each time another while."""
    await _lines(nemesis, await nemesis.either(), (_vary, _vary))


async def lag(nemesis: Nemesis) -> None:
    """Let PostgreSQL take 3 s for each answer to any node."""
    for node in nemesis.world.nodes:
        _lag(node.store)
    try:
        await nemesis.lasting()
    finally:
        for node in nemesis.world.nodes:
            node.store.heal()


async def _lose(nemesis: Nemesis, sent: int, received: int) -> None:
    node = await nemesis.either()
    with losing(sent, received, node.ports, node.port):
        await nemesis.lasting()


async def lose_packets(nemesis: Nemesis) -> None:
    """Lose 40 % of the packets between a node and its clients and both engines."""
    await _lose(nemesis, 40, 40)


async def lose_sent(nemesis: Nemesis) -> None:
    """Lose 10 to 60 % of the packets that a node sends."""
    await _lose(nemesis, nemesis.rng.randrange(10, 61), 0)


async def lose_received(nemesis: Nemesis) -> None:
    """Lose 10 to 60 % of the packets that are sent to a node."""
    await _lose(nemesis, 0, nemesis.rng.randrange(10, 61))


async def fill_database(nemesis: Nemesis) -> None:
    """Leave no space on PostgreSQL's disk for its tables. The pause counts from the moment at which there is some."""
    async with full(nemesis.world.postgres.home):
        await nemesis.lasting()
    nemesis.since = time.monotonic()


async def fill_log(nemesis: Nemesis) -> None:
    """Leave no space for PostgreSQL's own log either: it ends, and is started again once there is space."""
    postgres = nemesis.world.postgres
    async with full(postgres.home):
        ending = asyncio.create_task(_switch_files(nemesis.world))
        await nemesis.lasting()
        ending.cancel()
    nemesis.since = time.monotonic()
    try:
        await nemesis.world.ask_once("SELECT 1")
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        # PostgreSQL 18 may also hang if it found no space for its recovery.
        with contextlib.suppress(subprocess.SubprocessError):
            await asyncio.to_thread(postgres.stop, "immediate")
        await asyncio.to_thread(postgres.start)


async def _switch_files(world: World) -> None:
    """Let PostgreSQL begin new files of its log, for which there is no space, until it has ended."""
    with contextlib.suppress(OSError):
        while True:
            with contextlib.suppress(asyncpg.PostgresError, asyncpg.InterfaceError):
                await world.ask_once("SELECT pg_switch_wal()")
            await asyncio.sleep(0.1)


async def fill_node(nemesis: Nemesis) -> None:
    """Leave no space on the disk of a node with clients, but not the owner."""
    async with full((await nemesis.other()).data):
        await nemesis.lasting()


async def hear_only(nemesis: Nemesis) -> None:
    """Drop all that the owner sends to both engines, but nothing that they send."""
    await _lines(nemesis, await nemesis.owner(), (_swallow_asked, _swallow_asked))


async def speak_only(nemesis: Nemesis) -> None:
    """Drop all that both engines send to the owner, but nothing that it sends."""
    await _lines(nemesis, await nemesis.owner(), (_swallow_answers, _swallow_answers))


async def flap(nemesis: Nemesis) -> None:
    """Cut the owner off from both engines for moments, again and again."""
    for _ in range(4):
        owner = await nemesis.owner()
        for line in (owner.store, owner.bus):
            _cut(line)
        await asyncio.sleep(nemesis.rng.uniform(0.2, 1.5))
        for line in (owner.store, owner.bus):
            line.heal()
        await asyncio.sleep(nemesis.rng.uniform(0.2, 1.0))


async def forget_store(nemesis: Nemesis) -> None:
    """Let a firewall forget the owner's connections to PostgreSQL: these are dead, new ones work."""
    (await nemesis.owner()).store.forget()
    await asyncio.sleep(4.0)


async def step_clock(nemesis: Nemesis) -> None:
    """Step PostgreSQL's clock without any other fault."""
    await nemesis.world.step_clock(nemesis.rng.choice(STEPS))
    await nemesis.lasting()


async def step_clock_and_kill(nemesis: Nemesis) -> None:
    """Step PostgreSQL's clock just before the owner dies, as after a failover to a standby with another clock."""
    await nemesis.world.step_clock(nemesis.rng.choice(STEPS))
    await asyncio.sleep(nemesis.rng.uniform(0.0, 2.0))
    await kill_owner(nemesis)


async def drop_twice(nemesis: Nemesis) -> None:
    """Slow PostgreSQL down for one or all nodes; disconnect the players twice, and restart NATS.

    The players come back only when their old connections may have taken their seats."""
    owner, players = await nemesis.owner(), nemesis.party.players
    nodes = [owner] if nemesis.rng.random() < 0.7 else nemesis.world.nodes
    for node in nodes:
        node.store.delay = 1.0
    try:
        for rests in (0.0, 3.0):
            await asyncio.sleep(nemesis.rng.uniform(0.3, 0.6))
            for player in players:
                player.rests = rests
                player.cut()
        await restart_nats(nemesis)
        await asyncio.sleep(4.0)
    finally:
        for player in players:
            player.rests = 0.0
        for node in nodes:
            node.store.heal()


async def lose_bus(nemesis: Nemesis) -> None:
    """Cut a node with clients, but not the owner, off from NATS: its clients must be sent away."""
    node, party = await nemesis.other(), nemesis.party
    people = [viewer for viewer in party.viewers if viewer.where == node.number]
    for viewer in people:
        viewer.loyal = True
    began = time.monotonic()
    for way in nemesis.rng.choice(((_freeze,), (_swallow_asked, _swallow_answers), (_swallow_asked,))):
        way(node.bus)
    try:
        async with asyncio.timeout(2 * REDIRECTED):
            while not all(viewer.parted > began for viewer in people):
                await asyncio.sleep(0.02)
    except TimeoutError:
        nemesis.slow.append(f"people were not sent away from a node without a bus within {2 * REDIRECTED:.0f} s")
    finally:
        node.bus.heal()
        party.spread()
    nemesis.redirects += [viewer.parted - began for viewer in people if viewer.parted > began]


async def restart_postgres(nemesis: Nemesis) -> None:
    """Restart PostgreSQL as for an update."""
    await asyncio.to_thread(nemesis.world.postgres.restart, "fast")


async def crash_postgres(nemesis: Nemesis) -> None:
    """Kill PostgreSQL with kill -9, and start it again."""
    await asyncio.to_thread(nemesis.world.postgres.restart, "immediate")


async def without_postgres(nemesis: Nemesis) -> None:
    """Stop PostgreSQL for a while: nothing can be stored, and no match goes on."""
    await asyncio.to_thread(nemesis.world.postgres.stop, "fast")
    await nemesis.lasting()
    await asyncio.to_thread(nemesis.world.postgres.start)


async def restart_nats(nemesis: Nemesis) -> None:
    """Kill NATS with kill -9, and start it again."""
    nemesis.world.nats.end()
    await asyncio.to_thread(nemesis.world.nats.start)


async def without_nats(nemesis: Nemesis) -> None:
    """Stop NATS for a while: players who are at the owner play on."""
    await _at_the_owner(nemesis)
    nemesis.world.nats.end()
    await _played_on(nemesis)
    await asyncio.to_thread(nemesis.world.nats.start)


async def stop_nats(nemesis: Nemesis) -> None:
    """Suspend NATS for a while, with all messages held: players who are at the owner play on."""
    await _at_the_owner(nemesis)
    nemesis.world.nats.process.send_signal(signal.SIGSTOP)
    try:
        await _played_on(nemesis)
    finally:
        nemesis.world.nats.process.send_signal(signal.SIGCONT)


async def silence_nats(nemesis: Nemesis) -> None:
    """Suspend NATS for a while, which still accepts connections, with players on all nodes."""
    nemesis.world.nats.process.send_signal(signal.SIGSTOP)
    try:
        await nemesis.lasting()
    finally:
        nemesis.world.nats.process.send_signal(signal.SIGCONT)


async def lose_bus_of_edge(nemesis: Nemesis) -> None:
    """Cut a node with clients, but not the owner, off from NATS."""
    way = nemesis.rng.choice((_cut, _freeze, _hold_answers, _swallow_asked))
    await _line(nemesis, (await nemesis.other()).bus, way)


async def _at_the_owner(nemesis: Nemesis) -> None:
    """Move all players to the owner, and let them play."""
    party = nemesis.party
    party.gather((await nemesis.owner()).number)
    await party.all_here()
    await party.more(SETTLED)


async def _played_on(nemesis: Nemesis) -> None:
    """Wait for the duration of a fault, and note whether the players play on."""
    party = nemesis.party
    await asyncio.sleep(nemesis.longest / 2)
    half = time.monotonic()
    await asyncio.sleep(nemesis.longest / 2)
    if not party.over and not any(at > half for at in party.accepts):
        nemesis.slow.append("without NATS, those at the owner did not play on for a while")


FAULTS: Final[Mapping[str, Callable[[Nemesis], Awaitable[None]]]] = {
    "owner-killed": kill_owner,
    "edge-killed": kill_edge,
    "drained": drain,
    "owner-frozen": freeze_owner,
    "edge-frozen": freeze_edge,
    "stranded": strand,
    "postgres-restarted": restart_postgres,
    "postgres-killed": crash_postgres,
    "postgres-gone": without_postgres,
    "nats-killed": restart_nats,
    "nats-gone": without_nats,
    "nats-stopped": stop_nats,
    "cut-off": cut_off,
    "hears-only": hear_only,
    "speaks-only": speak_only,
    "flapping": flap,
    "store-forgotten": forget_store,
    "bus-lost": lose_bus,
    "bus-of-edge-lost": lose_bus_of_edge,
    "nats-silent": silence_nats,
    "delays-varying": vary,
    "database-lagging": lag,
    "clock-stepped": step_clock,
    "clock-stepped-and-killed": step_clock_and_kill,
    "dropped-twice": drop_twice,
    **{f"postgres-{name}": partial(on_store, way) for name, way in WAYS.items()},
    **{f"nats-{name}": partial(on_bus, way) for name, way in WAYS.items()},
}
PRIVATE: Final[Mapping[str, Callable[[Nemesis], Awaitable[None]]]] = {
    "packets-lost": lose_packets,
    "sent-packets-lost": lose_sent,
    "received-packets-lost": lose_received,
    "database-full": fill_database,
    "database-log-full": fill_log,
    "node-full": fill_node,
}
"""Faults that need a network and file systems of the program's own."""
ALL: Final = {**FAULTS, **PRIVATE}
PROMISED: Final = {
    "owner-killed": 8.0,
    "clock-stepped-and-killed": 8.0,
    "clock-stepped": 5.0,
    "store-forgotten": 5.0,
    "drained": 1.0,
    "postgres-restarted": 10.0,
    "postgres-killed": 10.0,
    "bus-of-edge-lost": 8.0,
    "nats-silent": 8.0,
    "delays-varying": 8.0,
    "database-lagging": 8.0,
    "packets-lost": 8.0,
    "sent-packets-lost": 8.0,
    "received-packets-lost": 8.0,
    "database-full": 3.0,
    "database-log-full": 3.0,
    "node-full": 8.0,
}
"""Seconds from the fault to the next accepted action that 95 of 100 tables wait at most."""


class Plan(Struct, frozen=True):
    """Plan of a run: at most so many faults within so many seconds, of those kinds in turn."""

    seed: int
    seconds: float = math.inf
    faults: int = sys.maxsize
    longest: float = 60.0
    kinds: tuple[str, ...] = tuple(FAULTS)
    bug: str = ""
    long: float = 0.0
    faketime: str = ""
    private: bool = False


class Report(Struct):
    """Result of a run: the pauses in seconds, by kind of fault."""

    pauses: dict[str, list[float]]
    verdict: Verdict
    wrong: list[str]
    errors: list[str]
    """Errors in the logs of the nodes."""
    redirects: list[float] = []
    slow: list[str] = []
    """Other delays that were too long."""

    @property
    def faults(self) -> int:
        """Number of faults."""
        return sum(map(len, self.pauses.values()))

    @property
    def broken(self) -> list[str]:
        """Return all faults that do not depend on the machine's speed."""
        return [*self.verdict.wrong, *self.wrong, *self.errors]

    @property
    def late(self) -> list[str]:
        """Return the pauses that were longer than promised."""
        slowest = {kind: percentile(self.pauses[kind], 95) for kind in PROMISED if kind in self.pauses}
        redirect = percentile(self.redirects, 95) if self.redirects else 0.0
        redirected = [f"sent away after {redirect:.1f} s instead of {REDIRECTED:.0f} s"] * (redirect > REDIRECTED)
        return [*self.slow, *redirected] + [
            f"{kind}: {pause:.1f} s instead of {PROMISED[kind]:.0f} s"
            for kind, pause in slowest.items()
            if pause > PROMISED[kind]
        ]


def percentile(numbers: list[float], percent: int) -> float:
    """Return the least of the numbers that so many percent do not exceed."""
    return sorted(numbers)[math.ceil(len(numbers) * percent / 100) - 1]


class Run:
    """Run of matches and faults, one after the other."""

    def __init__(self, world: World, plan: Plan) -> None:
        self._world = world
        self._plan = plan
        self._rng = random.Random(plan.seed)
        self._end = time.monotonic() + plan.seconds
        self._bag: list[str] = []
        self.report = Report({}, Verdict(), [], [])

    @property
    def _done(self) -> bool:
        report = self.report
        return time.monotonic() > self._end or report.faults >= self._plan.faults or bool(report.broken)

    async def go(self) -> Report:
        """Run all matches, until a fault is found."""
        while not self._done:
            rules = ruleset(self._rng.choice(list(RULESETS)))
            party = await gathered(self._world, rules, self._rng, bot=self._rng.random() < 0.5)
            try:
                await self._match(party)
            finally:
                await party.end()
        self.report.errors = [
            line
            for node in self._world.nodes
            for line in node.log.read_text().splitlines()
            if '"level": "error"' in line
        ]
        return self.report

    async def _match(self, party: Party) -> None:
        nemesis = Nemesis(self._world, party, self._rng, self._plan.longest, self._plan.long)
        for _ in range(EACH):
            if self._done or party.over:
                break
            await self._fault(nemesis)
        party.hush()
        with self._in_time("not all came back to the last version", party):
            async with asyncio.timeout(STUCK):
                await party.all_saw(await self._rest(party))
        self.report.verdict.add(await judged(self._world, party, nemesis.faults))
        self.report.wrong += nemesis.wrong
        self.report.slow += nemesis.slow
        self.report.redirects += nemesis.redirects

    async def _fault(self, nemesis: Nemesis) -> None:
        party, kind = nemesis.party, self._next()
        party.spread()
        with self._in_time(f"after {kind}", party):
            async with asyncio.timeout(STUCK):
                await party.all_here()
                await party.more(SETTLED)
            began = nemesis.since = time.monotonic()
            await ALL[kind](nemesis)
            ended = time.monotonic()
            async with asyncio.timeout(STUCK):
                await party.more(SETTLED, ended)
                # A connection is not enough: a client that no longer receives anything also has a view.
                await party.all_saw(party.newest)
            nemesis.faults.append((began, time.monotonic()))
            await look_at_talk(self._world, party)
            if not party.over:
                self._note(kind, party.pause_since(nemesis.since))

    def _note(self, kind: str, pause: float) -> None:
        self.report.pauses.setdefault(kind, []).append(round(pause, 3))
        print(f"{self.report.faults:4d} {kind:26} {pause:6.2f} s", file=sys.stderr, flush=True)

    def _next(self) -> str:
        """Return the next kind of fault: each kind comes once before any repeats."""
        if not self._bag:
            self._bag = list(self._plan.kinds)
            self._rng.shuffle(self._bag)
        return self._bag.pop()

    @contextlib.contextmanager
    def _in_time(self, words: str, party: Party) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            people = "; ".join(viewer.standing for viewer in party.viewers)
            self.report.wrong.append(f"no progress within {STUCK:.0f} s: {words} ({people})")

    async def _rest(self, party: Party) -> int:
        """Return the length of the log once it no longer grows."""
        query, before = "SELECT n FROM matches WHERE match = $1", -1
        while True:
            (row,) = await self._world.ask(query, party.match)
            if row["n"] == before:
                return before
            before = row["n"]
            await asyncio.sleep(1.0)


async def run(plan: Plan, home: Path) -> Report:
    """Carry out a plan; `home`: an empty directory."""
    async with world(home, plan.bug, plan.faketime, plan.private) as there:
        return await Run(there, plan).go()


def summary(report: Report) -> str:
    """Return a line for each kind of fault, and the verdict."""
    lines = [
        f"{kind:26} {len(pauses):4d}  p50 {percentile(pauses, 50):6.2f}  p95 {percentile(pauses, 95):6.2f}  "
        f"max {max(pauses):6.2f} s"
        for kind, pauses in sorted(report.pauses.items())
    ]
    verdict = report.verdict
    if report.redirects:
        lines.append(f"sent away from a node without a bus: {', '.join(f'{each:.1f}' for each in report.redirects)} s")
    lines.append(
        f"{report.faults} faults; {verdict.acknowledged} acknowledged actions, {len(verdict.lost)} lost, "
        f"{len(verdict.doubled)} doubled, {len(verdict.refused)} refused but done; "
        f"{len(verdict.forks)} forks in {verdict.entries} entries; "
        f"{len(verdict.seats)} seats lost, {verdict.replaced} connections replaced; "
        f"{len(verdict.digests)} of {verdict.views} views wrong; {verdict.lines} acknowledged lines of chat, "
        f"{len(verdict.unsaid)} lost, and {verdict.gone - len(verdict.unsaid)} that a fault caught within a second."
    )
    return "\n".join([*lines, *report.broken, *report.late])


def main() -> int:
    """Inject faults until the time is up or the verdict is bad."""
    parser = argparse.ArgumentParser("tests.faults.cluster", description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0, help="how long (default: 30)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=sys.maxsize, help="how many at most")
    parser.add_argument("--longest", type=float, default=60.0, help="seconds of the longest fault (default: 60)")
    parser.add_argument("--long", type=float, default=0.0, help="share of faults that last 30 to 60 s (default: 0)")
    parser.add_argument("--faketime", default="", metavar="LIBRARY", help="libfaketime, for another clock of each node")
    parser.add_argument("--kind", action="append", choices=ALL, help="only that kind of fault; repeatable")
    parser.add_argument("--bug", choices=BUGS, default="", help="of all nodes, to be found")
    parser.add_argument("--home", type=Path, help="keep the nodes' logs in that directory")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.inside and can_enter():
        return subprocess.call(enter("tests.faults.cluster", sys.argv[1:]))
    if not args.inside and not PRIVATE.keys().isdisjoint(args.kind or ()):
        parser.error("lost packets and full disks need Linux, root, and the programs unshare, ip and nft")
    kinds = tuple(args.kind or (*FAULTS, *(PRIVATE if args.inside else ())))
    seconds, private = args.minutes * 60, args.inside
    plan = Plan(args.seed, seconds, args.faults, args.longest, kinds, args.bug, args.long, args.faketime, private)
    with tempfile.TemporaryDirectory(prefix="cluster-") as name:
        if args.home is not None:
            args.home.mkdir(parents=True, exist_ok=True)
        report = asyncio.run(run(plan, args.home or Path(name)))
    print(msgspec.json.encode(report).decode() if args.json else summary(report))
    return 1 if report.broken or report.late else 0


if __name__ == "__main__":
    sys.exit(main())

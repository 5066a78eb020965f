"""Command `demo`: a whole match between bots over real sockets, with spectators, drops and resumes.

It runs on one server, or on several of which the one that runs the match is killed on the way.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Protocol, TextIO, TypeAlias, TypeVar

from msgspec import Struct, structs

from protocol import codec, delta
from protocol.process import stopping
from server import log
from server.bots import policy
from server.bots.search.budget import REPEATABLE
from server.connections import event_loop
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.matches.dice import Dice
from server.matches.match import Match
from server.opening import open_store
from server.storage.port import Store
from server.tools.headless_client import (
    BotPlayer,
    HeadlessClient,
    Mind,
    Onlooker,
    Unreachable,
    ViewerStatistics,
    standings,
)
from server.tools.nodes import UNBOUNDED, Node, running_services
from shared import levels
from shared.choices import OPTION, choices
from shared.history import Entry
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Create, Join, Seated, ServerMessage, Start, TableState
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import TablePhase

STALL: Final = 60.0
"""Seconds without a new version after which the demonstration gives up."""
FIRST_KILL: Final = 40
"""Version at which the server that runs the match is killed for the first time."""
NEXT_KILL: Final = 1000
"""Versions between kills."""
MOST_NODES: Final = 16
"""Most servers of one demonstration; a higher number is probably a typing error."""
_LOOK: Final = 0.1
"""Seconds between two checks."""
M = TypeVar("M", bound=ServerMessage)
Tell: TypeAlias = Callable[[str], object]
"""Receives sentences about the progress."""


class DemoPlan(Struct, frozen=True):
    """Match to play. `options` of the rule set; `drops`: whether viewers drop and come back."""

    ruleset: str
    players: int
    spectators: int
    seed: int
    options: dict[str, int]
    level: str = levels.NORMAL
    drops: bool = True


class DemoReport(Struct, frozen=True):
    """Output of `--json`.

    Bytes are of messages without the WebSocket header, `seconds` of wall time. `match`: the id under which it is kept
    with `--data`.
    """

    ruleset: str
    players: int
    spectators: int
    finished: bool
    winner: int
    actions: int
    chance_actions: int
    seconds: float
    viewers: int
    viewers_in_sync: int
    resumes: int
    snapshot_bytes: int
    delta_bytes_mean: float
    delta_bytes_p99: int
    frame_bytes_mean: float
    match: str = ""


class ClusterReport(DemoReport, frozen=True):
    """Output of `--json` for a demonstration on several servers.

    takeovers: number of times another server continued the match after a kill. takeover_seconds: the longest time from
    a kill to the next version. acknowledged: actions that a server accepted. lost, doubled: those missing in the log,
    or contained twice.
    """

    nodes: int = 0
    takeovers: int = 0
    takeover_seconds: float = 0.0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `demo`."""
    parser.add_argument("--ruleset", default="classic", help=f"one of {', '.join(RULESETS)}")
    parser.add_argument("--players", type=int, default=6, help="bots at the table")
    parser.add_argument("--spectators", type=int, default=4, help="spectators, who join one after the other")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same match")
    parser.add_argument("--rounds", type=int, default=None, help="end after so many rounds (option round_limit)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=OPTION)
    policy.add_level(parser, levels.NORMAL)
    parser.add_argument("--no-drops", action="store_true", help="drop no connections on the way")
    parser.add_argument(
        "--cluster",
        type=int,
        default=1,
        metavar="N",
        help="run on N servers, with PostgreSQL and NATS from their packages, and kill the one that runs the match",
    )
    parser.add_argument("--data", type=Path, default=None, metavar="DIR", help="store the match in this directory")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the standings")
    event_loop.add_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Play; return 0 if the match ended and every viewer always saw the server's position."""
    if not 1 <= args.cluster <= MOST_NODES:
        raise ValueError(f"--cluster must be 1 to {MOST_NODES}")
    if args.spectators < 0:
        raise ValueError("--spectators must be 0 or more")
    policy.find(args.level)
    # Killed servers lose connections, so warnings about that would be noise.
    log.start(logging.WARNING if args.cluster == 1 else logging.ERROR)
    plan = DemoPlan(
        args.ruleset, args.players, args.spectators, args.seed, _options(args), args.level, not args.no_drops
    )
    progress = sys.stderr.isatty()
    tell = _progress_printer(sys.stderr if args.json else sys.stdout, progress)
    report, standings = stopping.run(play(plan, progress, args.data, args.cluster, tell), args.loop)
    print(json.dumps(structs.asdict(report)) if args.json else f"{standings}\n{_summary(report)}")
    return 0 if report.finished and report.viewers_in_sync == report.viewers and not _has_lost_or_doubled(report) else 1


def _progress_printer(to: TextIO, progress: bool) -> Tell:
    """Return a function that prints sentences with the seconds since now, over a progress line if there is one."""
    began = time.monotonic()

    def tell(text: str) -> None:
        line = f"{time.monotonic() - began:6.1f} s  {text}"
        print(f"\r{line:<70}" if progress else line, file=to, flush=True)

    return tell


async def play(
    plan: DemoPlan, progress: bool = False, data: Path | None = None, nodes: int = 1, tell: Tell = bool
) -> tuple[DemoReport | ClusterReport, str]:
    """Serve and play a match; return the report and the final standings in words.

    data: directory in which the match is kept. nodes: number of servers that share it. tell: receives sentences about
    them. Raises ValueError for impossible options, StoreError for missing programs.
    """
    rules = ruleset(plan.ruleset)
    engine.checked_options(rules, plan.players, plan.options)
    with _directory(data) as directory:
        place = (
            _one(Path(directory), plan, rules)
            if nodes == 1
            else _run_several(Path(directory), plan, rules, nodes, tell)
        )
        async with place as stage:
            return await _Demonstration(stage, rules, plan, progress).run()


class Kept(Struct, frozen=True):
    """A match in its servers' final state, against which viewers are compared."""

    game: Match
    entries: list[Entry]


class Stage(Protocol):
    """Server or servers of a demonstration."""

    def address(self, number: int) -> str:
        """Return the address to which a client connects."""

    async def disturb(self, match: str, tally: ViewerStatistics) -> None:
        """Cause failures during the match; cancelled when it is over."""

    async def kept(self, match: str) -> Kept:
        """Return the final match. Clients are not served any more."""

    def report(self, report: DemoReport, kept: Kept, tally: ViewerStatistics) -> DemoReport:
        """Return the report with the failures added."""


class _OneServer:
    """The stage of a single server in this process."""

    def __init__(self, app: App) -> None:
        self._app = app

    def address(self, number: int) -> str:
        """Return the server's address."""
        return self._app.address

    async def disturb(self, match: str, tally: ViewerStatistics) -> None:
        """Do nothing: one server has no failures to show."""

    async def kept(self, match: str) -> Kept:
        """Return the match from memory, and its log from the store."""
        task = next(task for task in self._app.lobby.tasks if task.match == match)
        stored = await self._app.store.claim(match)
        assert task.table.match is not None and stored is not None
        return Kept(task.table.match, stored.entries)

    def report(self, report: DemoReport, kept: Kept, tally: ViewerStatistics) -> DemoReport:
        """Return the report unchanged."""
        return report


@asynccontextmanager
async def _one(data: Path, plan: DemoPlan, rules: AnyRuleset) -> AsyncIterator[Stage]:
    app = await App.start(_settings(data, plan.seed), {rules.id: rules}, no_bots)
    try:
        yield _OneServer(app)
    finally:
        await app.stop()


class _Cluster:
    """Several server processes and their shared database, which is only read while they run."""

    def __init__(self, nodes: list[Node], store: Store, rules: AnyRuleset, plan: DemoPlan, tell: Tell = bool) -> None:
        self._nodes = nodes
        self._store = store
        self._rules = rules
        self._plan = plan
        self._tell = tell
        self._takeovers: list[float] = []

    def address(self, number: int) -> str:
        """Return the address of a server; clients are spread over all of them."""
        return self._nodes[number % len(self._nodes)].address

    async def disturb(self, match: str, tally: ViewerStatistics) -> None:
        """Kill the server that runs the match, again and again, and restart it."""
        for version in itertools.count(FIRST_KILL, NEXT_KILL):
            await _reached(tally, version)
            killed = await self._owner(match)
            name = killed.name
            self._tell(f"{self._called(killed)} runs the match, at action {tally.version}.")
            began = time.monotonic()
            await killed.kill()
            self._tell(f"{self._called(killed)} was killed (kill -9) and starts anew.")
            # The killed server cannot write any more: later versions are another server's.
            last = await self._version(match)
            starting = asyncio.create_task(killed.start())
            try:
                owner = await self._owner(match, besides=name)
                self._tell(f"{self._called(owner)} took the match over after {time.monotonic() - began:.1f} s.")
                await _reached(tally, last + 1)
                self._takeovers.append(time.monotonic() - began)
                self._tell(f"Play resumed after {self._takeovers[-1]:.1f} s, with action {last + 1}.")
            finally:
                await starting

    async def kept(self, match: str) -> Kept:
        """Stop the servers, and replay the match from the database."""
        await self._stop()
        stored = await self._store.claim(match)
        assert stored is not None
        game = Match(self._rules, self._plan.players, stored.table.options, Dice(self._plan.seed))
        for _ in game.replay(stored.entries):
            pass
        return Kept(game, stored.entries)

    def report(self, report: DemoReport, kept: Kept, tally: ViewerStatistics) -> DemoReport:
        """Return the report with takeovers, and with lost and doubled actions."""
        times = self._takeovers
        logged = Counter((entry.n, entry.seat, entry.command) for entry in kept.entries)
        said = Counter((entry.seat, entry.command) for entry in kept.entries if entry.command)
        return ClusterReport(
            **structs.asdict(report),
            nodes=len(self._nodes),
            takeovers=len(times),
            takeover_seconds=round(max(times, default=0.0), 3),
            acknowledged=len(tally.accepted),
            lost=sum((version, *act) not in logged for act, version in tally.accepted.items()),
            doubled=sum(count - 1 for count in said.values()),
        )

    async def start(self) -> None:
        """Start all servers. Raises StoreError."""
        await asyncio.gather(*(node.start() for node in self._nodes))

    async def close(self) -> None:
        """Stop the servers and close the database."""
        await self._stop()
        await self._store.close()

    async def _stop(self) -> None:
        await asyncio.gather(*(node.stop() for node in self._nodes))

    def _called(self, node: Node) -> str:
        return f"Server {self._nodes.index(node) + 1}"

    async def _owner(self, match: str, besides: str = "") -> Node:
        """Wait for a server to run the match, and return it; `besides`: the name of a dead one."""
        while True:
            glance = await self._store.look(match)
            for node in self._nodes:
                if glance is not None and node.name == glance.owner != besides:
                    return node
            await asyncio.sleep(_LOOK)

    async def _version(self, match: str) -> int:
        glance = await self._store.look(match)
        return 0 if glance is None else glance.version


@asynccontextmanager
async def _run_several(data: Path, plan: DemoPlan, rules: AnyRuleset, count: int, tell: Tell) -> AsyncIterator[Stage]:
    async with running_services(data) as found:
        said = ("--store", found.store, "--bus", found.bus, "--seed", str(plan.seed), "--bot-pace", "0")
        nodes = [Node(data / f"node-{number}", said) for number in range(1, count + 1)]
        cluster = _Cluster(nodes, await open_store(found.store, data, beside=True), rules, plan, tell)
        try:
            tell(f"PostgreSQL and NATS run; {count} servers start.")
            await cluster.start()
            yield cluster
        finally:
            await cluster.close()


async def _reached(tally: ViewerStatistics, version: int) -> None:
    """Wait until a viewer has seen a version."""
    while tally.version < version:
        await asyncio.sleep(_LOOK / 10)


def _directory(data: Path | None) -> contextlib.AbstractContextManager[Path | str]:
    """Return the directory of the match: the given one, or a temporary one."""
    temporary = tempfile.TemporaryDirectory
    return temporary(prefix="conquest-demo-") if data is None else contextlib.nullcontext(data)


class _Demonstration:
    def __init__(self, stage: Stage, rules: AnyRuleset, plan: DemoPlan, progress: bool) -> None:
        self._stage = stage
        self._rules = rules
        self._plan = plan
        self._progress = progress
        self._moved = asyncio.Event()
        self._tally = ViewerStatistics({}, {}, moved=self._moved, accepted={})
        self._robots: list[HeadlessClient] = []
        self._began = time.monotonic()

    async def run(self) -> tuple[DemoReport, str]:
        plan = self._plan
        players = [self._player(seat) for seat in range(plan.players)]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(robot.follow()) for robot in players]
            match = await self._set_up(players)
            onlookers = [self._onlooker(i, match) for i in range(plan.spectators)]
            tasks += [group.create_task(self._come_later(i, robot)) for i, robot in enumerate(onlookers)]
            self._robots = [*players, *onlookers]
            others = [group.create_task(self._watch()), group.create_task(self._stage.disturb(match, self._tally))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            for other in others:
                other.cancel()
        return await self._report(match)

    def _drops(self, name: str) -> random.Random | None:
        return random.Random(f"{self._plan.seed}:{name}") if self._plan.drops else None

    def _player(self, seat: int) -> BotPlayer:
        name = f"Bot {seat + 1}"
        mind = Mind(decide_here, self._plan.level, self._plan.seed)
        return BotPlayer(self._stage.address(seat), self._rules, name, mind, self._tally, self._drops(name))

    def _onlooker(self, number: int, match: str) -> Onlooker:
        name, address = f"Spectator {number + 1}", self._stage.address(self._plan.players + number)
        return Onlooker(address, self._rules, name, self._tally, self._drops(name), match)

    async def _set_up(self, players: list[BotPlayer]) -> str:
        """Create the table, seat all players, and start."""
        plan, host = self._plan, players[0]
        await host.welcomed.wait()
        options, count = plan.options, plan.players
        await host.say(lambda ref: Create(ref, plan.ruleset, count, options, "Demonstration", seat=0))
        match = (await _heard(host, Seated)).match
        for seat, player in enumerate(players[1:], 1):
            await player.welcomed.wait()
            await player.say(lambda ref, seat=seat: Join(ref, match, seat=seat))  # type: ignore[misc]
            await _heard(player, Seated)
        table = host.session.table
        # Without all numbers for the dice these would not be repeatable.
        while table is not None and table.pledge is not None and not all(table.pledge.numbers):
            table = await _heard(host, TableState)
        await host.say(Start)
        while (await _heard(host, TableState)).phase == TablePhase.GATHERING:
            pass
        return match

    async def _come_later(self, number: int, robot: HeadlessClient) -> None:
        """Let spectators join 20 actions apart, at the latest when the match is over."""
        while self._tally.version < 20 * number and not self._over():
            self._moved.clear()
            await self._moved.wait()
        while True:
            try:
                return await robot.follow()
            except Unreachable:  # The server may just have been killed.
                await asyncio.sleep(_LOOK)

    def _over(self) -> bool:
        return any(robot.finished for robot in self._robots)

    async def _watch(self) -> None:
        """Show progress; raise RuntimeError if the match hangs."""
        version, since = -1, time.monotonic()
        while True:
            await asyncio.sleep(_LOOK)
            if self._progress:
                _draw(self._tally.version, time.monotonic() - self._began)
            if self._tally.version != version:
                version, since = self._tally.version, time.monotonic()
            elif time.monotonic() - since > STALL:
                raise RuntimeError(f"No progress for {STALL:.0f} seconds at version {version}.")

    async def _report(self, match: str) -> tuple[DemoReport, str]:
        seconds = time.monotonic() - self._began
        kept = await self._stage.kept(match)
        game, robots = kept.game, self._robots
        chance = sum(entry.seat == NATURE for entry in kept.entries)
        in_sync = sum(
            robot.session.mismatches == 0
            and robot.session.version == game.version
            and delta.digest(codec.ENCODER.encode(robot.session.view)) == game.digest(robot.session.seat)
            for robot in robots
        )
        report = DemoReport(
            ruleset=self._plan.ruleset,
            players=self._plan.players,
            spectators=self._plan.spectators,
            finished=game.finished,
            winner=self._rules.winner(game.state),
            actions=len(kept.entries) - chance,
            chance_actions=chance,
            seconds=round(seconds, 3),
            viewers=len(robots),
            viewers_in_sync=in_sync,
            resumes=self._tally.resumes,
            snapshot_bytes=len(game.snapshot(game.public)),
            delta_bytes_mean=round(self._tally.delta_mean, 2),
            delta_bytes_p99=self._tally.delta_p99,
            frame_bytes_mean=round(self._tally.frame_mean, 2),
            match=match,
        )
        return self._stage.report(report, kept, self._tally), standings(self._rules, game.state)


def _options(args: argparse.Namespace) -> dict[str, int]:
    options = choices(ruleset(args.ruleset), args.option)
    if args.rounds is not None:
        options["round_limit"] = args.rounds
    return options


def _settings(data: Path, seed: int) -> Settings:
    """Return settings that trust the server's own bots, which are faster than people."""
    return Settings(data=data, port=0, seed=seed, pace=0.0, limits=GENEROUS, rates=UNBOUNDED)


async def no_bots(ruleset: str, kind: str, seat: int, view: bytes, seed: int, seconds: float) -> bytes:
    """Raise: a server whose bots are all clients needs no bots of its own."""
    raise RuntimeError("all bots of a demonstration are clients")


async def decide_here(ruleset_id: str, level: str, seat: int, view: bytes, seed: int, _seconds: float) -> bytes:
    """Return a bot's action, computed in this process: no other work waits for it here."""
    rules = ruleset(ruleset_id)
    position = rules.view_decoder.decode(view)
    return codec.encode(policy.choose(level, rules, position, seat, random.Random(seed), REPEATABLE.of(level)))


async def _heard(robot: HeadlessClient, kind: type[M]) -> M:
    """Return the next message of a kind, and drop others."""
    while True:
        message = await robot.heard.get()
        if isinstance(message, kind):
            return message


def _draw(version: int, seconds: float) -> None:
    bar = "#" * (version // 50 % 40)
    print(f"\r{version:6d} actions  {version / max(seconds, 0.001):6.0f}/s  [{bar:<40}]", end="", file=sys.stderr)


def _summary(report: DemoReport) -> str:
    state = "over" if report.finished else "not finished"
    return (
        f"Match {state}: {report.actions} actions and {report.chance_actions} of chance in {report.seconds:.1f} s; "
        f"{report.viewers_in_sync} of {report.viewers} viewers in sync after {report.resumes} resumes; "
        f"{report.delta_bytes_mean:.1f} bytes per delta, {report.snapshot_bytes} per snapshot."
        + (_takeovers(report) if isinstance(report, ClusterReport) else "")
    )


def _takeovers(report: ClusterReport) -> str:
    return (
        f" Of {report.nodes} servers the one that ran the match was killed {report.takeovers} times; "
        f"another one took over after {report.takeover_seconds:.1f} s at most.\n"
        f"{report.acknowledged} acknowledged actions, {report.lost} lost, {report.doubled} doubled, "
        f"{'all' if report.viewers_in_sync == report.viewers else 'not all'} digests equal"
    )


def _has_lost_or_doubled(report: DemoReport) -> bool:
    """Whether an acknowledged action is missing in the log, or contained twice."""
    return isinstance(report, ClusterReport) and bool(report.lost or report.doubled)

"""Each alert fires because of a fault of a real server, and not before: promtool judges what `/metrics` said."""

import asyncio
import contextlib
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TypeAlias

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from server.opening import DATABASE
from server.tools.serve import raise_file_limit
from shared.messages import Create, Done, Seated, SetBot, Snapshot, Start, Watch
from tests.faults.process import Process
from tests.faults.test_full_disk import _may_mount
from tests.server.fakes import Client
from tests.support.engines import Nats, database, locked, nats

RULES: Final = Path(__file__).parents[2] / "deploy" / "alerts.yml"
ALERTS: Final = [rule["alert"] for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]]
HERE: Final = "127.0.0.1"
KEY: Final = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
STEP: Final = 15
"""Seconds between two readings, as `deploy/prometheus.yml` asks for them."""
BEFORE: Final = 40
"""Readings before the fault, and after it."""

Reading: TypeAlias = Mapping[str, float]
"""Values by series."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool here"),
]


class Scraped:
    """Server whose metrics are read as Prometheus does."""

    def __init__(self, server: Process, port: int, name: str) -> None:
        self.server = server
        self.port = port
        self.name = name
        self.lasting: set[str] = set()
        """Series that grow for as long as the fault lasts."""

    async def read(self) -> Reading:
        """Return all series of the server, and whether it could be read."""
        labels = f'{{job="conquest", instance="{self.name}"'
        try:
            text = await asyncio.to_thread(self._text)
        except OSError:
            return {f"up{labels}}}": 0.0}
        read = {f"up{labels}}}": 1.0}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                more = "".join(f', {name}="{value}"' for name, value in sample.labels.items())
                series = f"{sample.name}{labels}{more}}}"
                read[series] = sample.value
                self.lasting |= {series} if family.type == "histogram" else set()
        return read

    def _text(self) -> str:
        with urllib.request.urlopen(f"http://{HERE}:{self.port}/metrics", timeout=20) as answer:
            return str(answer.read().decode())


@asynccontextmanager
async def scraped(data: Path, *options: str, name: str = "a", within: Sequence[str] = ()) -> AsyncIterator[Scraped]:
    """A server that tells Prometheus."""
    server = Process(data, "--metrics-port", "0", *options, within=within)
    await server.start()
    assert server.process.stdout is not None
    line = ""
    while "metrics" not in line:
        line = (await asyncio.wait_for(server.process.stdout.readline(), 20)).decode()
    try:
        yield Scraped(server, int(line.rsplit(maxsplit=1)[1]), name)
    finally:
        with contextlib.suppress(ProcessLookupError):
            await server.kill()


async def judged(tmp_path: Path, alert: str, servers: Sequence[Scraped], fault: Callable[[], Awaitable[None]]) -> None:
    """Cause a fault between two readings of all servers; the alert must fire after it, and not before.

    A fault lasts: histograms go on as they did from the first reading to the second. Other series stay.
    """
    earlier = [await each.read() for each in servers]
    await fault()
    later = [await each.read() for each in servers]
    input_series = []
    for server, old, new in zip(servers, earlier, later, strict=True):
        for series in {**old, **new}:
            first = f"{old[series]:f}x{BEFORE - 1}" if series in old else f"_x{BEFORE}"
            grows = max(0.0, new.get(series, 0.0) - old.get(series, 0.0)) if series in server.lasting else 0.0
            then = f"{new[series]:f}+{grows:f}x{BEFORE - 1}" if series in new else f"_x{BEFORE}"
            input_series.append({"series": series, "values": f"{first} {then}"})
    # Others may be right, too: on a busy machine the loop of a server lags.
    firing = {"expr": f'group by (alertname) (ALERTS{{alertname="{alert}", alertstate="firing"}})'}
    minutes = BEFORE * STEP // 60
    case = {
        "interval": f"{STEP}s",
        "input_series": input_series,
        "promql_expr_test": [
            {**firing, "eval_time": f"{minutes - 1}m", "exp_samples": []},
            {
                **firing,
                "eval_time": f"{2 * minutes - 1}m",
                "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1}],
            },
        ],
    }
    file = tmp_path / "test.yml"
    tests = {"rule_files": [str(RULES)], "evaluation_interval": f"{STEP}s", "tests": [case]}
    file.write_text(yaml.safe_dump(tests, width=10_000))
    said = subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr


async def playing(server: Process) -> tuple[Client, str]:
    """Return a player at a table, and the match."""
    host = await Client(server.url, "Anna").open()
    return host, (await host.ask(lambda ref: Create(ref, "classic", 2, {}, "Rome"), Seated)).match


async def lasting(seconds: float) -> None:
    """Let a fault last for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(0.05)


async def until(reading: Scraped, true: Callable[[Reading], bool]) -> None:
    """Wait until the server's metrics say so."""
    async with asyncio.timeout(30):
        while not true(await reading.read()):
            await asyncio.sleep(0.05)


def value(read: Reading, name: str) -> float:
    """Return the sum of that metric."""
    return sum(value for series, value in read.items() if series.partition("{")[0] == name)


async def test_down(tmp_path: Path) -> None:
    async with scraped(tmp_path) as server:
        await judged(tmp_path, "ConquestDown", [server], server.server.kill)


@pytest.mark.skipif(not _may_mount(), reason="needs the right to mount")
async def test_cannot_save(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    mounted = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"', str(data))
    async with scraped(data, within=mounted) as server:
        host, _ = await playing(server.server)

        async def fill() -> None:
            inside = Path(f"/proc/{server.server.process.pid}/root{data}")
            with (inside / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError, match="No space"):
                while True:
                    filler.write(bytes(4096))
            while value(await server.read(), "conquest_healthy"):
                await host.say(lambda ref: SetBot(ref, 1, "easy"))
                await host.say(lambda ref: SetBot(ref, 1, ""))
                await host.next()

        await judged(tmp_path, "ConquestCannotSave", [server], fill)


async def test_without_bus(tmp_path: Path) -> None:
    bus, where = Nats(), await database(tmp_path)
    async with scraped(tmp_path / "data", "--store", where, "--bus", bus.url) as server:
        await until(server, lambda read: value(read, "conquest_bus") == 1)

        async def stop() -> None:
            bus.end()
            await until(server, lambda read: value(read, "conquest_bus") == 0)

        await judged(tmp_path, "ConquestWithoutBus", [server], stop)


async def test_nodes_apart(tmp_path: Path) -> None:
    where = ("--store", await database(tmp_path), "--bus", nats().url, "--bus-prefix")
    async with (
        scraped(tmp_path / "a", *where, tmp_path.name, "--node", "a") as first,
        scraped(tmp_path / "b", *where, tmp_path.name, "--node", "b", name="b") as second,
    ):
        await until(first, lambda read: value(read, "conquest_neighbours") == 1)
        await until(second, lambda read: value(read, "conquest_neighbours") == 1)
        async with scraped(tmp_path / "c", *where, f"{tmp_path.name}x", "--node", "c", name="c") as apart:

            async def leave() -> None:
                """Restart a server with another prefix."""
                await second.server.kill()
                await until(first, lambda read: value(read, "conquest_neighbours") == 0)
                second.port, second.server = apart.port, apart.server

            await judged(tmp_path, "ConquestNodesApart", [first, second], leave)


async def test_commits_slow(tmp_path: Path) -> None:
    where = await database(tmp_path)
    async with scraped(tmp_path / "data", "--store", where) as server:
        host, _ = await playing(server.server)
        await host.ask(lambda ref: SetBot(ref, 1, "random"), Done)

        async def lock() -> None:
            """Let the first commit wait for the database, as for a slow disk."""
            with locked(where):
                await host.say(Start)
                await lasting(0.5)
            await until(server, lambda read: value(read, "conquest_commit_seconds_count") > 0)

        await judged(tmp_path, "ConquestCommitsSlow", [server], lock)


async def test_loop_lags(tmp_path: Path) -> None:
    async with scraped(tmp_path) as server:
        await until(server, lambda read: value(read, "conquest_loop_lag_seconds_count") > 0)

        async def halt() -> None:
            """Let the process get no time, as on a core that is busy."""
            server.server.process.send_signal(signal.SIGSTOP)
            await lasting(1.0)
            server.server.process.send_signal(signal.SIGCONT)
            lags = value(await server.read(), "conquest_loop_lag_seconds_count")
            await until(server, lambda read: value(read, "conquest_loop_lag_seconds_count") > lags)

        await judged(tmp_path, "ConquestLoopLags", [server], halt)


async def test_nearly_full(tmp_path: Path) -> None:
    raise_file_limit()
    async with scraped(tmp_path, "--behind-proxy", HERE) as server, contextlib.AsyncExitStack() as connections:
        host, port = server.server.url.removeprefix("ws://").split(":")

        async def crowd() -> None:
            """Connect clients at many addresses."""
            for n in range(1601):
                reader, writer = await asyncio.open_connection(host, int(port))
                connections.callback(writer.close)
                asked = f"GET / HTTP/1.1\r\nHost: {HERE}\r\nX-Forwarded-For: 198.18.{n // 250}.{n % 250}\r\n"
                writer.write(f"{asked}Upgrade: websocket\r\nConnection: Upgrade\r\n{KEY}\r\n".encode())
                assert b" 101 " in await reader.readline()

        await judged(tmp_path, "ConquestNearlyFull", [server], crowd)


async def test_matches_do_not_wake(tmp_path: Path) -> None:
    async with scraped(tmp_path) as server:
        host, match = await playing(server.server)
        await host.ask(lambda ref: SetBot(ref, 1, "random"), Done)
        await host.say(Start)
        await host.wait_for(Snapshot)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as file:
        assert file.execute("UPDATE log SET entry = x'00' || entry").rowcount
        file.commit()
    async with scraped(tmp_path) as server:

        async def watch() -> None:
            guest = await Client(server.server.url, "Bert").open()
            await guest.say(lambda ref: Watch(ref, match))
            await guest.wait_for_refusal()

        await judged(tmp_path, "ConquestMatchesDoNotWake", [server], watch)


def test_each_alert_has_a_test() -> None:
    names = {name.removeprefix("test_").replace("_", "") for name in globals() if name.startswith("test_")}
    assert {alert.removeprefix("Conquest").lower() for alert in ALERTS} <= names

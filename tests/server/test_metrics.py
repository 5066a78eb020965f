"""Prometheus metrics: each counter counts its event, and the dashboard uses existing metrics only."""

import asyncio
import json
import platform
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server import metrics
from server.delivery.outbox import MAX_MESSAGES, Outbox
from server.delivery.outgoing import Outgoing
from shared.levels import KNOWN, parted
from shared.messages import Create, Done, Resume, Seated, SetBot, Snapshot, Start, TableState, Watch
from shared.refusal import Refusal
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from tests.faults.process import Process
from tests.server.fakes import Client

ROOT = Path(__file__).parents[2]
HERE = "127.0.0.1"


@asynccontextmanager
async def serving(data: Path) -> AsyncIterator[tuple[Process, int]]:
    """A server that tells Prometheus on that port."""
    server = Process(data, "--metrics-port", "0")
    await server.start()
    assert server.process.stdout is not None
    line = (await asyncio.wait_for(server.process.stdout.readline(), 20)).decode()
    try:
        yield server, int(line.rsplit(maxsplit=1)[1])
    finally:
        await server.kill()


async def scraped(port: int) -> dict[str, float]:
    """All samples by name and labels, as Prometheus reads them."""

    def get() -> str:
        with urllib.request.urlopen(f"http://{HERE}:{port}/metrics") as answer:
            return str(answer.read().decode())

    text = await asyncio.to_thread(get)
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {" ".join((sample.name, *sample.labels.values())): sample.value for sample in samples}


@pytest.mark.long
async def test_a_server_tells_what_happens_on_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, port):
        told = await scraped(port)
        for name in RULESETS:
            assert told[f"conquest_actions_total {name}"] == 0
            assert [told[f"conquest_matches {phase.name.lower()} {name}"] for phase in TablePhase] == [0, 0, 0]
        anna = await Client(server.url).open()
        seated = await anna.ask(lambda ref: Create(ref, "classic", 2, {}, "Rome"), Seated)
        await anna.ask(lambda ref: SetBot(ref, 1, "random"), Done)
        await anna.say(Start)
        await anna.wait_for(Snapshot)
        watcher = await Client(server.url, "Bert").open()
        await watcher.ask(lambda ref: Watch(ref, seated.match), Done)
        await watcher.say(Start)
        await watcher.wait_for_refusal()
        anna.cut()
        back = await Client(server.url).open()
        await back.ask(lambda ref: Resume(ref, seated.match, seated.token), Seated)
        told = await scraped(port)
    assert told["conquest_matches playing classic"] == 1
    assert told["conquest_viewers"] == 1 and told["conquest_connections"] >= 2 and told["conquest_healthy"] == 1
    assert told["conquest_resumes_total"] == 1
    assert sum(value for name, value in told.items() if name.startswith("conquest_refusals_total ")) == 1
    assert told["conquest_commit_seconds_count"] >= 1 and told["conquest_loop_lag_seconds_count"] >= 1
    assert not any(seated.match in name or "Anna" in name for name in told)
    async with serving(tmp_path) as (server, port):
        again = await Client(server.url).open()
        await again.ask(lambda ref: Watch(ref, seated.match), Done)
        assert (await scraped(port))["conquest_recoveries_total woken"] == 1


@pytest.mark.long
async def test_only_who_asks_for_this_server_is_told(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_server, port):
        for host, status in (("evil.example", 403), ("", 403), ("localhost:1", 200), (f"{platform.node()}:9600", 200)):
            reader, writer = await asyncio.open_connection(HERE, port)
            writer.write(f"GET /metrics HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.read(), 20)
            writer.close()
            assert int(answer.split()[1]) == status and (b"conquest_matches" in answer) == (status == 200)


@pytest.mark.long
async def test_actions_and_thoughts_are_counted(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, port):
        host = await Client(server.url).open()
        await host.say(lambda ref: Create(ref, "mb1984", 2, {}, "Rome", seat=-2))
        await host.wait_for(TableState)
        for seat in range(2):
            await host.ask(partial(SetBot, seat=seat, kind="random"), Done)
        await host.say(Start)
        while host.session.version < 20:
            await host.next()
        told = await scraped(port)
    assert told["conquest_actions_total mb1984"] >= 5
    assert told["conquest_bot_seconds_count random"] >= 5 and told["conquest_publish_seconds_count"] >= 5


def test_a_port_in_use_is_an_error_and_leaves_nothing() -> None:
    first = metrics.Exporter(HERE, 0, list)
    with pytest.raises(OSError, match="in use"):
        metrics.Exporter(HERE, first.port, list)
    first.stop()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://{HERE}:{first.port}/metrics")
    metrics.Exporter(HERE, 0, list).stop()


def test_a_reader_that_falls_behind_is_counted_once() -> None:
    def drops() -> float:
        return metrics.REGISTRY.get_sample_value("conquest_outbox_drops_total") or 0.0

    before, outbox = drops(), Outbox(lambda _: None, lambda: None, lambda: None)
    outbox.open()
    outbox.pause()
    for _ in range(2 * MAX_MESSAGES):
        outbox.send(Outgoing(b"x", droppable=True))
    assert drops() == before + 1


def test_the_dashboard_shows_what_there_is() -> None:
    dashboard = json.loads((ROOT / "deploy" / "grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    names = {name for expr in asked for name in re.findall(r"conquest_\w+", expr)}
    kept = {sample for family in metrics.REGISTRY.collect() for sample in _samples(family.name, family.type)}
    standing = {"conquest_matches", "conquest_viewers", "conquest_connections", "conquest_healthy"}
    standing |= {"conquest_bus", "conquest_neighbours", "conquest_lines", "conquest_abroad"}
    assert names <= kept | standing
    assert {family.name for family in metrics.REGISTRY.collect()} | standing == {
        re.sub(r"_(total|bucket|sum|count)$", "", name) for name in names
    }


# --- series that begin with 0 ---


def beginning() -> dict[str, list[dict[str, str]]]:
    """Return the labels of all series of a new process by metric; all are 0."""
    program = (
        "import prometheus_client as p; from server import metrics as m; print(p.generate_latest(m.REGISTRY).decode())"
    )
    text = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=ROOT).stdout
    families = [each for each in text_string_to_metric_families(text) if not each.name.endswith("_created")]
    assert not [sample for family in families for sample in family.samples if sample.value]
    return {family.name: [each.labels for each in family.samples] for family in families}


def words(pattern: str, folder: str = ".") -> set[str]:
    """Return the words in quotes in all places of the server where that pattern is found."""
    texts = [path.read_text() for path in sorted((ROOT / "server" / folder).rglob("*.py")) if path.name != "metrics.py"]
    return {word for text in texts for place in re.findall(pattern, text) for word in re.findall(r'"(\w+)"', place)}


def test_every_series_begins_with_0() -> None:
    """Prometheus sees no increase from nothing to 1, so an alert would stay silent at the first event."""
    series = beginning()
    assert set(series) == {family.name for family in metrics.REGISTRY.collect()}
    assert [name for name, labels in series.items() if not labels] == ["conquest_actions"], "which knows no rule sets"

    def values(name: str, label: str) -> set[str]:
        return {each[label] for each in series[name]}

    assert values("conquest_cuts", "why") == words(r'\bcut(?:\(|, )"\w+"')
    assert values("conquest_recoveries", "outcome") == words(r'RECOVERIES\.labels\("\w+"\)')
    assert values("conquest_notices", "outcome") == words(r"_settle\(.*")
    assert values("conquest_notices", "kind") == words(r'\bkind(?:: str)? ?= ?"\w+"|\bresolve, "\w+"', "webhooks")
    assert values("conquest_bot_seconds", "level") == {parted(name)[1] for name in KNOWN}
    assert len(series["conquest_notices"]) == 4 * 3
    labelled = {name for name, labels in series.items() if set().union(*labels) - {"le"}}
    assert labelled == {f"conquest_{name}" for name in ("bot_seconds", "cuts", "notices", "recoveries", "refusals")}


def test_refusals_are_counted_by_the_codes_of_the_protocol_and_together_for_the_rules() -> None:
    page = (ROOT / "protocol" / "SPEC_REFERENCE.md").read_text().partition("### 6.2")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)) == metrics.CODES
    assert {labels["code"] for labels in beginning()["conquest_refusals"]} == {*metrics.CODES, metrics.BY_RULES}
    for refusal, code in ((Refusal("no-seat", "", ""), "no-seat"), (Refusal("barred", "CL-D01", ""), "rules")):
        before = metrics.REGISTRY.get_sample_value("conquest_refusals_total", {"code": code})
        metrics.count_refusal(refusal)
        assert metrics.REGISTRY.get_sample_value("conquest_refusals_total", {"code": code}) == (before or 0) + 1
    # Codes of the server itself, which belong to no rule.
    for path in sorted((*(ROOT / "server").rglob("*.py"), *(ROOT / "protocol").rglob("*.py"))):
        said = re.findall(r'\bRefusal\(\s*"([a-z-]+)", ""', path.read_text())
        assert set(said) <= metrics.CODES, path


def _samples(name: str, kind: str) -> set[str]:
    return {f"{name}_total"} if kind == "counter" else {f"{name}_{end}" for end in ("bucket", "sum", "count")}

"""Three nodes behind nginx with the very configuration that operators get, over TLS."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trustme
from websockets.asyncio.client import connect

from protocol import codec
from protocol.session import ClientSession
from server.connections.server_app import Settings
from server.opening import open_store
from server.storage.port import Store
from server.tools import demo
from server.tools.headless_client import ViewerStatistics
from server.tools.nodes import Node
from shared.messages import Welcome
from shared.rulesets.registry import RULESETS
from tests.support import engines

ROOT = Path(__file__).parents[2]
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
pytestmark = [pytest.mark.skipif(NGINX is None, reason="there is no nginx here")]

TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""Directories that nginx writes to; by default they belong to root."""
PLAN = demo.DemoPlan("classic", 6, 3, 4, {"round_limit": 25}, drops=False)


def free_port() -> int:
    """Return a port on which no program listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@asynccontextmanager
async def nginx(home: Path, nodes: list[Node]) -> AsyncIterator[int]:
    """Start nginx in front of these nodes with a certificate of its own authority; yield its port."""
    beside, port = home / "conquest", free_port()
    beside.mkdir()
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    authority.cert_pem.write_to_path(str(home / "authority.pem"))
    certificate.private_key_pem.write_to_path(str(beside / "privkey.pem"))
    for part in certificate.cert_chain_pems:
        part.write_to_path(str(beside / "fullchain.pem"), append=True)
    (beside / "name.conf").write_text(f"listen 127.0.0.1:{port} ssl;\nserver_name localhost;\n")
    servers = (f"server {node.address.removeprefix('ws://')} max_fails=1 fail_timeout=2s;" for node in nodes)
    (beside / "nodes.conf").write_text("\n".join(servers))
    shutil.copy(ROOT / "deploy" / "nginx" / "main.conf", home / "main.conf")
    (home / "conf.d").mkdir()
    paths = "".join(f"{name}_temp_path {home}/{name};\n" for name in TEMPORARY)
    (home / "conf.d" / "default.conf").write_text(f"{paths}include {ROOT / 'deploy' / 'nginx.conf'};\n")
    assert NGINX is not None
    where = ("-p", home, "-c", home / "main.conf", "-e", home / "error.log")
    process = await asyncio.create_subprocess_exec(NGINX, *where, "-g", f"daemon off; pid {home}/nginx.pid;")
    try:
        yield port
    finally:
        process.terminate()
        await process.wait()


class Cluster(demo._Cluster):
    """Three nodes that are restarted in turn while a match goes on; all clients connect through the proxy."""

    def __init__(self, nodes: list[Node], store: Store, port: int) -> None:
        super().__init__(nodes, store, RULESETS[PLAN.ruleset], PLAN)
        self.port = port
        self.owners: list[str] = []
        """Node that ran the match each time that a node was stopped."""

    def address(self, number: int) -> str:
        """Return the proxy's address, for every client."""
        return f"wss://localhost:{self.port}"

    async def disturb(self, match: str, tally: ViewerStatistics) -> None:
        """Restart one node after the other, each at a certain version of the match; first that which runs it."""
        runs_it = await self._owner(match)
        for version, node in zip((40, 80, 120), sorted(self._nodes, key=lambda node: node is not runs_it), strict=True):
            await demo._reached(tally, version)
            self.owners.append((await self._owner(match)).name)
            await node.stop()
            await node.start()


@asynccontextmanager
async def cluster(home: Path) -> AsyncIterator[Cluster]:
    """Start three nodes behind nginx."""
    where = await engines.database(home)
    engine = ("--store", where, "--bus", engines.nats().url, "--bus-prefix", "nginx")
    said = (*engine, "--behind-proxy", "127.0.0.1", "--seed", "4")
    nodes = [Node(home / f"node-{number}", said) for number in range(3)]
    await asyncio.gather(*(node.start() for node in nodes))
    async with nginx(home, nodes) as port:
        running = Cluster(nodes, await open_store(where, home, beside=True), port)
        try:
            yield running
        finally:
            await running.close()


async def health(home: Path, port: int) -> Any:
    """Return the health report of nginx's servers, as soon as one answers."""
    context = ssl.create_default_context(cafile=str(home / "authority.pem"))
    ask = partial(urllib.request.urlopen, f"https://localhost:{port}/healthz", context=context)
    async with asyncio.timeout(20):
        while True:
            try:
                return json.loads((await asyncio.to_thread(ask)).read())
            except OSError:
                await asyncio.sleep(0.05)


@pytest.mark.long
async def test_three_nodes_behind_nginx_are_one_server_that_is_updated_while_people_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(tmp_path) as running:
        told = await health(tmp_path, running.port)
        assert (told["status"], told["bus"]) == ("ok", True)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        # A page of this server may connect: the server hears by which name the browser asked.
        origin = running.address(0).replace("wss", "https")
        async with connect(running.address(0), origin=origin, proxy=None):  # type: ignore[arg-type]
            pass
        smoke = await asyncio.create_subprocess_exec(
            *(sys.executable, "deploy/smoke.py", running.address(0)), cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await asyncio.wait_for(smoke.communicate(), 60)
        assert smoke.returncode == 0 and b"resumed" in output
        report, _ = await demo._Demonstration(running, RULESETS[PLAN.ruleset], PLAN, False).run()
        # All reconnected by themselves, and nothing that anybody saw is missing in the log.
        assert report.finished and report.viewers_in_sync == report.viewers == 9
        assert len(running.owners) == 3 and len(set(running.owners)) > 1


async def come(port: int, patience: float | None) -> None:
    """Connect with `patience` seconds for each attempt, until one succeeds; wait for the server's welcome."""
    with contextlib.suppress(TimeoutError):
        async with connect(f"wss://localhost:{port}", open_timeout=patience, proxy=None) as newcomer:
            await newcomer.send(ClientSession("Newcomer").connect())
            assert isinstance(codec.decode_server(bytes(await newcomer.recv(decode=False))), Welcome)
            return
    await come(port, patience)


@pytest.mark.exhaustive
@pytest.mark.parametrize("patience", [None, 6.0], ids=["who waits", "who tries again"])
async def test_a_node_that_hangs_keeps_newcomers_waiting_for_seconds_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience: float | None
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    async with cluster(tmp_path) as running:
        await health(tmp_path, running.port)
        hanging = running._nodes[1]
        os.kill(hanging.pid, signal.SIGSTOP)
        try:
            # The connections are spread evenly: one of them goes to the node that hangs. It was 60 seconds.
            async with asyncio.timeout(30):
                await asyncio.gather(*(come(running.port, patience) for _ in range(3)))
        finally:
            os.kill(hanging.pid, signal.SIGCONT)


@pytest.mark.long
async def test_a_crowd_of_connections_keeps_no_newcomer_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    async with cluster(tmp_path) as running:
        await health(tmp_path, running.port)
        # More than two workers have by default, and each from an address of its own, as a crowd is.
        sources = [f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in range(1200)]
        crowd = [socket.create_connection(("127.0.0.1", running.port), source_address=(at, 0)) for at in sources]
        await come(running.port, None)
        assert "worker_connections are not enough" not in (tmp_path / "error.log").read_text()
        for connection in crowd:
            connection.close()


@pytest.mark.long
def test_the_proxy_is_as_patient_as_the_servers_pings_and_has_room_for_the_guides_load() -> None:
    told = (ROOT / "deploy" / "nginx.conf").read_text()
    (patience,) = re.findall(r"proxy_read_timeout (\d+)s;", told)
    assert Settings(Path()).ping < int(patience) < 15
    main = (ROOT / "deploy" / "nginx" / "main.conf").read_text()
    (connections,), (files,) = (re.findall(rf"{name} (\d+);", main) for name in ("worker_connections", "nofile"))
    assert int(connections) >= 2 * 11_000 and int(files) >= int(connections)

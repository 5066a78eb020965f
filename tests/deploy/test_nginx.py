"""Three nodes behind nginx with the very configuration that operators get, over TLS."""

import asyncio
import json
import shutil
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

from server.storage.opening import open_store
from server.storage.port import Store
from server.tools import demo
from server.tools.nodes import Node
from server.tools.robot import Tally
from shared.rulesets.registry import RULESETS
from tests.support import engines

ROOT = Path(__file__).parents[2]
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
pytestmark = [pytest.mark.long, pytest.mark.skipif(NGINX is None, reason="there is no nginx here")]

MAIN = """
daemon off;
pid {here}/nginx.pid;
error_log {here}/error.log;
worker_processes 2;
events {{}}
http {{
    access_log off;
    client_body_temp_path {here}/body;
    proxy_temp_path {here}/proxy;
    fastcgi_temp_path {here}/fastcgi;
    uwsgi_temp_path {here}/uwsgi;
    scgi_temp_path {here}/scgi;
    include {configuration};
}}
"""
PLAN = demo.Plan("classic", 6, 3, 4, {"round_limit": 25}, drops=False)


def free_port() -> int:
    """One that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@asynccontextmanager
async def nginx(home: Path, nodes: list[Node]) -> AsyncIterator[int]:
    """In front of those; where it listens, with a certificate of an authority of its own."""
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
    (home / "main.conf").write_text(MAIN.format(here=home, configuration=ROOT / "deploy" / "nginx.conf"))
    assert NGINX is not None
    where = ("-p", home, "-c", home / "main.conf", "-e", home / "error.log")
    process = await asyncio.create_subprocess_exec(NGINX, *where)
    try:
        yield port
    finally:
        process.terminate()
        await process.wait()


class Cluster(demo._Cluster):
    """Three nodes that are started anew, one after the other, while a match goes on; all come by the proxy."""

    def __init__(self, nodes: list[Node], store: Store, port: int) -> None:
        super().__init__(nodes, store, RULESETS[PLAN.ruleset], PLAN)
        self.port = port
        self.owners: list[str] = []
        """Who ran the match when a node ended."""

    def address(self, number: int) -> str:
        """See `Stage`."""
        return f"wss://localhost:{self.port}"

    async def disturb(self, match: str, tally: Tally) -> None:
        """See `Stage`."""
        for version, node in zip((40, 80, 120), self._nodes, strict=True):
            await demo._reached(tally, version)
            self.owners.append((await self._owner(match)).name)
            await node.stop()
            await node.start()


@asynccontextmanager
async def cluster(home: Path) -> AsyncIterator[Cluster]:
    """Behind nginx."""
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
    """What is said of it, as soon as anybody says anything."""
    context = ssl.create_default_context(cafile=str(home / "authority.pem"))
    ask = partial(urllib.request.urlopen, f"https://localhost:{port}/healthz", context=context)
    async with asyncio.timeout(20):
        while True:
            try:
                return json.loads((await asyncio.to_thread(ask)).read())
            except OSError:
                await asyncio.sleep(0.05)


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
        # Everybody came back by himself, and nothing that anybody saw is missing in the log.
        assert report.finished and report.viewers_in_sync == report.viewers == 9
        assert len(running.owners) == 3 and len(set(running.owners)) > 1

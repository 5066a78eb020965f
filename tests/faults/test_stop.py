"""The end of a server: everybody is told, nobody can hold it up."""

import asyncio
import signal
import sys
import time
from pathlib import Path

from protocol.limits import Close
from shared.messages import Notice, Watch
from shared.rulesets.classic.game import CLASSIC
from tests.faults.process import Process, begun
from tests.server.fakes import Client


async def test_sigterm_ends_within_five_seconds_although_peers_are_stalled(tmp_path: Path) -> None:
    server = Process(tmp_path)
    await server.start()
    people = await begun(server.url, CLASSIC, 2, seed=1)
    host, port = server.url.removeprefix("ws://").split(":")
    half_open = [await asyncio.open_connection(host, int(port)) for _ in range(3)]
    stalled = []
    for _ in range(3):
        client = await Client(server.url, "Stalled").open()
        match = people[0].client.session.match
        await client.say(lambda ref, match=match: Watch(ref, match))  # type: ignore[misc]
        client.socket.transport.pause_reading()
        stalled.append(client)
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    for person in people:
        assert (await person.client.wait_for(Notice)).code == "restart"
        assert await person.client.close_code() == Close.RESTART
    assert await asyncio.wait_for(server.process.wait(), 10) == 0
    assert time.monotonic() - began < 5
    for client in stalled:
        client.socket.transport.abort()
    for _, writer in half_open:
        writer.close()


async def test_a_server_ends_cleanly_with_its_standard_input(tmp_path: Path) -> None:
    server = Process(tmp_path, "--until-stdin-closes")
    await server.start()
    people = await begun(server.url, CLASSIC, 2, seed=1)
    assert server.process.stdin is not None
    server.process.stdin.close()
    for person in people:
        assert await person.client.close_code() == Close.RESTART
    assert await asyncio.wait_for(server.process.wait(), 10) == 0


HANGING = """
import sys, time
from server.connections.app import App
from server.__main__ import main

async def stop(self):
    while True:
        time.sleep(0.01)

App.stop = stop
sys.exit(main(["serve", "--port", "0", "--data", sys.argv[1]]))
"""


async def test_sigterm_ends_a_server_that_hangs(tmp_path: Path) -> None:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HANGING, str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert server.stdout is not None
    assert b"ready" in await asyncio.wait_for(server.stdout.readline(), 30)
    server.send_signal(signal.SIGTERM)
    _, told = await asyncio.wait_for(server.communicate(), 15)
    assert server.returncode == 1
    assert b"gave-up" in told

"""Shutdown of a server: all clients are told, and no client can delay it."""

import asyncio
import json
import signal
import sys
import time
from pathlib import Path

import pytest

from protocol.limits import Close
from shared.messages import Notice, Watch
from shared.rulesets.classic.definition import CLASSIC
from tests.faults.process import Process, begun
from tests.server.fakes import Client


@pytest.mark.long
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


@pytest.mark.long
async def test_a_server_ends_cleanly_with_its_standard_input(tmp_path: Path) -> None:
    server = Process(tmp_path, "--until-stdin-closes")
    await server.start()
    people = await begun(server.url, CLASSIC, 2, seed=1)
    assert server.process.stdin is not None
    server.process.stdin.close()
    for person in people:
        assert await person.client.close_code() == Close.RESTART
    assert await asyncio.wait_for(server.process.wait(), 10) == 0


@pytest.mark.long
async def test_a_server_that_is_told_to_stay_goes_on_until_its_file_is_gone(tmp_path: Path) -> None:
    server = Process(tmp_path, "--until-stdin-closes")
    await server.start()
    people = await begun(server.url, CLASSIC, 2, seed=1)
    assert server.process.stdin is not None
    assert server.process.stdout is not None
    server.process.stdin.write(b"stay\n")
    server.process.stdin.close()
    assert await asyncio.wait_for(server.process.stdout.read(), 10) == b"", "nobody has to read what it prints"
    told = json.loads((tmp_path / "running.json").read_text())
    assert told == {"address": server.url, "pid": server.process.pid}
    late = await Client(server.url, "Late").open()
    await late.say(lambda ref: Watch(ref, people[0].client.session.match))
    assert (tmp_path / "server.log").stat().st_mode & 0o777 == 0o600
    (tmp_path / "running.json").unlink()
    for person in people:
        assert await person.client.close_code() == Close.RESTART
    assert await asyncio.wait_for(server.process.wait(), 10) == 0


@pytest.mark.long
async def test_a_server_that_finds_the_matches_taken_does_not_end_the_one_that_has_them(tmp_path: Path) -> None:
    first = Process(tmp_path, "--until-stdin-closes")
    await first.start()
    assert first.process.stdin is not None
    first.process.stdin.write(b"stay\n")
    assert first.process.stdout is not None
    assert await asyncio.wait_for(first.process.stdout.read(), 10) == b""
    second = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "serve", "--port", "0", "--data", str(tmp_path), "--until-stdin-closes"),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(second.communicate(), 30)
    assert second.returncode == 2
    assert b"A server or another command uses" in said
    assert (tmp_path / "running.json").exists()
    (tmp_path / "running.json").unlink()
    assert await asyncio.wait_for(first.process.wait(), 10) == 0


HANGING = """
import sys, time
from server.connections.server_app import App
from server.command_line import main

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
    assert b"did not close within 4.5 seconds" in told

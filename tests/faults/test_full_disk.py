"""A real file system that is full for a while, under a server whose players do not stop asking."""

import asyncio
import http.client
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shared.messages import Create, Join, Seated, SetBot
from tests.faults.process import Process
from tests.server.fakes import Client

SIZE = "2m"
"""Of the file system in memory, which only the server's own namespace of mounts has."""


def _may_mount() -> bool:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return (
        subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0
    )


pytestmark = pytest.mark.skipif(not _may_mount(), reason="needs the right to mount")


def status(url: str) -> int:
    """Return the status of `/healthz`."""
    connection = http.client.HTTPConnection(url.removeprefix("ws://"), timeout=10)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status
    finally:
        connection.close()


async def keep_asking(client: Client) -> None:
    """Request after request that the store has to answer, as fast as one connection may ask for long."""
    while True:
        await client.say(lambda ref: Join(ref, "nowhere"))
        await client.wait_for_refusal()
        await asyncio.sleep(0.05)


@pytest.mark.long
async def test_a_server_recovers_from_a_full_disk_while_players_keep_asking(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    mounted = ("unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size={SIZE} tmpfs "$0" && exec "$@"', str(data))
    server = Process(data, within=mounted)
    await server.start()
    inside = Path(f"/proc/{server.process.pid}/root{data}")
    clients = [await Client(server.url, f"Anna {n}").open() for n in range(6)]
    seated = await clients[0].ask(lambda ref: Create(ref, "classic", 2, {}, "Title"), Seated)
    asking = [asyncio.create_task(keep_asking(client)) for client in clients[1:]]
    try:
        with (inside / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError, match="No space"):
            while True:
                filler.write(bytes(4096))
        while status(server.url) == 200:
            await clients[0].say(lambda ref: SetBot(ref, 1, "easy"))
            await clients[0].say(lambda ref: SetBot(ref, 1, ""))
            await clients[0].next()
        (inside / "filler").unlink()
        async with asyncio.timeout(30):
            while status(server.url) != 200:
                await asyncio.sleep(0.1)
        assert [task.exception() for task in asking if task.done()] == []
        await clients[1].socket.close()
        back = await Client(server.url, "Bert").open()
        assert (await back.ask(lambda ref: Join(ref, seated.match), Seated)).match == seated.match
    finally:
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        await server.kill()

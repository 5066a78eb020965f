"""A hostile connection is cut or refused, and the players go on."""

import asyncio
import contextlib
import os
import socket
import subprocess
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs
from websockets.asyncio.client import connect

from protocol import codec
from protocol.limits import Rates
from server.connections.admission import GENEROUS, Limits
from shared.messages import Accepted, Frame, Said, Say, Snapshot, Watch
from tests.faults import attacks, floods
from tests.faults.attacks import HELLO, UPGRADE, masked
from tests.server.fakes import Client, serving
from tests.server.test_sockets import match_of_two, my_frame
from tests.server.toy import Name
from tests.support.marks import with_releases

pytestmark = pytest.mark.both_loops


class Raw:
    """An attacker's socket, below WebSocket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, url: str, receive_buffer: int = 0) -> "Raw":
        host, port = url.removeprefix("ws://").split(":")
        raw = socket.socket()
        if receive_buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, (host, int(port)))
        return cls(*await asyncio.open_connection(sock=raw, limit=4096))

    async def upgrade(self) -> None:
        self.writer.write(UPGRADE)
        await self.reader.readuntil(b"\r\n\r\n")

    async def flood(self, data: bytes, read: bool = False) -> None:
        """Send it again and again until the server has had enough."""
        with contextlib.suppress(OSError):
            for _ in range(100_000):
                self.writer.write(data)
                await asyncio.wait_for(self.writer.drain(), 20)
                if read:
                    await asyncio.wait_for(self.reader.read(4096), 20)
                if self.writer.is_closing() or self.reader.at_eof():
                    return
                await asyncio.sleep(0)

    async def ended(self) -> None:
        """Wait until the server closed the connection."""
        with contextlib.suppress(OSError):
            while await asyncio.wait_for(self.reader.read(65536), 20):
                pass
        self.writer.close()


async def tiny_data(url: str) -> None:
    raw = await Raw.open(url)
    await raw.upgrade()
    await raw.flood(HELLO + masked(2, b"\xc0") * 4000)
    await raw.ended()


async def pings_never_read(url: str) -> None:
    raw = await Raw.open(url, receive_buffer=4096)
    await raw.upgrade()
    await raw.flood(HELLO + masked(9, bytes(100)) * 200)
    await raw.ended()


async def pongs(url: str) -> None:
    raw = await Raw.open(url)
    await raw.upgrade()
    await raw.flood(HELLO + masked(10, b"") * 4000)
    await raw.ended()


async def fragments(url: str) -> None:
    raw = await Raw.open(url)
    await raw.upgrade()
    await raw.flood(HELLO + masked(2, b"\x00", fin=False) + masked(0, b"\x00", fin=False) * 3000)
    await raw.ended()


async def bytes_that_are_no_frames(url: str) -> None:
    raw = await Raw.open(url)
    await raw.upgrade()
    await raw.flood(os.urandom(300))
    await raw.ended()


async def endless_headers(url: str) -> None:
    raw = await Raw.open(url)
    await raw.flood(UPGRADE[:-2] + b"X-A: " + b"a" * 1000 + b"\r\n")
    await raw.ended()


async def no_http(url: str) -> None:
    raw = await Raw.open(url)
    await raw.flood(os.urandom(100))
    await raw.ended()


async def largest_messages(url: str) -> None:
    raw = await Raw.open(url)
    await raw.upgrade()
    await raw.flood(HELLO + masked(2, bytes(16000)))
    await raw.ended()


async def too_large_messages(url: str) -> None:
    raw = await Raw.open(url)
    await raw.upgrade()
    await raw.flood(HELLO + masked(2, bytes(17000)))
    await raw.ended()


async def snapshots_without_end(url: str) -> None:
    raw = await Raw.open(url, receive_buffer=4096)
    await raw.upgrade()
    await raw.flood(HELLO + masked(2, b"\x92\x0b\x00") * 50)
    await raw.ended()


ATTACKS: list[Callable[[str], Coroutine[Any, Any, None]]] = [
    tiny_data,
    pings_never_read,
    pongs,
    fragments,
    bytes_that_are_no_frames,
    endless_headers,
    no_http,
    largest_messages,
    too_large_messages,
    snapshots_without_end,
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
async def test_floods_are_cut_and_players_go_on(
    tmp_path: Path, attack: Callable[[str], Coroutine[Any, Any, None]], caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path, limits=Limits(), rates=Rates()) as app:
        anna, bert, _ = await match_of_two(app.address)
        attacker = asyncio.create_task(attack(app.address))
        for client in (anna, bert, anna, bert):
            await client.act(await my_frame(client), Name(2))
            await client.wait_for(Accepted)
        await asyncio.wait_for(attacker, 60)
        for client in (anna, bert):
            await client.act(await my_frame(client), Name(2))
            await client.wait_for(Accepted)
        assert anna.session.mismatches == bert.session.mismatches == 0
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


async def say_or_act(anna: Client, bert: Client, talk: bool) -> None:
    """Something that everybody at the table hears of."""
    if talk:
        await anna.ask(lambda ref: Say(ref, "word " * 60), Said)
        await bert.wait_for(Said)
        return
    for client in (anna, bert):
        await client.act(await my_frame(client), Name(2))
        await client.wait_for(Accepted)


@pytest.mark.long
@pytest.mark.parametrize("talk", [True, False], ids=["chat", "frames"])
async def test_a_reader_that_stalls_is_cut_and_others_are_unharmed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, talk: bool
) -> None:
    limits = structs.replace(GENEROUS, send_buffer=4096, stall=0.3)
    async with serving(tmp_path, limits=limits) as app:
        anna, bert, match = await match_of_two(app.address, rounds=1000)
        stalled = await Raw.open(app.address, receive_buffer=4096)
        await stalled.upgrade()
        stalled.writer.write(HELLO + masked(2, codec.encode(Watch(1, match))))
        cut = ""
        while not cut:
            await say_or_act(anna, bert, talk)
            cut = "".join(getattr(record, "fields", {}).get("why", "") for record in caplog.records)
        assert cut == "stalled"
        await bert.act(await my_frame(bert), Name(2))
        await bert.wait_for(Accepted)
        await stalled.ended()


@pytest.mark.long
async def test_a_slow_reader_gets_one_snapshot_for_all_that_it_missed(tmp_path: Path) -> None:
    limits = structs.replace(GENEROUS, send_buffer=4096, stall=60.0)
    async with serving(tmp_path, limits=limits) as app:
        anna, bert, match = await match_of_two(app.address, rounds=1000)
        slow = Client(app.address, "Slow")
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.connect(("127.0.0.1", int(app.address.rpartition(":")[2])))
        slow.socket = await connect(app.address, compression=None, proxy=None, sock=small, ping_interval=None)
        await slow.socket.send(slow.session.connect())
        await slow.socket.send(slow.session.watch(match))
        await slow.wait_for(Snapshot)
        slow.socket.transport.pause_reading()
        for _ in range(400):
            for client in (anna, bert):
                await client.act(await my_frame(client), Name(2))
                await client.wait_for(Accepted)
        slow.socket.transport.resume_reading()
        while slow.session.version < anna.session.version:
            await slow.next()
        # One on entering, one for what was missed; the kernel may take a part of it before it is full again.
        assert 2 <= sum(isinstance(message, Snapshot) for message in slow.seen) <= 4
        assert sum(isinstance(message, Frame) for message in slow.seen) < 1000
        assert slow.session.mismatches == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "attack", with_releases(attacks.ATTACKS[::5], attacks.ATTACKS[15]), ids=lambda attack: attack.name
)
def test_strangers_attack_a_real_server_and_six_people_go_on(attack: attacks.Attack) -> None:
    """No times are judged here: only that the attack took place, all acts were accepted, and all came back."""
    if not floods.can_enter():
        pytest.skip("no network of our own on this machine")
    command = floods.enter(["--only", attack.name, "--attackers", "2", "--seconds", "0.5", "--json"])
    told = subprocess.run(command, capture_output=True, text=True, timeout=100)
    (row, *_) = msgspec.json.decode(told.stdout.splitlines()[-1], type=list[floods.Row])
    assert row.deeds.tried
    assert row.times.times and max(row.times.times) < floods.PATIENCE
    assert row.back < floods.PATIENCE

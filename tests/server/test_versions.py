"""Older clients at a newer server, and newer clients at an older one: they play together."""

import asyncio
from pathlib import Path
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from client.network.server_connection import ServerConnection
from client.network.status_query import ServerQuery, holdings
from protocol import codec
from protocol.limits import Close
from protocol.session import ClientSession
from protocol.version import PROTOCOL
from server.connections.server_app import App, Settings, bounds
from shared.messages import Accepted, Bounds, Create, Done, Quota, Seated, SetBot, Snapshot, Start, Welcome
from tests.protocol.make_samples import FOLDER
from tests.server.fakes import Client, serving
from tests.server.test_sockets import my_frame
from tests.server.toy import Name
from tests.support.released import as_it_was, first_server

OLD_HELLO = (FOLDER / "1" / "to_server_hello.msgpack").read_bytes()


class First:
    """A client of the first version, which knows nothing of us: plain arrays, and the tags of then."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view: list[Any] = []
        self.phase = 0

    async def say(self, *message: Any) -> None:
        await self.socket.send(msgpack.packb(list(message)))

    async def hear(self, tag: int) -> list[Any]:
        while True:
            async with asyncio.timeout(20):
                said = as_it_was(await self.socket.recv(decode=False))
            if said[:1] == [8]:
                self.view = said[3]
            if said[:1] == [6]:
                self.phase = said[7]
            if said[:1] == [tag]:
                return said
            assert said[:1] != [1], said


@pytest.mark.parametrize("hello", [OLD_HELLO, msgpack.packb([0, 1, "Livia"])], ids=["as kept", "short"])
async def test_a_client_of_the_first_version_plays_a_whole_match(tmp_path: Path, hello: bytes) -> None:
    async with serving(tmp_path) as app, connect(app.address, compression=None, proxy=None) as socket:
        livia = First(socket)
        await socket.send(hello)
        assert (await livia.hear(0))[:3] == [0, 1, "Livia"]
        await livia.say(2, 1, "toy", 2, {"rounds": 3}, "Ides")
        _, ref, _, seat, token, command = await livia.hear(7)
        assert (ref, seat, len(token), command) == (1, 0, 32, 0)
        await livia.say(6, 2, 1, "greedy")
        assert await livia.hear(2) == [2, 2]
        await livia.say(7, 3)
        for command in (10, 11, 12):
            owes: list[int] = []
            while owes != [0]:
                owes = (await livia.hear(10))[1]
            await livia.say(11, 0)
            await livia.hear(8)
            await livia.say(9, command, livia.view[0][-1][1], [10, 4])
            assert (await livia.hear(3))[1] == command
        while livia.phase != 2:
            await livia.hear(6)


async def test_a_fast_message_of_a_first_version_client_has_no_number(tmp_path: Path) -> None:
    async with serving(tmp_path) as app, connect(app.address, compression=None, proxy=None) as socket:
        await socket.send(OLD_HELLO)
        await socket.send(b"\x93\x07\x05\xc1")
        assert as_it_was(await socket.recv(decode=False))[0] == 0
        assert as_it_was(await socket.recv(decode=False))[:3] == [1, 0, "bad-message"]


async def test_a_newer_client_plays_a_whole_match_at_a_server_of_the_first_version(tmp_path: Path) -> None:
    async with serving(tmp_path) as app, first_server(app.address) as url:
        anna = await Client(url).open()
        with pytest.raises(ConnectionClosed):
            await anna.next()
        assert anna.session.greets_again
        await anna.open()
        assert (await anna.wait_for(Welcome)).protocol == 1
        create = codec.encode_lean(Create(anna.session.ref(), "toy", 2, {"rounds": 2}, "Ides"))
        await anna.socket.send(create)
        await anna.wait_for(Seated)
        await anna.ask(lambda ref: SetBot(ref, 1, "greedy"), Done)
        await anna.say(Start)
        await anna.wait_for(Snapshot)
        for _ in range(2):
            await anna.act(await my_frame(anna), Name(3))
            await anna.wait_for(Accepted)
        while anna.session.table is None or anna.session.table.phase < 2:
            await anna.next()
        assert anna.session.mismatches == 0 and anna.session.bounds is None


async def test_the_window_comes_to_a_server_of_the_first_version_by_itself(tmp_path: Path) -> None:
    async with serving(tmp_path) as app, first_server(app.address) as url:
        link = ServerConnection(url, ClientSession("Anna"))
        async with asyncio.timeout(20):
            while not any(isinstance(arrival, Welcome) for arrival in link.poll()):
                await asyncio.sleep(0.01)
        link.close()


async def test_a_question_is_asked_of_a_server_of_the_first_version(tmp_path: Path) -> None:
    async with serving(tmp_path) as app, first_server(app.address) as url:
        assert await asyncio.to_thread(holdings, ServerQuery(url, "Anna")) == ()


async def test_a_newer_client_is_told_what_to_keep_within(app: App) -> None:
    anna = await Client(app.address).open()
    welcome = await anna.wait_for(Welcome)
    assert welcome.protocol == PROTOCOL and anna.session.bounds == welcome.bounds is not None


def test_the_bounds_are_those_of_the_settings() -> None:
    told = bounds(Settings(Path()))
    assert told == Bounds(
        16384, 1048576, messages=Quota(1800, 90), chat=Quota(30, 5), strikes=Quota(6, 8), frames=Quota(2400, 160),
        bytes=Quota(983040, 65536), requests=Quota(240, 12), ping=10,
    )  # fmt: skip


async def test_no_version_in_common_is_final(tmp_path: Path) -> None:
    async with serving(tmp_path) as app, connect(app.address, compression=None, proxy=None) as socket:
        await socket.send(msgpack.packb([0, PROTOCOL + 1, "Livia", "", PROTOCOL + 7]))
        assert msgpack.unpackb(await socket.recv(decode=False))[:3] == [1, 0, "version"]
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == Close.VERSION

"""Limits for strangers over real sockets; a proxy on loopback names their addresses."""

import asyncio
import contextlib
import gc
import json
import resource
import socket
import sys
from ipaddress import ip_network
from pathlib import Path

import pytest
from msgspec import structs
from websockets.exceptions import ConnectionClosed, InvalidMessage

from protocol.limits import Close
from server.connections import event_loop
from server.connections.admission import GENEROUS, Admission, Limits
from server.connections.listener import IN_ONE_GO, listen
from server.rate_limits import Rate
from server.tools.serve import forget_the_beginning
from shared import messages as m
from tests.server.fakes import Client, serving
from tests.server.test_sockets import match_of_two, my_frame
from tests.server.toy import Name

pytestmark = pytest.mark.both_loops

PROXY = "127.0.0.2"
BEHIND = structs.replace(GENEROUS, trusted=(ip_network(PROXY),), patience=0.0)


async def stranger(url: str, address: str) -> Client:
    """Return a client that has been welcomed."""
    client = Client(url, "Nero", address)
    client.source = PROXY
    await client.open()
    await client.wait_for(m.Welcome)
    return client


async def is_turned_away(url: str, address: str) -> bool:
    """Whether a connection from there is ended before it is greeted."""
    try:
        await stranger(url, address)
    except (ConnectionClosed, InvalidMessage, OSError):
        return True
    return False


async def test_behind_a_proxy_each_address_has_places_of_its_own(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=structs.replace(BEHIND, per_address=2)) as app:
        first = await stranger(app.address, "192.0.2.1")
        await stranger(app.address, "192.0.2.1")
        assert await is_turned_away(app.address, "192.0.2.1")
        assert await is_turned_away(app.address, "198.51.100.9, 192.0.2.1")
        await stranger(app.address, "192.0.2.2")
        first.cut()
        while await is_turned_away(app.address, "192.0.2.1"):
            pass


async def test_a_flood_of_tiny_frames_is_cut_and_its_address_stays_out(tmp_path: Path) -> None:
    limits = structs.replace(Limits(), trusted=BEHIND.trusted)
    async with serving(tmp_path, limits=limits) as app:
        attacker = await stranger(app.address, "192.0.2.1")
        with contextlib.suppress(ConnectionClosed):
            for _ in range(10_000):
                await attacker.socket.ping()
            await attacker.socket.wait_closed()
        assert attacker.socket.close_code is not None
        assert await is_turned_away(app.address, "192.0.2.1")
        await stranger(app.address, "192.0.2.2")


async def test_reconnecting_gives_no_new_budget(tmp_path: Path) -> None:
    limits = structs.replace(BEHIND, frames=Rate(0.0, 20.0))
    async with serving(tmp_path, limits=limits) as app:

        async def pings(count: int) -> int:
            with contextlib.suppress(ConnectionClosed, OSError):
                client = await stranger(app.address, "192.0.2.1")
                for _ in range(count):
                    await (await client.socket.ping())
                client.cut()
                return count
            return -1

        assert await pings(8) == 8
        assert await pings(8) == 8
        assert await pings(8) == -1


async def test_idle_strangers_make_room_for_new_clients(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=structs.replace(BEHIND, connections=4, spare=1)) as app:
        anna, bert, match = await match_of_two(app.address)
        idle = [await stranger(app.address, f"192.0.2.{i}") for i in range(6)]
        assert await idle[0].close_code() == Close.INTERNAL or idle[0].socket.close_code == 1006
        last = await stranger(app.address, "192.0.2.99")
        await last.ask(lambda ref: m.Watch(ref, match), m.Done)
        for client in (anna, bert):
            await client.act(await my_frame(client), Name(2))
            await client.wait_for(m.Accepted)


async def test_a_seat_is_taken_again_although_all_places_are_taken(tmp_path: Path) -> None:
    async with serving(tmp_path, limits=structs.replace(BEHIND, connections=4, spare=2)) as app:
        anna, bert, match = await match_of_two(app.address)
        token = bert.session.token
        for i in range(2):
            watcher = await stranger(app.address, f"192.0.2.{i}")
            await watcher.ask(lambda ref: m.Watch(ref, match), m.Done)
        late = await stranger(app.address, "192.0.2.50")
        await late.say(m.OpenLobby)
        assert (await late.wait_for_refusal()).code == "full"
        assert await late.close_code() == Close.FULL
        back = await stranger(app.address, "192.0.2.51")
        assert (await back.ask(lambda ref: m.Resume(ref, match, token), m.Seated)).seat == bert.session.seat
        assert anna.socket.close_code is None


FEW_FILES = """
import resource, sys
from server.command_line import main
from server.tools import serve
serve.raise_file_limit = lambda: None
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
sys.exit(main(["serve", "--port", "0", "--data", sys.argv[1], "--loop", sys.argv[2]]))
"""


@pytest.mark.long
async def test_without_file_numbers_a_server_says_so_once_and_goes_on(tmp_path: Path) -> None:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", FEW_FILES, str(tmp_path), event_loop.name_of(asyncio.get_running_loop())),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert server.stdout is not None
    url = (await asyncio.wait_for(server.stdout.readline(), 30)).decode().split()[-1]
    early = await Client(url).open()
    await early.wait_for(m.Welcome)
    host, port = url.removeprefix("ws://").split(":")
    crowd = [await asyncio.open_connection(host, int(port)) for _ in range(150)]
    assert await early.ask(m.OpenLobby, m.LobbyList)
    for _, writer in crowd:
        writer.close()
    server.terminate()
    _, told = await asyncio.wait_for(server.communicate(), 20)
    lines = [json.loads(line) for line in told.decode().splitlines()]
    assert [line["event"] for line in lines].count("file-limit") == 1
    assert len(told) < 50_000


def test_the_limit_of_open_files_is_raised_as_far_as_allowed() -> None:
    from server.tools.serve import raise_file_limit

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
        raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_only_clients_that_ask_too_much_wait(tmp_path: Path) -> None:
    """Looking on and leaving, 2,500 times a second by fifty addresses, made an act take 400 ms."""
    limits = structs.replace(BEHIND, requests=Rate(1e-6, 4.0))
    async with serving(tmp_path, limits=limits) as app:
        anna, bert, match = await match_of_two(app.address)
        rude = await stranger(app.address, "192.0.2.1")
        for _ in range(2):
            await rude.ask(lambda ref: m.Watch(ref, match), m.Done)
            await rude.ask(m.Leave, m.Left)
        await rude.say(lambda ref: m.Watch(ref, match))
        other = await stranger(app.address, "192.0.2.2")
        await other.ask(lambda ref: m.Watch(ref, match), m.Done)
        for client in (anna, bert):
            await client.act(await my_frame(client), Name(2))
            await client.wait_for(m.Accepted)
        await (await rude.socket.ping())
        assert not [message for message in await what_came(rude) if isinstance(message, m.Done)]


async def test_four_questions_what_one_may_do_count_as_one(tmp_path: Path) -> None:
    limits = structs.replace(BEHIND, requests=Rate(1e-6, 2.0))
    async with serving(tmp_path, limits=limits) as app:
        _, _, match = await match_of_two(app.address)
        otho = await stranger(app.address, "192.0.2.1")
        await otho.ask(lambda ref: m.Watch(ref, match), m.Done)
        for _ in range(4):
            assert (await otho.ask(lambda ref: m.Consider(ref, 1), m.Refused)).code == "not-seated"
        await otho.say(lambda ref: m.Consider(ref, 1))
        await (await otho.socket.ping())
        assert not [message for message in await what_came(otho) if isinstance(message, m.Refused)]


async def test_excessive_chat_is_delayed(tmp_path: Path) -> None:
    """Messages from fifty addresses preceded every act in the queue of the table."""
    limits = structs.replace(BEHIND, requests=Rate(1e-6, 2.0))
    async with serving(tmp_path, limits=limits) as app:
        _, _, match = await match_of_two(app.address)
        rude, other = [await stranger(app.address, f"192.0.2.{number}") for number in (1, 2)]
        for client in (rude, other):
            await client.ask(lambda ref: m.Watch(ref, match), m.Done)
        for text in ("first", "second", "third"):
            await rude.say(lambda ref, text=text: m.Say(ref, text))  # type: ignore[misc]
        await (await rude.socket.ping())
        assert (await other.wait_for(m.Said)).text == "first"
        await other.say(lambda ref: m.Say(ref, "other"))
        assert (await other.wait_for(m.Said)).text == "other"


async def what_came(client: Client) -> list[m.ServerMessage]:
    """All that has arrived by now."""
    client.seen.clear()
    client.socket.transport.close()
    with contextlib.suppress(ConnectionClosed):
        while True:
            await client.next()
    return client.seen


def test_a_crowd_at_the_door_is_let_in_a_few_at_a_time() -> None:
    """Hundreds of handshakes in one turn of the loop held up everybody for a quarter of a second."""
    (door,) = listen(Admission(Limits(), lambda: 0.0), "127.0.0.1", 0)
    door.listen(100)
    crowd = [socket.create_connection(door.getsockname()) for _ in range(2 * IN_ONE_GO + 1)]

    def turn() -> int:
        let_in = []
        with contextlib.suppress(BlockingIOError):
            while True:
                let_in.append(door.accept()[0])
        for connection in let_in:
            connection.close()
        return len(let_in)

    assert [turn() for _ in range(4)] == [IN_ONE_GO, IN_ONE_GO, 1, 0]
    for each in (*crowd, door):
        each.close()


@pytest.mark.long
def test_the_garbage_collector_looks_at_what_is_new() -> None:
    """Full collections while a crowd came and went made single acts take 100 ms."""
    thresholds = gc.get_threshold()
    gc.unfreeze()
    try:
        forget_the_beginning()
        assert gc.get_freeze_count() > 10_000
        assert gc.get_threshold()[2] > thresholds[2]
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)

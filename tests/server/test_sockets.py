"""The whole server over real sockets, on loopback, with the toy game."""

import asyncio
import json
import re
import time
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode

from protocol import codec
from protocol.limits import MEANING, Close, Rates
from protocol.version import PROTOCOL
from server.connections.server_app import App
from server.storage.port import StoreError
from server.storage.sqlite import SqliteStore
from shared import messages as m
from tests.server.fakes import Client, serving
from tests.server.lobby_harness import failing
from tests.server.toy import Name

pytestmark = pytest.mark.both_loops


async def match_of_two(url: str, rounds: int = 50) -> tuple[Client, Client, str]:
    """Two people in a match that has begun."""
    anna, bert = await Client(url, "Anna").open(), await Client(url, "Bert").open()
    match = (await anna.ask(lambda ref: m.Create(ref, "toy", 2, {"rounds": rounds}, "t"), m.Seated)).match
    await bert.ask(lambda ref: m.Join(ref, match), m.Seated)
    await anna.say(m.Start)
    for client in (anna, bert):
        await client.wait_for(m.Snapshot)
    return anna, bert, match


async def my_frame(client: Client) -> int:
    """Wait until the client owes a number; the frame that it answers."""
    while True:
        session = client.session
        if session.at_table and session.in_sync and session.view is not None:
            tag, number, *rest = session.view[0][-1]
            if tag == 11 and session.seat not in rest[0]:
                return int(number)
        await client.next()


async def test_a_match_to_its_end_with_people_bots_and_onlookers(app: App) -> None:
    anna = await Client(app.address, "Anna").open()
    welcome = await anna.wait_for(m.Welcome)
    assert welcome.rulesets == (("toy", 1),)
    match = (await anna.ask(lambda ref: m.Create(ref, "toy", 3, {"rounds": 4}, "t"), m.Seated)).match
    for seat in (1, 2):
        await anna.ask(lambda ref, seat=seat: m.SetBot(ref, seat, "greedy"), m.Done)  # type: ignore[misc]
    await anna.say(m.Start)
    onlookers = [await Client(app.address, f"O{i}").open() for i in range(3)]
    for onlooker in onlookers:
        await onlooker.say(lambda ref: m.Watch(ref, match))
    await anna.wait_for(m.Snapshot)
    for _ in range(4):
        await anna.act(await my_frame(anna), Name(3))
        await anna.wait_for(m.Accepted)
    for client in (anna, *onlookers):
        while client.session.table is None or client.session.table.phase < 2:
            await client.next()
        assert client.session.view is not None and client.session.view[-1] >= 0
        assert client.session.version == 16 and client.session.mismatches == 0


async def test_a_resumed_client_is_told_what_it_missed_and_repeats_what_was_not_answered(app: App) -> None:
    anna, bert, _ = await match_of_two(app.address)
    await bert.act(await my_frame(bert), Name(5))
    await bert.wait_for(m.Accepted)
    bert.cut()
    await anna.act(await my_frame(anna), Name(4))
    await anna.wait_for(m.Accepted)
    await bert.open()
    while bert.session.version < 3:
        await bert.next()
    assert [each.version for each in bert.seen if isinstance(each, m.Frame)] == [1, 2, 3]
    assert sum(isinstance(each, m.Snapshot) for each in bert.seen) == 1
    await anna.act(await my_frame(anna), Name(6))
    anna.cut()
    await anna.open()
    await anna.wait_for(m.Accepted)
    assert not anna.session.pending
    while anna.session.version < 4:
        await anna.next()
    assert anna.session.mismatches == bert.session.mismatches == 0


async def test_messages_in_a_single_packet_keep_their_order_during_a_write(app: App) -> None:
    anna, bert, _ = await match_of_two(app.address)
    frame = await my_frame(anna)
    says = [
        codec.encode(m.Sync(0)),
        anna.session.act(frame, Name(4)),
        codec.encode(m.Say(90, "Done")),
        anna.session.act(frame, Name(5)),
    ]
    heard = (m.Snapshot, m.Accepted, m.Said, m.Refused)
    for together in (says[1:], says):
        anna.seen.clear()
        pieces = [WebSocketFrame(Opcode.BINARY, said).serialize(mask=True) for said in together]
        anna.socket.transport.write(b"".join(pieces))
        await anna.wait_for_refusal()
        kinds = [type(message) for message in anna.seen if isinstance(message, heard)]
        assert kinds == [*heard][4 - len(together) :]
    await bert.act(await my_frame(bert), Name(5))
    await bert.wait_for(m.Accepted)
    assert anna.session.mismatches == bert.session.mismatches == 0


async def test_a_seat_resumed_elsewhere_replaces_the_old_connection(app: App) -> None:
    anna, _, match = await match_of_two(app.address)
    token = anna.session.token
    other = await Client(app.address, "Anna").open()
    assert (await other.ask(lambda ref: m.Resume(ref, match, token), m.Seated)).seat == 0
    assert await anna.close_code() == Close.REPLACED


async def test_everything_survives_a_restart_on_the_same_seats(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        anna, bert, _ = await match_of_two(app.address)
        await anna.act(await my_frame(anna), Name(4))
        await anna.wait_for(m.Accepted)
    assert await anna.close_code() == Close.RESTART
    assert any(isinstance(each, m.Notice) and each.code == "restart" for each in [*anna.seen, await anna_notice(anna)])
    async with serving(tmp_path) as app:
        for client in (anna, bert):
            client.url = app.address
            await client.open()
            await client.wait_for(m.Seated)
            while client.session.version < 1 or not client.session.in_sync:
                await client.next()
        await bert.act(await my_frame(bert), Name(5))
        await bert.wait_for(m.Accepted)
        while anna.session.version < 3:
            await anna.next()
        assert anna.session.mismatches == bert.session.mismatches == 0


async def anna_notice(client: Client) -> object:
    """The notice of the end may still wait in the socket."""
    try:
        return await client.wait_for(m.Notice)
    except ConnectionClosed:
        return None


async def http(url: str, request: bytes) -> tuple[bytes, bytes]:
    """A plain HTTP request; status line and body."""
    host, port = url.removeprefix("ws://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.split(b"\r\n")[0], body


async def test_health_is_served_on_the_same_port(app: App) -> None:
    ask = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    status, body = await http(app.address, ask)
    assert b" 200 " in status
    assert json.loads(body) == {"status": "ok", "protocol": PROTOCOL, "tables": 0, "connections": 1}
    assert isinstance(app.store, SqliteStore)
    with failing(app.store):
        status, body = await http(app.address, ask)
    assert b" 503 " in status and json.loads(body)["status"] == "degraded"
    assert b" 200 " in (await http(app.address, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))[0]


async def test_a_foreign_web_page_may_not_connect(tmp_path: Path) -> None:
    from websockets.exceptions import InvalidStatus

    async with serving(tmp_path) as app:
        with pytest.raises(InvalidStatus, match="403"):
            await connect(app.address, origin="https://example.org", proxy=None)  # type: ignore[arg-type]


async def test_another_version_is_told_plainly(app: App) -> None:
    client = Client(app.address)
    client.socket = await connect(app.address, compression=None, proxy=None)
    await client.socket.send(codec.encode(m.Hello(PROTOCOL + 1, "Anna")))
    refused = await client.wait_for_refusal()
    assert refused.code == "version" and "update the server" in refused.text
    assert await client.close_code() == Close.VERSION


WRONG: dict[str, tuple[bytes | str, Close]] = {
    "garbage": (b"\xc1\xff\x00", Close.BAD_MESSAGE),
    "nothing": (b"", Close.BAD_MESSAGE),
    "unknown tag": (msgspec.msgpack.encode([99, 1]), Close.BAD_MESSAGE),
    "wrong types": (msgspec.msgpack.encode([0, "one", 3]), Close.BAD_MESSAGE),
    "a version that is none": (msgspec.msgpack.encode([0, -1, "Anna", "", 5]), Close.BAD_MESSAGE),
    "deep": (b"\x91" * 16000, Close.BAD_MESSAGE),
    "bad text": (b"\x93\x00\x01\xa2\xff\xfe", Close.BAD_MESSAGE),
    "a huge tag": (msgspec.msgpack.encode(["x" * 16000]), Close.BAD_MESSAGE),
    "no name": (msgspec.msgpack.encode([0, PROTOCOL, "\u200b"]), Close.BAD_MESSAGE),
    "too long": (b"\x00" * 20000, Close.TOO_BIG),
    "text": ("hello", Close.NOT_BINARY),
    "out of order": (msgspec.msgpack.encode([7, 1]), Close.NO_HELLO),
}


@pytest.mark.parametrize("message", WRONG)
async def test_a_bad_first_message_closes_with_a_listed_code(app: App, message: str) -> None:
    data, code = WRONG[message]
    client = Client(app.address)
    client.socket = await connect(app.address, compression=None, proxy=None)
    await client.socket.send(data)
    assert await client.close_code() == code and code in MEANING


async def test_bad_messages_later_are_refused_and_too_many_close(app: App) -> None:
    anna, bert, _ = await match_of_two(app.address)
    for _ in range(7):
        await anna.socket.send(b"\xc1")
        assert (await anna.wait_for_refusal()).code == "bad-message"
    await anna.socket.send(codec.encode(m.Hello(PROTOCOL, "Again")))
    assert (await anna.wait_for_refusal()).code == "order"
    assert await anna.close_code() == Close.BAD_MESSAGE
    await bert.act(await my_frame(bert), Name(1))
    await bert.wait_for(m.Accepted)


async def test_chatterboxes_are_refused_and_hammerers_closed(tmp_path: Path) -> None:
    rates = Rates(messages=0.001, burst=30, chat=0.001, chat_burst=2)
    async with serving(tmp_path, rates=rates) as app:
        anna = await Client(app.address).open()
        await anna.ask(lambda ref: m.Create(ref, "toy", 2, {}, "t"), m.Seated)
        for _ in range(3):
            await anna.say(lambda ref: m.Say(ref, "hello"))
        assert (await anna.wait_for_refusal()).code == "rate"
        for _ in range(40):
            await anna.say(lambda ref: m.OpenLobby(ref, False))
        assert await anna.close_code() == Close.RATE


async def test_tables_are_listed_and_names_cleaned(app: App) -> None:
    anna = await Client(app.address, "  A\u202en\u0301n\u200ba  ").open()
    assert (await anna.wait_for(m.Welcome)).name == "Ańna"
    await anna.ask(lambda ref: m.Create(ref, "toy", 2, {}, "\u200b"), m.Seated)
    listed = (await anna.ask(m.OpenLobby, m.LobbyList)).tables
    assert [table.title for table in listed] == ["Ańna's table"]
    state = [each for each in anna.seen if isinstance(each, m.TableState)][-1]
    assert state.seats[0].name == "Ańna" and state.host


@pytest.mark.long
async def test_stopping_does_not_wait_for_clients_that_do_not_read(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        anna, _, match = await match_of_two(app.address)
        stalled = await Client(app.address, "Stalled").open()
        await stalled.say(lambda ref: m.Watch(ref, match))
        await stalled.wait_for(m.Snapshot)
        stalled.socket.transport.pause_reading()
        for i in range(600):
            await anna.ask(lambda ref, i=i: m.Say(ref, f"{i:03d}" * 99), m.Said)  # type: ignore[misc]
        await anna.act(await my_frame(anna), Name(1))
        await anna.wait_for(m.Accepted)
        began = time.monotonic()
    assert time.monotonic() - began < 5
    stalled.socket.transport.abort()


async def test_listening_address_is_a_url(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        assert re.fullmatch(r"ws://127\.0\.0\.1:[1-9][0-9]*", app.address)
    try:
        async with serving(tmp_path, host="::1") as app:
            assert re.fullmatch(r"ws://\[::1\]:[1-9][0-9]*", app.address)
            await Client(app.address).open()
    except OSError:
        pytest.skip("there is no IPv6 here")


async def test_a_port_in_use_and_a_directory_in_use_are_errors(tmp_path: Path) -> None:
    async with serving(tmp_path / "a") as app:
        with pytest.raises(OSError, match="address"):
            async with serving(tmp_path / "b", port=int(app.address.rpartition(":")[2])):
                pass
        async with serving(tmp_path / "b"):
            pass  # After a failed attempt to listen the data is unlocked.
        with pytest.raises(StoreError):
            async with serving(tmp_path / "a"):
                pass

"""The bus as operators run it: with certificates, passwords and keys; and what is said where it cannot be used."""

import asyncio
import base64
import hashlib
import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import nkeys
import pytest
from msgspec import structs
from nats.aio.transport import TcpTransport

from server import log
from server.bus.bus_settings import BusSettings
from server.cluster import nats_transport
from server.cluster.nats_transport import NatsTransport, Subscriber
from server.cluster.packets import (
    OURS,
    Beat,
    Call,
    Dialect,
    Gone,
    MatchQuery,
    MatchReply,
    Parcel,
    Saying,
    SeatCode,
    Spoken,
    encode,
    parcel_in,
)
from server.storage.port import StoreError
from tests.support.engines import Nats

PEM = Path(__file__).with_name("bus_test.pem")
TLS = ("--tls", f"--tlscert={PEM}", f"--tlskey={PEM}")


@contextmanager
def running(*more: str) -> Iterator[Nats]:
    """A NATS server that is told that."""
    server = Nats(*more)
    try:
        yield server
    finally:
        server.end()


async def answer(question: MatchQuery) -> MatchReply:
    return MatchReply(version=question.dialect.version)


def hearer(heard: "asyncio.Queue[Saying]") -> Subscriber:
    """Return a subscriber that records shouts."""

    def shout(_node: str, word: Saying) -> None:
        heard.put_nowait(word)

    def parcel(_parcel: Parcel) -> None:
        raise AssertionError

    return Subscriber(parcel, shout, answer, lambda: None, lambda: None)


async def talk(bus_settings: BusSettings) -> None:
    """Check that two nodes hear each other with these settings, and do not hear themselves."""
    heard: asyncio.Queue[Saying] = asyncio.Queue()
    first = await NatsTransport.connect("first", bus_settings, hearer(heard))
    second = await NatsTransport.connect("second", bus_settings, hearer(heard))
    await first.listen()
    await second.listen()
    first.shout(Call("second"))
    second.shout(SeatCode("CODE", "match", 1))
    async with asyncio.timeout(20):
        assert {type(await heard.get()), type(await heard.get())} == {Call, SeatCode}
    await first.close()
    await second.close()
    assert heard.empty()


async def test_servers_of_neighbouring_versions_understand_each_other(caplog: pytest.LogCaptureFixture) -> None:
    """Servers are updated one after the other; versions that are further apart are ignored, and logged once."""
    heard: asyncio.Queue[Saying] = asyncio.Queue()
    ignored: asyncio.Queue[Saying] = asyncio.Queue()
    with running() as server:
        bus_settings = BusSettings(server.url)
        new = await NatsTransport.connect("new", bus_settings, hearer(heard), Dialect(8, 7))
        old = await NatsTransport.connect("old", bus_settings, hearer(heard), Dialect(7, 6))
        older = await NatsTransport.connect("older", bus_settings, hearer(ignored), Dialect(6, 5))
        for node in (new, old, older):
            await node.listen()
        for _ in range(2):
            new.shout(Spoken("new", ""))
        old.shout(Spoken("old", ""))
        async with asyncio.timeout(20):
            said = [await heard.get() for _ in range(3)]
            assert isinstance(await ignored.get(), Spoken)
        for node in (new, old, older):
            await node.close()
    assert sorted(word.text for word in said if isinstance(word, Spoken)) == ["new", "new", "old"]
    assert ignored.empty()
    told = [record.fields for record in caplog.records if record.message == "other-version"]  # type: ignore[attr-defined]
    assert told == [{"node": "new", "version": 8, "ours": 6}]


def test_messages_of_newer_servers_are_passed_over() -> None:
    data = encode([[2, 1], "new", True, 1, 1, [[99, "something"], [21, "more"], [3, 5, "more"]], "more"])
    parcel = parcel_in(data)
    assert parcel.packets == (Beat(), Gone(5)) and parcel.dialect == Dialect(2, 1) and OURS.knows(parcel.dialect)


def test_broken_messages_between_nodes_are_errors() -> None:
    """The line is to notice that something is missing."""
    with pytest.raises(msgspec.ValidationError):
        parcel_in(encode([[1, 1], "node", True, 1, 1, [[21], [3, "no number"]]]))


async def test_the_bus_is_used_with_certificates_and_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(*TLS, "--user", "conquest", "--pass", "secret") as server:
        where = f"tls://conquest:secret@127.0.0.1:{server.port}"
        await talk(BusSettings(where, authority=PEM))
        monkeypatch.setattr(nats_transport, "START", 1.0)
        for bus_settings in (
            BusSettings(where),
            BusSettings(where.replace("secret", "guessed"), authority=PEM),
            BusSettings(where.replace("tls:", "nats:")),
        ):
            with pytest.raises(StoreError, match=r"Cannot use the bus: .+\.$") as refused:
                await NatsTransport.connect("node", bus_settings, hearer(asyncio.Queue()))
            assert "secret" not in str(refused.value) and "guessed" not in str(refused.value)


async def test_missing_bus_is_reported_in_one_sentence(tmp_path: Path) -> None:
    for bus_settings in (BusSettings("nats://127.0.0.1:9"), BusSettings("nats://"), BusSettings("")):
        with pytest.raises(StoreError, match=r"Cannot use the bus: .+\.$"):
            await NatsTransport.connect("node", bus_settings, hearer(asyncio.Queue()))
    with running() as server:
        for bus_settings in (
            BusSettings(server.url, credentials=tmp_path / "none.creds"),
            BusSettings(server.url.replace("nats:", "tls:"), authority=tmp_path / "none.pem"),
        ):
            with pytest.raises(StoreError, match=r"Cannot use the bus: .+\.$"):
                await NatsTransport.connect("node", bus_settings, hearer(asyncio.Queue()))


async def test_the_bus_is_used_with_the_key_of_a_user(tmp_path: Path) -> None:
    operator, account, user = (
        nkeys.from_seed(nkeys.encode_seed(bytes([number]) * 32, prefix))
        for number, prefix in enumerate(
            (nkeys.PREFIX_BYTE_OPERATOR, nkeys.PREFIX_BYTE_ACCOUNT, nkeys.PREFIX_BYTE_USER), 1
        )
    )
    told = signed(operator, account, "account")
    config = tmp_path / "nats.conf"
    config.write_text(
        f"operator: {signed(operator, operator, 'operator')}\nresolver: MEMORY\n"
        f"resolver_preload: {{ {account.public_key.decode()}: {told} }}\n"
    )
    key = tmp_path / "node.creds"
    key.write_text(
        f"-----BEGIN NATS USER JWT-----\n{signed(account, user, 'user')}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed.decode()}\n------END USER NKEY SEED------\n"
    )
    with running("-c", str(config)) as server:
        await talk(BusSettings(server.url, credentials=key))
        with pytest.raises(StoreError, match="Cannot use the bus"):
            await NatsTransport.connect("node", BusSettings(server.url), hearer(asyncio.Queue()))


def signed(by: nkeys.KeyPair, whom: nkeys.KeyPair, kind: str) -> str:
    """The token by which one key vouches for another, as NATS reads it."""
    limits: dict[str, object] = {"subs": -1, "data": -1, "payload": -1}
    account: dict[str, object] = {
        "limits": limits | {"conn": -1, "imports": -1, "exports": -1, "wildcards": True, "leaf": -1}
    }
    rights = {"operator": {}, "account": account, "user": limits}[kind]
    claims: dict[str, object] = {
        "iat": 1_700_000_000,
        "iss": by.public_key.decode(),
        "sub": whom.public_key.decode(),
        "name": kind,
        "nats": {"type": kind, "version": 2} | rights,
    }
    claims["jti"] = base64.b32encode(hashlib.sha256(json.dumps(claims).encode()).digest()).decode().rstrip("=")
    head = coded(json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode())
    body = f"{head}.{coded(json.dumps(claims).encode())}"
    return f"{body}.{coded(by.sign(body.encode()))}"


def coded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def overfill(node: NatsTransport) -> None:
    """Say more than anything on the way to a server holds that does not read."""
    for _ in range(64):
        node.shout(Spoken("x" * 500_000, ""))


@contextmanager
def standing_still(server: Nats) -> Iterator[None]:
    """A server that neither reads nor ends, as a machine that the network lost."""
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


async def test_a_server_that_stands_still_is_left_for_another_whatever_it_has_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was waited for until it had read all that it was sent."""
    monkeypatch.setattr(nats_transport, "PING", 0.1)
    back = asyncio.Event()
    with running() as first, running() as second:
        heard = structs.replace(hearer(asyncio.Queue()), back=back.set)
        node = await NatsTransport.connect("node", BusSettings(f"{first.url},{second.url}"), heard)
        assert node._client.connected_url is not None
        with standing_still(first if node._client.connected_url.port == first.port else second):
            overfill(node)
            async with asyncio.timeout(20):
                await back.wait()
            assert node.connected
        await node.close()


async def test_a_node_ends_though_its_bus_stands_still() -> None:
    with running() as server:
        node = await NatsTransport.connect("node", BusSettings(server.url), hearer(asyncio.Queue()))
        with standing_still(server):
            overfill(node)
            async with asyncio.timeout(20):
                await node.close()
        assert not node.connected


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail as CPython 3.13.0 does if lines are written to a closed connection; later versions ignore them."""
    write: Callable[[TcpTransport, list[bytes]], None] = TcpTransport.writelines

    def writelines(self: TcpTransport, payload: list[bytes]) -> None:
        if payload and self._io_writer is not None and self._io_writer.transport.is_closing():
            raise AttributeError("'NoneType' object has no attribute '_add_writer'")
        write(self, payload)

    monkeypatch.setattr(TcpTransport, "writelines", writelines)


async def test_a_node_ends_though_the_library_holds_a_message_back(strict: None) -> None:
    with running() as server:
        node = await NatsTransport.connect("node", BusSettings(server.url), hearer(asyncio.Queue()))
        client = node._client
        with standing_still(server):
            closing = asyncio.create_task(node.close())
            while not client._pongs or client._pending_data_size:
                await asyncio.sleep(0)  # It asks whether all was read; there is no answer.
            await client._send_command(b"PUB subject 7\r\npayload\r\n")
            async with asyncio.timeout(20):
                await closing
        assert not node.connected


async def test_a_message_to_a_connection_that_was_just_lost_is_dropped(strict: None) -> None:
    """The library's own writer may have ended: then it writes within the call."""
    with running() as server:
        node = await NatsTransport.connect("node", BusSettings(server.url), hearer(asyncio.Queue()))
        client = node._client
        assert client._flusher_task is not None and client._socket is not None
        client._flusher_task.cancel()
        await asyncio.sleep(0)
        client._socket.abort()
        await client.publish("subject", b"payload")
        assert client.pending_data_size == 0
        await node.close()


class Clerk:
    """As much of a NATS server as notes in which order it is told things."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection to its end."""
        writer.write(b'INFO {"server_id": "clerk", "max_payload": 1048576}\r\n')
        while line := await reader.readline():
            self.told.append(line.split()[0].decode())
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
        writer.close()


async def test_a_node_that_listens_is_known_to_the_server_as_one_who_does() -> None:
    """The library asks whether all was read before it writes the last of it; another node's word was lost then."""
    clerk = Clerk()
    server = await asyncio.start_server(clerk.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    node = await NatsTransport.connect("node", BusSettings(f"nats://127.0.0.1:{port}"), hearer(asyncio.Queue()))
    await node.listen()
    told = list(clerk.told)
    await node.close()
    server.close()
    await server.wait_closed()
    assert told.count("SUB") == 3 and told[-1] == "PING"


async def test_a_bus_failure_is_logged_once_and_not_with_every_try(monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    monkeypatch.setattr(log, "warning", lambda _event, error: logged.append(error))
    monkeypatch.setattr(nats_transport, "RECONNECT", 0.01)
    with running() as server:
        node = await NatsTransport.connect("node", BusSettings(server.url), hearer(asyncio.Queue()))
        server.end()
        there = node._client._current_server
        async with asyncio.timeout(20):
            while there is None or there.reconnects < 8:
                await asyncio.sleep(0.01)
        await node.close()
    assert 0 < len(logged) < 4

"""The link: it never blocks, comes back by itself, and knows when that would be of no use."""

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import websockets.sync.client as sync_client
import websockets.sync.server as sync_server
from websockets.exceptions import ConnectionClosed, InvalidStatus

from client.network import server_connection as link_module
from client.network.rate_limited_log import A_MINUTE, RateLimitedLog
from client.network.server_connection import (
    HOPELESS,
    PATIENCE,
    POLL,
    Arrival,
    ConnectionState,
    ServerConnection,
    why_not,
)
from protocol import codec
from protocol.limits import Close
from protocol.routes import is_bare, routes_of
from protocol.session import ClientSession, Reaction
from shared import messages as m
from tests.client.conftest import Server


def gather(link: ServerConnection, reached: Callable[[list[Arrival]], object], seconds: float = 30.0) -> list[Arrival]:
    """Return the arrivals until `reached` is true of them."""
    found: list[Arrival] = []
    end = time.monotonic() + seconds
    while not reached(found):
        assert time.monotonic() < end, found
        found += link.poll()
        time.sleep(0.002)
    return found


def seen(kind: type | str) -> Callable[[list[Arrival]], bool]:
    """Whether a message of that type, or a link state of that name, is among what arrived."""
    if isinstance(kind, str):
        return lambda found: any(isinstance(a, ConnectionState) and a.kind == kind for a in found)
    return lambda found: any(isinstance(a, kind) for a in found)


@pytest.mark.parametrize(
    ("typed", "routes"),
    [
        ("localhost", ("ws://localhost:8600",)),
        (" 192.168.1.20:9000 ", ("ws://192.168.1.20:9000",)),
        ("[::1]:9000", ("ws://[::1]:9000",)),
        ("::1", ("ws://[::1]:8600",)),
        ("8.8.8.8", ("ws://8.8.8.8:8600",)),
        ("raspberry", ("ws://raspberry:8600",)),
        ("Atrium.local.", ("ws://Atrium.local.:8600",)),
        ("play.example.org", ("wss://play.example.org", "ws://play.example.org:8600")),
        ("play.example.org:9000", ("wss://play.example.org:9000", "ws://play.example.org:9000")),
        ("134744072", ("wss://134744072", "ws://134744072:8600")),
        ("wss://play.example.org/game", ("wss://play.example.org/game",)),
        ("ws://play.example.org", ("ws://play.example.org",)),
    ],
)
def test_addresses_are_understood(typed: str, routes: tuple[str, ...]) -> None:
    assert routes_of(typed) == routes


@pytest.mark.parametrize(
    "typed",
    ["", ":8600", "a b", "host:port", "host:0", "host:70000", "host:²", "user@host", "ws://", "wss://[", "ws:///a"],
)
def test_addresses_that_cannot_be_are_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        routes_of(typed)


@pytest.mark.parametrize(
    ("host", "bare"),
    [
        ("127.0.0.1", False), ("10.1.2.3", False), ("172.31.255.255", False), ("172.32.0.1", True),
        ("192.168.0.9", False), ("192.169.0.9", True), ("169.254.1.1", False), ("8.8.8.8", True), ("[::1]", False),
        ("[fe80::1]", False), ("[fd00::1]", False), ("[2600::1]", True), ("[::ffff:8.8.8.8]", True),
        ("[::ffff:10.0.0.1]", False), ("localhost", False), ("atrium.local", False), ("ATRIUM.LOCAL.", False),
        ("atrium", False), ("play.example.org", True), ("local", False), ("notlocal.example", True),
        ("134744072", True), ("0x08080808", True),
    ],
)  # fmt: skip
def test_unencrypted_connections_beyond_the_local_network_are_bare(host: str, bare: bool) -> None:
    assert is_bare(f"ws://{host}:8600") == bare
    assert is_bare(f"WS://{host}:8600") == bare
    assert not is_bare(f"wss://{host}:8600")


@pytest.fixture
def welcome(server: Server) -> tuple[ServerConnection, ClientSession]:
    """Return a link over which a server has greeted us, and its session."""
    session = ClientSession("Livia")
    link = ServerConnection(routes_of(server.address)[0], session)
    gather(link, seen(m.Welcome))
    return link, session


def test_hello_lobby_and_goodbye(welcome: tuple[ServerConnection, ClientSession]) -> None:
    link, session = welcome
    assert link.state.kind == "up"
    assert link.send(m.OpenLobby(session.ref()))
    gather(link, seen(m.LobbyList))
    link.close()
    link.join(5)
    assert not link.send(m.OpenLobby(session.ref()))


def test_a_seat_is_taken_again_when_the_server_comes_back(
    server: Server, welcome: tuple[ServerConnection, ClientSession]
) -> None:
    link, session = welcome
    link.send(m.Create(session.ref(), "classic", 2, {"homes": 2}, "Ides"))
    gather(link, seen(m.Seated))
    link.send(m.SetBot(session.ref(), 1, "greedy"))
    link.send(m.Start(session.ref()))
    gather(link, seen(m.Snapshot))
    before, token = session.version, session.token
    server.kill()
    gather(link, seen("lost"))
    again = Server(server.data, server.port)
    try:
        back = gather(link, lambda found: seen(m.Seated)(found) and seen(m.TableState)(found))
    finally:
        link.close()
        again.kill()
    assert session.seat == 0 and session.token != token and session.version >= before
    assert seen("up")(back)


def test_a_message_is_taken_in_when_it_is_looked_at() -> None:
    taken: list[bytes] = []

    class Session(ClientSession):
        def receive(self, data: bytes) -> Reaction:
            taken.append(data)
            return super().receive(data)

    link = ServerConnection("ws://127.0.0.1:9", Session("Livia"), patience=(0.5, 0.5))
    gather(link, seen("gave-up"))
    for number in range(3):
        link._arrived.put(codec.encode(m.Said(0, "Livia", str(number))))
    for number, message in enumerate(link.poll(), 1):
        assert isinstance(message, m.Said)
        assert len(taken) == number, "the session is not ahead of what is shown"
    assert len(taken) == 3


def test_an_unreachable_server_is_given_up() -> None:
    link = ServerConnection("ws://127.0.0.1:9", ClientSession("Livia"), patience=(0.5, 0.5))
    states = [a for a in gather(link, seen("gave-up")) if isinstance(a, ConnectionState)]
    assert states[0].kind == "connecting"
    assert states[-1].why == "No server is listening at that address."


class Odd:
    """A server that does one odd thing to everybody."""

    def __init__(self, act: Callable[[sync_server.ServerConnection], object]) -> None:
        self.met = 0
        self._act = act
        self._server = sync_server.serve(self._meet, "127.0.0.1", 0, compression=None)
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _meet(self, connection: sync_server.ServerConnection) -> None:
        self.met += 1
        try:
            assert isinstance(codec.decode_client(bytes(connection.recv())), m.Hello)  # type: ignore[arg-type]
            self._act(connection)
        except ConnectionClosed:
            return

    def stop(self) -> None:
        self._server.shutdown()


@pytest.fixture
def odd() -> Iterator[Callable[[Callable[[sync_server.ServerConnection], object]], tuple[Odd, ServerConnection]]]:
    """Yield the maker of an odd server, which also returns a client's link to it."""
    made: list[Odd] = []

    def make(act: Callable[[sync_server.ServerConnection], object]) -> tuple[Odd, ServerConnection]:
        made.append(Odd(act))
        return made[-1], ServerConnection(made[-1].url, ClientSession("Livia"))

    yield make
    for server in made:
        server.stop()


OddServers = Callable[..., tuple[Odd, ServerConnection]]


@pytest.mark.parametrize("close", HOPELESS)
def test_some_closings_are_final(odd: OddServers, close: Close) -> None:
    strange, link = odd(lambda connection: connection.close(close, "go"))
    assert gather(link, seen("gave-up"))[-1] == ConnectionState("gave-up", HOPELESS[close])
    assert strange.met == 1


def test_a_seat_that_was_taken_over_is_taken_back_by_the_player_at_the_window(odd: OddServers) -> None:
    """Its own older connection may have taken it. Once for each thing that is done there: two windows do not fight."""
    strange, link = odd(lambda connection: connection.close(Close.REPLACED, "go"))
    link.touch()
    found = gather(link, seen("gave-up"))
    assert seen("lost")(found) and found[-1] == ConnectionState("gave-up", HOPELESS[Close.REPLACED])
    assert strange.met == 2


def test_other_closings_are_followed_by_coming_back(odd: OddServers) -> None:
    strange, link = odd(lambda connection: connection.close(Close.RESTART, "back soon"))
    found = gather(link, lambda found: strange.met >= 3)
    link.close()
    assert seen("up")(found) and seen("lost")(found)


def test_a_server_that_stands_still_is_left(odd: OddServers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hung server's computer keeps the connection open: only a client that times out ends it."""
    monkeypatch.setattr(link_module, "PING", 0.2)
    woken = threading.Event()

    def stand_still(connection: sync_server.ServerConnection) -> None:
        connection.protocol.send_frame = lambda frame: None  # type: ignore[method-assign]
        woken.wait(30)

    strange, link = odd(stand_still)
    found = gather(link, lambda found: strange.met >= 2, 15.0)
    woken.set()
    link.close()
    assert seen("lost")(found)


def test_nonsense_is_logged_and_passed_over(odd: OddServers, caplog: pytest.LogCaptureFixture) -> None:
    def rave(connection: sync_server.ServerConnection) -> None:
        connection.send(b"\xff\x00 nonsense")
        connection.send("words")
        connection.send(codec.encode(m.Welcome(1, "Livia", "odd", ())))
        connection.recv()

    _strange, link = odd(rave)
    found = gather(link, seen(m.Welcome))
    link.close()
    assert not seen("lost")(found)
    assert "unreadable" in caplog.text


def test_a_server_of_nonsense_is_left_and_fills_no_log(
    odd: OddServers, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "_log", RateLimitedLog("fresh"))

    def rave(connection: sync_server.ServerConnection) -> None:
        for _ in range(1000):
            connection.send(b"\xff\x00 nonsense")
        connection.recv()

    strange, link = odd(rave)
    found = gather(link, seen("gave-up"))
    link.join(5)
    assert link.state == ConnectionState("gave-up", "There is no game server at that address.")
    assert not seen("lost")(found) and strange.met == 1
    assert len(caplog.records) == A_MINUTE


def test_a_poll_ends_in_time_whatever_comes(odd: OddServers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that never stopped talking held up the window for 36 seconds."""
    go, done = threading.Event(), threading.Event()

    def chatter(connection: sync_server.ServerConnection) -> None:
        go.wait(30)
        for number in range(100):
            connection.send(codec.encode(m.Said(0, "Nero", f"{number}")))
        done.wait(30)

    _strange, link = odd(chatter)
    gather(link, seen("up"))
    go.set()
    while link._arrived.qsize() < 100:
        time.sleep(0.002)
    ticks = itertools.count(step=POLL / 4)
    monkeypatch.setattr(link_module, "monotonic", lambda: next(ticks))
    polls = []
    while link._arrived.qsize():
        polls.append([message.text for message in link.poll() if isinstance(message, m.Said)])
    done.set()
    link.close()
    assert max(map(len, polls)) == 5
    assert [text for texts in polls for text in texts] == [str(number) for number in range(100)]


def test_a_message_is_heard_however_slow_this_computer_is(odd: OddServers, monkeypatch: pytest.MonkeyPatch) -> None:
    _strange, link = odd(lambda connection: connection.send(codec.encode(m.Said(0, "Nero", "!"))))
    ticks = itertools.count(step=9.0)
    monkeypatch.setattr(link_module, "monotonic", lambda: next(ticks))
    assert seen(m.Said)(gather(link, seen(m.Said)))
    link.close()


def test_unpolled_messages_stay_in_the_network(odd: OddServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "WAITING", 20_000)
    data = codec.encode(m.Said(0, "Nero", "x" * 1000))

    def pour(connection: sync_server.ServerConnection) -> None:
        for _ in range(200):
            connection.send(data)
        connection.recv()

    _strange, link = odd(pour)
    while link._waiting < 20_000:
        time.sleep(0.002)
    assert link._waiting < 20_000 + len(data)
    heard = gather(link, lambda found: sum(isinstance(each, m.Said) for each in found) == 200)
    assert link._waiting == 0 and len(heard) >= 200
    while link._waiting < 0:
        time.sleep(0.002)
    link.close()
    link.join(5)
    assert not link._thread.is_alive()


def test_a_full_queue_does_not_keep_a_client_from_closing(odd: OddServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "WAITING", 1)

    def pour(connection: sync_server.ServerConnection) -> None:
        while True:
            connection.send(codec.encode(m.Said(0, "Nero", "x" * 1000)))

    _strange, link = odd(pour)
    while link._waiting < 1:
        time.sleep(0.002)
    link.close()
    link.join(10)
    assert not link._thread.is_alive()


@pytest.mark.parametrize(("away", "kept"), [(1799.0, True), (1801.0, False)])
def test_patience_begins_when_the_connection_is_lost(away: float, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when the program began: after half an hour of play the first drop would have been the last."""
    clock = [0.0]
    talks = 0

    def talk(link: ServerConnection) -> tuple[str, bool, bool]:
        nonlocal talks
        talks += 1
        if talks == 1:
            clock[0] += 7200.0  # Two hours of play, and then a drop.
            return "lost", False, True
        if talks == 2:
            clock[0] += away
            raise TimeoutError
        link._closing.set()
        return "", False, True

    monkeypatch.setattr(link_module, "monotonic", lambda: clock[0])
    monkeypatch.setattr(link_module, "_FIRST_WAIT", 0.0)
    monkeypatch.setattr(ServerConnection, "_talk", talk)
    link = ServerConnection("ws://127.0.0.1:9", ClientSession("Livia"), PATIENCE)
    link.join(20)
    kinds = [arrival.kind for arrival in link.poll() if isinstance(arrival, ConnectionState)]
    assert kinds == ["connecting", "lost", "connecting", *(["lost", "connecting"] if kept else ["gave-up"])]
    assert talks == (3 if kept else 2)


def test_a_server_that_does_not_go_by_that_name_says_so(server: Server) -> None:
    port = server.address.rpartition(":")[2]
    with pytest.raises(InvalidStatus) as caught:
        sync_client.connect(f"ws://rebound.example:{port}", sock=socket.create_connection(("127.0.0.1", int(port))))
    assert why_not(caught.value).startswith("The server does not accept that name.")


def test_the_library_prints_no_traceback_of_a_lost_connection(caplog: pytest.LogCaptureFixture) -> None:
    def listen(peer: sync_server.ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            peer.recv()

    with sync_server.serve(listen, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_client.connect(f"ws://127.0.0.1:{server.socket.getsockname()[1]}") as connection:
            connection.logger.error("keepalive ping failed")
    assert "keepalive ping failed" not in caplog.text

"""Client connection between socket and lobby: bytes go in by hand, a real lobby answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from msgspec import Raw

from protocol import codec
from protocol.limits import MEANING, Close, Rates
from protocol.session import ServerSession
from protocol.version import PROTOCOL
from server.connections.admission import Admission, Limits
from server.connections.client_connection import ClientConnection
from server.connections.guard import GuardedConnection
from server.connections.public_address import PublicAddress
from server.delivery.peer import Peer
from shared import messages as m
from tests.server.fakes import FakeLink, settle
from tests.server.lobby_harness import LobbyHarness, name, open_lobby

WELCOME = m.Welcome(PROTOCOL, "", "test", (("toy", 1),))
HELLO = codec.encode(m.Hello(PROTOCOL, "Anna"))


class Line:
    """A connection by hand: what comes in is pushed, what goes out is kept."""

    half_open = False

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.address = address
        self.at_table = False
        self.heard_at = 0.0
        self.latency = 0.0
        self.is_open = True
        self.catch_up: Any = None
        self.take_now: Any = None
        self.out = self.outbox = FakeLink()
        self.closed: list[tuple[int, str]] = []
        self.dealt_with = 0
        self.why = ""
        self._coming: list[bytes | str] = []

    async def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))

    def heard(self) -> None:
        self.dealt_with += 1

    def cut(self, why: str) -> None:
        self.why = why

    async def __aiter__(self) -> AsyncIterator[bytes | str]:
        while self._coming:
            yield self._coming.pop(0)


class Caller:
    """A client whose connection ends after each call of `say`, as far as the lobby is not told."""

    def __init__(self, h: LobbyHarness, admission: Admission, line: Line, rates: Rates | None = None) -> None:
        self.h = h
        self.line = line
        self.session = ServerSession(WELCOME, rates or Rates(1e9, 1e9), h.clock.now)
        self.talk = ClientConnection(cast(GuardedConnection, line), self.session, h.lobby, admission, PublicAddress())

    @property
    def peer(self) -> Peer:
        return self.talk._peer

    async def say(self, *messages: bytes | str) -> list[Any]:
        """Send, let the connection end, and see what came back."""
        self.line.out.sent.clear()
        self.line._coming += messages
        await self.talk.run()
        await self.h.quiet()
        return self.line.out.sent


@asynccontextmanager
async def call(path: Path, limits: Limits | None = None, rates: Rates | None = None) -> AsyncIterator[Caller]:
    async with open_lobby(path) as h:
        admission = Admission(limits or Limits(), h.clock.now)
        line = Line()
        admission.enter(line)
        yield Caller(h, admission, line, rates)


async def test_clients_that_greet_are_known_by_name_and_heard(tmp_path: Path) -> None:
    async with call(tmp_path) as anna:
        assert anna.peer.name == ""
        listed = codec.encode(m.OpenLobby(1))
        welcome, tables = await anna.say(HELLO, listed)
        assert isinstance(welcome, m.Welcome) and welcome.name == anna.peer.name == "Anna"
        assert tables == m.LobbyList(1, ())
        assert (anna.line.dealt_with, anna.line.closed, anna.line.at_table) == (2, [], False)
        assert (anna.peer.address, anna.peer.trusted) == ("127.0.0.1", True)
        anna.h.lobby.notify("restart", "The server restarts.")
        assert anna.line.out.sent == [welcome, tables], "its connection has ended: the list is no longer told"


async def test_a_stranger_is_known_by_address(tmp_path: Path) -> None:
    async with call(tmp_path) as nero:
        nero.line.address = "192.0.2.1"
        await nero.say(HELLO, codec.encode(m.OpenLobby(1)))
        assert (nero.peer.address, nero.peer.trusted) == ("192.0.2.1", False)


async def test_a_fatal_message_ends_the_connection_at_once_with_its_reason(tmp_path: Path) -> None:
    for wrong, code in ((b"\xc1", Close.BAD_MESSAGE), ("text", Close.NOT_BINARY)):
        async with call(tmp_path / str(int(code))) as nero:
            (refused,) = await nero.say(wrong, HELLO)
            assert isinstance(refused, m.Refused) and nero.line.closed == [(code, MEANING[code])]
            assert nero.line.dealt_with == 0 and nero.peer.name == ""


async def at_table(h: LobbyHarness, caller: Caller) -> Peer:
    """A match of two, of which the caller holds the second seat; the other."""
    anna, bert = await h.match()
    token = h.token(bert)
    await h.drop(bert)
    await caller.say(HELLO)
    await caller.talk._hear(m.Resume(1, h.only().match, token))
    await h.quiet()
    assert caller.line.at_table and caller.peer.seat == 1
    caller.line.out.sent.clear()
    return anna


async def test_an_action_is_taken_at_once_where_the_match_is_idle(tmp_path: Path) -> None:
    async with call(tmp_path) as bert:
        take = bert.talk._take_now
        act = codec.encode(m.Act(1, 1, Raw(codec.encode(m.OpenLobby(1)))))
        assert not take(act), "it is at no table"
        await at_table(bert.h, bert)
        assert bert.line.take_now == take
        assert not take(codec.encode(m.OpenLobby(1))), "it is no action"
        assert not take(codec.encode(name(bert.h, 1, 3))), "the new token has not been used yet"
        bert.h.only().table.seating.chairs[1].confirm(bert.talk._peer.offered)
        assert take(codec.encode(name(bert.h, 1, 3)))
        await bert.h.quiet()
        assert bert.line.out.take(m.Accepted) == m.Accepted(1, 1)


async def test_floods_are_closed_on_the_fast_path_too(tmp_path: Path) -> None:
    async with call(tmp_path, rates=Rates(messages=0.0, burst=1.0)) as bert:
        await at_table(bert.h, bert)
        bert.h.only().table.seating.chairs[1].confirm(bert.talk._peer.offered)
        act = codec.encode(name(bert.h, 1, 3))
        for strike in range(8):
            assert bert.line.closed == []
            assert bert.talk._take_now(act)
            assert bert.line.out.last(m.Refused).code == "rate"
            await settle()
            assert len(bert.line.closed) == (strike == 7)
        assert bert.line.closed == [(Close.RATE, MEANING[Close.RATE])]
        assert bert.h.only().table.match.version == 0
        bert.talk._link.end(Close.MOVED)
        await settle()
        assert len(bert.line.closed) == 1, "it ends once"


async def test_a_slow_reader_is_shown_its_table_again(tmp_path: Path) -> None:
    async with call(tmp_path) as bert:
        bert.talk._catch_up()
        assert bert.line.out.sent == []
        await at_table(bert.h, bert)
        bert.line.catch_up()
        assert [type(message) for message in bert.line.out.sent] == [m.TableState, m.Snapshot, m.Clock]


async def test_the_end_of_a_connection_is_told_to_its_table(tmp_path: Path) -> None:
    async with call(tmp_path) as bert:
        await at_table(bert.h, bert)
        assert bert.peer in bert.h.only().table.audience
        await bert.say()
        assert bert.peer not in bert.h.only().table.audience


async def test_full_server_admits_only_returning_clients(tmp_path: Path) -> None:
    full = Limits(connections=0, patience=1e9)
    async with call(tmp_path, full) as nero:
        welcome, refused = await nero.say(HELLO, codec.encode(m.Join(7, "m")))
        assert isinstance(welcome, m.Welcome) and isinstance(refused, m.Refused)
        assert (refused.ref, refused.code) == (7, "full")
        await settle()
        assert nero.line.closed == [(Close.FULL, MEANING[Close.FULL])]
    async with call(tmp_path / "other", full) as bert:
        await at_table(bert.h, bert)
        bert.line._coming += [codec.encode(name(bert.h, 5, 3))]
        await bert.talk.run()
        await bert.h.quiet()
        assert any(isinstance(message, m.Accepted) for message in bert.line.out.sent), "who is at a table stays"


async def test_joining_a_table_replaces_an_idle_connection(h: LobbyHarness) -> None:
    admission = Admission(Limits(connections=1, spare=5, patience=0.0), h.clock.now)
    idler, line = Line("192.0.2.1"), Line("192.0.2.2")
    for guest in (idler, line):
        idler.at_table = True
        admission.enter(guest)
    idler.at_table = False
    bert = Caller(h, admission, line)
    await at_table(h, bert)
    assert idler.why == "idle" and not admission.is_full and line.why == ""

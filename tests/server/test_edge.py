"""Edge side alone: clients that lose a match's owner are led to the next one."""

import asyncio
import itertools
from typing import cast

import pytest

from protocol.limits import Close
from server.bus.local import LocalBus
from server.cluster import edge as edges
from server.cluster.cluster import LOOK
from server.cluster.edge import CUT_OFF, DEAF, PATIENCE, Edge, EdgeLink, RemoteTable
from server.cluster.nats_transport import NatsTransport
from server.cluster.packets import OURS, Again, Ask, Beat, Cast, ClientPlace, End, Gone, Packet, Parcel, Placed, Served
from server.delivery.outgoing import outgoing
from server.delivery.peer import Peer
from server.matches.task import MatchTask
from server.storage.port import StoreError
from shared.messages import Accepted, ClientMessage, Done, Frame, Notice, Resume, Say, Sync, Watch
from shared.tables import LOOKING_ON
from tests.server.fakes import FakeClock, settle
from tests.server.lobby_harness import LobbyHarness, link, name, person

CHANNEL = "m1.0"


class DeadWire:
    """Transport to a node that does not answer."""

    node = "here"
    dialect = OURS

    def __init__(self) -> None:
        self.packets: list[tuple[str, Packet]] = []

    def send(self, node: str, parcel: Parcel) -> None:
        """Note it."""
        self.packets += [(node, packet) for packet in parcel.packets]


class Known:
    """Directory that locates a match after a while."""

    def __init__(self, found: MatchTask | str | StoreError | None) -> None:
        self.found = found
        self.asked = asyncio.Event()
        self.known = asyncio.Event()
        self.living: set[str] = set()
        self.connected = True

    async def locate(self, match: str) -> MatchTask | str | None:
        """See `Finder`."""
        self.asked.set()
        await self.known.wait()
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    def lives(self, node: str) -> bool:
        """See `Finder`."""
        return node in self.living


class Side:
    """The edge's side, with owners that answer when they are told to."""

    def __init__(self, found: Known) -> None:
        self.wire = DeadWire()
        self.clock = FakeClock()
        self.edge = Edge(lambda: cast(NatsTransport, self.wire), self.clock, LocalBus(), found)
        self._numbers: dict[EdgeLink, int] = {}

    def says(self, line: EdgeLink, *packets: Packet, skipped: int = 0) -> None:
        """An owner does, on its line; so many parcels of it were lost."""
        self._numbers[line] = self._numbers.get(line, 0) + 1 + skipped
        self.edge.hear(Parcel(OURS, line.other, False, line.number, self._numbers[line], packets))

    def answering(self, owner: str) -> EdgeLink:
        """The line to an owner that answers."""
        line = self.edge.line_to(owner)
        self.says(line, Beat())
        return line

    def guest(self, table: RemoteTable, line: EdgeLink, seat: int = 0) -> Peer:
        """Return a client that the owner has given a place there."""
        peer = person("Carl")
        peer.table = table
        self.says(
            line, Placed(self.edge.number_of(peer), ClientPlace(table.match, seat, CHANNEL, "Carl", False, LOOKING_ON))
        )
        return peer


def cast_on(channel: str) -> Cast:
    """A word for all on it."""
    return Cast(channel, outgoing(Notice("probe", channel)).frame, False)


def heard(peer: Peer) -> list[str]:
    """On which channels a client heard something."""
    return [message.text for message in link(peer).sent if isinstance(message, Notice)]


def remote(found: Known, match: str) -> RemoteTable:
    """A table that a node runs of which nothing is heard."""
    edge = Edge(lambda: cast(NatsTransport, DeadWire()), FakeClock(), LocalBus(), found)
    return edge.table(match, "dead", lambda _code: True)


async def entering(
    table: RemoteTable, found: Known, message: ClientMessage | None = None
) -> tuple[Peer, "asyncio.Task[None]"]:
    """Return a client that asks to join while the owner is located, by default as a spectator."""
    peer = person("Carl")
    peer.table = table
    asking = asyncio.create_task(table.hear(peer, message or Watch(1, table.match)))
    await found.asked.wait()
    await asyncio.sleep(0)
    return peer, asking


async def watched(inside: LobbyHarness, peer: Peer) -> bool:
    """Whether the client watches the match here."""
    await inside.quiet()
    return link(peer).take(Done).ref == 1 and peer.table is inside.only()


async def test_joins_while_the_owner_is_dead_are_served_once_the_own_node_has_the_match(
    h: LobbyHarness,
) -> None:
    await h.match()
    found = Known(h.only())
    peer, asking = await entering(remote(found, h.only().match), found)
    found.known.set()
    await asyncio.wait_for(asking, 20)
    assert await watched(h, peer)


async def test_clients_of_an_unplayable_match_are_sent_away() -> None:
    found = Known(None)
    table = remote(found, "m1")
    first, asking = await entering(table, found)
    found.known.set()
    await asyncio.wait_for(asking, 20)
    second = person("Dora")
    second.table = table
    await asyncio.wait_for(table.hear(second, Watch(1, "m1")), 20)
    for peer in (first, second):
        assert peer.table is None and link(peer).closed == Close.MOVED


async def test_a_join_closed_during_the_owner_search_takes_no_seat(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    found = Known(h.only())
    back = Resume(1, h.only().match, h.token(anna))
    peer, asking = await entering(remote(found, h.only().match), found, back)
    link(peer).is_open = False
    found.known.set()
    await asyncio.wait_for(asking, 20)
    await h.quiet()
    assert link(anna).closed is None and not link(peer).sent


async def test_words_of_a_former_owner_are_ignored_once_another_one_has_the_match() -> None:
    """It woke, and let go of people who were at the table of its successor: they heard nothing any more."""
    found = Known("new")
    found.known.set()
    side = Side(found)
    old, new = side.answering("old"), side.answering("new")
    table = side.edge.table("m1", "old", lambda _code: True)
    peer = side.guest(table, old)
    number = side.edge.number_of(peer)
    side.says(old, End(number, Close.MOVED), Placed(number, None))
    await settle()
    assert table.uses(new) and [node for node, packet in side.wire.packets if isinstance(packet, Again)] == ["new"]
    side.says(old, Placed(number, None), cast_on(CHANNEL), End(number, Close.REPLACED), Served(number))
    side.says(new, cast_on(CHANNEL))
    assert peer.table is table and table.uses(new) and link(peer).closed is None
    assert heard(peer) == [CHANNEL]


async def test_a_client_that_gets_another_place_follows_one_channel() -> None:
    side = Side(Known(None))
    line = side.answering("there")
    table = side.edge.table("m1", "there", lambda _code: True)
    peer = side.guest(table, line)
    side.says(line, Placed(side.edge.number_of(peer), ClientPlace("m1", 1, "m1.1", "Carl", False, LOOKING_ON)))
    side.says(line, cast_on(CHANNEL), cast_on("m1.1"))
    assert heard(peer) == ["m1.1"] and peer.seat == 1


async def test_an_edge_that_misses_a_parcel_looks_for_the_owner_anew() -> None:
    found = Known("there")
    side = Side(found)
    line = side.answering("there")
    table = side.edge.table("m1", "there", lambda _code: True)
    peer = side.guest(table, line)
    side.says(line, cast_on(CHANNEL), skipped=1)
    assert heard(peer) == [] and line.closed and not table.uses(line)
    await asyncio.wait_for(found.asked.wait(), 20)
    table.stop()


@pytest.mark.parametrize(("message", "twice"), [(Sync(0), True), (Say(1, "Ave"), False)])
async def test_idempotent_requests_are_repeated_and_others_are_left_to_the_client(
    message: ClientMessage, twice: bool
) -> None:
    found = Known("there")
    found.known.set()
    side = Side(found)
    line = side.answering("there")
    table = side.edge.table("m1", "there", lambda _code: True)
    peer = side.guest(table, line)
    asking = asyncio.create_task(table.hear(peer, message))
    await settle()
    side.says(line, skipped=1)
    side.answering("there")
    await settle()
    asked = [packet for _, packet in side.wire.packets if isinstance(packet, Ask)]
    assert len(asked) == 1 + twice and (link(peer).closed == Close.MOVED) == (not twice)
    asking.cancel()


async def test_a_closed_connection_is_neither_announced_nor_asked_for_again() -> None:
    """It took the seat from its own player, who had come back elsewhere."""
    found = Known("new")
    side = Side(found)
    old, _ = side.answering("old"), side.answering("new")
    table = side.edge.table("m1", "old", lambda _code: True)
    peer = side.guest(table, old)
    asking = asyncio.create_task(table.hear(peer, Sync(0)))
    await settle()
    side.wire.packets.clear()
    table.lost(old)
    link(peer).is_open = False
    found.known.set()
    await asyncio.wait_for(asking, 20)
    await settle()
    assert side.wire.packets == [] and table.guests == () and peer.table is None


async def test_a_connection_that_closes_while_it_waits_is_told_to_be_gone() -> None:
    side = Side(Known(None))
    line = side.answering("there")
    table = side.edge.table("m1", "there", lambda _code: True)
    peer = side.guest(table, line)
    asking = asyncio.create_task(table.hear(peer, Sync(0)))
    await settle()
    link(peer).is_open = False
    side.edge.look()
    await asyncio.wait_for(asking, 20)
    await settle()
    assert ("there", Gone(side.edge.number_of(peer))) in side.wire.packets and table.guests == ()


async def test_a_closed_connection_takes_no_seat_when_its_node_becomes_the_owner(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    found = Known(h.only())
    side = Side(found)
    line = side.answering("there")
    match = h.only().match
    table = side.edge.table(match, "there", lambda _code: True)
    ghost = person("Anna")
    ghost.table = table
    place = ClientPlace(match, 0, f"{match}.0", anna.called, False, LOOKING_ON)
    side.says(line, Placed(side.edge.number_of(ghost), place))
    await h.drop(anna)
    link(ghost).is_open = False
    table.moved()
    found.known.set()
    await h.quiet()
    assert ghost.table is None and h.only().table.audience.player(0) is None


async def test_spectators_keep_watching_when_their_node_becomes_the_owner(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    found = Known(h.only())
    side = Side(found)
    table = side.edge.table(h.only().match, side.answering("there").other, lambda _code: True)
    watcher = side.guest(table, side.edge.line_to("there"), LOOKING_ON)
    table.moved()
    found.known.set()
    await h.quiet()
    assert watcher.table is h.only() and h.only().table.audience.watchers == 1
    link(watcher).sent.clear()
    await h.ask(anna, name(h, 1, 5), Accepted)
    assert any(isinstance(message, Frame) for message in link(watcher).sent)


@pytest.mark.parametrize(
    ("owner", "lives", "connected", "patience"),
    [
        ("there", True, True, CUT_OFF),
        ("there", True, False, CUT_OFF),
        ("there", False, False, PATIENCE),
        (StoreError("away"), False, False, CUT_OFF),
        (StoreError("away"), False, True, PATIENCE),
    ],
)
async def test_people_are_sent_to_another_node_soon_where_only_the_bus_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch, owner: str | StoreError, lives: bool, connected: bool, patience: float
) -> None:
    monkeypatch.setattr(edges, "TRIED", 0.0)
    monkeypatch.setattr(edges, "PAUSES", (0.0,))
    found = Known(owner)
    found.known.set()
    found.living, found.connected = {"there"} if lives else set(), connected
    side = Side(found)
    line = side.answering("there")
    table = side.edge.table("m1", "there", lambda _code: True)
    peer = side.guest(table, line)
    side.edge.break_all()
    await settle()
    side.clock.time += patience - 0.1
    for _ in itertools.repeat(None, 5):
        await asyncio.sleep(0.001)
    assert link(peer).closed is None
    side.clock.time += 0.2
    async with asyncio.timeout(20):
        while link(peer).closed is None:
            await asyncio.sleep(0.001)
    assert link(peer).closed == Close.MOVED


def test_waiting_for_a_dead_bus_ends_as_promised() -> None:
    assert DEAF + LOOK + CUT_OFF + edges.TRIED + edges.PAUSES[-1] < 5.0

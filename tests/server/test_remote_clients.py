"""The owner's side alone: what those elsewhere ask is heard in their order, also while a match is on its way here."""

from collections.abc import Callable
from typing import cast

import msgspec
import pytest
from msgspec import Raw, structs

from protocol import codec
from protocol.limits import Close
from server.bus.local import LocalBus
from server.bus.port import Bus
from server.cluster.nats_transport import NatsTransport
from server.cluster.owner import Owner, OwnerLink
from server.cluster.packets import OURS, Again, Ask, Cast, ClientPlace, End, Gone, Packet, Parcel, Served, Visitor, Word
from server.matches.task import MatchTask
from shared.messages import Accepted, Act, Refused, Resume, ServerMessage, Watch
from shared.tables import LOOKING_ON
from tests.server.fakes import FakeClock, payloads
from tests.server.lobby_harness import LobbyHarness, link, name
from tests.server.toy import Name

CALLED = "Person 0"
ABROAD = Visitor(CALLED, CALLED, "", b"", "", True, 0.0)

NEWS = msgspec.msgpack.encode((126, 9, "news"))
"""Of a client that knows more than this server."""


class Told:
    """Transport that records the packets to the edge."""

    node = "here"
    dialect = OURS

    def __init__(self) -> None:
        self.packets: list[Packet] = []
        self.parcels: list[Parcel] = []

    def send(self, node: str, parcel: Parcel) -> None:
        """Note it."""
        self.parcels.append(parcel)
        self.packets += parcel.packets

    def served(self) -> int:
        """Return the number of served requests."""
        return sum(isinstance(packet, Served) for packet in self.packets)

    def accepted(self) -> list[int]:
        """The commands that were, as the client hears it."""
        return [word.command for word in self.words() if isinstance(word, Accepted)]

    def words(self) -> list[ServerMessage]:
        """All that the client hears."""
        frames = [each.frame for each in self.packets if isinstance(each, Word)]
        return [codec.decode_server(data) for frame in frames for data in payloads(frame)]


class Waking:
    """A match that another node had, and which is being read here."""

    def __init__(self, inside: LobbyHarness) -> None:
        self._inside = inside
        self._is_here = False
        self._waiting: list[Callable[[], None]] = []
        self.match = str(inside.only().match)
        self.bus: Bus = inside.only().table.services.bus

    def task(self, match: str) -> MatchTask | None:
        """See `Directory`."""
        return cast(MatchTask, self._inside.running(match)) if self._is_here else None

    def summon(self, match: str, then: Callable[[], None]) -> None:
        """See `Directory`."""
        self._waiting.append(then)

    def comes(self) -> None:
        """It is here; those who asked for it have not learnt so yet."""
        self._is_here = True

    async def tell(self) -> None:
        """Now they have."""
        for then in self._waiting:
            then()
        await self._inside.quiet()

    def again(self, seat: int = 0) -> Again:
        """Return the packet of a client that returns to its seat."""
        return Again(7, ABROAD, ClientPlace(self.match, seat, f"{self.match}/{seat}", CALLED, False, LOOKING_ON))

    def act(self, command: int) -> Ask:
        """Return the packet of an action of that client."""
        frame = self._inside.only().table.match.frame
        return Ask(7, self.match, ABROAD, codec.encode(Act(command, frame, Raw(codec.encode(Name(5))))))


def line(told: Told, waking: Waking) -> OwnerLink:
    """From a node of which nothing was heard before."""
    return OwnerLink(cast(NatsTransport, told), FakeClock(), "there", 1, waking.bus, waking)


async def on_its_way(inside: LobbyHarness) -> Waking:
    """A match of which one player is elsewhere."""
    first, _ = await inside.match()
    await inside.drop(first)
    return Waking(inside)


async def test_actions_during_the_transfer_of_a_match_are_answered(h: LobbyHarness) -> None:
    """Only the first of the client's packets was processed then."""
    told, waking = Told(), await on_its_way(h)
    edge = line(told, waking)
    for packet in (waking.again(), waking.act(3)):
        edge.hear(packet)
    waking.comes()
    await waking.tell()
    assert told.accepted() == [3] and told.served() == 1


async def test_actions_wait_until_the_player_is_back_at_a_match_that_has_just_come(h: LobbyHarness) -> None:
    told, waking = Told(), await on_its_way(h)
    edge = line(told, waking)
    edge.hear(waking.again())
    waking.comes()
    edge.hear(waking.act(3))
    await h.quiet()
    assert told.packets == []
    await waking.tell()
    assert told.accepted() == [3] and told.served() == 1


async def test_clients_that_left_before_the_match_came_are_not_heard(h: LobbyHarness) -> None:
    told, waking = Told(), await on_its_way(h)
    edge = line(told, waking)
    for packet in (waking.again(), waking.act(3), Gone(7)):
        edge.hear(packet)
    waking.comes()
    await waking.tell()
    assert told.packets == [] and edge.guests == 0


async def test_packets_of_a_match_on_its_way_keep_their_order(h: LobbyHarness) -> None:
    """A spectator sends a request, and is announced again before the match has arrived here."""
    told, waking = Told(), await on_its_way(h)
    edge = line(told, waking)
    edge.hear(waking.again())
    waking.comes()
    edge.hear(Again(7, ABROAD, structs.replace(waking.again().place, listens=True)))
    await h.quiet()
    assert edge.guests == 0
    await waking.tell()
    peer = h.only().table.audience.player(0)
    assert edge.guests == 1 and peer is not None and peer.is_remote


async def test_earlier_requests_of_a_closed_connection_take_no_seat(h: LobbyHarness) -> None:
    """The same player has come back on another connection, and would be thrown out."""
    anna, _ = await h.match()
    token = h.token(anna)
    told, waking = Told(), Waking(h)
    waking.comes()
    edge = line(told, waking)
    edge.hear(Ask(7, waking.match, ABROAD, codec.encode(Resume(3, waking.match, token))))
    edge.hear(Gone(7))
    await h.quiet()
    assert link(anna).closed is None and h.only().table.audience.player(0) is anna


async def test_remote_spectators_follow_a_match_to_its_new_owner(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    told, waking = Told(), Waking(h)
    waking.comes()
    edge = line(told, waking)
    edge.hear(waking.again(LOOKING_ON))
    await h.quiet()
    assert edge.guests == 1 and h.only().table.audience.watchers == 1
    told.packets.clear()
    await h.ask(anna, name(h, 1, 5), Accepted)
    assert any(isinstance(packet, Cast) for packet in told.packets)


async def test_of_two_connections_with_one_seat_the_second_is_asked_to_come_back(h: LobbyHarness) -> None:
    """The former connection may be dead without its server knowing: the player must not be told to give up."""
    first, _ = await h.match()
    told, waking = Told(), Waking(h)
    waking.comes()
    edge = line(told, waking)
    edge.hear(waking.again())
    await h.quiet()
    assert End(7, Close.RESTART) in told.packets and link(first).closed is None
    link(first).is_open = False
    told.packets.clear()
    edge.hear(waking.again())
    await h.quiet()
    assert not any(isinstance(packet, End) for packet in told.packets)
    assert h.only().table.audience.player(0) is not first


async def test_an_edge_hears_a_channel_as_long_as_one_of_its_clients_follows_it(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    told, waking = Told(), Waking(h)
    waking.comes()
    edge = line(told, waking)
    for number in (7, 8):
        edge.hear(Ask(number, waking.match, ABROAD, codec.encode(Watch(3, waking.match))))
    await h.quiet()
    told.packets.clear()
    edge.hear(Gone(7))
    await h.quiet()
    await h.ask(anna, name(h, 1, 5), Accepted)
    assert any(isinstance(packet, Cast) for packet in told.packets), "one of two is left"
    edge.hear(Gone(8))
    await h.quiet()
    told.packets.clear()
    await h.ask(bert, name(h, 1, 5), Accepted)
    assert not any(isinstance(packet, Cast) for packet in told.packets), "none is"


def parcel(number: int, *packets: Packet, line: int = 1) -> Parcel:
    """From an edge."""
    return Parcel(OURS, "there", True, line, number, packets)


@pytest.mark.parametrize("number", [1, 3], ids=["repeated", "lost"])
async def test_a_line_that_loses_or_repeats_a_parcel_is_closed_and_its_edge_told(h: LobbyHarness, number: int) -> None:
    await h.match()
    told, waking = Told(), Waking(h)
    waking.comes()
    owner = Owner(lambda: cast(NatsTransport, told), FakeClock(), LocalBus(), waking)
    watch = Ask(7, waking.match, ABROAD, codec.encode(Watch(3, waking.match)))
    owner.hear(parcel(1, watch))
    await h.quiet()
    assert (owner.lines, owner.guests, h.only().table.audience.watchers) == (1, 1, 1)
    owner.hear(parcel(number, structs.replace(watch, peer=8)))
    await h.quiet()
    assert (owner.lines, owner.guests, h.only().table.audience.watchers) == (0, 0, 0)
    assert told.parcels[-1] == Parcel(OURS, "here", False, 1, 0, ())
    owner.hear(parcel(2, watch))
    assert owner.lines == 0 and told.parcels[-1].number == 0, "it begins with the first"
    owner.hear(parcel(1, watch, line=2))
    await h.quiet()
    assert (owner.lines, h.only().table.audience.watchers) == (1, 1)


async def test_messages_for_newer_servers_only_are_refused(h: LobbyHarness) -> None:
    """Servers are updated one after the other: an older one may have the match of a client that a newer one greeted."""
    told, waking = Told(), await on_its_way(h)
    waking.comes()
    edge = line(told, waking)
    edge.hear(waking.again())
    await h.quiet()
    told.packets.clear()
    edge.hear(Ask(7, waking.match, ABROAD, NEWS))
    await h.quiet()
    (refusal,) = told.words()
    assert isinstance(refusal, Refused) and (refusal.ref, refusal.code) == (9, "bad-message")
    assert told.served() == 1
    edge.hear(waking.act(10))
    await h.quiet()
    assert told.accepted() == [10]

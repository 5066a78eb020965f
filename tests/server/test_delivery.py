"""Peers and audiences: what a message says, who gets it, and what may be dropped on the way."""

from protocol import codec
from protocol.limits import Close
from server.bus.local import LocalBus
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.matches.audience import Audience
from shared.messages import Done, Refused
from shared.refusal import Refusal
from shared.tables import LOOKING_ON
from tests.server.fakes import FakeLink, payloads
from tests.server.lobby_harness import link


class Wire:
    """A link that keeps what it was given as it is."""

    latency = 0.0
    is_open = True

    def __init__(self) -> None:
        self.sent: list[Outgoing] = []

    def send(self, message: Outgoing) -> None:
        self.sent.append(message)

    def end(self, code: Close) -> None:
        raise AssertionError(code)

    @property
    def said(self) -> list[list[bytes]]:
        return [payloads(message.frame) for message in self.sent]


def test_a_peer_is_at_no_table_and_nothing_is_held_against_it() -> None:
    peer = Peer(FakeLink(), "Anna")
    assert (peer.name, peer.called, peer.address, peer.trusted) == ("Anna", "Anna", "", True)
    assert (peer.table, peer.seat) == (None, LOOKING_ON)
    peer.tell(Done(3))
    peer.refuse(4, Refusal("busy", "II-1", "Wait."))
    assert link(peer).sent == [Done(3), Refused(4, "busy", "II-1", "Wait.")]


def peers_of(audience: Audience, *seats: int) -> list[tuple[Peer, Wire]]:
    made = []
    for seat in seats:
        wire = Wire()
        peer = Peer(wire)
        peer.seat = seat
        audience.enter(peer)
        made.append((peer, wire))
    return made


def test_each_class_hears_its_own_and_the_word_for_all() -> None:
    audience = Audience("m", 2, LocalBus())
    (first, one), (second, two), (_, three), (_, four) = peers_of(audience, 0, 1, LOOKING_ON, LOOKING_ON)
    assert audience.watchers == 2 and [audience.player(seat) for seat in (0, 1)] == [first, second]
    audience.publish((b"a1", b"b1", b"p1"), (b"a2", b"b2", b"p2"), then=Done(5))
    assert one.said == [[b"a1", b"a2", codec.encode(Done(5))]]
    assert two.said == [[b"b1", b"b2", codec.encode(Done(5))]]
    assert three.said == four.said == [[b"p1", b"p2", codec.encode(Done(5))]]
    audience.publish((b"a3", b"b3", b"p3"))
    assert [wire.said[1] for wire in (one, two, three)] == [[b"a3"], [b"b3"], [b"p3"]]
    assert all(message.droppable for wire in (one, three) for message in wire.sent)


def test_classes_with_the_same_payloads_share_their_bytes() -> None:
    audience = Audience("m", 2, LocalBus())
    (_, one), (_, two), (_, three) = peers_of(audience, 0, 1, LOOKING_ON)
    same = b"same"
    audience.publish((same, same, b"other"))
    assert one.sent[0] is two.sent[0] is not three.sent[0]


def test_broadcasts_reach_all_clients_here_and_no_others() -> None:
    audience = Audience("m", 2, LocalBus())
    (first, one), (second, two), (_, three) = peers_of(audience, 0, 1, LOOKING_ON)
    audience.leave(second)
    audience.leave(second)
    assert second not in audience and first in audience and first in audience.peers
    audience.tell(Done(1))
    audience.publish((b"a", b"b", b"p"))
    assert one.said == [[codec.encode(Done(1))], [b"a"]] and three.said == [[codec.encode(Done(1))], [b"p"]]
    assert two.said == [] and one.sent[0].droppable


def test_broadcasts_may_be_dropped_for_clients_that_do_not_read() -> None:
    audience = Audience("m", 1, LocalBus())
    (_, one), (_, two) = peers_of(audience, 0, LOOKING_ON)
    audience.tell(Done(5))
    audience.publish((b"a", b"b"))
    assert [message.droppable for wire in (one, two) for message in wire.sent] == [True] * 4
    assert one.sent[0] is two.sent[0], "encoded once"

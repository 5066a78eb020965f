"""Channels: order is kept, also where many are served in slices."""

from server.bus.local import MANY, SLICE, LocalBus
from server.delivery.outgoing import Outgoing
from tests.server.fakes import settle

FIRST, SECOND = Outgoing(b"1"), Outgoing(b"2")
Heard = list[tuple[int, Outgoing]]


class Listener:
    """Notes what it hears, and who it is."""

    def __init__(self, who: int, heard: Heard) -> None:
        self._who = who
        self._heard = heard

    def send(self, message: Outgoing) -> None:
        """See `Receiver`."""
        self._heard.append((self._who, message))


def crowd(bus: LocalBus, size: int) -> tuple[Heard, list[Listener]]:
    heard: Heard = []
    subscribers = [Listener(who, heard) for who in range(size)]
    for each in subscribers:
        bus.subscribe("m", each)
    return heard, subscribers


async def test_a_few_hear_at_once() -> None:
    bus = LocalBus()
    heard, subscribers = crowd(bus, MANY)
    bus.publish("m", FIRST)
    assert heard == [(who, FIRST) for who in range(MANY)]
    for each in subscribers:
        bus.unsubscribe("m", each)
    bus.publish("m", SECOND)
    assert len(heard) == MANY


async def test_many_hear_in_slices_and_in_order() -> None:
    bus = LocalBus()
    heard, subscribers = crowd(bus, MANY + 1)
    bus.publish("m", FIRST)
    assert len(heard) == SLICE
    bus.publish("m", SECOND)
    bus.unsubscribe("m", subscribers[-1])
    late = Listener(-1, [])
    bus.subscribe("m", late)
    await settle()
    assert heard == [(who, message) for message in (FIRST, SECOND) for who in range(MANY)]
    bus.unsubscribe("m", late)
    bus.publish("m", FIRST)
    assert heard[-MANY:] == [(who, FIRST) for who in range(MANY)]


async def test_a_crowd_that_leaves_at_once_misses_the_rest_and_newcomers_hear_later_messages() -> None:
    bus = LocalBus()
    heard, subscribers = crowd(bus, MANY + 1)
    bus.publish("m", FIRST)
    for each in subscribers:
        bus.unsubscribe("m", each)
    bus.publish("m", SECOND)
    bus.subscribe("m", Listener(-1, heard))
    await settle()
    assert heard == [(who, FIRST) for who in range(SLICE)]
    bus.publish("m", SECOND)
    assert heard[SLICE:] == [(-1, SECOND)]


async def test_clients_that_leave_and_return_hear_all() -> None:
    bus = LocalBus()
    heard, subscribers = crowd(bus, MANY + 1)
    bus.publish("m", FIRST)
    bus.unsubscribe("m", subscribers[-1])
    bus.subscribe("m", subscribers[-1])
    await settle()
    assert heard == [(who, FIRST) for who in range(MANY + 1)]
    bus.unsubscribe("m", subscribers[-1])
    bus.publish("m", SECOND)
    assert heard[MANY + 1 :] == [(who, SECOND) for who in range(MANY)]

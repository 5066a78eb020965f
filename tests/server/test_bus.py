"""Channels: order is kept, also where many are served in slices."""

from functools import partial

from server.bus.local import MANY, SLICE, LocalBus
from server.bus.port import Deliver
from server.delivery.outgoing import Outgoing
from tests.server.fakes import settle

FIRST, SECOND = Outgoing(b"1"), Outgoing(b"2")


def crowd(bus: LocalBus, size: int) -> tuple[list[tuple[int, Outgoing]], list[Deliver]]:
    heard: list[tuple[int, Outgoing]] = []

    def hear(who: int, message: Outgoing) -> None:
        heard.append((who, message))

    subscribers: list[Deliver] = [partial(hear, who) for who in range(size)]
    for deliver in subscribers:
        bus.subscribe("m", deliver)
    return heard, subscribers


async def test_a_few_hear_at_once() -> None:
    bus = LocalBus()
    heard, subscribers = crowd(bus, MANY)
    bus.publish("m", FIRST)
    assert heard == [(who, FIRST) for who in range(MANY)]
    for deliver in subscribers:
        bus.unsubscribe("m", deliver)
    bus.publish("m", SECOND)
    assert len(heard) == MANY


async def test_many_hear_in_slices_and_in_order() -> None:
    bus = LocalBus()
    heard, subscribers = crowd(bus, MANY + 1)
    bus.publish("m", FIRST)
    assert len(heard) == SLICE
    bus.publish("m", SECOND)
    bus.unsubscribe("m", subscribers[-1])
    bus.subscribe("m", late := partial(heard.append, (-1, SECOND)))
    await settle()
    assert heard == [(who, message) for message in (FIRST, SECOND) for who in range(MANY)]
    bus.unsubscribe("m", late)
    bus.publish("m", FIRST)
    assert heard[-MANY:] == [(who, FIRST) for who in range(MANY)]


async def test_a_crowd_that_leaves_at_once_misses_the_rest_and_whoever_comes_hears_what_comes() -> None:
    bus = LocalBus()
    heard, subscribers = crowd(bus, MANY + 1)
    bus.publish("m", FIRST)
    for deliver in subscribers:
        bus.unsubscribe("m", deliver)
    bus.publish("m", SECOND)
    bus.subscribe("m", lambda message: heard.append((-1, message)))
    await settle()
    assert heard == [(who, FIRST) for who in range(SLICE)]
    bus.publish("m", SECOND)
    assert heard[SLICE:] == [(-1, SECOND)]

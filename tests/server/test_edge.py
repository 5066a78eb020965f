"""The edge's side alone: whom a match's owner leaves alone is led on, whoever runs it then."""

import asyncio
from pathlib import Path
from typing import cast

from protocol.limits import Close
from server.bus.local import LocalBus
from server.cluster.carrier import Carrier
from server.cluster.edge import Edge, RemoteTable
from server.cluster.packets import OURS, Parcel
from server.delivery.peer import Peer
from server.matches.task import MatchTask
from shared.messages import ClientMessage, Done, Resume, Watch
from tests.server.fakes import FakeClock
from tests.server.house import House, house, link, person


class DeadWire:
    """Nobody answers."""

    node = "here"
    dialect = OURS

    def send(self, node: str, parcel: Parcel) -> None:
        """Into the void."""


class Known:
    """What the lobby says of a match, sooner or later."""

    def __init__(self, found: MatchTask | None) -> None:
        self.found = found
        self.asked = asyncio.Event()
        self.known = asyncio.Event()

    async def locate(self, match: str) -> MatchTask | str | None:
        """See `Finder`."""
        self.asked.set()
        await self.known.wait()
        return self.found


def remote(found: Known, match: str) -> RemoteTable:
    """A table that a node runs of which nothing is heard."""
    edge = Edge(lambda: cast(Carrier, DeadWire()), FakeClock(), LocalBus(), found)
    return edge.table(match, "dead", lambda _code: True)


async def entering(
    table: RemoteTable, found: Known, message: ClientMessage | None = None
) -> tuple[Peer, "asyncio.Task[None]"]:
    """Somebody who asks to come, to look on if nothing else is said, while the owner is looked for."""
    peer = person("Carl")
    peer.table = table
    asking = asyncio.create_task(table.hear(peer, message or Watch(1, table.match)))
    await found.asked.wait()
    await asyncio.sleep(0)
    return peer, asking


async def watched(inside: House, peer: Peer) -> bool:
    """Whether he looks on at the match here."""
    await inside.quiet()
    return link(peer).take(Done).ref == 1 and peer.table is inside.only()


async def test_who_asks_to_come_while_the_owner_is_dead_is_served_by_his_own_node_once_that_has_the_match(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as inside:
        await inside.match()
        found = Known(inside.only())
        peer, asking = await entering(remote(found, inside.only().match), found)
        found.known.set()
        await asyncio.wait_for(asking, 20)
        assert await watched(inside, peer)


async def test_who_comes_to_a_match_that_nobody_can_run_is_sent_away_and_so_is_the_next() -> None:
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


async def test_who_hung_up_while_the_owner_was_looked_for_does_not_take_his_seat_from_himself(tmp_path: Path) -> None:
    async with house(tmp_path) as inside:
        anna, _ = await inside.match()
        found = Known(inside.only())
        back = Resume(1, inside.only().match, inside.token(anna))
        peer, asking = await entering(remote(found, inside.only().match), found, back)
        link(peer).is_open = False
        found.known.set()
        await asyncio.wait_for(asking, 20)
        await inside.quiet()
        assert link(anna).closed is None and not link(peer).sent

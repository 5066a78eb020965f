"""The owner's side alone: what those elsewhere ask is heard in their order, also while a match is on its way here."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Raw

from protocol import codec
from server.bus.local import LocalBus
from server.cluster.carrier import Carrier
from server.cluster.owner import OwnerLine
from server.cluster.packets import OURS, Again, Ask, Gone, Packet, Parcel, Place, Served, Visitor, Word
from server.matches.task import MatchTask
from shared.messages import Accepted, Act, Refused, ServerMessage
from shared.tables import LOOKING_ON
from tests.server.fakes import FakeClock, payloads
from tests.server.house import House, house
from tests.server.toy import Name

CALLED = "Person 0"
ABROAD = Visitor(CALLED, CALLED, "", b"", "", True, 0.0)

NEWS = msgspec.msgpack.encode((126, 9, "news"))
"""Of a client that knows more than this server."""


class Told:
    """What goes to the edge."""

    node = "here"
    dialect = OURS

    def __init__(self) -> None:
        self.packets: list[Packet] = []

    def send(self, node: str, parcel: Parcel) -> None:
        """Note it."""
        self.packets += parcel.packets

    def served(self) -> int:
        """How much was dealt with."""
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

    def __init__(self, inside: House) -> None:
        self._inside = inside
        self._is_here = False
        self._waiting: list[Callable[[], None]] = []
        self.match = str(inside.only().match)

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
        """Somebody goes on where he was."""
        return Again(7, ABROAD, Place(self.match, seat, f"{self.match}/{seat}", CALLED, False, LOOKING_ON))

    def act(self, command: int) -> Ask:
        """He acts."""
        frame = self._inside.only().table.match.frame
        return Ask(7, self.match, ABROAD, codec.encode(Act(command, frame, Raw(codec.encode(Name(5))))))


def line(told: Told, waking: Waking) -> OwnerLine:
    """From a node of which nothing was heard before."""
    return OwnerLine(cast(Carrier, told), FakeClock(), "there", 1, LocalBus(), waking)


async def on_its_way(inside: House) -> Waking:
    """A match of which one player is elsewhere."""
    first, _ = await inside.match()
    await inside.drop(first)
    return Waking(inside)


async def test_whoever_acts_while_his_match_is_on_its_way_here_is_answered(tmp_path: Path) -> None:
    """Only the first of his packets was heard then."""
    async with house(tmp_path) as inside:
        told, waking = Told(), await on_its_way(inside)
        edge = line(told, waking)
        for packet in (waking.again(), waking.act(3)):
            edge.hear(packet)
        waking.comes()
        await waking.tell()
        assert told.accepted() == [3] and told.served() == 1


async def test_nobody_acts_before_he_is_back_at_a_match_that_has_just_come(tmp_path: Path) -> None:
    async with house(tmp_path) as inside:
        told, waking = Told(), await on_its_way(inside)
        edge = line(told, waking)
        edge.hear(waking.again())
        waking.comes()
        edge.hear(waking.act(3))
        await inside.quiet()
        assert told.packets == []
        await waking.tell()
        assert told.accepted() == [3] and told.served() == 1


async def test_whoever_went_before_his_match_came_is_not_heard_any_more(tmp_path: Path) -> None:
    async with house(tmp_path) as inside:
        told, waking = Told(), await on_its_way(inside)
        edge = line(told, waking)
        for packet in (waking.again(), waking.act(3), Gone(7)):
            edge.hear(packet)
        waking.comes()
        await waking.tell()
        assert told.packets == [] and edge.guests == 0


async def test_what_only_a_newer_server_reads_of_its_clients_is_refused(tmp_path: Path) -> None:
    """Servers are updated one after the other: an older one may have the match of a client that a newer one greeted."""
    async with house(tmp_path) as inside:
        told, waking = Told(), await on_its_way(inside)
        waking.comes()
        edge = line(told, waking)
        edge.hear(waking.again())
        await inside.quiet()
        told.packets.clear()
        edge.hear(Ask(7, waking.match, ABROAD, NEWS))
        await inside.quiet()
        (refusal,) = told.words()
        assert isinstance(refusal, Refused) and (refusal.ref, refusal.code) == (9, "bad-message")
        assert told.served() == 1
        edge.hear(waking.act(10))
        await inside.quiet()
        assert told.accepted() == [10]

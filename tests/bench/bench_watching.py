"""Bytes that a spectator is sent during a whole match: `python -m tests.bench.bench_watching`.

People play at a normal pace, lose their connections and come back, while other spectators come and go. A fake clock
lets a match of an hour take seconds. Prints one JSON object: for each rule set, and for a client that understands
`Presence` and one that does not, bytes by kind of message."""

import argparse
import asyncio
import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

from msgspec import Raw

from protocol import codec
from server.bots.policy import choose
from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.matches.task import MatchTask
from shared.messages import Act, Done, Resume, Start, Watch
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import PRESENCE, TablePhase
from tests.server.fakes import FakeLink, payloads
from tests.server.lobby_harness import LobbyHarness, open_lobby

PACE: Final = 0.6
"""Seconds that a bot takes for a decision: what a server's operator gets who says nothing else."""
THOUGHT: Final = 4.0
"""Seconds that a person takes."""
STAYS: Final = (30, 300)
"""Decisions of the match after which a client loses its connection."""
AWAY: Final = 8.0
"""Seconds until the client is back."""


class Ear:
    """A link that counts what it carries, by the tag of the message."""

    def __init__(self) -> None:
        self.bytes: Counter[int] = Counter()
        self.latency = 0.0
        self.is_open = True

    def send(self, message: Outgoing) -> None:
        """Count."""
        for payload in payloads(message.frame):
            tag = codec.decode_plain(payload)[0]
            self.bytes[tag] += len(payload) + (2 if len(payload) < 126 else 4)

    def end(self, code: object) -> None:
        """Do nothing: no connection is closed here."""


async def decide(game: str, kind: str, seat: int, view: bytes, seed: int, seconds: float) -> bytes:
    """A bot, here and now."""
    rules = ruleset(game)
    return codec.encode(choose("normal", rules, rules.view_decoder.decode(view), seat, random.Random(seed)))


class Evening:
    """A match of people and bots, and those who come and go."""

    def __init__(self, h: LobbyHarness, rng: random.Random, people: int, onlookers: int) -> None:
        self.h = h
        self._rng = rng
        self._people = people
        self._commands: Counter[int] = Counter()
        self._stays: dict[Peer, int] = {}
        self._back: list[tuple[float, int, str]] = []
        self._onlookers = onlookers

    @property
    def task(self) -> MatchTask:
        """The table's."""
        task: MatchTask = self.h.only()
        return task

    async def play(self, seats: int, ears: dict[str, frozenset[str]]) -> dict[str, Counter[int]]:
        """The whole match; what each of the ears heard, by the abilities of its client."""
        peers = await self.h.table(self._people, takeover=0) if seats == self._people else []
        watched = {}
        for name, agreed in ears.items():
            peer = Peer(Ear(), name)
            peer.agreed = agreed
            await self.h.say(peer, Watch(1, self.task.match))
            watched[name] = peer
        for peer in peers:
            self._stay(peer)
        for number in range(self._onlookers):
            await self._look_on(f"Onlooker {number}")
        await self.h.ask(peers[0], Start(2), Done)
        while self.task.table.record.phase is not TablePhase.OVER:
            await self._decision()
        return {name: peer.link.bytes for name, peer in watched.items() if isinstance(peer.link, Ear)}

    def _stay(self, peer: Peer) -> None:
        self._stays[peer] = self._rng.randrange(*STAYS)

    async def _look_on(self, name: str) -> None:
        peer = Peer(FakeLink(), name)
        await self.h.say(peer, Watch(1, self.task.match))
        self._stay(peer)

    async def _decision(self) -> None:
        """The next one, and those who go and come meanwhile."""
        match = self.task.table.match
        assert match is not None
        version, seat = match.version, match.owed[0]
        await self.h.clock.advance(THOUGHT if self.task.table.seating.chairs[seat].here else PACE)
        await self._come_back()
        peer = self.task.table.audience.player(seat)
        if peer is not None and match.version == version:
            await self._act(peer, seat)
        await self._go()

    async def _act(self, peer: Peer, seat: int) -> None:
        match = self.task.table.match
        assert match is not None
        rules = match.rules
        view = rules.view_decoder.decode(match.view(seat))
        action = choose("normal", rules, view, seat, self._rng)
        self._commands[seat] += 1
        standing = codec.encode(action)
        await self.h.say(peer, Act(self._commands[seat], match.frame, Raw(standing)))
        _sent(peer).clear()

    async def _go(self) -> None:
        for peer in list(self._stays):
            self._stays[peer] -= 1
            if self._stays[peer] <= 0:
                del self._stays[peer]
                self._back.append((self.h.clock.now() + AWAY, peer.seat, peer.name))
                await self.h.drop(peer)

    async def _come_back(self) -> None:
        now = self.h.clock.now()
        due, self._back = [each for each in self._back if each[0] <= now], [e for e in self._back if e[0] > now]
        for _, seat, name in due:
            if seat < 0:
                await self._look_on(name)
                continue
            peer = Peer(FakeLink(), name)
            token = self.task.table.seating.chairs[seat].offer_token()
            await self.h.say(peer, Resume(1, self.task.match, token, 1))
            self._stay(peer)


def _sent(peer: Peer) -> list[Any]:
    assert isinstance(peer.link, FakeLink)
    return peer.link.sent


async def measure(game: str, seats: int, onlookers: int, ears: dict[str, frozenset[str]]) -> dict[str, object]:
    """Measure one match."""
    with tempfile.TemporaryDirectory() as directory:
        async with open_lobby(Path(directory), decide, pace=PACE, rules=ruleset(game)) as h:
            evening = Evening(h, random.Random(1), seats, onlookers)
            heard = await evening.play(seats, ears)
            match = evening.task.table.match
            assert match is not None
            return {"versions": match.version, "seconds": round(h.clock.now() - 1000)} | {
                name: {"bytes": counted.total(), "by_tag": dict(sorted(counted.items()))}
                for name, counted in heard.items()
            }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", choices=sorted(RULESETS), action="append")
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--onlookers", type=int, default=4)
    args = parser.parse_args()
    ears = {"plain": frozenset[str](), "presence": frozenset((PRESENCE,))}
    games = args.ruleset or sorted(RULESETS)
    print(json.dumps({g: asyncio.run(measure(g, args.seats, args.onlookers, ears)) for g in games}, indent=2))


if __name__ == "__main__":
    main()

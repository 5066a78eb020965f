"""Cost of 50 deciding browsers for a desktop player: `python -m tests.bench.bench_browsers`.

On a real server (`serve`) one match of two desktop players goes on without pauses. Beside it are two groups of 25
matches of two people each, who decide at a human pace. In the first group they are at pages, which ask `Consider` and
`TryAction` for each decision. In the second they are at desktop clients, which ask nothing, and 50 pages watch. The
groups play in turn, in short blocks of one server process; the other one waits meanwhile. A pair is a block of each, in
an order by chance, so that what else the computer does slows both. All are clients of the protocol that send what the
page sends: 50 real browsers need more than one computer.

Prints one JSON object. `action_ms`: milliseconds from the desktop player's action to `Accepted`, median of all blocks.
`server_ms_a_second`: the server's processor time. `action_ratio`: of pages to spectators, the median of the pairs.
`likely`: the range of that median in 95 of 100 draws of as many pairs."""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from typing import Any, Final

from msgspec import Raw

from protocol import codec
from protocol.session import ClientSession
from server.connections.event_loop import ASYNCIO
from shared.kernel import engine
from shared.messages import (
    Accepted,
    Act,
    Choices,
    Clock,
    Consider,
    Create,
    Done,
    Join,
    Seated,
    Start,
    Tried,
    TryAction,
    Watch,
)
from shared.rulesets.registry import ruleset
from shared.tables import LABELS, PRESENCE, SENTENCES, TablePhase
from tests.bench.bench_loop import milliseconds, serving
from tests.server.fakes import Client

TABLES: Final = 25
THOUGHT: Final = 2.0
"""Seconds that a person at these tables takes for a decision."""
WARM: Final = 1.0
"""Seconds of a block before it is measured."""
DRAWS: Final = 2000
"""Draws of pairs from which the range is told."""
PAGE: Final = (PRESENCE, SENTENCES, LABELS)
"""Abilities that the page names in `Hello.can`."""


async def arrived(port: int, name: str, is_page: bool) -> Client:
    """Return a connected client."""
    client = Client(f"ws://127.0.0.1:{port}", name)
    client.session = ClientSession(name, abilities=PAGE) if is_page else ClientSession(name)
    return await client.open()


async def table(port: int, game: str, kinds: tuple[bool, bool]) -> tuple[Client, Client]:
    """Return two players of a match that has begun; `kinds`: whether they are pages."""
    host, guest = [await arrived(port, f"Person {number}", is_page) for number, is_page in enumerate(kinds)]
    await host.ask(lambda ref: Create(ref, game, 2, {}, "Bench"), Seated)
    await guest.ask(lambda ref: Join(ref, host.session.match), Seated)
    await host.ask(Start, Done)
    return host, guest


class Person:
    """A player who decides whenever their seat owes a decision, by the default of the rules."""

    def __init__(self, client: Client, game: str, thought: float, asks: bool, plays: asyncio.Event) -> None:
        self.client, self.rules, self.thought, self.asks = client, ruleset(game), thought, asks
        self.plays = plays
        """Whether the group of this person plays now."""
        self.delays: list[tuple[float, float]] = []
        """The time of each action, and the milliseconds until it was accepted."""

    async def play(self) -> None:
        """Play until cancelled or the match is over."""
        while (await self.client.wait_for(Clock)) and self.client.session.table is not None:
            while self.client.session.table.phase is TablePhase.PLAYING and (view := self.owing()) is not None:
                await asyncio.sleep(self.thought * random.uniform(0.5, 1.5))
                await self.plays.wait()
                await self.decide(view)

    def owing(self) -> Any:
        """Return the view if this seat owes a decision, else None."""
        session = self.client.session
        view = self.rules.view_decoder.decode(codec.ENCODER.encode(session.view)) if session.view else None
        return view if view is not None and session.seat in engine.owed(self.rules, view) else None

    async def decide(self, view: Any) -> None:
        """Ask what a page asks, then act."""
        seat, frame = self.client.session.seat, engine.top(view).no
        action = Raw(codec.encode(engine.default(self.rules, view, seat)))
        if self.asks:
            await self.client.ask(lambda ref: Consider(ref, frame), Choices)
            await self.client.ask(lambda ref: TryAction(ref, frame, action), Tried)
        began = time.perf_counter()
        await self.client.say(lambda ref: Act(ref, frame, action))
        await self.client.wait_for(Accepted)
        self.delays.append((began, 1000 * (time.perf_counter() - began)))


async def look_on(client: Client, match: str) -> None:
    """Read what a spectator is sent."""
    await client.ask(lambda ref: Watch(ref, match), Done)
    while True:
        await client.next()


class Party:
    """All who are connected: the desktop players who are measured, and the two groups."""

    def __init__(self, port: int, game: str) -> None:
        self.port, self.game = port, game
        self.plays = {True: asyncio.Event(), False: asyncio.Event()}
        self.jobs: list[asyncio.Task[None]] = []
        self.clients: list[Client] = []
        self.measured: list[Person] = []

    async def gather(self) -> None:
        """Let all take their places."""
        for pages in (True, False):
            for number in range(TABLES):
                players = await self.seat(THOUGHT, pages, self.plays[pages])
                for each in range(0 if pages else 2):
                    onlooker = await arrived(self.port, f"Onlooker {number} {each}", is_page=True)
                    self.clients.append(onlooker)
                    self.jobs.append(asyncio.create_task(look_on(onlooker, players[0].client.session.match)))
        always = asyncio.Event()
        always.set()
        self.measured = await self.seat(0.02, False, always)

    async def seat(self, thought: float, pages: bool, plays: asyncio.Event) -> list[Person]:
        """Return the two people of a new match, who decide while they play."""
        clients = await table(self.port, self.game, (pages, pages))
        self.clients += clients
        people = [Person(each, self.game, thought, pages, plays) for each in clients]
        self.jobs += [asyncio.create_task(each.play()) for each in people]
        return people

    async def block(self, pid: int, pages: bool, seconds: float) -> tuple[float, float]:
        """Let one group play; return the desktop player's delay and the server's time a second, in milliseconds."""
        self.plays[pages].set()
        await asyncio.sleep(WARM)
        before, began = milliseconds(pid), time.perf_counter()
        await asyncio.sleep(seconds)
        used = (milliseconds(pid) - before) / (time.perf_counter() - began)
        self.plays[pages].clear()
        failed = [job.exception() for job in self.jobs if job.done()]
        assert not failed, failed
        return statistics.median([delay for each in self.measured for at, delay in each.delays if at > began]), used

    async def leave(self) -> None:
        """Let all go."""
        for job in self.jobs:
            job.cancel()
        await asyncio.gather(*self.jobs, return_exceptions=True)
        for client in self.clients:
            client.cut()


def likely(ratios: list[float]) -> list[float]:
    """Return the range of the median in 95 of 100 draws of as many pairs, each pair any number of times."""
    medians = sorted(statistics.median(random.choices(ratios, k=len(ratios))) for _ in range(DRAWS))
    return [round(medians[DRAWS * part // 1000], 3) for part in (25, 975)]


async def measured(game: str, pairs: int, seconds: float) -> dict[str, Any]:
    """Return the medians of all blocks, and the ratio."""
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as data, serving(ASYNCIO, data) as (pid, port):
        party = Party(port, game)
        await party.gather()
        for _ in range(pairs):
            for pages in random.sample((True, False), 2):
                found[pages].append(await party.block(pid, pages, seconds))
        await party.leave()
    deciding, watching = [
        [statistics.median(values) for values in zip(*found[way], strict=True)] for way in (True, False)
    ]
    ratios = [mine[0] / other[0] for mine, other in zip(found[True], found[False], strict=True)]
    return {
        "game": game,
        "pages": {"action_ms": round(deciding[0], 2), "server_ms_a_second": round(deciding[1], 1)},
        "spectators": {"action_ms": round(watching[0], 2), "server_ms_a_second": round(watching[1], 1)},
        "action_ratio": round(statistics.median(ratios), 3),
        "likely": likely(ratios),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--pairs", type=int, default=20, help="of blocks (default: 20)")
    parser.add_argument("--seconds", type=float, default=3.0, help="of a block (default: 3)")
    args = parser.parse_args()
    print(json.dumps(asyncio.run(measured(args.ruleset, args.pairs, args.seconds)), indent=2))


if __name__ == "__main__":
    main()

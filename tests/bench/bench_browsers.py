"""Cost of 50 deciding browsers for a desktop player: `python -m tests.bench.bench_browsers`.

On a real server (`serve`) one match of two desktop players goes on without pauses. Beside it 25 matches of two people
each are played at a human pace, in turn in two ways. In the first the people are at pages, which ask `Consider` and
`TryAction` for each decision. In the second they are at desktop clients, which ask nothing, and 50 pages watch. All are
clients of the protocol that send what the page sends: 50 real browsers need more than one computer.

Prints one JSON object. `action_ms`: milliseconds from the desktop player's action to `Accepted` (medians of all turns).
`server_ms_a_second`: the server's processor time. `action_ratio`: of pages to spectators."""

from __future__ import annotations

import argparse
import asyncio
import json
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
WARM: Final = 3.0
"""Seconds before a turn is measured."""
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

    def __init__(self, client: Client, game: str, thought: float, asks: bool) -> None:
        self.client, self.rules, self.thought, self.asks = client, ruleset(game), thought, asks
        self.delays: list[tuple[float, float]] = []
        """The time of each action, and the milliseconds until it was accepted."""

    async def play(self) -> None:
        """Play until cancelled or the match is over."""
        while (await self.client.wait_for(Clock)) and self.client.session.table is not None:
            while self.client.session.table.phase is TablePhase.PLAYING and (view := self.owing()) is not None:
                await asyncio.sleep(self.thought)
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


async def turn(port: int, pid: int, game: str, pages: bool, seconds: float) -> tuple[float, float]:
    """Return the desktop player's delay in milliseconds and the server's milliseconds a second, in one of both ways."""
    jobs: list[asyncio.Task[None]] = []
    clients: list[Client] = []
    for _ in range(TABLES):
        players = await table(port, game, (pages, pages))
        clients += players
        jobs += [asyncio.create_task(Person(each, game, THOUGHT, pages).play()) for each in players]
        for number in range(0 if pages else 2):
            clients.append(await arrived(port, f"Onlooker {number}", is_page=True))
            jobs.append(asyncio.create_task(look_on(clients[-1], players[0].session.match)))
    measured = [Person(each, game, 0.02, asks=False) for each in await table(port, game, (False, False))]
    clients += [each.client for each in measured]
    jobs += [asyncio.create_task(each.play()) for each in measured]
    await asyncio.sleep(WARM)
    before, began = milliseconds(pid), time.perf_counter()
    await asyncio.sleep(seconds)
    used = (milliseconds(pid) - before) / (time.perf_counter() - began)
    failed = [job.exception() for job in jobs if job.done()]
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    for client in clients:
        client.cut()
    assert not failed, failed
    return statistics.median([delay for each in measured for at, delay in each.delays if at > began]), used


async def measured(game: str, turns: int, seconds: float) -> dict[str, Any]:
    """Return the medians of all turns."""
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as data, serving(ASYNCIO, data) as (pid, port):
        for number in range(2 * turns):
            pages = number % 2 == 0
            found[pages].append(await turn(port, pid, game, pages, seconds))
    deciding, watching = [
        [statistics.median(values) for values in zip(*found[way], strict=True)] for way in (True, False)
    ]
    return {
        "game": game,
        "pages": {"action_ms": round(deciding[0], 2), "server_ms_a_second": round(deciding[1], 1)},
        "spectators": {"action_ms": round(watching[0], 2), "server_ms_a_second": round(watching[1], 1)},
        "action_ratio": round(deciding[0] / watching[0], 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--turns", type=int, default=3, help="of each way (default: 3)")
    parser.add_argument("--seconds", type=float, default=15.0, help="of a turn (default: 15)")
    args = parser.parse_args()
    print(json.dumps(asyncio.run(measured(args.ruleset, args.turns, args.seconds)), indent=2))


if __name__ == "__main__":
    main()

"""Effect of thinking bots on people's actions: `python -m tests.bench.bench_bots`.

Two people play by chance at one table of a real server; then the same while many matches of hard bots go on beside
them. Prints one JSON object. It has the round trip of an action of theirs (milliseconds, from sending it to its
acknowledgement), without the bots and with them. The ratio of the medians and the actions of bots a second
follow, then how long a decision of a bot takes (milliseconds, waiting included)."""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from protocol.limits import Rates
from server.bots import policy
from server.bots.pool import BotPool
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from shared.ids import NATURE
from shared.kernel import engine
from shared.messages import Accepted, Create, Done, Frame, Join, Seated, SetBot, Start, TableState
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import NO_SEAT
from tests.server.fakes import Client

TARGET: Final = 2.0
SEATS: Final = 4
WARM: Final = 20
PAUSE: Final = 0.05
"""Seconds that people wait between two actions, so that bots get somewhere meanwhile."""


async def serve() -> None:
    """A server as people run one; says its address, and in the end how many seconds each decision of a bot took."""
    taken: list[float] = []
    with tempfile.TemporaryDirectory() as directory:
        pool = BotPool()

        async def timed(game: str, kind: str, seat: int, view: bytes, seed: int, seconds: float) -> bytes:
            started = time.perf_counter()
            action = await pool.decide(game, kind, seat, view, seed, seconds)
            taken.append(time.perf_counter() - started)
            return action

        settings = Settings(Path(directory), port=0, seed=1, limits=GENEROUS, rates=Rates(1e9, 1e9))
        app = await App.start(settings, RULESETS, timed)
        print(app.address, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        await app.stop()
        await pool.close()
    print(json.dumps(taken))


class Couple:
    """Two people at a table of Classic."""

    def __init__(self, one: Client, other: Client) -> None:
        self.seats = [one, other]
        self.chance = random.Random(1)
        self.rules = ruleset("classic")

    @classmethod
    async def sit(cls, url: str) -> "Couple":
        one, other = await Client(url, "Gaia").open(), await Client(url, "Otho").open()
        await one.ask(lambda ref: Create(ref, "classic", 2, {}, "Two", False, 0), Seated)
        code = (await one.wait_for(TableState) if one.session.table is None else one.session.table).code
        await other.ask(lambda ref: Join(ref, "", code, 1), Seated)
        await one.say(Start)
        for client in (one, other):
            while client.session.view is None:
                await client.next()
        return cls(one, other)

    async def action(self) -> float:
        """Do one more thing; the seconds until it counts."""
        await self._catch_up(0)
        (seat,) = engine.owed(self.rules, self._position(0))
        client, position = self.seats[seat], self._position(seat)
        action = policy.play_random(self.rules, position, seat, self.chance)
        started = time.perf_counter()
        await client.act(position.frames[-1].no, action)
        version = (await client.wait_for(Accepted)).version
        seconds = time.perf_counter() - started
        await self._catch_up(version)
        return seconds

    async def _catch_up(self, version: int) -> None:
        """Both have seen that version, and whatever chance did after it."""
        for number, reader in enumerate(self.seats):
            while reader.session.version < version or engine.owed(self.rules, self._position(number)) == (NATURE,):
                await reader.next()

    async def actions(self, number: int) -> list[float]:
        """Do several things, one after the other."""
        found = []
        for _ in range(number):
            await asyncio.sleep(PAUSE)
            found.append(await self.action())
        return found

    def _position(self, seat: int) -> Any:
        return self.rules.view_decoder.decode(msgspec.msgpack.encode(self.seats[seat].session.view))


class Crowd:
    """Matches of hard bots, each with its host looking on."""

    def __init__(self) -> None:
        self.actions = 0
        self._hosts: list[asyncio.Task[None]] = []

    async def begin(self, url: str, matches: int) -> None:
        """All of them, of all games in turn."""
        for number in range(matches):
            host = await Client(url, f"Host {number + 1}").open()
            game = list(RULESETS)[number % len(RULESETS)]
            await host.ask(lambda ref, game=game: Create(ref, game, SEATS, {}, "Bots", False, NO_SEAT), Done)  # type: ignore[misc]
            for seat in range(SEATS):
                await host.ask(lambda ref, seat=seat: SetBot(ref, seat, "hard"), Done)  # type: ignore[misc]
            await host.say(Start)
            self._hosts.append(asyncio.create_task(self._watch(host)))

    async def _watch(self, host: Client) -> None:
        while True:
            message = await host.next()
            self.actions += isinstance(message, Frame)

    async def end(self) -> None:
        """Cancel the tasks that watch the matches of bots."""
        for task in self._hosts:
            task.cancel()
        await asyncio.gather(*self._hosts, return_exceptions=True)


async def measure(url: str, actions: int, matches: int) -> dict[str, float]:
    """Both, one after the other."""
    couple, crowd = await Couple.sit(url), Crowd()
    for _ in range(WARM):
        await couple.action()
    alone = await couple.actions(actions)
    await crowd.begin(url, matches)
    started, before = time.perf_counter(), crowd.actions
    beside = await couple.actions(actions)
    rate = (crowd.actions - before) / (time.perf_counter() - started)
    await crowd.end()
    ratio = statistics.median(beside) / statistics.median(alone)
    return {
        "matches": matches,
        "alone_p50": _milliseconds(alone, 0.5),
        "alone_p95": _milliseconds(alone, 0.95),
        "beside_p50": _milliseconds(beside, 0.5),
        "beside_p95": _milliseconds(beside, 0.95),
        "ratio": round(ratio, 2),
        "target": TARGET,
        "bot_actions_a_second": round(rate, 1),
    }


def _milliseconds(seconds: list[float], share: float) -> float:
    return round(sorted(seconds)[int(share * len(seconds))] * 1000, 2)


def main() -> None:
    """Start the server as a process of its own, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--matches", type=int, default=50, help="of hard bots (default: 50)")
    parser.add_argument("--actions", type=int, default=200, help="of people, in each half (default: 200)")
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve())
        return
    command = [sys.executable, "-m", "tests.bench.bench_bots", "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = asyncio.run(measure(server.stdout.readline().strip(), args.actions, args.matches))
        taken = json.loads(server.communicate()[0])
    print(json.dumps({**found, "bot_p50": _milliseconds(taken, 0.5), "bot_p95": _milliseconds(taken, 0.95)}))


if __name__ == "__main__":
    main()

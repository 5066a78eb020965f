"""Start-up time of a server with many unfinished matches, and the delay that waking long ones causes to others:
`python -m tests.bench.bench_wake`.

The yardsticks, in the same run: a server without any match, and a match that is played while no other is woken. Prints
one JSON object."""

import argparse
import asyncio
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Final

from protocol import codec
from server.bots.policy import play_normal
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from server.matches.table import TALK_KEPT
from server.opening import DATABASE
from server.storage.port import FIRST_EPOCH, ChairRecord, MatchResult, TableRecord
from server.storage.sqlite import SqliteStore
from shared.history import GENESIS, Entry
from shared.messages import Line, Snapshot, Watch
from shared.rulesets.registry import ruleset
from shared.tables import TablePhase
from tests.faults.floods import Six
from tests.faults.process import Process
from tests.server.fakes import Client

RULES: Final = ruleset("mb1984")
SEATS: Final = 5
SHORT: Final = 40
LONG: Final = 5000
"""Entries of an ordinary match, and of a long one, at least."""
AT_ONCE: Final = 200


def played(length: int) -> list[Entry]:
    """Return the log of a match of bots: whole steps, at least `length` entries."""
    match, rng = Match(RULES, SEATS, {}, Dice(1)), random.Random(1)
    entries: list[Entry] = []
    step: object = match.chance()
    while True:
        if isinstance(step, AcceptedAction):
            match.commit(step)
            entries += step.entries
        if len(entries) >= length or match.finished:
            return entries
        seat = match.owed[0]
        action = play_normal(RULES, RULES.view(match.state, seat), seat, rng)
        step = match.submit(seat, 0, match.frame, codec.encode(action))


async def fill(path: Path, matches: int, long_ones: int, finished: int) -> tuple[list[str], int]:
    """A store with so many unfinished matches, and finished ones; the ids of the long ones and their length."""
    entries = played(LONG)
    store = await SqliteStore.open(path / DATABASE)

    async def keep(match: str, length: int) -> None:
        chairs = [ChairRecord(name=f"Person {seat}") for seat in range(SEATS)]
        phase = TablePhase.PLAYING
        code = f"CODE{match}"
        await store.create(
            TableRecord(match, RULES.id, RULES.version, {}, match, True, code, 0, 0, chairs, phase=phase)
        )
        await store.append(match, FIRST_EPOCH, GENESIS, entries[:length], None)

    async def shelve(match: str, n: int) -> None:
        """Store a finished match with its chat and result."""
        chairs = [ChairRecord(name=f"Person {seat}", token=bytes(32)) for seat in range(SEATS)]
        result = MatchResult(12, tuple((seat, seat + 1, "so many points") for seat in range(SEATS)))
        talk = [Line(0, "Person 0", "That was a close one.")] * TALK_KEPT
        await store.create(
            TableRecord(match, RULES.id, RULES.version, {}, match, True, f"CODE{match}", 0, 0, chairs,
                        phase=TablePhase.OVER, talk=talk, ended=n + 1, result=result)
        )  # fmt: skip
        await store.append(match, FIRST_EPOCH, GENESIS, entries[:SHORT], None)

    long_ids = [f"long{i}" for i in range(long_ones)]
    for i in range(0, matches, AT_ONCE):
        await asyncio.gather(*(keep(f"m{n}", SHORT) for n in range(i, min(matches, i + AT_ONCE))))
    for match in long_ids:
        await keep(match, len(entries))
    for i in range(0, finished, AT_ONCE):
        await asyncio.gather(*(shelve(f"over{n}", n) for n in range(i, min(finished, i + AT_ONCE))))
    await store.close()
    return long_ids, len(entries)


async def ready(server: Process) -> float:
    """Seconds until the server says so."""
    began = time.perf_counter()
    await server.start()
    return time.perf_counter() - began


async def wake(url: str, match: str) -> float:
    """Return the seconds until a spectator has received the match."""
    client = Client(url, match)
    began = time.perf_counter()
    await client.open()
    await client.ask(lambda ref: Watch(ref, match), Snapshot)
    took = time.perf_counter() - began
    client.cut()
    return took


async def measure(matches: int, long_ones: int, finished: int, seconds: float, path: Path) -> dict[str, float]:
    """Measure starts of the server, and play while long matches are woken."""
    empty = Process(path / "empty")
    alone = await ready(empty)
    await empty.kill()
    long_ids, length = await fill(path, matches, long_ones, finished)
    server = Process(path)
    full = await ready(server)
    try:
        six = Six(server.url, 1, ())
        await six.sit_down()
        quiet = await six.play(seconds)
        waking = asyncio.create_task(six.play(seconds))
        woken = [await wake(server.url, match) for match in long_ids]
        busy = await waking
        await six.get_up()
    finally:
        await server.kill()
    return {
        "matches": matches + long_ones,
        "finished": finished,
        "ready_s": round(full, 2),
        "ready_empty_s": round(alone, 2),
        "quiet_p99_ms": round(1000 * quiet.p99, 1),
        "waking_p99_ms": round(1000 * busy.p99, 1),
        "wake_longest_s": round(max(woken), 2),
        "long": len(woken),
        "entries_of_a_long_one": length,
    }


def main() -> None:
    """Run the benchmark and print its result."""
    parser = argparse.ArgumentParser("tests.bench.bench_wake", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="ordinary unfinished matches (default: 10,000)")
    parser.add_argument("--long", type=int, default=10, help="long ones, which are woken (default: 10)")
    parser.add_argument("--finished", type=int, default=20_000, help="matches that are over (default: 20,000)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of play for each figure (default: 20)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wake-") as folder:
        print(json.dumps(asyncio.run(measure(args.matches, args.long, args.finished, args.seconds, Path(folder)))))


if __name__ == "__main__":
    main()

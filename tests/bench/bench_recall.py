"""Effect of requests for old matches on those who play, and the sizes of these matches:
`python -m tests.bench.bench_recall`.

Six clients play without pause while finished matches are requested, one after the other, from several connections. The
yardsticks, in the same run: the same play without requests, and for the sizes the data that a spectator was sent live.
Prints one JSON object."""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from protocol import codec
from server.bots.policy import play_normal
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from server.opening import DATABASE
from server.storage.port import FIRST_EPOCH, ChairRecord, TableRecord
from server.storage.sqlite import SqliteStore
from shared.history import GENESIS, Entry
from shared.messages import Recall, Recalled
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import TablePhase
from tests.faults.floods import Six
from tests.faults.process import Process
from tests.server.fakes import Client

SEATS: Final = 4


class Played(Struct):
    """A match to its end: the log, and the bytes of what those who look on were sent."""

    entries: list[Entry]
    live: int


def played(game: str, seed: int) -> Played:
    """Play one match of bots."""
    rules, rng = ruleset(game), random.Random(seed)
    match = Match(rules, SEATS, {}, Dice(seed))
    done = Played([], len(match.snapshot(match.public)))
    step: object = match.chance()
    while True:
        if isinstance(step, AcceptedAction):
            match.commit(step)
            done.entries += step.entries
            done.live += sum(len(turned.frames[match.public]) for turned in step.turned)
        if match.finished:
            return done
        seat = match.owed[0]
        step = match.submit(seat, 0, match.frame, codec.encode(play_normal(rules, match._seen[seat].view, seat, rng)))


async def fill(path: Path, matches: dict[str, tuple[str, Played]]) -> None:
    """A store with these finished matches."""
    store = await SqliteStore.open(path / DATABASE)
    for match, (game, done) in matches.items():
        chairs = [ChairRecord(bot="normal") for _ in range(SEATS)]
        rules = ruleset(game)
        await store.create(
            TableRecord(match, game, rules.version, {}, match, True, match, 0, 0, chairs, phase=TablePhase.OVER)
        )
        await store.append(match, FIRST_EPOCH, GENESIS, done.entries, None)
    await store.close()


async def recalled(client: Client, match: str, shown: bool) -> bytes:
    """All of a match."""
    data, asked = b"", Recall(1, match, film=shown)
    while True:
        answer = await client.ask(partial(asking, structs.replace(asked, at=len(data))), Recalled)
        data, asked = data + answer.data, structs.replace(asked, upto=answer.upto)
        if len(data) == answer.total:
            return data


def asking(request: Recall, ref: int) -> Recall:
    """The request with its number."""
    return structs.replace(request, ref=ref)


async def look(url: str, wanted: "asyncio.Queue[tuple[str, bool]]", sizes: dict[tuple[str, bool], int]) -> None:
    """Ask for one after the other."""
    client = await Client(url, "Nero").open()
    while not wanted.empty():
        match, shown = wanted.get_nowait()
        sizes[match, shown] = len(await recalled(client, match, shown))
    client.cut()


async def measure(exports: int, connections: int, each: int, seconds: float, path: Path) -> dict[str, object]:
    """Measure play without and with requests for old matches, and the sizes of these matches."""
    kinds = [(game, played(game, seed)) for game in RULESETS for seed in range(each)]
    # No two questions are about the same match: nothing is at hand.
    matches = {f"m{n}": kinds[n % len(kinds)] for n in range(max(exports, 2 * len(kinds)))}
    await fill(path, matches)
    server = Process(path)
    await server.start()
    sizes: dict[tuple[str, bool], int] = {}
    try:
        six = Six(server.url, 1, ())
        await six.sit_down()
        quiet = await six.play(seconds)
        wanted: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()
        for n in range(exports):
            wanted.put_nowait((f"m{n}", n // len(kinds) % 2 == 0))
        looking = asyncio.gather(*(look(server.url, wanted, sizes) for _ in range(connections)))
        began = asyncio.get_running_loop().time()
        busy = []
        while not looking.done():
            busy.append(await six.play(seconds / 4))
        took = asyncio.get_running_loop().time() - began
        await looking
        await six.get_up()
    finally:
        await server.kill()
    return {
        "exports": exports,
        "exports_s": round(took, 1),
        "quiet_p50_ms": round(1000 * middle(quiet.times), 2),
        "quiet_p99_ms": round(1000 * quiet.p99, 2),
        "busy_p50_ms": round(1000 * statistics.median(middle(part.times) for part in busy), 2),
        "busy_p99_ms": round(1000 * statistics.median(part.p99 for part in busy), 2),
        "busy_p99_worst_ms": round(1000 * max(part.p99 for part in busy), 2),
        "sizes": {game: of_rules(game, matches, sizes) for game in RULESETS},
    }


def middle(times: list[float]) -> float:
    """Half of the acts took no longer."""
    return statistics.median(times) if times else 0.0


def of_rules(game: str, matches: dict[str, tuple[str, Played]], sizes: dict[tuple[str, bool], int]) -> dict[str, float]:
    """Of one rule set, in bytes: what was sent live; films and records as they travel; the longest film, in parts of
    what was sent live."""
    own = {match: done for match, (of, done) in matches.items() if of == game}
    films = {match: size for (match, shown), size in sizes.items() if shown and match in own}
    return {
        "versions_median": statistics.median(len(done.entries) for done in own.values()),
        "live_median": statistics.median(done.live for done in own.values()),
        "film_median": statistics.median(films.values()),
        "film_most": max(films.values()),
        "film_of_live_most": round(max(size / own[match].live for match, size in films.items()), 3),
        "record_median": statistics.median(
            size for (match, shown), size in sizes.items() if not shown and match in own
        ),
    }


def main() -> None:
    """Run the benchmark and print its result."""
    parser = argparse.ArgumentParser("tests.bench.bench_recall", description=__doc__)
    parser.add_argument("--exports", type=int, default=1000, help="matches that are asked for (default: 1000)")
    parser.add_argument("--connections", type=int, default=4, help="from so many connections (default: 4)")
    parser.add_argument("--each", type=int, default=15, help="matches of each rule set that there are (default: 15)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of play while nobody asks (default: 20)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="recall-") as folder:
        took = measure(args.exports, args.connections, args.each, args.seconds, Path(folder))
        print(json.dumps(asyncio.run(took), indent=2))


if __name__ == "__main__":
    main()

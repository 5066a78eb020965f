"""Bits of the files flip, ends go missing: no match is served as what it was not. `python -m tests.faults.flips`.

One file of a server that was killed is damaged: a bit, a few bytes, a part of its end, the whole file. Whatever the
store then serves must be what was acknowledged; the matches that were not touched must be served.
"""

import argparse
import random
import sqlite3
import sys
from typing import Final

from msgspec import Struct

from server import log
from server.storage.database import Database
from server.storage.port import StoreError
from tests.faults.cuts import AGE, ANNA, MATCHES, PATH, Told, Truth, aged, known, possible, work
from tests.faults.disk import Disk, DiskPlatform, Image, Said
from tests.server.records import TODAY, entries

WAYS: Final = ("bit", "bit", "bit", "bytes", "end", "gone")


class Outcome(Struct):
    """Counters of results."""

    lies: list[str]
    served: int = 0
    refused: int = 0
    closed: int = 0
    """Number of files that were refused as a whole."""


def damaged(image: Image, rng: random.Random) -> tuple[str, Image]:
    """Return the files with one of them damaged, and a text that names it and the damage."""
    name = rng.choice([name for name, data in image.items() if data])
    data = bytearray(image[name])
    way = rng.choice(WAYS)
    at = rng.randrange(len(data))
    if way == "bit":
        data[at] ^= 1 << rng.randrange(8)
    elif way == "bytes":
        data[at : at + 16] = rng.randbytes(16)
    elif way == "end":
        del data[at:]
    if way == "gone":
        return f"{name} is gone", {other: kept for other, kept in image.items() if other != name}
    return f"{name}, {way} at {at}", {**image, name: bytes(data)}


def serve(image: Image, said: list[Told], outcome: Outcome, how: str) -> None:
    """Start on those files and request every match."""
    database = Database(DiskPlatform(Disk(image)), PATH, lambda: TODAY)
    try:
        database.open()
    except (sqlite3.Error, OSError, StoreError):
        outcome.closed += 1
        return
    for match in MATCHES:
        (stored,) = database.transaction([lambda db, match=match: db.claim(match)])  # type: ignore[misc]
        if isinstance(stored, StoreError):
            outcome.refused += 1
            continue
        found = None if stored is None else Truth(stored.table.title, len(stored.entries))
        same = stored is None or stored.entries == entries(1, len(stored.entries))
        if found not in possible(match, said) or not same:
            outcome.lies.append(f"{how}: {match} is served as {found}, not {possible(match, said)}")
        outcome.served += 1
    if aged(database) not in (None, *[told.truth for told in said if told.match == AGE]):
        outcome.lies.append(f"{how}: the server is {aged(database)}, which it never was")
    if known(database) not in (None, *possible(ANNA, said)):
        outcome.lies.append(f"{how}: {ANNA} is {known(database)}, not {possible(ANNA, said)}")


def run(seed: int, flips: int) -> Outcome:
    """Damage the files of one workload so many times."""
    _, disk = work(seed, 40)
    said = [deed.what for deed in disk.story if isinstance(deed, Said)]
    rng = random.Random(seed)
    outcome = Outcome([])
    for _ in range(flips):
        how, image = damaged(disk.image, rng)
        serve(image, said, outcome, f"workload {seed}, {how}")
    return outcome


def main() -> int:
    """Run many damages."""
    parser = argparse.ArgumentParser("tests.faults.flips", description=__doc__)
    parser.add_argument("--flips", type=int, default=10_000, help="how often (default: 10000)")
    parser.add_argument("--workloads", type=int, default=20, help="in how many different files (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="of the first (default: 1)")
    args = parser.parse_args()
    log.LOGGER.disabled = True
    seeds = range(args.seed, args.seed + args.workloads)
    outcomes = [run(seed, args.flips // args.workloads) for seed in seeds]
    lies = [lie for outcome in outcomes for lie in outcome.lies]
    print(*lies[:20], sep="\n")
    for name in ("served", "refused", "closed"):
        print(f"{name}: {sum(getattr(outcome, name) for outcome in outcomes)}")
    print(f"{len(lies)} matches were served as what they were not.")
    return 1 if lies else 0


if __name__ == "__main__":
    sys.exit(main())

"""Power cuts: acknowledged data is there afterwards. `python -m tests.faults.cuts --cuts 10000`.

A workload runs once on a disk in memory that remembers every write and sync in order. Then the power is cut after any
of them: synced data is there, and random sectors of the rest. The store opens these files. It must have all that was
acknowledged by then, nothing in part, and nothing that was not requested."""

import argparse
import random
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import msgspec
from msgspec import Struct, structs

from server import log
from server.storage.database import Database
from server.storage.port import FIRST_EPOCH, PersonRecord, StoredMatch, StoreError
from server.storage.rows import last_check, log_rows
from shared.history import GENESIS, chain
from tests.faults.disk import Deed, Disk, DiskPlatform, Image, cuts
from tests.server.records import TODAY, entries, record

PATH: Final = Path("db")
MATCHES: Final = ("m1", "m2", "m3")
ANNA: Final = "p1"
"""Profile, stored as a match without a log."""
WEAKENED: Final = {"PRAGMA synchronous = EXTRA": "PRAGMA synchronous = NORMAL"}
"""Control: with these settings the same cuts must lose something."""
AGE: Final = "age"
"""Name of the match that stands for the server's own age."""
encode: Final = msgspec.msgpack.encode


class Truth(Struct, frozen=True):
    """Stored state of a match: its title, and the length of its log."""

    title: str
    log: int


class Told(Struct, frozen=True):
    """Record that a state was acknowledged (None: deleted), or only requested."""

    match: str
    truth: Truth | None
    asked: bool


class Owner:
    """Owner of a database that works as the store's thread does, and records requests and acknowledgements."""

    def __init__(self, disk: Disk, swapped: Mapping[str, str] | None = None) -> None:
        self.disk = disk
        self.truths: dict[str, Truth] = {}
        self.age = 0
        self.database = Database(DiskPlatform(disk, swapped), PATH, lambda: TODAY)
        self._epochs: dict[str, int] = {}
        self._checks: dict[str, bytes] = {}

    def open(self) -> None:
        """Open the file and become the owner of all known matches."""
        self.database.open()
        self._claim_all()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def come_back(self) -> None:
        """After a failure, take over what the database says about writes in doubt. Raises AssertionError if it is
        impossible."""
        self.database.open_again()
        self._claim_all()

    def checkpoint(self) -> None:
        """Write a checkpoint, as in a quiet moment."""
        self.database.checkpoint()

    def create(self, match: str) -> None:
        """Create a table."""
        blob = encode(record(match, code=f"CODE{match}"))
        self._epochs[match], self._checks[match] = FIRST_EPOCH, GENESIS
        self._change(match, Truth("Title", 0), lambda db: db.create(match, blob))

    def save(self, match: str, title: str) -> None:
        """Save a changed record."""
        blob = encode(record(match, code=f"CODE{match}", title=title))
        truth = structs.replace(self.truths[match], title=title)
        self._change(match, truth, lambda db: db.save(match, blob, self._epochs[match]))

    def greet(self, name: str) -> None:
        """Store a profile with a name."""
        person = PersonRecord(ANNA, name, (bytes(32),), TODAY)
        self.disk.say(Told(ANNA, Truth(name, 0), asked=True))
        self._do(lambda db: db.keep_person(person))
        self.disk.say(Told(ANNA, Truth(name, 0), asked=False))

    def grow_old(self) -> None:
        """Store a greater age of the server."""
        self.age += 1000
        self.disk.say(Told(AGE, Truth(AGE, self.age), asked=True))
        self._do(lambda db: db.keep_age(self.age))
        self.disk.say(Told(AGE, Truth(AGE, self.age), asked=False))

    def append(self, match: str, count: int) -> None:
        """Append entries to the log."""
        truth, before = self.truths[match], self._checks[match]
        rows = log_rows(before, entries(truth.log + 1, count))
        longer = structs.replace(truth, log=truth.log + count)
        self._change(match, longer, lambda db: db.append(match, self._epochs[match], before, rows))
        self._checks[match] = last_check(rows)

    def delete(self, match: str) -> None:
        """Delete a match."""
        self._change(match, None, lambda db: db.delete(match, self._epochs[match]))

    def _claim_all(self) -> None:
        for match in MATCHES:
            self.disk.say(Told(match, self.truths.get(match), asked=True))
            stored: StoredMatch | None = self._do(lambda db, match=match: db.claim(match))  # type: ignore[misc]
            if stored is None:
                self.truths.pop(match, None)
            else:
                self._epochs[match], self._checks[match] = stored.epoch, stored.check
                self.truths[match] = Truth(stored.table.title, len(stored.entries))
            self.disk.say(Told(match, self.truths.get(match), asked=False))

    def _change(self, match: str, truth: Truth | None, job: Callable[[Database], None]) -> None:
        self.disk.say(Told(match, truth, asked=True))
        self._do(job)
        self.disk.say(Told(match, truth, asked=False))
        if truth is None:
            del self.truths[match]
        else:
            self.truths[match] = truth

    def _do(self, job: Callable[[Database], Any]) -> Any:
        """Do a job. Raises StoreError if it was not done; sqlite3.Error or OSError if that is in doubt."""
        (result,) = self.database.transaction([job])
        if isinstance(result, StoreError):
            raise result
        return result


def step(owner: Owner, rng: random.Random) -> None:
    """Perform one random operation of a server."""
    match = rng.choice(MATCHES)
    chance = rng.random()
    if match not in owner.truths:
        owner.create(match)
    elif chance < 0.1:
        owner.greet(f"Name {rng.randrange(1000)}")
        owner.grow_old()
    elif chance < 0.65:
        owner.append(match, rng.randint(1, 3))
    elif chance < 0.85:
        owner.save(match, f"Title {rng.randrange(1000)}")
    elif chance < 0.9:
        owner.delete(match)
    elif chance < 0.96:
        owner.checkpoint()
    else:
        owner.close()
        owner.open()


def work(seed: int, steps: int, swapped: Mapping[str, str] | None = None) -> tuple[Image, Disk]:
    """Run a workload; return the files before it, and the disk after it.

    Every third begins with a file of an older format; in every second the sidecar file is often written again. The
    database is left open, so that entries in its write-ahead log are in no other file."""
    rng = random.Random(seed)
    start = old_file(rng.choice((1, 2))) if seed % 3 == 2 else {}
    disk = Disk(start)
    owner = Owner(disk, swapped)
    if start:
        owner.truths = {match: Truth("Title", 4) for match in MATCHES}
        for match, truth in owner.truths.items():
            disk.say(Told(match, truth, asked=False))
    with patch("server.storage.database._SPARE", 2 if seed % 2 else 1000):
        owner.open()
        for _ in range(steps):
            step(owner, rng)
    return start, disk


def old_file(version: int) -> Image:
    """Return a file as an older server left it, with three matches of four entries."""
    disk = Disk()
    db = DiskPlatform(disk).connect(PATH)
    more = ", touched REAL NOT NULL DEFAULT 0" if version == 2 else ""
    db.execute(
        "CREATE TABLE matches (match TEXT PRIMARY KEY, phase INTEGER NOT NULL, code TEXT NOT NULL, "
        'record BLOB NOT NULL, epoch INTEGER NOT NULL, n INTEGER NOT NULL, "check" BLOB NOT NULL'
        f"{more}) WITHOUT ROWID"
    )
    db.execute("CREATE INDEX matches_by_code ON matches (code)")
    db.execute(
        'CREATE TABLE log (match TEXT NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, "check" BLOB NOT NULL, '
        "PRIMARY KEY (match, n)) WITHOUT ROWID"
    )
    for match in MATCHES:
        check = GENESIS
        for entry in entries(1, 4):
            check = chain(check, encode(entry))
            db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", (match, entry.n, encode(entry), check))
        blob = encode(record(match, code=f"CODE{match}"))
        values = (match, 0, f"CODE{match}", blob, 1, 4, check, *((TODAY,) if version == 2 else ()))
        db.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(values))})", values)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    return disk.image


def wrong_after(image: Image, said: list[Told]) -> str:
    """Return what a server that starts on these files lost although it was acknowledged, or has by mistake; "" if
    nothing."""
    database = Database(DiskPlatform(Disk(image)), PATH, lambda: TODAY)
    try:
        database.open()
    except (sqlite3.Error, OSError, StoreError) as error:
        return f"the file does not open: {error}"
    for match in MATCHES:
        may_be = possible(match, said)
        (stored,) = database.transaction([lambda db, match=match: db.claim(match)])  # type: ignore[misc]
        if isinstance(stored, StoreError):
            return f"{match}: {stored}"
        found = None if stored is None else Truth(stored.table.title, len(stored.entries))
        if found not in may_be:
            return f"{match} is {found}, not one of {may_be}"
        if stored is not None and stored.entries != entries(1, len(stored.entries)):
            return f"{match} has another log"
    if known(database) not in possible(ANNA, said):
        return f"{ANNA} is {known(database)}, not one of {possible(ANNA, said)}"
    if aged(database) not in possible(AGE, said):
        return f"the server is {aged(database)}, not one of {possible(AGE, said)}"
    database.close()
    return ""


def aged(database: Database) -> Truth | None:
    """Return the stored age of the server."""
    return Truth(AGE, database.age()) if database.age() else None


def known(database: Database) -> Truth | None:
    """Return the stored state of the profile."""
    names = [person.name for person in database.people()]
    return Truth(names[0], 0) if names else None


def possible(match: str, said: list[Told]) -> list[Truth | None]:
    """Return the states that may be stored: the last acknowledged one, and all that were requested since."""
    about = [told for told in said if told.match == match]
    may_be: list[Truth | None] = [None]
    for told in about:
        may_be = [*may_be, told.truth] if told.asked else [told.truth]
    return may_be


def run(seed: int, points: int, swapped: Mapping[str, str] | None = None) -> Iterator[str]:
    """Cut the power at so many moments of a workload; yield the fault after each, "" if there is none."""
    start, disk = work(seed, 25, swapped)
    rng = random.Random(seed)
    moments = range(len(MATCHES), len(disk.story) + 1)
    for n, image, said in cuts(disk, start, rng, rng.choices(moments, k=points)):
        wrong = wrong_after(image, said)
        yield f"workload {seed}, cut after {n}: {wrong}" if wrong else ""


def fail(seed: int, index: int, error: str, rng: random.Random) -> str:
    """Let the disk fail once, at that operation of a workload, and later the power; return the fault, "" if there is
    none.

    Until the store has recovered nothing is acknowledged; afterwards it goes on, and nothing is lost."""
    failed: list[Deed] = []

    def fails(number: int, deed: Deed) -> str:
        if number == index:
            failed.append(deed)
        return error if number == index else ""

    disk = Disk(fail=fails)
    owner = Owner(disk)
    chance = random.Random(seed)
    for attempt in range(25):
        try:
            if attempt == 0:
                owner.open()
            step(owner, chance)
        except (sqlite3.Error, OSError, StoreError):
            owner.come_back()
    image_at_the_end = [image for _, image, _ in cuts(disk, {}, rng, [len(disk.story)])]
    said = [each.what for each in disk.story if hasattr(each, "what")]
    return wrong_after(image_at_the_end[0], said)


def main() -> int:
    """Run many power cuts and failures."""
    parser = argparse.ArgumentParser("tests.faults.cuts", description=__doc__)
    parser.add_argument("--cuts", type=int, default=10_000, help="how often the power fails (default: 10000)")
    parser.add_argument("--workloads", type=int, default=40, help="how many workloads (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="of the first workload (default: 1)")
    args = parser.parse_args()
    log.LOGGER.disabled = True
    sys.unraisablehook = lambda _: None  # A failing disk fails again when a connection is closed.
    seeds = range(args.seed, args.seed + args.workloads)
    wrong = [told for seed in seeds for told in run(seed, args.cuts // args.workloads)]
    weak = [any(run(seed, args.cuts // args.workloads // 10, WEAKENED)) for seed in seeds]
    print(*[told for told in wrong if told][:20], sep="\n")
    print(f"{sum(map(bool, wrong))} of {len(wrong)} cuts lost or mixed up something that was acknowledged.")
    print(f"Control, without syncing each commit: {sum(weak)} of {len(weak)} workloads lost something.")
    failures = 0
    for seed in list(seeds)[: args.workloads // 2]:
        _, disk = work(seed * 3, 25)
        for index in range(disk.deeds):
            for error in ("FullError", "IOError"):
                told = fail(seed * 3, index, error, random.Random(index))
                failures += bool(told)
                if told:
                    print(f"workload {seed * 3}, {error} at {index}: {told}")
    print(f"{failures} failures of the disk lost something.")
    return 0 if not any(wrong) and not failures and sum(weak) >= 0.9 * len(weak) else 1


if __name__ == "__main__":
    sys.exit(main())

"""The command `seats`: who holds a seat in the kept matches that go on, with a new key to each; no server may run.

For whoever owns the data and lost the keys: a player's own matches on his own computer.
"""

import argparse
import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from server.matches.seating import Chair
from server.storage.database import Database, Job, Row
from server.storage.opening import DATABASE
from server.storage.platform import System
from server.storage.port import Damaged, StoreError
from server.tools.serve import data_directory
from shared.tables import TablePhase


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `seats`."""
    parser.add_argument("--data", type=Path, default=data_directory(), help="directory that keeps the matches")
    parser.add_argument(
        "--known", action="append", default=[], metavar="MATCH", help="leave that match out; repeatable"
    )
    parser.add_argument("--delete", default="", metavar="MATCH", help="forget that match and its log for good")


def run(args: argparse.Namespace) -> int:
    """Print one JSON object for each seat; the older key stays good until the new one is used. Raises StoreError."""
    path = args.data / DATABASE
    if not path.exists():
        return 0
    database = Database(System(), path, time.time)
    try:
        database.open()
    except (sqlite3.Error, OSError, StoreError) as error:
        raise StoreError(f"Cannot use {path}: {str(error).rstrip('.')}.") from None
    try:
        if args.delete:
            _delete(database, args.delete)
        else:
            for line in _seats(database, args.known):
                print(line)
    finally:
        database.close()
    return 0


def _delete(database: Database, match: str) -> None:
    row = database.row(match)
    if row is not None:
        _carry_out(database, lambda db: db.delete(match, row.epoch))


def _carry_out(database: Database, job: Job) -> None:
    (result,) = database.transaction([job])
    if isinstance(result, StoreError):
        raise result


def _seats(database: Database, known: Sequence[str]) -> Iterator[str]:
    for match in database.unfinished(float("inf")):
        if match not in known:
            try:
                row = database.row(match)
            except Damaged:
                continue  # `repair` tells of it.
            if row is not None and row.table.phase == TablePhase.PLAYING:
                yield from _keys(database, row)


def _keys(database: Database, row: Row) -> Iterator[str]:
    """A line for each person's seat of a match, once the keys are durable."""
    table = row.table
    names = [chair.name for chair in table.chairs]
    tokens = {seat: Chair(chair).new_key() for seat, chair in enumerate(table.chairs) if chair.name}
    _carry_out(database, lambda db: db.save(row.match, msgspec.msgpack.encode(table), row.epoch))
    for seat, token in tokens.items():
        yield json.dumps(
            {
                "match": row.match,
                "seat": seat,
                "token": token.hex(),
                "title": table.title,
                "game": table.ruleset,
                "people": [name for name in names if name and name != names[seat]],
                "seen": row.touched,
            }
        )

"""Command `seats`: the seats of people in kept matches that go on, with a new key for each; no server may run.

It is for owners of the data who lost the keys, such as of a player's own matches on their own computer.
"""

import argparse
import json
import os
from collections.abc import AsyncIterator, Sequence

import msgspec
from msgspec import structs

from protocol.process import stopping
from server.matches.seating import SeatHolder
from server.opening import DATABASE, open_offline
from server.storage.offline import Offline, judged
from server.storage.rows import Row
from server.tools.serve import directory, store_of
from shared.tables import TablePhase


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `seats`."""
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")
    parser.add_argument("--store", metavar="URL", help="PostgreSQL database instead, as for serve")
    parser.add_argument(
        "--known", action="append", default=[], metavar="MATCH", help="leave this match out; repeatable"
    )
    parser.add_argument("--delete", default="", metavar="MATCH", help="delete this match and its log for good")


def run(args: argparse.Namespace) -> int:
    """Print one JSON object for each seat; the older key stays valid until the new one is used. Raises StoreError."""
    where = store_of(args, os.environ)
    if where or (args.data / DATABASE).exists():  # Without a file there are no seats, which is no error.
        stopping.run(_run(args, where))
    return 0


async def _run(args: argparse.Namespace, where: str) -> None:
    store = await open_offline(where, args.data)
    try:
        if args.delete:
            await store.drop(args.delete)
            return
        async for line in _seats(store, args.known):
            print(line)
    finally:
        await store.close()


async def _seats(store: Offline, known: Sequence[str]) -> AsyncIterator[str]:
    for match in await store.unfinished():
        if match in known:
            continue
        finding = judged(await store.whole(match))
        # Damaged matches are left to `repair`.
        if finding.row is not None and not finding.wrong and finding.row.table.phase == TablePhase.PLAYING:
            for line in await _keys(store, finding.row):
                yield line


async def _keys(store: Offline, row: Row) -> list[str]:
    """Return a line for each person's seat of a match, once the keys are durable."""
    table = row.table
    names = [chair.name for chair in table.chairs]
    tokens = {seat: SeatHolder(chair).new_key() for seat, chair in enumerate(table.chairs) if chair.name}
    await store.save(structs.replace(row, record=msgspec.msgpack.encode(table)))
    return [
        json.dumps(
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
        for seat, token in tokens.items()
    ]

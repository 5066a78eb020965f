"""Command `export`: write one match to a file that can be replayed and verified, even while a server runs."""

import argparse
import base64
import os
from collections.abc import Awaitable, Callable
from functools import reduce
from pathlib import Path

import msgspec

from protocol import record
from protocol.process import stopping
from protocol.record import Record
from server.opening import DATABASE, open_store
from server.storage.export import record_of
from server.storage.platform import System
from server.storage.port import StoreError, TableRecord
from server.tools.control import Answer, NotRunning, calling
from server.tools.match_parts import READ, read_part
from server.tools.serve import directory, store_of
from shared.history import GENESIS, chain
from shared.tables import TablePhase

Ask = Callable[[int], Awaitable[Answer]]
"""Requests the part that begins with an entry."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `export`."""
    parser.epilog = "conquest verify FILE checks the file; conquest tell FILE prints it as text."
    parser.add_argument("match", metavar="MATCH", help="id of the match")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=f"file to write, such as m{record.SUFFIX}"
    )
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")
    parser.add_argument("--store", metavar="URL", help="PostgreSQL database instead, as for serve")
    parser.add_argument(
        "--unfinished",
        action="store_true",
        help="also export a running match; its file reveals all secrets to its readers, and cannot prove the dice",
    )


def run(args: argparse.Namespace) -> int:
    """Write the file. StoreError gives the reason for a failure, after which there is no file."""
    match = stopping.run(_exported(args))
    try:
        _put(args.out, record.write(match))
    except OSError as error:
        raise StoreError(f"{args.out} cannot be written: {error.strerror}.") from None
    print(f"{args.out}: match {match.match}, {len(match.log)} entries.")
    return 0


async def _exported(args: argparse.Namespace) -> Record:
    """Return the match from the running server, or from the data if none runs. Raises StoreError."""
    where = store_of(args, os.environ)
    if not where:
        try:
            async with calling(args.data) as ask:
                return await _whole(lambda first: ask(READ, match=args.match, first=first), args.unfinished)
        except NotRunning:
            pass
        if not (args.data / DATABASE).exists():
            raise StoreError(f"{args.data / DATABASE} does not exist; give the right directory with --data.")
    store = await open_store(where, args.data, beside=True)
    try:
        return await _whole(lambda first: read_part(store, {"match": args.match, "first": first}), args.unfinished)
    finally:
        await store.close()


async def _whole(ask: Ask, unfinished: bool) -> Record:
    """Join all parts. A match that goes on is exported up to its version at the first request."""
    part = await ask(1)
    table, total = _table(part), part["total"]
    if table.phase != TablePhase.OVER and not unfinished:
        raise StoreError(
            f"Match {table.match} is not over, and its file would reveal all its secrets. "
            "Give --unfinished to write it all the same."
        )
    log = _entries(part)
    # A part without entries would come again without end.
    while len(log) < total and part["entries"]:
        part = await ask(len(log) + 1)
        log += _entries(part)
    return record_of(table, log[:total], reduce(chain, log[:total], GENESIS))


def _table(part: Answer) -> TableRecord:
    return msgspec.msgpack.decode(base64.b64decode(part["table"]), type=TableRecord)


def _entries(part: Answer) -> list[bytes]:
    return [base64.b64decode(entry) for entry in part["entries"]]


def _put(path: Path, data: bytes) -> None:
    """Write the whole file or nothing."""
    try:
        System().replace(path, data)
    finally:
        path.with_name(path.name + ".new").unlink(missing_ok=True)

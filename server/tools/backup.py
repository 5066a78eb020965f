"""Command `backup`: copy all matches at one moment, even while a server runs."""

import argparse
import asyncio
import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

from protocol.process import stopping
from server.opening import DATABASE
from server.storage.database import why_not
from server.storage.platform import open_private
from server.storage.port import StoreError
from server.tools.control import HOLD, REPAIRS, NotRunning, calling
from server.tools.serve import directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `backup`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the copy; the file must not exist")
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")


def run(args: argparse.Namespace) -> int:
    """Copy the matches; StoreError or OSError give the reason for a failure, after which there is no copy."""
    if args.file.exists():
        raise StoreError(f"{args.file} exists already; give another name.")
    matches = stopping.run(copy(args.data, args.file))
    print(f"{args.file}: {matches} matches.")
    return 0


async def copy(data: Path, file: Path) -> int:
    """Copy the matches of a directory into a file, and return their number. Raises StoreError, OSError."""
    path, new = data / DATABASE, file.with_name(file.name + ".part")
    if not path.exists():
        raise StoreError(f"{path} does not exist; give the right directory with --data.")
    try:
        open_private(new, "wb").close()
        try:
            await _copy_beside_a_server(data, path, new)
        except NotRunning:
            _copy_alone(path, new)
        matches = _looked_through(new)
        with new.open("rb+") as written:
            os.fsync(written.fileno())
        new.replace(file)
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            new.with_name(new.name + end).unlink(missing_ok=True)
    return matches


async def _copy_beside_a_server(data: Path, path: Path, new: Path) -> None:
    """Copy while the server leaves the file alone and writes all changes beside it.

    The database is not locked, because the lock is the server's. Raises NotRunning if no server runs.
    """
    async with calling(data) as ask:
        before = await ask(HOLD)
        await asyncio.to_thread(shutil.copyfile, path, new)
        try:
            after = await ask(HOLD)
        except NotRunning:
            # A server that stops writes its changes into the file, so the copy may be torn.
            raise StoreError("The server ended during the copy; try again.") from None
        if before.get(REPAIRS) != after.get(REPAIRS):
            raise StoreError("The server's disk failed during the copy; try again.")


def _copy_alone(path: Path, new: Path) -> None:
    """Copy without a server. The file is locked meanwhile, so that no server starts; its format is not migrated."""
    try:
        with (
            contextlib.closing(sqlite3.connect(path, isolation_level=None, timeout=0.0)) as source,
            contextlib.closing(sqlite3.connect(new)) as target,
        ):
            # Without this lock `backup` would wait forever for a server that holds the file.
            source.execute("BEGIN")
            source.execute("SELECT 1 FROM sqlite_schema").fetchone()
            source.backup(target)
    except sqlite3.Error as error:
        raise why_not(path, error) from None


def _looked_through(path: Path) -> int:
    """Check the integrity of a copy and return the number of its matches. Raises StoreError."""
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (count,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"The copy is damaged: {error}.") from None
    if verdict != "ok":
        raise StoreError(f"The copy is damaged: {verdict}.")
    return int(count)

"""Command `move`: move all data of a server from its file into PostgreSQL or back; no server may run."""

import argparse
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from protocol.process import stopping
from server.opening import DATABASE, MOVED, database_place, existing, moved_away
from server.storage.moving import ServerStorage, WrongCopy, copy
from server.storage.offline import Offline, OfflineFile, Totals, files_of, prepare, total
from server.storage.platform import sync_directory
from server.storage.port import Damaged, StoreError
from server.tools.serve import directory, store_of

DRAFT: Final = ".moving"
"""Suffix of the file that is being filled."""
ABOUT: Final = """\
Copies matches with their logs, seats, keys, codes, chat, clocks, settings and dice, the
profiles, and the age of the server by which clocks count. The target must be empty.

Nothing can be seen at the target before everything is there and was compared, by counts
and by a digest of all of it. Then it takes its place at once, and the source is put
aside: conquest.sqlite3 gets the ending .moved-DATE, tables of PostgreSQL go into a
schema conquest_moved_DATE. Delete that when you no longer want to go back.

A move that was interrupted at any moment goes on where it was: give the same command.
"""
"""Help text besides the options."""


class FilePlace:
    """Database file in a data directory."""

    def __init__(self, data: Path) -> None:
        self._path = data / DATABASE
        self._draft = self._path.with_name(DATABASE + DRAFT)
        self._store: OfflineFile | None = None

    def __str__(self) -> str:
        return str(self._path)

    async def store(self) -> Offline | None:
        """Open the file, or return None if there is none."""
        if self._store is None and self._path.exists():
            self._store = OfflineFile.open(self._path)
        return self._store

    @asynccontextmanager
    async def draft(self) -> AsyncIterator[Offline]:
        """Open the file that is being filled."""
        prepare(self._path.parent)
        store = OfflineFile.open(self._draft)
        try:
            yield store
        finally:
            await store.close()

    async def publish(self) -> None:
        """Rename the draft's files, the database first.

        Without its companion files the database is complete; without the database they are useless.
        """
        await self.close()
        for each in files_of(self._path):
            each.unlink(missing_ok=True)
        for before, after in zip(files_of(self._draft), files_of(self._path), strict=True):
            if before.exists():
                before.replace(after)
        sync_directory(self._path.parent)

    async def discard(self) -> None:
        """Delete the draft's files."""
        for each in files_of(self._draft):
            each.unlink(missing_ok=True)

    async def put_aside(self, stamp: str) -> str:
        """Rename the files, the database last.

        A server that found only the companion files would report lost matches.
        """
        await self.close()
        aside = self._path.with_name(f"{DATABASE}{MOVED}-{stamp}")
        for before, after in reversed([*zip(files_of(self._path), files_of(aside), strict=True)]):
            if before.exists():
                before.replace(after)
        sync_directory(self._path.parent)
        return str(aside)

    async def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            await self._store.close()
            self._store = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `move`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = ABOUT
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")
    parser.add_argument("--store", metavar="URL", help="PostgreSQL database: postgresql://USER@HOST/DATABASE")
    parser.add_argument("--back", action="store_true", help="move from the database to the directory")


def run(args: argparse.Namespace) -> int:
    """Move the data; StoreError gives the reason for a failure, after which the source is unchanged."""
    where = store_of(args, os.environ)
    if not where:
        raise StoreError("No database is given; add --store postgresql://USER@HOST/DATABASE.")
    places: list[ServerStorage] = [FilePlace(args.data), database_place(where)]
    if args.back:
        places.reverse()
    else:
        _look_for(args.data)
    stopping.run(_run(*places))
    return 0


def _look_for(data: Path) -> None:
    """Raise StoreError if there is nothing to move, with the place to which it was moved before."""
    try:
        existing(data)
    except StoreError as error:
        gone = moved_away(data)
        before = f" It was moved before, and is kept as {gone.name}." if gone else ""
        raise StoreError(f"{error}{before}") from None


async def _run(source: ServerStorage, target: ServerStorage) -> None:
    try:
        await _move(source, target, time.strftime("%Y%m%d-%H%M%S"))
    finally:
        await source.close()
        await target.close()


async def _move(source: ServerStorage, target: ServerStorage, stamp: str) -> None:
    original = await source.store()
    if original is None:
        raise StoreError(f"There are no matches in {source}; check --data and --store.")
    try:
        moved = await _found_there(original, target) or await _fill(original, target)
    except Damaged as error:
        raise StoreError(
            f"{error} Nothing was moved. Restore the rest first: conquest-server repair --apply."
        ) from None
    await target.discard()
    # Last: as long as the source is there, the same command can be repeated.
    aside = await source.put_aside(stamp)
    print(f"Moved {moved} from {source} to {target}.")
    print(f"Both were compared: sha256 {moved.digest}.")
    print(f"What was in {source} is kept as {aside}.")


async def _found_there(original: Offline, target: ServerStorage) -> Totals | None:
    """Return the target's totals if it holds the same as the source, or None if it is empty.

    Raises StoreError for other contents.
    """
    there = await target.store()
    if there is None:
        return None
    found = await total(there)
    if found.empty:
        return None
    if found != await total(original):
        raise StoreError(
            f"{target} has other matches already: {found}. Move to an empty target, or put these aside first."
        )
    return found


async def _fill(original: Offline, target: ServerStorage) -> Totals:
    try:
        async with target.draft() as draft:
            moved = await copy(original, draft, _report)
    except WrongCopy as error:
        await target.discard()
        raise StoreError(f"{error} Nothing was moved; try again.") from None
    await target.publish()
    return moved


def _report(done: int, of: int) -> None:
    print(f"{done} of {of} matches are copied.", file=sys.stderr)

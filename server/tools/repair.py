"""The command `repair`: what is damaged in a server's data, what would be lost, and bringing the rest back."""

import argparse
import json
import sqlite3
import sys
import time
from pathlib import Path

from server.storage.database import Database
from server.storage.opening import DATABASE
from server.storage.platform import System
from server.storage.port import PersonRecord, StoreError
from server.storage.repair import Finding, bring_back, look
from server.tools.serve import data_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `repair`."""
    parser.add_argument("--data", type=Path, default=data_directory(), help="directory that keeps the matches")
    parser.add_argument("--apply", action="store_true", help="do it; else it is only told")
    parser.add_argument("--json", action="store_true", help="one JSON object for each damaged match")


def run(args: argparse.Namespace) -> int:
    """Carry out `repair`; 0 if nothing is damaged any more, 1 if something is, StoreError for what cannot be read."""
    path = args.data / DATABASE
    if not path.exists():
        raise StoreError(f"There is no {path}.")
    database = _opened(path)
    findings, people = look(database), database.people()
    database.close()
    damaged = [finding for finding in findings if finding.wrong]
    for finding in damaged:
        print(_told(finding, args.json))
    if damaged and args.apply:
        old = _rebuild(path, findings, people)
        print(f"Done. The damaged file is kept as {old.name}.", file=sys.stderr)
        return 0
    advice = ": with --apply they are brought back as told" if damaged else ""
    print(f"{len(damaged)} of {len(findings)} matches are damaged{advice}.", file=sys.stderr)
    return 1 if damaged else 0


def _opened(path: Path) -> Database:
    database = Database(System(), path, time.time)
    try:
        database.open()
    except (sqlite3.Error, OSError, StoreError) as error:
        reason = str(error).rstrip(".")
        raise StoreError(
            f"{path} cannot be opened: {reason}. If no server runs on it, put a backup in its place."
        ) from None
    return database


def _told(finding: Finding, as_json: bool) -> str:
    if as_json:
        kept = None if finding.row is None else len(finding.entries)
        return json.dumps({"match": finding.match, "wrong": finding.wrong, "kept": kept, "lost": finding.lost})
    return f"{finding.match}: {finding.wrong} Lost: {finding.lost}."


def _rebuild(path: Path, findings: list[Finding], people: list[PersonRecord]) -> Path:
    """A new file with all that can be brought back; where the damaged one is kept."""
    new = path.with_name(path.name + ".repaired")
    for each in _files(new):
        each.unlink(missing_ok=True)
    database = Database(System(), new, time.time)
    database.open()
    bring_back(findings, database, people)
    database.close()
    stamp = time.strftime("%Y%m%d-%H%M%S")
    old = path.with_name(f"{path.name}.damaged-{stamp}")
    for before, after in zip(_files(path), _files(old), strict=True):
        if before.exists():
            before.replace(after)
    for before, after in zip(_files(new), _files(path), strict=True):
        if before.exists():
            before.replace(after)
    return old


def _files(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm", ".heads")]

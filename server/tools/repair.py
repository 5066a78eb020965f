"""Command `repair`: report damage in a server's data and the losses, and recover the rest."""

import argparse
import json
import os
import sys
import time

from protocol.process import stopping
from server.opening import open_offline
from server.storage.offline import Finding, judged
from server.storage.rows import DEEDS, PEOPLE
from server.tools.serve import directory, store_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `repair`."""
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")
    parser.add_argument("--store", metavar="URL", help="PostgreSQL database instead, as for serve")
    parser.add_argument("--apply", action="store_true", help="repair; without it, only report")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each damaged match")


def run(args: argparse.Namespace) -> int:
    """Carry out `repair`.

    Return 0 if no damage is left, 1 if some is. Raises StoreError if the data cannot be read.
    """
    return stopping.run(_run(args, store_of(args, os.environ)))


async def _run(args: argparse.Namespace, where: str) -> int:
    store = await open_offline(where, args.data)
    try:
        findings = [judged(await store.whole(match)) for match in await store.matches()]
        lost, forgotten = [(await store.singles(table))[1] for table in (PEOPLE, DEEDS)]
        damaged = [finding for finding in findings if finding.wrong]
        for finding in damaged:
            print(_told(finding, args.json))
        if lost:
            print(f"{lost} profiles cannot be read; their owners must make new ones.", file=sys.stderr)
        if forgotten:
            print(f"{forgotten} deeds of the operator cannot be read; look which bans are missing.", file=sys.stderr)
        if args.apply and (damaged or lost or forgotten):
            aside = await store.mend(findings, time.strftime("%Y%m%d-%H%M%S"))
            print(f"Done. {aside}", file=sys.stderr)
            return 0
    finally:
        await store.close()
    advice = "; --apply restores them as listed" if damaged else ""
    print(f"{len(damaged)} of {len(findings)} matches are damaged{advice}.", file=sys.stderr)
    return 1 if damaged or lost or forgotten else 0


def _told(finding: Finding, as_json: bool) -> str:
    if as_json:
        kept = None if finding.row is None else len(finding.log)
        return json.dumps({"match": finding.match, "wrong": finding.wrong, "kept": kept, "lost": finding.lost})
    return f"{finding.match}: {finding.wrong} Lost: {finding.lost}."

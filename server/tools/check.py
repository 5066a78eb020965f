"""Command `check`: list the matches that this version of the server can continue; the data are not changed."""

import argparse
import os
import shutil
import tempfile
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from protocol import codec
from protocol.process import stopping
from server.opening import DATABASE, existing, open_offline
from server.storage.offline import Offline, OfflineFile, judged
from server.storage.port import StoreError, TableRecord
from server.storage.rows import sound
from server.tools.backup import copy
from server.tools.control import NotRunning, calling
from server.tools.serve import directory, store_of
from shared.history import Course, Entry
from shared.kernel.ruleset import AnyRuleset, UnknownRules, rules_of
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase

ABOUT: Final = """\
Run it with the new version before an update; the old server may run. It reads a copy
of the file (below TMPDIR), or the database as it is.

A match can continue if it is undamaged, if this version has the rules it began with, and
if these rules accept its whole log. Exit status: 0 if all matches can, 1 if one cannot.
"""
"""Help text besides the options."""


class MatchVerdict(Struct, frozen=True):
    """Whether a match can go on with this version. `why`: the obstacle, or ""."""

    match: str
    title: str
    game: str
    version: int
    phase: str
    decisions: int
    why: str = ""

    def __str__(self) -> str:
        over = self.phase == TablePhase.OVER.name.lower()
        can = "can be shown" if over else "can go on"
        cannot = "cannot be shown" if over else "cannot go on"
        named = f"{self.match}  {self.title} ({self.game} {self.version}, {self.phase}, {self.decisions} decisions)"
        return f"{named if self.title else self.match}: {f'{cannot}: {self.why}' if self.why else f'{can}.'}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `check`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = ABOUT
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")
    parser.add_argument("--store", metavar="URL", help="PostgreSQL database instead, as for serve")
    parser.add_argument("--all", action="store_true", help="also check the logs of finished matches")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each match")


def run(args: argparse.Namespace) -> int:
    """Print a verdict on each match; return 0 if all can go on, else 1. StoreError says why the check is impossible."""
    return stopping.run(_run(args, store_of(args, os.environ)))


async def _run(args: argparse.Namespace, where: str) -> int:
    count: Counter[tuple[bool, bool]] = Counter()
    async with AsyncExitStack() as stack:
        store = await opened(where, args.data, stack)
        for match in await store.matches():
            verdict = await _verdict(store, match, args.all)
            over = verdict.phase == TablePhase.OVER.name.lower()
            count[over, bool(verdict.why)] += 1
            if args.json:
                print(msgspec.json.encode(verdict).decode())
            elif verdict.why or not over:
                print(verdict)
    if not args.json:
        print(f"{count[False, False]} matches can go on, {count[False, True]} cannot.")
        print(f"{count[True, False]} finished matches can be shown, {count[True, True]} cannot.")
    return 1 if count[False, True] or count[True, True] else 0


async def opened(where: str, data: Path, stack: AsyncExitStack) -> Offline:
    """Open the database as it is, or a copy of the file, because opening the file itself would migrate it."""
    if where:
        store = await open_offline(where, data, beside=True)
    else:
        path = existing(data)
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="conquest-check-")))
        await copy(data, home / DATABASE)
        witness = path.with_name(f"{DATABASE}.heads")
        if witness.exists() and not await _is_served(data):
            # While a server runs, this file may be ahead of the copy, which would look like a loss.
            shutil.copyfile(witness, home / witness.name)
        try:
            store = OfflineFile.open(home / DATABASE)
        except StoreError as error:
            raise StoreError(str(error).replace(str(home), str(data))) from None
    stack.push_async_callback(store.close)
    return store


async def _is_served(data: Path) -> bool:
    try:
        async with calling(data):
            return True
    except NotRunning:
        return False


async def _verdict(store: Offline, match: str, finished_too: bool) -> MatchVerdict:
    finding = judged(await store.whole(match))
    if finding.row is None:
        return MatchVerdict(
            match, "", "", 0, "damaged", 0, f"{finding.wrong} Run conquest-server repair to see what is lost."
        )
    table = finding.row.table
    phase = TablePhase(table.phase)
    why = f"{finding.wrong} Run conquest-server repair --apply to restore the rest." if finding.wrong else ""
    entries = sound(finding.log)[0] if finished_too or phase != TablePhase.OVER else []
    return MatchVerdict(
        match=match,
        title=codec.harmless(table.title),
        game=codec.harmless(table.ruleset),
        version=table.version,
        phase=phase.name.lower(),
        decisions=len(finding.log),
        why=why or obstacle(table, entries),
    )


def obstacle(table: TableRecord, entries: list[Entry]) -> str:
    """Return why a match with that log cannot go on with this version, in a sentence; "" if it can."""
    try:
        rules = rules_of(RULESETS, table.ruleset, table.version)
    except UnknownRules as error:
        return codec.harmless(str(error))
    return _refused(rules, table, entries)


def _refused(rules: AnyRuleset, table: TableRecord, entries: list[Entry]) -> str:
    last = 0
    try:
        for passed in Course(rules, len(table.chairs), table.options).follow(entries):
            last = passed.entry.n
    except Exception as error:  # Rules may fail with any exception; a server could not load the match either.
        said = codec.harmless(f"{type(error).__name__}: {error}")
        return f"The rules refuse decision {last + 1} of {len(entries)} ({said})."
    return ""

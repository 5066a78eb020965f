"""Making films and records from logs.

A film is byte for byte what one audience was shown, since it is made in the same way as the match itself; only undo is
missing. A record contains the whole match.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, Final

import msgspec
from msgspec import Raw

from protocol import codec, delta, record
from protocol.film import Film, pack
from server.matches.match_archive import Made, Wanted
from server.storage.export import record_of
from shared.history import GENESIS, Course, Deed, Entry, Passed, chain
from shared.ids import Seat
from shared.kernel.ruleset import AnyRuleset, IllegalAction
from shared.kernel.versions import rules_of
from shared.messages import Back, Snapshot
from shared.tables import LOOKING_ON, Recollection

REFUSED: Final = (msgspec.MsgspecError, UnicodeDecodeError, IllegalAction, KeyError, ValueError)
"""Errors that a log of other rules may raise."""


def made(wanted: Wanted, rulesets: Mapping[str, AnyRuleset]) -> Made:
    """Make a film or record, by the rules of the match."""
    if wanted.kind == Recollection.RECORD:
        return Made(record.write(record_of(wanted.table, wanted.entries, reduce(chain, wanted.entries, GENESIS))))
    try:
        rules = rules_of(rulesets, wanted.table.ruleset, wanted.table.version)
        return Made(pack(film_of(rules, wanted)))
    except REFUSED as error:
        return Made(b"", codec.harmless(f"{type(error).__name__}: {error}"))


def film_of(rules: AnyRuleset, wanted: Wanted) -> Film:
    """Return the film of what an audience was shown. Raises the errors in `REFUSED`."""
    table = wanted.table
    entries = [msgspec.msgpack.decode(entry, type=Entry) for entry in wanted.entries]
    first, *frames = shots(rules, wanted, entries)
    names = tuple(chair.name for chair in table.chairs)
    head = (table.ruleset, table.version, table.options, names, table.title, wanted.audience)
    return Film(*head, first, tuple(frames))


def shots(rules: AnyRuleset, wanted: Wanted, entries: list[Entry]) -> Iterator[bytes]:
    """Yield the `Snapshot` of the version that the client has, and each `Frame` after it."""
    audience = None if wanted.audience == LOOKING_ON else wanted.audience
    course = Course(rules, len(wanted.table.chairs), wanted.table.options)
    begun = min(wanted.have, len(entries))
    seen = rules.view(course.state, audience)
    if begun == 0:
        yield _snapshot(0, seen)
    for passed in course.follow(entries):
        before, n = seen, passed.entry.n
        if n >= begun:
            seen = rules.view(passed.state, audience)
        if n == begun:
            yield _snapshot(n, seen)
        elif n > begun:
            yield _frame(rules, passed, before, seen, audience)


def _snapshot(version: int, seen: Any) -> bytes:
    encoded = codec.encode(seen)
    return codec.encode(Snapshot(version, delta.digest(encoded), Raw(encoded)))


def _frame(rules: AnyRuleset, passed: Passed, before: Any, seen: Any, audience: Seat | None) -> bytes:
    told = [heard for event in passed.events if (heard := rules.event_for(event, audience)) is not None]
    entry, digest = passed.entry, delta.digest(codec.encode(seen))
    back = Back(entry.seat, entry.to) if entry.deed is Deed.BACK else None
    return codec.encode_frame(entry.n, digest, delta.diff(before, seen), told, back=back)

"""Command `ratings`: make the ratings of people again from the kept matches, and say what differs."""

import argparse
import os
from contextlib import AsyncExitStack

import msgspec

from protocol import codec
from protocol.process import stopping
from server.lobby.rated_matches import SCALE, SIGMA, shown_to_people
from server.matches.people_rating import kind_of
from server.storage.offline import judged, sound_singles
from server.storage.port import PersonRecord, RatingRecord, TableRecord
from server.tools.check import opened
from server.tools.serve import directory, store_of
from shared.tables import TablePhase

POINTS = 0.5
"""Points of a rating that may differ: less than what pages show."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `ratings`."""
    parser.epilog = (
        "The server may run, and nothing is changed. A person whose earlier matches are no longer kept cannot be "
        "checked. Exit status: 0 if nothing differs, else 1."
    )
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")
    parser.add_argument("--store", metavar="URL", help="PostgreSQL database instead, as for serve")
    parser.add_argument("--recompute", action="store_true", required=True, help="make them again, and compare")


def run(args: argparse.Namespace) -> int:
    """Print what differs; return 1 if something does. StoreError says why that is impossible."""
    return stopping.run(_run(args, store_of(args, os.environ)))


async def _run(args: argparse.Namespace, where: str) -> int:
    tables: list[TableRecord] = []
    async with AsyncExitStack() as stack:
        store = await opened(where, args.data, stack)
        for match in await store.matches():
            row = judged(await store.whole(match)).row
            if row is not None and row.table.people_rated and row.table.phase == TablePhase.OVER:
                tables.append(row.table)
        found = await sound_singles(store, "people")
    people = [msgspec.msgpack.decode(record, type=PersonRecord) for _key, record in found]
    lines, unknown = differences(people, recomputed(tables))
    for line in lines:
        print(codec.harmless(line))
    print(f"{len(tables)} rated matches of people; {len(lines)} ratings differ, {unknown} cannot be checked.")
    return 1 if lines else 0


def recomputed(tables: list[TableRecord]) -> dict[tuple[str, str], RatingRecord]:
    """Return by profile and kind the ratings after these matches, which end one after the other."""
    from server.ladder.people import changed, new_rating  # Other commands need no library of ratings.

    made: dict[tuple[str, str], RatingRecord] = {}
    for table in sorted(tables, key=lambda each: (each.ended, each.match)):
        kind = kind_of(table)
        before = [made.get((chair.person, kind), new_rating(kind)) for chair in table.chairs]
        after = changed(table, before)
        made |= {(chair.person, kind): each for chair, each in zip(table.chairs, after, strict=True) if chair.person}
    return made


def differences(people: list[PersonRecord], made: dict[tuple[str, str], RatingRecord]) -> tuple[list[str], int]:
    """Return a line for each rating that differs, and how many lack earlier matches."""
    lines, unknown = [], 0
    kept = {(person.person, each.ruleset): (person.name, each) for person in people for each in person.ratings}
    names = {person.person: person.name for person in people}
    kinds = {kind for _person, kind in made}
    for key in sorted({*made, *(key for key in kept if key[1] in kinds)}):
        name, old = kept.get(key, (names.get(key[0], ""), None))
        new = made.get(key)
        if not name:
            continue  # The profile was deleted.
        if old is not None and old.games > (new.games if new is not None else 0):
            unknown += 1
        elif old is None or new is None or _differ(old, new):
            lines.append(f"{name}, {key[1]}: {_words(old)} is stored, {_words(new)} is made again.")
    return lines, unknown


def _differ(one: RatingRecord, other: RatingRecord) -> bool:
    return one.games != other.games or abs(one.mu - other.mu) * SCALE / SIGMA > POINTS


def _words(rating: RatingRecord | None) -> str:
    if rating is None:
        return "no rating"
    points, uncertainty = shown_to_people(rating)
    return f"{points} ± {uncertainty} after {rating.games} matches"

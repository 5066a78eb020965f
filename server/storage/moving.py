"""Moving everything from one store into another: a draft is filled beside the target and replaces it when complete.

The source stays unchanged until the draft holds all of it. A move that was interrupted continues with the draft.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol

from server.storage.offline import Finding, Offline, Totals, Whole, content, sound_match, sound_singles, total
from server.storage.port import StoreError
from server.storage.rows import KEYS

EVERY: Final = 100
"""Matches after which progress is reported."""


class ServerStorage(Protocol):
    """Storage of a server: a file or a database."""

    def __str__(self) -> str:
        """Return the name of the place for people."""

    async def store(self) -> Offline | None:
        """Open the store, or return None if there is none. Raises StoreError."""

    def draft(self) -> AbstractAsyncContextManager[Offline]:
        """Open the store that is being filled; see `publish`. Raises StoreError."""

    async def publish(self) -> None:
        """Put the closed draft in its place in one step."""

    async def discard(self) -> None:
        """Delete the draft."""

    async def put_aside(self, stamp: str) -> str:
        """Rename the store so that no server finds it, and return its new name."""

    async def close(self) -> None:
        """Close the store."""


class WrongCopy(StoreError):
    """The copy differs from the original."""


async def copy(source: Offline, draft: Offline, report: Callable[[int, int], object]) -> Totals:
    """Copy the source into the draft, whatever the draft held; return the totals, which are read anew.

    `report` is called with the number of matches that were examined and the number of all. Raises Damaged, StoreError.
    """
    await _copy_matches(source, draft, report)
    for table in KEYS:
        await _copy_singles(source, draft, table)
    await draft.put_age(await source.age())
    # Both are read anew: what counts is what lies in the stores, not what was passed on.
    expected, found = await total(source), await total(draft)
    if expected != found:
        raise WrongCopy(f"The copy differs from the original ({expected}; copied: {found}).")
    return found


async def _copy_matches(source: Offline, draft: Offline, report: Callable[[int, int], object]) -> None:
    matches = await source.matches()
    there = set(await draft.matches())
    for match in there.difference(matches):
        await draft.drop(match)
    for number, match in enumerate(matches, 1):
        expected = await sound_match(source, match)
        assert expected.row is not None
        if match not in there or not _same(expected, await draft.whole(match)):
            await draft.put(expected.row, expected.log)
        if number % EVERY == 0 or number == len(matches):
            report(number, len(matches))


async def _copy_singles(source: Offline, draft: Offline, table: str) -> None:
    expected = dict(await sound_singles(source, table))
    copied = dict((await draft.singles(table))[0])
    for key in copied.keys() - expected.keys():
        await draft.drop_single(table, key)
    for key, record in expected.items():
        if copied.get(key) != record:
            await draft.put_single(table, key, record)


def _same(expected: Finding, copied: Whole) -> bool:
    """Whether an interrupted move had copied a match already and it was not played since."""
    if expected.row is None or copied.row is None or copied.wrong:
        return False
    return content(copied.row) == content(expected.row) and list(copied.log) == list(expected.log)

"""Moving everything from one store into another: a draft is filled beside the target and replaces it when complete.

The source stays unchanged until the draft holds all of it. A move that was interrupted continues with the draft.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol

from server.storage.offline import Finding, Offline, Totals, Whole, content, sound_match, sound_profiles, total
from server.storage.port import StoreError

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
    await _copy_profiles(source, draft)
    await draft.put_age(await source.age())
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


async def _copy_profiles(source: Offline, draft: Offline) -> None:
    expected = dict(await sound_profiles(source))
    copied = dict((await draft.profiles())[0])
    for person in copied.keys() - expected.keys():
        await draft.drop_profile(person)
    for person, record in expected.items():
        if copied.get(person) != record:
            await draft.put_profile(person, record)


def _same(expected: Finding, copied: Whole) -> bool:
    """Whether an interrupted move had copied a match already and it was not played since."""
    if expected.row is None or copied.row is None or copied.wrong:
        return False
    return content(copied.row) == content(expected.row) and list(copied.log) == list(expected.log)

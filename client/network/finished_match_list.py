"""Finished matches: the saved ones of this player, and those listed by servers, which are asked in the background."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.network.status_query import HELD, Errand, ServerQuery, past, recalled
from client.player import saved_matches
from client.player.profiles import Profile
from client.player.seats import SavedSeat, is_private
from protocol.text import tidy
from shared.messages import PastList, PastMatch, Recall, Recalled
from shared.tables import MAX_NAME, MAX_TITLE

END: Final = 2**32 - 1
"""Above every version: a film from there on is the last position alone."""


class FinishedMatch(Struct, frozen=True):
    """Finished match: in a file of ours, or on a server that was asked about it."""

    summary: PastMatch
    path: Path | None = None
    query: ServerQuery | None = None

    @property
    def token(self) -> bytes:
        """Token of our seat; empty without one."""
        held = dict(self.query.held) if self.query is not None else {}
        return held.get(self.summary.match, b"")


def questions(name: str, address: str, seats: Iterable[SavedSeat], profiles: Iterable[Profile]) -> list[ServerQuery]:
    """Return one question for each server that this player knows; `address`: the last used one."""
    remote_seats = [seat for seat in seats if not seat.private]
    places = dict.fromkeys((*(seat.address for seat in remote_seats), *(each.address for each in profiles), address))
    return [
        ServerQuery(
            place,
            name,
            tuple((seat.match, seat.token) for seat in remote_seats if seat.address == place and seat.state == "over")[
                :HELD
            ],
            secure=any(seat.secure for seat in remote_seats if seat.address == place),
            bare=any(not seat.secure for seat in remote_seats if seat.address == place),
        )
        for place in places
        if place and not is_private(place)
    ]


def presentable(match: PastMatch) -> PastMatch:
    """Return the match with each name reduced to one visible line; servers may send anything."""
    seats = tuple([replace(info, name=tidy(info.name, MAX_NAME)) for info in match.seats])
    return replace(match, title=tidy(match.title, MAX_TITLE), ruleset=tidy(match.ruleset, MAX_TITLE), seats=seats)


class FinishedMatches:
    """List of finished matches from files and servers. `ask` requests a page of a server."""

    def __init__(self, queries: Iterable[ServerQuery], ask: Callable[[ServerQuery, int], PastList] = past) -> None:
        self._ask = ask
        self.matches = [FinishedMatch(presentable(match), path) for match, path in saved_matches.listed()]
        """Saved matches first, then those of servers; in each part the latest end first."""
        self.trouble: dict[str, str] = {}
        """Reasons why servers did not answer, by address."""
        self._below: dict[ServerQuery, int] = {}
        self._pages = {each: Errand(partial(ask, each, 0)) for each in queries}

    @property
    def asking(self) -> bool:
        """Whether answers are still awaited."""
        return bool(self._pages)

    @property
    def more(self) -> bool:
        """Whether a server has further pages."""
        return bool(self._below)

    def turn(self) -> None:
        """Request the next page of every server that has one."""
        below, self._below = self._below, {}
        self._pages |= {each: Errand(partial(self._ask, each, place)) for each, place in below.items()}

    def update(self) -> bool:
        """Take in the answers; return whether there were any."""
        done = [(query, page) for query, page in self._pages.items() if page.done]
        for query, page in done:
            del self._pages[query]
            if page.answer is None:
                self.trouble[query.address] = page.why
            else:
                self._add(query, page.answer)
        return bool(done)

    def _add(self, query: ServerQuery, page: PastList) -> None:
        listed = {finished.summary.match for finished in self.matches}
        new = [match for match in page.matches if match.match not in listed]
        self.matches += [FinishedMatch(presentable(match), None, query) for match in new]
        if page.below:
            self._below[query] = page.below


def fetched(finished: FinishedMatch, *, end: bool = False) -> Errand[Recalled]:
    """Request everything that its server shows of a match; `end`: the last position alone."""
    assert finished.query is not None
    request = Recall(1, finished.summary.match, finished.token, have=END if end else 0, film=end)
    return Errand(partial(recalled, finished.query, request))

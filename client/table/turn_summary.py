"""Changes since the player's last turn: the provinces, and a line for each other player. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic

from msgspec import Struct

from client.language import Who, _, ngettext
from client.table.position import T, Table
from shared.board import BOARD
from shared.ids import NONE, Seat, Space

_NAMED: Final = 3
"""Number of provinces that a line names."""
_TOLD: Final = 12
"""Number of lines of the chronicle in a tooltip."""


class Deeds(Struct, frozen=True):
    """Line about a player. `tip`: the chronicle's lines about them; `version`: the one before the first of these."""

    seat: Seat
    words: str
    tip: str
    version: int


class _News(Struct, frozen=True):
    version: int
    seat: Seat
    line: str


class TurnSummary(Generic[T]):
    """Comparison of the position at the beginning of the player's turn with that at the end of their last one.

    `active`: returns the seat whose turn it is. `changed`: provinces that changed hands, lost or gained units.
    """

    def __init__(self, active: Callable[[T], Seat], who: Who) -> None:
        self._active = active
        self._who = who
        self.changed: frozenset[Space] = frozenset()
        self.deeds: tuple[Deeds, ...] = ()
        self._last: T | None = None
        """Position at the player's last decision in a turn of their own."""
        self._start: T | None = None
        """The same since another player's turn has begun."""
        self._news: list[_News] = []
        self._version = NONE
        """Version that the summary is about."""

    def hear(self, version: int, seat: Seat, line: str) -> None:
        """Note a line of the chronicle about a seat."""
        if line and seat >= 0:
            self._news.append(_News(version, seat, line))

    def forget(self) -> None:
        """Start anew, as the match has gone back."""
        self.close()
        self._last = self._start = None
        self._news.clear()

    def close(self) -> None:
        """Drop the summary, as the player has read it or acted."""
        self.changed, self.deeds = frozenset(), ()

    def follow(self, table: T, version: int, seat: Seat, mine: bool) -> None:
        """Follow the match to a position that has been shown; `mine`: whether the seat owes the decision."""
        if seat < 0:
            return
        active = self._active(table)
        if active == NONE and self._start is self._last is None:
            return  # Before the first turn pieces are dealt: players do not see that as a change.
        if active != seat:
            self.close()
            self._start = self._start if self._start is not None else self._last if self._last is not None else table
            return
        if self._start is None:
            if version != self._version:
                self.close()
                self._news.clear()
        elif mine:
            self._sum_up(self._start, table, seat)
            self._start, self._version = None, version
        self._last = table

    def _sum_up(self, before: T, table: T, seat: Seat) -> None:
        self.changed = changed(before, table)
        if not self.changed:
            return
        others = [other for other in range(table.seats) if other != seat]
        about = {other: [news for news in self._news if news.seat == other] for other in others}
        self.deeds = tuple(self._deeds(before, table, other, news) for other, news in about.items() if news)

    def _deeds(self, before: T, table: T, seat: Seat, news: list[_News]) -> Deeds:
        won = gains(before, table, seat)
        words = f"{self._who(seat)}: {' · '.join(won)}" if won else news[-1].line  # The line names the player itself.
        lines = [one.line for one in news]
        cut = ["…", *lines[-_TOLD:]] if len(lines) > _TOLD else lines
        return Deeds(seat, words, "\n".join(cut), news[0].version - 1)


def changed(before: Table, table: Table) -> frozenset[Space]:
    """Return the provinces that changed hands, lost or gained units between two positions."""
    differ = (
        space
        for space in range(BOARD.provinces)
        if before.owner[space] != table.owner[space] or sorted(_forces(before, space)) != sorted(_forces(table, space))
    )
    return frozenset(differ)


def _forces(table: Table, space: Space) -> list[tuple[int, ...]]:
    flat = table.units[space]
    return [flat[i : i + 4] for i in range(0, len(flat), 4)]


def gains(before: Table, table: Table, seat: Seat) -> list[str]:
    """Return in words what a seat has gained and lost between two positions."""
    spaces = range(BOARD.provinces)
    took = [space for space in spaces if table.owner[space] == seat != before.owner[space]]
    lost = [space for space in spaces if before.owner[space] == seat != table.owner[space]]
    more = _units(table, seat) - _units(before, seat)
    words = [_("takes {places}", places=_names(took))] if took else []
    words += [_("loses {places}", places=_names(lost))] if lost else []
    if more:
        words.append(ngettext("{n} unit more", "{n} units more", more) if more > 0 else
                     ngettext("{n} unit fewer", "{n} units fewer", -more))  # fmt: skip
    return words


def _names(spaces: list[Space]) -> str:
    names = [BOARD.names[space] for space in spaces[:_NAMED]]
    return ", ".join(names) + (f" (+{len(spaces) - _NAMED})" if len(spaces) > _NAMED else "")


def _units(table: Table, seat: Seat) -> int:
    """Return the number of a seat's units in all provinces."""
    return sum(
        sum(force[1:]) for space in range(BOARD.provinces) for force in _forces(table, space) if force[0] == seat
    )

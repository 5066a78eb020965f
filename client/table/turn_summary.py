"""Changes since the player's last turn: the provinces, and lines for what happened. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic

from msgspec import Struct

from client.language import Who, say_line
from client.table.event_text import event_line
from client.table.position import T, Table
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.sentences.registry import GameSentences
from shared.sentences.since_turn import actor, since_turn

_TOLD: Final = 12
"""Number of lines of the chronicle in a tooltip."""


class Deeds(Struct, frozen=True):
    """Line about what happened. `seat`: the other player who did it, NONE if none did. `tip`: the chronicle's lines
    about them; `version`: the one before it began."""

    seat: Seat
    words: str
    tip: str
    version: int


class TurnSummary(Generic[T]):
    """Comparison of the position at the beginning of the player's turn with that at the end of their last one.

    `game`: its sentences. `active`: returns the seat whose turn it is. `changed`: provinces that changed hands, lost or
    gained units.
    """

    def __init__(self, game: GameSentences, active: Callable[[T], Seat], who: Who) -> None:
        self._game = game
        self._active = active
        self._who = who
        self.changed: frozenset[Space] = frozenset()
        self.deeds: tuple[Deeds, ...] = ()
        self._last: T | None = None
        """Position at the player's last decision in a turn of their own."""
        self._start: T | None = None
        """The same since another player's turn has begun."""
        self._news: list[tuple[int, Event]] = []
        self._version = NONE
        """Version that the summary is about."""

    def hear(self, version: int, event: Event) -> None:
        """Note an event that has been shown."""
        self._news.append((version, event))

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
        told = since_turn(self._game, self._news, seat)
        self.deeds = tuple(
            Deeds(one.seat, say_line(one.words, self._who), self._tip(one.seat, seat), one.version - 1) for one in told
        )

    def _tip(self, about: Seat, seat: Seat) -> str:
        told = [
            event_line(event, self._who, self._game.tell, seat) for _v, event in self._news if actor(event) == about
        ]
        lines = [line for line in told if line]
        return "\n".join(["…", *lines[-_TOLD:]] if len(lines) > _TOLD else lines)


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

"""Sounds of the table: moves with their flights, battles with their steps, all else after the battle has been shown.
Missed or skipped events are silent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic

from client.network.model import Told
from client.network.table_events import TableEvent
from client.sound.sounds import Sound
from client.table.guide import Guide
from client.table.position import T
from shared.ids import Seat

_MOVING: Final = frozenset((Sound.MARCH, Sound.SAIL))
"""Sounds that start with the flights of pieces."""
_NEWS: Final = frozenset((Sound.CROWD,))
"""Sounds that are played even if the battle before them is skipped, because they tell the present state."""


class TableSounds(Generic[T]):
    """Queue of the table's sounds. `play`: plays a sound."""

    def __init__(self, guide: Guide[T], play: Callable[[Sound], object]) -> None:
        self._guide = guide
        self._play = play
        self._waiting: list[Sound] = []

    def of(self, told: Sequence[Told], before: T | None, seat: Seat) -> list[Sound | None]:
        """Return the sound of each event, or None; `before`: the position until then. Late events have none."""
        return [
            None if one.late or isinstance(one.event, TableEvent) else self._sound(one, before, seat) for one in told
        ]

    def _sound(self, told: Told, before: T | None, seat: Seat) -> Sound | None:
        if seat >= 0 and before is not None and self._guide.peril(told.event, before, seat):
            return Sound.ALARM
        return self._guide.sounds[type(told.event)]

    def hear(self, sounds: Iterable[Sound | None], *, busy: bool, flying: bool) -> None:
        """Play these sounds now, or after the battle that is shown (`busy`). Sounds of moves are played at once while
        pieces are `flying`."""
        for sound in sounds:
            if sound is None:
                continue
            if busy and not (flying and sound in _MOVING):
                self._waiting.append(sound)
            else:
                self._play(sound)

    def seen(self) -> None:
        """Play the waiting sounds, as everything before the present position has been shown."""
        waiting, self._waiting = self._waiting, []
        for sound in waiting:
            self._play(sound)

    def forget(self) -> None:
        """Drop the waiting sounds."""
        self._waiting.clear()

    def skip(self) -> None:
        """Drop the sounds of a skipped battle, except news."""
        self._waiting = [sound for sound in self._waiting if sound in _NEWS]

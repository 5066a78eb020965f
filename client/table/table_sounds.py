"""What is heard at the table: what moves with its flight, a battle with its beats, all else once the battle has been
seen. What one has missed, or skips, is silent."""

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
"""Heard with the flights of pieces."""
_NEWS: Final = frozenset((Sound.CROWD,))
"""Heard also where the battle before it is skipped: it tells how things are now."""


class TableSounds(Generic[T]):
    """See the module's docstring. `play`: lets a sound be heard."""

    def __init__(self, guide: Guide[T], play: Callable[[Sound], object]) -> None:
        self._guide = guide
        self._play = play
        self._waiting: list[Sound] = []

    def of(self, told: Sequence[Told], before: T | None, seat: Seat) -> list[Sound | None]:
        """The sound of each event, or None; `before`: the position until then. What comes late has none."""
        return [
            None if one.late or isinstance(one.event, TableEvent) else self._sound(one, before, seat) for one in told
        ]

    def _sound(self, told: Told, before: T | None, seat: Seat) -> Sound | None:
        if seat >= 0 and before is not None and self._guide.peril(told.event, before, seat):
            return Sound.ALARM
        return self._guide.sounds[type(told.event)]

    def hear(self, sounds: Iterable[Sound | None], *, busy: bool, flying: bool) -> None:
        """Let these be heard now or, while a battle is seen (`busy`), after it; of what is `flying` at once."""
        for sound in sounds:
            if sound is None:
                continue
            if busy and not (flying and sound in _MOVING):
                self._waiting.append(sound)
            else:
                self._play(sound)

    def seen(self) -> None:
        """Nothing is to be seen any more before the position stands as it is now."""
        waiting, self._waiting = self._waiting, []
        for sound in waiting:
            self._play(sound)

    def forget(self) -> None:
        """Nothing that waits is heard any more."""
        self._waiting.clear()

    def skip(self) -> None:
        """The rest of the battle is skipped."""
        self._waiting = [sound for sound in self._waiting if sound in _NEWS]

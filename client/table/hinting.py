"""Hints at a table: the plate that shows them, and the marks for what they mention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic

from client.player.hints import FirstGame
from client.table.hint_plate import HintPlate
from client.table.hints import Hint, Progress
from client.table.lesson import Lit
from client.table.position import T
from client.table.task import AnyTask
from shared.ids import Seat
from shared.kernel.frames import Event

NOTHING = Lit()


class Hinting(Generic[T]):
    """Hints at a table. `shown`: called after a hint came or went."""

    def __init__(self, hints: Sequence[Hint[T]], game: FirstGame, shown: Callable[[], object]) -> None:
        self._shown = shown
        self.progress = Progress(hints, game)
        self.plate = HintPlate(self._close, self._stop)

    @property
    def lit(self) -> Lit:
        """The things that the present hint points at."""
        return self.progress.hint.lit if self.progress.hint is not None else NOTHING

    def hear(self, events: Sequence[Event]) -> None:
        """Note these events."""
        self.progress.hear(events)

    def follow(self, table: T, seat: Seat, task: AnyTask, version: int, usable: Callable[[Lit], bool]) -> None:
        """Look for a hint at a decision of the player, see `Progress.follow`."""
        self.progress.follow(self.progress.glance(table, seat, task), version, usable)
        self._show()

    def put_away(self, version: int) -> None:
        """Close the hint if it came before that version, as the match has gone on."""
        if self.progress.version < version:
            self._close()

    def heed(self, key: str) -> None:
        """Close that hint, as the player did what it says."""
        if self.progress.hint is not None and self.progress.hint.key == key:
            self._close()

    def _close(self) -> None:
        self.progress.put_away()
        self._show()

    def _stop(self) -> None:
        self.progress.stop()
        self._show()

    def _show(self) -> None:
        self.plate.show(self.progress.hint.words if self.progress.hint is not None else "")
        self._shown()

"""Hints: shown to players in their first game, each once, at the moment that it fits. Knows no window."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic

from msgspec import Struct

from client.language import _
from client.player.hints import FirstGame
from client.table.position import T
from shared.kernel.frames import Event
from shared.lessons.lesson import Glance, Lit, Sees


class Hint(Struct, Generic[T], frozen=True):
    """A hint.

    `key`: under which it is remembered as shown. `fits`: whether it fits a moment. `lit`: the things that it points at;
    if that is a button, the hint waits until it can be clicked.
    """

    key: str
    fits: Sees[T]
    words: str
    lit: Lit = Lit()


ADVICE: Final[Hint[Any]] = Hint(
    "advice",
    lambda _glance: True,
    _(
        "Not sure what to do? Advice tells what the strongest bot would do in your place, and why; you need not follow "
        "it. Odds, beside it, counts any battle that you can think of."
    ),
    Lit(buttons=("Advice",)),
)
ODDS: Final[Hint[Any]] = Hint(
    "odds",
    lambda glance: glance.task.threat() is not None,
    _(
        "The tablet over the board has counted this battle to its end: how often you would win it, and what either "
        "side would have left. Better than two in three is a good day to attack."
    ),
)


class Progress(Generic[T]):
    """Progress through the hints of a first game."""

    def __init__(self, hints: Sequence[Hint[T]], game: FirstGame) -> None:
        self._hints = hints
        self._game = game
        self._past: list[Event] = []
        self.version = -1
        """Version at which a hint was looked for last."""
        self._passed: frozenset[str] = frozenset()
        """Keys of hints that were due at this version already: one hint per version is enough."""
        self.hint: Hint[T] | None = None

    def hear(self, events: Sequence[Event]) -> None:
        """Note these events, which have been shown."""
        self._past += events

    def follow(self, glance: Glance[T], version: int, usable: Callable[[Lit], bool]) -> None:
        """Show a hint at a decision of the player, if one is due. An open hint is replaced at a later version only."""
        if not self._game.on:
            return
        if version != self.version:
            self.version, self._passed = version, frozenset()
        elif self.hint is not None:
            return
        untold = (hint for hint in self._hints if not self._game.told(hint.key))
        due = [hint for hint in untold if usable(hint.lit) and hint.fits(glance)]
        fresh = [hint for hint in due if hint.key not in self._passed]
        # Also those not shown now: once a hint was due and another came first, its moment has passed.
        self._passed |= {hint.key for hint in due}
        if fresh:
            self.hint = fresh[0]
            self._game.tell(self.hint.key)

    def glance(self, table: T, seat: int, task: Any) -> Glance[T]:
        """Return a glance at the present position."""
        return Glance(table, seat, task, self._past)

    def put_away(self) -> None:
        """Close the present hint after reading."""
        self.hint = None

    def stop(self) -> None:
        """Turn hints off."""
        self.hint = None
        self._game.stop()

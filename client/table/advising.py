"""Advice at the table: asked for by a button or a key, shown on a plate and on the board, done through the desk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic

from client.language import _
from client.network.advice_request import Advised, named
from client.table.advice_plate import AdvicePlate
from client.table.desk import Desk
from client.table.match import TableMatch
from client.table.position import T
from shared.ids import Position
from shared.kernel.frames import Action

_THINKING: Final = (_("Thinking about your place …"),)
_CLOSE: Final = "\N{NO-BREAK SPACE}"


class Advice(Generic[T]):
    """See the module's docstring. `stops`: where an action takes place; `changed`: what is shown is different."""

    def __init__(
        self, match: TableMatch[T], desk: Desk[T], stops: Callable[[T, Action], Sequence[Position]],
        changed: Callable[[], object],
    ) -> None:  # fmt: skip
        self._match = match
        self._desk = desk
        self._stops = stops
        self._changed = changed
        self._shown: Advised | None = None
        self.hidden = False
        """Whether a battle is being shown, of which it would give the end away."""
        self.plate = AdvicePlate(self.do, self.put_away)

    @property
    def stops(self) -> Sequence[Position]:
        """What is to be marked on the board, a way from its first to its last position."""
        return self._stops(self._desk.table, self._shown.action) if self._shown is not None else ()

    def ask(self) -> bool:
        """Ask, or say why not; what is shown already is put away."""
        if self.put_away():
            return True
        reason = self._match.no_advice()
        if reason:
            self._desk.toast(reason, "bad")
        else:
            self._match.ask_advice()
        self.follow()
        return True

    def do(self) -> bool:
        """Do what is advised; False where nothing is."""
        advised = self._shown
        return advised is not None and self._desk.act(advised.action)

    def put_away(self) -> bool:
        """The advice was read; False where none is shown."""
        if self._shown is None:
            return False
        self._match.forget_advice()
        self.follow()
        return True

    def follow(self) -> None:
        """Show what is known now."""
        match = self._match
        advised = None if self.hidden else match.advised
        thinking = match.thinking and not self.hidden
        before, self._shown = self._shown, advised
        said = [] if advised is None else [advised.words, *advised.why]
        self.plate.show(_THINKING if thinking else [self._named(line) for line in said if line], max(0, match.seat),
                        thinking)  # fmt: skip
        if before != advised:
            self._changed()

    def _named(self, words: str) -> str:
        """With the names of the players instead of their seats, and numbers that stay in one line."""
        return (
            named(words, self._desk.who)
            .replace(" %", f"{_CLOSE}%")
            .replace("> ", f">{_CLOSE}")
            .replace("< ", f"<{_CLOSE}")
        )

"""Advice at the table: asked for by a button or a key, shown on a plate and on the board, followed through the desk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic

from client.language import _, heard
from client.network.advice_request import Advised
from client.table.advice_plate import AdvicePlate
from client.table.desk import Desk
from client.table.match import TableMatch
from client.table.position import T
from shared.ids import Position
from shared.kernel.frames import Action

_THINKING: Final = (_("Thinking about your place …"),)
_CLOSE: Final = "\N{NO-BREAK SPACE}"


class Advice(Generic[T]):
    """Advice of a bot at the table. `stops`: the positions of an action; `changed`: called when something else is
    shown."""

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
        """Whether advice is hidden because a battle is being shown, whose outcome it would give away."""
        self.plate = AdvicePlate(self.do, self.put_away)

    @property
    def stops(self) -> Sequence[Position]:
        """Positions to mark on the board: a way from the first to the last."""
        return self._stops(self._desk.table, self._shown.action) if self._shown is not None else ()

    def ask(self) -> bool:
        """Ask for advice, or say why that is impossible. If advice is shown already, put it away."""
        if self.put_away():
            return True
        reason = self._match.no_advice()
        if reason:
            self._desk.toast(heard(reason), "bad")
        else:
            self._match.ask_advice()
        self.follow()
        return True

    def do(self) -> bool:
        """Do the advised action; return False if no advice is shown."""
        advised = self._shown
        return advised is not None and self._desk.act(advised.action)

    def put_away(self) -> bool:
        """Put the advice away after reading; return False if none is shown."""
        if self._shown is None:
            return False
        self._match.forget_advice()
        self.follow()
        return True

    def follow(self) -> None:
        """Show the present state of the advice."""
        match = self._match
        advised = None if self.hidden else match.advised
        thinking = match.thinking and not self.hidden
        before, self._shown = self._shown, advised
        said = [] if advised is None else advised.lines(self._desk.who)
        self.plate.show(_THINKING if thinking else [_closed(line) for line in said], max(0, match.seat), thinking)
        if before != advised:
            self._changed()


def _closed(words: str) -> str:
    """Keep numbers in one line."""
    return words.replace(" %", f"{_CLOSE}%").replace("> ", f">{_CLOSE}").replace("< ", f"<{_CLOSE}")

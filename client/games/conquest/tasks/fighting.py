"""Combat in every game: which battle, on or back, and what becomes of captives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from client.games.conquest.orders import Tally
from client.games.conquest.position import leader_colour
from client.table.ground import Tint
from client.table.match import Desk
from client.table.task import FIGHT, GO, HERE, Hit, Task, chosen_kind, count_words
from client.table.tray import Choice
from shared.board import BOARD
from shared.ids import NONE, Leader, Seat, Space
from shared.kernel.frames import Action
from shared.vocabulary.actions import Fight, Judge, Stand

if TYPE_CHECKING:
    from client.table.tray import Tray

Extra: TypeAlias = Callable[[Any, Any], list[tuple[Space, Seat]]]
"""Battles that may be fought, or not, once those are over that must."""


def _no_extra(_table: Any, _frame: Any) -> list[tuple[Space, Seat]]:
    return []


class ChoosingBattle(Task):
    """Which battle comes next. `end`: what ends the phase while none must be fought."""

    end_words = "No battle at sea"

    def __init__(self, desk: Desk, frame: Any, extra: Extra = _no_extra, end: Action | None = None) -> None:
        super().__init__(desk)
        self._frame = frame
        self._extra = extra
        self._end = end
        self._at = 0

    def _battles(self) -> list[tuple[Space, Seat]]:
        pending = self._frame.pending
        must = list(zip(pending[::2], pending[1::2], strict=True))
        return must + self._extra(self.desk.table, self._frame)

    def renew(self) -> None:
        frame = self.desk.table.frames[-1]
        if type(frame) is type(self._frame):
            self._frame = frame

    def line(self) -> str:
        if self._frame.pending:
            count = len(self._frame.pending) // 2
            return f"{count_words(count, 'battle', 'battles')} to fight. Choose the next one."
        return "You may attack galleys in the same waters."

    def build(self, tray: Tray) -> None:
        for i, (space, enemy) in enumerate(self._battles()):
            kind = chosen_kind(i == self._at)
            words = f"{BOARD.names[space]}: {self.desk.who(enemy)}"
            tray.option(Choice(words, partial(self._fight, i), kind, "Fight this battle next"), 250)

    def buttons(self) -> Sequence[Choice]:
        found = [Choice("Fight!", self.confirm, "primary", "Enter")]
        if self.ending() is not None:
            found.append(self.end_choice())
        return found

    def lit(self) -> Mapping[Space, Tint]:
        battles = self._battles()
        lit = {space: FIGHT for space, _ in battles}
        if battles:
            lit[battles[self._at % len(battles)][0]] = HERE
        return lit

    def click(self, hit: Hit) -> bool:
        for i, (space, enemy) in enumerate(self._battles()):
            if space == hit.space and (hit.pick is None or hit.pick.seat in (enemy, self.desk.seat)):
                if i == self._at:
                    return self._fight(i)
                self._at = i
                self.desk.changed()
                return True
        return False

    def _fight(self, index: int) -> bool:
        return self.desk.act(Fight(*self._battles()[index]))

    def confirm(self) -> bool:
        battles = self._battles()
        return bool(battles) and self._fight(self._at % len(battles))

    def next(self) -> bool:
        self._at = (self._at + 1) % max(1, len(self._battles()))
        self.desk.look_at([self._battles()[self._at][0]])
        self.desk.changed()
        return True

    def ending(self) -> Action | None:
        return None if self._frame.pending else self._end


class Leaving(Task):
    """Fight on (`on`), or leave for a province. `fate`: what becomes of those who have no way out. `tip`: what to know
    of a way out."""

    def __init__(
        self, desk: Desk, space: Space, targets: Sequence[Space], leave: Callable[[Space], Action], *,
        on: bool, fate: str, tip: str,
    ) -> None:  # fmt: skip
        super().__init__(desk)
        self._space = space
        self._targets = targets
        self._leave = leave
        self._on = on
        self._fate = fate
        self._tip = tip
        self._to = NONE
        self._doomed = False

    def line(self) -> str:
        if not self._targets:
            return f"Surrounded! There is no way out: in a retreat {self._fate}."
        if self._to != NONE:
            return f"Retreat to {BOARD.names[self._to]}?"
        return "Another round, or a retreat?" if self._on else "Where do your leaders go?"

    def build(self, tray: Tray) -> None:
        for to in self._targets:
            kind = chosen_kind(to == self._to)
            tray.option(Choice(f"To {BOARD.names[to]}", partial(self._aim, to), kind, self._tip), 200)
        if not self._targets:
            words = "Really give up?" if self._doomed else "Give up the legion"
            tray.option(Choice(words, self._give_up, "danger", "Nothing would come back."), 220)

    def buttons(self) -> Sequence[Choice]:
        found: list[Choice] = []
        if self._to != NONE:
            found.append(Choice(f"Retreat to {BOARD.names[self._to]}", self.confirm, "danger", "Enter"))
            found.append(Choice("Back", self.undo, "quiet", "Esc"))
        elif self._on:
            found.append(Choice("Fight on", self.confirm, "primary", "Enter"))
        return found

    def lit(self) -> Mapping[Space, Tint]:
        return {**dict.fromkeys(self._targets, GO), self._space: HERE}

    def click(self, hit: Hit) -> bool:
        if hit.space not in self._targets:
            return False
        if hit.space == self._to:
            return self.confirm()
        self._aim(hit.space)
        return True

    def _aim(self, to: Space) -> None:
        self._to = to
        self.desk.changed()

    def _give_up(self) -> None:
        if self._doomed:
            self.desk.act(self._leave(NONE))
        self._doomed = True
        self.desk.changed()

    def confirm(self) -> bool:
        if self._to != NONE:
            return self.desk.act(self._leave(self._to))
        return self._on and self.desk.act(Stand())

    def undo(self) -> bool:
        picked = self._to != NONE or self._doomed
        self._to, self._doomed = NONE, False
        self.desk.changed()
        return picked


class Judging(Task):
    """Captured generals: held for ransom, or killed."""

    def __init__(self, desk: Desk, leaders: tuple[Leader, ...]) -> None:
        super().__init__(desk)
        self.tally = Tally(leaders)

    def line(self) -> str:
        dead = len(self.tally.chosen)
        if not dead:
            return "All captives are held for ransom. Click those who shall die."
        return f"{count_words(dead, 'general dies', 'generals die')}; the others are held for ransom."

    def build(self, tray: Tray) -> None:
        width = tray.room_for(len(self.tally.pieces), 92)
        for leader in self.tally.pieces:
            dies = leader in self.tally.chosen
            colour = leader_colour(self.desk.table, leader)
            tray.figure(
                f"general_{colour}",
                "dies" if dies else "held",
                dies,
                partial(self._toggle, leader),
                tip=f"A general of {self.desk.who(colour)}",
                width=width,
            )

    def buttons(self) -> Sequence[Choice]:
        words = "Hold them all" if not self.tally.chosen else "So be it"
        return (Choice(words, self.confirm, "danger" if self.tally.chosen else "primary", "Enter"),)

    def _toggle(self, leader: int) -> None:
        self.tally.toggle(leader)
        self.desk.changed()

    def confirm(self) -> bool:
        return self.desk.act(Judge(self.tally.chosen))

    def undo(self) -> bool:
        chosen = bool(self.tally.chosen)
        self.tally.chosen = ()
        self.desk.changed()
        return chosen

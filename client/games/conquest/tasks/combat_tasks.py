"""Combat tasks of both conquest games: choice of the next battle, and the fate of captives."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from client.drawing import theme
from client.drawing.widgets import Button
from client.games.conquest.position_queries import T, leader_colour
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.form_task import Cell, FormTask, Look
from client.table.ground import Tint
from client.table.task import FIGHT, HERE, Hit, Task, chosen_kind
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel.frames import Action
from shared.odds.attack import Threat
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary.actions import Fight, Judge

_LEAST_WIDTH: Final = 250.0
"""Least design width of a battle in the list; larger letters need more."""


class Combat(Protocol):
    """Frame of a combat phase, in either game."""

    @property
    def pending(self) -> tuple[int, ...]:
        """Battles that must be fought, as flat (space, enemy) pairs."""


C = TypeVar("C", bound=Combat)


def no_extra(_table: TableFields, _frame: Combat) -> list[tuple[Space, Seat]]:
    """Return no optional battles, for a game without them."""
    return []


class ChoosingBattle(Task[T], Generic[T, C]):
    """Choice of the next battle.

    `extra`: optional battles, once all required ones are over. `end`: the action that ends the phase while no battle is
    required.
    """

    end_words = _("No battle at sea")

    def __init__(
        self, desk: Desk[T], frame: C, extra: Callable[[T, C], list[tuple[Space, Seat]]], end: Action | None
    ) -> None:
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
        if isinstance(frame, type(self._frame)):
            self._frame = frame

    def line(self) -> str:
        if self._frame.pending:
            count = len(self._frame.pending) // 2
            return _("{count} to fight. Choose the next one.", count=ngettext("{n} battle", "{n} battles", count))
        return _("You may attack galleys in the same waters.")

    def build(self, action_bar: ActionBar) -> None:
        names = [f"{BOARD.names[space]}: {self.desk.who(enemy)}" for space, enemy in self._battles()]
        needed = max([Button.width(words, _LEAST_WIDTH) / theme.px(1) for words in names], default=_LEAST_WIDTH)
        width = max(_LEAST_WIDTH, action_bar.room_for((len(names) + 1) // 2, needed))
        for i, words in enumerate(names):
            kind = chosen_kind(i == self._at)
            action_bar.option(BarButton(words, partial(self._fight, i), kind, _("Fight this battle next")), width)

    def buttons(self) -> Sequence[BarButton]:
        found = [BarButton(_("Fight!"), self.confirm, "primary", told(Command.CONFIRM))]
        if self.ending() is not None:
            found.append(self.end_choice())
        return found

    def threat(self) -> Threat | None:
        battles = self._battles()
        if not battles:
            return None
        space, enemy = battles[self._at % len(battles)]
        return Threat(enemy, space)

    def lit(self) -> Mapping[Space, Tint]:
        battles = self._battles()
        lit = {space: FIGHT for space, _ in battles}
        if battles:
            lit[battles[self._at % len(battles)][0]] = HERE
        return lit

    def click(self, hit: Hit) -> bool:
        for i, (space, enemy) in enumerate(self._battles()):
            # Several enemies may stand in one province: a click on a piece means the battle with its owner.
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


class Judging(FormTask[TableFields, Judge]):
    """Verdict on captured generals: held for ransom, or killed."""

    width = 92.0

    def __init__(self, desk: Desk[TableFields]) -> None:
        super().__init__(desk, Judge)

    def line(self) -> str:
        dead = len(self.draft.kill)
        if not dead:
            return _("All captives are held for ransom. Click those who are to die.")
        return _(
            "{count}; the others are held for ransom.", count=ngettext("{n} general dies", "{n} generals die", dead)
        )

    def look(self, cell: Cell) -> Look:
        colour = leader_colour(self.desk.table, cell.options[0])
        caption = _("dies") if self.count(cell) else _("held")
        return Look(f"general_{colour}", caption, _("A general of {who}", who=self.desk.who(colour)))

    def buttons(self) -> Sequence[BarButton]:
        words = _("Hold them all") if not self.draft.kill else _("So be it")
        return (BarButton(words, self.confirm, "danger" if self.draft.kill else "primary", told(Command.CONFIRM)),)

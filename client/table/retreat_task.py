"""Task that every game has: to fight another round, or to leave the battle."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.ground import Tint
from client.table.position import SeatPosition
from client.table.task import GO, HERE, Hit, Task, chosen_kind
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import Action
from shared.vocabulary.actions import Stand


class Leaving(Task[SeatPosition]):
    """Choice to fight on (`on`), or to leave for a province. `fate`: the end of units without a way out. `tip`: advice
    about a way out."""

    def __init__(
        self, desk: Desk[SeatPosition], space: Space, targets: Sequence[Space], leave: Callable[[Space], Action], *,
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
            return _("Surrounded! There is no way out: in a retreat {fate}.", fate=self._fate)
        if self._to != NONE:
            return _("Retreat to {to}?", to=BOARD.names[self._to])
        return _("Another round, or a retreat?") if self._on else _("Where do your leaders go?")

    def build(self, action_bar: ActionBar) -> None:
        for to in self._targets:
            kind = chosen_kind(to == self._to)
            action_bar.option(BarButton(_("To {to}", to=BOARD.names[to]), partial(self._aim, to), kind, self._tip), 200)
        if not self._targets:
            words = _("Really give up?") if self._doomed else _("Give up the legion")
            action_bar.option(BarButton(words, self._give_up, "danger", _("Nothing would come back.")), 220)

    def buttons(self) -> Sequence[BarButton]:
        found: list[BarButton] = []
        if self._to != NONE:
            found.append(
                BarButton(_("Retreat to {to}", to=BOARD.names[self._to]), self.confirm, "danger", told(Command.CONFIRM))
            )
            found.append(BarButton(_("Back"), self.undo, "quiet", told(Command.BACK)))
        elif self._on:
            found.append(BarButton(_("Fight on"), self.confirm, "primary", told(Command.CONFIRM)))
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
        if self._doomed or not self.desk.play_settings.dooming:
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

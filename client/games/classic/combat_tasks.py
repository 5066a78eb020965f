"""Combat tasks of Classic (battle legions, losses, sinking galleys), and the choice of the task for each frame."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from client.games.classic.rules_adapter import RULES_ADAPTER
from client.games.conquest.tasks import task_choice
from client.games.conquest.tasks.building_tasks import Placing
from client.games.conquest.tasks.combat_tasks import ChoosingBattle
from client.language import _, ngettext
from client.table.action_bar import ActionBar
from client.table.desk import Desk
from client.table.form_task import Cell, FormTask, Look, Steps
from client.table.ground import Tint
from client.table.pieces import ARMS
from client.table.retreat_task import Leaving
from client.table.task import HERE, AnyTask
from client.table.words import army_words, leaders_words
from shared.ids import Space
from shared.kernel.frames import Frame
from shared.mechanics.armies import army_of, total
from shared.mechanics.pieces import ABOARD
from shared.rulesets.classic import frames as f
from shared.rulesets.classic.actions import EndCombat, Form, Lose, Sink, Withdraw
from shared.rulesets.classic.combat_phase import naval_targets
from shared.rulesets.classic.frames import Casualties, Formation, Sinking
from shared.rulesets.classic.retreat import retreat_targets
from shared.rulesets.classic.sea import load
from shared.rulesets.classic.table import LEADERS, TableFields
from shared.rulesets.conquest.pieces import leaders_at
from shared.vocabulary.actions import Retreat
from shared.vocabulary.frames import Onward

_APART: Final = 16
"""Most units of an army that stand side by side."""
_PURSUED: Final = _("All survivors go there; the enemy's horsemen pursue.")


def task(desk: Desk[TableFields], frame: Frame) -> AnyTask | None:
    """Return the task for a frame that this seat owes."""
    table = desk.table
    match frame:
        case f.Combat():
            return ChoosingBattle(desk, frame, naval_targets, EndCombat())
        case f.Formation() | f.Casualties():
            return Sharing(desk, frame)
        case Onward(seat=seat, space=space):
            fate = _("all units are lost and the leaders captured")
            ways = retreat_targets(table, seat, space)
            return Leaving(desk, space, ways, Retreat, on=True, fate=fate, tip=_PURSUED)
        case f.Withdrawal(seat=seat, space=space):
            ways = retreat_targets(table, seat, space)
            return Leaving(desk, space, ways, Withdraw, on=False, fate=_("they are captured"), tip=_PURSUED)
        case f.Sinking():
            return Scuttling(desk, frame)
        case f.Placement():
            return Placing(desk, RULES_ADAPTER.market)
        case _:
            return task_choice.task(desk, frame, RULES_ADAPTER)


class Sharing(FormTask[TableFields, Form | Lose]):
    """Choice of an exact number of units out of an army, for a battle legion or for losses."""

    def __init__(self, desk: Desk[TableFields], frame: Formation | Casualties) -> None:
        formation = isinstance(frame, Formation)
        super().__init__(desk, Form if formation else Lose)
        self._frame = frame
        self.verb = _("To battle") if formation else _("Confirm losses")
        if isinstance(frame, Formation):
            self.whole, self._army = frame.size, army_of(desk.table.units[frame.space], frame.seat)
        else:
            self.whole, self._army = frame.hits, frame.legion

    def line(self) -> str:
        frame, text = self._frame, army_words((self.draft.infantry, self.draft.cavalry, self.draft.catapults))
        more = _(" Choose {missing} more.", missing=self.missing) if self.missing else ""
        if isinstance(frame, Formation):
            return _("Battle legion: {text}.{more}", text=text, more=more)
        if frame.owner != frame.seat:
            return _("Caught: {text} of {who}.{more}", text=text, who=self.desk.who(frame.owner), more=more)
        return _("Your losses: {text}.{more}", text=text, more=more)

    def look(self, cell: Cell) -> Look | None:
        arm = self.cells.index(cell)
        return Look(self._picture(arm), _("of {whole}", whole=self._army[arm])) if self._army[arm] else None

    def _picture(self, arm: int) -> str:
        frame = self._frame
        return f"{ARMS[arm]}_{frame.owner if isinstance(frame, Casualties) else frame.seat}"

    def build(self, action_bar: ActionBar) -> None:
        """Add each unit of a small army by itself."""
        if total(self._army) > _APART:
            super().build(action_bar)
            return
        width = action_bar.room_for(total(self._army), 58)
        caption = _("fights") if isinstance(self._frame, Formation) else _("falls")
        for arm, cell in enumerate(self.cells):
            for place in range(self._army[arm]):
                on = place < self.count(cell)
                step = partial(self.change, cell, -1 if on else 1)
                action_bar.figure(self._picture(arm), caption if on else "", on, step, width=width)

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.space: HERE}


class Scuttling(FormTask[TableFields, Sink]):
    """Choice of the galleys that sink."""

    verb = _("So be it")
    width = 92.0

    def __init__(self, desk: Desk[TableFields], frame: Sinking) -> None:
        super().__init__(desk, Sink)
        self._frame = frame
        self.whole = frame.hits
        # Those with the least aboard first: they are suggested.
        self.cells = sorted(self.cells, key=lambda cell: load(desk.table, cell.options[0]))
        self.steps = Steps(Sink(tuple([cell.options[0] for cell in self.cells[: frame.hits]])))

    def line(self) -> str:
        sink = ngettext("{n} galley sinks", "{n} galleys sink", self._frame.hits)
        return sink + (_(": choose {missing} more.", missing=self.missing) if self.missing else _(", with all aboard."))

    def look(self, cell: Cell) -> Look:
        [galley], table, seat = cell.options, self.desk.table, self._frame.seat
        cargo = ngettext("{n} unit", "{n} units", sum(table.cargo[galley])) if table.cargo[galley] else _("empty")
        aboard = leaders_words(leaders_at(table, seat, ABOARD + galley), LEADERS)
        return Look(
            f"galley_{seat}",
            _("sinks") if self.count(cell) else cargo,
            _("Aboard: {tip}, {load}", tip=aboard, load=cargo),
        )

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.zone: HERE}

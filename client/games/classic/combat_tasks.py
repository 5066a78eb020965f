"""Combat tasks of Classic (battle legions, losses, sinking galleys), and the choice of the task for each frame."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from client.games.classic.rules_adapter import RULES_ADAPTER
from client.games.conquest.tasks import task_choice
from client.games.conquest.tasks.building_tasks import Placing
from client.games.conquest.tasks.combat_tasks import ChoosingBattle, PieceChoice
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, ngettext
from client.table.action_bar import ActionBar, BarButton
from client.table.desk import Desk
from client.table.ground import Tint
from client.table.pieces import ARMS
from client.table.retreat_task import Leaving
from client.table.share import Share
from client.table.task import HERE, AnyTask, Task
from client.table.words import army_words, leaders_words
from shared.ids import Space
from shared.kernel.frames import Frame
from shared.mechanics.armies import total
from shared.mechanics.cells import army_of
from shared.mechanics.places import ABOARD
from shared.rulesets.classic import frames as f
from shared.rulesets.classic.actions import EndCombat, Form, Lose, Sink, Withdraw
from shared.rulesets.classic.combat_phase import naval_targets
from shared.rulesets.classic.frames import Casualties, Formation, Sinking
from shared.rulesets.classic.retreat import retreat_targets
from shared.rulesets.classic.state import LEADERS
from shared.rulesets.classic.table import TableFields
from shared.rulesets.conquest.pieces import galleys_at, leaders_at
from shared.vocabulary.actions import Retreat
from shared.vocabulary.frames import Onward

_FORM_ORDER: Final = (0, 1, 2)
_LOSS_ORDER: Final = (0, 1, 2)
_PREY_ORDER: Final = (2, 1, 0)
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


class Sharing(Task[TableFields]):
    """Choice of an exact number of units out of an army, for a battle legion or for losses."""

    def __init__(self, desk: Desk[TableFields], frame: Formation | Casualties) -> None:
        super().__init__(desk)
        self._frame = frame
        if isinstance(frame, Formation):
            self.share = Share(army_of(desk.table.units[frame.space], frame.seat), frame.size)
            self.share.suggest(_FORM_ORDER)
        else:
            self.share = Share(frame.legion, frame.hits)
            self.share.suggest(_LOSS_ORDER if frame.owner == frame.seat else _PREY_ORDER)

    def line(self) -> str:
        share, frame = self.share, self._frame
        more = _(" Choose {missing} more.", missing=share.missing) if share.missing else ""
        if isinstance(frame, Formation):
            return _("Battle legion: {text}.{more}", text=army_words(share.chosen), more=more)
        if frame.owner != frame.seat:
            return _(
                "Caught: {text} of {who}.{more}",
                text=army_words(share.chosen),
                who=self.desk.who(frame.owner),
                more=more,
            )
        return _("Your losses: {text}.{more}", text=army_words(share.chosen), more=more)

    def build(self, action_bar: ActionBar) -> None:
        share = self.share
        seat = self._frame.owner if isinstance(self._frame, Casualties) else self._frame.seat
        if total(share.whole) > 16:
            for arm in range(3):
                if share.whole[arm]:
                    action_bar.stepper(
                        f"{ARMS[arm]}_{seat}",
                        share.chosen[arm],
                        _("of {whole}", whole=share.whole[arm]),
                        partial(self._step, arm),
                        more=share.chosen[arm] < share.whole[arm],
                    )
            return
        width = action_bar.room_for(total(share.whole), 58)
        caption = _("fights") if isinstance(self._frame, Formation) else _("falls")
        for arm in range(3):
            for i in range(share.whole[arm]):
                on = i < share.chosen[arm]
                action_bar.figure(
                    f"{ARMS[arm]}_{seat}",
                    caption if on else "",
                    on,
                    partial(self._step, arm, -1 if on else 1),
                    width=width,
                )

    def buttons(self) -> Sequence[BarButton]:
        words = _("To battle") if isinstance(self._frame, Formation) else _("Confirm losses")
        return (BarButton(words, self.confirm, "primary", told(Command.CONFIRM), self.share.complete),)

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.space: HERE}

    def _step(self, arm: int, by: int) -> None:
        if by > 0:
            self.share.add(arm)
        else:
            self.share.remove(arm)
        self.desk.changed()

    def confirm(self) -> bool:
        if not self.share.complete:
            return False
        counts = self.share.chosen
        return self.desk.act(Form(*counts) if isinstance(self._frame, Formation) else Lose(*counts))

    def undo(self) -> bool:
        suggested = Share(self.share.whole, self.share.size)
        suggested.suggest(_FORM_ORDER)
        changed = self.share.chosen != suggested.chosen
        self.share = suggested
        self.desk.changed()
        return changed


class Scuttling(Task[TableFields]):
    """Choice of the galleys that sink."""

    def __init__(self, desk: Desk[TableFields], frame: Sinking) -> None:
        super().__init__(desk)
        self._frame = frame
        fleet = galleys_at(desk.table, frame.seat, frame.zone)
        self.tally = PieceChoice(tuple(sorted(fleet, key=self._worth)))
        self.tally.chosen = self.tally.pieces[: frame.hits]

    def _worth(self, galley: int) -> tuple[bool, int]:
        return ABOARD + galley in self.desk.table.leader_at, sum(self.desk.table.cargo[galley])

    def line(self) -> str:
        missing = self._frame.hits - len(self.tally.chosen)
        sink = ngettext("{n} galley sinks", "{n} galleys sink", self._frame.hits)
        return sink + (_(": choose {missing} more.", missing=missing) if missing else _(", with all aboard."))

    def build(self, action_bar: ActionBar) -> None:
        table, seat = self.desk.table, self._frame.seat
        width = action_bar.room_for(len(self.tally.pieces), 92)
        for galley in self.tally.pieces:
            aboard = leaders_at(table, seat, ABOARD + galley)
            load = ngettext("{n} unit", "{n} units", sum(table.cargo[galley])) if table.cargo[galley] else _("empty")
            tip = leaders_words(aboard, LEADERS)
            action_bar.figure(
                f"galley_{seat}",
                _("sinks") if galley in self.tally.chosen else load,
                galley in self.tally.chosen,
                partial(self._toggle, galley),
                width=width,
                tip=_("Aboard: {tip}, {load}", tip=tip, load=load),
            )

    def buttons(self) -> Sequence[BarButton]:
        return (
            BarButton(
                _("So be it"),
                self.confirm,
                "primary",
                told(Command.CONFIRM),
                len(self.tally.chosen) == self._frame.hits,
            ),
        )

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.zone: HERE}

    def _toggle(self, galley: int) -> None:
        self.tally.toggle(galley, self._frame.hits)
        self.desk.changed()

    def confirm(self) -> bool:
        return len(self.tally.chosen) == self._frame.hits and self.desk.act(Sink(self.tally.chosen))

"""Combat in 1984: one shot at a time; and which task belongs to which frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from client.games.conquest.tasks.building import Placing
from client.games.conquest.tasks.fighting import ChoosingBattle, Judging, Leaving
from client.games.mb1984.battle import Fight, read
from client.games.mb1984.drama import KINDS
from client.games.mb1984.words import TARGETS
from client.table.ground import Tint
from client.table.match import Desk
from client.table.task import HERE, Task
from client.table.theatre import Target
from client.table.tray import Choice
from shared.ids import GALLEY, NONE, Space
from shared.kernel.frames import Frame
from shared.mechanics.aimed import NO_ROLL
from shared.rulesets.mb1984 import frames as f
from shared.rulesets.mb1984.actions import Aim, Retreat
from shared.rulesets.mb1984.battle import retreats
from shared.rulesets.mb1984.frames import Aiming, Battle
from shared.rulesets.mb1984.shots import PRIZE, choices

if TYPE_CHECKING:
    from client.table.tray import Tray

_WAY: Final = "All survivors and leaders go there. Galleys left on this coast are lost."


def task(desk: Desk, frame: Frame) -> Task | None:
    """The task for a frame that not every game has in the same words."""
    match frame:
        case f.Combat():
            return ChoosingBattle(desk, frame)
        case f.Aiming():
            return Shooting(desk, frame)
        case f.Onward(space=space):
            return Leaving(desk, space, _ways(desk), Retreat, on=True, fate="nothing is saved", tip=_WAY)
        case f.Captives(leaders=leaders):
            return Judging(desk, leaders)
        case f.Placement():
            return Placing(desk, frame)
        case _:
            return None


def _ways(desk: Desk) -> list[Space]:
    table: Any = desk.table
    battle = next((frame for frame in reversed(table.frames) if isinstance(frame, Battle)), None)
    return retreats(table, battle) if battle is not None else []


class Shooting(Task):
    """A target to be declared."""

    def __init__(self, desk: Desk, frame: Aiming) -> None:
        super().__init__(desk)
        self._frame = frame
        table: Any = desk.table
        self._targets = choices(table, frame.enemy, frame.space)
        best = max(self._targets, key=lambda target: (7 - self._fight.needed(target[0])) * PRIZE[target[0]])
        self.target: Target = best

    @property
    def _fight(self) -> Fight:
        table: Any = self.desk.table
        fight = read(table)
        assert fight is not None
        return fight

    def line(self) -> str:
        kind, galley = self.target
        where = f" on galley {self._number(galley)}" if galley != NONE and kind != GALLEY else ""
        return f"Fire at {TARGETS[kind]}{where}: {self._chance(kind)}."

    def _chance(self, kind: int) -> str:
        fight = self._fight
        number = fight.needed(kind)
        ahead = fight.ahead(fight.shooter)
        why = f" ({fight.basic(kind)} less your advantage of {ahead})" if ahead else ""
        if number == NO_ROLL:
            return f"no roll is needed{why}"
        return f"you need {'a 6' if number == 6 else f'{number} or more'}{why}"

    def _number(self, galley: int) -> int:
        fleet = self._fight.other(self._fight.shooter).galleys
        return fleet.index(galley) + 1 if galley in fleet else 0

    def build(self, tray: Tray) -> None:
        width = tray.room_for(len(self._targets), 112)
        for target in self._targets:
            kind, galley = target
            number = self._fight.needed(kind)
            words = "no roll" if number == NO_ROLL else "needs 6" if number == 6 else f"needs {number}+"
            where = f" of galley {self._number(galley)}" if galley != NONE else ""
            tray.figure(
                f"{KINDS[kind]}_{self._frame.enemy}",
                words,
                target == self.target,
                partial(self._take, target),
                width=width,
                tip=f"{KINDS[kind].capitalize()}{where}: {self._chance(kind)}. A second click fires.",
            )

    def buttons(self) -> Sequence[Choice]:
        return (Choice("Fire!", self.confirm, "primary", "Enter, or click the target again"),)

    def lit(self) -> Mapping[Space, Tint]:
        return {self._frame.space: HERE}

    def _take(self, target: Target) -> bool:
        if target == self.target:
            return self.confirm()
        self.target = target
        self.desk.changed()
        return True

    def mark(self) -> Target | None:
        return self.target

    def strike(self, target: Target) -> None:
        fitting = [known for known in self._targets if known[0] == target[0]]
        if self.target in fitting:
            self.confirm()
        elif fitting:
            self._take(fitting[0])

    def next(self) -> bool:
        self.target = self._targets[(self._targets.index(self.target) + 1) % len(self._targets)]
        self.desk.changed()
        return True

    def confirm(self) -> bool:
        return self.desk.act(Aim(*self.target))

"""Combat tasks of 1984, one shot at a time, and the choice of the task for each frame."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from client.games.conquest.tasks import task_choice
from client.games.conquest.tasks.building_tasks import Placing
from client.games.conquest.tasks.combat_tasks import ChoosingBattle, no_extra
from client.games.mb1984.battle_state import Fight, read
from client.games.mb1984.rules_adapter import RULES_ADAPTER
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, say
from client.table.action_bar import ActionBar, BarButton
from client.table.battle_playback import Target
from client.table.desk import Desk
from client.table.ground import Tint
from client.table.pieces import UNITS, Pick
from client.table.retreat_task import Leaving
from client.table.task import HERE, AnyTask, Hit, Task
from client.table.words import army_words
from shared.board import BOARD
from shared.ids import GALLEY, NONE, Space
from shared.kernel.frames import Frame
from shared.mechanics.aimed_shots import NO_ROLL
from shared.mechanics.armies import total
from shared.rulesets.conquest.pieces import galley_lord
from shared.rulesets.mb1984 import frames as f
from shared.rulesets.mb1984.actions import Aim, Lose
from shared.rulesets.mb1984.battle import retreats
from shared.rulesets.mb1984.frames import Aiming, Battle, CargoLoss
from shared.rulesets.mb1984.shots import best_target, carriers, choices
from shared.rulesets.mb1984.table import TableFields
from shared.sentences.mb1984 import EMPTY, TARGETS, crew, ship
from shared.vocabulary.actions import Retreat
from shared.vocabulary.frames import Onward

_WAY: Final = _(
    "All survivors and leaders go there, and capture enemy leaders who stand there alone. Galleys left on this coast "
    "are lost."
)


def task(desk: Desk[TableFields], frame: Frame) -> AnyTask | None:
    """Return the task for a frame that this seat owes."""
    match frame:
        case f.Combat():
            return ChoosingBattle(desk, frame, no_extra, None)
        case f.Aiming():
            return Shooting(desk, frame)
        case f.CargoLoss():
            return Losing(desk, frame)
        case Onward(space=space):
            return Leaving(desk, space, _ways(desk.table), Retreat, on=True, fate=_("nothing is saved"), tip=_WAY)
        case f.Placement():
            return Placing(desk, RULES_ADAPTER.market)
        case _:
            return task_choice.task(desk, frame, RULES_ADAPTER)


def _ways(table: TableFields) -> list[Space]:
    battle = next((frame for frame in reversed(table.frames) if isinstance(frame, Battle)), None)
    return retreats(table, battle) if battle is not None else []


class AtSea(Task[TableFields]):
    """Decision in a battle in which galleys may be chosen, also on the board."""

    space: Space
    galleys: Sequence[int] = ()
    """Galleys that may be chosen."""

    def choose(self, galley: int) -> bool:
        """Handle a click on a galley."""
        raise NotImplementedError

    def lit(self) -> Mapping[Space, Tint]:
        return {self.space: HERE}

    def glow(self) -> frozenset[Pick]:
        table = self.desk.table
        return frozenset(Pick("galley", self.space, galley_lord(table, galley), galley) for galley in self.galleys)

    def click(self, hit: Hit) -> bool:
        if hit.space != self.space or hit.pick is None or hit.pick.piece not in self.galleys:
            return False
        return self.choose(hit.pick.piece)


class Shooting(AtSea):
    """Declaration of a target."""

    def __init__(self, desk: Desk[TableFields], frame: Aiming) -> None:
        super().__init__(desk)
        self.space = frame.space
        self._enemy = frame.enemy
        self._targets = choices(self.desk.table, frame.enemy, frame.space)
        self.galleys = [galley for kind, galley in self._targets if kind == GALLEY]
        self.target: Target = best_target(self._targets, frame.space >= BOARD.provinces, frame.ahead)

    @property
    def _fight(self) -> Fight:
        fight = read(self.desk.table)
        assert fight is not None
        return fight

    def line(self) -> str:
        kind, galley = self.target
        reason = self._reason(kind) if galley == NONE else ""
        return _(
            "Fire at {name}: {chance}{reason}.", name=self._name(self.target), chance=self._chance(kind), reason=reason
        )

    def _name(self, target: Target) -> str:
        kind, galley = target
        if galley == NONE:
            return say(TARGETS[kind])
        name = say(ship(self.desk.table, galley))
        return name if kind == GALLEY else _("{targets} on {name}", targets=say(TARGETS[kind]), name=name)

    def _chance(self, kind: int) -> str:
        number = self._fight.needed(kind)
        if number == NO_ROLL:
            return _("no roll is needed")
        return _("you need a 6") if number == 6 else _("you need {number} or more", number=number)

    def _reason(self, kind: int) -> str:
        fight = self._fight
        ahead = fight.ahead(fight.shooter)
        return _(" ({basic} less your advantage of {ahead})", basic=fight.basic(kind), ahead=ahead) if ahead else ""

    def build(self, action_bar: ActionBar) -> None:
        width = action_bar.room_for(len(self._targets), 112)
        for target in self._targets:
            kind, galley = target
            number = self._fight.needed(kind)
            needs = (
                _("no roll")
                if number == NO_ROLL
                else _("needs 6")
                if number == 6
                else _("needs {number}+", number=number)
            )
            name = self._name(target)
            action_bar.figure(
                f"{UNITS[kind]}_{self._enemy}",
                needs if galley == NONE else say(crew(self.desk.table, galley) or EMPTY),
                target == self.target,
                partial(self._take, target),
                width=width,
                tip=_(
                    "{upper}{name}: {chance}{reason}. A second click fires.",
                    upper=name[:1].upper(),
                    name=name[1:],
                    chance=self._chance(kind),
                    reason=self._reason(kind),
                ),
            )

    def buttons(self) -> Sequence[BarButton]:
        return (
            BarButton(
                _("Fire!"), self.confirm, "primary", _("{key}, or click the target again", key=told(Command.CONFIRM))
            ),
        )

    def choose(self, galley: int) -> bool:
        return self._take((GALLEY, galley))

    def _take(self, target: Target) -> bool:
        if target == self.target:
            return self.confirm()
        self.target = target
        self.desk.changed()
        return True

    def mark(self) -> Target | None:
        return self.target

    def strike(self, target: Target) -> None:
        # The picture of the battle shows one figure for a kind, though several galleys may be targets.
        fitting = [choice for choice in self._targets if choice[0] == target[0]]
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


class Losing(AtSea):
    """Choice of the galley that loses a unit hit at sea. The fullest galley is suggested."""

    def __init__(self, desk: Desk[TableFields], frame: CargoLoss) -> None:
        super().__init__(desk)
        self.space = frame.space
        self.galleys = carriers(self.desk.table, frame.seat, frame.space, frame.kind)
        # The fullest one loses least by it.
        self.galley = max(self.galleys, key=lambda galley: total(self.desk.table.cargo[galley]))

    def line(self) -> str:
        return _("You lose it from {ship}.", ship=say(ship(self.desk.table, self.galley)))

    def build(self, action_bar: ActionBar) -> None:
        width = action_bar.room_for(len(self.galleys), 170)
        for galley in self.galleys:
            picture = f"galley_{galley_lord(self.desk.table, galley)}"
            on = galley == self.galley
            tip = _("It falls from {ship}. A second click confirms.", ship=say(ship(self.desk.table, galley)))
            load = army_words(self.desk.table.cargo[galley])
            action_bar.figure(picture, load, on, partial(self.choose, galley), width=width, tip=tip)

    def buttons(self) -> Sequence[BarButton]:
        return (
            BarButton(
                _("It falls there"),
                self.confirm,
                "primary",
                _("{key}, or click the galley again", key=told(Command.CONFIRM)),
            ),
        )

    def choose(self, galley: int) -> bool:
        if galley == self.galley:
            return self.confirm()
        self.galley = galley
        self.desk.changed()
        return True

    def next(self) -> bool:
        self.galley = self.galleys[(self.galleys.index(self.galley) + 1) % len(self.galleys)]
        self.desk.changed()
        return True

    def confirm(self) -> bool:
        return self.desk.act(Lose(self.galley))

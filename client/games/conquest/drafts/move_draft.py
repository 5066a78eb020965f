"""Draft of a move: a legion or a galley, the units and leaders that go with it, and its target.

The player's own view gives what may be picked. The rules (`Check`) decide what is legal.
"""

from typing import Generic, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.games.conquest.position_queries import T
from client.games.conquest.rules_adapter import Drop, Marching
from client.language import _
from client.table.desk import Check
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Position, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import army_of, has_army, minus, take_by_kind, total
from shared.mechanics.marching import BEST_FIRST, Ready
from shared.mechanics.pieces import OFF
from shared.refusal import Refusal
from shared.rulesets.conquest.pieces import (
    can_march,
    galley_lord,
    is_caesar,
    leader_lord,
    leaders_at,
    legion_limit,
    movement_points,
    ready,
)
from shared.vocabulary.actions import Sail


class Legion(Struct, frozen=True):
    """Draft of a march, with the fields of the action.

    `to` is NONE until a target is chosen. `counted`: whether the player chose the number of units.
    """

    source: Space
    leaders: tuple[Leader, ...]
    units: Army = NO_ARMY
    tired: int = 0
    drops: tuple[Drop, ...] = ()
    to: Space = NONE
    counted: bool = False

    @property
    def carried(self) -> Army:
        """Units that are still with the leaders after all drops."""
        units = self.units
        for drop in self.drops:
            units = minus(units, drop[1:])
        return units

    @property
    def here(self) -> Space:
        """Present space of the march: the last city with a drop, else its source."""
        return self.drops[-1][0] if self.drops else self.source


class SailDraft(Struct, frozen=True):
    """Draft of a galley's step, with the fields of `Sail`."""

    galley: int
    leaders: tuple[Leader, ...] = ()
    units: Army = NO_ARMY
    to: Position = NONE

    def sail(self, to: Position) -> Sail:
        """Return the action with that target."""
        return Sail(self.galley, to, self.leaders, *self.units)


Picked: TypeAlias = Legion | SailDraft


def marchers(table: T, seat: Seat, space: Space, rules: Marching[T]) -> tuple[Leader, ...]:
    """Return a seat's leaders in a province that can still march, generals first, fresh ones first."""
    able = [x for x in leaders_at(table, seat, space) if can_march(table, x)]
    return tuple(sorted(able, key=lambda x: (is_caesar(table, x), table.leader_used[x], x)))


def sailors(table: T, seat: Seat, rules: Marching[T]) -> list[int]:
    """Return the galleys of a seat that can still sail."""
    return [
        galley
        for galley, at in enumerate(table.galley_at)
        if at != OFF and galley_lord(table, galley) == seat and table.galley_used[galley] < movement_points(table)
    ]


def movable(table: T, seat: Seat, rules: Marching[T]) -> list[Space]:
    """Return provinces with leaders who can still march. Those with units ready to march come first."""
    spaces = sorted(
        {
            at
            for leader, at in enumerate(table.leader_at)
            if at < BOARD.provinces and leader_lord(table, leader) == seat and can_march(table, leader)
        }
    )
    return sorted(spaces, key=lambda space: not any(ready(table, seat, space)))


class Movement(Generic[T]):
    """Draft of the present movement, with an undo history.

    few: suggest one or two units for each general, and all of them for an attack, as in a first game.
    """

    def __init__(self, table: T, seat: Seat, check: Check, rules: Marching[T], *, few: bool = False) -> None:
        self.table = table
        self.seat = seat
        self.rules = rules
        self._check = check
        self._few = few
        self._steps: list[Picked | None] = []

    @property
    def pick(self) -> Picked | None:
        """The present pick, or None."""
        return self._steps[-1] if self._steps else None

    @property
    def can_undo(self) -> bool:
        """Whether a step can be undone."""
        return bool(self._steps)

    def undo(self) -> None:
        """Undo the last step."""
        if self._steps:
            self._steps.pop()

    def clear(self) -> None:
        """Drop the pick and the undo history."""
        self._steps.clear()

    def put_down(self) -> None:
        """Drop the pick. If it had more than one step, `undo` can restore it."""
        if len(self._steps) > 1 and self.pick is not None:
            self._steps.append(None)
        else:
            self.clear()

    def _begin(self, pick: Picked) -> None:
        """Start another pick, if it differs from the present one."""
        if pick != self.pick:
            self.put_down()
            self._put(pick)

    def _put(self, pick: Picked) -> None:
        if pick != self.pick:
            self._steps.append(pick)

    def _change(self, pick: Picked) -> None:
        """Note other units or leaders. The target stays where it is still legal."""
        legal = pick.to != NONE and self._check(self._order(pick, pick.to)) is None
        self._put(pick if legal else replace(pick, to=NONE))

    # Picking

    def pick_province(self, space: Space, leader: Leader = NONE) -> Refusal | None:
        """Pick a legion: one leader and as many units as can follow, or few. One stays with a Caesar who stays.

        `leader` is preferred if it can march. Return a refusal if nothing in the province can march.
        """
        leaders = marchers(self.table, self.seat, space, self.rules)
        if leaders:
            first = leader if leader in leaders else leaders[0]
            self._begin(self._with_units(Legion(space, (first,))))
            return None
        self.put_down()
        if leaders_at(self.table, self.seat, space):
            return Refusal(
                "no-points",
                self.rules.cites[0],
                _("The leaders in {place} have finished their move.", place=BOARD.names[space]),
            )
        if has_army(self.table.units[space], self.seat):
            text = _("Units march only with a leader, and there is none in {place}.", place=BOARD.names[space])
            return Refusal("no-leader", self.rules.cites[1], text)
        text = _("You have nothing in {place} that could march.", place=BOARD.names[space])
        return Refusal("nothing-there", self.rules.cites[1], text)

    def _with_units(self, legion: Legion, most: int | None = None) -> Legion:
        """Return the legion with all units that its leaders can take, at most `most`."""
        here = self.ready_units(legion)
        # Horsemen that have moved once are counted apart, in the fourth place.
        able = here[0], here[1] + here[3], here[2]
        most = legion_limit(self.table) * len(legion.leaders) if most is None else most
        # Only if all units there could go: those that cannot go guard the Caesar as well.
        if any(able) and self._leaves_caesar(legion) and army_of(self.table.units[legion.source], self.seat) == able:
            most = min(most, total(able) - 1)
        few = self._few and not (legion.to != NONE and self.rules.clash(self.table, self.seat, legion.to))
        most = min(most, self._share(legion, total(able)) * len(legion.leaders)) if few else most
        units = take_by_kind(able, most, BEST_FIRST[::-1] if few else BEST_FIRST)
        return replace(legion, units=units, tired=max(0, units[1] - here[1]))

    def _share(self, legion: Legion, able: int) -> int:
        """Return how many units to suggest for each general, so that there are some for the others too: 1 or 2."""
        led = [x for x in marchers(self.table, self.seat, legion.source, self.rules) if not is_caesar(self.table, x)]
        return 2 if able - self._leaves_caesar(legion) >= 2 * len(led) else 1

    def _leaves_caesar(self, legion: Legion) -> bool:
        """Whether a Caesar of the seat stays in the province that a legion leaves."""
        there = leaders_at(self.table, self.seat, legion.source)
        return any(is_caesar(self.table, leader) for leader in there if leader not in legion.leaders)

    def ready_units(self, legion: Legion) -> Ready:
        """Return the units that could march from the legion's source."""
        return ready(self.table, self.seat, legion.source)

    def pick_galley(self, galley: int) -> Refusal | None:
        """Pick a galley.

        A legion picked on its coast goes aboard as far as it may. Return a refusal if it cannot sail.
        """
        if galley_lord(self.table, galley) != self.seat:
            return Refusal("no-such-galley", self.rules.cites[2], _("That galley is not yours."))
        if self.table.galley_used[galley] >= movement_points(self.table):
            return Refusal("no-points", self.rules.cites[2], _("That galley has sailed two spaces this turn."))
        before, at = self.pick, self.table.galley_at[galley]
        if isinstance(before, Legion) and not BOARD.is_sea(at) and BOARD.ashore[at] == before.source:
            able = self.crew_of(SailDraft(galley))
            leaders = tuple(x for x in before.leaders if x in able)
            room = self.cargo_room(SailDraft(galley))
            units = tuple(min(a, b) for a, b in zip(before.units, room, strict=True))
            fitting = (
                take_by_kind((units[0], units[1], units[2]), legion_limit(self.table), BEST_FIRST)
                if leaders
                else NO_ARMY
            )
            self._begin(SailDraft(galley, leaders, fitting))
        else:
            self._begin(SailDraft(galley))
        return None

    def can_toggle(self, leader: Leader) -> bool:
        """Whether a leader could join or leave the pick."""
        pick = self.pick
        if isinstance(pick, Legion):
            return not pick.drops and leader in marchers(self.table, self.seat, pick.source, self.rules)
        return isinstance(pick, SailDraft) and leader in self.crew_of(pick)

    def crew_of(self, voyage: SailDraft) -> tuple[Leader, ...]:
        """Return the leaders who could go aboard."""
        at = self.table.galley_at[voyage.galley]
        if BOARD.is_sea(at):
            return ()
        here = leaders_at(self.table, self.seat, BOARD.ashore[at])
        return tuple(x for x in here if self.rules.can_board(self.table, self.seat, voyage.galley, x))

    def cargo_room(self, voyage: SailDraft) -> Army:
        """Return the units that could go aboard."""
        at = self.table.galley_at[voyage.galley]
        if BOARD.is_sea(at):
            return NO_ARMY
        return self.rules.boardable(self.table, self.seat, voyage.galley, BOARD.ashore[at])

    def toggle(self, leader: Leader) -> None:
        """Let a leader join or leave the pick. Units that exceed what the remaining leaders can lead stay behind.

        A guard that stayed with a Caesar comes along with the Caesar, unless the player chose the units.
        """
        pick = self.pick
        if pick is None or not self.can_toggle(leader):
            return
        leaders = tuple(x for x in pick.leaders if x != leader)
        joined = leader not in pick.leaders
        leaders = (*leaders, leader) if joined else leaders
        if joined and not pick.leaders:
            # Exchanging the only leader takes two clicks, and the units must outlast the moment between them.
            pick = replace(pick, units=self._left_behind(pick))
        if isinstance(pick, Legion):
            # Before the leaders change: are these still the units that were suggested?
            proposed = pick == self._with_units(pick)
            before, pick = pick, replace(pick, leaders=leaders)
            if joined and proposed and self._few:
                pick = self._with_units(pick)
            elif joined and proposed and self._leaves_caesar(before) and not self._leaves_caesar(pick):
                pick = self._with_units(pick, legion_limit(self.table) * max(1, len(before.leaders)))
            most = legion_limit(self.table) * len(leaders)
        else:
            pick = replace(pick, leaders=leaders)
            most = legion_limit(self.table) if leaders else 0
        self._change(self._trimmed_pick(pick, most))

    def _left_behind(self, pick: Picked) -> Army:
        """Return the units that stayed when the last of their leaders left."""
        led = [step for step in self._steps if type(step) is type(pick) and step is not None and step.leaders]
        return led[-1].units if led else pick.units

    def _trimmed_pick(self, pick: Picked, most: int) -> Picked:
        units = take_by_kind(pick.units, most, BEST_FIRST)
        if isinstance(pick, SailDraft):
            return replace(pick, units=units)
        return replace(pick, units=units, tired=self._tired(pick, units[1], pick.tired))

    def _tired(self, legion: Legion, cavalry: int, cavalry_needed: int) -> int:
        """Return how many of `cavalry` horsemen are tired ones: `cavalry_needed`, limited by the units there are."""
        _, fresh, _, tired = self.ready_units(legion)
        return min(tired, cavalry, max(cavalry_needed, cavalry - fresh))

    def most(self, arm: int) -> int:
        """Return how many units of an arm (0 to 2) could be picked."""
        pick = self.pick
        # Once units were left on the way, the number that set out is settled.
        if pick is None or (isinstance(pick, Legion) and pick.drops):
            return 0
        others = total(pick.units) - pick.units[arm]
        if isinstance(pick, SailDraft):
            return min(self.cargo_room(pick)[arm], legion_limit(self.table) - others) if pick.leaders else 0
        here = self.ready_units(pick)
        whole = (here[0], here[1] + here[3], here[2])
        return min(whole[arm], legion_limit(self.table) * len(pick.leaders) - others)

    def set_units(self, arm: int, count: int) -> None:
        """Set the number of picked units of an arm (0 to 2), limited to what is possible."""
        pick = self.pick
        if pick is None:
            return
        count = min(self.most(arm), max(0, count))
        units = tuple(count if k == arm else n for k, n in enumerate(pick.units))
        army: Army = (units[0], units[1], units[2])
        if isinstance(pick, SailDraft):
            self._change(replace(pick, units=army))
        else:
            self._change(replace(pick, units=army, tired=self._tired(pick, army[1], pick.tired), counted=True))

    def set_tired(self, count: int) -> None:
        """Set how many of the picked horsemen are tired: they have one point left."""
        pick = self.pick
        if isinstance(pick, Legion):
            self._change(replace(pick, tired=self._tired(pick, pick.units[1], max(0, count))))

    # Aiming

    def candidates(self) -> list[int]:
        """Return the spaces (for a galley, positions) that a single step might reach, legal or not."""
        pick = self.pick
        if isinstance(pick, SailDraft):
            at = self.table.galley_at[pick.galley]
            return [*BOARD.coast_seas[at], *(BOARD.landings[at] if BOARD.is_sea(at) else ())]
        if pick is None:
            return []
        by_road = self.rules.road_trip(self.table, self.seat, pick.here)
        # After a stop the march goes on by road only.
        near = () if pick.drops else self.rules.steps(self.table)[pick.source]
        return sorted(by_road | set(near))

    def order(self, to: int) -> Action:
        """Return the pick as an action with that target. Raise ValueError if nothing is picked."""
        if self.pick is None:
            raise ValueError(_("nothing is picked"))
        return self._order(self.pick, to)

    def _order(self, pick: Picked, to: int) -> Action:
        return pick.sail(to) if isinstance(pick, SailDraft) else self._march(pick, to)

    def _march(self, legion: Legion, to: Space) -> Action:
        return self.rules.order(legion.source, to, legion.leaders, legion.units, legion.tired, legion.drops)

    def targets(self) -> list[int]:
        """Return the legal targets of the pick."""
        return [to for to in self.candidates() if self._check(self.order(to)) is None]

    def why_not(self, to: int) -> Refusal | None:
        """Return why the pick may not go there, or None."""
        return self._check(self.order(to)) if self.pick is not None else None

    def aim(self, to: int) -> Refusal | None:
        """Choose the target. Return a refusal if the target is out of reach."""
        pick = self.pick
        refusal = self.why_not(to)
        if pick is not None and refusal is None:
            aimed = replace(pick, to=to)
            if self._few and isinstance(aimed, Legion) and not (aimed.counted or aimed.drops):
                # More go against enemies, but perhaps not all of them can reach the target.
                fitting = self._with_units(aimed)
                aimed = fitting if self._check(self._order(fitting, to)) is None else aimed
            self._put(aimed)
        return refusal

    @property
    def on_road(self) -> bool:
        """Whether the march is aimed at an own city by road, so that it can drop units there on the way."""
        pick = self.pick
        if not isinstance(pick, Legion) or not self.rules.stops:
            return False
        return pick.to in self.rules.road_trip(self.table, self.seat, pick.here)

    def drop_room(self) -> tuple[Army, Army]:
        """Return the units that may be left at the target, and those that could be picked up there."""
        pick = self.pick
        if not isinstance(pick, Legion):
            return NO_ARMY, NO_ARMY
        here = ready(self.table, self.seat, pick.to)
        return pick.carried, (here[0], here[1], here[2])

    def leave(self, dropped: Army) -> Refusal | None:
        """Leave units (negative: collect them) in the targeted city, and go on from there. Return a refusal or None."""
        pick = self.pick
        if not isinstance(pick, Legion) or not self.on_road:
            return Refusal("no-road", "CL-ROAD-02", _("Units are left on the way only in own cities along a road."))
        longer = replace(pick, drops=(*pick.drops, (pick.to, *dropped)), to=NONE)
        # There is no target yet, so the stop itself stands in for it.
        refusal = self._check(self._march(longer, pick.to))
        if refusal is None:
            self._put(longer)
        return refusal

    def action(self) -> Action | None:
        """Return the finished action, or None while there is no target."""
        pick = self.pick
        if pick is None or pick.to == NONE:
            return None
        return self.order(pick.to)


def follow_up(table: T, seat: Seat, done: Action, rules: Marching[T]) -> tuple[str, int] | None:
    """Return the natural next pick after an action: ("galley", number), ("province", space), or None."""
    if (
        isinstance(done, Sail)
        and table.galley_used[done.galley] < movement_points(table)
        and table.galley_at[done.galley] != OFF
    ):
        return "galley", done.galley
    march = rules.read(done)
    # Only horsemen and leaders have a second step.
    if march is not None and march.cavalry and any(can_march(table, x) for x in march.leaders):
        tired = ready(table, seat, march.to)[3]
        return ("province", march.to) if tired else None
    return None


def next_stop(table: T, seat: Seat, after: tuple[str, int] | None, rules: Marching[T]) -> tuple[str, int] | None:
    """Return the next ("province", space) or ("galley", number) with moves left, or None.

    Pieces that have not moved come before those that have a step left.
    """
    ring: list[tuple[str, int]] = [("province", space) for space in movable(table, seat, rules)]
    ring += [("galley", galley) for galley in sailors(table, seat, rules)]
    ring.sort(key=lambda stop: _moved(table, seat, stop, rules))
    if not ring:
        return None
    if after in ring:
        return ring[(ring.index(after) + 1) % len(ring)]
    return ring[0]


def _moved(table: T, seat: Seat, stop: tuple[str, int], rules: Marching[T]) -> bool:
    """Whether all pieces that could still move from there have moved already."""
    kind, number = stop
    if kind == "galley":
        return table.galley_used[number] > 0
    return all(table.leader_used[leader] for leader in marchers(table, seat, number, rules))

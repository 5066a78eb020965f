"""Losses: the choice among all units that a participant controls (II-BATTLE-07, II-D39)."""

from typing import Any

from msgspec.structs import replace

from shared.ids import NO_ARMY, Army, Seat
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import Action, Emit, Handler, take_action
from shared.mechanics.armies import Cell, army_of, minus, put_army, total, units_fall, within
from shared.refusal import Refusal
from shared.rulesets.cote2.actions import Lose
from shared.rulesets.cote2.events import Sank
from shared.rulesets.cote2.frames import Battle, Casualties
from shared.rulesets.cote2.property import take_army
from shared.rulesets.cote2.state import ALIENS, GALLEYS, OFF, State, TableFields
from shared.vocabulary import events
from shared.vocabulary.frames import seat_owes

MOST_LISTED = 40
"""Ways to choose losses that `options` lists at most."""
GALLEY_BIN = 3

Bin = tuple[int, int, tuple[int, ...], int]
"""Equal units: owner, kind (0 to 3), galleys, number."""


def _unit_groups(table: TableFields, army: Cell, galleys: tuple[int, ...], extra: int) -> list[Bin]:
    """Return groups of equal units, those of diplomacy cards first, then lent and own ones, cheap first."""
    found: list[Bin] = []
    if extra:
        found.append((ALIENS, GALLEY_BIN, (), extra))
    # Backwards: a cell is ordered by seat, and troops of cards have the highest number. They fall first.
    for i in range(len(army) - 4, -1, -4):
        found += [(army[i], kind, (), army[i + 1 + kind]) for kind in range(3) if army[i + 1 + kind]]
    fleets: dict[tuple[Seat, int], list[int]] = {}
    for galley in galleys:
        # Galleys of one owner and zone are alike; another zone matters for what they close or carry later.
        fleets.setdefault((galley // GALLEYS, table.galley_at[galley]), []).append(galley)
    for (owner, _zone), fleet in fleets.items():
        found.append((owner, GALLEY_BIN, tuple(fleet), len(fleet)))
    return found


def _lose(bins: list[Bin], taken: list[int]) -> Lose:
    armies: dict[Seat, list[int]] = {}
    galleys: tuple[int, ...] = ()
    extra = 0
    for (owner, kind, fleet, _number), n in zip(bins, taken, strict=True):
        if not n:
            continue
        if kind < GALLEY_BIN:
            armies.setdefault(owner, [0, 0, 0])[kind] = n
        elif fleet:
            galleys += fleet[:n]
        else:
            extra += n
    groups = tuple([(owner, a[0], a[1], a[2]) for owner, a in sorted(armies.items())])
    return Lose(groups, galleys, extra)


def forced_losses(table: TableFields, army: Cell, galleys: tuple[int, ...], extra: int, hits: int) -> Lose | None:
    """Return the only way to lose so many, or None if there is a choice."""
    if not hits:
        return Lose()
    bins = _unit_groups(table, army, galleys, extra)
    numbers = [b[3] for b in bins]
    if hits >= sum(numbers):
        return _lose(bins, numbers)
    return _lose(bins, [hits]) if len(bins) == 1 else None


def _cheapest_loss(bins: list[Bin], hits: int) -> Lose:
    taken = []
    for *_rest, number in bins:
        taken.append(min(number, hits))
        hits -= taken[-1]
    return _lose(bins, taken)


def _options(table: TableFields, frame: Casualties, _seat: Seat) -> list[Action]:
    bins = _unit_groups(table, frame.army, frame.galleys, frame.extra)
    found: list[Action] = []
    taken = [0] * len(bins)

    def fill(at: int, hits: int) -> None:
        if len(found) == MOST_LISTED:
            return
        if at == len(bins):
            if not hits:
                found.append(_lose(bins, taken))
            return
        # Most from the first bins first: if the list is cut short, it contains the cheap losses.
        for n in range(min(bins[at][3], hits), -1, -1):
            taken[at] = n
            fill(at + 1, hits - n)
        taken[at] = 0

    fill(0, frame.hits)
    return found


def _check(_table: TableFields, frame: Casualties, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Lose):
        return Refusal("wrong-action", "II-BATTLE-07", "Choose the losses first.")
    number = len(action.galleys) + action.extra
    owners = [owner for owner, *_army in action.armies]
    if len(set(owners)) != len(owners) or len(set(action.galleys)) != len(action.galleys):
        return Refusal("twice", "II-BATTLE-07", "Something was named twice.")
    for owner, *army in action.armies:
        number += total(army)
        if not within(army, army_of(frame.army, owner)):
            return _not_there()
    if not set(action.galleys) <= set(frame.galleys) or action.extra > frame.extra:
        return _not_there()
    if number != frame.hits:
        return Refusal("wrong-number", "II-BATTLE-07", units_fall(frame.hits))
    return None


def _not_there() -> Refusal:
    return Refusal("not-in-battle", "II-D39", "Only units that you control in this battle can fall.")


def _default(table: TableFields, frame: Casualties, _seat: Seat) -> Action:
    return _cheapest_loss(_unit_groups(table, frame.army, frame.galleys, frame.extra), frame.hits)


def remove(state: State, frame: Battle, attacking: bool, lost: Any, emit: Emit) -> Battle:
    """Take the losses out of the battle and off the board; return the frame without them (not yet on the stack)."""
    cell = frame.attacking if attacking else frame.defending
    fleet = frame.attack_fleet if attacking else frame.defence_fleet
    extra = frame.attack_extra if attacking else frame.defence_extra
    for owner, *counts in lost.armies:
        army: Army = (counts[0], counts[1], counts[2])
        if army == NO_ARMY:
            continue
        cell = put_army(cell, owner, minus(army_of(cell, owner), army))
        # Troops of cards and slaves are in no supply and on no province.
        if owner < ALIENS:
            take_army(state, owner, frame.space, army)
        emit(events.Fell(owner, frame.space, army))
    if lost.galleys or lost.extra:
        for galley in lost.galleys:
            state.galley_at[galley] = OFF
        fleet = tuple([galley for galley in fleet if galley not in lost.galleys])
        seat = frame.attacker if attacking else frame.defender
        emit(Sank(seat, frame.space, lost.galleys, lost.extra))
    if attacking:
        return replace(frame, attacking=cell, attack_fleet=fleet, attack_extra=extra - lost.extra)
    return replace(frame, defending=cell, defence_fleet=fleet, defence_extra=extra - lost.extra)


CASUALTIES: Handler[TableFields, State] = Handler(
    seat_owes, _options, _check, take_action, _default, raise_broken_rules
)

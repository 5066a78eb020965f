"""Battles played through the rules, with both sides playing as the odds take them to, beside the odds themselves."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any, TypeAlias

from shared.ids import GALLEY, NATURE, NO_ARMY, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event, Frame
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import army_of, plus, total
from shared.odds import classic, cote2, mb1984
from shared.odds.outcome import ATTACKER, DEFENDER, NEITHER, Force, Odds
from shared.rulesets.classic import actions as ca
from shared.rulesets.classic import frames as cf
from shared.rulesets.classic import retreat as classic_retreat
from shared.rulesets.classic.options import prices
from shared.rulesets.cote2 import actions as ia
from shared.rulesets.cote2 import combat_phase, withdrawal
from shared.rulesets.cote2 import events as ie
from shared.rulesets.cote2 import frames as iif
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.state import ALIENS, GALLEYS, galleys_in
from shared.rulesets.mb1984 import battle as mb_battle
from shared.rulesets.mb1984 import frames as mf
from shared.rulesets.mb1984 import shots
from shared.rulesets.mb1984.actions import Aim
from shared.rulesets.registry import ruleset
from shared.vocabulary import actions as ma
from shared.vocabulary import events as e
from shared.vocabulary.actions import Retreat, Stand
from shared.vocabulary.events import Fell
from shared.vocabulary.frames import Onward

State: TypeAlias = Any
Pilot: TypeAlias = Callable[[State, Frame, Seat, int], Action]
"""A seat's decision at a frame; the number is that of units with which it leaves."""
ERRORS = 4
"""Standard errors within which a frequency must lie."""


@dataclass
class Case:
    """A battle from a state on, with its odds. leaves: of attacker and defender. sides: by seat."""

    rules: str
    state: State
    odds: Odds
    leaves: tuple[int, int] = (0, 0)
    sides: Mapping[Seat, int] = field(default_factory=lambda: {0: ATTACKER, 1: DEFENDER})


def fight_out(case: Case, chance: Random) -> tuple[int, list[Force]]:
    """Fight a battle to its end; return the winner and the forces that are left."""
    rules, state, happened = ruleset(case.rules), case.state.clone(), list[Event]()
    left = [units(case, state, ATTACKER), units(case, state, DEFENDER)]
    while not (ends := over(happened)):
        _step(rules, case, state, chance, happened)
    for event in happened:
        lose(case, event, left)
    winner = case.sides[ends[0].winner] if ends[0].winner != NONE else NEITHER
    return winner, left


def pilot(case: Case, state: State, seat: Seat) -> Action:
    """Return a seat's decision as the odds assume it."""
    leaves = case.leaves[case.sides[seat]] if seat in case.sides else 0
    return PILOTS[case.rules](state, engine.top(state), seat, leaves)


def over(happened: list[Event]) -> list[Any]:
    """Return the events that end a battle."""
    return [event for event in happened if isinstance(event, e.BattleEnded | ie.BattleEnded)]


def _step(rules: AnyRuleset, case: Case, state: State, chance: Random, happened: list[Event]) -> None:
    seat = engine.owed(rules, state)[0]
    if seat == NATURE:
        action = engine.chance_action(state, chance)
        assert action is not None
    else:
        action = pilot(case, state, seat)
    engine.play(rules, state, seat, action, happened.append)


def lose(case: Case, event: Event, left: list[Force]) -> None:
    """Take the units that an event costs off the forces that are left."""
    match event:
        case e.Fell() | Fell():
            side = case.sides[event.seat]
            left[side] = _minus(left[side], (*event.army, 0))
        case ie.Sank():
            side = case.sides[event.seat]
            left[side] = _minus(left[side], (0, 0, 0, len(event.galleys) + event.extra))
        case e.Sank():
            side = case.sides[event.seat]
            cargo = NO_ARMY
            for galley in event.galleys:
                cargo = plus(cargo, case.state.cargo[galley] or NO_ARMY) if case.rules == "classic" else cargo
            left[side] = _minus(left[side], (*cargo, len(event.galleys)))
        case _:
            pass


def _minus(force: Force, lost: Force) -> Force:
    return (force[0] - lost[0], force[1] - lost[1], force[2] - lost[2], force[3] - lost[3])


def units(case: Case, state: State, side: int) -> Force:
    """Return the force of a side as the case begins; each ending counts it as left or lost."""
    frame = next(f for f in state.frames if type(f).__name__ in ("Battle", "Naval"))
    seat = (frame.attacker, frame.defender)[side]
    if case.rules == "cote2":
        cell, fleet, extra = ((frame.attacking, frame.attack_fleet, frame.attack_extra),
                              (frame.defending, frame.defence_fleet, frame.defence_extra))[side]  # fmt: skip
        return (*combat_phase.strength(cell), len(fleet) + extra)
    space = getattr(frame, "space", getattr(frame, "zone", NONE))
    host = (classic if case.rules == "classic" else mb1984).present(state, seat, space, space >= len(state.units))
    army = host.army
    for cargo in host.cargo:
        army = plus(army, cargo)
    return (*army, host.galleys)


# --- how they play ---


def _classic(state: State, frame: Frame, seat: Seat, leaves: int) -> Action:
    match frame:
        case cf.Formation():
            return ca.Form(*classic.legion(army_of(state.units[frame.space], seat), frame.size, prices(state)))
        case cf.Casualties(legion=legion, hits=hits):
            own = frame.owner == seat
            return ca.Lose(*(classic.fallen(legion, hits) if own else classic.caught(legion, hits)))
        case Onward():
            if total(army_of(state.units[frame.space], seat)) <= leaves:
                return Retreat(classic_retreat.retreat_targets(state, seat, frame.space)[0])
            return Stand()
        case _:
            return engine.options(ruleset("classic"), state, seat)[0]


def _mb1984(state: State, frame: Frame, seat: Seat, leaves: int) -> Action:
    match frame:
        case mf.Aiming():
            there = shots.choices(state, frame.enemy, frame.space)
            aims = [kind for kind in mb1984.AIMS if any(kind == found for found, _ in there)]
            return Aim(*next(found for found in there if found[0] == aims[0]))
        case Onward():
            battle = next(f for f in state.frames if isinstance(f, mf.Battle))
            if total(army_of(state.units[frame.space], seat)) <= leaves:
                return ma.Retreat(mb_battle.retreats(state, battle)[0])
            return ma.Stand()
        case _:
            return engine.default(ruleset("mb1984"), state, seat)


def _cote2(state: State, frame: Frame, seat: Seat, leaves: int) -> Action:
    match frame:
        case iif.Commitment():
            return ia.Commit(galleys_in(state, seat, SEAS[frame.space]))
        case iif.Aid():
            army, galleys = combat_phase.lendable(state, seat, frame.space)
            return ia.Lend(*army, galleys)
        case iif.Casualties():
            return _dropped(frame)
        case Onward():
            battle = next(f for f in state.frames if isinstance(f, iif.Battle))
            units = combat_phase.attackers(battle) if seat == battle.attacker else combat_phase.defenders(battle)
            return Retreat(withdrawal.retreat_targets(state, seat, frame.space)[0]) if units <= leaves else Stand()
        case _:
            return engine.default(ruleset("cote2"), state, seat)


def _dropped(frame: iif.Casualties) -> Action:
    """Return the losses in the order that the odds assume."""
    groups = cote2.sorted_units(frame.seat, frame.army, frame.galleys, frame.extra)
    lost = Counter(cote2.order(groups)[: frame.hits])
    armies = []
    for owner in frame.army[::4]:
        group = cote2.CARDS if owner == ALIENS else cote2.OWN if owner == frame.seat else cote2.LENT
        army = [lost[group, kind] for kind in range(GALLEY)]
        armies += [(owner, *army)] if any(army) else []
    mine = [galley for galley in frame.galleys if galley // GALLEYS == frame.seat][: lost[cote2.OWN, GALLEY]]
    lent = [galley for galley in frame.galleys if galley // GALLEYS != frame.seat][: lost[cote2.LENT, GALLEY]]
    return ia.Lose(tuple(armies), tuple(mine + lent), lost[cote2.CARDS, GALLEY])  # type: ignore[arg-type]


PILOTS: dict[str, Pilot] = {"classic": _classic, "mb1984": _mb1984, "cote2": _cote2}


def paused(case: Case, kind: type[Frame], seed: int, after: int = 0) -> State:
    """Return the state in which a decision of this kind is owed for the first time (after `after` others)."""
    rules, state, chance = ruleset(case.rules), case.state.clone(), Random(seed)
    while True:
        if isinstance(engine.top(state), kind):
            if not after:
                return state
            after -= 1
        happened: list[Event] = []
        _step(rules, case, state, chance, happened)
        assert not over(happened), f"no {kind} in this battle"


# --- the comparison ---


def compare(case: Case, battles: int, seed: int) -> None:
    """Fail where a frequency or a mean differs from the odds by more than chance allows. The limit is `ERRORS` standard
    errors, or a single battle where hardly any is expected."""
    chance = Random(seed)
    ends = [fight_out(case, chance) for _ in range(battles)]
    assert abs(sum(ending.chance for ending in case.odds.endings) + case.odds.missing - 1) < 1e-9
    for winner in (ATTACKER, DEFENDER, NEITHER):
        said = case.odds.wins(winner)
        played = sum(end[0] == winner for end in ends) / battles
        error = sqrt(said * (1 - said) / battles) if 0 < said < 1 else 0.0
        allowed = max(ERRORS * error, (error > 0) / battles) + case.odds.missing + 1e-9
        assert abs(played - said) <= allowed, (winner, played, said, error)
    for side in (ATTACKER, DEFENDER):
        for kind in range(4):
            _compare_left(case.odds, side, kind, [left[side][kind] for _, left in ends])


def _compare_left(odds: Odds, side: int, kind: int, played: Sequence[int]) -> None:
    said = odds.left(side)[kind]
    each = [((ending.attacker, ending.defender)[side][kind], ending.chance) for ending in odds.endings]
    spread = sqrt(max(0.0, sum(chance * n * n for n, chance in each) - said * said))
    found = sum(played) / len(played)
    alone = max(n for n, _ in each) / len(played) if spread else 0.0
    allowed = max(ERRORS * spread / sqrt(len(played)), alone) + 100 * odds.missing + 1e-9
    assert abs(found - said) <= allowed, (side, kind, found, said, allowed)

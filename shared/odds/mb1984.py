"""The odds of a battle in the 1984 game, on land (MB-BATTLE) and at sea (MB-NAVAL).

Assumed play of both sides: they fire at catapults first, which hold the advantage, then at cavalry, infantry and
galleys. Only the attacker may retreat, and has a province to retreat to.
"""

from functools import lru_cache

from shared.board import BOARD
from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY, Seat, Space
from shared.kernel.frames import Action, Dice
from shared.mechanics.aimed_shots import NO_ROLL, advantage, needed_roll
from shared.mechanics.amendments import HasOptions
from shared.mechanics.armies import army_of, hostile
from shared.odds import conquest
from shared.odds.attack import AttackQuestion, Threat
from shared.odds.dice import NO_HITS, Hits, certain_hits, one_shot
from shared.odds.duel import Duel, Ladder, battle_endings, ladder
from shared.odds.outcome import ATTACKER, DEFENDER, Ending, Force, Host, Odds, costs, merge_endings
from shared.rulesets.conquest.pieces import enemy_leaders, galleys_at
from shared.rulesets.mb1984 import contact
from shared.rulesets.mb1984.actions import March
from shared.rulesets.mb1984.frames import Battle, CargoLoss
from shared.rulesets.mb1984.options import prices
from shared.rulesets.mb1984.shots import fleet_army, lead, walls_of
from shared.rulesets.mb1984.table import TableFields

KEPT = 512
"""Battles whose odds are cached."""
AIMS = (CATAPULT, CAVALRY, INFANTRY, GALLEY)
"""Order of targets: the first kind of which there is a unit."""


def target(force: Force) -> int:
    """Return the kind of unit that is fired at."""
    return next(kind for kind in AIMS if force[kind])


def hit(force: Force, kind: int) -> Force:
    """Return the force without one unit of a kind."""
    infantry, cavalry, catapults, galleys = [n - (each == kind) for each, n in enumerate(force)]
    return infantry, cavalry, catapults, galleys


def _ladder(force: Force, naval: bool, kind: int | None) -> Ladder[Force]:
    """Return all states that losses lead to. kind: the target that is declared already."""

    def lose(left: Force, hits: int) -> Force:
        return hit(left, target(left)) if hits else left

    def units(left: Force) -> int:
        return sum(left) if left[GALLEY] or not naval else 0

    first = [] if kind is None else [force, hit(force, kind)]
    return ladder(force, lose, lambda left: min(1, sum(left)), units, first)


def duel(
    table: HasOptions, ours: Force, theirs: Force, naval: bool, walls: int = 0, leaves: int = 0, *,
    kind: int | None = None, answering: bool = False,
) -> Odds:  # fmt: skip
    """Return the odds of a battle. kind: the target that is declared already. answering: the defender fires next."""
    attacker = _ladder(ours, naval, kind if answering else None)
    defender = _ladder(theirs, naval, None if answering else kind)

    def shot(rung: int, at: Ladder[Force], declared: int | None, mine: int, enemy: int) -> Hits:
        force = at.states[rung]
        # A declared target holds for the first shot only.
        aim = declared if declared is not None and not rung else target(force)
        number = needed_roll(aim, naval, advantage(mine, enemy))
        return certain_hits(1) if number == NO_ROLL else one_shot(number)

    def strike(d: int, a: int) -> Hits:
        """Return the hits of the attacker's shot."""
        sums = attacker.states[a][CATAPULT], defender.states[d][CATAPULT] + walls
        return shot(d, defender, None if answering else kind, *sums)

    def back(d: int, a: int) -> Hits:
        """Return the hits of the defender's shot."""
        sums = defender.states[d][CATAPULT] + walls, attacker.states[a][CATAPULT]
        return shot(a, attacker, kind if answering else None, *sums)

    course = battle_endings(
        # The defender is `one`: the first to be struck, because the attacker fires first.
        Duel(
            defender, attacker, strike, back, lambda _d, a: attacker.units[a] <= leaves, True,
            # The attacker has fired already; the battle begins with the second half of a round.
            (NO_HITS, back(0, 0)) if answering else (None, None),
        )
    )  # fmt: skip
    found = merge_endings(
        Ending(chance, _winner(attacker.units[a], defender.units[d]), attacker.states[a], defender.states[d])
        for d, a, chance in course.ends
    )
    return Odds(found, costs(found, prices(table), ours, theirs), course.missing)


def _winner(ours: int, theirs: int) -> int:
    """Return the winner: the defender holds whatever the attacker does not take (MB-BATTLE-05)."""
    return ATTACKER if ours and not theirs else DEFENDER


@lru_cache(maxsize=KEPT)
def odds(attacker: Host, defender: Host, naval: bool) -> Odds:
    """Return the odds of a battle to come; at sea the armies are those aboard."""
    ours, theirs = ((*host.army, host.galleys * naval) for host in (attacker, defender))
    return duel(attacker, ours, theirs, naval, 0 if naval else defender.walls, 0 if naval else attacker.leaves)


def present(table: TableFields, seat: Seat, space: Space, naval: bool = False) -> Host:
    """Return the units of a seat there, on land or, if `naval`, in a sea zone."""
    if naval:
        fleet = len(galleys_at(table, seat, space))
        return Host(fleet_army(table, seat, space), fleet, options=table.options)
    return Host(army_of(table.units[space], seat), walls=walls_of(table, seat, space), options=table.options)


def standing(table: TableFields) -> Odds | None:
    """Return the odds of the battle under way, with the target that is declared. None if there is none."""
    for frame in table.frames:
        if isinstance(frame, Battle) and not frame.stage.is_over:
            return _battle(table, frame)
    return None


def _battle(table: TableFields, frame: Battle) -> Odds:
    naval, stage = frame.space >= BOARD.provinces, frame.stage
    ours, theirs = (_force(table, seat, frame.space, naval) for seat in (frame.attacker, frame.defender))
    return duel(
        table, ours, theirs, naval, walls_of(table, frame.defender, frame.space),
        kind=frame.kind if stage.is_declared else None, answering=stage.is_defenders,
    )  # fmt: skip


def _force(table: TableFields, seat: Seat, space: Space, naval: bool) -> Force:
    """Return the units of a seat there, less a unit that is lost already while its galley is still to be named."""
    host, top = present(table, seat, space, naval), table.frames[-1]
    force = (*host.army, host.galleys)
    return hit(force, top.kind) if isinstance(top, CargoLoss) and top.seat == seat else force


def question(table: TableFields) -> AttackQuestion | None:
    """Return the battle under way with its seats, None if there is none."""
    for frame in table.frames:
        if isinstance(frame, Battle):
            space, naval, seats = frame.space, frame.space >= BOARD.provinces, (frame.attacker, frame.defender)
            hosts = present(table, seats[ATTACKER], space, naval), present(table, seats[DEFENDER], space, naval)
            return AttackQuestion(seats, hosts, naval, space)
    return None


def clash(table: TableFields, seat: Seat, space: Space) -> bool:
    """Whether a space holds enemy units, leaders that a legion captures, or enemy galleys."""
    if space >= BOARD.provinces:
        return contact.hostile_zone(table, seat, space)
    return hostile(table.units[space], seat) or bool(enemy_leaders(table, seat, space))


def threat(table: TableFields, seat: Seat, action: Action) -> Threat | None:
    """Return the attack that an action begins or leads into, None if there is none."""
    return conquest.threat(table, seat, action, clash, March)


def rolling(table: TableFields, seat: Seat) -> Hits:
    """Return the hits of the die that chance owes now and `seat` rolls, before it falls (MB-BATTLE-03).

    Raises ValueError if chance owes no dice of a battle.
    """
    top, below = table.frames[-1], table.frames[-2]
    if not (isinstance(top, Dice) and isinstance(below, Battle)):
        raise ValueError(f"no dice of a battle: {top!r}")
    enemy = below.defender if seat == below.attacker else below.attacker
    return one_shot(needed_roll(below.kind, below.space >= BOARD.provinces, lead(table, seat, enemy, below.space)))

"""Decisions in combat: order of battles, battle legion, casualties, retreats, prisoners."""

from typing import Final

from server.bots.classic import odds
from server.bots.classic.position_analysis import CAESAR_VALUE, GENERAL_VALUE, Force, PositionAnalysis
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import plus, take_by_kind, total
from shared.mechanics.pieces import ABOARD
from shared.rulesets.classic.actions import EndCombat, Form, Lose, Sink, Withdraw
from shared.rulesets.classic.battle import walls_of
from shared.rulesets.classic.combat_phase import naval_targets
from shared.rulesets.classic.frames import Battle, Casualties, Combat, Formation, Sinking, Withdrawal
from shared.rulesets.classic.retreat import retreat_targets
from shared.rulesets.conquest.pieces import galleys_at
from shared.vocabulary.actions import Fight, Judge, Retreat, Stand
from shared.vocabulary.frames import Captives, Onward

DEAREST_FIRST: Final = (2, 1, 0)
FAIR: Final = 0.38
"""Chance below which an attack is broken off while a retreat is possible."""
LOST: Final = 0.08
"""The same for the boldest, who attack at any chance: generals of a beaten army are captured."""
BRAVE: Final = 0.24
"""Chance below which a defence is broken off while a retreat is possible."""


def next_battle(s: PositionAnalysis, frame: Combat) -> Action:
    """Return the land battle with the best chance first; then sea battles only where the odds favour us."""
    land = list(zip(frame.pending[::2], frame.pending[1::2], strict=True))
    if land:
        return Fight(*max(land, key=lambda pair: chance(s, pair[0], s.seat, pair[1])))
    for zone, enemy in naval_targets(s.table, frame):
        # Galleys and cargo at stake on both sides, weighted by numbers.
        ours, theirs = galleys_at(s.table, s.seat, zone), galleys_at(s.table, enemy, zone)
        if len(ours) * _cargo_value(s, enemy, theirs) > len(theirs) * _cargo_value(s, s.seat, ours):
            return Fight(zone, enemy)
    return EndCombat()


def chance(s: PositionAnalysis, space: Space, attacker: Seat, defender: Seat) -> float:
    """Return the attacker's chance."""
    return odds.odds(*_force(s, space, attacker), *_force(s, space, defender), walls_of(s.table, space, defender))


def _force(s: PositionAnalysis, space: Space, seat: Seat) -> Force:
    return s.armies[seat].get(space, NO_ARMY), len(s.leaders[seat].get(space, ()))


def _cargo_value(s: PositionAnalysis, seat: Seat, galleys: tuple[int, ...]) -> int:
    value = 0
    for galley in galleys:
        value += 20 + 15 * sum(s.table.cargo[galley])
        for leader in s.leaders[seat].get(ABOARD + galley, ()):
            value += CAESAR_VALUE if leader == s.caesar or leader % 5 == 0 else GENERAL_VALUE
    return value


def form(s: PositionAnalysis, frame: Formation) -> Action:
    """Return the battle legion with the most expected hits."""
    return Form(*odds.best_legion(s.army(frame.space), frame.size))


def lose(s: PositionAnalysis, frame: Casualties) -> Action:
    """Return the own casualties that hurt least; among a fleeing enemy's units, the most expensive."""
    if frame.owner != s.seat:
        return Lose(*take_by_kind(frame.legion, frame.hits, DEAREST_FIRST))
    return Lose(*odds.losses(s.army(frame.space), frame.legion, frame.hits, s.led(frame.space), s.prices))


def sink(s: PositionAnalysis, frame: Sinking) -> Action:
    """Return the galleys to sink: empty ones first, the one with the Caesar last."""
    ours = galleys_at(s.table, s.seat, frame.zone)
    return Sink(tuple(sorted(ours, key=lambda galley: _cargo_value(s, s.seat, (galley,)))[: frame.hits]))


# --- running ---


def onward(s: PositionAnalysis, frame: Onward) -> Action:
    """Return Stand, or Retreat if the battle is lost and a retreat is possible."""
    targets = retreat_targets(s.table, s.seat, frame.space)
    battle = next(frame for frame in reversed(s.table.frames) if isinstance(frame, Battle))
    won = chance(s, frame.space, battle.attacker, battle.defender)
    if battle.attacker == s.seat:
        stands = won >= max(LOST, min(FAIR, s.boldness(frame.space))) or _keeps_besieging(s, battle)
    else:
        stands = 1 - won >= BRAVE
    if stands or not targets:
        return Stand()
    return Retreat(_safest_retreat(s, targets, s.army(frame.space), s.led(frame.space)))


def _keeps_besieging(s: PositionAnalysis, battle: Battle) -> bool:
    """Whether to keep wearing an enemy down.

    Generals of a beaten army are captured, and the last enemy never sells them back. The siege would be over for ever.
    """
    space, enemy = battle.space, battle.defender
    ours, theirs, walls = _force(s, space, s.seat), _force(s, space, enemy), walls_of(s.table, space, enemy)
    if total(ours[0]) <= odds.fatal(*ours, *theirs, walls):
        return False
    return s.outlasts(enemy) or s.wears_down(enemy, *odds.skirmish(*ours, *theirs, walls, s.prices))


def withdraw(s: PositionAnalysis, frame: Withdrawal) -> Action:
    """Move leaders without troops to the safest province."""
    targets = retreat_targets(s.table, s.seat, frame.space)
    return Withdraw(_safest_retreat(s, targets, NO_ARMY, s.led(frame.space)) if targets else NONE)


def _safest_retreat(s: PositionAnalysis, targets: list[Space], army: Army, leaders: int) -> Space:
    """Return the province where the survivors are safest; among equals, near home and with the most own units."""

    def risk(to: Space) -> tuple[float, float]:
        joint = plus(s.army(to), army)
        return round(s.risk(to, joint, s.led(to) + leaders), 2), s.distance[to][s.home] - total(s.army(to))

    return min(targets, key=risk)


def judge(_s: PositionAnalysis, _frame: Captives) -> Action:
    """Spare all prisoners: they bring a ransom, a dead general nothing."""
    return Judge(())

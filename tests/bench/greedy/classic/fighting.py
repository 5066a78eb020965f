"""Combat: which battle first, who stands in front, who falls, when to run, what becomes of prisoners."""

from typing import Final

from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.kernel.frames import Action
from shared.mechanics.armies import greedy, plus, total
from shared.mechanics.places import ABOARD
from shared.rulesets.classic.actions import EndCombat, Form, Lose, Sink, Withdraw
from shared.rulesets.classic.frames import Battle, Casualties, Combat, Formation, Sinking, Withdrawal
from shared.rulesets.classic.retreat import retreat_targets
from shared.rulesets.classic.war import naval_targets
from shared.rulesets.conquest.pieces import galleys_at
from shared.vocabulary.actions import Fight, Judge, Retreat, Stand
from shared.vocabulary.frames import Captives, Onward
from tests.bench.greedy.classic import odds
from tests.bench.greedy.classic.marching import is_siege
from tests.bench.greedy.classic.survey import CAESAR_VALUE, GENERAL_VALUE, Survey

DEAREST_FIRST: Final = (2, 1, 0)
BESIEGERS_LEFT: Final = 10
"""A siege is broken off when no more units are left than two bad rounds cost."""
HOPELESS: Final = -0.25
"""The own margin below which a battle is given up while there is a way out."""


def next_battle(s: Survey, frame: Combat) -> Action:
    """The surest land battle first; at sea only where the numbers are on our side."""
    land = list(zip(frame.pending[::2], frame.pending[1::2], strict=True))
    if land:
        return Fight(*max(land, key=lambda pair: _prospect(s, *pair)))
    for zone, enemy in naval_targets(s.table, frame):
        if _sea_odds(s, zone, enemy) > 0:
            return Fight(zone, enemy)
    return EndCombat()


def _prospect(s: Survey, space: Space, enemy: Seat) -> float:
    return odds.forecast(
        s.army(space), s.led(space), s.armies[enemy][space], len(s.leaders[enemy].get(space, ())),
        s.walled(space, enemy),
    ).margin  # fmt: skip


def _sea_odds(s: Survey, zone: Space, enemy: Seat) -> int:
    """Return the balance at sea: galleys and their cargo, theirs against ours, weighed by numbers."""
    ours, theirs = galleys_at(s.table, s.seat, zone), galleys_at(s.table, enemy, zone)
    return len(ours) * _freight(s, enemy, theirs) - len(theirs) * _freight(s, s.seat, ours)


def _freight(s: Survey, seat: Seat, galleys: tuple[int, ...]) -> int:
    value = 0
    for galley in galleys:
        value += 20 + 15 * sum(s.table.cargo[galley])
        for leader in s.leaders[seat].get(ABOARD + galley, ()):
            value += CAESAR_VALUE if leader == s.caesar or leader % 5 == 0 else GENERAL_VALUE
    return value


def form(s: Survey, frame: Formation) -> Action:
    """The battle legion that hits most."""
    return Form(*odds.best_legion(s.army(frame.space), frame.size))


def lose(s: Survey, frame: Casualties) -> Action:
    """Of the own units those that will be missed least; of a fleeing enemy's the dearest."""
    if frame.owner != s.seat:
        return Lose(*greedy(frame.legion, frame.hits, DEAREST_FIRST))
    return Lose(*odds.losses(s.army(frame.space), frame.legion, frame.hits, s.led(frame.space)))


def sink(s: Survey, frame: Sinking) -> Action:
    """Empty galleys first, the one with the Caesar last."""
    ours = galleys_at(s.table, s.seat, frame.zone)
    return Sink(tuple(sorted(ours, key=lambda galley: _freight(s, s.seat, (galley,)))[: frame.hits]))


# --- running ---


def onward(s: Survey, frame: Onward) -> Action:
    """Fight on, unless the battle is lost and there is a place to go that is worth reaching."""
    targets = retreat_targets(s.table, s.seat, frame.space)
    if not targets or _own_margin(s, frame.space) > HOPELESS:
        return Stand()
    if is_siege(s, frame.space) and total(s.army(frame.space)) > BESIEGERS_LEFT:
        return Stand()
    return Retreat(_haven(s, targets, s.army(frame.space), s.led(frame.space)))


def _own_margin(s: Survey, space: Space) -> float:
    """Return the forecast from the bot's side, as attacker or defender, against its enemy in that battle."""
    battle = next(frame for frame in reversed(s.table.frames) if isinstance(frame, Battle))
    enemy = battle.defender if battle.attacker == s.seat else battle.attacker
    ours, led = s.army(space), s.led(space)
    theirs, marshals = s.armies[enemy].get(space, NO_ARMY), len(s.leaders[enemy].get(space, ()))
    if battle.attacker == s.seat:
        return odds.forecast(ours, led, theirs, marshals, s.walled(space, enemy)).margin
    return -odds.forecast(theirs, marshals, ours, led, s.walled(space, s.seat)).margin


def withdraw(s: Survey, frame: Withdrawal) -> Action:
    """Leaders without troops join the nearest safe army."""
    targets = retreat_targets(s.table, s.seat, frame.space)
    return Withdraw(_haven(s, targets, NO_ARMY, s.led(frame.space)) if targets else NONE)


def _haven(s: Survey, targets: list[Space], army: Army, leaders: int) -> Space:
    """The place where the survivors are safest; of equal ones, among friends and near home."""

    def risk(to: Space) -> tuple[float, float]:
        joint = plus(s.army(to), army)
        return s.danger(to, joint, s.led(to) + leaders), s.distance[to][s.home] - total(s.army(to))

    return min(targets, key=risk)


def judge(_s: Survey, _frame: Captives) -> Action:
    """A prisoner is worth a ransom, a dead general nothing."""
    return Judge(())

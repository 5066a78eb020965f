"""Worth of a position for the problems of Classic and 1984: exact chances of battles to come and under way."""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from shared.board import BOARD
from shared.ids import NO_ARMY, Seat, Space
from shared.mechanics.armies import army_of, enemies_in, plus
from shared.odds.outcome import ATTACKER, Host
from shared.odds.registry import ODDS
from shared.rulesets.conquest.pieces import leaders_at


def in_round(number: int) -> Callable[[Any], bool]:
    """Return a test whether the position is of that round."""
    return lambda table: bool(table.round == number)


def taking(ruleset: str, space: Space) -> Callable[[Any, Seat], float]:
    """Return the worth of marches that are over: the chance to win the battle in that province."""

    def worth(table: Any, seat: Seat) -> float:
        game, cell = ODDS[ruleset], table.units[space]
        if not any(army_of(cell, seat)):
            return 0.0
        enemies = enemies_in(cell, seat)
        if not enemies:
            return 1.0
        ours = game.present(table, seat, space, False)
        theirs = game.present(table, enemies[0], space, False)
        return game.odds(ours, theirs, False).wins(ATTACKER)

    return worth


def taking_any(ruleset: str, spaces: Sequence[Space]) -> Callable[[Any, Seat], float]:
    """Return the worth of marches that are over: the chance to win a battle in at least one of these provinces."""
    each = [taking(ruleset, space) for space in spaces]

    def worth(table: Any, seat: Seat) -> float:
        return 1.0 - prod(1.0 - one(table, seat) for one in each)

    return worth


def keeping_caesar(ruleset: str, steps: Callable[[Any], Any]) -> Callable[[Any, Seat], float]:
    """Return the worth of a turn that is over: the chance that no rival captures the Caesar over land in one turn.

    `steps`: the provinces beside each one. Each rival attacks with all led units beside the Caesar: it has no cavalry
    that would come from farther away, and no galleys.
    """

    def worth(table: Any, seat: Seat) -> float:
        at = table.leader_at[seat * table.leaders_each]
        if at >= BOARD.provinces:
            return 1.0  # The Caesar is at sea.
        threats = [_attack(ruleset, table, seat, rival, at, steps(table)[at]) for rival in range(table.seats)
                   if rival != seat]  # fmt: skip
        return 1.0 - max(threats)

    return worth


def _attack(ruleset: str, table: Any, seat: Seat, rival: Seat, at: Space, near: Any) -> float:
    """Return the chance of a rival to win at the Caesar's province with all neighbouring armies."""
    army, leaders = NO_ARMY, 0
    for space in near:
        led = len(leaders_at(table, rival, space))
        if led:
            army, leaders = plus(army, army_of(table.units[space], rival)), leaders + led
    if not any(army):
        return 0.0
    game = ODDS[ruleset]
    guards = game.present(table, seat, at, False)
    if not any(guards.army):
        return 1.0
    return game.odds(Host(army, leaders=leaders, options=table.options), guards, False).wins(ATTACKER)

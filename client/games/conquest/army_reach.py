"""Reach of armies in both conquest games: the movement of a turn that begins now, by the rules' own check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from client.games.conquest.drafts.move_draft import Legion, Movement
from client.games.conquest.position_queries import T
from client.games.conquest.rules_adapter import Marching
from client.table.army_reach import NOWHERE, ArmyReach
from shared.ids import Seat, Space
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.vocabulary import frames


def army_reach(rules: AnyRuleset, marching: Marching[T]) -> Callable[[T, Seat, Space], ArmyReach]:
    """Return the function that tells the reach of the strongest legion of a seat in a province."""

    def reach(table: T, seat: Seat, space: Space) -> ArmyReach:
        fresh = _at_the_beginning(table, seat)
        draft = Movement(fresh, seat, lambda action: engine.check(rules, fresh, seat, action), marching)
        if draft.pick_province(space) is not None or not isinstance(draft.pick, Legion):
            return NOWHERE
        pick, near = draft.pick, frozenset(draft.targets())
        further: set[Space] = set()
        if pick.units[1]:
            free = [there for there in near if not marching.clash(fresh, seat, there)]
            further = {beyond for there in free for beyond in marching.steps(fresh)[there]}
        return ArmyReach(pick.units, len(pick.leaders), near, frozenset(further - near - {space}))

    return reach


def _at_the_beginning(table: T, seat: Seat) -> T:
    """Return the position as if the seat's turn had just begun."""
    position: Any = table
    fresh: T = replace(
        position,
        frames=[frames.Turn(0, seat, 0), frames.Movement(0, seat)],
        leader_used=[0] * len(position.leader_used),
        galley_used=[0] * len(position.galley_used),
        moved=[()] * len(position.moved),
        landed=[()] * len(position.landed),
    )
    return fresh

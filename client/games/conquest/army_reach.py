"""Reach of armies in both conquest games: the movement of a turn that begins now, by the rules' own check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from client.games.conquest.drafts.move_draft import Legion, Movement
from client.games.conquest.position_queries import T
from client.games.conquest.rules_adapter import Marching
from client.table.army_reach import NOWHERE, ArmyReach, Landing
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.armies import minus, take_by_kind
from shared.mechanics.marching import BEST_FIRST
from shared.mechanics.places import OFF
from shared.rulesets.conquest.galleys import aboard
from shared.rulesets.conquest.legions import LEGION
from shared.rulesets.conquest.pieces import galley_lord, is_caesar, leaders_at
from shared.vocabulary import frames
from shared.vocabulary.actions import Sail


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


def landings(
    rules: AnyRuleset, marching: Marching[T],
    stops: Callable[[T, Seat, Space], bool] = lambda _table, _seat, _zone: False,
) -> Callable[[T, Seat, Space], list[Landing]]:  # fmt: skip
    """Return the function that tells which armies galleys of a seat can put ashore in a province next turn.

    A galley goes two steps: from a coast to sea and ashore, or with an army at sea over one more zone. `stops`: whether
    enemy galleys in a zone stop a galley of the seat that comes there.
    """

    def found(table: T, seat: Seat, space: Space) -> list[Landing]:
        fresh = _at_the_beginning(table, seat)
        zones = {zone for at in BOARD.coasts[space] for zone in BOARD.coast_seas[at]}
        entered = {zone for zone in zones if not stops(fresh, seat, zone)}
        parties: list[Landing] = []
        for galley, at in enumerate(fresh.galley_at):
            if at == OFF or galley_lord(fresh, galley) != seat:
                continue
            if BOARD.is_sea(at):
                leaders, army = aboard(fresh, seat, galley)
                if any(army) and (at in zones or not entered.isdisjoint(BOARD.coast_seas[at])):
                    parties.append(Landing(at, army, len(leaders)))
            elif BOARD.ashore[at] != space:
                parties += _embarking(fresh, seat, galley, entered.intersection(BOARD.coast_seas[at]), parties)
        return parties

    def _embarking(table: T, seat: Seat, galley: int, zones: set[Space], before: list[Landing]) -> list[Landing]:
        """Return the army that boards a galley on a coast and sails to one of these zones, if any. `before`: armies
        that have boarded other galleys."""
        at = table.galley_at[galley]
        home = BOARD.ashore[at]
        here = [leader for leader in leaders_at(table, seat, home) if marching.can_board(table, seat, galley, leader)]
        gone = [party for party in before if party.source == home]
        here = sorted(here, key=lambda leader: (is_caesar(table, leader), leader))[len(gone) :]
        army = marching.boardable(table, seat, galley, home)
        for party in gone:
            army = minus(army, party.army)
        army = take_by_kind(army, LEGION, BEST_FIRST)
        sails = [Sail(galley, zone, (here[0],), *army) for zone in zones] if here and any(army) else []
        able = any(engine.check(rules, table, seat, sail) is None for sail in sails)
        return [Landing(home, army, 1)] if able else []

    return found


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

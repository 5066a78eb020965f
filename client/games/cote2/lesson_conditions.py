"""Conditions for the lesson and the hints of Conquest II: present actions, and turns that are over."""

from typing import Any, TypeAlias

from client.games.cote2.drafts.land_move_draft import MarchDraft
from client.games.cote2.tasks.land_move_task import Marching
from client.games.cote2.tasks.senate_tasks import SenateVoting
from client.games.cote2.tasks.task_base import Deed
from client.games.cote2.tasks.turn_task import TakingTurn
from client.table.lesson import Glance, Sees
from shared.ids import NONE, Seat, Space
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.frames import Alliances, Turn
from shared.rulesets.cote2.state import TableFields

TableGlance: TypeAlias = Glance[TableFields]


def allied(glance: TableGlance) -> bool:
    """Whether the alliances of the season are made."""
    return not any(isinstance(frame, Alliances) for frame in glance.table.frames) and bool(glance.table.order)


def turns(glance: TableGlance) -> int:
    """Return the number of own turns that have begun."""
    return sum(event.seat == glance.seat for event in glance.events(e.TurnBegan))


def after_turn(number: int) -> Sees[TableFields]:
    """Return a condition: so many own turns are over."""

    def sees(glance: TableGlance) -> bool:
        acting = any(isinstance(frame, Turn) and frame.seat == glance.seat for frame in glance.table.frames)
        return turns(glance) > number or (turns(glance) == number and not acting)

    return sees


def deed(glance: TableGlance) -> Deed | None:
    """Return the action of the turn that is being put together, or None."""
    return glance.task.deed if isinstance(glance.task, TakingTurn) else None


def doing(*kinds: type[Any]) -> Sees[TableFields]:
    """Return a condition: an action of one of those kinds is being put together."""
    return lambda glance: isinstance(deed(glance), kinds)


def calling(card: int) -> Sees[TableFields]:
    """Return a condition: that card is about to be used."""
    return lambda glance: (
        isinstance(glance.task, TakingTurn) and glance.task.deed is not None and glance.task.card == card
    )


def choosing(but: int) -> Sees[TableFields]:
    """Return a condition: a card other than `but` is chosen."""
    return lambda glance: isinstance(glance.task, TakingTurn) and glance.task.card not in (NONE, but)


def march(glance: TableGlance) -> MarchDraft | None:
    """Return the march that is being put together, or None."""
    found = deed(glance)
    return found.draft if isinstance(found, Marching) else None


def picked(source: Space) -> Sees[TableFields]:
    """Return a condition: a march from that province is being put together."""

    def sees(glance: TableGlance) -> bool:
        found = march(glance)
        return found is not None and found.source == source

    return sees


def aimed(source: Space, to: Space) -> Sees[TableFields]:
    """Return a condition: a march from one province to another is being put together."""

    def sees(glance: TableGlance) -> bool:
        found = march(glance)
        return found is not None and (found.source, found.party.to) == (source, to)

    return sees


def shows(value: int) -> Sees[TableFields]:
    """Return a condition: a senator is about to be shown; `value`: its number less one."""
    return lambda glance: isinstance(glance.task, SenateVoting) and glance.task.chosen[value] > 0


def winner(glance: TableGlance, space: Space) -> Seat | None:
    """Return the winner of the battle there (NONE for none), or None before its end."""
    return next((event.winner for event in glance.events(e.BattleEnded) if event.space == space), None)

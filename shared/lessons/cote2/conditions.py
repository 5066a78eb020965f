"""Conditions for the lesson and the hints of Conquest II: present actions, and turns that are over."""

from typing import TypeAlias

from shared.ids import Seat, Space
from shared.lessons.lesson import Draft, Glance, Sees
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


def calling(card: int) -> tuple[Draft, ...]:
    """Return the draft of the use of that card."""
    return (Draft("calling", n=card),)


def picked(source: Space) -> tuple[Draft, ...]:
    """Return the draft of a march from that province."""
    return (Draft("picked", (source,)),)


def aimed(source: Space, to: Space) -> tuple[Draft, ...]:
    """Return the draft of a march from one province to another."""
    return (Draft("aimed", (source, to)),)


def shows(value: int) -> tuple[Draft, ...]:
    """Return the draft of a senator that is about to be shown; `value`: its number less one."""
    return (Draft("senator", n=value),)


def winner(glance: TableGlance, space: Space) -> Seat | None:
    """Return the winner of the battle there (NONE for none), or None before its end."""
    return next((event.winner for event in glance.events(e.BattleEnded) if event.space == space), None)

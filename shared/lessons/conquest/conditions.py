"""Conditions for the lessons of both conquest games: the phase of a turn, picks and completed actions."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Event, Frame
from shared.language.sentence import Value, _
from shared.lessons.lesson import Draft, Glance, Lit, Sees, happened
from shared.vocabulary.events import BattleEnded, Bought, Eliminated, Marched, Sailed, Tribute, TurnBegan

Phases: TypeAlias = Sequence[type[Frame]]
"""Frames on the stack in each phase of a turn, in order."""


def province(key: str) -> Space:
    """Return the province with that key."""
    return BOARD.keys.index(key)


def begins(seat: Seat, number: int) -> Callable[[Event], bool]:
    """Return a test for the event that a seat's turn begins in that round."""
    return lambda event: isinstance(event, TurnBegan) and (event.seat, event.round) == (seat, number)


def next_turn(number: int) -> Sees[Any]:
    """Return a condition: the pupil's turn after that round has come."""
    return lambda glance: any(e.seat == glance.seat and e.round > number for e in glance.events(TurnBegan))


def phase(glance: Glance[Any], phases: Phases) -> int:
    """Return the phase of the pupil's turn, by its number; beyond all phases once another seat has had a turn."""
    if any(event.seat != glance.seat for event in glance.events(TurnBegan)):
        return len(phases)
    found = [number for number, kind in enumerate(phases) if any(isinstance(f, kind) for f in glance.table.frames)]
    return found[0] if found else 0


def after(number: int, phases: Phases) -> Sees[Any]:
    """Return a condition: that phase is over."""
    return lambda glance: phase(glance, phases) > number


def picked(source: Space) -> tuple[Draft, ...]:
    """Return the draft of a legion picked there."""
    return (Draft("picked", (source,)),)


def aimed(source: Space, to: Space) -> tuple[Draft, ...]:
    """Return the draft of a legion aimed at that space."""
    return (Draft("aimed", (source, to)),)


def boarded(at: Position) -> tuple[Draft, ...]:
    """Return the draft of a legion put aboard a galley on that coast."""
    return (Draft("boarded", (at,)),)


def steered(to: Position) -> tuple[Draft, ...]:
    """Return the draft of a galley aimed at that position."""
    return (Draft("steered", (to,)),)


def sailed(to: Position) -> Sees[Any]:
    """Return a condition: a galley of the pupil has come to that position."""
    return lambda glance: any(e.seat == glance.seat and e.to == to for e in glance.events(Sailed))


def marches(glance: Glance[Any], source: Space) -> list[Marched]:
    """Return the pupil's marches with units from that space."""
    return [e for e in glance.events(Marched) if e.seat == glance.seat and e.source == source and any(e.army)]


def marched(source: Space) -> Sees[Any]:
    """Return a condition: the pupil has marched with units from there."""
    return lambda glance: bool(marches(glance, source))


def went(source: Space, to: Space) -> Callable[[Event], bool]:
    """Return a test for the event that units went from there, but not to `to`."""
    return lambda event: isinstance(event, Marched) and event.source == source and event.to != to


def tribute(glance: Glance[Any]) -> Value:
    """Return the text for the tribute that has come."""
    talents = sum(event.talents for event in glance.events(Tribute) if event.seat == glance.seat)
    return _(
        "Tribute has come by itself: {talents} talents, the worth of your provinces and 5 for each city. The "
        "list of players shows what everybody earns.",
        talents=talents,
    )


def wants(good: int, count: int) -> tuple[Draft, ...]:
    """Return the draft of an order with so many of a good."""
    return (Draft("wants", (good,), count),)


def bought(glance: Glance[Any]) -> Bought | None:
    """Return the pupil's purchase, or None."""
    return next((event for event in glance.events(Bought) if event.seat == glance.seat), None)


def site(glance: Glance[Any]) -> Lit:
    """Return the first site for the pupil's purchase."""
    return Lit(spaces=glance.choices[:1], buttons=(_("End turn"), _("Really end?")))


def fought(space: Space) -> Sees[Any]:
    """Return a condition: a battle there is over."""
    return happened(BattleEnded, lambda event: event.space == space)


def winner(glance: Glance[Any], space: Space) -> Seat | None:
    """Return the winner of the battle there, or None."""
    return next((event.winner for event in glance.events(BattleEnded) if event.space == space), None)


def out(glance: Glance[Any]) -> bool:
    """Whether the pupil has lost the Caesar."""
    return any(event.seat == glance.seat for event in glance.events(Eliminated))


def fate(glance: Glance[Any]) -> Value:
    """Return the text for a lost Caesar; empty otherwise."""
    return (
        _("Your Caesar was caught, and you are out. Start the lesson again: it will go better.") if out(glance) else ""
    )

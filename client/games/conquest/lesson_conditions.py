"""Conditions for the lessons of both conquest games: the phase of a turn, picks and completed actions."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from client.games.conquest.drafts.move_draft import Legion, SailDraft
from client.games.conquest.tasks.building_tasks import Buying
from client.games.conquest.tasks.movement_tasks import Moving
from client.language import _
from client.table.lesson import Glance, Lit, Sees, happened
from client.table.position import SeatPosition
from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Event, Frame
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


def phase(glance: Glance[SeatPosition], phases: Phases) -> int:
    """Return the phase of the pupil's turn, by its number; beyond all phases once another seat has had a turn."""
    if any(event.seat != glance.seat for event in glance.events(TurnBegan)):
        return len(phases)
    found = [number for number, kind in enumerate(phases) if any(isinstance(f, kind) for f in glance.table.frames)]
    return found[0] if found else 0


def after(number: int, phases: Phases) -> Sees[Any]:
    """Return a condition: that phase is over."""
    return lambda glance: phase(glance, phases) > number


def picked(source: Space) -> Sees[Any]:
    """Return a condition: the pupil has picked a legion there."""
    return lambda glance: legion(glance) is not None and legion(glance).source == source  # type: ignore[union-attr]


def aimed(source: Space, to: Space) -> Sees[Any]:
    """Return a condition: the pupil has aimed the legion at that space."""

    def sees(glance: Glance[Any]) -> bool:
        pick = legion(glance)
        return pick is not None and (pick.source, pick.to) == (source, to)

    return sees


def legion(glance: Glance[Any]) -> Legion | None:
    """Return the legion that the pupil has picked, or None."""
    pick = glance.task.draft.pick if isinstance(glance.task, Moving) else None
    return pick if isinstance(pick, Legion) else None


def voyage(glance: Glance[Any]) -> SailDraft | None:
    """Return the voyage that the pupil puts together, or None."""
    pick = glance.task.draft.pick if isinstance(glance.task, Moving) else None
    return pick if isinstance(pick, SailDraft) else None


def boarded(at: Position) -> Sees[Any]:
    """Return a condition: the pupil puts a legion aboard a galley on that coast."""

    def sees(glance: Glance[Any]) -> bool:
        pick = voyage(glance)
        return pick is not None and any(pick.units) and glance.table.galley_at[pick.galley] == at

    return sees


def steered(to: Position) -> Sees[Any]:
    """Return a condition: the pupil has aimed a galley at that position."""
    return lambda glance: getattr(voyage(glance), "to", None) == to


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


def tribute(glance: Glance[Any]) -> str:
    """Return the text for the tribute that has come."""
    talents = sum(event.talents for event in glance.events(Tribute) if event.seat == glance.seat)
    return _(
        "Tribute has come by itself: {talents} talents, the worth of your provinces and 5 for each city. The "
        "list of players shows what everybody earns.",
        talents=talents,
    )


def wants(good: int, count: int) -> Sees[Any]:
    """Return a condition: the pupil's order has so many of a good."""
    return lambda glance: isinstance(glance.task, Buying) and glance.task.counts[good] >= count


def bought(glance: Glance[Any]) -> Bought | None:
    """Return the pupil's purchase, or None."""
    return next((event for event in glance.events(Bought) if event.seat == glance.seat), None)


def site(glance: Glance[Any]) -> Lit:
    """Return the first site for the pupil's purchase."""
    return Lit(spaces=tuple(glance.task.lit())[:1], buttons=(_("End turn"), _("Really end?")))


def fought(space: Space) -> Sees[Any]:
    """Return a condition: a battle there is over."""
    return happened(BattleEnded, lambda event: event.space == space)


def winner(glance: Glance[Any], space: Space) -> Seat | None:
    """Return the winner of the battle there, or None."""
    return next((event.winner for event in glance.events(BattleEnded) if event.space == space), None)


def out(glance: Glance[Any]) -> bool:
    """Whether the pupil has lost the Caesar."""
    return any(event.seat == glance.seat for event in glance.events(Eliminated))


def fate(glance: Glance[Any]) -> str:
    """Return the text for a lost Caesar; empty otherwise."""
    return (
        _("Your Caesar was caught, and you are out. Start the lesson again: it will go better.") if out(glance) else ""
    )

"""Secrets of each audience; this file alone decides about them (II-D09).

Secret are the value of senators (their number is not), chaos until it is counted, and all that has not been drawn. The
view is built field by field: a new field of the state is invisible until a line here shows it.
"""

from typing import Final

from msgspec.structs import replace

from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.rulesets.cote2.events import ChaosShown, SenatorDrawn, SenatorKilled, SenatorsShown, SenatorTaken
from shared.rulesets.cote2.state import HIDDEN, State, TableFields

DISCLOSING: Final = (SenatorsShown, SenatorTaken, SenatorKilled, SenatorDrawn, ChaosShown)
"""Events that reveal a secret to a seat. Chaos otherwise changes by numbers that all players can count: of taxes,
recruits, loot, lost battles and benefits. A senator bought from the row is known to all.
"""


class View(TableFields):
    """The view that travels. Fields and their order are the delta paths of the wire (`rulesets` version changes with
    them).
    """


def view(state: State, seat: Seat | None) -> View:
    """Return the view of `seat`, or of the public (None). It shares the lists of a state that does not change any
    more.
    """
    over = state.winner != NONE
    return View(
        seats=state.seats,
        options=state.options,
        frames=state.frames,
        season=state.season,
        round=state.round,
        order=state.order,
        side=state.side,
        owner=state.owner,
        units=state.units,
        built=state.built,
        influence=state.influence,
        tokens=state.tokens,
        pool=[sum(state.pool)],
        deck=[sum(state.deck)],
        row=state.row,
        cards=state.cards,
        used=state.used,
        senators=[hand if over or who == seat else (sum(hand),) for who, hand in enumerate(state.senators)],
        chaos=[n if over or who == seat else HIDDEN for who, n in enumerate(state.chaos)],
        leader_at=state.leader_at,
        galley_at=state.galley_at,
        talents=state.talents,
        points=state.points,
        ledger=state.ledger,
        conceded=state.conceded,
        winner=state.winner,
        winners=state.winners,
    )


def event_for(event: Event, seat: Seat | None) -> Event | None:
    """Return an event as `seat`, or the public, sees it; only a few learn which senator changed hands."""
    match event:
        case SenatorTaken(taker, victim, _value):
            return event if seat in (taker, victim) else replace(event, value=0)
        case SenatorKilled(_killer, victim, _value):
            return event if seat == victim else replace(event, value=0)
        case SenatorDrawn(taker, _value):
            return event if seat == taker else replace(event, value=0)
    return event

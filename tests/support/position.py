"""Classic positions in a few words, scripted play, and what a test wants to ask.

A built position begins with nothing but each seat's Caesar in its home, which it owns; everything else is named::

    state = position(units={"italia": {0: (5, 0, 0)}}, leaders={"italia": [general(0)]}, homes=("italia", "egyptus"))
    play(state, (0, march("italia", "neapolis", general(0), 3)), (0, EndMovement()))

Dice are written as words of letters: i infantry, c cavalry, k catapult, g galley, . blank.
"""

from collections.abc import Sequence
from typing import Final, Unpack

from shared.ids import NONE
from shared.kernel import engine
from shared.rulesets.classic import stages
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.amendments import LAST_TURN, amended
from shared.rulesets.classic.definition import CLASSIC, HOMES_ON_OFFER, ORDER, new_state
from shared.rulesets.classic.table import GALLEYS, LEADERS, State
from tests.support.layout import Layout, Numbering, lay_out, settle_homes, sp
from tests.support.referee import Referee

PHASES: Final = {step.name.lower(): step for step in stages.Step}
"""The step of a turn that comes next, by name."""
FACES: Final = {"i": 0, "c": 2, "k": 3, "g": 4, ".": 5}
"""Letters for the faces of the battle die."""

REFEREE: Final = Referee(CLASSIC, FACES)
sound, play, faces, owed, end_turn = REFEREE.sound, REFEREE.play, REFEREE.faces, REFEREE.owed, REFEREE.end_turn
verdict, legal, refused, options = REFEREE.verdict, REFEREE.legal, REFEREE.refused, REFEREE.options
NUMBERING: Final = Numbering(LEADERS, GALLEYS)
caesar, general, galley = NUMBERING.caesar, NUMBERING.general, NUMBERING.galley


def position(seats: int = 2, *, settle: bool = True, **layout: Unpack[Layout]) -> State:
    """A settled, sound position at the beginning of `phase` of the turn of seat `turn`."""
    amendments = layout.get("amendments", len(CLASSIC.amendments))
    state = new_state(seats, engine.checked_options(CLASSIC, seats, layout.get("options") or {}), amendments)
    settle_homes(state, LEADERS, ORDER, HOMES_ON_OFFER[seats], layout)
    for colour, lord in layout.get("lords", {}).items():
        state.owner[state.home[colour]] = lord
    lay_out(state, PHASES, layout)
    reached = sum(seat != NONE for seat in state.triggered)
    state.due = layout.get("due", (1 << reached) - 1 if amended(state, LAST_TURN) else reached)
    if settle:
        engine.settle(CLASSIC, state, engine.ignore_event)
    sound(state)
    return state


def march(
    source: str,
    to: str,
    leaders: int | Sequence[int],
    infantry: int = 0,
    cavalry: int = 0,
    catapults: int = 0,
    tired: int = 0,
    drops: Sequence[tuple[str, int, int, int]] = (),
) -> March:
    """A `March` with names of provinces."""
    led = (leaders,) if isinstance(leaders, int) else tuple(leaders)
    dropped = tuple((sp(key), *army) for key, *army in drops)
    return March(sp(source), sp(to), led, infantry, cavalry, catapults, tired, dropped)  # type: ignore[arg-type]

"""Positions of the 1984 game in a few words, scripted play, and what a test wants to ask.

A built position begins with nothing but each seat's Caesar in its home, which it owns; everything else is named::

    state = position(units={"italia": {0: (5, 0, 0)}}, leaders={"italia": [general(0)]}, homes=("italia", "egyptus"))
    play(state, (0, march("italia", "neapolis", general(0), 3)), (0, EndMovement()))

Dice are written as they fall: ``"5"``.
"""

from collections.abc import Sequence
from typing import Final, Unpack

from shared.ids import NONE
from shared.kernel import engine
from shared.mechanics.pieces import OFF
from shared.rulesets.conquest.diplomacy import OFFERS
from shared.rulesets.mb1984 import stages
from shared.rulesets.mb1984.actions import March
from shared.rulesets.mb1984.definition import HOMES_ON_OFFER, MB1984, ORDER, new_state
from shared.rulesets.mb1984.table import GALLEYS, LEADERS, State
from tests.support.layout import Layout, Numbering, lay_out, prison, settle_homes, sp
from tests.support.referee import Referee

PHASES: Final = {step.name.lower(): step for step in stages.Step}
"""The step of a turn that comes next, by name."""

REFEREE: Final = Referee(MB1984, {str(face + 1): face for face in range(6)})
sound, play, owed, end_turn = REFEREE.sound, REFEREE.play, REFEREE.owed, REFEREE.end_turn
verdict, legal, refused, options = REFEREE.verdict, REFEREE.legal, REFEREE.refused, REFEREE.options
NUMBERING: Final = Numbering(LEADERS, GALLEYS)
caesar, general, galley = NUMBERING.caesar, NUMBERING.general, NUMBERING.galley


def position(seats: int = 2, **layout: Unpack[Layout]) -> State:
    """A settled, sound position at the beginning of `phase` of the turn of seat `turn`."""
    amendments = layout.get("amendments", len(MB1984.amendments))
    state = new_state(seats, engine.checked_options(MB1984, seats, layout.get("options") or {}), amendments)
    state.offers = OFFERS
    settle_homes(state, LEADERS, ORDER, HOMES_ON_OFFER[seats], layout)
    for colour, lord in layout.get("lords", {}).items():
        state.leader_at[caesar(colour)] = prison(lord) if lord != NONE else OFF
    lay_out(state, PHASES, layout)
    engine.settle(MB1984, state, engine.ignore_event)
    sound(state)
    return state


def start(seats: int, **chosen: int) -> State:
    """The printed start with homes by seat, in the order of play."""
    state: State = engine.start(MB1984, seats, {"homes": 2, **chosen}, engine.ignore_event)
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
) -> March:
    """A `March` with names of provinces."""
    led = (leaders,) if isinstance(leaders, int) else tuple(leaders)
    return March(sp(source), sp(to), led, infantry, cavalry, catapults, tired)

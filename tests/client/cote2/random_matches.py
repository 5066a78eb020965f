"""Random matches, seen by one viewer after the other."""

from collections.abc import Iterator
from random import Random

from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Event
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import State, TableFields
from tests.support.cote2_games import crowded

NAMES = ("Livia", "Marcus", "Cornelia", "Gaius", "Octavia", "Titus")


def who(seat: Seat) -> str:
    """Return the name of a player; names are unique."""
    return NAMES[seat]


def act(state: State, rng: Random) -> list[Event]:
    """Let a seat that owes a decision act."""
    happened: list[Event] = []
    (seat,) = engine.owed(COTE2, state)
    if seat == NATURE:
        action = engine.chance_action(state, rng)
        assert action is not None
    else:
        action = rng.choice(list(engine.options(COTE2, state, seat)))
    engine.play(COTE2, state, seat, action, happened.append)
    return happened


def walk(seats: int, seed: int, steps: int) -> Iterator[tuple[State, TableFields, list[Event]]]:
    """Yield positions as one viewer sees them, with the events since the last one; odd seeds begin in the middle."""
    rng = Random(seed)
    state = crowded(seats, seed) if seed % 2 else engine.start(COTE2, seats, {}, engine.ignore_event)
    happened: list[Event] = []
    for _ in range(steps):
        viewer = rng.choice([*range(seats), None])
        heard = [COTE2.event_for(event, viewer) for event in happened]
        yield state, COTE2.view(state, viewer), [event for event in heard if event is not None]
        if state.winner != NONE:
            return
        state = state.clone()
        happened = act(state, rng)

"""Random walks through matches of the second game: positions in which a seat owes a decision."""

from collections.abc import Iterator
from random import Random

from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Pass
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import State


def walk(seats: int, seed: int, decisions: int, **chosen: int) -> Iterator[tuple[State, Seat]]:
    """Yield a match's positions with the seat that owes; it goes on by a random option.

    Passing is rare: the board fills sooner.
    """
    rng = Random(seed)
    state: State = engine.start(COTE2, seats, chosen, engine.ignore_event)
    while decisions and not COTE2.finished(state):
        (seat,) = engine.owed(COTE2, state)
        action = engine.chance_action(state, rng)
        if seat != NATURE:
            yield state, seat
            decisions -= 1
            action = _choose(rng, list(engine.options(COTE2, state, seat)))
        assert action is not None
        state = state.clone()
        engine.perform(COTE2, state, seat, action, engine.ignore_event)


def _choose(rng: Random, options: list[Action]) -> Action:
    """Return an option: first its kind is drawn, then one of that kind."""
    kinds = sorted({type(action) for action in options}, key=lambda kind: kind.__name__)
    if len(kinds) > 1 and rng.random() < 0.9:
        kinds = [kind for kind in kinds if kind is not Pass]
    kind = rng.choice(kinds)
    return rng.choice([action for action in options if type(action) is kind])

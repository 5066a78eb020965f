"""An option that is carried out without judging has the same effect as with judging."""

from contextlib import nullcontext
from random import Random
from typing import Any

import msgspec
import pytest

from server.bots.policy import play_random
from server.tools import simulate
from server.tools.recording import Broken
from shared.kernel import engine
from shared.kernel.frames import Event
from shared.refusal import Refusal
from shared.rulesets.registry import RULESETS, ruleset
from shared.vocabulary.frames import HomeChoice
from shared.vocabulary.options import CHOSEN
from tests.support.fuzz import ENCODER

STEPS = 400


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("key", RULESETS)
def test_judged_or_not_it_is_the_same_match(key: str, seats: int) -> None:
    rules, rng = ruleset(key), Random(seats)
    state: Any = engine.start(rules, seats, {}, engine.ignore_event)
    owed = engine.owed(rules, state)
    for _ in range(STEPS):
        if not owed:
            break
        seat = rng.choice(owed)
        action = engine.chance_action(state, rng) or rng.choice(engine.options(rules, state, seat))
        judged, told = state.clone(), list[Event]()
        engine.play(rules, judged, seat, action, told.append)
        happened: list[Event] = []
        owed = engine.perform(rules, state, seat, action, happened.append)
        assert (ENCODER.encode(state), happened, owed) == (ENCODER.encode(judged), told, engine.owed(rules, judged))


@pytest.mark.parametrize("key", RULESETS)
def test_a_simulation_that_trusts_its_options_plays_the_same_games(key: str) -> None:
    logs, ends = [], []
    for check in simulate.CHECKS:
        game = simulate.SimulatedGame(ruleset(key), 3, 5, {})
        game.play(play_random, STEPS, check)
        logs.append(game.log)
        ends.append(ENCODER.encode(game.state))
    assert logs[0] == logs[1] == logs[2] and ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize(("check", "judged"), [("every", True), ("end", False), ("none", False)])
def test_a_simulation_judges_what_it_looks_at(check: str, judged: bool) -> None:
    """The changed rules offer homes and refuse to have them chosen."""
    rules = ruleset("classic")
    stubborn = msgspec.structs.replace(rules.handlers[HomeChoice], check=lambda *_: Refusal("no", "", "Not today."))
    rules = msgspec.structs.replace(rules, handlers={**rules.handlers, HomeChoice: stubborn})
    game = simulate.SimulatedGame(rules, 2, 1, {"homes": CHOSEN})
    with pytest.raises(Broken, match="Not today") if judged else nullcontext():
        game.play(play_random, 10, check)
    assert len(game.log) == (2 if judged else 10)

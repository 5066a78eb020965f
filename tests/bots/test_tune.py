"""The tuning of the normal bots' constants by self-play."""

import random
from collections.abc import Sequence
from contextlib import closing
from itertools import islice

import pytest

from server.bots.cote2 import fighting, position_analysis
from server.bots.policy import play_normal
from shared.kernel import engine
from shared.rulesets.registry import ruleset
from tests.bench import tune
from tests.bench.learn import movers
from tests.bench.tune import Tuning
from tests.support.marks import with_releases

GAMES = sorted(tune.TUNED)


@pytest.mark.parametrize("game", GAMES)
def test_constants_without_a_change_keep_their_values(game: str) -> None:
    tuning = Tuning(game)
    for names, name, value in tuning.setting(tuning.changes):
        assert names[name] == value and type(names[name]) is type(value), name


def test_a_constant_changes_in_all_modules_that_import_it() -> None:
    tuning = Tuning("cote2")
    usual = tuning.setting(tuning.changes)
    unit = position_analysis.UNIT
    try:
        tune.install(tuning.setting([0.1] * len(tuning.changes)))
        assert position_analysis.UNIT == vars(fighting)["UNIT"] > unit
    finally:
        tune.install(usual)
    assert position_analysis.UNIT == vars(fighting)["UNIT"] == unit


def test_constants_move_towards_the_setting_that_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting with more of the first constant and less of the second wins."""

    def trial(
        _self: Tuning, _changes: Sequence[float], signs: Sequence[int], _chance: random.Random
    ) -> tuple[float, int]:
        return (signs[0] - signs[1]) / 2, 2

    monkeypatch.setattr(Tuning, "_trial", trial)
    found = []
    for _ in range(2):
        tuning = Tuning("mb1984")
        with closing(tuning.steps(1)) as steps:
            assert list(islice(steps, 60))[-1] == 60 * 2 * tune.TRIALS
        found.append(tuning.changes)
    first, second, *others = found[0]
    assert first > 0.3 and second < -0.3 and max(map(abs, others)) < 0.2
    assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(GAMES, "cote2"))
def test_a_step_plays_matches_and_leaves_the_bots_as_they_were(game: str) -> None:
    tuning = Tuning(game)
    usual = [(name, names[name]) for names, name, _ in tuning.setting(tuning.changes)]
    with closing(tuning.steps(3)) as steps:
        assert next(steps) >= 2 * tune.TRIALS
    assert any(tuning.changes)
    assert [(name, names[name]) for names, name, _ in tuning.setting([0.0] * len(tuning.changes))] == usual


def test_a_turtle_is_beaten_the_better_the_sooner() -> None:
    rules = ruleset("mb1984")
    state = engine.start(rules, 2, {}, engine.ignore_event)
    state.winner, state.round = 0, 30
    state.frames.clear()
    state.lord[1] = 0
    assert rules.finished(state)
    assert tune.gain(rules, state, [0]) == 1.0 > tune.gain(rules, state, [0], in_haste=True) > 0
    assert tune.gain(rules, state, [1]) == -1.0


def test_a_tuned_policy_decides_by_its_own_values() -> None:
    rules = ruleset("cote2")
    tuning = Tuning("cote2")
    usual = tuning.setting(tuning.changes)
    seen = []

    def decide(*args: object) -> object:
        seen.append(position_analysis.ENVY)
        return play_normal(*args)  # type: ignore[arg-type]

    state = engine.start(rules, 2, {}, engine.ignore_event)
    chance = random.Random(1)
    try:
        players = [tune.tuned(tuning.setting([sign] * len(tuning.changes)), decide) for sign in (0.5, -0.5)]  # type: ignore[arg-type]
        for count, _seat in enumerate(movers(rules, state, players, chance, 1)):
            if count > 40:
                break
    finally:
        tune.install(usual)
    assert max(seen) > position_analysis.ENVY > min(seen)

"""Verdicts on legal and illegal actions that authors of clients are given: the same as those of the rules."""

import msgspec
import pytest

from protocol import codec
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS
from tests.conformance import vectors as vectors_module
from tests.conformance.files import Vectors
from tests.conformance.vectors import collected, holds, judged, kept, missing, path, written

GAMES = pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)


@GAMES
def test_the_rules_say_what_is_written_there(rules: AnyRuleset) -> None:
    """A changed refusal, or a new version: `python -m tests.conformance.vectors`, on purpose."""
    vectors = kept(rules)
    assert (vectors.ruleset, vectors.version) == (rules.id, rules.version)
    assert [position for position in vectors.positions if not holds(rules, position)] == []


def test_vectors_stay_as_they_are_when_others_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RULESETS["mb1984"]
    whole = kept(rules).positions
    changed = msgspec.structs.replace(
        whole[0], tries=[msgspec.structs.replace(whole[0].tries[0], code="over"), *whole[0].tries[1:]]
    )
    monkeypatch.setattr(vectors_module, "SEEDS", 1)
    monkeypatch.setattr(vectors_module, "MOST_SEEDS", 1)
    monkeypatch.setattr(vectors_module, "recorded", lambda _rules: iter(()))
    made = collected(rules, Vectors(rules.id, rules.version, [changed, *whole[1:40]])).positions
    assert made[:39] == whole[1:40] and len(made) > 39 and all(holds(rules, position) for position in made[39:])


@GAMES
def test_every_kind_of_action_is_accepted_and_refused(rules: AnyRuleset) -> None:
    assert missing(kept(rules), rules) == []


@GAMES
def test_refusals_shared_by_all_games_are_among_the_vectors(rules: AnyRuleset) -> None:
    codes = {each.code for position in kept(rules).positions for each in position.tries}
    assert {"bad-action", "stale-frame", "not-yours", "wrong-action", "over"} <= codes


@GAMES
def test_a_missing_kind_of_action_is_noticed(rules: AnyRuleset) -> None:
    """The test above can fail."""
    vectors = kept(rules)
    tags = {
        each.action[0] for position in vectors.positions for each in position.tries if each.action and not each.code
    }
    for tag in sorted(tags):
        fewer = [
            msgspec.structs.replace(position, tries=[each for each in position.tries if each.action[:1] != [tag]])
            for position in vectors.positions
        ]
        assert len(missing(msgspec.structs.replace(vectors, positions=fewer), rules)) == 2


@GAMES
def test_another_verdict_is_noticed(rules: AnyRuleset) -> None:
    vectors = kept(rules)
    position = next(position for position in vectors.positions if any(not each.code for each in position.tries))
    view = rules.view_decoder.decode(codec.ENCODER.encode(position.view))
    number = engine.top(view).no
    accepted = next(each for each in position.tries if not each.code)
    other = judged(rules, view, position.seat, number + 1, codec.ENCODER.encode(accepted.action))
    assert other is not None and other.code != accepted.code


@GAMES
def test_the_file_is_small_and_in_lines(rules: AnyRuleset) -> None:
    data = path(rules).read_bytes()
    assert data == written(kept(rules)) and len(data) < 128 * 1024

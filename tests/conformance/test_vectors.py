"""Verdicts on legal and illegal actions that authors of clients are given: the same as those of the rules."""

import msgspec
import pytest

from protocol import codec
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS
from tests.conformance.files import Position, Vectors
from tests.conformance.vectors import judged, missing, path, written

GAMES = pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)


def kept(rules: AnyRuleset) -> Vectors:
    return msgspec.json.decode(path(rules).read_bytes(), type=Vectors)


def verdicts(rules: AnyRuleset, position: Position) -> list[tuple[str, str]]:
    """Return the rules' verdict on each try of a position, judged by the view of the seat alone."""
    view = rules.view_decoder.decode(codec.ENCODER.encode(position.view))
    assert codec.decode_plain(codec.encode(view)) == position.view
    refusals = [
        judged(rules, view, position.seat, each.frame, codec.ENCODER.encode(each.action)) for each in position.tries
    ]
    return [(refusal.code, refusal.rule) if refusal else ("", "") for refusal in refusals]


@GAMES
def test_the_rules_say_what_is_written_there(rules: AnyRuleset) -> None:
    """A changed refusal, or a new version: `python -m tests.conformance.vectors`, on purpose."""
    vectors = kept(rules)
    assert (vectors.ruleset, vectors.version) == (rules.id, rules.version)
    for position in vectors.positions:
        assert verdicts(rules, position) == [(each.code, each.rule) for each in position.tries]


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

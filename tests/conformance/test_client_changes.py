"""The deltas that test clients leave every view as it is, and use every kind of change."""

import copy
from typing import Any, Final

import pytest

from protocol import codec, delta
from server.matches.dice import Dice
from server.matches.match import Match
from server.tools.client_changes import EXERCISES, INSIDE, MANY, NEEDLESS, WHOLE_FIELD, Exercise, outstanding
from shared.rulesets.registry import RULESETS
from tests.support.marks import mostly_long

SEATS: Final = 3


def view_of(game: str, audience: int) -> list[Any]:
    match = Match(RULESETS[game], SEATS, {}, Dice(7))
    first = match.chance()
    if first is not None:
        match.commit(first)
    view: list[Any] = codec.decode_plain(match.view(audience))
    return view


def kind(view: list[Any], change: list[Any]) -> str:
    """Return the row of the table in SPEC section 3.1 that a change belongs to."""
    field, index, value = change if len(change) == 3 else (*change, None)
    if len(change) == 2:
        return "value"
    if isinstance(index, list):
        return "many"
    if index < 0:
        return "whole" if index == delta.WHOLE else "inside"
    return "cut" if value is None else "append" if index == len(view[field]) else "item"


def kinds(view: list[Any], changes: list[Any]) -> list[str]:
    found = []
    while changes:
        size = 3 if isinstance(view[changes[0]], list) else 2
        found.append(kind(view, changes[:size]))
        delta.patch(view, copy.deepcopy(changes[:size]))
        changes = changes[size:]
    return found


@pytest.mark.parametrize("audience", [0, SEATS])
@pytest.mark.parametrize("game", RULESETS)
def test_every_kind_of_change_occurs_and_leaves_the_view_as_it_is(game: str, audience: int) -> None:
    view, found = view_of(game, audience), set()
    for exercise in EXERCISES:
        changes = exercise.delta(copy.deepcopy(view))
        assert changes is not None, exercise.fault
        patched = exercise.spoil(copy.deepcopy(view))
        found |= set(kinds(patched, changes))
        assert patched == view, exercise.fault
    assert found == {"value", "item", "append", "cut", "many", "whole", "inside"}


@pytest.mark.parametrize("exercise", mostly_long(EXERCISES[1:], EXERCISES[3]), ids=lambda exercise: exercise.fault)
def test_leaving_out_the_last_change_spoils_the_view(exercise: Exercise) -> None:
    view = view_of("classic", 0)
    changes = exercise.delta(view)
    assert changes is not None
    patched = exercise.spoil(copy.deepcopy(view))
    size = 2 if exercise.fault == "delta-value" else 3
    delta.patch(patched, copy.deepcopy(changes[:-size]))
    assert (patched == view) == (exercise is EXERCISES[1])


def test_faults_leave_out_what_they_make_meaningless() -> None:
    assert [each.fault for each in outstanding(lambda: ())] == [each.fault for each in EXERCISES]
    assert not {WHOLE_FIELD, MANY} & {each.fault for each in outstanding(lambda: (WHOLE_FIELD,))}
    assert INSIDE in {each.fault for each in outstanding(lambda: (WHOLE_FIELD,))}
    assert list(outstanding(lambda: (NEEDLESS,))) == []

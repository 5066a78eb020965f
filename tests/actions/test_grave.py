"""Labels mark actions that destroy, give away or end something; no form begins with one or with the dearest choice."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from msgspec import msgpack

from shared.actions.description import FieldKind, Filter, Form
from shared.actions.registry import ACTIONS
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.mb1984.actions import Execute, Reply
from shared.vocabulary.actions import Answer, Concede, EndMovement, EndTurn, Judge, Raze, Resign, Retreat
from tests.actions.test_conquest_labels import GAMES, moments
from tests.support.cote2_walks import walk
from tests.support.marks import in_stages

CASES: Final = [(game, seats, seed) for game in (*GAMES, "cote2") for seats in range(2, 7) for seed in range(3)]
FIRST: Final = [("classic", 3, 0), ("mb1984", 4, 1), ("cote2", 3, 1)]
GRAVE: Final = (EndMovement, EndTurn, Raze, Resign, Execute)
GIVEN: Final = {"pays", "gives", "kill"}
"""Fields of what is lost for good, whatever the game."""
ONLY_GRAVE: Final = (Execute, Concede)
"""Kinds of which each action is grave, but those that take it back."""
LENT: Final = {"infantry", "cavalry", "catapults", "galleys"}


def played(game: str, seats: int, seed: int, steps: int) -> Iterator[tuple[AnyRuleset, Any, Seat]]:
    """Yield decisions of a random match with the view of the seat that owes them."""
    if game == "cote2":
        yield from ((COTE2, COTE2.view(state, seat), seat) for state, seat in walk(seats, seed, steps))
    else:
        yield from ((rules, view, seat) for rules, view, seat, _maker in moments(game, seats, seed, steps))


def first_values(form: Form) -> Iterator[tuple[Any, Any, int]]:
    """Yield the fields of a form, with the value that each begins with, and what that costs."""
    prices = iter(form.prices)
    for field, value in zip(form.fields, msgpack.decode(form.draft)[1:], strict=True):
        numbers = [value] if field.kind is FieldKind.NUMBER else []
        if field.kind is FieldKind.ROWS:
            numbers = [sum(row[column + 1] for row in value) for column in range(len(field.columns))]
        cost = sum(number * next(prices, 0) for number in numbers)
        yield field, value, cost


def check_draft(rules: AnyRuleset, view: Any, seat: Seat, form: Form) -> None:
    draft = rules.action_decoder.decode(form.draft)
    label = ACTIONS[rules.id].label(view, seat, draft)
    assert not label.grave or isinstance(draft, ONLY_GRAVE), form
    cost = sum(cost for _field, _value, cost in first_values(form))
    assert cost <= min(form.prices, default=0), form
    for field, value, _cost in first_values(form):
        size = len(value) if isinstance(value, list) else value
        if field.name in GIVEN or (isinstance(draft, a.Bid) and field.name == "talents"):
            assert size <= max(field.low, 1), (field, draft)
        if isinstance(draft, a.Lend) and field.name in LENT:
            assert size == field.low, draft


@pytest.mark.parametrize("case", in_stages(CASES, FIRST, CASES[::3]), ids=str)
def test_no_form_begins_with_the_dearest_or_a_destructive_choice(case: tuple[str, int, int]) -> None:
    seen = set()
    for rules, view, seat in played(*case, 60):
        for wanted in (Filter(), *[Filter(tag_of(kind)) for kind in (Concede, Execute)]):
            for form in ACTIONS[rules.id].forms(view, seat, wanted):
                seen.add(form.tag)
                check_draft(rules, view, seat, form)
    assert seen


@pytest.mark.parametrize("case", in_stages(CASES, FIRST, CASES[::3]), ids=str)
def test_what_cannot_be_bought_back_is_marked(case: tuple[str, int, int]) -> None:
    for rules, view, seat in played(*case, 150):
        for action in engine.options(rules, view, seat):
            marked = isinstance(action, GRAVE)
            match action:
                case Judge(kill):
                    marked = bool(kill)
                case Answer(accept) | Reply(accept=accept):
                    marked = accept
                case Retreat(to):
                    marked = to < 0
                case _ if type(action).__name__ in ("EndCombat", "Withdraw"):
                    continue
            assert ACTIONS[rules.id].label(view, seat, action).grave == marked, action


def tag_of(kind: Any) -> int:
    return int(kind.__struct_config__.tag)

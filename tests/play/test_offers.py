"""Offers in matches of every kind: nothing twice, nothing illegal, and complete where the choice is small."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, Final, get_args, get_type_hints

import msgspec
import pytest

from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.pieces import ABOARD
from shared.rulesets.cote2.actions import Influence, Levy, Obtain, Recruit
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import PlaceRoad, Sail
from tests.play.verdicts import Step, stories
from tests.support.marks import in_stages

EVERY: Final = 23
"""One of this many positions is examined."""
CHOSEN: Final = (Obtain, PlaceRoad)
"""Offers are a selection: losers by a card can be named in many ways; a road is the same from either end."""

ALL: Final = tuple(stories())


def _spare(rules: AnyRuleset) -> list[type[Action]]:
    """Return kinds of actions with so few fields that all can be tried."""
    return [
        kind
        for kind in get_args(rules.action_decoder.type)
        if len(kind.__struct_fields__) <= 2
        and not issubclass(kind, (*rules.standing.kinds, *CHOSEN))
        and {get_type_hints(kind)[name] for name in kind.__struct_fields__} <= {int, bool}
    ]


SPARE: Final = {rules.id: _spare(rules) for rules in RULESETS.values()}


def _every(kind: type[Action]) -> Iterator[Action]:
    """Yield all actions of a kind whose fields could be valid."""
    hints = get_type_hints(kind)
    numbers = range(NONE, BOARD.positions + 1)
    fields = [(False, True) if hints[name] is bool else numbers for name in kind.__struct_fields__]
    return itertools.starmap(kind, itertools.product(*fields))


def _fits(rules: AnyRuleset, state: Any, seat: Seat, kind: type[Action]) -> bool:
    """Whether actions of the kind answer the question that is asked."""
    first = next(_every(kind))
    refusal = engine.check(rules, state, seat, first)
    return refusal is None or refusal.code not in ("wrong-action", "not-yours")


def _asked(name: str) -> Iterator[tuple[AnyRuleset, Any, Seat, list[Action]]]:
    rules, story = stories()[name]
    steps: Iterator[Step] = itertools.islice(story, 0, None, EVERY)
    for state, _, _ in steps:
        for seat in engine.owed(rules, state):
            if seat != NATURE:
                yield rules, state, seat, list(engine.options(rules, state, seat))


@pytest.mark.parametrize("name", in_stages(ALL, ALL[::6], ALL[3::6]))
def test_offers_are_legal_once_and_complete_where_they_are_few(name: str) -> None:
    for rules, state, seat, offered in _asked(name):
        assert len(set(offered)) == len(offered) > 0
        assert [action for action in offered if engine.check(rules, state, seat, action) is not None] == []
        for kind in SPARE[rules.id]:
            if _fits(rules, state, seat, kind):
                legal = {action for action in _every(kind) if engine.check(rules, state, seat, action) is None}
                assert {action for action in offered if type(action) is kind} == legal


CONQUEST: Final = [name for name in ALL if not name.startswith("cote2")]
"""Matches of the two games whose players buy by kinds, march and sail."""


def _legal(rules: AnyRuleset, state: Any, seat: Seat, actions: Iterable[Action]) -> set[Action]:
    return {action for action in actions if engine.check(rules, state, seat, action) is None}


def _to(action: Action, place: int) -> Action:
    return msgspec.structs.replace(action, to=place)


@pytest.mark.parametrize("name", in_stages(CONQUEST, CONQUEST[::6], CONQUEST[3::6]))
def test_all_marches_and_sails_list_all_their_targets(name: str) -> None:
    """Each column and each galley that is listed is listed for all places that it may go to, and for no other."""
    for rules, state, seat, offered in _asked(name):
        going = [action for action in offered if type(action).__name__ in ("March", "Sail")]
        columns = {_to(action, NONE) for action in going}
        everywhere = (_to(column, place) for column in columns for place in range(BOARD.positions))
        assert set(going) == _legal(rules, state, seat, everywhere)


@pytest.mark.parametrize("name", in_stages(CONQUEST, CONQUEST[::6], CONQUEST[3::6]))
def test_a_galley_that_is_not_listed_is_like_one_that_is(name: str) -> None:
    for rules, state, seat, offered in _asked(name):
        listed = {state.galley_at[action.galley] for action in offered if isinstance(action, Sail)}
        able = {galley for galley in range(len(state.galley_at)) if _legal(rules, state, seat, _courses(galley))}
        assert listed == {state.galley_at[galley] for galley in able}
        crewed = {galley for galley in able if ABOARD + galley in state.leader_at}
        assert crewed <= {action.galley for action in offered if isinstance(action, Sail)}


def _courses(galley: int) -> Iterator[Sail]:
    """Yield courses to every place, with no units going aboard."""
    return (Sail(galley, place) for place in range(BOARD.positions))


@pytest.mark.parametrize("name", in_stages(CONQUEST, CONQUEST[::6], CONQUEST[3::6]))
def test_each_kind_can_be_bought_singly_or_as_far_as_talents_reach(name: str) -> None:
    for rules, state, seat, offered in _asked(name):
        orders = [action for action in offered if type(action).__name__ == "Buy"]
        if not orders:
            continue
        nothing = type(orders[0])()
        assert nothing in orders
        for ware in nothing.__struct_fields__:
            every = [msgspec.structs.replace(nothing, **{ware: n}) for n in range(1, 70)]
            legal = sorted(_legal(rules, state, seat, every), key=lambda order: getattr(order, ware))
            pure = [order for order in orders if order in every]
            assert set(pure) >= {*legal[:1], *legal[-1:]}


CARDS: Final = [name for name in ALL if name.startswith("cote2")]
"""Matches of the game of cards and influence."""


@pytest.mark.parametrize("name", in_stages(CARDS, CARDS[::6], CARDS[3::6]))
def test_cards_influence_and_recruits_are_offered_wherever_there_are_some(name: str) -> None:
    for rules, state, seat, offered in _asked(name):
        if not any(isinstance(action, Levy) for action in offered):
            continue
        of_cards = (Obtain(card, to) for card in range(len(state.row)) for to in range(NONE, BOARD.provinces))
        open_cards = {action.card for action in offered if isinstance(action, Obtain)}
        assert {action.card for action in _legal(rules, state, seat, of_cards)} <= open_cards  # type: ignore[attr-defined]
        single = (Influence(at, (one,)) for at in range(BOARD.provinces) for one in range(NONE, state.seats))
        bought = {action for action in offered if isinstance(action, Influence) and len(action.sellers) == 1}
        assert bought == _legal(rules, state, seat, single)
        recruited = {action for action in offered if isinstance(action, Recruit)}
        for space in range(BOARD.provinces):
            foot = (Recruit(((space, number, 0, 0, 0),)) for number in range(1, 30))
            legal = sorted(_legal(rules, state, seat, foot), key=lambda action: action.armies[0][1])  # type: ignore[attr-defined]
            assert recruited >= {*legal[:1], *legal[-1:]}

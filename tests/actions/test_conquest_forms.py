"""Forms of Classic and 1984: legal drafts, no option that is never legal, and every legal action has a place."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import astuple, replace

from protocol.listing import Listing
from shared.actions.description import Field, FieldKind, Filter, Form
from shared.actions.enumeration import followed
from shared.actions.registry import ACTIONS
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.language.catalogue import ENGLISH
from shared.language.sentence import render
from shared.mechanics.pieces import PRISON
from shared.mechanics.turns import active_seat
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.mb1984.actions import Execute, Propose
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.table import LEADERS
from shared.vocabulary.actions import Concede, Sail
from shared.vocabulary.frames import Purchase
from shared.vocabulary.options import BY_SEAT
from tests.actions.test_conquest_labels import CASES, FIRST, Case, moments
from tests.support import position as cl
from tests.support.described import legal
from tests.support.layout import sp
from tests.support.marks import in_stages

ANY = Filter()
STEPS = 60


def tag(kind: type[Action]) -> int:
    return int(str(kind.__struct_config__.tag))


def draft_of(rules: AnyRuleset, form: Form) -> Any:
    return rules.action_decoder.decode(form.draft)


def may(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> bool:
    return engine.check(rules, view, seat, action) is None


def within(rules: AnyRuleset, view: Any, seat: Seat, action: Action, wanted: Filter) -> bool:
    """Whether an action is within a filter."""
    label = ACTIONS[rules.id].label(view, seat, action)
    mine = tag(type(action)), label.source, label.to, label.piece
    return all(asked in (NONE, own) for asked, own in zip(astuple(wanted), mine, strict=True))


def takes(field: Field, value: Any) -> bool:
    """Whether a field may have a value."""
    offered = {choice.value for choice in field.options}
    match field.kind:
        case FieldKind.NUMBER:
            return bool(field.low <= value <= field.high)
        case FieldKind.ONE:
            return value in offered
        case FieldKind.SET:
            return field.low <= len(value) <= field.high and set(value) <= offered
    return len(value) <= field.high and {row[0] for row in value} <= offered


def holds(form: Form, action: Action) -> bool:
    """Whether a form can compose an action."""
    return form.tag == tag(type(action)) and all(takes(field, getattr(action, field.name)) for field in form.fields)


def composed(form: Form, draft: Any) -> Iterator[Any]:
    """Yield actions of a form: the extremes of its numbers, single and all options, in all combinations."""
    values: list[list[Any]] = []
    for field in form.fields:
        known, offered = [getattr(draft, field.name)], tuple([choice.value for choice in field.options])
        if field.kind is FieldKind.NUMBER:
            known += [field.low, field.high]
            if field.name == "cities":
                # Walls stand around cities, and money for both may end between the extremes.
                known += range(field.low, field.high)
        elif field.kind is FieldKind.ONE:
            known += offered
        elif field.kind is FieldKind.SET:
            known += [offered[: field.high], offered[: field.low], *[(value,) for value in offered]]
        values.append(list(dict.fromkeys(known)))
    names = [field.name for field in form.fields]
    for chosen in product(*values):
        yield replace(draft, **dict(zip(names, chosen, strict=True)))


@pytest.mark.parametrize("case", in_stages(CASES, FIRST, CASES[::4]), ids=str)
def test_drafts_are_legal_and_within_the_filter(case: Case) -> None:
    game, seats, seed = case
    rng = Random(seed)
    for rules, view, seat, _maker in moments(game, seats, seed, STEPS):
        forms = ACTIONS[game].forms
        for form in forms(view, seat, ANY):
            draft = draft_of(rules, form)
            assert may(rules, view, seat, draft)
            label = ACTIONS[game].label(view, seat, draft)
            for wanted in (Filter(form.tag), Filter(source=label.source, to=label.to), Filter(piece=label.piece)):
                for narrow in forms(view, seat, wanted):
                    chosen = draft_of(rules, narrow)
                    assert may(rules, view, seat, chosen) and within(rules, view, seat, chosen, wanted), wanted
            assert not forms(view, seat, Filter(form.tag, to=rng.randrange(1000, 2000)))


@pytest.mark.parametrize("case", in_stages(CASES, FIRST, CASES[::4]), ids=str)
def test_every_legal_action_of_a_form_has_a_place(case: Case) -> None:
    game, seats, seed = case
    rng = Random(seed)
    for rules, view, seat, maker in moments(game, seats, seed, STEPS):
        forms = ACTIONS[game].forms(view, seat, ANY)
        kinds = {form.tag for form in forms}
        for action in (*engine.options(rules, view, seat), *legal(rules, view, seat, maker, rng, 6)):
            assert tag(type(action)) not in kinds or any(holds(form, action) for form in forms), action
            wanted = Filter(tag(type(action)), *_spaces(rules, view, seat, action))
            narrow = ACTIONS[game].forms(view, seat, wanted)
            assert tag(type(action)) not in kinds or any(holds(form, action) for form in narrow), (action, wanted)


def _spaces(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> tuple[int, int, int]:
    label = ACTIONS[rules.id].label(view, seat, action)
    return label.source, label.to, label.piece


@pytest.mark.long
@pytest.mark.parametrize("case", in_stages(CASES, FIRST, CASES[::4]), ids=str)
def test_each_target_and_piece_is_part_of_a_legal_action(case: Case) -> None:
    game, seats, seed = case
    for _rules, view, seat, _maker in moments(game, seats, seed, STEPS):
        forms = ACTIONS[game].forms
        for form in forms(view, seat, ANY):
            for field in form.fields:
                if field.name in ("source", "to") and form.tag in (tag(March), tag(Sail)):
                    for choice in field.options:
                        wanted = replace(Filter(form.tag), **{field.name: choice.place})
                        assert forms(view, seat, wanted), (field.name, choice)


@pytest.mark.parametrize("case", in_stages(CASES, [("classic", 2, 1), ("mb1984", 3, 2)], CASES[::4]), ids=str)
def test_each_option_and_end_of_a_range_occurs_in_a_legal_action(case: Case) -> None:
    game, seats, seed = case
    for rules, view, seat, _maker in moments(game, seats, seed, 12):
        for form in _narrowed(rules, view, seat):
            found = [act for act in composed(form, draft_of(rules, form)) if may(rules, view, seat, act)]
            for field in form.fields:
                used = [getattr(action, field.name) for action in found]
                if field.kind is FieldKind.NUMBER:
                    assert {field.low, field.high} <= set(used), (form, field)
                elif field.kind is FieldKind.ONE:
                    assert {choice.value for choice in field.options} <= set(used), (form, field)
                elif field.kind is FieldKind.SET:
                    assert {choice.value for choice in field.options} <= {x for some in used for x in some}, form


@pytest.mark.parametrize("case", in_stages(CASES, [("classic", 2, 1), ("mb1984", 3, 2)], CASES[::4]), ids=str)
def test_generals_of_a_sort_stand_in_for_each_other(case: Case) -> None:
    game, seats, seed = case
    exchanged = 0
    for rules, view, seat, _maker in moments(game, seats, seed, 12):
        for form in _narrowed(rules, view, seat):
            for field in form.fields:
                sorts = {choice.value: str(choice.sort) for choice in field.options if choice.sort}
                assert not any(value % view.leaders_each == 0 for value in sorts), "a Caesar is like no other"
                for action in [each for each in composed(form, draft_of(rules, form)) if sorts]:
                    chosen = getattr(action, field.name)
                    for old, new in product(chosen, sorts):
                        if new not in chosen and sorts.get(old) == sorts[new]:
                            other = tuple(sorted({*chosen, new} - {old}))
                            swapped = replace(action, **{field.name: other})
                            assert may(rules, view, seat, swapped) == may(rules, view, seat, action), (action, new)
                            exchanged += 1
    assert exchanged


def _narrowed(rules: AnyRuleset, view: Any, seat: Seat) -> Iterator[Form]:
    """Yield the forms, those of movement for one province or one galley alone."""
    forms = ACTIONS[rules.id].forms
    for form in forms(view, seat, ANY):
        label = ACTIONS[rules.id].label(view, seat, draft_of(rules, form))
        yield from forms(view, seat, Filter(form.tag, label.source, piece=label.piece if form.tag == tag(Sail) else -1))


def listed(rules: AnyRuleset, view: Any, seat: Seat) -> list[Action]:
    """Return the actions that a seat may take at any time, as clients without rules are told them."""
    told = Listing(rules, view, seat, standing=True).page(Filter(), 0, True).actions
    return [rules.action_decoder.decode(raw) for raw in told]


@pytest.mark.rule("CL-END-02", "MB-END-02")
@pytest.mark.parametrize("rules", [CLASSIC, MB1984], ids=lambda rules: rules.id)
def test_a_form_grants_the_victory_and_takes_it_back(rules: AnyRuleset) -> None:
    state = engine.start(rules, 3, {}, engine.ignore_event)
    (form,) = ACTIONS[rules.id].forms(state, 1, Filter(tag(Concede)))
    assert [choice.value for choice in form.fields[0].options] == [0, 2]
    assert Concede(NONE) not in listed(rules, state, 1), "nothing was granted yet"
    engine.play(rules, state, 1, Concede(2), engine.ignore_event)
    assert Concede(NONE) in listed(rules, state, 1)
    (form,) = ACTIONS[rules.id].forms(state, 1, Filter(tag(Concede)))
    assert [choice.value for choice in form.fields[0].options] == [NONE, 0], "2 has it already"
    assert Concede(2) not in listed(rules, state, 1)


@pytest.mark.rule("MB-GEN-01", "MB-GEN-02", "MB-D37")
def test_forms_propose_and_execute_out_of_turn() -> None:
    state = engine.start(MB1984, 2, {"homes": BY_SEAT}, engine.ignore_event)
    active = active_seat(state)
    other = 1 - active
    captive = active * LEADERS + 3
    state.leader_at[captive] = PRISON + other
    forms = ACTIONS["mb1984"].forms
    (bargain,) = forms(state, other, Filter(tag(Propose)))
    (execution,) = forms(state, other, Filter(tag(Execute)))
    assert draft_of(MB1984, execution) == Execute((captive,))
    assert draft_of(MB1984, bargain) == Propose(active, gives=(captive,))
    assert not forms(state, active, Filter(tag(Propose)))
    engine.play(MB1984, state, other, Propose(active, gives=(captive,)), engine.ignore_event)
    assert Propose(NONE) in [draft_of(MB1984, form) for form in forms(state, other, Filter(tag(Propose)))]


def riders(moved: tuple[int, ...]) -> tuple[Form, Any]:
    """Return the form for marches of four horsemen and infantry, and the position; `moved`: who moved before."""
    state = cl.position(
        homes=("italia", "hispania"), units={"italia": {0: (1, 4, 0)}}, leaders={"italia": [cl.general(0, 1)]},
        phase="movement",
    )  # fmt: skip
    state.moved[sp("italia")] = moved
    (form,) = ACTIONS["classic"].forms(state, 0, Filter(tag(March), sp("italia")))
    return form, state


def test_generals_who_have_moved_are_no_longer_like_the_others() -> None:
    party = [cl.general(0, 1), cl.general(0, 2), cl.general(0, 3)]
    state = cl.position(
        homes=("italia", "hispania"), units={"italia": {0: (1, 0, 0)}}, leaders={"italia": party}, phase="movement"
    )
    state.leader_used[cl.general(0, 3)] = 1
    (form,) = ACTIONS["classic"].forms(state, 0, Filter(tag(March), sp("italia")))
    (leaders,) = [field for field in form.fields if field.name == "leaders"]
    assert [render(choice.sort, ENGLISH, str) for choice in leaders.options] == [
        "", "Generals", "Generals", "Generals (1 step left)"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "said"), [(CLASSIC, "more dice: 2"), (MB1984, "Adds 1 to the advantage")], ids=["classic", "mb1984"]
)
def test_a_purchase_says_what_each_ware_is_good_for(rules: AnyRuleset, said: str) -> None:
    """A short line for each names the numbers of the rules."""
    state = engine.start(rules, 2, {"homes": BY_SEAT}, engine.ignore_event)
    seat = active_seat(state)
    state.talents[seat] = 500
    state.frames[-1] = Purchase(state.frames[-1].no, seat)
    (form,) = ACTIONS[rules.id].forms(state, seat, ANY)
    lines = [render(field.uses[0], ENGLISH, str) for field in form.fields]
    assert all(len(line) < 75 for line in lines) and any(said in line for line in lines)


@pytest.mark.rule("CL-MOVE-03")
@pytest.mark.parametrize(
    ("moved", "shown", "follows", "beyond"),
    [((), False, "", 0), ((0, 4), False, "cavalry", 0), ((0, 3), True, "cavalry", 1)],
    ids=["all fresh", "all moved before", "some of both"],
)
def test_players_are_asked_for_tired_horsemen_only_where_there_is_a_choice(
    moved: tuple[int, ...], shown: bool, follows: str, beyond: int
) -> None:
    form, state = riders(moved)
    (tired,) = [field for field in form.fields if field.name == "tired"]
    assert (tired.label != "", tired.follows, tired.beyond) == (shown, follows, beyond)
    (column,) = [field for field in form.fields if field.name == "cavalry"]
    draft = structs.asdict(draft_of(CLASSIC, form))
    for cavalry in range(column.low, column.high + 1):
        values = followed(form, [{**draft, "cavalry": cavalry}[field.name] for field in form.fields])
        least = max(0, cavalry - tired.beyond) if tired.follows else 0
        assert shown or values[[field.name for field in form.fields].index("tired")] == least
        march = replace(draft_of(CLASSIC, form), cavalry=cavalry, tired=least)
        assert may(CLASSIC, state, 0, march), (cavalry, least)
        assert not least or not may(CLASSIC, state, 0, replace(march, tired=least - 1)), "no fewer"

"""Forms of Conquest II: tight options, legal drafts, filters, and nothing that the view hides."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations, product
from random import Random
from typing import Any

import msgspec
import pytest

from shared.actions.cote2.actions import COTE2_ACTIONS
from shared.actions.cote2.fields import GALLEY_COUNT
from shared.actions.description import Choice, Field, FieldKind, Filter, Form
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, tag_of
from shared.language.catalogue import ENGLISH
from shared.language.sentence import GAP, Value, render
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.complete import complete
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Casualties
from shared.rulesets.cote2.view import View
from tests.actions.test_cote2_labels import GERMAN, PLAYED, alike
from tests.support.cote2_games import bent
from tests.support.cote2_walks import walk
from tests.support.layout import sp
from tests.support.marks import in_stages
from tests.support.positionii import caesar, forum, galley, general, position

forms, label = COTE2_ACTIONS.forms, COTE2_ACTIONS.label
MOST_TRIED = 6_000
"""Actions that a search for one value tries."""
MOST_VALUES = 5
"""Values of a field that are looked for, drawn at random."""
ENCODER = msgspec.msgpack.Encoder()
PLAIN = msgspec.msgpack.Decoder()
KINDS = {kind.__struct_config__.tag: kind for kind in a.AnyAction.__args__}


def action(form: Form, values: Sequence[Any]) -> Action:
    """Return the action with these values of the form's fields."""
    found: Action = COTE2.action_decoder.decode(ENCODER.encode([form.tag, *values]))
    return found


def draft(form: Form) -> list[Any]:
    """Return the values of a form's draft."""
    return list(PLAIN.decode(form.draft)[1:])


def fits(view: View, seat: Seat, wanted: Filter, found: Action) -> bool:
    """Whether an action is legal and within a filter."""
    if wanted.kind not in (NONE, type(found).__struct_config__.tag):
        return False
    return engine.check(COTE2, view, seat, found) is None and wanted.takes(label(view, seat, found))


# --- a search for legal actions with a value ---


def usual(field: Field, value: Any) -> list[Any]:
    """Return some values of a field, that of the draft first."""
    values = [each.value for each in field.options]
    match field.kind:
        case FieldKind.NUMBER:
            return [value, *range(field.low, field.high + 1, field.step)][:30]
        case FieldKind.ONE:
            return [value, *values]
        case FieldKind.SET:
            return [value, *([[]] if not field.low else []), *[[each] for each in values], values]
        case FieldKind.LIST:
            sizes = range(field.low, field.high + 1)
            return [value, *[list(each) for size in sizes for each in permutations(values, size)]]
        case FieldKind.PAIRS:
            return [value, [], *[[[each, other.value]] for each in values for other in field.others]]
    return [value, []]


def targets(field: Field) -> Iterator[Any]:
    """Yield values of a field so that each of its options and numbers occurs in one."""
    match field.kind:
        case FieldKind.NUMBER:
            yield from islice(range(field.low, field.high + 1, field.step), 40)
        case FieldKind.ONE:
            yield from [each.value for each in field.options]
        case FieldKind.SET if field.high:
            yield from [[each.value] for each in field.options]
        case FieldKind.PAIRS:
            yield from [(0, each.value) for each in field.options]
            yield from [(1, other.value) for other in field.others]
        case FieldKind.ROWS:
            yield from [[row] for option in field.options for row in single_rows(option)]


def single_rows(option: Choice) -> Iterator[list[int]]:
    """Yield rows with the greatest number of one column alone."""
    for column, number in enumerate(option.most):
        if number:
            yield [option.value, *[number if column == other else 0 for other in range(len(option.most))]]


def occurs(view: View, seat: Seat, wanted: Filter, form: Form, place: int, value: Any) -> bool:
    """Whether a legal action within the filter has that value of a field."""
    tried = [usual(field, had) for field, had in zip(form.fields, draft(form), strict=True)]
    tried[place] = [value]
    if form.fields[place].kind == FieldKind.PAIRS:
        end, number = value
        pairs = usual(form.fields[place], [])[2:]
        tried[place] = [pair for pair in pairs if pair[0][end] == number]
    ways = (completed(view, form, place, list(values)) for values in islice(product(*tried), MOST_TRIED))
    return any(fits(view, seat, wanted, action(form, values)) for values in ways)


def completed(view: View, form: Form, place: int, values: list[Any]) -> list[Any]:
    """Return values with rows that make up the number that must be placed or lost."""
    if KINDS[form.tag] is a.Deploy and values[0] and place == 0:
        values[0] = [[values[0][0][0], 8, 2, 1]]
    frame = view.frames[-1]
    if isinstance(frame, Casualties):
        missing = frame.hits - len(values[1]) - values[2]
        given = values[0] if place == 0 else []
        values[0] = filled(form.fields[0].options, given, missing)
    return values


def filled(options: Iterable[Choice], given: Sequence[Sequence[int]], number: int) -> list[list[int]]:
    """Return rows with the given ones and further units, so many in all."""
    had = {row[0]: list(row[1:]) for row in given}
    number -= sum(map(sum, had.values()))
    for option in options:
        row = had.setdefault(option.value, [0, 0, 0])
        for column, most in enumerate(option.most):
            more = max(0, min(number, most - row[column]))
            row[column] += more
            number -= more
    return [[owner, *row] for owner, row in had.items() if any(row)]


# --- checks of one form ---


def check_form(view: View, seat: Seat, wanted: Filter, form: Form, rng: Random) -> None:
    """Check the draft, the fields, the words and the options of a form."""
    kind = KINDS[form.tag]
    assert wanted.kind in (NONE, form.tag)
    assert [field.name for field in form.fields] == list(kind.__struct_fields__)
    assert fits(view, seat, wanted, action(form, draft(form))), (
        form,
        engine.check(COTE2, view, seat, action(form, draft(form))),
    )
    for value in words(form):
        shown = render(value, GERMAN, "abcdef".__getitem__)
        assert not GAP.search(shown)
    for place, field in enumerate(form.fields):
        values = list(targets(field))
        for value in rng.sample(values, min(MOST_VALUES, len(values))):
            assert occurs(view, seat, wanted, form, place, value), (kind, wanted, field.name, value)


def words(form: Form) -> Iterator[Value]:
    """Yield the texts of a form."""
    yield from (form.name, form.group)
    for field in form.fields:
        yield from (field.label, *field.columns, *[option.label for option in (*field.options, *field.others)])


def filters(form: Form, rng: Random) -> list[Filter]:
    """Return filters that the form's own options suggest."""
    found = [Filter(form.tag)]
    fields = {field.name: field for field in form.fields}
    spaces = [each.place for field in form.fields for each in (*field.options, *field.others) if each.place != NONE]
    pieces = [each.value for name in ("leaders", "galleys") if name in fields for each in fields[name].options]
    found += [Filter(form.tag, to=space) for space in some(rng, spaces)]
    found += [Filter(form.tag, source=space) for space in some(rng, spaces)]
    found += [Filter(form.tag, piece=piece) for piece in some(rng, pieces)]
    if "source" in fields:
        source = rng.choice(fields["source"].options).value
        found += [Filter(form.tag, source, to) for to in some(rng, spaces)]
    return found


def some(rng: Random, numbers: Sequence[int]) -> list[int]:
    return rng.sample(sorted(set(numbers)), min(1, len(set(numbers))))


# --- random games ---


@pytest.mark.rule("II-ACT-02")
@pytest.mark.parametrize("game", in_stages(PLAYED, [(2, 0), (4, 1)], PLAYED[::4]))
def test_every_option_of_a_form_occurs_in_a_legal_action(game: tuple[int, int]) -> None:
    rng = Random(str(game))
    seen: dict[int, int] = {}
    for state, seat in walk(*game, 400):
        view = COTE2.view(state, seat)
        for each in forms(view, seat, Filter()):
            seen[each.tag] = seen.get(each.tag, 0) + 1
            if seen[each.tag] > 2:
                continue
            check_form(view, seat, Filter(), each, rng)
            for wanted in filters(each, rng):
                for narrow in forms(view, seat, wanted):
                    check_form(view, seat, wanted, narrow, rng)
    assert len(seen) > 3


@pytest.mark.rule("II-ACT-02")
@pytest.mark.parametrize("game", in_stages(PLAYED, [], PLAYED[::4]))
def test_a_kind_without_a_form_is_listed_in_full(game: tuple[int, int]) -> None:
    """Legal actions that a random change makes are among the options, or a form has their kind."""
    rng = Random(str(game))
    for state, seat in walk(*game, 250):
        view = COTE2.view(state, seat)
        made = {form.tag for form in forms(view, seat, Filter())}
        options = list(engine.options(COTE2, view, seat))
        for _try in range(6):
            found = bent(rng, rng.choice(options))
            if type(found).__struct_config__.tag in made or engine.check(COTE2, view, seat, found) is not None:
                continue
            assert any(alike(found, option, view) for option in options) or isinstance(found, a.Obtain), found


@pytest.mark.rule("II-SENATE-02")
def test_forms_tell_only_what_the_view_holds() -> None:
    for state, seat in walk(3, 7, 200):
        view = COTE2.view(state, seat)
        other = complete(view, Random(seat))
        assert forms(view, seat, Filter()) == forms(other, seat, Filter()) == forms(state, seat, Filter())


# --- chosen positions ---


def only_form(view: View, seat: Seat, wanted: Filter) -> Form:
    """Return the only form within a filter, after all checks of a form."""
    (found,) = forms(view, seat, wanted)
    check_form(view, seat, wanted, found, Random(1))
    return found


@pytest.mark.rule("II-MOVE-02")
def test_a_source_leads_to_the_reachable_provinces_only() -> None:
    state = position(
        2,
        units={"italia": {0: (5, 2, 1)}, "rhaetia": {1: (1, 0, 0)}},
        leaders={"italia": [caesar(0), general(0)], "hispania": [general(0, 2)]},
        galleys={galley(0): "mare_narbo"},
    )
    view, source = COTE2.view(state, 0), sp("italia")
    rows = only_form(view, 0, Filter(tag_of(a.Move), source)).fields[1]
    reached = {option.value: option.most for option in rows.options}
    for to in range(BOARD.provinces):
        for kind, most in enumerate(reached.get(to, (0, 0, 0))):
            for units in range(1, 7):
                army = [units if kind == k else 0 for k in range(3)]
                legal = engine.check(COTE2, view, 0, a.Move(source, ((to, army[0], army[1], army[2]),))) is None
                assert legal == (units <= most), (BOARD.keys[to], army)
    assert reached[sp("baleares")] == (4, 2, 1)


@pytest.mark.rule("II-C-95")
def test_three_armies_may_be_attacked_in_any_order() -> None:
    units = {"asia": dict.fromkeys(range(4), (1, 0, 0)), "syria": {1: (1, 0, 0)}}
    state = position(4, units=units, leaders={"asia": [caesar(0)]}, row=("slave_revolt",))
    tag = tag_of(a.Incite)
    found = only_form(COTE2.view(state, 0), 0, Filter(tag))
    assert [each.value for each in found.fields[0].options] == sorted((sp("asia"), sp("syria")))
    assert forms(COTE2.view(state, 0), 0, Filter(tag, to=sp("syria"))) == []


@pytest.mark.rule("II-BATTLE-02")
@pytest.mark.parametrize("wanted", [Filter(), Filter(piece=1), Filter(source=sp("mare_narbo"))])
def test_galleys_of_several_zones_may_join_a_battle(wanted: Filter) -> None:
    zones = {galley(0): "mare_narbo", galley(0, 1): "mare_narbo", galley(0, 2): "mare_tyrrhenum"}
    units = {"italia": {0: (2, 0, 0), 1: (2, 0, 0)}}
    state = position(2, units=units, leaders={"italia": [caesar(0)]}, galleys=zones)
    engine.play(COTE2, state, 0, a.Attack(sp("italia"), 1), engine.ignore_event)
    found = only_form(COTE2.view(state, 0), 0, wanted)
    numbers = {Filter(): 3, Filter(piece=1): 1, Filter(source=sp("mare_narbo")): 2}
    assert len(found.fields[0].options) == numbers[wanted]


@pytest.mark.rule("II-D59")
def test_senators_that_are_needed_cannot_be_left_out() -> None:
    hands = {0: (0, 0, 0, 2), 1: (3, 3, 3, 2), 2: (1, 0, 0, 0)}
    state = position(3, senators=hands, cards={0: ("senate_hail_caesar",)}, leaders={"asia": [caesar(0)]})
    for seat, played in ((0, a.Use(10)), (0, a.Show(four=2))):
        engine.play(COTE2, state, seat, played, engine.ignore_event)
    found = only_form(COTE2.view(state, 1), 1, Filter())
    assert [(field.low, field.high) for field in found.fields] == [(0, 3), (0, 3), (0, 3), (0, 2)]


@pytest.mark.rule("II-RECRUIT-01")
def test_a_recruitment_knows_prices_and_purse() -> None:
    view = COTE2.view(forum(), 0)
    found = only_form(view, 0, Filter(tag_of(a.Recruit)))
    assert (found.prices, found.purse) == ((5, 10, 15, 20, 15), 100)
    narrow = only_form(view, 0, Filter(tag_of(a.Recruit), to=sp("mare_narbo")))
    assert [[each.value for each in field.options] for field in narrow.fields] == [[], [sp("mare_narbo")]]
    assert [len(field.uses) for field in found.fields] == [len(field.columns) for field in found.fields] == [4, 1]


@pytest.mark.rule("II-D31")
@pytest.mark.parametrize(("landings", "said"), [(0, "Brings 4 units ashore;"), (1, "in each province;")])
def test_a_recruitment_says_what_a_galley_carries_by_the_tables_rules(landings: int, said: str) -> None:
    view = COTE2.view(forum(options={"galley_landings": landings}), 0)
    fleets = only_form(view, 0, Filter(tag_of(a.Recruit))).fields[1]
    assert said in render(fleets.uses[0], ENGLISH, str)


def test_generals_and_galleys_of_a_place_stand_in_for_each_other() -> None:
    state = position(
        2,
        units={"italia": {0: (2, 0, 0)}},
        leaders={"italia": [caesar(0), general(0), general(0, 2)], "hispania": [general(0, 3)]},
        galleys={galley(0): "mare_narbo", galley(0, 1): "mare_narbo", galley(0, 2): "mare_tyrrhenum"},
    )
    view, zone = COTE2.view(state, 0), sp("mare_tyrrhenum")
    pairs = only_form(view, 0, Filter(tag_of(a.Move), sp("italia"))).fields[2]
    first, second = [each.value for each in pairs.options if each.sort]
    to = pairs.others[0].value
    for leader in (first, second):
        assert engine.check(COTE2, view, 0, a.Move(sp("italia"), (), ((leader, to),))) is None
    sail = only_form(view, 0, Filter(tag_of(a.Sail), to=zone))
    (fleet,) = [field for field in sail.fields if field.name == "galleys"]
    alike_there = [each.value for each in fleet.options if (each.sort, each.place) == (GALLEY_COUNT, sp("mare_narbo"))]
    assert alike_there == [galley(0), galley(0, 1)]
    assert all(engine.check(COTE2, view, 0, a.Sail(zone, (each,))) is None for each in alike_there)

"""Pages of legal actions in random games: all of them once, within every filter, with labels and tight forms.

The default suite, which plays with the seed 0, examines fewer positions."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from protocol import codec
from protocol.limits import MAX_CHOICES, MAX_LABELS
from protocol.listing import Listing
from shared.actions.description import Choice, Field, FieldKind, Filter, Form, Label
from shared.actions.enumeration import followed, is_plain, plain_key, size, walk
from shared.actions.registry import ACTIONS
from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.frames import Action, tag_of
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Choices
from shared.vocabulary.actions import Concede
from tests.play.test_choices import WAYS
from tests.support.marks import in_stages
from tests.support.reach import decisions, plainly, thrown

FEW = 2000
"""Positions of forms that a test looks at one by one."""
GAMES = [way for way in WAYS if WAYS[way].rules.id in ACTIONS]


class Moment(Struct, frozen=True):
    """A decision of a random game."""

    rules: AnyRuleset
    view: Any
    seat: int

    @property
    def listing(self) -> Listing:
        return Listing(self.rules, self.view, self.seat)

    def read(self, told: Choices) -> list[Action]:
        return [self.rules.action_decoder.decode(raw) for raw in told.actions]


def moments(way: str, seed: int) -> Iterator[Moment]:
    rules, rng = WAYS[way].rules, Random(seed)
    for view, seat in decisions(rules, WAYS[way].begin(2 + seed * 2, seed), rng, WAYS[way].steps):
        yield Moment(rules, view, seat)


def pages(listing: Listing, wanted: Filter, labelled: bool = True, most: int = 12) -> list[Choices]:
    """Return the answers up to the end, or the first ones."""
    found = [listing.page(wanted, 0, labelled)]
    while found[-1].next and len(found) < most:
        assert found[-1].next > (found[-2].next if len(found) > 1 else 0), "it goes on"
        found.append(listing.page(wanted, found[-1].next, labelled))
    return found


def filters(rng: Random, labels: list[Label], tags: list[int]) -> Iterator[Filter]:
    """Yield some filters that let something pass, and one that lets nothing pass."""
    for place in rng.sample(range(len(labels)), min(3, len(labels))):
        label, tag = labels[place], tags[place]
        yield Filter(tag)
        yield Filter(tag, label.source)
        yield Filter(NONE, label.source, label.to)
        yield Filter(NONE, NONE, NONE, label.piece)
    yield Filter(127)


@pytest.mark.long
@pytest.mark.parametrize("seed", in_stages(range(3), [0], []))
@pytest.mark.parametrize("way", GAMES)
def test_pages_have_each_legal_action_once_with_a_label(way: str, seed: int) -> None:
    rng = Random(seed)
    for moment in moments(way, seed):
        if rng.random() > (0.15 if seed else 0.04):
            continue
        told = pages(moment.listing, Filter())
        actions = [action for page in told for action in moment.read(page)]
        assert len({*actions}) == len(actions)
        assert told[0].complete is (told[0].next == 0)
        assert all(len(page.labels) == len(page.actions) for page in told)
        if not told[-1].next:
            keys = {plain_key(action) for action in actions}
            assert {plain_key(option) for option in engine.options(moment.rules, moment.view, moment.seat)} <= keys
        for page in told:
            assert_small(page)


def assert_small(page: Choices) -> None:
    assert len(codec.encode(Choices(*[getattr(page, name) for name in page.__struct_fields__[:6]]))) <= MAX_CHOICES
    assert sum(len(codec.encode(each)) for each in (*page.labels, *page.forms)) <= MAX_LABELS


@pytest.mark.long
@pytest.mark.parametrize("seed", in_stages(range(3), [0], []))
@pytest.mark.parametrize("way", GAMES)
def test_within_a_filter_are_all_and_only_the_actions_with_such_labels(way: str, seed: int) -> None:
    rng = Random(seed)
    for moment in moments(way, seed):
        if rng.random() > (0.06 if seed else 0.015):
            continue
        listing = moment.listing
        options = engine.options(moment.rules, moment.view, moment.seat)
        labels = [listing.label(option) for option in options]
        assert all(labels)
        whole = [label for label in labels if label is not None]
        for wanted in filters(rng, whole, [tag_of(option) for option in options]):
            told = pages(listing, wanted)
            actions = [action for page in told for action in moment.read(page)]
            assert len({*actions}) == len(actions)
            assert all(passes(wanted, action, listing.label(action)) for action in actions)
            expected = {option for option, label in zip(options, labels, strict=True) if passes(wanted, option, label)}
            if not told[-1].next:
                assert expected <= {*actions}
            assert told[0].complete is (told[0].next == 0), wanted
            for page in told:
                assert_small(page)


def passes(wanted: Filter, action: Action, label: Label | None) -> bool:
    assert label is not None
    asked = wanted.kind, wanted.source, wanted.to, wanted.piece
    own = tag_of(action), label.source, label.to, label.piece
    return all(number in (NONE, mine) for number, mine in zip(asked, own, strict=True))


@pytest.mark.parametrize("way", GAMES)
def test_standing_actions_are_a_list_of_their_own(way: str) -> None:
    kinds: set[type[Action]] = set()
    for moment in moments(way, 1):
        told = Listing(moment.rules, moment.view, moment.seat, standing=True).page(Filter(), 0, labelled=True)
        actions = moment.read(told)
        kinds |= {*map(type, actions)}
        assert told.frame == 0 and len(told.labels) == len(actions)
        assert all(isinstance(action, moment.rules.standing.kinds) for action in actions)
        assert not [action for action in actions if engine.check(moment.rules, moment.view, moment.seat, action)]
        if len(kinds) > 0 and moment.view.frames[-1].no > 40:
            break
    assert Concede in kinds


@pytest.mark.parametrize("seed", in_stages(range(3), [0], []))
@pytest.mark.parametrize("way", GAMES)
def test_small_forms_are_listed_as_by_trying_everything(way: str, seed: int) -> None:
    rng = Random(seed)
    for moment in moments(way, seed):
        if rng.random() > (0.03 if seed else 0.01):
            continue
        listing = moment.listing
        for form in ACTIONS[moment.rules.id].forms(moment.view, moment.seat, Filter()):
            if size(form) <= FEW:
                wanted = Filter(form.tag)
                actions = [action for page in pages(listing, wanted, False, 400) for action in moment.read(page)]
                keys = {plain_key(action) for action in actions}
                assert len(keys) == len(actions)
                legal = tried(moment, form)
                assert {plain_key(action) for action in legal if is_plain(action)} <= keys
                assert not idle(form, legal)


def tried(moment: Moment, form: Form) -> list[Action]:
    """Return all legal actions that a form composes."""
    composed = (codec.ENCODER.encode([form.tag, *values]) for _position, values in walk(form, 0))
    actions = map(moment.rules.action_decoder.decode, composed)
    return [action for action in actions if engine.check(moment.rules, moment.view, moment.seat, action) is None]


def idle(form: Form, legal: list[Action]) -> list[str]:
    """Return options and ends of ranges that occur in none of these actions."""
    found = []
    for field in form.fields:
        values = [getattr(action, field.name) for action in legal]
        found += [f"{field.name}: {option.label}" for option in field.options if not occurs(field, option, values)]
        if field.kind is FieldKind.NUMBER and field.label:
            found += [f"{field.name}: {end}" for end in (field.low, field.high) if end not in values]
    return found


def occurs(field: Field, option: Choice, values: list[Any]) -> bool:
    if not field.label:
        return True
    if field.kind is FieldKind.ONE:
        return option.value in values
    if field.kind in (FieldKind.SET, FieldKind.LIST):
        return any(option.value in value for value in values)
    return any(row[0] == option.value for value in values for row in value)


@pytest.mark.long
@pytest.mark.parametrize("seed", in_stages(range(3), [0], []))
@pytest.mark.parametrize("way", GAMES)
def test_every_legal_action_is_an_option_or_can_be_composed(way: str, seed: int) -> None:
    rng, known = Random(seed), WAYS[way]
    for moment in moments(way, seed):
        options = {plain_key(option) for option in engine.options(moment.rules, moment.view, moment.seat)}
        forms = ACTIONS[moment.rules.id].forms(moment.view, moment.seat, Filter())
        for action in thrown(moment.rules, rng, known.wild, moment.view, moment.seat):
            if is_plain(action) and plain_key(action) not in options:
                missing = [beyond(form, action) for form in forms if form.tag == tag_of(action)]
                assert [] in missing, (action, missing)


def beyond(form: Form, action: Action) -> list[str]:
    """Return the fields of an action that a form cannot compose."""
    plain = plainly(action)
    draft = dict(zip((field.name for field in form.fields), codec.decode_plain(form.draft)[1:], strict=False))
    kept = followed(form, [getattr(plain, f.name) if f.label else draft.get(f.name, ()) for f in form.fields])
    return [
        field.name
        for field, value in zip(form.fields, kept, strict=True)
        if not composes(field, getattr(plain, field.name), value)
    ]


def composes(field: Field, value: Any, kept: Any) -> bool:
    if not field.label:
        return bool(value == (tuple(kept) if isinstance(kept, list) else kept))
    options = {option.value: option for option in field.options}
    match field.kind:
        case FieldKind.NUMBER:
            return value in range(field.low, field.high + 1, field.step)
        case FieldKind.ONE:
            return value in options
        case FieldKind.SET | FieldKind.LIST:
            return len(value) in range(field.low, field.high + 1) and {*value} <= {*options}
        case FieldKind.ROWS:
            return all(row[0] in options and held(options[row[0]], row[1:]) for row in value)
        case FieldKind.PAIRS:
            return all(one in options and other in {each.value for each in field.others} for one, other in value)


def held(option: Choice, counts: Any) -> bool:
    least = option.least or (0,) * len(option.most)
    return all(low <= count <= most for low, count, most in zip(least, counts, option.most, strict=True))

"""Every action of every game is offered with a label or composed with a form, and all that a form composes has a
label."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from protocol import codec
from protocol.listing import Listing
from server.tools.recording import Recording, read
from shared.actions.description import FieldKind, Filter, Form
from shared.actions.enumeration import Values, domains, followed, plain_key
from shared.actions.registry import ACTIONS
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Dealt, Drawn, Rolled
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.language.sentence import GAP, in_english
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import Concede
from tests.actions.test_cote2_labels import alike
from tests.play.record import FOLDER
from tests.support import cote2_games, position, position1984, positionii, wild, wild1984
from tests.support.described import Maker, legal
from tests.support.layout import prison

POSITIONS = Path(__file__).parents[1] / "web" / "positions"
"""Matches to positions that chance does not reach."""
STEPS = 400
"""Positions of a match by chance, of which every `STRIDE`th is looked at."""
STRIDE = 61
TRIED = 2
"""Actions of each kind that are looked at in a position."""
COMPOSED = 4
"""Actions that are composed by chance with each form."""


def tag(kind: type[Action]) -> int:
    return int(str(kind.__struct_config__.tag))


def kinds(rules: AnyRuleset) -> set[type[Action]]:
    """Return all kinds of actions that a player takes."""
    return set(rules.action_decoder.type.__args__) - {Rolled, Drawn, Dealt}


def standing(rules: AnyRuleset, view: Any, seat: Seat) -> list[Action]:
    """Return actions that a seat may take at any time."""
    page = Listing(rules, view, seat, standing=True).page(Filter(), 0, True)
    return [rules.action_decoder.decode(raw) for raw in page.actions]


def decoded(rules: AnyRuleset, form: Form, values: Values) -> Action:
    """Return the action that a client sends which composed these values."""
    action: Action = rules.action_decoder.decode(codec.ENCODER.encode([form.tag, *values]))
    return action


# --- positions ---


def naval() -> Any:
    """Return a position of Classic before a battle at sea, with leaders aboard."""
    at = {position.galley(seat, k): "mare_alexandria" for seat in (0, 1) for k in (0, 1)}
    return position.position(homes=("egyptus", "galatia"), phase="combat", galleys=at)


def besieged() -> Any:
    """Return a position of Classic before a battle on land of more units than a legion has."""
    return position.position(
        homes=("egyptus", "galatia"), phase="combat", units={"syria": {0: (9, 3, 1), 1: (8, 2, 2)}},
        leaders={"syria": [position.general(0, 1), position.general(0, 2), position.general(1)]},
    )  # fmt: skip


def forsaken() -> Any:
    """Return a position of Classic before a battle on land that leaves leaders without units."""
    return position.position(
        homes=("hispania", "egyptus"), phase="combat", units={"tingitana": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"tingitana": [position.general(0)]},
    )  # fmt: skip


def captive() -> Any:
    """Return a position of 1984 with prisoners on both sides."""
    held: dict[str | int, list[int]] = {prison(0): [position1984.general(1)], prison(1): [position1984.general(0)]}
    return position1984.position(leaders=held, talents=[30, 30])


def windy() -> Any:
    """Return a position of Conquest II in which galleys may slip away from an attack."""
    at = {positionii.galley(seat, k): "mare_narbo" for seat in (0, 1) for k in (0, 1)}
    return positionii.position(galleys=at, cards={1: ["favorable_wind"]})


RARE: dict[str, Sequence[Callable[[], Any]]] = {
    "classic": (naval, besieged, forsaken),
    "mb1984": (captive,),
    "cote2": (windy,),
}
"""Positions from which matches by chance reach rare kinds of actions."""


def moments(rules: AnyRuleset) -> Iterator[tuple[Any, Seat]]:
    """Yield views of the seats, with the seats: of recorded matches, of matches by chance, and of rare positions."""
    for path in sorted((FOLDER / f"{rules.id}-{rules.version}").glob("*.json")):
        yield from _views(rules, _recorded(rules, read(path)))
    for path in sorted(POSITIONS.glob(f"{rules.id}_*.json")):
        yield from _views(rules, [deque(_recorded(rules, read(path)), maxlen=1).pop()])
    for seed in range(rules.max_seats - rules.min_seats + 1):
        options = {option.key: 1 for option in rules.options if option.key in ("homes", "resign")}
        state = engine.start(rules, rules.min_seats + seed, options, engine.ignore_event)
        yield from _views(rules, islice(_random(rules, state, seed), 0, STEPS, STRIDE))
    for seed in range(4):
        for beginning in RARE[rules.id]:
            yield from _views(rules, islice(_random(rules, beginning(), seed), 12))


def _views(rules: AnyRuleset, states: Iterator[Any] | Sequence[Any]) -> Iterator[tuple[Any, Seat]]:
    for state in states:
        for seat in range(state.seats):
            yield rules.view(state, seat), seat


def _recorded(rules: AnyRuleset, recording: Recording) -> Iterator[Any]:
    """Yield positions of a match: every so many, those before the first action of each kind, and the last one."""
    began = rules_of(RULESETS, rules.id, recording.version)
    state = engine.start(began, recording.seats, recording.options, engine.ignore_event)
    seen = {Rolled, Drawn, Dealt}
    for n, (seat, written) in enumerate(recording.log):
        action = rules.action_decoder.decode(codec.ENCODER.encode(written))
        if n % STRIDE == 0 or type(action) not in seen:
            yield state
        seen.add(type(action))
        engine.play(rules, state, seat, action, engine.ignore_event)
    yield state


def _random(rules: AnyRuleset, state: Any, seed: int) -> Iterator[Any]:
    """Yield the positions of a match by chance, in which a rare kind of action is as likely as a frequent one."""
    rng = Random(seed)
    while owed := engine.owed(rules, state):
        seat, action = rng.choice(owed), engine.chance_action(state, rng)
        if action is None:
            yield state
            seat, action = _proposal(rules, state) or (seat, _option(rules, state, seat, rng))
        engine.play(rules, state, seat, action, engine.ignore_event)


def _proposal(rules: AnyRuleset, state: Any) -> tuple[Seat, Action] | None:
    """Return what another seat may propose to the one that owes, if nothing is proposed yet."""
    free = not any(getattr(state, "proposals", [True]))
    for seat in range(state.seats) if free else ():
        for action in standing(rules, rules.view(state, seat), seat):
            if hasattr(action, "pays"):
                return seat, action
    return None


def _option(rules: AnyRuleset, state: Any, seat: Seat, rng: Random) -> Action:
    options = engine.options(rules, state, seat)
    kind = rng.choice(sorted({type(action) for action in options}, key=lambda each: each.__name__))
    return rng.choice([action for action in options if type(action) is kind])


# --- round trips ---


def values_in(form: Form, action: Action) -> Values | None:
    """Return the values of a form's fields that compose an action, as they travel; None if the form cannot."""
    if form.tag != tag(type(action)):
        return None
    values: Values = msgspec.msgpack.decode(codec.encode(action))[1:]
    for field, value in zip(form.fields, values, strict=True):
        rows = {choice.value: (choice.most, choice.least) for choice in field.options}
        others = {choice.value for choice in field.others}
        match field.kind:
            case FieldKind.NUMBER:
                fits = value in range(field.low, field.high + 1, field.step)
            case FieldKind.ONE:
                fits = value in rows
            case FieldKind.SET | FieldKind.LIST:
                fits = field.low <= len(value) <= field.high and all(each in rows for each in value)
            case FieldKind.ROWS:
                fits = all(place in rows and all(map(int.__le__, counts, rows[place][0])) for place, *counts in value)
            case FieldKind.PAIRS:
                fits = all(first in rows and second in others for first, second in value)
        if not fits:
            return None
    return values


def composed(form: Form, rng: Random) -> Values:
    """Return the draft of a form, with some of its values chosen anew by chance."""
    values: Values = msgspec.msgpack.decode(form.draft)[1:]
    share = rng.random()
    chosen = [
        domain.value(rng.randrange(domain.size)) if rng.random() < share else value
        for domain, value in zip(domains(form), values, strict=True)
    ]
    return followed(form, chosen)


WILD: dict[str, Maker] = {"classic": wild.wild, "mb1984": wild1984.wild, "cote2": cote2_games.wild}
"""Makers of actions that a player thinks up, legal or not."""


def by_kind(rules: AnyRuleset, view: Any, seat: Seat, rng: Random) -> dict[type[Action], list[Action]]:
    """Return legal actions of a seat, by kind: some that are offered, and some that a player thinks up."""
    offered = engine.options(rules, view, seat) if seat in engine.owed(rules, view) else ()
    found: dict[type[Action], list[Action]] = {}
    for action in (*offered, *standing(rules, view, seat)):
        found.setdefault(type(action), []).append(action)
    found = {kind: rng.sample(actions, min(TRIED, len(actions))) for kind, actions in found.items()}
    for action in legal(rules, view, seat, WILD[rules.id], rng, TRIED):
        # A concession that changes nothing is legal, but never offered.
        if not isinstance(action, Concede):
            found.setdefault(type(action), []).append(action)
    return found


def said(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> bool:
    """Whether an action has a sound label."""
    label = ACTIONS[rules.id].label(view, seat, action)
    words = in_english(label.text), in_english(label.group)
    places = label.source, label.to, *label.places
    return all(words) and not any(map(GAP.search, words)) and all(NONE <= place < BOARD.spaces for place in places)


def is_offered(rules: AnyRuleset, view: Any, seat: Seat, action: Action) -> bool:
    """Whether an action, or one that differs only in which of equal pieces it names, is on the list of the seat."""
    offered = (*engine.options(rules, view, seat), *standing(rules, view, seat))
    known = {plain_key(each) for each in offered}
    return plain_key(action) in known or (rules.id == "cote2" and any(alike(action, each, view) for each in offered))


@pytest.mark.long
@pytest.mark.rule("II-ACT-02")
@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_forms_and_labels_reach_each_action(rules: AnyRuleset) -> None:
    rng, reached, with_form, composed_of = Random(rules.id), set[type[Action]](), set[int](), set[int]()
    for view, seat in moments(rules):
        for kind, actions in by_kind(rules, view, seat, rng).items():
            forms = ACTIONS[rules.id].forms(view, seat, Filter(tag(kind)))
            for action in actions:
                reached.add(kind)
                assert said(rules, view, seat, action)
                frames = ACTIONS[rules.id].kinds[kind].frames
                assert isinstance(view.frames[-1], frames) if frames else kind in rules.standing.kinds
                trips = [(form, values) for form in forms if (values := values_in(form, action)) is not None]
                assert trips or (not forms and is_offered(rules, view, seat, action)), (action, forms)
                for form, values in trips:
                    assert [field.name for field in form.fields] == list(kind.__struct_fields__)
                    assert codec.ENCODER.encode([form.tag, *values]) == codec.encode(action)
                    assert decoded(rules, form, values) == action
            for form in forms:
                with_form.add(form.tag)
                for action in (decoded(rules, form, composed(form, rng)) for _ in range(COMPOSED)):
                    if engine.check(rules, view, seat, action) is None:
                        composed_of.add(form.tag)
                        assert said(rules, view, seat, action)
                        assert values_in(form, action) is not None, action
    assert reached == kinds(rules)
    assert composed_of == with_form

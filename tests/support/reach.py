"""Comparison of listed legal actions with those that the rules accept: random games, and random actions at their
positions."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec

from protocol.choices import scopes
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Choices
from tests.support.cote2_games import numbers_of

ENCODER = msgspec.msgpack.Encoder()
PLAIN = msgspec.msgpack.Decoder()
TRIES = 12

Wild = Callable[[Random, Any, Seat], Action]


def decisions(rules: AnyRuleset, state: Any, rng: Random, steps: int) -> Iterator[tuple[Any, Seat]]:
    """The view of each seat that has to decide on the way of a random game, and the seat."""
    for _ in range(steps):
        owed = engine.owed(rules, state)
        if not owed:
            return
        action = engine.chance_action(state, rng)
        if action is None:
            yield rules.view(state, owed[0]), owed[0]
            action = rng.choice(engine.options(rules, state, owed[0]))
        engine.perform(rules, state, owed[0], action, engine.ignore_event)


def bent(rules: AnyRuleset, rng: Random, action: Action) -> Action:
    """The action with one number changed, or something said twice or left out, as far as the wire lets it pass."""
    plain = PLAIN.decode(ENCODER.encode(action))
    places = list(numbers_of(plain))[1:]
    if places:
        holder, at = rng.choice(places)
        holder[at] = rng.choice((-1, 0, 1, holder[at] + 1, holder[at] - 1, rng.randint(-1, 60)))
    groups = [part for part in plain[1:] if isinstance(part, list) and part]
    if groups and rng.random() < 0.4:
        group = rng.choice(groups)
        if rng.random() < 0.5:
            group.append(rng.choice(group))
        else:
            group.pop(rng.randrange(len(group)))
    try:
        changed: Action = rules.action_decoder.decode(ENCODER.encode(plain))
    except msgspec.ValidationError:
        return action
    return changed


def thrown(rules: AnyRuleset, rng: Random, wild: Wild, view: Any, seat: Seat) -> Iterator[Action]:
    """Yield random legal answers that were not taken from the list of options."""
    found = engine.options(rules, view, seat)
    for _ in range(TRIES):
        action = bent(rules, rng, rng.choice(found)) if rng.random() < 0.7 else wild(rng, view, seat)
        if not isinstance(action, rules.standing.kinds) and engine.check(rules, view, seat, action) is None:
            yield action


def plainly(action: Action) -> Action:
    """The same for all ways to say the same: what arrays list in order, groups of one place together, and none that are
    of nothing; a road from its lower end; a fleet without galleys to nowhere."""
    changed = {name: _whole(name, getattr(action, name)) for name in action.__struct_fields__}
    if type(action).__name__ == "PlaceRoad":
        changed["a"], changed["b"] = sorted(changed.values())
    if changed.get("galleys") == () and "to" in changed:
        changed["to"] = NONE
    return type(action)(**changed)


def _whole(name: str, value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if name == "leaders" or not all(isinstance(item, tuple) for item in value):
        return tuple(sorted(value))
    sums: dict[int, list[int]] = {}
    for place, *counts in value:
        sums[place] = [n + m for n, m in zip(sums.get(place, [0] * len(counts)), counts, strict=True)]
    return tuple(sorted([(place, *counts) for place, counts in sums.items() if any(counts)]))


def outside(told: Choices, action: Action) -> list[str]:
    """The fields of an action that lie beyond the space that was told."""
    known = {scope.tag: {span.field: span for span in scope.spans} for scope in told.space}
    (scope,) = scopes([action])
    if scope.tag not in known:
        return ["a kind of which there is no more"]
    spans = known[scope.tag]
    return [
        f"{own.field} {own.low}..{own.high} not in {spans.get(own.field)}"
        for own in scope.spans
        if own.field not in spans or own.low < spans[own.field].low or own.high > spans[own.field].high
    ]

"""Legal actions for the frame that a seat owes, in a message of bounded size: all of them, or a fair choice."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Raw
from msgspec.structs import replace

from protocol import codec
from protocol.limits import MAX_CHOICES
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action, tag_of
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Choices, Scope, Span

_ARRAY_HEAD: Final = 2
"""Bytes that an array of many actions needs beyond those of an empty one."""


def choices(rules: AnyRuleset, view: Any, seat: Seat) -> Choices:
    """Return the answer for a seat that owes, `ref` 0, made from its view and nothing else."""
    return choose(rules, view, seat, engine.options(rules, view, seat))[0]


def choose(rules: AnyRuleset, view: Any, seat: Seat, found: Sequence[Action]) -> tuple[Choices, list[int]]:
    """Return the answer for a seat with these options, and the indices of the options in it."""
    kinds = [type(action) for action in found]
    encoded = [codec.encode(action) for action in found]
    sizes, kinds_seen = list(map(len, encoded)), set(kinds)
    # A kind of which no action was found is not legal at all.
    extremes = [action for action in rules.extreme_actions(view, seat) if type(action) in kinds_seen]
    listing = Choices(0, engine.top(view).no, not extremes, (), scopes(extremes))
    chosen = fair(kinds, sizes, _room(listing))
    if len(chosen) < len(found):
        listing = replace(listing, complete=False, space=scopes([*extremes, *found]))
        chosen = fair(kinds, sizes, _room(listing))
    return replace(listing, actions=tuple([Raw(encoded[place]) for place in chosen])), chosen


def _room(listing: Choices) -> int:
    """Return the bytes that are left for actions beside everything else."""
    return MAX_CHOICES - len(codec.encode_first(replace(listing, ref=2**32 - 1))) - _ARRAY_HEAD


# --- a fair choice ---


def fair(kinds: Sequence[type], sizes: Sequence[int], room: int) -> list[int]:
    """Return the indices of a fair choice that fits into `room` bytes, in their order.

    Each kind gets as many places as the others, as long as it has actions. They are spread over the whole list of a
    kind.
    """
    if sum(sizes) <= room:
        return list(range(len(sizes)))
    chosen: list[int] = []
    for place in _in_turns(kinds):
        room -= sizes[place]
        if room < 0:
            break
        chosen.append(place)
    return sorted(chosen)


def _in_turns(kinds: Sequence[type]) -> Iterator[int]:
    """Yield indices of one action of each kind in turn; kinds in the order of their first action."""
    places: dict[type, list[int]] = {}
    for place, kind in enumerate(kinds):
        places.setdefault(kind, []).append(place)
    queues = [[group[i] for i in scattered(len(group))] for group in places.values()]
    for turn in range(max(map(len, queues), default=0)):
        yield from [queue[turn] for queue in queues if turn < len(queue)]


def scattered(count: int) -> list[int]:
    """Return the numbers below `count` in an order of which every beginning is spread over all of them.

    These are the mirrored binary digits of 0, 1, 2 ...
    """
    width = max(1, (count - 1).bit_length())
    mirrored = (int(f"{i:0{width}b}"[::-1], 2) for i in range(1 << width))
    return [number for number in mirrored if number < count]


# --- ranges of the fields ---

Bounds = dict[str, tuple[int, int]]


def scopes(actions: Iterable[Action]) -> tuple[Scope, ...]:
    """Return the ranges of the fields of these actions, by kind, in the order of the tags."""
    found: dict[int, Bounds] = {}
    for action in actions:
        bounds = found.setdefault(tag_of(action), {})
        for name in action.__struct_fields__:
            _note(bounds, name, getattr(action, name))
    return tuple([Scope(tag, _spans(bounds)) for tag, bounds in sorted(found.items())])


def _spans(bounds: Bounds) -> tuple[Span, ...]:
    return tuple([Span(path, low, high) for path, (low, high) in bounds.items()])


def _note(bounds: Bounds, path: str, value: Any) -> None:
    """Record a number as itself, an array by its length; its items have a path of their own."""
    number = len(value) if isinstance(value, tuple) else int(value)
    low, high = bounds.get(path, (number, number))
    bounds[path] = min(low, number), max(high, number)
    if isinstance(value, tuple):
        for item in value:
            _note_item(bounds, f"{path}[]", item)


def _note_item(bounds: Bounds, path: str, item: Any) -> None:
    if not isinstance(item, tuple):
        return _note(bounds, path, item)
    for place, number in enumerate(item):
        _note(bounds, f"{path}[{place}]", number)
    return None

"""Fields of forms from examples of legal actions: each option and each end of a range occurs in one of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Raw

from shared.actions.description import Choice, Field, FieldKind, Form
from shared.ids import NONE, Army
from shared.kernel.frames import Action, tag_of
from shared.language.sentence import Sentence, Value
from shared.mechanics.armies import take_by_kind, total
from shared.mechanics.marching import BEST_FIRST

_ENCODER: Final = msgspec.msgpack.Encoder()
_ORDERS: Final = ((2, 1, 0), (2, 0, 1), (1, 2, 0), (1, 0, 2), (0, 2, 1), (0, 1, 2))
"""Orders in which units are taken, so that each kind comes first and last."""

Examples = Sequence[Action]
Shown = Callable[[int], Choice]
"""Returns the choice for a value of a field."""


def form(
    draft: Action | None,
    name: Sentence,
    group: Sentence,
    fields: Iterable[Field],
    prices: tuple[int, ...] = (),
    purse: int = NONE,
) -> list[Form]:
    """Return the form for actions of the kind of the draft, in a list; an empty list without a draft."""
    if draft is None:
        return []
    return [Form(tag_of(draft), name, group, tuple(fields), Raw(_ENCODER.encode(draft)), prices, purse)]


def first(found: Examples) -> Any:
    """Return the first example, or None."""
    return found[0] if found else None


def number(found: Examples, name: str, label: Value) -> Field:
    """Return a field for a number; it is hidden if there is no choice."""
    values = _values(found, name)
    low, high = min(values, default=0), max(values, default=0)
    return Field(name, FieldKind.NUMBER, label if low < high else "", low, high)


def one(found: Examples, name: str, label: Value, shown: Shown) -> Field:
    """Return a field for one value."""
    options = [shown(value) for value in sorted(set(_values(found, name)))]
    return Field(name, FieldKind.ONE, label, 1, 1, options=tuple(options))


def several(found: Examples, name: str, label: Value, shown: Shown) -> Field:
    """Return a field for a set of values; it is hidden if none may be chosen."""
    sets = _values(found, name)
    low, high = min(map(len, sets), default=0), max(map(len, sets), default=0)
    options = [shown(value) for value in sorted({value for chosen in sets for value in chosen})]
    return Field(name, FieldKind.SET, label if options else "", low, high, options=tuple(options))


def _values(found: Examples, name: str) -> list[Any]:
    return [getattr(action, name) for action in found]


def loads(legal: Callable[[Army], bool], whole: Army, most: int) -> Iterator[Army]:
    """Yield extreme legal loads of at most so many units: with as many and as few of each kind as possible."""
    sizes = range(min(most, total(whole)) + 1)
    least = next((size for size in sizes if legal(take_by_kind(whole, size, BEST_FIRST))), None)
    if least is None:
        return
    greatest = next(size for size in reversed(sizes) if legal(take_by_kind(whole, size, BEST_FIRST)))
    extremes = dict.fromkeys(take_by_kind(whole, size, order) for size in (greatest, least) for order in _ORDERS)
    yield from filter(legal, extremes)


def parties(leaders: Sequence[int]) -> list[tuple[int, ...]]:
    """Return examples of groups of leaders: each alone, and the first ones in every number."""
    alone = [(leader,) for leader in leaders]
    return [*alone, *[tuple(leaders[:size]) for size in range(2, len(leaders) + 1)]]


def outermost(parties: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the first and the last group, which stand for all of them where only the way differs."""
    return list(dict.fromkeys([*parties[:1], *parties[-1:]]))


def most_with(legal: Callable[[int, int], bool], upper: int, others: int) -> tuple[int, int]:
    """Return the greatest legal number of a ware up to `upper`, with the fewest of another that it needs.

    legal: whether so many may be bought together; fewer of the ware may be bought too. others: the most of the other.
    """
    best = (0, 0)
    for other in range(others + 1):
        low, high = best[0], upper
        if low == high or not legal(low, other):
            break
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if legal(middle, other) else (low, middle - 1)
        best = (low, other) if low > best[0] else best
    return best

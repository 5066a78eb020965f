"""Enumeration of what a form can compose: values of its fields in a fixed order, from any position on."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import comb, prod
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from shared.actions.description import Choice, Field, FieldKind, Form
from shared.ids import NONE
from shared.kernel.frames import Action

_DRAFT: Final = msgspec.msgpack.Decoder(list[Any])
ORDERED: Final = frozenset({"victims"})
"""Fields in which another order is another action; in all other lists it is another way to say the same."""

Values: TypeAlias = list[Any]
"""Values of the fields of an action, in their order, as they travel."""


class Domain(Struct, frozen=True):
    """Values of a field: how many there are, and each by its number. `price`: of the next one, for numbers."""

    size: int
    value: Callable[[int], Any]
    price: int = 0


def domains(form: Form) -> list[Domain]:
    """Return the domains of the fields of a form. A field without a label has one value."""
    draft, prices = _DRAFT.decode(form.draft)[1:], iter(form.prices)
    found = []
    for place, field in enumerate(form.fields):
        price = next(prices, 0) if field.kind is FieldKind.NUMBER else 0
        found.append(_domain(field, price) if field.label != "" else _domain_of(draft[place]))
    return found


def size(form: Form) -> int:
    """Return the number of positions of a form."""
    return prod([each.size for each in domains(form)])


def walk(form: Form, start: int) -> Iterator[tuple[int, Values]]:
    """Yield positions from `start` on with their values. What costs more than the purse is passed over in one step."""
    parts = domains(form)
    below = [prod([each.size for each in parts[place + 1 :]]) for place in range(len(parts))]
    purse = form.purse if form.prices and form.purse != NONE else None

    def inside(place: int, begin: int, spent: int) -> Iterator[tuple[int, Values]]:
        if place == len(parts):
            yield 0, []
            return
        part, width = parts[place], below[place]
        first, rest = divmod(begin, width)
        for number in range(first, part.size):
            value = part.value(number)
            paid = spent + part.price * value if part.price else spent
            # Greater numbers cost still more.
            if purse is not None and paid > purse:
                return
            for offset, values in inside(place + 1, rest if number == first else 0, paid):
                yield number * width + offset, [value, *values]

    return ((position, followed(form, values)) for position, values in inside(0, start, 0))


def followed(form: Form, values: Values) -> Values:
    """Return the values, in which each number that players do not see follows the one of which it counts a part."""
    by_name = dict(zip([field.name for field in form.fields], values, strict=True))
    return [
        value if field.label != "" or not field.follows else max(0, by_name[field.follows] - field.beyond)
        for field, value in zip(form.fields, values, strict=True)
    ]


def _domain_of(value: Any) -> Domain:
    return Domain(1, lambda _number: value)


def _domain(field: Field, price: int) -> Domain:
    options = [option.value for option in field.options]
    match field.kind:
        case FieldKind.NUMBER:
            return Domain((field.high - field.low) // field.step + 1, lambda n: field.low + n * field.step, price)
        case FieldKind.ONE:
            return Domain(len(options), lambda n: options[n])
        case FieldKind.SET:
            sizes = [comb(len(options), count) for count in range(field.low, field.high + 1)]
            return Domain(sum(sizes), lambda n: _chosen(options, field.low, sizes, n))
        case FieldKind.LIST:
            powers = [len(options) ** count for count in range(field.low, field.high + 1)]
            return Domain(sum(powers), lambda n: _nth_list(options, field.low, powers, n))
        case FieldKind.ROWS:
            return _rows(field.options)
        case FieldKind.PAIRS:
            others = [other.value for other in field.others]
            return Domain((len(others) + 1) ** len(options), lambda n: _pairs(options, others, n))


def _chosen(options: Sequence[int], low: int, sizes: Sequence[int], number: int) -> list[int]:
    """Return set `number`: smaller sets first, those of one size in the order of the options."""
    count = low
    while number >= sizes[count - low]:
        number -= sizes[count - low]
        count += 1
    found: list[int] = []
    for place, option in enumerate(options):
        # So many sets have this option besides those chosen before.
        with_it = comb(len(options) - place - 1, count - len(found) - 1) if len(found) < count else 0
        if number < with_it:
            found.append(option)
        else:
            number -= with_it
    return found


def _nth_list(options: Sequence[int], low: int, powers: Sequence[int], number: int) -> list[int]:
    """Return list `number`: shorter lists first."""
    count = low
    while number >= powers[count - low]:
        number -= powers[count - low]
        count += 1
    return [options[digit] for digit in _digits_of(number, [len(options)] * count)]


def _pairs(options: Sequence[int], others: Sequence[int], number: int) -> list[list[int]]:
    digits = _digits_of(number, [len(others) + 1] * len(options))
    return [[option, others[digit - 1]] for option, digit in zip(options, digits, strict=True) if digit]


def _rows(options: Sequence[Choice]) -> Domain:
    lows = [option.least or (0,) * len(option.most) for option in options]
    ends = [pair for option, row in zip(options, lows, strict=True) for pair in zip(row, option.most, strict=True)]
    ranges = [range(low, most + 1) for low, most in ends]
    radices = list(map(len, ranges))

    def value(number: int) -> list[list[int]]:
        digits = _digits_of(number, radices)
        counts = iter([numbers[digit] for numbers, digit in zip(ranges, digits, strict=True)])
        rows = [[option.value, *islice(counts, len(option.most))] for option in options]
        return [row for row in rows if any(row[1:])]

    return Domain(prod(radices), value)


def _digits_of(number: int, radices: Sequence[int]) -> list[int]:
    """Return the digits of a number in a system of these radices; the last digit counts ones."""
    found = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        found.append(digit)
    return found[::-1]


# --- other ways to say the same ---


def plain_key(action: Action) -> tuple[object, ...]:
    """Return a key that actions share if they are ways to say the same (SPEC, "Legal actions").

    That is: another order in an array, empty groups, both ends of a road exchanged.
    """
    values = [_plainly(name, getattr(action, name)) for name in action.__struct_fields__]
    ends = sorted(map(str, values)) if action.__struct_fields__ == ("a", "b") else values
    return (action.__struct_config__.tag, *ends)


def _plainly(name: str, value: Any) -> object:
    if not isinstance(value, tuple) or name in ORDERED:
        return value
    # The pairs of `leaders` hold no counts that could be summed.
    if not all(isinstance(item, tuple) for item in value) or name == "leaders":
        return tuple(sorted(value))
    sums: dict[int, list[int]] = {}
    for place, *counts in value:
        sums[place] = [n + m for n, m in zip(sums.get(place, [0] * len(counts)), counts, strict=True)]
    return tuple(sorted([(place, *counts) for place, counts in sums.items() if any(counts)]))


def is_plain(action: Action) -> bool:
    """Whether an action names no goal for nothing: no zone without an enemy there, no way for a fleet of no galleys."""
    if getattr(action, "enemy", None) == NONE and getattr(action, "zone", NONE) != NONE:
        return False
    return getattr(action, "galleys", None) != () or getattr(action, "to", NONE) == NONE


def in_order(form: Form, values: Values) -> bool:
    """Whether the lists among the values are the first of the ways to say the same."""
    return all(
        field.kind is not FieldKind.LIST or field.name in ORDERED or _rises(field, value)
        for field, value in zip(form.fields, values, strict=True)
    )


def _rises(field: Field, value: Sequence[int]) -> bool:
    order = {option.value: place for place, option in enumerate(field.options)}
    places = [order.get(item, NONE) for item in value]
    return places == sorted(places)

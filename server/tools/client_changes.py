"""Deltas that exercise each kind of change of SPEC section 3.1 and leave the view as it is.

A delta first spoils a field by a kind of change that was tested before, then repairs it by the kind under test. A
client that ignores or misreads that kind gets another digest.
"""

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from protocol.delta import WHOLE

View: TypeAlias = list[Any]
Delta: TypeAlias = list[Any]

FRAMES: Final = 2
"""Field of every view that holds arrays of different lengths, each with at least three places."""
ROUND: Final = 3
"""First field of every view that is a number and changes during a match."""


class Exercise(Struct, frozen=True):
    """Kind of change. `fault`: name of the fault of a client that fails; `delta`: made from the view, None if the view
    has nothing that suits; `needs`: faults that make the outcome mean nothing; `spoil`: changes the view of the
    snapshot before, if the delta alone cannot.
    """

    fault: str
    text: str
    delta: Callable[[View], Delta | None]
    needs: tuple[str, ...] = ()
    spoil: Callable[[View], View] = copy.deepcopy


def _numbers(view: View) -> int:
    """Return the longest field that is an array of numbers."""
    fields = [field for field, value in enumerate(view) if isinstance(value, list) and value]
    return max((field for field in fields if isinstance(view[field][0], int)), key=lambda field: len(view[field]))


def _empty(_view: View) -> Delta:
    return []


def _same(view: View) -> Delta:
    """Replace a field by itself: a client that reads the index as a place from the end spoils its view."""
    field = _numbers(view)
    return [field, WHOLE, view[field]]


def _item(view: View) -> Delta:
    field = _numbers(view)
    first, *others = view[field]
    return [field, WHOLE, [first + 1, *others], field, 0, first]


def _whole(view: View) -> Delta:
    field = _numbers(view)
    return [field, 0, view[field][0] + 1, field, WHOLE, view[field]]


def _many(view: View) -> Delta:
    field = _numbers(view)
    items = view[field]
    common = max(items, key=items.count)
    places = [place for place, item in enumerate(items) if item == common][-3:]
    wrong = [item + 1 if place in places else item for place, item in enumerate(items)]
    return [field, WHOLE, wrong, field, places, common]


def _append_item(view: View) -> Delta:
    field = _numbers(view)
    *items, last = view[field]
    return [field, WHOLE, items, field, len(items), last]


def _cut(view: View) -> Delta:
    field = _numbers(view)
    items = view[field]
    return [field, WHOLE, [*items, 7, 8], field, len(items), None]


def _inside(view: View) -> Delta:
    row = view[FRAMES][0]
    wrong = [row[0], row[1] + 1, row[2] + 1, *row[3:]]
    return [FRAMES, 0, wrong, FRAMES, -2, [1, row[1], 2, row[2]]]


def _nil_inside_item(view: View) -> Delta:
    """Make a place inside an item nil, which cuts nothing there, and then what it was."""
    row = view[FRAMES][0]
    return [FRAMES, -2, [1, None], FRAMES, -2, [1, row[1]]]


def _shared(view: View) -> Delta | None:
    """Give two items one value and change inside one of them."""
    for field, items in enumerate(view):
        rows = [(place, row) for place, row in enumerate(items) if isinstance(row, list)] if _nested(items) else []
        for a, first in rows:
            for b, second in rows:
                if first != second and len(first) == len(second):
                    pairs = [part for pair in enumerate(first) for part in pair]
                    return [field, [a, b], second, field, -2 - a, pairs]
    return None


def _nested(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, list) for item in value)


def _value(view: View) -> Delta:
    return [ROUND, view[ROUND]]


def _other_round(view: View) -> View:
    return [*view[:ROUND], view[ROUND] + 1, *view[ROUND + 1 :]]


NEEDLESS: Final = "needless-sync"
WHOLE_FIELD: Final = "delta-whole"
ITEM: Final = "delta-item"
MANY: Final = "delta-many"
INSIDE: Final = "delta-inside"

EXERCISES: Final = (
    Exercise(NEEDLESS, "It asked for a snapshot though its view was the server's (3.2).", _empty),
    Exercise(WHOLE_FIELD, "It did not replace a whole field (index -1, 3.1).", _same),
    Exercise(ITEM, "It did not replace one item of a field (index i, 3.1).", _item, (WHOLE_FIELD,)),
    Exercise(WHOLE_FIELD, "It did not replace a whole field (index -1, 3.1).", _whole, (ITEM,)),
    Exercise(MANY, "It did not replace several items at once (an array as index, 3.1).", _many, (WHOLE_FIELD,)),
    Exercise(
        "delta-append", "It did not append an item (index equal to the length, 3.1).", _append_item, (WHOLE_FIELD,)
    ),
    Exercise("delta-cut", "It did not cut an array (nil as value, 3.1).", _cut, (WHOLE_FIELD,)),
    Exercise(INSIDE, "It did not change places inside an item (index -2 - i, 3.1).", _inside, (ITEM,)),
    Exercise(
        "delta-nil", "It did not take nil as the value of a place inside an item (3.1).", _nil_inside_item, (INSIDE,)
    ),
    Exercise("delta-shared", "It changed two items that were given one value together (3.1).", _shared, (MANY, INSIDE)),
    Exercise(
        "delta-value", "It did not replace the value of a field that is no array (3.1).", _value, (), _other_round
    ),
)
"""Each kind of change, in an order in which the spoiling changes are tested before."""


def outstanding(faults: Callable[[], Iterable[str]]) -> Iterator[Exercise]:
    """Yield the exercises in order. Leave out what `faults`, those found so far, make meaningless."""
    for exercise in EXERCISES:
        if not {*exercise.needs, exercise.fault, NEEDLESS} & set(faults()):
            yield exercise

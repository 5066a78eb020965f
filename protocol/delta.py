"""Difference between two views, as one short flat array; SPEC.md describes it for other languages."""

import zlib
from collections.abc import Sequence
from itertools import compress, count
from operator import ne
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple

from protocol.codec import ENCODER

WHOLE: Final = -1
"""The index that replaces a field altogether."""
Known = dict[tuple[int, int, int], list[Any]]
"""Changes found already: by field, the identity of the old value and of the new one, which must both stay alive."""
_ARRAYS: Final = (list, tuple)


class BadDelta(ValueError):
    """Raised for a delta that does not fit the view."""


def digest(encoded_view: bytes) -> int:
    """Return the CRC-32 of a view's MessagePack encoding (shortest forms, fields in order)."""
    return zlib.crc32(encoded_view)


def diff(before: Struct, after: Struct, known: Known | None = None) -> list[Any]:
    """Return the delta that turns the view `before` into `after` (same type, array_like).

    Per change: the field's number; if the old value travels as an array, an index; the new value. The index is
    i: that item (the length: appended; nil as value: the array is cut to i); an array of indices: all these items;
    -1: the whole field; -2 - i: inside item i, the value being pairs of place and new value. `known` is shared by the
    views of one position, which have most values in common.
    """
    delta: list[Any] = []
    known = {} if known is None else known
    was, now = astuple(before), astuple(after)
    # Every action passes here for every audience: the search runs in C.
    for field in compress(count(), map(ne, was, now)):
        old, new = was[field], now[field]
        key = field, id(old), id(new)
        if key not in known:
            known[key] = _change(field, old, new)
        delta += known[key]
    return delta


def _change(field: int, old: Any, new: Any) -> list[Any]:
    """Return the delta of one field."""
    if isinstance(old, _ARRAYS) and isinstance(new, _ARRAYS):
        return _diff_array(field, old, new)
    return [field, WHOLE, new] if _travels_as_array(old) else [field, new]


def patch(view: list[Any], delta: list[Any]) -> None:
    """Apply a delta to the plain nested list of a view, in place. Raises BadDelta if it does not fit."""
    at = 0
    try:
        while at < len(delta):
            field = _place(delta[at], view)
            current = view[field]
            if not isinstance(current, list):
                view[field] = delta[at + 1]
                at += 2
                continue
            index, value = delta[at + 1], delta[at + 2]
            at += 3
            if index == WHOLE:
                view[field] = value
            else:
                _patch_array(current, index, value)
    except (IndexError, TypeError, ValueError) as error:
        raise BadDelta(str(error)) from None


def _patch_array(current: list[Any], index: Any, value: Any) -> None:
    if isinstance(index, list):
        for each in index:
            current[_place(each, current)] = value
    elif index < WHOLE:
        # A new item: several may share one list since a delta gave them the same value.
        item = list(current[_place(-2 - index, current)])
        for place, part in zip(value[::2], value[1::2], strict=True):
            item[_place(place, item)] = part
        current[-2 - index] = item
    elif value is None:
        del current[_place(index, current) :]
    elif index == len(current):
        current.append(value)
    else:
        current[_place(index, current)] = value


def _place(index: int, items: list[Any]) -> int:
    if not 0 <= index < len(items):
        raise BadDelta(f"there is no item {index}")
    return index


def _travels_as_array(value: object) -> bool:
    if isinstance(value, Struct):
        return value.__struct_config__.array_like
    return isinstance(value, (*_ARRAYS, set, frozenset))


def _diff_array(field: int, old: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    length = len(new)
    # Every action passes here, field by field: the loop runs in C.
    changed = list(compress(count(), map(ne, old, new)))
    # nil as a value cuts an array, so an item that is None cannot travel alone.
    if None in [new[i] for i in changed] or (length > len(old) and None in new[len(old) :]):
        return [field, WHOLE, new]
    pieces: list[Any] = [field, length, None] if length < len(old) else []
    for value, indices in _grouped(new, changed):
        if len(indices) > 1:
            pieces += (field, indices, value)
        else:
            pieces += (field, *_item(indices[0], old[indices[0]], value))
    for i in range(len(old), length):
        pieces += (field, i, new[i])
    # Measured in bytes, not in pieces: numbers and nested values differ too much in size.
    if len(pieces) > 3 and len(ENCODER.encode(pieces)) > len(ENCODER.encode((field, WHOLE, new))):
        return [field, WHOLE, new]
    return pieces


def _grouped(new: Sequence[Any], changed: list[int]) -> list[tuple[Any, list[int]]]:
    """Group changed indices by new value: resets and moves give many items the same one."""
    groups: list[tuple[Any, list[int]]] = []
    for i in changed:
        value = new[i]
        # By comparison, not by a dictionary: values may be lists. There are few groups.
        for known, indices in groups:
            if known == value:
                indices.append(i)
                break
        else:
            groups.append((value, [i]))
    return groups


def _item(index: int, old: Any, new: Any) -> tuple[int, Any]:
    """Return index and value for one changed item: the whole of it, or the changes inside it if these are shorter."""
    # A tagged union may change its kind: then the fields do not correspond.
    if type(old) is not type(new) or not _travels_as_array(new):
        return index, new
    inside: list[Any] = []
    parts_before, parts_after, first = _parts(old), _parts(new), _first_place(new)
    if len(parts_before) != len(parts_after):
        return index, new
    for place, (a, b) in enumerate(zip(parts_before, parts_after, strict=True), first):
        if a != b:
            inside += (place, b)
    if len(inside) > len(parts_after) or len(ENCODER.encode(inside)) >= len(ENCODER.encode(new)):
        return index, new
    return -2 - index, inside


def _parts(item: Any) -> Sequence[Any]:
    return astuple(item) if isinstance(item, Struct) else tuple(item)


def _first_place(item: Any) -> int:
    """Return the place at which the fields begin: a tagged struct travels with its tag in front."""
    return int(isinstance(item, Struct) and item.__struct_config__.tag is not None)

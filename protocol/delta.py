"""What changed between two views, as one short flat array; SPEC.md describes it for other languages."""

import zlib
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple

from protocol.codec import ENCODER

WHOLE: Final = -1
"""The index that replaces a field altogether."""


class BadDelta(ValueError):
    """A delta that does not fit the view."""


def digest(encoded_view: bytes) -> int:
    """CRC-32 of a view's MessagePack encoding (shortest forms, fields in order)."""
    return zlib.crc32(encoded_view)


def diff(before: Struct, after: Struct) -> list[Any]:
    """The delta that turns the view `before` into `after` (same type, array_like).

    Per change: field number, then, where the old value travels as an array, an index (-1: the value replaces the whole
    field; the length: it is appended; nil as value: the array is cut to the index), then the new value.
    """
    delta: list[Any] = []
    for field, (old, new) in enumerate(zip(astuple(before), astuple(after), strict=True)):
        if old is new or old == new:
            continue
        if isinstance(old, list | tuple) and isinstance(new, list | tuple):
            _diff_array(delta, field, old, new)
        elif _travels_as_array(old):
            delta += (field, WHOLE, new)
        else:
            delta += (field, new)
    return delta


def patch(view: list[Any], delta: list[Any]) -> None:
    """Apply a delta to the plain nested list of a view, in place. BadDelta where it does not fit."""
    at = 0
    try:
        while at < len(delta):
            field = delta[at]
            current = view[field]
            if not isinstance(current, list):
                view[field] = delta[at + 1]
                at += 2
                continue
            index, value = delta[at + 1], delta[at + 2]
            at += 3
            if index == WHOLE:
                view[field] = value
            elif not 0 <= index <= len(current):
                raise BadDelta(f"index {index} of field {field} is out of range")
            elif value is None:
                del current[index:]
            elif index == len(current):
                current.append(value)
            else:
                current[index] = value
    except (IndexError, TypeError) as error:
        raise BadDelta(str(error)) from None


def _travels_as_array(value: object) -> bool:
    if isinstance(value, Struct):
        return value.__struct_config__.array_like
    return isinstance(value, list | tuple | set | frozenset)


def _diff_array(
    delta: list[Any], field: int, old: list[Any] | tuple[Any, ...], new: list[Any] | tuple[Any, ...]
) -> None:
    length = len(new)
    changed = [i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a is not b and a != b]
    changed += range(len(old), length)
    if _whole_is_shorter(new, changed, length < len(old)):
        delta += (field, WHOLE, new)
        return
    if length < len(old):
        delta += (field, length, None)
    for i in changed:
        delta += (field, i, new[i])


def _whole_is_shorter(new: list[Any] | tuple[Any, ...], changed: list[int], cut: bool) -> bool:
    """Compare encoded sizes: 2 bytes (field, index) before each item against 3 (field, -1, array head) once."""
    prefixes = 2 * len(changed) + 3 * cut
    if prefixes <= 3 + len(new) - len(changed):
        return any(new[i] is None for i in changed)
    if any(new[i] is None for i in changed):
        return True
    kept = set(changed)
    rest = sum(len(ENCODER.encode(item)) for i, item in enumerate(new) if i not in kept)
    return prefixes > 3 + rest

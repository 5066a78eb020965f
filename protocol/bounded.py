"""Bounds for messages that a client takes in. Our servers send no more; larger ones could block a window."""

from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

T = TypeVar("T")
SMALL: Final = 8 * 1024
"""Bytes of a message that needs no check: nothing in it can be too long."""
MOST_TEXT: Final = 2000
"""Characters of a text."""
MOST_ITEMS: Final = 1000
"""Items of a list. A page of tables has 100, a story 200 events."""
MOST_WITHIN: Final = 200
"""Items of a list within another one, and of a map."""
_DEEPEST: Final = 8


def bounded(message: T, depth: int = 0) -> T:
    """Return the message with texts, lists and maps cut to those lengths; raw parts stay as they are."""
    return _bounded(message, depth)  # type: ignore[no-any-return]


def _bounded(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return value[:MOST_TEXT]
    if depth > _DEEPEST:
        return value
    if isinstance(value, tuple | list):
        most = MOST_WITHIN if depth > 1 else MOST_ITEMS
        return type(value)([_bounded(each, depth + 1) for each in value[:most]])
    if isinstance(value, dict):
        return {_bounded(key, depth + 1): _bounded(value[key], depth + 1) for key in list(value)[:MOST_WITHIN]}
    if isinstance(value, Struct):
        cut = {name: _bounded(getattr(value, name), depth + 1) for name in value.__struct_fields__}
        return replace(value, **cut)
    return value

"""A question to the player before something that cannot be undone: what follows in words, and what can be answered."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Answer(Struct, frozen=True):
    """A button, and what it does; `grave`: what cannot be undone."""

    words: str
    action: Callable[[], object]
    grave: bool = False


class Question(Struct, frozen=True):
    """`words`: what follows, a paragraph each. `keep`: the answer that changes nothing ("Back", if it is not called
    otherwise), also that of Escape; it does `otherwise`."""

    title: str
    words: tuple[str, ...]
    answers: tuple[Answer, ...]
    keep: str = ""
    otherwise: Callable[[], object] = lambda: None

"""Question to the player before an irreversible action: the consequences in words, and the answers."""

from collections.abc import Callable

from msgspec import Struct


class Answer(Struct, frozen=True):
    """Answer with its button text and action; `grave`: the action is irreversible."""

    words: str
    action: Callable[[], object]
    grave: bool = False


class Question(Struct, frozen=True):
    """Question with its answers.

    `words`: the consequences, a paragraph each. `keep`: text of the answer that changes nothing (default "Back"), also
    given by Escape; it calls `otherwise`.
    """

    title: str
    words: tuple[str, ...]
    answers: tuple[Answer, ...]
    keep: str = ""
    otherwise: Callable[[], object] = lambda: None

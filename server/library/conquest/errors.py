"""Errors of the library. All are ValueErrors with a sentence that says what is wrong."""

from shared.actions.name_lookup import Misread as _Misread
from shared.refusal import Refusal


class IllegalAction(ValueError):
    """Raised for an action that the rules refuse. `rule`: the id of the rule that forbids it, or ""."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal.text))
        self.rule = refusal.rule


class Misread(ValueError):
    """Raised for words that name no action."""

    def __init__(self, said: _Misread | str) -> None:
        super().__init__(str(said))

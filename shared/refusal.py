"""The reason why an action is not legal: a value, never an exception."""

from msgspec import Struct


class Refusal(Struct, frozen=True, array_like=True):
    """A refused action.

    code: short machine name, stable across versions, e.g. ``"no-leader"``.
    rule: id of the rule or ruling that forbids it, e.g. ``"CL-LEAD-02"``; empty for refusals of the protocol.
    text: what was wrong, in words a player understands.
    """

    code: str
    rule: str
    text: str


class BrokenRules(RuntimeError):
    """The rules kernel caught itself in an impossible position: a bug, never a player's fault."""

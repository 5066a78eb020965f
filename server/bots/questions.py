"""Questions to the workers of the bots, and their answers: MessagePack documents.

The server imports them without the bots themselves, which would make its start longer."""

import msgspec
from msgspec import Struct

from shared.levels import SECONDS


class BotRequest(Struct, array_like=True, frozen=True):
    """Request for a bot's decision on an encoded `view`.

    kind: a name that `policy.find` knows, "" for the level that plays the rule set best. why: also explain the action.
    seconds: thinking time, for kinds that search.
    """

    ruleset: str
    kind: str
    seat: int
    view: bytes
    seed: int
    why: bool = False
    seconds: float = SECONDS


class BotAnswer(Struct, array_like=True, frozen=True):
    """Encoded action and its explanation, see `Counsel`. `wrong`: if not empty, the error in the question."""

    action: bytes
    wrong: str = ""
    words: str = ""
    why: tuple[str, ...] = ()
    sentences: tuple[msgspec.Raw, ...] = ()

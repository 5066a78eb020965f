"""Advice that is asked for at a table: one question at a time, and its answer as long as the position stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from client.network.seldom import SeldomLog
from protocol import codec
from protocol.session import ClientSession
from shared.ids import Seat
from shared.kernel.engine import AnyRuleset
from shared.kernel.frames import Action
from shared.messages import Advice, Advise, Refused, Seated, ServerMessage, TableState
from shared.tables import ADVICE, SeatKind

LOOKING_ON: Final = "You are looking on."
NO_SERVER: Final = "This server gives no advice."
PEOPLE: Final = "Other people play here, and this table allows no advice."
NOT_YOURS: Final = "There is nothing that you have to decide now."

_log = SeldomLog(__name__)
_SEAT: Final = re.compile(r"\{(\d)\}")


class Advised(Struct, frozen=True):
    """What is advised: an action, the same in a sentence, and why. In the words ``{2}`` stands for the player on seat
    2."""

    action: Action
    words: str
    why: tuple[str, ...]


class AdviceRequest:
    """See the module's docstring. `send` takes encoded messages."""

    def __init__(self, rules: AnyRuleset, session: ClientSession, send: Callable[[bytes], object]) -> None:
        self._rules = rules
        self._session = session
        self._send = send
        self._ref = 0
        self._advised: Advised | None = None
        self._version = -1

    @property
    def thinking(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._ref)

    @property
    def known(self) -> bool:
        """Whether this server gives advice."""
        return ADVICE in self._session.can

    def ask(self, frame: int) -> None:
        """Ask about the decision that this frame owes."""
        if not self._ref:
            self._ref = self._session.ref()
            self._send(codec.encode(Advise(self._ref, frame)))

    def at(self, version: int) -> Advised | None:
        """The advice for the position of that version, if there is one."""
        return self._advised if version == self._version else None

    def forget(self) -> None:
        """The advice was read."""
        self._advised = None

    def hear(self, message: ServerMessage) -> Refused | None:
        """A message arrived; the refusal of the question, if it is that."""
        match message:
            case Advice() if message.ref == self._ref:
                self._ref, self._version = 0, self._session.version
                self._advised = self._read(message)
            case Refused() if self._ref and message.ref in (self._ref, 0):
                asked, self._ref = self._ref, 0
                return message if message.ref == asked else None
            case Seated():
                self._ref = 0  # On the connection before nobody will answer any more.
        return None

    def _read(self, message: Advice) -> Advised | None:
        try:
            return Advised(self._rules.action_decoder.decode(message.action), message.words, message.why)
        except codec.UNREADABLE:
            _log.warning("advice could not be read: %r", bytes(message.action)[:60])
            return None


def named(words: str, who: Callable[[Seat], str]) -> str:
    """What is advised, with the names of the players instead of their seats."""
    return _SEAT.sub(lambda found: who(int(found[1])), words)


def closed_to(table: TableState | None, seat: Seat) -> str:
    """Why a seat gets no advice at this table, in a sentence; empty where it may have it."""
    if table is None or seat < 0:
        return LOOKING_ON
    among_bots = all(info.kind == SeatKind.BOT for other, info in enumerate(table.seats) if other != seat)
    return "" if among_bots or table.advice else PEOPLE

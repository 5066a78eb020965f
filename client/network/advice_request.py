"""Requests for advice at a table: one at a time, with an answer that is valid for one position."""

import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from msgspec import Raw, Struct

from client.language import say_line
from client.network.rate_limited_log import RateLimitedLog
from protocol import codec
from protocol.session import ClientSession
from shared.ids import Seat
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Sentence
from shared.messages import Advice, Advise, Refused, Seated, ServerMessage, TableState
from shared.tables import ADVICE, SeatKind

LOOKING_ON: Final = "You are watching."
NO_SERVER: Final = "This server gives no advice."
PEOPLE: Final = "Other people play here, and this table allows no advice."
NOT_YOURS: Final = "There is nothing that you have to decide now."

_log = RateLimitedLog(__name__)
_SEAT: Final = re.compile(r"\{(\d)\}")
_DECODER: Final = msgspec.msgpack.Decoder(Sentence)
DEEPEST: Final = 20
"""Levels of nesting in a sentence. Ours have 8; a server could send so many that showing them would fail."""


class AdviceTexts(Struct, frozen=True):
    """Advised action, and the texts: the action in words and the reasons.

    `english`: the texts in English; in them ``{2}`` stands for the player on seat 2. `sentences`: the same for every
    language, empty if the server is older.
    """

    action: Action
    english: tuple[str, ...]
    sentences: tuple[Sentence, ...] = ()

    def lines(self, who: Callable[[Seat], str]) -> list[str]:
        """Return the texts in the player's language; `who` returns the name of a seat."""
        if self.sentences:
            return [say_line(sentence, who) for sentence in self.sentences]
        return [_SEAT.sub(lambda found: who(int(found[1])), words) for words in self.english if words]


class AdviceRequest:
    """Advice for the seat of this client: the open request and the last answer. `send` takes encoded messages."""

    def __init__(self, rules: AnyRuleset, session: ClientSession, send: Callable[[bytes], object]) -> None:
        self._rules = rules
        self._session = session
        self._send = send
        self._ref = 0
        self._advised: AdviceTexts | None = None
        self._version = -1

    @property
    def thinking(self) -> bool:
        """Whether an answer is still awaited."""
        return bool(self._ref)

    @property
    def known(self) -> bool:
        """Whether this server gives advice."""
        return ADVICE in self._session.can

    def ask(self, frame: int) -> None:
        """Ask for advice on the decision of this frame."""
        if not self._ref:
            self._ref = self._session.ref()
            self._send(codec.encode(Advise(self._ref, frame)))

    def at(self, version: int) -> AdviceTexts | None:
        """Return the advice for the position of that version, None if there is none."""
        return self._advised if version == self._version else None

    def forget(self) -> None:
        """Discard the advice."""
        self._advised = None

    def hear(self, message: ServerMessage) -> Refused | None:
        """React to a message; return it if it refuses the request."""
        match message:
            case Advice() if message.ref == self._ref:
                self._ref, self._version = 0, self._session.version
                self._advised = self._read(message)
            # A refusal without a number may be for this request: stop waiting, but leave its text to others.
            case Refused() if self._ref and message.ref in (self._ref, 0):
                ref, self._ref = self._ref, 0
                return message if message.ref == ref else None
            case Seated():
                self._ref = 0  # Requests of the previous connection get no answer any more.
        return None

    def _read(self, message: Advice) -> AdviceTexts | None:
        try:
            action = self._rules.action_decoder.decode(message.action)
            return AdviceTexts(action, (message.words, *message.why), _server_sentences(message.sentences))
        except codec.UNREADABLE:
            _log.warning("advice could not be read: %r", bytes(message.action)[:60])
            return None


def _server_sentences(encoded: Iterable[Raw]) -> tuple[Sentence, ...]:
    """Return the sentences of a server; none if they are nested too deeply to be shown."""
    found = tuple([_DECODER.decode(each) for each in encoded])
    return found if all(_depth(each) <= DEEPEST for each in encoded) else ()


def _depth(encoded: Raw) -> int:
    """Return how deeply arrays and maps are nested, counted without recursion."""
    # Recursion would fail at the very depth that this must find.
    level, depth = [msgspec.msgpack.decode(encoded)], 0
    while level:
        inner = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level, depth = [part for each in inner for part in each], depth + 1
    return depth


def closed_to(table: TableState | None, seat: Seat) -> str:
    """Return why a seat gets no advice at this table, in a sentence; empty if it may have it."""
    if table is None or seat < 0:
        return LOOKING_ON
    among_bots = all(info.kind == SeatKind.BOT for other, info in enumerate(table.seats) if other != seat)
    return "" if among_bots or table.advice else PEOPLE

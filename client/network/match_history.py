"""What a server keeps of matches, asked for piece by piece, one after the other. Knows no window."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from client.language import _, told
from shared.messages import Clock, LobbyList, Recall, Recalled, Refused, ServerMessage, Welcome
from shared.tables import Recollection

_MOST = 16 * 1024 * 1024
"""Bytes of one answer; a server that goes on is not listened to."""


class Fetch(Struct, eq=False):
    """What is asked for, and what came of it so far. `why`: in a sentence, why there is nothing."""

    wanted: Recall
    data: bytes = b""
    total: int = 0
    kind: Recollection = Recollection.FILM
    upto: int = 0
    why: str = ""

    @property
    def done(self) -> bool:
        """Whether all of it is there, or nothing will be."""
        return bool(self.why) or 0 < self.total == len(self.data)

    @property
    def progress(self) -> float:
        """How much is there, from 0 to 1."""
        return len(self.data) / self.total if self.total else 0.0


class MatchHistory:
    """One per visit. `ref` numbers requests, `send` sends them; False where it cannot."""

    def __init__(self, ref: Callable[[], int], send: Callable[[Struct], bool]) -> None:
        self._ref = ref
        self._send = send
        self._waiting: deque[Fetch] = deque()
        self._asked = 0
        self._mine: set[int] = set()
        self._lost = False
        """Whether the connection is new: what was asked on the last one is not answered any more."""

    def fetch(self, wanted: Recall) -> Fetch:
        """Ask for that; its number does not matter."""
        fetch = Fetch(wanted)
        self._waiting.append(fetch)
        if len(self._waiting) == 1:
            self._go_on()
        return fetch

    def owns(self, ref: int) -> bool:
        """Whether a request with that number was one of these."""
        return ref in self._mine

    def forget(self) -> None:
        """The visit is over: nothing more comes."""
        for fetch in self._waiting:
            fetch.why = fetch.why or _("There is no connection to the server at the moment.")
        self._waiting.clear()
        self._mine.clear()

    def hear(self, message: ServerMessage) -> None:
        """A message arrived."""
        match message:
            case Recalled() if self._waiting and message.ref == self._asked:
                self._take(self._waiting[0], message)
            case Refused() if self._waiting and message.ref == self._asked:
                self._end(told(message))
            case Welcome():
                self._lost = bool(self._waiting)
            case Clock() | LobbyList() if self._lost:
                # Not before one is back: between taking a seat again and its answer nothing is said.
                self._lost = False
                if self._waiting:
                    self._go_on()

    def _take(self, fetch: Fetch, piece: Recalled) -> None:
        changed = fetch.total and (fetch.total, fetch.upto, fetch.kind) != (piece.total, piece.upto, piece.kind)
        if changed or piece.at != len(fetch.data) or not piece.data or not len(piece.data) <= piece.total <= _MOST:
            return self._end(_("What the server keeps of this match cannot be read."))
        fetch.data += piece.data
        fetch.total, fetch.upto, fetch.kind = piece.total, piece.upto, piece.kind
        return self._end("") if fetch.done else self._go_on()

    def _end(self, why: str) -> None:
        self._waiting.popleft().why = why
        if self._waiting:
            self._go_on()

    def _go_on(self) -> None:
        fetch = self._waiting[0]
        self._asked = self._ref()
        self._mine.add(self._asked)
        asked = replace(fetch.wanted, ref=self._asked, at=len(fetch.data), upto=fetch.upto or fetch.wanted.upto)
        self._send(asked)

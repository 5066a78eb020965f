"""Download of finished matches and missed events from the server, piece by piece, one after the other.

Knows no window.
"""

from collections import deque
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from client.language import _, told
from shared.messages import Clock, LobbyList, Recall, Recalled, Refused, ServerMessage, Welcome
from shared.tables import Recollection

_MOST = 16 * 1024 * 1024
"""Maximum size of one answer in bytes; longer ones are dropped."""


class Fetch(Struct, eq=False):
    """Download and its present state. `why`: the reason why there is nothing, in a sentence."""

    request: Recall
    data: bytes = b""
    total: int = 0
    kind: Recollection = Recollection.FILM
    upto: int = 0
    why: str = ""

    @property
    def done(self) -> bool:
        """Whether the download is complete or has failed."""
        return bool(self.why) or 0 < self.total == len(self.data)

    @property
    def progress(self) -> float:
        """Downloaded fraction, from 0 to 1."""
        return len(self.data) / self.total if self.total else 0.0


class MatchHistory:
    """Downloads of one connection. `ref` numbers requests; `send` sends them and returns False if it cannot."""

    def __init__(self, ref: Callable[[], int], send: Callable[[Struct], bool]) -> None:
        self._ref = ref
        self._send = send
        self._waiting: deque[Fetch] = deque()
        self._request_ref = 0
        self._mine: set[int] = set()
        self._lost = False
        """Whether the connection is new: requests of the last one get no answer any more."""

    def fetch(self, request: Recall) -> Fetch:
        """Queue a download; the request's own number is replaced."""
        fetch = Fetch(request)
        self._waiting.append(fetch)
        if len(self._waiting) == 1:
            self._go_on()
        return fetch

    def owns(self, ref: int) -> bool:
        """Whether a request with that number was one of these."""
        return ref in self._mine

    def forget(self) -> None:
        """End all downloads: the connection is over."""
        for fetch in self._waiting:
            fetch.why = fetch.why or _("There is no connection to the server at the moment.")
        self._waiting.clear()
        self._mine.clear()

    def hear(self, message: ServerMessage) -> None:
        """React to a message."""
        match message:
            case Recalled() if self._waiting and message.ref == self._request_ref:
                self._take(self._waiting[0], message)
            case Refused() if self._waiting and message.ref == self._request_ref:
                self._end(told(message))
            case Welcome():
                self._lost = bool(self._waiting)
            case Clock() | LobbyList() if self._lost:
                # Not before the client has its seat back: the server refuses other requests until then.
                self._lost = False
                if self._waiting:
                    self._go_on()

    def _take(self, fetch: Fetch, piece: Recalled) -> None:
        changed = fetch.total and (fetch.total, fetch.upto, fetch.kind) != (piece.total, piece.upto, piece.kind)
        if changed or piece.at != len(fetch.data) or not piece.data or not len(piece.data) <= piece.total <= _MOST:
            return self._end(_("The server's record of this match cannot be read."))
        fetch.data += piece.data
        fetch.total, fetch.upto, fetch.kind = piece.total, piece.upto, piece.kind
        return self._end("") if fetch.done else self._go_on()

    def _end(self, why: str) -> None:
        self._waiting.popleft().why = why
        if self._waiting:
            self._go_on()

    def _go_on(self) -> None:
        fetch = self._waiting[0]
        self._request_ref = self._ref()
        self._mine.add(self._request_ref)
        # A running match grows between two pieces. The first answer says how far all of them go.
        request = replace(
            fetch.request, ref=self._request_ref, at=len(fetch.data), upto=fetch.upto or fetch.request.upto
        )
        self._send(request)

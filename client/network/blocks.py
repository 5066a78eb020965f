"""Reports about people, and the wishes not to sit with them or not to hear them."""

from collections.abc import Callable

from protocol import codec
from protocol.session import ClientSession
from shared import messages as m
from shared.tables import BLOCKS


class Blocks:
    """Our list of people, and the names at this table whose words we hide.

    The server keeps the list of profiles. People without a profile are hidden by this object alone.
    """

    def __init__(self, session: ClientSession, send: Callable[[bytes], object]) -> None:
        self._session = session
        self._send = send
        self.people: tuple[m.Blocked, ...] = ()
        """Our list, as the server told it last."""
        self.hidden: frozenset[str] = frozenset()
        """Names at this table whose words we hide."""
        self._here: frozenset[str] = frozenset()
        """Those of them that the server does not know."""
        self._asked: dict[int, m.Block] = {}
        self.reported = 0
        """Number of the last request that was a report."""

    @property
    def possible(self) -> bool:
        """Whether the server takes reports and keeps lists."""
        return BLOCKS in self._session.can

    def block(self, name: str, *, avoid: bool, hide: bool) -> None:
        """Set whether we are never seated with a person, and whether we hide what they say."""
        asked = m.Block(self._session.ref(), name, avoid, hide)
        self._asked[asked.ref] = asked
        self._send(codec.encode(asked))

    def wishes(self, name: str) -> m.Blocked:
        """Return our wishes about a person."""
        avoid = any(each.name == name and each.avoid for each in self.people)
        return m.Blocked(name, avoid, name in self.hidden)

    def report(self, name: str, words: str, version: int, why: str = "") -> None:
        """Report a person at the table to the operator, for a line of theirs or for the match."""
        self.reported = self._session.ref()
        self._send(codec.encode(m.Report(self.reported, name, words, version, why)))

    def hear(self, message: m.ServerMessage) -> bool:
        """React to a message; return whether the hidden names may have changed."""
        match message:
            case m.Blocks():
                asked = self._asked.pop(message.ref, None)
                self.people, known = message.people, frozenset(message.here)
                self._here -= {asked.name} if asked is not None else set()
            case m.Refused() if message.ref in self._asked:
                asked, known = self._asked.pop(message.ref), self.hidden - self._here
                if message.code in ("no-person", "no-profile"):
                    self._here = self._here - {asked.name} | ({asked.name} if asked.hide else set())
            case _:
                return False
        self.hidden = known | self._here
        return True

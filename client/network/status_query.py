"""Queries to other servers for the status of matches, in the background; they take no seat."""

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Final, Generic, TypeVar

import websockets.sync.client as ws
from msgspec import Struct
from msgspec.structs import replace
from websockets.exceptions import WebSocketException

from client.language import _, chosen, heard, told
from client.network.server_access import device_name
from client.network.server_connection import why_not
from client.network.server_process import staying_port
from client.player.profiles import fresh_secret
from client.player.seats import HOSTED
from protocol import codec
from protocol.limits import MAX_TO_CLIENT
from protocol.routes import is_bare, routes_of
from protocol.session import ClientSession
from shared import messages as m
from shared.codes import code_in
from shared.tables import DEVICES, MEMBER, MINE, PROFILE, RECALL

CLIENT: Final = "conquest 0.1"
OPENING: Final = 4.0
PATIENCE: Final = 6.0
"""Timeout in seconds for a connection and for all messages on it."""
AT_ONCE: Final = 16
"""Servers that are asked at the same time."""
MAX_WHOLE: Final = 16 * 1024 * 1024
"""Maximum size in bytes of a whole match."""
HELD: Final = 64
"""Seats of a server that are asked about by their tokens."""

_log = logging.getLogger(__name__)
_M = TypeVar("_M", bound=m.ServerMessage)
_T = TypeVar("_T")


class ServerQuery(Struct, frozen=True):
    """Query to a server. `held`: matches and tokens; `secret`: that of the profile there, if any.

    `secure`: use encrypted connections only; `bare`: also use unencrypted ones. `name`: the name in the greeting.
    """

    address: str
    name: str
    held: tuple[tuple[str, bytes], ...] = ()
    secret: bytes = b""
    secure: bool = False
    bare: bool = True


class ServerAnswer(Struct, frozen=True):
    """Answer to a query; `why`: the reason why there is none, in a sentence."""

    query: ServerQuery
    seats: tuple[m.Holding, ...] = ()
    why: str = ""


class ProfileAnswer(Struct, frozen=True):
    """Profile of this device: the query, its state as a member, and whether the connection was encrypted."""

    query: ServerQuery
    told: m.Membership
    secure: bool


class NoAnswer(Exception):
    """Raised if a server does not answer the query; the text is for the player."""


class StatusQuery:
    """Queries to several servers, each in a thread of its own."""

    def __init__(self, questions: Sequence[ServerQuery]) -> None:
        self._answers: SimpleQueue[ServerAnswer] = SimpleQueue()
        self._left = len(questions)
        places = threading.Semaphore(AT_ONCE)
        for query in questions:
            threading.Thread(target=self._ask, args=(query, places), name="inquiry", daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether all servers have answered or failed."""
        return self._left == 0

    def take(self) -> list[ServerAnswer]:
        """Return the answers since the last call."""
        answers: list[ServerAnswer] = []
        while True:
            try:
                answers.append(self._answers.get_nowait())
            except Empty:
                # Counted here and not in the threads: `done` must not be true before the last answer was taken.
                self._left -= len(answers)
                return answers

    def _ask(self, query: ServerQuery, places: threading.Semaphore) -> None:
        with places:
            try:
                answer = ServerAnswer(query, holdings(query))
            except NoAnswer as error:
                answer = ServerAnswer(query, why=str(error))
            except Exception as error:  # Whatever a foreign server sends, the list must go on.
                _log.warning("%s could not be asked: %r", query.address, error)
                answer = ServerAnswer(query, why=_("There is no game server at that address."))
        self._answers.put(answer)


class Errand(Generic[_T]):
    """Task in a thread of its own; once it is `done`, there is a result, or a sentence with the reason."""

    def __init__(self, work: Callable[[], _T]) -> None:
        self.answer: _T | None = None
        self.why = ""
        self.done = False
        threading.Thread(target=self._run, args=(work,), name="errand", daemon=True).start()

    def _run(self, work: Callable[[], _T]) -> None:
        try:
            self.answer = work()
        except NoAnswer as error:
            self.why = str(error)
        except Exception as error:
            _log.warning("an errand failed: %r", error)
            self.why = _("There is no game server at that address.")
        # Last, because the window reads the answer as soon as it sees this.
        self.done = True


def holdings(query: ServerQuery) -> tuple[m.Holding, ...]:
    """Return the status of our matches at a server. Raises NoAnswer."""
    with _Call(query) as call:
        if MINE not in call.session.can:
            raise NoAnswer(_("This server does not show how matches stand."))
        if query.secret and PROFILE in call.session.can:
            call.ask(m.Introduce(call.session.ref(), query.secret), m.Introduced)
        return call.ask(m.Mine(call.session.ref(), query.held), m.Holdings).seats


def past(query: ServerQuery, below: int = 0) -> m.PastList:
    """Return a page of the finished matches that a server lists. Raises NoAnswer.

    The first page also contains the matches of our own seats, which are named by their tokens.
    """
    with _Call(query) as call:
        if RECALL not in call.session.can:
            raise NoAnswer(_("This server lists no finished matches."))
        page = call.ask(m.Past(call.session.ref(), below=below), m.PastList)
        if below or not query.held:
            return page
        # The server may list a match of ours publicly, too; then ours counts, as it names our seat.
        own = call.ask(m.Past(call.session.ref(), held=query.held), m.PastList).matches
        others = tuple(match for match in page.matches if match.match not in {each.match for each in own})
        return replace(page, matches=(*own, *others))


def recalled(query: ServerQuery, request: m.Recall) -> m.Recalled:
    """Return everything that a server keeps of a match, in one piece. Raises NoAnswer."""
    with _Call(query) as call:
        whole = call.ask(replace(request, ref=call.session.ref()), m.Recalled)
        while len(whole.data) < min(whole.total, MAX_WHOLE):
            more = replace(request, ref=call.session.ref(), at=len(whole.data), upto=whole.upto)
            piece = call.ask(more, m.Recalled)
            # Without this check a server could keep us asking for ever with empty pieces.
            if (piece.at, piece.total) != (len(whole.data), whole.total) or not piece.data:
                raise NoAnswer(_("The server's record of this match cannot be read."))
            whole = replace(whole, data=whole.data + piece.data)
        return whole


def handed_over(query: ServerQuery) -> m.Passage:
    """Return a code with which another device gets the profile. Raises NoAnswer."""
    with _Call(query) as call:
        call.need_profiles()
        call.introduce()
        return call.ask(m.HandOver(call.session.ref()), m.Passage)


def devices(query: ServerQuery, end: bytes = b"") -> tuple[m.Device, ...]:
    """Return the devices that have the profile. `end`: the id of one that is signed out first. Raises NoAnswer."""
    with _Call(query) as call:
        call.need_profiles()
        if DEVICES not in call.session.can:
            raise NoAnswer(_("This server does not list devices."))
        call.introduce()
        return call.ask(m.Devices(call.session.ref(), end), m.DeviceList).devices


def membership(query: ServerQuery, words: str) -> ProfileAnswer:
    """Give a server a mail address or a code, and return the profile of this device. Raises NoAnswer."""
    with _Call(query) as call:
        call.need_profiles()
        if MEMBER not in call.session.can and (not words or "@" in words):
            raise NoAnswer(_("This server has no members."))
        if MEMBER not in call.session.can:  # An older server: only a new secret gets the profile of another device.
            query = replace(query, secret=fresh_secret())
            named = call.ask(m.Introduce(call.session.ref(), query.secret, code_in(words), device_name()), m.Introduced)
            return ProfileAnswer(query, m.Membership(0, named.name, False, signed_in=True), call.secure)
        call.introduce()
        mail, code = (words, "") if "@" in words else ("", code_in(words))
        told = call.ask(m.Member(call.session.ref(), mail, code, chosen()), m.Membership)
        return ProfileAnswer(query, told, call.secure)


def own_data(query: ServerQuery) -> bytes:
    """Return the document of all that a server stores of the player. Raises NoAnswer."""
    with _Call(query) as call:
        call.need_members()
        data, total = b"", 1
        while len(data) < total:
            piece = call.ask(m.OwnData(call.session.ref(), len(data)), m.OwnDataPiece)
            if not piece.data or piece.total > MAX_WHOLE:
                raise NoAnswer(_("The server's answer cannot be read."))
            data, total = data + piece.data, piece.total
        return data


def erased(query: ServerQuery) -> str:
    """Have a server erase all that it stores of the player; return its address. Raises NoAnswer."""
    with _Call(query) as call:
        name = call.need_members()
        call.ask(m.EraseMe(call.session.ref(), name), m.Done)
        return query.address


class _Call:
    """Short session with a server, by the first of its URLs that works."""

    def __init__(self, query: ServerQuery) -> None:
        self.session = ClientSession(query.name, CLIENT)
        self._query = query
        self._end = monotonic() + OPENING + PATIENCE
        self._connection: ws.ClientConnection
        self._stack = contextlib.ExitStack()
        self.secure = False
        """Whether the connection is encrypted."""

    def __enter__(self) -> "_Call":
        why = ""
        for url in _urls_of(self._query):
            try:
                self._connect_and_ask(url)
            except (OSError, WebSocketException, TimeoutError) as error:
                why = why_not(error)
                continue
            self.secure = url.startswith("wss://")
            # Closes the connection if the greeting fails; otherwise the stack outlives this block.
            with self._stack:
                self._greet(url)
                self._stack = self._stack.pop_all()
            return self
        raise NoAnswer(why)

    def _connect_and_ask(self, url: str) -> None:
        self._connection = self._stack.enter_context(
            ws.connect(url, proxy=None, compression=None, max_size=MAX_TO_CLIENT, open_timeout=OPENING,
                       close_timeout=0.5)
        )  # fmt: skip

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def need_profiles(self) -> None:
        """Raise NoAnswer if the server has no profiles."""
        if PROFILE not in self.session.can:
            raise NoAnswer(_("This server has no profiles."))

    def need_members(self) -> str:
        """Introduce the player; return the name there. Raises NoAnswer if the server has no members."""
        if MEMBER not in self.session.can:
            raise NoAnswer(_("This server has no members."))
        return self.introduce()

    def introduce(self) -> str:
        """Introduce the player by their profile; return the name there. Raises NoAnswer."""
        introduce = m.Introduce(self.session.ref(), self._query.secret, device=device_name())
        return self.ask(introduce, m.Introduced).name

    def ask(self, request: Struct, kind: type[_M]) -> _M:
        """Send a request and return its answer. Raises NoAnswer."""
        try:
            self._connection.send(codec.encode(request))
            return self._wait(kind, getattr(request, "ref", 0))
        except (OSError, WebSocketException, TimeoutError) as error:
            raise NoAnswer(why_not(error)) from error

    def _greet(self, url: str) -> None:
        try:
            self._connection.send(self.session.connect())
            self._wait(m.Welcome, 0)
        except (OSError, WebSocketException, TimeoutError) as error:
            if not self.session.greets_again:
                raise NoAnswer(why_not(error)) from error
            self._greet_again(url)

    def _greet_again(self, url: str) -> None:
        """Greet an older server, which understands a plainer greeting, on another connection."""
        try:
            self._connect_and_ask(url)
            self._connection.send(self.session.connect())
            self._wait(m.Welcome, 0)
        except (OSError, WebSocketException, TimeoutError) as error:
            raise NoAnswer(why_not(error)) from error

    def _wait(self, kind: type[_M], ref: int) -> _M:
        while True:
            # One deadline for all messages: a server that sends others all the time must not hold the thread.
            data = self._connection.recv(max(0.0, self._end - monotonic()))
            if not isinstance(data, bytes):
                continue
            message = self.session.receive(data).message
            if isinstance(message, m.Refused) and message.ref == ref:
                raise NoAnswer(told(message))
            if isinstance(message, kind) and getattr(message, "ref", 0) == ref:
                return message


def _urls_of(query: ServerQuery) -> list[str]:
    """Return the URLs of a server, encrypted ones first. Raises NoAnswer."""
    if query.address == HOSTED:
        port = staying_port()
        if not port:
            raise NoAnswer(_("Your own server is not running."))
        return [f"ws://127.0.0.1:{port}"]
    try:
        ways = routes_of(query.address)
    except ValueError as error:
        raise NoAnswer(heard(str(error))) from error
    # An attacker who blocks the encrypted way must not get our tokens by the other one.
    safe = [url for url in ways if url.startswith("wss://") or not (query.secure or (is_bare(url) and not query.bare))]
    if not safe:
        raise NoAnswer(_("The connection would not be encrypted: others could listen."))
    return safe

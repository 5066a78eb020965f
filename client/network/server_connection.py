"""Network connection in threads: the window collects arrivals with `poll` and never waits.

One thread holds the connection, reopens it after a loss, and queues what arrives; a second one writes. The protocol's
state (`ClientSession`) belongs to the main thread, where `poll` runs it.
"""

import logging
import random
import socket
import ssl
import threading
from collections.abc import Iterator
from http import HTTPStatus
from math import inf
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

import websockets.sync.client as ws
from msgspec import Struct
from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException

from client.language import _
from client.network.rate_limited_log import RateLimitedLog
from protocol import codec
from protocol.limits import MAX_TO_CLIENT, Close
from protocol.routes import is_local_only
from protocol.session import ClientSession
from shared.messages import ServerMessage

HOPELESS: Final = {
    Close.VERSION: _("This server speaks another version of the game. Please update the older of the two."),
    Close.BANNED: _("This server has banned you."),
    Close.REPLACED: _("Your seat was taken over from another window."),
}
"""Close codes after which reconnecting is useless, with a text for the player.

A seat that was taken over is taken back while its player is at this window.
"""

UNKNOWN: Final = _("No computer is known by that name.")
"""Reason to give up at once if there never was a connection."""
_log = RateLimitedLog(__name__)
# It prints tracebacks of lost connections; we tell the player what happened.
logging.getLogger("websockets.client").setLevel(logging.CRITICAL)
NO_GAME: Final = _("There is no game server at that address.")
OTHER_NAME: Final = _("The server does not accept that name. Use its address, or ask its operator to allow the name.")
PATIENCE: Final = (12.0, 1800.0)
"""Seconds without a connection after which the client gives up, before and after the first success."""
NEAR: Final = 3.0
FAR: Final = 6.0
"""Seconds for opening a connection, in the local network and elsewhere.

Packets to a home network that is not ours vanish, and the player should soon hear that.
"""
PRESENT: Final = 60.0
"""Seconds after the last key or movement of the mouse for which the player counts as present."""
PING: Final = 10.0
"""Seconds between two pings, and for the answer: as long as servers wait for us.

A frozen server does not close the connection, and another one may run the match by now.
"""
POLL: Final = 0.008
"""Seconds of one `poll` after which the rest waits for the next one: half a frame.

The window must not freeze, however much a server sends.
"""
WAITING: Final = 4 * MAX_TO_CLIENT
"""Bytes that may wait for `poll`; further ones stay in the network until then."""
NONSENSE: Final = 8
"""Unreadable messages after which a connection is closed."""
_FIRST_WAIT: Final = 0.3
_LONGEST_WAIT: Final = 8.0


class ConnectionState(Struct, frozen=True):
    """State of the connection. `why`: a sentence for the player, empty if all is well.

    The kind "bare" means that it would not be encrypted, as `ServerAccess.go_bare` allows.
    """

    kind: Literal["connecting", "up", "lost", "gave-up", "bare"]
    why: str = ""


Arrival: TypeAlias = ServerMessage | ConnectionState


class ServerConnection:
    """Session with one server over any number of connections.

    `patience`: seconds without a connection after which it gives up, before and after the first success.
    """

    def __init__(self, url: str, session: ClientSession, patience: tuple[float, float] = PATIENCE) -> None:
        self.url = url
        self.session = session
        self.state = ConnectionState("connecting")
        self._hello = session.connect()
        self._patience = patience
        self._arrived: SimpleQueue[bytes | ConnectionState] = SimpleQueue()
        self._outbox: SimpleQueue[bytes | None] | None = None
        self._nonsense = 0
        """Unreadable messages of this connection."""
        self._room = threading.Condition()
        self._waiting = 0
        """Bytes that have arrived and wait for `poll`."""
        self._closing = threading.Event()
        self._touched = self._returned = -inf
        """Times of the player's last action at this window, and of the last time that it took its seat back for that.
        """
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)
        self._thread.start()

    def send(self, message: bytes | Struct) -> bool:
        """Send a message (or an encoded one); return False, and do nothing, while there is no connection."""
        # Read once: the thread sets it to None when the connection ends.
        outbox = self._outbox
        if outbox is None:
            return False
        outbox.put(message if isinstance(message, bytes) else codec.encode_lean(message))
        return True

    def poll(self) -> Iterator[Arrival]:
        """Yield what arrived since the last call, in order, for at most `POLL` seconds.

        The session processes each message, and answers if needed, when the caller asks for it. While the caller handles
        a message, the session is at its state after that message.
        """
        end = monotonic() + POLL
        while True:
            try:
                item = self._arrived.get_nowait()
            except Empty:
                return
            if isinstance(item, ConnectionState):
                self.state = item
                self._nonsense = 0
                yield item
                continue
            self._take(item)
            message = self._read(item)
            if message is not None:
                yield message
            if monotonic() > end:
                return

    def _put(self, data: bytes) -> None:
        """Queue a message for `poll`; wait while too many bytes are queued."""
        with self._room:
            # `close` must free this thread, too: it takes no further messages.
            self._room.wait_for(lambda: self._waiting < WAITING or self._closing.is_set())
            # Counted before it is queued, as `poll` may take it at once.
            self._waiting += len(data)
        self._arrived.put(data)

    def _take(self, data: bytes) -> None:
        with self._room:
            self._waiting -= len(data)
            self._room.notify()

    def _read(self, data: bytes) -> ServerMessage | None:
        try:
            received = self.session.receive(data)
        except codec.BadMessage as error:
            _log.warning("unreadable message of %d bytes: %s", len(data), error)
            self._nonsense += 1
            if self._nonsense >= NONSENSE:
                self.give_up()
            return None
        if self.session.greets_again:
            self._hello = self.session.hello
        for reply in received.replies:
            self.send(reply)
        return received.message

    def touch(self) -> None:
        """Note that the player used this window."""
        self._touched = monotonic()

    def give_up(self) -> None:
        """Disconnect for good because the server's messages are invalid; report it with the next `poll`."""
        self.close()
        # What still waits came from the server that is not trusted any more.
        while not self._arrived.empty():
            self._arrived.get_nowait()
        self._tell("gave-up", NO_GAME)

    def close(self) -> None:
        """Disconnect for good; do not wait for the thread."""
        self._closing.set()
        with self._room:
            self._room.notify_all()
        outbox, self._outbox = self._outbox, None
        if outbox is not None:
            outbox.put(None)

    def join(self, seconds: float) -> None:
        """Wait until the thread has ended, at most that many seconds."""
        self._thread.join(seconds)

    def _run(self) -> None:
        """Run the thread: connect, read until the connection ends, wait longer each time, reconnect."""
        wait, met, since = _FIRST_WAIT, False, monotonic()
        while not self._closing.is_set():
            self._tell("connecting")
            try:
                why, final, held = self._talk()
            except (OSError, WebSocketException, ValueError) as error:  # The latter for what cannot be an address.
                unknown = isinstance(error, socket.gaierror) and not met
                why, final, held = why_not(error), unknown or _is_no_address(error), False
            if self._closing.is_set():
                return
            if held:
                wait, met, since = _FIRST_WAIT, True, monotonic()
            if final or monotonic() - since > self._patience[met]:
                self._tell("gave-up", why)
                return
            self._tell("lost", why)
            # Spread, so that the clients of a restarted server do not all come at once.
            self._closing.wait(wait * random.uniform(0.7, 1.3))
            wait = min(_LONGEST_WAIT, wait * 1.8)

    def _talk(self) -> tuple[str, bool, bool]:
        """Run one connection; return why it ended, whether that is final, and whether it was ever open."""
        with ws.connect(
            self.url,
            proxy=None,
            compression=None,
            max_size=MAX_TO_CLIENT,
            open_timeout=NEAR if is_local_only(self.url) else FAR,
            close_timeout=1,
            ping_interval=PING,
            ping_timeout=PING,
        ) as connection:
            outbox: SimpleQueue[bytes | None] = SimpleQueue()
            # Before others can send: the greeting must be the first message.
            outbox.put(self._hello)
            writer = threading.Thread(target=self._write, args=(connection, outbox), name="link-out", daemon=True)
            writer.start()
            self._outbox = outbox
            self._tell("up")
            try:
                while True:
                    data = connection.recv()
                    if isinstance(data, bytes):
                        self._put(data)
            except ConnectionClosed as closed:
                return self._closing_report(closed)
            finally:
                self._outbox = None
                outbox.put(None)

    def _write(self, connection: ws.ClientConnection, outbox: SimpleQueue[bytes | None]) -> None:
        """Write for one connection, in a thread, as fast as the server allows. None ends the thread and closes the
        connection."""
        try:
            while (data := outbox.get()) is not None:
                # Not a sleep: closing ends the wait at once.
                self._closing.wait(self.session.pause(monotonic))
                connection.send(data)
            connection.close()
        except (OSError, WebSocketException):
            return

    def _closing_report(self, closed: ConnectionClosed) -> tuple[str, bool, bool]:
        """Return the same as `_talk` for a closed connection."""
        code = closed.rcvd.code if closed.rcvd is not None else 0
        if code == Close.REPLACED and self._is_attended():
            code = Close.MOVED
        final = code in HOPELESS
        return HOPELESS[Close(code)] if final else _("The connection to the server was lost."), final, True

    def _is_attended(self) -> bool:
        """Whether the seat belongs to this window although another connection took it.

        It does if the player did something here since the seat was last taken back. The other connection may be an
        older one of this window, which the server does not know to be dead. Two windows with players do not evict each
        other for ever.
        """
        now = monotonic()
        attended = self._touched > max(now - PRESENT, self._returned)
        if attended:
            self._returned = now
        return attended

    def _tell(self, kind: Literal["connecting", "up", "lost", "gave-up"], why: str = "") -> None:
        self._arrived.put(ConnectionState(kind, why))


def _is_no_address(error: Exception) -> bool:
    """Whether what was typed cannot be an address. Some errors of the system are ValueErrors too."""
    return isinstance(error, InvalidURI | ValueError) and not isinstance(error, OSError)


def why_not(error: Exception) -> str:
    """Return why the connection failed, in a sentence."""
    if _is_no_address(error):
        return _("That is not the address of a server.")
    if isinstance(error, socket.gaierror):
        return UNKNOWN
    if isinstance(error, TimeoutError):
        return _("The server does not answer.")
    if isinstance(error, ssl.SSLCertVerificationError):
        return _("The server's certificate is not valid ({verify_message}). Ask its host to renew or replace it.",
                 verify_message=error.verify_message)  # fmt: skip
    if isinstance(error, ssl.SSLError):
        return _("The server does not speak TLS there.")
    if isinstance(error, ConnectionRefusedError):
        return _("No server is listening at that address.")
    if isinstance(error, OSError):
        return _("The server cannot be reached ({what}).", what=error.strerror or "unknown address")
    if isinstance(error, InvalidStatus) and error.response.status_code == HTTPStatus.PERMANENT_REDIRECT:
        where = urlsplit(error.response.headers.get("Location", "")).netloc
        return _("This server speaks TLS only. Join it at {where}.", where=f"wss://{where}")
    if isinstance(error, InvalidStatus) and error.response.status_code == HTTPStatus.FORBIDDEN:
        return OTHER_NAME
    return NO_GAME

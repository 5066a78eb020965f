"""What waits for one slow reader: bounded, and never anybody else's business."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from server import metrics
from server.delivery.outgoing import Outgoing

MAX_MESSAGES: Final = 256
MAX_BYTES: Final = 128 * 1024


class Receiver(Protocol):
    """Whoever takes whole messages."""

    def send(self, message: Outgoing) -> None:
        """Take one; neither blocks nor raises."""


class Taker(Protocol):
    """What bytes are given to."""

    def send(self, data: bytes, /) -> int:
        """How many it took; OSError where it takes none."""


class Unseen:
    """Where there is no socket to be seen."""

    def send(self, _data: bytes, /) -> int:
        """Nothing is taken."""
        return 0


UNSEEN: Final = Unseen()


class Outbox:
    """Passes messages on while the socket takes them, else keeps a few; nothing before `open` and after `close`.

    No task of its own: the transport says when it stops (`pause`) and goes on (`resume`) taking bytes. When too much
    waits, what is droppable is dropped, and `catch_up` is called once the reader is back: one snapshot stands for all
    that it missed. When even the rest is too much, `overflow` is called.

    `taker`: the socket. `write`: gives the transport what that did not take; it pauses us as long as it holds any. So a
    frame costs each who looks on little more than the system's call: the way through a transport is several times as
    long, most of it memory that nobody has touched for a while.
    """

    __slots__ = (
        "_at_once", "_behind", "_bytes", "_catch_up", "_open", "_overflow", "_paused", "_taker", "_waiting", "_write"
    )  # fmt: skip

    def __init__(
        self,
        write: Callable[[bytes], None],
        catch_up: Callable[[], None],
        overflow: Callable[[], None],
        taker: Taker = UNSEEN,
    ) -> None:
        self._taker = taker
        self._write = write
        self._catch_up = catch_up
        self._overflow = overflow
        self._waiting: deque[Outgoing] = deque()
        self._bytes = 0
        self._open = False
        self._paused = False
        self._behind = False
        self._at_once: Taker | None = None
        """`taker`, while nothing is in the way of the next message."""

    def send(self, message: Outgoing) -> None:
        """Write it, keep it, or drop it if a snapshot will replace it."""
        send_all(message, (self,))

    def _hold(self, message: Outgoing) -> None:
        """Something is in the way of it."""
        if self._open and not (self._behind and message.droppable):
            self._keep(message)

    def open(self) -> None:
        """From now on messages may go out."""
        self._open = True
        if not self._paused:
            self._at_once = self._taker

    def close(self) -> None:
        """Nothing more may go out."""
        self._open = self._behind = False
        self._at_once = None
        self._waiting.clear()
        self._bytes = 0

    def pause(self) -> None:
        """The socket takes no more for now."""
        self._paused = True
        self._at_once = None

    def resume(self) -> None:
        """The socket takes bytes again."""
        self._paused = False
        while self._waiting and not self._paused:
            message = self._waiting.popleft()
            self._bytes -= len(message.frame)
            self._write(message.frame)
        if not self._paused:
            self._go_on()

    def _go_on(self) -> None:
        if self._open:
            self._at_once = self._taker
        if self._behind:
            self._behind = False
            self._catch_up()

    def _keep(self, message: Outgoing) -> None:
        self._waiting.append(message)
        self._bytes += len(message.frame)
        if self._full() and not self._behind:
            self._behind = True
            metrics.DROPS.inc()
            self._waiting = deque(kept for kept in self._waiting if not kept.droppable)
            self._bytes = sum(len(kept.frame) for kept in self._waiting)
        if self._full():
            self._overflow()

    def _full(self) -> bool:
        return len(self._waiting) > MAX_MESSAGES or self._bytes > MAX_BYTES


def send_all(message: Outgoing, receivers: Iterable[Receiver]) -> None:
    """Let each of them `send` it; without a call for each outbox, since there may be thousands."""
    frame = message.frame
    size = len(frame)
    for receiver in receivers:
        if type(receiver) is not Outbox:
            receiver.send(message)
        elif (taker := receiver._at_once) is None:
            receiver._hold(message)
        else:
            try:
                taken = taker.send(frame)
            except OSError:  # It takes nothing for now, or never will again: the transport knows what to do.
                taken = 0
            if taken < size:
                receiver._write(frame[taken:])

"""Bounded outbox of one connection; a slow reader never delays others."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from server import metrics
from server.delivery.outgoing import Outgoing

MAX_MESSAGES: Final = 256
"""Messages that may be queued for one reader."""
MAX_BYTES: Final = 128 * 1024
"""Bytes that may be queued for one reader."""


class Receiver(Protocol):
    """Consumer of whole messages."""

    def send(self, message: Outgoing) -> None:
        """Take a message; neither blocks nor raises."""


class Taker(Protocol):
    """Consumer of bytes, such as a socket."""

    def send(self, data: bytes, /) -> int:
        """Take bytes and return how many were taken. Raises OSError if none can be."""


class Unseen:
    """Placeholder for a socket that is not accessible."""

    def send(self, _data: bytes, /) -> int:
        """Take nothing."""
        return 0


UNSEEN: Final = Unseen()


class Outbox:
    """Outbox that sends messages while the socket takes them, and otherwise queues a few.

    It sends only between `open` and `close`, and needs no task: the transport calls `pause` and `resume`. If too much
    is queued, droppable messages are dropped. `catch_up` is called once the reader is back: one snapshot stands for all
    that it missed. If even the rest is too much, `overflow` is called.

    `taker`: the socket. `write`: gives the transport the bytes that the socket did not take; the transport calls
    `pause` while it holds any. So a frame costs little more than the system call for each receiver. The way through a
    transport takes several times as long, mostly because of cache misses.
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
        """`taker` while a message can be sent at once, else None."""

    def send(self, message: Outgoing) -> None:
        """Send a message, queue it, or drop it if a snapshot will replace it."""
        send_all(message, (self,))

    def _hold(self, message: Outgoing) -> None:
        """Queue a message that cannot be sent now, or drop it."""
        if self._open and not (self._behind and message.droppable):
            self._keep(message)

    def open(self) -> None:
        """Start sending messages."""
        self._open = True
        if not self._paused:
            self._at_once = self._taker

    def close(self) -> None:
        """Stop sending, and drop all queued messages."""
        self._open = self._behind = False
        self._at_once = None
        self._waiting.clear()
        self._bytes = 0

    def pause(self) -> None:
        """Queue messages, because the socket takes no more for now."""
        self._paused = True
        self._at_once = None

    def resume(self) -> None:
        """Send queued messages, because the socket takes bytes again."""
        self._paused = False
        # Writing may pause the outbox again in the midst of the loop.
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
        # Once behind, droppable messages are not kept at all: the snapshot stands for them.
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
    """Send a message to all receivers, without a method call for each outbox: there may be thousands."""
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
            except OSError:  # The socket is full or broken: the transport handles both.
                taken = 0
            # A socket may take a part of a frame; the transport sends the rest first.
            if taken < size:
                receiver._write(frame[taken:])

"""What waits for one slow reader: bounded, and never anybody else's business."""

from collections import deque
from collections.abc import Callable
from typing import Final

from server import metrics
from server.delivery.outgoing import Outgoing

MAX_MESSAGES: Final = 256
MAX_BYTES: Final = 128 * 1024


class Outbox:
    """Passes messages on while the socket takes them, else keeps a few.

    No task of its own: the transport says when it stops (`pause`) and goes on (`resume`) taking bytes. When too much
    waits, what is droppable is dropped, and `catch_up` is called once the reader is back: one snapshot stands for all
    that it missed. When even the rest is too much, `overflow` is called.
    """

    def __init__(
        self, write: Callable[[bytes], None], catch_up: Callable[[], None], overflow: Callable[[], None]
    ) -> None:
        self._write = write
        self._catch_up = catch_up
        self._overflow = overflow
        self._waiting: deque[Outgoing] = deque()
        self._bytes = 0
        self._paused = False
        self._behind = False

    def send(self, message: Outgoing) -> None:
        """Write it, keep it, or drop it if a snapshot will replace it."""
        if not self._paused and not self._waiting:
            self._write(message.frame)
        elif not (self._behind and message.droppable):
            self._keep(message)

    def pause(self) -> None:
        """The socket takes no more for now."""
        self._paused = True

    def resume(self) -> None:
        """The socket takes bytes again."""
        self._paused = False
        while self._waiting and not self._paused:
            message = self._waiting.popleft()
            self._bytes -= len(message.frame)
            self._write(message.frame)
        if self._behind and not self._paused:
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

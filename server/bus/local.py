"""The bus within one process."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from server.delivery.outbox import Receiver, send_all
from server.delivery.outgoing import Outgoing

MANY: Final = 200
"""Most subscribers of a channel that are served at once."""
SLICE: Final = 200
"""Subscribers of a larger channel that are served in one turn of the loop."""


Slice: TypeAlias = tuple[Outgoing, tuple[Receiver, ...]]
"""Message, and the receivers that get it in one turn of the loop."""


class Backlog:
    """Messages that a channel still has to deliver; `gone`: receivers that left since the first of them."""

    def __init__(self, slices: Iterable[Slice]) -> None:
        self.slices = deque(slices)
        self.gone: set[Receiver] = set()


class LocalBus:
    """A bus within one process: plain calls, in order of subscription.

    Many subscribers are served in slices, with a turn of the loop after each, so that other tasks do not wait long.
    """

    def __init__(self) -> None:
        self._channels: dict[str, dict[Receiver, None]] = {}
        self._backlogs: dict[str, Backlog] = {}

    def subscribe(self, channel: str, receiver: Receiver) -> None:
        """Add a subscriber."""
        self._channels.setdefault(channel, {})[receiver] = None
        if channel in self._backlogs:
            self._backlogs[channel].gone.discard(receiver)

    def unsubscribe(self, channel: str, receiver: Receiver) -> None:
        """Remove a subscriber, and the channel with its last one."""
        subscribers = self._channels.get(channel)
        if subscribers is not None:
            subscribers.pop(receiver, None)
            if not subscribers:
                del self._channels[channel]
        if channel in self._backlogs:
            self._backlogs[channel].gone.add(receiver)

    def publish(self, channel: str, message: Outgoing) -> None:
        """Call every subscriber."""
        subscribers = self._channels.get(channel, {})
        backlog = self._backlogs.get(channel)
        if backlog is not None:
            backlog.slices.extend(_slices(message, subscribers))
        elif len(subscribers) > MANY:
            self._backlogs[channel] = Backlog(_slices(message, subscribers))
            self._serve_slice(channel)
        else:
            send_all(message, tuple(subscribers))

    def _serve_slice(self, channel: str) -> None:
        """The next subscribers in line; who has left meanwhile gets nothing."""
        backlog = self._backlogs[channel]
        message, line = backlog.slices.popleft()
        send_all(message, [each for each in line if each not in backlog.gone] if backlog.gone else line)
        if backlog.slices:
            asyncio.get_running_loop().call_soon(self._serve_slice, channel)
        else:
            del self._backlogs[channel]


def _slices(message: Outgoing, subscribers: Iterable[Receiver]) -> Iterator[Slice]:
    """Yield slices of receivers, each served in one turn of the event loop."""
    line = tuple(subscribers)
    return ((message, line[at : at + SLICE]) for at in range(0, len(line), SLICE))

"""The bus within one process."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from server.bus.port import Deliver
from server.delivery.outgoing import Outgoing

MANY: Final = 200
"""Subscribers of a channel that are served in one go."""
SLICE: Final = 200
"""Subscribers of a larger channel that are served in one turn of the loop."""


Slice: TypeAlias = tuple[Outgoing, tuple[Deliver, ...]]
"""What is said, and to whom in one turn."""


class LocalBus:
    """A bus within one process: plain calls, in order of subscription.

    Many subscribers are served in slices, with a turn of the loop after each, so that nobody else waits long.
    """

    def __init__(self) -> None:
        self._channels: dict[str, dict[Deliver, None]] = {}
        self._backlog: dict[str, deque[Slice]] = {}

    def subscribe(self, channel: str, deliver: Deliver) -> None:
        """Add a subscriber."""
        self._channels.setdefault(channel, {})[deliver] = None

    def unsubscribe(self, channel: str, deliver: Deliver) -> None:
        """Remove a subscriber, and the channel with its last one."""
        subscribers = self._channels.get(channel)
        if subscribers is not None:
            subscribers.pop(deliver, None)
            if not subscribers:
                del self._channels[channel]

    def publish(self, channel: str, message: Outgoing) -> None:
        """Call every subscriber."""
        subscribers = self._channels.get(channel, {})
        backlog = self._backlog.get(channel)
        if backlog is not None:
            backlog.extend(_slices(message, subscribers))
        elif len(subscribers) > MANY:
            self._backlog[channel] = deque(_slices(message, subscribers))
            self._serve_slice(channel)
        else:
            for deliver in tuple(subscribers):
                deliver(message)

    def _serve_slice(self, channel: str) -> None:
        """The next subscribers in line; who has left meanwhile gets nothing."""
        backlog = self._backlog[channel]
        message, line = backlog.popleft()
        here = self._channels.get(channel, {})
        for deliver in line:
            if deliver in here:
                deliver(message)
        if backlog:
            asyncio.get_running_loop().call_soon(self._serve_slice, channel)
        else:
            del self._backlog[channel]


def _slices(message: Outgoing, subscribers: Iterable[Deliver]) -> Iterator[Slice]:
    """As many of them as are served in one turn, again and again."""
    line = tuple(subscribers)
    return ((message, line[at : at + SLICE]) for at in range(0, len(line), SLICE))

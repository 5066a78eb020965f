"""The bus within one process."""

import asyncio
from collections import deque
from typing import Final

from server.bus.port import Deliver
from server.delivery.outgoing import Outgoing

MANY: Final = 200
"""Subscribers of a channel that are served in one go."""
SLICE: Final = 100
"""Subscribers of a larger channel that are served in one turn of the loop."""


class LocalBus:
    """A bus within one process: plain calls, in order of subscription.

    Many subscribers are served in slices, with a turn of the loop after each, so that nobody else waits long.
    """

    def __init__(self) -> None:
        self._channels: dict[str, dict[Deliver, None]] = {}
        self._backlog: dict[str, deque[tuple[Outgoing, deque[Deliver]]]] = {}

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
            backlog.append((message, deque(subscribers)))
        elif len(subscribers) > MANY:
            self._backlog[channel] = deque([(message, deque(subscribers))])
            self._serve_slice(channel)
        else:
            for deliver in tuple(subscribers):
                deliver(message)

    def _serve_slice(self, channel: str) -> None:
        """The next subscribers in line; who has left meanwhile gets nothing."""
        backlog = self._backlog[channel]
        message, waiting = backlog[0]
        here = self._channels.get(channel, {})
        for _ in range(min(SLICE, len(waiting))):
            deliver = waiting.popleft()
            if deliver in here:
                deliver(message)
        if not waiting:
            backlog.popleft()
        if backlog:
            asyncio.get_running_loop().call_soon(self._serve_slice, channel)
        else:
            del self._backlog[channel]

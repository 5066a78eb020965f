"""From a match to those who follow it: in this process now, over a broker where one machine is not enough."""

from collections.abc import Callable
from typing import Protocol

from server.outgoing import Outgoing

Deliver = Callable[[Outgoing], None]


class Bus(Protocol):
    """Channels of encoded messages. Delivery keeps the order of publishing within a channel."""

    def subscribe(self, channel: str, deliver: Deliver) -> None:
        """From now on hand what is published there to `deliver`, which must not block or raise."""

    def unsubscribe(self, channel: str, deliver: Deliver) -> None:
        """No longer; unknown subscriptions are ignored."""

    def publish(self, channel: str, message: Outgoing) -> None:
        """Hand a message to all subscribers."""


class LocalBus:
    """A bus within one process: plain calls, in order of subscription."""

    def __init__(self) -> None:
        self._channels: dict[str, dict[Deliver, None]] = {}

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
        for deliver in tuple(self._channels.get(channel, ())):
            deliver(message)

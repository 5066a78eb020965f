"""From a match to those who follow it: what any bus must do."""

from collections.abc import Callable
from typing import Protocol

from server.delivery.outgoing import Outgoing

Deliver = Callable[[Outgoing], None]


class Bus(Protocol):
    """Channels of encoded messages. Delivery keeps the order of publishing within a channel."""

    def subscribe(self, channel: str, deliver: Deliver) -> None:
        """From now on hand what is published there to `deliver`, which must not block or raise."""

    def unsubscribe(self, channel: str, deliver: Deliver) -> None:
        """No longer; unknown subscriptions are ignored."""

    def publish(self, channel: str, message: Outgoing) -> None:
        """Hand a message to all subscribers."""

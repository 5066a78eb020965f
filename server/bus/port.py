"""From a match to those who follow it: what any bus must do."""

from typing import Protocol

from server.delivery.outbox import Receiver
from server.delivery.outgoing import Outgoing


class Bus(Protocol):
    """Channels of encoded messages. Delivery keeps the order of publishing within a channel."""

    def subscribe(self, channel: str, receiver: Receiver) -> None:
        """Send a receiver everything that is published there from now on."""

    def unsubscribe(self, channel: str, receiver: Receiver) -> None:
        """End a subscription; unknown ones are ignored."""

    def publish(self, channel: str, message: Outgoing) -> None:
        """Hand a message to all subscribers."""

"""One connected client, as lobby and tables know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from protocol.limits import Close
from server.delivery.outgoing import Outgoing, outgoing
from shared.messages import Refused
from shared.refusal import Refusal

if TYPE_CHECKING:
    from server.matches.task import MatchTask


class Link(Protocol):
    """What carries messages to a client. Neither call waits or raises."""

    def offer(self, message: Outgoing) -> None:
        """Send a message in its turn."""

    def end(self, code: Close) -> None:
        """Close the connection with that code."""


class Peer:
    """A client: its name, and the table and seat it is at (seat -1: looking on)."""

    def __init__(self, link: Link, name: str = "") -> None:
        self.link = link
        self.send = link.offer
        """Send a shared message."""
        self.name = name
        self.table: MatchTask | None = None
        self.seat = -1

    def tell(self, message: Struct) -> None:
        """Send a message to this client alone."""
        self.send(outgoing(message))

    def refuse(self, ref: int, refusal: Refusal) -> None:
        """Say why a request had no effect."""
        self.tell(Refused(ref, refusal.code, refusal.rule, refusal.text))

"""Interface to the other nodes for the code that starts and ends this one; a module without the NATS library."""

from typing import Protocol

from server.lobby.lobby import Lobby
from server.lobby.remote_tables import RemoteTables
from server.metrics import Gauge


class OtherNodes(RemoteTables, Protocol):
    """Other nodes of the cluster, as the server's start and end use them."""

    node: str
    """Name of this node in the cluster."""

    async def serve(self, lobby: Lobby) -> None:
        """Start to serve the other nodes. Raises StoreError."""

    @property
    def connected(self) -> bool:
        """Whether the bus is connected."""

    @property
    def alive(self) -> bool:
        """Whether this node's heartbeats reach the database. If not, other nodes may soon take over its matches."""

    @property
    def neighbours(self) -> tuple[str, ...]:
        """Names of the other nodes that sent something lately."""

    def say(self, text: str, match: str) -> None:
        """Have the other nodes send an operator's text to the clients at a match of theirs, or ("") to all clients."""

    def gauges(self) -> list[Gauge]:
        """Return the gauges of the cluster for Prometheus. Called from another thread."""

    async def stop(self) -> None:
        """Announce the end of this node and disconnect from the bus."""

"""The other nodes, as whoever starts and ends this one knows them; no library is needed to say so."""

from typing import Protocol

from server.lobby.lobby import Lobby
from server.lobby.remote_tables import RemoteTables
from server.metrics import Gauge


class OtherNodes(RemoteTables, Protocol):
    """See the module's docstring."""

    node: str
    """This one's name among them."""

    async def serve(self, lobby: Lobby) -> None:
        """Be there for all. Raises StoreError."""

    @property
    def connected(self) -> bool:
        """Whether the bus is reached."""

    @property
    def alive(self) -> bool:
        """Whether its heartbeats are taken. If not, other nodes may soon run its matches."""

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The other nodes that were heard of late."""

    def say(self, text: str, match: str) -> None:
        """Have the other nodes say an operator's word to those at a match that runs there, or ("") to everybody."""

    def gauges(self) -> list[Gauge]:
        """What stands between the nodes at this moment, for Prometheus; asked from another thread."""

    async def stop(self) -> None:
        """Leave."""

"""Address of this server for clients outside of its local network, and the clients that are told of it."""

from server.addresses import is_local
from server.delivery.peer import Peer
from shared import messages as m
from shared.tables import PUBLIC_ADDRESS


class PublicAddress:
    """Present public address. `url`: a WebSocket address, "" if there is none; `report`: why not, in a sentence."""

    def __init__(self, url: str = "") -> None:
        self.url = url
        self.report = ""
        self._peers: set[Peer] = set()

    def change(self, url: str, report: str = "") -> None:
        """Note another address or report, and tell all clients that understand it."""
        if (url, report) == (self.url, self.report):
            return
        self.url, self.report = url, report
        for peer in self._peers:
            self._tell(peer)

    def add(self, peer: Peer) -> None:
        """Tell a client that was greeted, now and after each change, if its program understands it."""
        if PUBLIC_ADDRESS in peer.agreed:
            self._peers.add(peer)
            if self.url or self.report:
                self._tell(peer)

    def remove(self, peer: Peer) -> None:
        """Forget a client that is gone."""
        self._peers.discard(peer)

    def _tell(self, peer: Peer) -> None:
        # Strangers need not know the troubles of the host's router.
        peer.tell(m.PublicAddress(self.url, self.report if is_local(peer.address) else ""))

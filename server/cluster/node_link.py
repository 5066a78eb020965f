"""Link between two nodes: numbered parcels, each with all packets of one turn of the event loop."""

import asyncio
from typing import Final

from server.clock import Clock
from server.cluster.nats_transport import NatsTransport
from server.cluster.packets import Beat, Cast, Packet, Parcel, Word

FULL: Final = 256 * 1024
"""Bytes of messages after which a parcel is sent at once; NATS takes no more than a megabyte."""


class NodeLink:
    """End of a link between two nodes. `number`: of the link, as its edge counts."""

    def __init__(self, transport: NatsTransport, clock: Clock, other: str, number: int, upward: bool) -> None:
        self.other = other
        self.number = number
        self.heard_at = clock.now()
        self._transport = transport
        self._clock = clock
        self._upward = upward
        self._sent = 0
        self._received = 0
        self._packets: list[Packet] = []
        self._size = 0
        self.closed = False

    @property
    def silence(self) -> float:
        """Seconds since the last parcel arrived."""
        return self._clock.now() - self.heard_at

    @property
    def answered(self) -> bool:
        """Whether any parcel has arrived."""
        return self._received > 0

    def send(self, packet: Packet) -> None:
        """Queue a packet for the next parcel; a closed link drops it."""
        if self.closed:
            return
        if not self._packets:
            # At the end of this turn of the loop: all that one action causes travels as one parcel.
            asyncio.get_running_loop().call_soon(self.flush)
        self._packets.append(packet)
        if isinstance(packet, Word | Cast):
            self._size += len(packet.frame)
            if self._size > FULL:
                self.flush()

    def beat(self) -> None:
        """Send a heartbeat."""
        self.send(Beat())

    def flush(self) -> None:
        """Flush queued packets."""
        if self._packets and not self.closed:
            self._sent += 1
            packets, self._packets, self._size = tuple(self._packets), [], 0
            parcel = Parcel(
                self._transport.dialect, self._transport.node, self._upward, self.number, self._sent, packets
            )
            self._transport.send(self.other, parcel)

    def takes(self, parcel: Parcel) -> bool:
        """Return True and count the parcel if it is the next one. False means that a parcel was lost."""
        if parcel.number != self._received + 1:
            return False
        self._received += 1
        self.heard_at = self._clock.now()
        return True

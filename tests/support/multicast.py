"""Hand-made multicast packets: announcements of tables, valid, false or malformed."""

import random
import socket
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle
from typing import Final

from protocol.announcement import SERVICE, Announcement
from shared.tables import TablePhase

GROUP: Final = ("224.0.0.251", 5353)
LOOPBACK: Final = "127.0.0.1"
_A, _PTR, _TXT, _SRV = 1, 12, 16, 33
_IN, _FLUSH = 1, 0x8001
_ANSWER: Final = 0x8400


def name(text: str) -> bytes:
    """A name as labels."""
    labels = [label.encode() for label in text.strip(".").split(".")]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def record(owner: str, kind: int, data: bytes, ttl: int = 120) -> bytes:
    """Return one resource record."""
    kind_and_class = struct.pack("!HHIH", kind, _IN if kind == _PTR else _FLUSH, ttl, len(data))
    return name(owner) + kind_and_class + data


def packet(records: Iterable[bytes], flags: int = _ANSWER) -> bytes:
    """Return an unsolicited answer."""
    found = list(records)
    return struct.pack("!6H", 0, flags, 0, len(found), 0, 0) + b"".join(found)


def announced(unique: str, text: Mapping[str, bytes], service: str = SERVICE, *, address: str = "192.168.7.7",
              port: int = 8600, ttl: int = 120) -> bytes:  # fmt: skip
    """All that makes an announcement; `text`: of its TXT record, `ttl` 0 takes it back."""
    whole, host = f"{unique}.{service}", f"{unique}.local."
    strings = [key.encode() + b"=" + value for key, value in text.items()]
    return packet([
        record(service, _PTR, name(whole), ttl),
        record(whole, _SRV, struct.pack("!3H", 0, 0, port) + name(host), ttl),
        record(whole, _TXT, b"".join(bytes([len(each)]) + each for each in strings), ttl),
        record(host, _A, socket.inet_aton(address), ttl),
    ])  # fmt: skip


def flood(seed: int, service: str = SERVICE) -> Iterator[bytes]:
    """Packets without an end, no two alike: tables that are none, names without tables, questions, noise."""
    chance = random.Random(seed)
    makers = (_table, _table, _names, _question, _noise, _goodbyes)
    for make in cycle(makers):
        yield make(chance, service)


def _word(chance: random.Random) -> str:
    return f"{chance.getrandbits(64):016x}"


def _table(chance: random.Random, service: str) -> bytes:
    title = "".join(chr(chance.randrange(0x20, 0x3000)) for _ in range(30))
    table = Announcement(_word(chance), "classic", title, title[:20], 6, chance.randrange(7), TablePhase.GATHERING)
    address = socket.inet_ntoa(struct.pack("!I", chance.getrandbits(32)))
    return announced(_word(chance), table.record(), service, address=address)


def _names(chance: random.Random, service: str) -> bytes:
    return packet(record(service, _PTR, name(f"{_word(chance)}.{service}")) for _ in range(20))


def _goodbyes(chance: random.Random, service: str) -> bytes:
    return packet(record(service, _PTR, name(f"{_word(chance)}.{service}"), 0) for _ in range(20))


def _question(chance: random.Random, service: str) -> bytes:
    asked = name(service) + struct.pack("!HH", _PTR, _IN)
    return struct.pack("!6H", chance.getrandbits(16), 0, 1, 0, 0, 0) + asked


def _noise(chance: random.Random, service: str) -> bytes:
    return struct.pack("!6H", 0, _ANSWER, 0, 200, 0, 0) + chance.randbytes(1200)


def sender(interface: str = LOOPBACK) -> Callable[[bytes], object]:
    """Sends to the group by that network card."""
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(interface))
    out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
    return lambda data: out.sendto(data, GROUP)

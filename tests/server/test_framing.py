"""Hand-written WebSocket frames: the library makes the same bytes, and reads them, at every size where the header
changes."""

import random

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side

from protocol import codec
from protocol.limits import MAX_TO_CLIENT
from server.delivery.outgoing import Outgoing, outgoing
from shared.messages import Done, Notice
from tests.server.fakes import payloads

SIZES = [0, 1, 124, 125, 126, 127, 128, 255, 256, 65_534, 65_535, 65_536, 65_537, MAX_TO_CLIENT]


def payload(size: int) -> bytes:
    """Bytes of which no two halves are alike."""
    return random.Random(size).randbytes(size)


def read(data: bytes, piece: int = 1 << 30) -> list[bytes]:
    """The binary messages that a client makes of it when it comes in pieces of that size."""
    client = Protocol(Side.CLIENT, max_size=MAX_TO_CLIENT)
    heard: list[bytes] = []
    for at in range(0, len(data), piece):
        client.receive_data(data[at : at + piece])
        for frame in client.events_received():
            assert isinstance(frame, Frame) and frame.opcode is Opcode.BINARY and frame.fin, client.parser_exc
            heard.append(bytes(frame.data))
    assert client.parser_exc is None and not client.data_to_send()
    return heard


@pytest.mark.parametrize("size", SIZES)
def test_a_message_is_framed_as_the_library_would(size: int) -> None:
    framed = Outgoing(payload(size)).frame
    assert framed == Frame(Opcode.BINARY, payload(size)).serialize(mask=False)
    assert read(framed) == [payload(size)]


@pytest.mark.parametrize("sizes", [(0, 0), (125, 126, 125), (126, 0, 65_535, 65_536, 1), (65_536, 65_535)])
def test_messages_written_as_one_piece_are_read_one_by_one(sizes: tuple[int, ...]) -> None:
    framed = Outgoing(*[payload(size) for size in sizes]).frame
    for piece in (1 << 30, 4096, 1000):
        assert read(framed, piece) == [payload(size) for size in sizes]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127])
def test_a_message_is_read_whole_byte_by_byte(size: int) -> None:
    assert read(Outgoing(payload(size), b"next").frame, 1) == [payload(size), b"next"]


def test_a_message_is_its_encoding_and_droppable_only_when_asked() -> None:
    notice = Notice("restart", "x" * 200)
    assert payloads(outgoing(notice).frame) == [codec.encode(notice)]
    assert not outgoing(Done(1)).droppable and outgoing(Done(1), droppable=True).droppable
    assert not Outgoing(b"").droppable

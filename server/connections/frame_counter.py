"""Counting WebSocket frames before anybody parses them."""

from typing import Final

_MASK: Final = 4
_WIDE: Final = {126: 2, 127: 8}
"""Bytes of a longer length, by what stands in its place."""


class FrameCounter:
    """Counts the frames that begin in a stream of bytes, control and continuation frames too."""

    def __init__(self) -> None:
        self._skip = 0
        self._head = b""

    @property
    def is_between(self) -> bool:
        """Whether the next byte begins a frame."""
        return not self._skip and not self._head

    def count(self, data: bytes, most: int) -> int:
        """How many frames begin in the next bytes; counting stops above `most`: then the stream is of no use."""
        found, at, end = 0, self._skip, len(data)
        if self._head:
            data = self._head + data
            end, at, self._head = len(data), 0, b""
            found -= 1  # Counted when its first byte came.
        while at < end and found <= most:
            found += 1
            size = self._size(data, at)
            if size == 0:
                self._head = data[at:]
                at = end
            else:
                at += size
        self._skip = at - end
        return found

    def _size(self, data: bytes, at: int) -> int:
        """Bytes of the frame that begins there, 0 if they do not yet say."""
        if len(data) < at + 2:
            return 0
        short = data[at + 1] & 0x7F
        wide = _WIDE.get(short, 0)
        if len(data) < at + 2 + wide:
            return 0
        length = int.from_bytes(data[at + 2 : at + 2 + wide], "big") if wide else short
        return 2 + wide + _MASK * (data[at + 1] >> 7) + length

"""Counter of WebSocket frames, used before they are parsed."""

from typing import Final

_MASK: Final = 4
_WIDE: Final = {126: 2, 127: 8}
"""Bytes of an extended length, by the value of the 7-bit length."""


class FrameCounter:
    """Counter of the frames that begin in a stream of bytes, including control and continuation frames."""

    def __init__(self) -> None:
        self._skip = 0
        self._head = b""

    @property
    def is_between(self) -> bool:
        """Whether the next byte begins a frame."""
        return not self._skip and not self._head

    def count(self, data: bytes, most: int) -> int:
        """Return how many frames begin in the next bytes.

        Counting stops above `most`; the stream cannot be counted further then.
        """
        found, at, end = 0, self._skip, len(data)
        if self._head:
            data = self._head + data
            end, at, self._head = len(data), 0, b""
            found -= 1  # It was counted when its first byte came.
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
        """Return the size of the frame that begins at `at`, 0 if its header is incomplete."""
        if len(data) < at + 2:
            return 0
        short = data[at + 1] & 0x7F
        wide = _WIDE.get(short, 0)
        if len(data) < at + 2 + wide:
            return 0
        length = int.from_bytes(data[at + 2 : at + 2 + wide], "big") if wide else short
        return 2 + wide + _MASK * (data[at + 1] >> 7) + length

"""Black and white squares as text for a terminal: two squares in each letter."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

_BLOCKS: Final = " ▄▀█"
_BLACK_ON_WHITE: Final = "\x1b[97;40m{}\x1b[0m"
"""Blocks are drawn white on black, whatever the colours of the terminal are."""


def in_blocks(rows: Sequence[Sequence[int]]) -> str:
    """Return lines of half blocks for rows of one length. Squares that are not 0, or missing below, are dark."""
    dark = [1] * len(rows[0])
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=dark)
    return "\n".join(_BLACK_ON_WHITE.format("".join(map(_block, upper, lower))) for upper, lower in pairs)


def _block(upper: int, lower: int) -> str:
    return _BLOCKS[2 * (not upper) + (not lower)]

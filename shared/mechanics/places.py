"""Codes in positions for leaders and galleys that are not at a place of the board."""

from typing import Final

ABOARD: Final = 60
"""`leader_at` of a leader aboard galley g is ABOARD + g."""
PRISON: Final = 110
"""`leader_at` of a prisoner of seat s is PRISON + s."""
OFF: Final = 127
"""Off the board: an eliminated leader, a galley in the supply."""
AT_SEA: Final = 3
"""`leader_used` of a leader that went aboard or ashore this turn: it may not march any more."""

"""Position of a 1984 match: numbers of pieces, and their places."""

from typing import Final

LEADERS = 7
"""Leaders per colour: a Caesar (number 0) and six generals (MB-COMP-02)."""
GALLEYS = 6
"""Galleys per colour (MB-COMP-02)."""
POOL = (60, 30, 20)
"""Infantry, cavalry, catapults: one supply for all players (MB-COMP-03)."""
CITIES, FORTIFICATIONS, ROADS = 30, 16, 34
"""The common supply of buildings (MB-COMP-04); short and long roads are one supply (MB-D12)."""


RELEASED: Final = 4
"""`leader_used` of a general that came back this turn and not by an exchange: no march before the owner's next turn
(MB-D37).
"""
TAKEN: Final = 5
"""`leader_used` of a leader that was captured this turn, and is judged at once or in a later turn (MB-GEN-01)."""

"""Rounds and phases of Conquest II in words."""

from __future__ import annotations

from client.language import say, saying
from shared.ids import NONE, Seat
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.table import Table
from shared.sentences import cote2

round_words = saying(cote2.round_words)


def phase_words(table: Table) -> tuple[tuple[str, ...], int]:
    """Return the phases of this season, and the index of the present one.

    The index is -1 before the first season and after the end.
    """
    names, now = cote2.phase_words(table)
    return tuple(say(name) for name in names), now


def active(table: Table) -> Seat:
    """Return the seat that takes a turn, bids in an auction or places units; NONE between these."""
    for frame in table.frames:
        if isinstance(frame, f.Turn | f.Auction | f.Deployment):
            return frame.seat
    return NONE

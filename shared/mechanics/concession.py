"""Winning by common agreement."""

from collections.abc import Sequence

from shared.ids import NONE, Seat


def agreed_winner(left: Sequence[Seat], conceded: Sequence[Seat]) -> Seat:
    """The one of those still in the match to whom all others have conceded, else NONE."""
    for winner in left:
        if all(conceded[seat] == winner for seat in left if seat != winner):
            return winner
    return NONE


def forgotten(conceded: Sequence[Seat], gone: Seat) -> list[Seat]:
    """The concessions without those of and to a player who is gone."""
    return [NONE if seat == gone or to == gone else to for seat, to in enumerate(conceded)]

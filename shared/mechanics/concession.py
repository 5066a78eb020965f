"""Winning by common agreement."""

from collections.abc import Sequence

from shared.ids import NONE, Seat


def agreed_winner(left: Sequence[Seat], conceded: Sequence[Seat]) -> Seat:
    """Return the seat in the match to which all others in the match have conceded, else NONE."""
    for winner in left:
        if all(conceded[seat] == winner for seat in left if seat != winner):
            return winner
    return NONE


def without_player(conceded: Sequence[Seat], gone: Seat) -> list[Seat]:
    """Return the concessions without those of and to a player who is gone."""
    return [NONE if seat == gone or to == gone else to for seat, to in enumerate(conceded)]

"""When a duel is lost: a Caesar could sit behind his walls for another thirty rounds, and it is kinder to concede."""

from typing import Final

from server.bots.mb1984.odds import UNIT_WORTH
from server.bots.mb1984.survey import Survey
from server.bots.strength import strength
from shared.ids import NONE, Seat
from shared.rulesets.mb1984.state import Table, living

EARLIEST: Final = 12
"""Rounds before which nobody concedes."""
HOPELESS: Final = 3
"""How many times as much as we the last enemy must have: in two hundred matches of normal bots nobody won who had so
much less, nor who had two and a half times less."""
YEARS: Final = 3
"""Years of tribute that count as what one has."""


def agreed(survey: Survey) -> Seat:
    """To whom the match is lost, or NONE. Among several there is always somebody to turn to."""
    table, seat = survey.table, survey.seat
    rivals = [other for other in living(table) if other != seat]
    if len(rivals) > 1 or table.round < EARLIEST:
        return NONE
    units = strength(table, UNIT_WORTH)
    ours, theirs = (units[each] + _means(table, each) for each in (seat, rivals[0]))
    return rivals[0] if HOPELESS * ours <= theirs else NONE


def _means(table: Table, seat: Seat) -> float:
    """What a seat can hire in the next years."""
    return (table.talents[seat] + YEARS * table.marker[seat]) / table.inflation

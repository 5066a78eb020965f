"""Bargains that the options suggest; conceding and resigning (CL-END-02, CL-D34, MB-END-02, MB-D50)."""

from collections.abc import Iterator, Sequence
from typing import Final

from shared.ids import Leader, Seat
from shared.kernel.frames import Action, Frame
from shared.mechanics.amendments import HasOptions
from shared.mechanics.ending import check_concession
from shared.mechanics.pieces import alive
from shared.refusal import Refusal
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary.actions import Concede, Offer

RANSOMS: Final = (0, 20, 50)
"""Sums that `options` suggests for a general."""
OFFERS: Final = 3
"""Bargains that the active seat may propose in one turn: our own limit, so that a turn ends (CL-H18, MB-D37)."""


def offers_each(_table: HasOptions) -> int:
    """Return the number of bargains that the active seat may propose in one turn."""
    return OFFERS


def suggestions(
    table: TableFields, seat: Seat, other: Seat, takes: Sequence[Leader], gives: Sequence[Leader]
) -> Iterator[Offer]:
    """Yield a few bargains: one general for a sum, one for one.

    takes: generals of `seat` that `other` holds and could give. gives: the other way round.
    """
    takes, gives = tuple(takes[:1]), tuple(gives[:1])
    for sum_ in RANSOMS:
        if takes and sum_ <= table.talents[seat]:
            yield Offer(other, pays=sum_, takes=takes)
        if gives and sum_ <= table.talents[other]:
            yield Offer(other, gives=gives, wants=sum_)
    if takes and gives:
        yield Offer(other, gives=gives, takes=takes)


def check_alive(table: TableFields, seat: Seat, rule: str) -> Refusal | None:
    """Refuse players who are out of the match, by that rule."""
    if 0 <= seat < table.seats and alive(table, seat):
        return None
    return Refusal("out", rule, "Only players who are still in the match can do that.")


def check_leaving(
    table: TableFields,
    seat: Seat,
    action: Action,
    resigning: int,
    phases: tuple[type[Frame], ...],
    rules: tuple[str, str],
) -> Refusal | None:
    """Check a concession, or a resignation.

    resigning: the table's option that allows it. phases: frames in which it is possible. rules: those about conceding
    and resigning.
    """
    concede, resign = rules
    if isinstance(action, Concede):
        return check_concession(table, seat, action.to, concede)
    if not resigning:
        return Refusal("no-resigning", resign, "This table does not allow resigning; conceding is possible.")
    if not isinstance(table.frames[-1], phases):
        return Refusal("not-now", resign, "Finish the battle or bargain first.")
    return None

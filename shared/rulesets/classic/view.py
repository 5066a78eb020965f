"""Views in Classic: everything lies open (money, pieces, prisoners), so all audiences see the same.

The view is still built field by field: a new field of the state is invisible until a line here shows it.
"""

from shared.ids import Seat
from shared.rulesets.classic.table import TableFields


class View(TableFields):
    """The view that travels. Fields and their order are the delta paths of the wire (`rulesets` version changes with
    them).
    """


def view(state: TableFields, _seat: Seat | None) -> View:
    """Return the view of `_seat`, or of the public (None). It shares the lists of a state that does not change any
    more.

    Fields are passed by position, five times as fast as by name: it is built for every audience after every action.
    """
    return View(
        state.seats,
        state.options,
        state.frames,
        state.round,
        state.order,
        state.home,
        state.owner,
        state.units,
        state.built,
        state.roads,
        state.leader_at,
        state.leader_used,
        state.galley_at,
        state.galley_used,
        state.cargo,
        state.moved,
        state.landed,
        state.talents,
        state.marker,
        state.lord,
        state.captured,
        state.inflation,
        state.triggered,
        state.conceded,
        state.winner,
        state.due,
    )

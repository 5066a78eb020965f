"""Who may know what in the 1984 game: everything lies open (money, pieces, prisoners), so all audiences see the same.

The view is still built field by field: a new field of the state is invisible until a line here shows it.
"""

from shared.ids import Seat
from shared.rulesets.mb1984.state import Table


class View(Table):
    """What travels. Fields and their order are the delta paths of the wire (`rulesets` version changes with them)."""


def view(state: Table, _seat: Seat | None) -> View:
    """What `_seat`, or the public (None), may know. Shares the lists of a state that nobody changes any more."""
    return View(
        seats=state.seats,
        options=state.options,
        frames=state.frames,
        round=state.round,
        order=state.order,
        home=state.home,
        owner=state.owner,
        units=state.units,
        built=state.built,
        roads=state.roads,
        leader_at=state.leader_at,
        leader_used=state.leader_used,
        galley_at=state.galley_at,
        galley_used=state.galley_used,
        cargo=state.cargo,
        docked=state.docked,
        moved=state.moved,
        landed=state.landed,
        talents=state.talents,
        marker=state.marker,
        lord=state.lord,
        inflation=state.inflation,
        triggered=state.triggered,
        offers=state.offers,
        proposals=state.proposals,
        conceded=state.conceded,
        winner=state.winner,
    )

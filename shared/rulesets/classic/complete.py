"""From a view back to a position: nothing is hidden in Classic, so it is the whole one."""

from shared.kernel.chance import Source
from shared.rulesets.classic.state import State
from shared.rulesets.classic.view import View


def complete(view: View, _chance: Source) -> State:
    """A position that goes on as the viewer's does; it shares nothing mutable with the view."""
    return State(
        view.seats,
        view.options,
        view.frames[:],
        view.round,
        view.order,
        view.home[:],
        view.owner[:],
        view.units[:],
        view.built[:],
        view.roads[:],
        view.leader_at[:],
        view.leader_used[:],
        view.galley_at[:],
        view.galley_used[:],
        view.cargo[:],
        view.moved[:],
        view.landed[:],
        view.talents[:],
        view.marker[:],
        view.lord[:],
        view.captured[:],
        view.inflation,
        view.triggered[:],
        view.conceded[:],
        view.winner,
        view.due,
        max(frame.no for frame in view.frames),
    )

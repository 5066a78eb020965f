"""From a view back to a position: nothing is hidden in the 1984 game, so it is the whole one."""

from shared.kernel.chance import Source
from shared.rulesets.mb1984.state import State
from shared.rulesets.mb1984.view import View


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
        view.docked[:],
        view.moved[:],
        view.landed[:],
        view.talents[:],
        view.marker[:],
        view.lord[:],
        view.inflation,
        view.triggered[:],
        view.offers,
        view.proposals[:],
        view.conceded[:],
        view.winner,
        max(frame.no for frame in view.frames),
    )

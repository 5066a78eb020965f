"""The decision after a round of battle: fight on or retreat (CL-BATTLE-10, MB-RETREAT-01, II-BATTLE-09)."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from shared.ids import NO_ARMY, Leader, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import Action, Emit, Handler, always, take_action
from shared.mechanics.armies import army_of, put_army, with_army
from shared.mechanics.table import Pieces
from shared.refusal import Refusal
from shared.vocabulary.actions import Retreat, Stand
from shared.vocabulary.events import Retreated
from shared.vocabulary.frames import Onward, seat_owes

T = TypeVar("T")


def onward_handler(
    targets: Callable[[T, Onward, Seat], Sequence[Space]],
    check_target: Callable[[T, Onward, Seat, Space], Refusal | None],
    rule: str,
) -> Handler[T, object]:
    """Return the handler of `Onward`.

    targets: where a retreat can lead. check_target: check that a retreat leads there. rule: the rule that players
    decide about retreats.
    """

    def options(table: T, frame: Onward, seat: Seat) -> list[Action]:
        return [Stand(), *[Retreat(to) for to in targets(table, frame, seat)]]

    def check(table: T, frame: Onward, seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, Stand):
            return None
        if not isinstance(action, Retreat):
            return Refusal("wrong-action", rule, "Fight on or retreat.")
        return check_target(table, frame, seat, action.to)

    return Handler(seat_owes, options, check, take_action, always(Stand()), raise_broken_rules)


def retreat(state: Pieces, seat: Seat, source: Space, to: Space, leaders: Sequence[Leader], emit: Emit) -> None:
    """Move the army of `seat` and its `leaders` from one province to another."""
    army = army_of(state.units[source], seat)
    state.units[source] = put_army(state.units[source], seat, NO_ARMY)
    state.units[to] = with_army(state.units[to], seat, army)
    for leader in leaders:
        state.leader_at[leader] = to
    emit(Retreated(seat, source, to, tuple(leaders), army))

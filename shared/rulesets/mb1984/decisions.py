"""Decisions within a battle: the target, the lost cargo, fighting on (MB-BATTLE-03, MB-RETREAT)."""

from collections.abc import Sequence

from shared.board import BOARD
from shared.ids import GALLEY, Seat, Space
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import Action, Emit, Handler, take_action
from shared.language.sentence import _
from shared.mechanics.armies import total
from shared.mechanics.cells import hostile
from shared.mechanics.fight_or_retreat import onward_handler
from shared.refusal import Refusal
from shared.rulesets.conquest.pieces import galleys_at
from shared.rulesets.mb1984.actions import Aim, Lose
from shared.rulesets.mb1984.battle import retreats, throw_overboard
from shared.rulesets.mb1984.contact import troops
from shared.rulesets.mb1984.frames import Aiming, Battle, CargoLoss
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.shots import Target, best_target, carriers, choices, targets
from shared.rulesets.mb1984.table import State, Table
from shared.vocabulary.frames import Onward, seat_owes


def _aiming_options(table: Table, frame: Aiming, _seat: Seat) -> list[Action]:
    return [Aim(*target) for target in choices(table, frame.enemy, frame.space)]


def _aiming_check(table: Table, frame: Aiming, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Aim):
        return Refusal("wrong-action", "MB-BATTLE-03", "Declare your target first.")
    found = targets(table, frame.enemy, frame.space)
    return None if (action.kind, action.galley) in found else _no_target(table, frame, action, found)


def _no_target(table: Table, frame: Aiming, aim: Aim, found: Sequence[Target]) -> Refusal:
    """Return the reason why a target is impossible, if only those in `found` are possible."""
    if aim.kind != GALLEY:
        return Refusal("no-target", "MB-BATTLE-03", "There is no such enemy unit in this battle.")
    if frame.space < BOARD.provinces:
        return Refusal("no-target", "MB-BATTLE-06", "Galleys on the coast take no part in a battle on land.")
    known = aim.galley in galleys_at(table, frame.enemy, frame.space)
    if not known and any(kind == GALLEY for kind, _ in found):
        return Refusal("no-target", "MB-BATTLE-03", "Say at which galley you fire.")
    return Refusal("protected", "MB-NAVAL-03", "A galley is no target before the units aboard are destroyed.")


def _aiming_default(table: Table, frame: Aiming, _seat: Seat) -> Action:
    """Aim at the target with the best chance times prize."""
    return Aim(*best_target(choices(table, frame.enemy, frame.space), frame.space >= BOARD.provinces, frame.ahead))


def _loss_options(table: Table, frame: CargoLoss, seat: Seat) -> list[Action]:
    return [Lose(galley) for galley in carriers(table, seat, frame.space, frame.kind)]


def _loss_check(table: Table, frame: CargoLoss, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Lose):
        return Refusal("wrong-action", "MB-D28", "Say first from which galley your unit falls.")
    if action.galley in carriers(table, seat, frame.space, frame.kind):
        return None
    return Refusal("no-such-cargo", "MB-D28", "No galley of yours with such a unit was hit there.")


def _loss_apply(state: State, frame: CargoLoss, seat: Seat, action: Lose, emit: Emit) -> object:
    throw_overboard(state, seat, frame.space, frame.kind, action.galley, emit)
    return action


def _loss_default(table: Table, frame: CargoLoss, seat: Seat) -> Action:
    """Lose the unit from the fullest galley, so that as many as possible still carry a legion."""
    loaded = carriers(table, seat, frame.space, frame.kind)
    return Lose(max(loaded, key=lambda galley: total(table.cargo[galley])))


def _targets(table: Table, _frame: Onward, _seat: Seat) -> list[Space]:
    return retreats(table, _battle_below(table))


def _battle_below(table: Table) -> Battle:
    frame = table.frames[-2]
    assert isinstance(frame, Battle)
    return frame


def _check_retreat(table: Table, frame: Onward, seat: Seat, to: Space) -> Refusal | None:
    return None if to in _targets(table, frame, seat) else _no_retreat(table, seat, _battle_below(table).space, to)


def _no_retreat(table: Table, seat: Seat, space: Space, to: Space) -> Refusal:
    """Return the rule that forbids a retreat from a battle in `space` to that place."""
    if 0 <= to < BOARD.positions and to >= BOARD.provinces:
        return Refusal("no-retreat", "MB-RETREAT-04", "No retreat leads to the sea.")
    if to in steps(table)[space] and hostile(table.units[to], seat):
        text = _(
            "{enemies} are in {place}: no retreat leads there.", enemies=troops(table, seat, to), place=BOARD.names[to]
        )
        return Refusal("no-retreat", "MB-D25", text)
    other = "A retreat leads to one adjacent province of yours, over land."
    return Refusal("no-retreat", "MB-RETREAT-03", other)


AIMING: Handler[Table, State] = Handler(
    seat_owes, _aiming_options, _aiming_check, take_action, _aiming_default, raise_broken_rules
)
CARGO_LOSS: Handler[Table, State] = Handler(
    seat_owes, _loss_options, _loss_check, _loss_apply, _loss_default, raise_broken_rules
)
ONWARD: Handler[Table, State] = onward_handler(_targets, _check_retreat, "MB-RETREAT-01")

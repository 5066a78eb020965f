"""Ranges of the fields of actions whose `options` are incomplete, by the kind of frame that is owed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from shared.ids import Seat
from shared.kernel.frames import Action, Frame
from shared.mechanics import bargains, prisoners
from shared.rulesets.conquest.extreme_actions import movements, purchases
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.diplomacy import PHASES
from shared.rulesets.mb1984.economy import PRICES, stock
from shared.rulesets.mb1984.state import LEADERS
from shared.rulesets.mb1984.table import Table
from shared.vocabulary.frames import Captives, Movement, Purchase


def extreme_actions(table: Table, seat: Seat) -> Sequence[Action]:
    """Return extreme actions for each kind that the options do not exhaust (`Ruleset.extreme_actions`)."""
    frame = table.frames[-1]
    further = _BEYOND.get(type(frame))
    found = further(table, frame, seat) if further else []
    return [*found, *bargains.widest_offer(table, seat, LEADERS)] if isinstance(frame, PHASES) else found


_BEYOND: Final[Mapping[type[Frame], Callable[[Table, Any, Seat], list[Action]]]] = {
    Movement: lambda table, _frame, seat: movements(table, seat, March),
    Captives: lambda table, frame, _seat: prisoners.extreme_judgements(table, frame, LEADERS),
    Purchase: lambda table, _frame, seat: purchases(table, seat, Buy, stock(table, seat), PRICES),
}

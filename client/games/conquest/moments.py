"""Moments that Classic and 1984 share: prices rise, a city falls, generals are put to death, a Caesar is taken."""

from __future__ import annotations

from client.language import _
from client.table.moments import Moment
from shared.ids import NONE
from shared.kernel.frames import Event
from shared.mechanics.table import Built
from shared.rulesets.conquest.table import Table
from shared.vocabulary import events as e


def moment(event: Event, before: Table | None) -> Moment | None:
    """Return the moment of an event, or None. `before`: the position before it, if it is known."""
    match event:
        case e.PricesRose(factor=factor):
            return Moment(_("Inflation: prices × {factor}", factor=factor), ("coin10",))
        case e.Conquered(seat=seat, space=space, loser=loser) if loser != NONE and before is not None:
            built = before.built[space]
            if not built:
                return None
            return Moment(_("A city falls"), ("fortified" if built == Built.FORTIFIED else "city", f"marker_{seat}"))
        case e.Killed(seat=seat):
            return Moment(_("An execution"), (f"marker_{seat}",))
        case e.Eliminated(seat=seat, by=by) if by != NONE:
            return Moment(_("An empire ends"), (f"caesar_{seat}", f"marker_{by}"))
        case _:
            return None

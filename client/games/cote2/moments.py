"""Moments of the second game: the end of an auction or vote, an assassination, a revolt, the fall of a city."""

from __future__ import annotations

from client.language import _
from client.table.moments import Moment
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.table import Table


def moment(event: Event, _before: Table | None) -> Moment | None:
    """Return the moment of an event, or None."""
    match event:
        case e.Allied(seat=seat):
            return Moment(_("The auction is over"), (f"marker_{seat}",))
        case e.VoteBegan(seat=seat):
            return Moment(_("The senate votes"), ("card:kind_senator", f"marker_{seat}"))
        case e.VoteWon(seat=seat):
            return Moment(_("The senate has decided"), (f"marker_{seat}",) if seat >= 0 else ("card:kind_senator",))
        case e.GeneralKilled(seat=seat):
            return Moment(_("An assassination"), ("card:assassin", f"general_{seat}"))
        case e.SenatorKilled(seat=seat):
            return Moment(_("An assassination"), ("card:assassin", f"marker_{seat}"))
        case e.RevoltBegan(seat=seat):
            return Moment(_("The slaves revolt"), ("card:revolt", f"marker_{seat}"))
        case e.CityTaken(seat=seat):
            return Moment(_("A city falls"), ("city", f"marker_{seat}"))
        case _:
            return None

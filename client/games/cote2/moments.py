"""Moments of the second game: the end of an auction or vote, open cards and chaos, an assassination, a revolt, a
city's fall. Outcomes of auctions, votes and draws are held back until they were shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.games.cote2.card_presentation import SHOWN
from client.language import _
from client.table.moments import Moment
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.table import Table

_CARDS: Final = 4
"""Largest number of pictures of new cards."""


def moment(event: Event, _before: Table | None) -> Moment | None:
    """Return the moment of an event, or None."""
    match event:
        case e.Allied(seat=seat):
            return Moment(_("The auction is over"), (f"marker_{seat}",), holds=True)
        case e.CardsOpened(cards=cards):
            pictures = dict.fromkeys(SHOWN.of(card).picture(card) for card in sorted(cards))
            return Moment(_("New cards"), tuple(f"card:{name}" for name in pictures)[:_CARDS], holds=True)
        case e.ChaosShown(points=points):
            return Moment(_("Chaos is counted"), _markers(points), holds=True)
        case e.VoteBegan(seat=seat):
            return Moment(_("The senate votes"), ("card:kind_senator", f"marker_{seat}"))
        case e.VoteWon(seat=seat):
            picture = f"marker_{seat}" if seat >= 0 else "card:kind_senator"
            return Moment(_("The senate has decided"), (picture,), holds=True)
        case e.GeneralKilled(seat=seat):
            return Moment(_("An assassination"), ("card:assassin", f"general_{seat}"), holds=True)
        case e.SenatorKilled(seat=seat):
            return Moment(_("An assassination"), ("card:assassin", f"marker_{seat}"), holds=True)
        case e.RevoltBegan(seat=seat):
            return Moment(_("The slaves revolt"), ("card:revolt", f"marker_{seat}"), holds=True)
        case e.CityTaken(seat=seat):
            return Moment(_("A city falls"), ("city", f"marker_{seat}"))
        case _:
            return None


def _markers(points: Sequence[int]) -> tuple[str, ...]:
    """Return the marks of the seats that lose the most points to chaos."""
    worst = max(points, default=0)
    return tuple(f"marker_{seat}" for seat, lost in enumerate(points) if lost == worst > 0)[:_CARDS]

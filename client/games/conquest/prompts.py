"""Prompts that both conquest games share. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from client.language import _
from client.table.prompts import Prompt
from client.table.words import ware_words
from shared.ids import Seat
from shared.kernel.frames import Frame
from shared.vocabulary import frames as f


def prompt(frame: Frame) -> Prompt | None:
    """Return the prompt for a frame that both games have, else None."""
    match frame:
        case f.HomeChoice(seat=seat):
            return Prompt(
                seat, _("Choose a home"), _("Your empire will begin there."), _("Click one of the lit provinces.")
            )
        case f.Movement(seat=seat):
            hand = _("Click a province with a leader, or a galley, then a lit target.")
            return Prompt(seat, _("Movement"), _("March, sail, or end the movement."), hand)
        case f.Destruction(seat=seat):
            return Prompt(seat, _("Destroy cities?"), _("A razed city pays tribute to nobody."))
        case f.Purchase(seat=seat):
            return Prompt(seat, _("Purchase"), _("New units appear in your home."), _("Fill your order below."))
        case f.Captives(seat=seat, leaders=leaders):
            what = _("A captive") if len(leaders) == 1 else _("{n} captives", n=len(leaders))
            return Prompt(seat, what, _("Captured generals: hold them for ransom, or have them killed."))
        case f.Bargain(seat=seat):
            return Prompt(seat, _("A bargain"), _("Accept it or decline it."))
        case _:
            return None


def placing(seat: Seat, left: Sequence[int], idle: str) -> Prompt:
    """Return the prompt for a placement.

    `left`: galleys, cities, walls and roads still to place. `idle`: what to do once nothing is left.
    """
    if any(left):
        pieces = ware_words((0, 0, 0, *left))
        return Prompt(seat, _("Placement"), _("Still to place: {pieces}.", pieces=pieces), _("Click a lit site."))
    return Prompt(seat, _("End your turn"), idle)

"""Support of battles by their owner's cards (II-C-18 to II-C-23, II-C-41 to II-C-43, II-C-91)."""

from typing import Final

from msgspec import Struct

from shared.ids import NO_ARMY, Army, Space
from shared.mechanics.armies import plus
from shared.rulesets.cote2.data import CARDS, NAMED
from shared.rulesets.cote2.state import is_province, is_zone


class Support(Struct, frozen=True):
    """More dice, troops and galleys for one side; `slips`: it may slip away from a naval battle."""

    dice: int = 0
    army: Army = NO_ARMY
    galleys: int = 0
    slips: bool = False


NO_SUPPORT: Final = Support()


def combined(one: Support, other: Support) -> Support:
    """Return the sum of two supports."""
    return Support(
        one.dice + other.dice,
        plus(one.army, other.army),
        one.galleys + other.galleys,
        one.slips or other.slips,
    )


def troops(card: int, space: Space) -> Support:
    """Return the troops of a card in the province that it names (II-C-91)."""
    # The shared value, so that callers can compare by identity and skip the sum.
    if space != NAMED[card][0]:
        return NO_SUPPORT
    infantry, cavalry, catapults, galleys = CARDS[card].gain
    return Support(army=(infantry, cavalry, catapults), galleys=galleys)


def pirates(card: int, space: Space) -> Support:
    """Return the galleys of pirates (II-C-23)."""
    return Support(galleys=CARDS[card].gain[0]) if is_zone(space) else NO_SUPPORT


def army_training(card: int, space: Space) -> Support:
    """Return the dice of Army Training (II-C-41)."""
    return Support(dice=CARDS[card].gain[0]) if is_province(space) else NO_SUPPORT


def naval_training(card: int, space: Space) -> Support:
    """Return the dice of Naval Training (II-C-42)."""
    return Support(dice=CARDS[card].gain[0]) if is_zone(space) else NO_SUPPORT


def wind(_card: int, space: Space) -> Support:
    """Return the escape of a Favorable Wind (II-C-43)."""
    return Support(slips=True) if is_zone(space) else NO_SUPPORT

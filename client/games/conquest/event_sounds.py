"""Sounds of the events of the conquest games, and the test for an attack on a Caesar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.sound.sounds import Sound
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.places import ABOARD
from shared.rulesets.conquest.table import Table
from shared.vocabulary import events as e

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    e.HomesSet: None,
    e.TurnBegan: None,  # `TurnAlert` announces the own turn, on every screen.
    e.Marched: Sound.MARCH,
    e.Sailed: Sound.SAIL,
    e.BattleBegan: Sound.CLASH,
    e.DiceFell: Sound.DICE,
    e.Fell: None,
    e.Sank: None,
    e.Retreated: Sound.MARCH,
    e.BattleEnded: None,
    e.Conquered: None,
    e.Captured: None,
    e.Killed: Sound.CLASH,
    e.Freed: Sound.MARCH,
    e.Eliminated: Sound.GAVEL,
    e.Tribute: Sound.COIN,
    e.Razed: Sound.CLASH,
    e.Bought: Sound.COIN,
    e.Placed: None,
    e.InflationTriggered: Sound.GAVEL,
    e.PricesRose: Sound.GAVEL,
    e.Offered: Sound.CARD,
    e.Answered: Sound.GAVEL,
    e.Conceded: Sound.GAVEL,
    e.Won: Sound.CROWD,
}
"""Sounds of the events that both games have; None for silent events."""


def peril(event: Event, before: Table, seat: Seat) -> bool:
    """Whether an event is an attack on the Caesar of that seat. `before`: the position before the event."""
    return isinstance(event, e.BattleBegan) and event.defender == seat and _caesar_at(before, seat) == event.space


def _caesar_at(table: Table, seat: Seat) -> Space:
    """Return the space of a seat's Caesar, also aboard a galley; NONE if the Caesar is on no space."""
    place = table.leader_at[seat * table.leaders_each]
    galley = place - ABOARD
    if 0 <= galley < len(table.galley_at):
        place = table.galley_at[galley]
    return BOARD.ashore[place] if place < BOARD.positions else NONE

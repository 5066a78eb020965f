"""Sounds of the events of the second game, and the test for an attack on a Caesar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.sound.sounds import Sound
from shared.ids import Seat
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.state import LEADERS
from shared.rulesets.cote2.table import Table
from shared.vocabulary.events import BattleBegan, Conceded, DiceFell, Fell, Retreated

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    e.FirstPlayer: None,
    e.InfluenceDrawn: None,
    e.SeasonBegan: Sound.GAVEL,
    e.TokensPlaced: None,
    e.CardsOpened: Sound.CARD,
    e.AuctionBegan: Sound.GAVEL,
    e.BidMade: Sound.COIN,
    e.Passed: None,
    e.Allied: Sound.GAVEL,
    e.Deployed: Sound.MARCH,
    e.TurnBegan: None,  # `TurnAlert` announces the own turn, on every screen.
    e.CardTaken: Sound.CARD,
    e.CardUsed: Sound.CARD,
    e.CityBuilt: Sound.COIN,
    e.CityTaken: None,
    e.Rewarded: Sound.COIN,
    e.Reinforced: Sound.MARCH,
    e.Recruited: Sound.COIN,
    e.InfluenceBought: Sound.COIN,
    e.InfluenceGained: Sound.CARD,
    e.Levied: Sound.COIN,
    e.Marched: Sound.MARCH,
    e.Sailed: Sound.SAIL,
    BattleBegan: Sound.CLASH,
    e.SlippedAway: Sound.SAIL,
    e.Committed: Sound.SAIL,
    e.Lent: Sound.MARCH,
    DiceFell: Sound.DICE,
    Fell: None,
    e.Sank: None,
    Retreated: Sound.MARCH,
    e.BattleEnded: None,
    e.RevoltBegan: Sound.CLASH,
    e.RevoltEnded: None,
    e.GeneralKilled: Sound.CLASH,
    e.SenatorTaken: Sound.COIN,
    e.SenatorKilled: Sound.CLASH,
    e.VoteBegan: Sound.GAVEL,
    e.SenatorsShown: Sound.CARD,
    e.VoteWon: Sound.GAVEL,
    e.SenatorDrawn: Sound.CARD,
    e.Taxed: Sound.COIN,
    e.Scored: None,
    e.ChaosShown: Sound.CARD,
    e.SeasonEnded: Sound.GAVEL,
    Conceded: Sound.GAVEL,
    e.Won: Sound.CROWD,
}
"""Sound of every event of the game; None for silent events."""


def peril(event: Event, before: Table, seat: Seat) -> bool:
    """Whether an event is an attack on the Caesar of that seat. `before`: the position before the event."""
    match event:
        case BattleBegan():
            attacked = event.defender == seat
        case e.RevoltBegan():
            attacked = seat in event.victims
        case _:
            return False
    return attacked and before.leader_at[seat * LEADERS] == event.space

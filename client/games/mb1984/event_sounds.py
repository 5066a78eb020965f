"""Sounds of the events of 1984."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.games.conquest import event_sounds
from client.sound.sounds import Sound
from shared.kernel.frames import Event
from shared.rulesets.mb1984 import events as e

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    **event_sounds.SOUNDS,
    e.Aimed: None,
    e.Looted: Sound.COIN,
    e.RoadsLost: None,
    e.Rewarded: Sound.COIN,
}
"""Sound of every event of the game; None for silent events."""

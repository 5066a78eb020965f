"""Sounds of the events of Classic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.games.conquest import event_sounds
from client.sound.sounds import Sound
from shared.kernel.frames import Event
from shared.rulesets.classic.events import Refunded

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {**event_sounds.SOUNDS, Refunded: Sound.COIN}
"""Sound of every event of the game; None for silent events."""

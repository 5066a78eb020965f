"""Which event of Classic makes which sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.games.conquest import sounds
from client.sound.sounds import Sound
from shared.kernel.frames import Event
from shared.rulesets.classic.events import Refunded

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {**sounds.SOUNDS, Refunded: Sound.COIN}
"""Every event of the game; None for those that are silent."""

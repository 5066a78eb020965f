"""The sounds of the game, by name. Knows no device."""

from __future__ import annotations

import wave
from enum import StrEnum
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "assets" / "sounds"


class Sound(StrEnum):
    """A sound; its value is the name of its file and of its volume in the settings."""

    DICE = "dice"
    MARCH = "march"
    SAIL = "sail"
    CLASH = "clash"
    COIN = "coin"
    GAVEL = "gavel"
    CARD = "card"
    TRUMPET = "trumpet"
    ALARM = "alarm"
    CROWD = "crowd"

    @property
    def file(self) -> Path:
        """Where its recording is: 16 bits, one channel."""
        return FOLDER / f"{self.value}.wav"


CALLS: Final = frozenset((Sound.TRUMPET, Sound.ALARM, Sound.CROWD))
"""Those that one must not miss: they are heard however many others are."""


def seconds(sound: Sound) -> float:
    """How long it is heard; 0 where its file is missing or damaged."""
    try:
        with wave.open(str(sound.file), "rb") as file:
            return file.getnframes() / file.getframerate()
    except (OSError, wave.Error, EOFError):
        return 0.0

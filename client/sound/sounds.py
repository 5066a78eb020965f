"""Sounds of the game, by name. Knows no device."""

import wave
from enum import StrEnum
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "assets" / "sounds"


class Sound(StrEnum):
    """Sound; its value is the name of its file and of its volume in the settings."""

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
    WIND = "wind"
    SURF = "surf"
    STREETS = "streets"

    @property
    def file(self) -> Path:
        """Path of its recording: 16 bits, one channel."""
        return FOLDER / f"{self.value}.wav"


CALLS: Final = frozenset((Sound.TRUMPET, Sound.ALARM, Sound.CROWD))
"""Sounds that must not be missed: they are played in addition to any number of others."""


def seconds(sound: Sound) -> float:
    """Return the length of a sound in seconds; 0 if its file is missing or damaged."""
    try:
        with wave.open(str(sound.file), "rb") as file:
            return file.getnframes() / file.getframerate()
    except (OSError, wave.Error, EOFError):
        return 0.0

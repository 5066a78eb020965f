"""Volumes of all sounds."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

LOUDEST: Final = 100
"""Volume at which a sound was recorded."""
_USUAL: Final = 80
"""Default overall volume; sounds differ in loudness by their recordings."""


class SoundSettings(Struct, omit_defaults=True):
    """Volumes from 0 to LOUDEST: of all sounds, and of each by its name; unnamed ones are at LOUDEST."""

    muted: bool = False
    all: int = _USUAL
    each: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> int:
        """Return the volume of a sound relative to the others."""
        return _within(self.each.get(name, LOUDEST))

    def set(self, name: str, volume: int) -> None:
        """Set the volume of a sound."""
        self.each[name] = _within(volume)
        if self.each[name] == LOUDEST:
            del self.each[name]

    def gain(self, name: str) -> float:
        """Return the factor for a sound's samples; it is squared, because a quarter sounds half as loud."""
        share = 0.0 if self.muted else self.of(name) * _within(self.all) / LOUDEST**2
        return share**2

    def reset(self) -> None:
        """Restore the defaults."""
        self.muted, self.all, self.each = False, _USUAL, {}


def _within(volume: int) -> int:
    """Return the volume within its limits; the file may hold any number."""
    return min(LOUDEST, max(0, volume))

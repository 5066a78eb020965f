"""How loud everything is, as the player wishes."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

LOUDEST: Final = 100
"""As loud as it was recorded."""
_USUAL: Final = 80
"""How loud all of it is at first; what is softer or louder than the rest is so by nature."""


class SoundSettings(Struct, omit_defaults=True):
    """From 0 to LOUDEST: of all sounds, and of each by its name; those that are not named are at their loudest."""

    muted: bool = False
    all: int = _USUAL
    each: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> int:
        """How loud one is among the others."""
        return _within(self.each.get(name, LOUDEST))

    def set(self, name: str, volume: int) -> None:
        """Make one so loud."""
        self.each[name] = _within(volume)
        if self.each[name] == LOUDEST:
            del self.each[name]

    def gain(self, name: str) -> float:
        """What its samples are multiplied by: the ear takes a quarter of it for half as loud."""
        share = 0.0 if self.muted else self.of(name) * _within(self.all) / LOUDEST**2
        return share**2

    def reset(self) -> None:
        """As at first."""
        self.muted, self.all, self.each = False, _USUAL, {}


def _within(volume: int) -> int:
    """Somebody may have written anything into the file."""
    return min(LOUDEST, max(0, volume))

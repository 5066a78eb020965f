"""Mixer that applies the player's volumes and limits simultaneous sounds."""

from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import Final

from client.player.settings import SoundSettings
from client.sound.sounds import CALLS, Sound, seconds
from client.sound.speaker import NoSpeaker, Speaker

MOST: Final = 4
"""Maximum number of simultaneous sounds, apart from calls."""

_length: Final = cache(seconds)


class Mixer:
    """Plays sounds on a speaker.

    A sound does not start again while it is playing: eight marching legions are one march.
    """

    def __init__(
        self, sound_settings: SoundSettings, speaker: Speaker | None = None, now: Callable[[], float] = monotonic
    ) -> None:
        self.sound_settings = sound_settings
        self.speaker = speaker or NoSpeaker()
        self._now = now
        self._heard: dict[Sound, float] = {}
        """End time of each playing sound."""

    def play(self, sound: Sound) -> None:
        """Play a sound, if volume and limits allow it."""
        gain = self.sound_settings.gain(sound)
        if gain and self.speaker.works and self._may_play(sound):
            self._begin(sound, gain)

    def sample(self, sound: Sound) -> None:
        """Play a sound at once, as a sample of a volume that was just chosen."""
        gain = self.sound_settings.gain(sound)
        self.speaker.hush()
        if gain:
            self._begin(sound, gain)

    def mute(self) -> bool:
        """Switch all sound off or on; return whether it is off now."""
        self.sound_settings.muted = not self.sound_settings.muted
        if self.sound_settings.muted:
            self._heard.clear()
            self.speaker.hush()
        return self.sound_settings.muted

    def _may_play(self, sound: Sound) -> bool:
        now = self._now()
        self._heard = {other: until for other, until in self._heard.items() if until > now}
        # Calls are outside of the limit in both directions: they take no place from others.
        return sound not in self._heard and (sound in CALLS or len(self._heard.keys() - CALLS) < MOST)

    def _begin(self, sound: Sound, gain: float) -> None:
        self._heard[sound] = self._now() + _length(sound)
        self.speaker.play(sound, gain)

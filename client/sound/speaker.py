"""Where sounds come out: a small port, and pyglet's player behind it, off the main thread.

Whatever a device may take its time for (loading, beginning, ending) happens on one thread of ours; the window only
leaves its wishes there. A computer without a device, or one whose device fails, loses nothing but the sound.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any, Final, Protocol

import pyglet
from msgspec import Struct
from pyglet.media.drivers.silent.adaptation import SilentDriver

from client.sound.sounds import Sound, seconds

_log = logging.getLogger(__name__)
_STALE: Final = 0.3
"""Seconds after which a wish that was not heard in time is not heard any more."""
_AFTER: Final = 0.5
"""Seconds for which a device may be late with the end of a sound."""
_PATIENCE: Final = 1.0
"""Seconds that the end of the program waits for the device."""


class Speaker(Protocol):
    """Plays sounds, or does not; never waits, never raises."""

    @property
    def works(self) -> bool:
        """Whether anything can be heard."""

    def play(self, sound: Sound, gain: float) -> None:
        """Begin a sound; `gain`: above 0, 1 as it was recorded."""

    def hush(self) -> None:
        """End all that is heard."""

    def close(self) -> None:
        """Let go of the device."""


class NoSpeaker:
    """A computer that plays no sound."""

    works = False

    def play(self, sound: Sound, gain: float) -> None:
        """Nothing."""

    def hush(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


def find_speaker() -> Speaker:
    """The speaker of this computer; where there is none, that is said in the log once."""
    driver: object = pyglet.media.get_audio_driver()  # type: ignore[no-untyped-call]
    if driver is None or isinstance(driver, SilentDriver):
        _log.warning("No sound: this computer has no sound device, or no driver for it.")
        return NoSpeaker()
    return Loudspeaker()


class _Wish(Struct, frozen=True):
    """A sound that is to begin, or (None) silence; `at`: when it was wished for."""

    sound: Sound | None
    gain: float
    at: float


class Loudspeaker:
    """See the module's docstring. The device is touched by its thread alone."""

    def __init__(self) -> None:
        self.works = True
        self._wishes: Queue[_Wish | None] = Queue(16)
        self._sources: dict[Sound, Any] = {}
        self._voices: list[tuple[Any, float]] = []
        """The players that are heard, each with the time when it is over."""
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    def play(self, sound: Sound, gain: float) -> None:
        """Begin a sound; where too many wait, or the device has failed, nothing."""
        self._wish(_Wish(sound, gain, monotonic()))

    def hush(self) -> None:
        """End all that is heard, and what waits."""
        self._forget()
        self._wish(_Wish(None, 0.0, monotonic()))

    def close(self) -> None:
        """Let go of the device; one that does not answer is left behind."""
        if self._wishes.full():
            self._forget()
        self._wish(None)
        self._thread.join(_PATIENCE)

    def _forget(self) -> None:
        """Nothing that waits is wished any more."""
        with contextlib.suppress(Empty):
            while True:
                self._wishes.get_nowait()

    def _wish(self, wish: _Wish | None) -> None:
        if self.works:
            with contextlib.suppress(Full):
                self._wishes.put_nowait(wish)

    def _run(self) -> None:
        try:
            self._load()
            self._serve()
        except Exception as error:  # Whatever a device or its driver says: the game goes on without.
            _log.warning("No sound any more: %s: %s", type(error).__name__, error)
        self.works = False
        with contextlib.suppress(Exception):
            self._silence()

    def _load(self) -> None:
        """Read all recordings, before the first is to be heard."""
        for sound in Sound:
            self._sources[sound] = pyglet.media.load(str(sound.file), streaming=False)

    def _serve(self) -> None:
        """Until the end of the program; nothing is done while nothing is heard."""
        while True:
            try:
                wish = self._wishes.get(timeout=_AFTER if self._voices else None)
            except Empty:
                pass
            else:
                if wish is None:
                    return
                self._heed(wish)
            self._sweep()

    def _heed(self, wish: _Wish) -> None:
        if wish.sound is None:
            self._silence()
        elif monotonic() - wish.at < _STALE:
            self._begin(wish.sound, wish.gain)

    def _begin(self, sound: Sound, gain: float) -> None:
        voice = pyglet.media.Player()
        voice.push_handlers(on_eos=_ended)
        voice.volume = gain
        voice.queue(self._sources[sound])
        voice.play()
        self._voices.append((voice, monotonic() + seconds(sound) + _AFTER))

    def _sweep(self) -> None:
        """Put away those who are over."""
        now = monotonic()
        for voice, end in self._voices:
            if end <= now:
                voice.delete()
        self._voices = [(voice, end) for voice, end in self._voices if end > now]

    def _silence(self) -> None:
        while self._voices:
            self._voices.pop()[0].delete()


def _ended() -> bool:
    """The end of a sound is dispatched in the main thread, where a player would then speak with its device and keep the
    window waiting: that is left to our thread."""
    return bool(pyglet.event.EVENT_HANDLED)

"""Sound output: a small interface, and pyglet's player behind it, off the main thread.

All slow actions of a device (loading, beginning, ending) run in one thread of ours; the window only queues requests. A
computer without a device, or with a failing one, loses nothing but the sound.
"""

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
"""Seconds after which a delayed request is dropped."""
_AFTER: Final = 0.5
"""Seconds by which a device may be late with the end of a sound."""
_PATIENCE: Final = 1.0
"""Seconds that the end of the program waits for the device."""


class Speaker(Protocol):
    """Sound output that never waits and never raises."""

    @property
    def works(self) -> bool:
        """Whether sounds can be played."""

    def play(self, sound: Sound, gain: float) -> None:
        """Start a sound; `gain`: above 0, 1 as it was recorded."""

    def hush(self) -> None:
        """Stop all sounds."""

    def close(self) -> None:
        """Release the device."""


class NoSpeaker:
    """Speaker for a computer without sound."""

    works = False

    def play(self, sound: Sound, gain: float) -> None:
        """Do nothing."""

    def hush(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def find_speaker() -> Speaker:
    """Return the speaker of this computer; if there is none, log that once."""
    driver: object = pyglet.media.get_audio_driver()  # type: ignore[no-untyped-call]
    if driver is None or isinstance(driver, SilentDriver):
        _log.warning("No sound: this computer has no sound device, or no driver for it.")
        return NoSpeaker()
    return Loudspeaker()


class _SoundRequest(Struct, frozen=True):
    """Request to start a sound, or (None) to stop all; `at`: time of the request."""

    sound: Sound | None
    gain: float
    at: float


class Loudspeaker:
    """Speaker with a device, which only its own thread uses."""

    def __init__(self) -> None:
        self.works = True
        self._requests: Queue[_SoundRequest | None] = Queue(16)
        self._sources: dict[Sound, Any] = {}
        self._voices: list[tuple[Any, float]] = []
        """Playing players, each with its end time."""
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    def play(self, sound: Sound, gain: float) -> None:
        """Start a sound; do nothing if too many wait or the device has failed."""
        self._queue(_SoundRequest(sound, gain, monotonic()))

    def hush(self) -> None:
        """Stop all sounds and drop all requests."""
        self._forget()
        self._queue(_SoundRequest(None, 0.0, monotonic()))

    def close(self) -> None:
        """Release the device; a device that does not answer is abandoned."""
        # Otherwise a full queue would drop the request to end.
        if self._requests.full():
            self._forget()
        self._queue(None)
        self._thread.join(_PATIENCE)

    def _forget(self) -> None:
        """Drop all waiting requests."""
        with contextlib.suppress(Empty):
            while True:
                self._requests.get_nowait()

    def _queue(self, request: _SoundRequest | None) -> None:
        if self.works:
            with contextlib.suppress(Full):
                self._requests.put_nowait(request)

    def _run(self) -> None:
        try:
            self._load()
            self._serve()
        except Exception as error:  # Whatever a device or its driver raises, the game continues without sound.
            _log.warning("No sound any more: %s: %s", type(error).__name__, error)
        self.works = False
        with contextlib.suppress(Exception):
            self._stop_all()

    def _load(self) -> None:
        """Read all recordings before the first one is played."""
        for sound in Sound:
            # Whole, because one player at a time can use a streamed source.
            self._sources[sound] = pyglet.media.load(str(sound.file), streaming=False)

    def _serve(self) -> None:
        """Serve requests until the end of the program; block while nothing plays."""
        while True:
            try:
                request = self._requests.get(timeout=_AFTER if self._voices else None)
            except Empty:
                pass
            else:
                if request is None:
                    return
                self._carry_out(request)
            self._sweep()

    def _carry_out(self, request: _SoundRequest) -> None:
        if request.sound is None:
            self._stop_all()
        elif monotonic() - request.at < _STALE:
            self._begin(request.sound, request.gain)

    def _begin(self, sound: Sound, gain: float) -> None:
        voice = pyglet.media.Player()
        voice.push_handlers(on_eos=_ended)
        voice.volume = gain
        voice.queue(self._sources[sound])
        voice.play()
        self._voices.append((voice, monotonic() + seconds(sound) + _AFTER))

    def _sweep(self) -> None:
        """Delete the players that are finished."""
        now = monotonic()
        for voice, end in self._voices:
            if end <= now:
                voice.delete()
        self._voices = [(voice, end) for voice, end in self._voices if end > now]

    def _stop_all(self) -> None:
        while self._voices:
            self._voices.pop()[0].delete()


def _ended() -> bool:
    """Ignore the end of a sound, so that the own thread handles it.

    Pyglet dispatches it in the main thread, where a player would then access its device and block the window.
    """
    return bool(pyglet.event.EVENT_HANDLED)

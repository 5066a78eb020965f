"""Sounds: the recordings, their loudness, how many play at once, and a computer without sound."""

import logging
import threading
import wave
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import arcade
import numpy as np
import numpy.typing as npt
import pyglet
import pytest
from arcade import key
from pyglet.media.drivers.silent.adaptation import SilentDriver

from client.app import App
from client.drawing.fields import Selector
from client.drawing.widgets import Button, Label
from client.player import settings
from client.player.settings import LOUDEST, Settings, SoundSettings
from client.screens.settings import PAGES, SettingsScreen, sound_page
from client.sound import speaker
from client.sound.mixer import MOST, Mixer
from client.sound.sounds import CALLS, Sound, seconds
from client.sound.speaker import Loudspeaker, find_speaker
from client.workshop.sounds.craft import RATE, loudness
from client.workshop.sounds.sounds import MAKERS, samples

Wave = npt.NDArray[np.float64]
BANDS = np.geomspace(60, 10_500, 25)
"""Edges of the bands by which sounds are told apart, in hertz: three for each octave and a little more."""


def recording(sound: Sound) -> Wave:
    with wave.open(str(sound.file), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768


def decibels(ratio: float) -> float:
    return 20 * float(np.log10(ratio))


def colour(heard: Wave) -> Wave:
    """Return the power of a sound in each band, in powers of ten."""
    power, pitch = np.abs(np.fft.rfft(heard)) ** 2, np.fft.rfftfreq(len(heard), 1 / RATE)
    shares = [power[(pitch >= low) & (pitch < high)].sum() for low, high in pairwise(BANDS)]
    return np.asarray(np.log10(np.array(shares) / power.sum() + 1e-5))


# The recordings


@pytest.mark.long
def test_the_workshop_makes_the_recordings_that_ship() -> None:
    assert [maker.__name__ for maker in MAKERS] == list(Sound)
    for maker, sound in zip(MAKERS, Sound, strict=True):
        made, kept = np.array(samples(maker)), recording(sound) * 32768
        # Another processor may round the last bit of a sine another way.
        assert len(made) == len(kept) and np.abs(made - kept).max() <= 2, sound


@pytest.mark.parametrize("sound", Sound)
def test_a_recording_is_short_and_loud_enough_and_never_clicks(sound: Sound) -> None:
    heard = recording(sound)
    assert 0.1 <= seconds(sound) <= 1.5
    assert abs(heard.mean()) < 0.001
    assert -8 < decibels(np.abs(heard).max()) <= -0.99, "neither weak nor clipped"
    assert -19.5 < decibels(loudness(heard)) < -15, "none drowns another"
    edge = round(0.002 * RATE)
    assert np.abs(heard[:4]).max() < 0.02 and np.abs(heard[-edge:]).max() < 0.01, "begins and ends in silence"


def test_no_two_sounds_are_alike() -> None:
    colours = {sound: colour(recording(sound)) for sound in Sound}
    for one, other in combinations(Sound, 2):
        assert float(np.corrcoef(colours[one], colours[other])[0, 1]) < 0.9, (one, other)


# How loud, and how many


class Recorder:
    """A speaker that only remembers."""

    def __init__(self) -> None:
        self.works = True
        self.heard: list[tuple[Sound, float]] = []
        self.hushed = self.closed = 0

    def play(self, sound: Sound, gain: float) -> None:
        self.heard.append((sound, gain))

    def hush(self) -> None:
        self.hushed += 1

    def close(self) -> None:
        self.closed += 1


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_sound_is_as_loud_as_it_was_set() -> None:
    recorder, clock = Recorder(), Clock()
    sound_settings = SoundSettings(all=LOUDEST)
    mixer = Mixer(sound_settings, recorder, clock)
    sound_settings.set("dice", 50)
    sound_settings.set("coin", 0)
    for sound in (Sound.DICE, Sound.COIN, Sound.CARD):
        mixer.play(sound)
    assert recorder.heard == [(Sound.DICE, 0.25), (Sound.CARD, 1.0)]
    sound_settings.all = 50
    clock.now += 10
    mixer.play(Sound.DICE)
    assert recorder.heard[2] == (Sound.DICE, 0.0625)


def test_edited_settings_are_read_as_far_as_they_are_valid() -> None:
    sound_settings = SoundSettings(all=900, each={"dice": -5, "card": 1000, "drum": 3})
    assert (sound_settings.gain("dice"), sound_settings.gain("card")) == (0.0, 1.0)


def test_no_sound_begins_again_while_it_is_heard() -> None:
    recorder, clock = Recorder(), Clock()
    mixer = Mixer(SoundSettings(), recorder, clock)
    mixer.play(Sound.MARCH)
    clock.now += seconds(Sound.MARCH) - 0.01
    mixer.play(Sound.MARCH)
    assert len(recorder.heard) == 1
    clock.now += 0.02
    mixer.play(Sound.MARCH)
    assert len(recorder.heard) == 2


def test_only_so_many_are_heard_at_once_but_no_call_is_missed() -> None:
    recorder = Recorder()
    mixer = Mixer(SoundSettings(), recorder, Clock())
    for sound in (*(other for other in Sound if other not in CALLS), *CALLS):
        mixer.play(sound)
    heard = [sound for sound, _ in recorder.heard]
    assert len([sound for sound in heard if sound not in CALLS]) == MOST
    assert set(heard) >= CALLS


def test_muting_ends_what_is_heard_and_keeps_the_volumes() -> None:
    recorder = Recorder()
    sound_settings = SoundSettings(each={"dice": 30})
    mixer = Mixer(sound_settings, recorder, Clock())
    mixer.play(Sound.CROWD)
    assert mixer.mute() and recorder.hushed == 1
    mixer.play(Sound.DICE)
    assert len(recorder.heard) == 1
    assert not mixer.mute()
    mixer.play(Sound.DICE)
    assert len(recorder.heard) == 2 and sound_settings.of("dice") == 30


# The device


class Devices(SilentDriver):  # type: ignore[misc,unused-ignore]
    """pyglet's own driver for no device at all, which notes what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.began: list[Any] = []

    def create_audio_player(self, source: Any, player: Any) -> Any:
        self.began.append((source.duration, player.volume))
        return super().create_audio_player(source, player)  # type: ignore[no-untyped-call]


@pytest.fixture
def devices(monkeypatch: pytest.MonkeyPatch) -> Iterator[Devices]:
    made = Devices()
    monkeypatch.setattr(pyglet.media.player, "get_audio_driver", lambda: made)
    yield made
    made.delete()  # type: ignore[no-untyped-call]


def test_a_computer_without_a_device_says_so_once_and_loses_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    found = find_speaker()
    assert not found.works
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    mixer = Mixer(SoundSettings(), found)
    for sound in Sound:
        mixer.play(sound)
        mixer.sample(sound)
    found.close()
    assert len(caplog.records) == 1


def test_the_player_of_the_library_plays_what_was_loaded_before(devices: Devices) -> None:
    speaker = Loudspeaker()
    speaker.play(Sound.GAVEL, 0.5)
    speaker.play(Sound.CARD, 0.25)
    speaker.close()
    assert devices.began == [(pytest.approx(seconds(Sound.GAVEL)), 0.5), (pytest.approx(seconds(Sound.CARD)), 0.25)]
    assert not devices.worker.players, "nothing is left with the device"
    speaker.play(Sound.CARD, 1.0)
    speaker.hush()
    assert len(devices.began) == 2 and not speaker.works


def test_a_device_that_fails_costs_one_line_and_the_sound(
    devices: Devices, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(source: object, player: object) -> object:
        raise OSError("the device was pulled out")

    monkeypatch.setattr(devices, "create_audio_player", broken)
    speaker = Loudspeaker()
    speaker.play(Sound.DICE, 1.0)
    speaker._thread.join(10)
    assert not speaker.works
    for _ in range(100):
        speaker.play(Sound.DICE, 1.0)
    speaker.close()
    assert [record.getMessage() for record in caplog.records] == [
        "No sound any more: OSError: the device was pulled out"
    ]


def test_a_device_that_hangs_blocks_no_call(devices: Devices, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is left to it returns while it hangs, and most of it is not even kept."""
    hangs, goes_on = threading.Event(), threading.Event()
    create = devices.create_audio_player

    def slow(source: Any, player: Any) -> Any:
        hangs.set()
        assert goes_on.wait(30)
        return create(source, player)

    monkeypatch.setattr(devices, "create_audio_player", slow)
    speaker = Loudspeaker()
    speaker.play(Sound.COIN, 1.0)
    assert hangs.wait(30)
    for _ in range(1000):
        speaker.play(Sound.COIN, 1.0)
    assert not devices.began and speaker._requests.qsize() == 16
    speaker.hush()
    assert speaker._requests.qsize() == 1, "what waited is moot"
    for _ in range(16):
        speaker.play(Sound.COIN, 1.0)
    goes_on.set()
    speaker.close()
    assert not speaker.works and not speaker._voices


def test_sounds_that_waited_too_long_are_dropped(devices: Devices, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(speaker, "monotonic", clock)
    monkeypatch.setattr(Loudspeaker, "_load", lambda self: None)
    slow = Loudspeaker()
    slow._carry_out(speaker._SoundRequest(Sound.DICE, 1.0, clock.now - 1))
    assert not slow._voices
    slow.close()


# The program


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def loud(window: arcade.Window, recorder: Recorder) -> Iterator[App]:
    """The program with a speaker, and settings in the player's own folder."""
    made = App(window, settings.load(), recorder)
    yield made
    made.close()


def control(app: App, words: str) -> Selector:
    """The one behind these words."""
    widgets = app.screen.ui.widgets
    place = next(i for i, w in enumerate(widgets) if isinstance(w, Label) and w.words == words)
    found = widgets[place + 1]
    assert isinstance(found, Selector)
    return found


def turn_to_sound(app: App) -> None:
    """Show the volumes."""
    assert isinstance(app.screen, SettingsScreen)
    app.screen._turn(PAGES.index(sound_page))


def press(app: App, words: str) -> None:
    next(w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words == words).on_click()


def test_volumes_are_set_heard_kept_and_reset(loud: App, recorder: Recorder) -> None:
    press(loud, "Settings")
    turn_to_sound(loud)
    for _ in range(4):
        control(loud, "Dice").step(-1)
    assert [sound for sound, _ in recorder.heard] == [Sound.DICE] * 4
    control(loud, "Cards").on_key(key.LEFT, 0)
    loud.screen.on_key_press(key.ESCAPE, 0)
    assert settings.load().sound_settings.each == {"dice": 60, "card": 90}
    loud.go.settings()
    turn_to_sound(loud)
    assert control(loud, "Dice").index == 6
    press(loud, "Reset this page")
    press(loud, "Reset")
    assert control(loud, "Dice").index == 10
    press(loud, "Back")
    assert settings.load().sound_settings == SoundSettings()


def test_the_mute_key_works_everywhere_and_is_saved(loud: App, recorder: Recorder) -> None:
    loud.mute()
    assert loud.toasts.words == ["Sound is off. F9 switches it on again."]
    assert settings.load().sound_settings.muted
    loud.go.settings()
    turn_to_sound(loud)
    assert control(loud, "Sound").index == 1
    loud.screen.on_key_press(key.F9, 0)
    assert control(loud, "Sound").index == 0
    assert not settings.load().sound_settings.muted


def test_no_name_of_a_volume_is_cut(loud: App) -> None:
    loud.go.settings()
    turn_to_sound(loud)
    assert not [w.words for w in loud.screen.ui.widgets if isinstance(w, Label) and "…" in w.words]


def test_settings_say_where_nothing_can_be_heard(app: App, loud: App) -> None:
    def said(shown: App) -> list[str]:
        shown.go.settings()
        turn_to_sound(shown)
        return [w.words for w in shown.screen.ui.widgets if isinstance(w, Label)]

    assert any(words.startswith("Nothing can be heard") for words in said(app))
    assert not any(words.startswith("Nothing can be heard") for words in said(loud))


def test_the_device_is_let_go_with_the_window(window: arcade.Window, recorder: Recorder) -> None:
    made = App(window, Settings(name="Livia"), recorder)
    made.close()
    assert recorder.closed == 1

"""Building blocks of sounds: noise, strokes, resonances, envelopes.

A wave is an array of samples, RATE a second, in which 1.0 is full scale; all randomness comes from a seed.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Wave: TypeAlias = npt.NDArray[np.float64]
Partial: TypeAlias = tuple[float, float, float]
"""Ringing part of a sound: hertz, strength, and the seconds in which it falls to a third."""

RATE: Final = 22050
"""Samples per second: nothing here sounds above 10 kHz."""
_PEAK: Final = 0.89
"""Highest sample of a finished wave: one decibel below full scale."""
_LOUD: Final = 0.17
"""Loudness of a finished wave's loudest stretch (root of the mean square), if the peak allows it."""
_STRETCH: Final = 0.2
"""Seconds of a stretch whose loudness the ear perceives as one."""


def silence(seconds: float) -> Wave:
    """Return a silent wave."""
    return np.zeros(round(seconds * RATE))


def times(seconds: float) -> Wave:
    """Return the time of each sample."""
    return np.arange(round(seconds * RATE)) / RATE


def noise(seconds: float, seed: int) -> Wave:
    """Return white noise from Python's own generator: its numbers are the same in every version."""
    chance = Random(seed)
    return np.array([2 * chance.random() - 1 for _ in range(round(seconds * RATE))])


def band(wave: Wave, low: float, high: float) -> Wave:
    """Return the part of a wave between two pitches, with soft edges of half an octave."""
    spectrum = np.fft.rfft(wave)
    # The lowest pitch is 0, which has no logarithm.
    pitch = np.maximum(np.fft.rfftfreq(len(wave), 1 / RATE), 1.0)
    below = np.clip(np.log2(pitch / low) * 2 + 1, 0, 1)
    above = np.clip(np.log2(high / pitch) * 2 + 1, 0, 1)
    # The length is told, since it would come back even.
    return np.fft.irfft(spectrum * below * above, len(wave))


def fading(seconds: float, fall: float, rise: float = 0.001) -> Wave:
    """Return an envelope that rises at once and then falls: to a third within `fall`."""
    at = times(seconds)
    return np.minimum(1.0, at / rise) * np.exp(-at / fall)


def swelling(seconds: float, peak: float) -> Wave:
    """Return an envelope that swells and sinks; `peak`: time of the maximum, as a share of the length."""
    at = times(seconds) / seconds
    bent = np.where(at < peak, at / (2 * peak), 0.5 + (at - peak) / (2 * (1 - peak)))
    return np.asarray(np.sin(np.pi * bent) ** 2)


def ringing(seconds: float, partials: Sequence[Partial]) -> Wave:
    """Return the sound of a struck object with these partials."""
    at = times(seconds)
    wave = silence(seconds)
    for pitch, strength, fall in partials:
        wave += strength * np.sin(2 * np.pi * pitch * at) * fading(seconds, fall)
    return wave


def lay(ground: Wave, wave: Wave, at: float, strength: float = 1.0) -> None:
    """Add a wave to another at a time; the part beyond its end is cut off."""
    start = round(at * RATE)
    part = wave[: max(0, len(ground) - start)]
    ground[start : start + len(part)] += strength * part


def finished(wave: Wave) -> Wave:
    """Return the wave centred, without a click at either end, and as loud as all others."""
    # A wave off its centre would begin and end with a click.
    wave = wave - wave.mean()
    rise, fall = round(0.002 * RATE), round(0.03 * RATE)
    wave[:rise] *= np.sin(np.linspace(0, np.pi / 2, rise)) ** 2
    wave[-fall:] *= np.cos(np.linspace(0, np.pi / 2, fall)) ** 2
    return np.asarray(wave * min(_PEAK / float(np.abs(wave).max()), _LOUD / loudness(wave)))


def loudness(wave: Wave) -> float:
    """Return the root of the mean square of the loudest stretch."""
    stretch = min(len(wave), round(_STRETCH * RATE))
    power = np.convolve(wave**2, np.ones(stretch) / stretch, "valid")
    return float(np.sqrt(power.max()))

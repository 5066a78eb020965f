"""Make the sounds of the game: ``python -m client.workshop.sounds.sounds`` writes all of them.

Each is a function that builds a wave out of strokes, tones and noise; there are no recordings. A test makes them again
and compares them with the files.
"""

import argparse
import wave
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from client.workshop.sounds.craft import (
    RATE,
    Wave,
    band,
    fading,
    finished,
    lay,
    noise,
    ringing,
    silence,
    swelling,
    times,
)

SOUNDS: Final = Path(__file__).parents[2] / "assets" / "sounds"


def dice() -> Wave:
    """Return the sound of bone on wood: a handful of clicks that come to rest."""
    chance, ground = Random(11), silence(0.8)
    at, gap = 0.0, 0.03
    for _ in range(11):
        pitch = 1500 + 1300 * chance.random()
        click = ringing(0.06, ((pitch, 1.0, 0.006), (pitch * 1.62, 0.6, 0.004), (pitch * 0.31, 0.4, 0.011)))
        lay(ground, click, at, 0.45 + 0.55 * chance.random())
        at, gap = at + gap * (0.8 + 0.5 * chance.random()), gap * 1.16
    return ground


def march() -> Wave:
    """Return the sound of four steps of many feet on gravel."""
    ground = silence(1.1)
    for step in range(4):
        late = Random(step)
        for foot in range(5):
            thud = band(noise(0.16, 20 + 7 * step + foot), 90, 320) * fading(0.16, 0.035, 0.004) * 3.6
            crunch = band(noise(0.13, 60 + 7 * step + foot), 900, 3200) * fading(0.13, 0.022, 0.006)
            at = 0.26 * step + 0.035 * late.random()
            lay(ground, thud, at, 0.5)
            lay(ground, crunch, at + 0.012, 0.8 if step % 2 else 0.62)
    return ground


def sail() -> Wave:
    """Return the sound of water along a hull, and the creak of an oar."""
    wash = band(noise(1.45, 31), 250, 900) * swelling(1.45, 0.42)
    spray = band(noise(1.45, 32), 1400, 4200) * swelling(1.45, 0.55) * 0.45
    at = times(0.42)
    creaking = np.sin(2 * np.pi * (118 * at + 40 * at**2)) * (0.5 + 0.5 * np.sin(2 * np.pi * 31 * at)) ** 3
    ground = wash * 1.3 + spray
    lay(ground, creaking * swelling(0.42, 0.5), 0.3, 0.16)
    return ground


def clash() -> Wave:
    """Return the sound of blade on blade, and on a shield."""
    ground = silence(0.8)
    for at, pitch, strength in ((0.0, 611.0, 1.0), (0.15, 523.0, 0.8), (0.21, 702.0, 0.5)):
        # No multiples of the pitch: a bar of metal rings unlike a string.
        rows = (1.0, 1.58, 2.24, 2.92, 3.71, 4.83, 6.17)
        blade = ringing(0.55, [(pitch * row, 1 / (1 + n * 0.35), 0.15 / (1 + n * 0.3)) for n, row in enumerate(rows)])
        # The pitch is the seed as well, so that no two blows have the same noise.
        edge = band(noise(0.05, round(pitch)), 2200, 7000) * fading(0.05, 0.012) * 2.2
        lay(ground, blade, at, strength)
        lay(ground, edge, at, strength)
    return ground


def coin() -> Wave:
    """Return the sound of a few coins on a heap of them."""
    ground = silence(0.6)
    for at, pitch, strength in ((0.0, 3950.0, 0.9), (0.075, 4420.0, 0.7), (0.16, 4130.0, 1.0)):
        ring = ringing(0.4, ((pitch, 1.0, 0.09), (pitch * 1.37, 0.55, 0.06), (pitch * 1.93, 0.35, 0.035)))
        lay(ground, ring, at, strength)
        lay(ground, band(noise(0.02, round(pitch)), 2500, 8000) * fading(0.02, 0.005), at, strength * 0.9)
    return ground


def gavel() -> Wave:
    """Return the sound of two knocks of hard wood."""
    ground = silence(0.5)
    for at, strength in ((0.0, 0.75), (0.17, 1.0)):
        block = ((208.0, 0.7, 0.05), (391.0, 1.0, 0.034), (655.0, 0.9, 0.026), (1120.0, 0.6, 0.016))
        lay(ground, ringing(0.3, block), at, strength)
        lay(ground, band(noise(0.03, 5), 700, 2600) * fading(0.03, 0.006), at, strength * 1.4)
    return ground


def card() -> Wave:
    """Return the sound of a card that is drawn and laid down."""
    ground = silence(0.34)
    lay(ground, band(noise(0.2, 71), 2600, 7600) * swelling(0.2, 0.7), 0.0, 0.8)
    lay(ground, band(noise(0.07, 72), 900, 5200) * fading(0.07, 0.014), 0.2, 1.5)
    return ground


def _horn_note(pitch: float, seconds: float, bright: float) -> Wave:
    """Return a note of a brass horn: louder notes contain more of its high partials."""
    at = times(seconds)
    swell = np.minimum(1.0, at / 0.03) * np.minimum(1.0, (seconds - at) / 0.06) * (0.82 + 0.18 * np.exp(-at / 0.08))
    waver = 2 * np.pi * pitch * at + 0.09 * np.sin(2 * np.pi * 5.3 * at) * np.minimum(1.0, at / 0.4) * 3
    # No partial near half of RATE: it would come back as a wrong, lower tone.
    parts = [np.sin(n * waver) * swell ** (1 + bright * n) / n**0.75 for n in range(1, 13) if n * pitch < 9000]
    return np.asarray(np.sum(parts, axis=0))


def trumpet() -> Wave:
    """Return the sound of three rising notes, the alert for a player's turn."""
    ground = silence(1.15)
    for at, pitch, seconds in ((0.0, 392.0, 0.17), (0.18, 523.25, 0.17), (0.36, 659.25, 0.75)):
        lay(ground, _horn_note(pitch, seconds, 0.25), at)
    return ground


def alarm() -> Wave:
    """Return the sound of a bell that is struck in haste."""
    ground = silence(1.2)
    # A bell's own partials: an octave below, the strike note, a minor third, a fifth, and those above.
    hum = ((0.5, 0.5, 0.5), (1.0, 1.0, 0.3), (1.19, 0.75, 0.26), (1.5, 0.4, 0.2), (2.0, 0.6, 0.16), (2.74, 0.4, 0.1))
    for stroke in range(4):
        bell = ringing(0.9, [(466.2 * row, strength, fall) for row, strength, fall in hum])
        lay(ground, bell, 0.19 * stroke, 1.0 if stroke % 2 == 0 else 0.8)
    return ground


def _voice(chance: Random, seconds: float) -> Wave:
    """Return a cheering voice: an open vowel that rises and sinks."""
    at = times(seconds)
    pitch = 170 + 230 * chance.random()
    glide = pitch * at + 0.18 * pitch * seconds * np.sin(np.pi * at / seconds) / np.pi
    parts = [np.sin(2 * np.pi * n * glide + 6.28 * chance.random()) / n for n in range(1, 9)]
    return np.asarray(np.sum(parts, axis=0)) * swelling(seconds, 0.3 + 0.3 * chance.random())


def crowd() -> Wave:
    """Return the sound of many voices, and hands that clap."""
    chance, ground = Random(47), silence(1.5)
    for _ in range(16):
        seconds = 0.6 + 0.6 * chance.random()
        lay(ground, _voice(chance, seconds), chance.random() * (1.45 - seconds), 0.3 + 0.3 * chance.random())
    ground = band(ground, 500, 1100) + 0.5 * band(ground, 1100, 2400) + 0.35 * ground
    for clap in range(46):
        stroke = band(noise(0.03, 300 + clap), 1100, 3400) * fading(0.03, 0.006)
        lay(ground, stroke, 0.1 + 1.25 * chance.random(), 0.8 + 0.8 * chance.random())
    return ground * swelling(1.5, 0.35) ** 0.6


def wind() -> Wave:
    """Return the sound of a gust over open land: a hollow tone that rises and sinks in the noise."""
    at = times(1.5)
    gust = band(noise(1.5, 401), 70, 260) * swelling(1.5, 0.5) * 2.2
    pitch = 420 * at + 60 * np.sin(2 * np.pi * 0.7 * at)
    howl = np.sin(2 * np.pi * pitch) * band(noise(1.5, 402), 20, 60) * swelling(1.5, 0.6) * 4
    return np.asarray(gust + howl)


def surf() -> Wave:
    """Return the sound of a wave that breaks on the beach and runs out over the pebbles."""
    ground = band(noise(1.5, 411), 40, 110) * swelling(1.5, 0.25) * 5
    lay(ground, band(noise(1.3, 412), 2600, 8800) * swelling(1.3, 0.35), 0.2, 0.8)
    return ground


def streets() -> Wave:
    """Return the sound of a city: a murmur behind walls, and a hammer on an anvil."""
    chance, ground = Random(43), silence(1.5)
    for _ in range(10):
        seconds = 0.3 + 0.4 * chance.random()
        lay(ground, band(_voice(chance, seconds), 180, 420), chance.random() * (1.45 - seconds), 0.5)
    for at in (0.25, 0.62, 0.99):
        lay(ground, ringing(0.4, ((1830.0, 1.0, 0.05), (2790.0, 0.7, 0.03), (4660.0, 0.4, 0.02))), at, 0.9)
    return ground


MAKERS: Final[tuple[Callable[[], Wave], ...]] = (
    dice, march, sail, clash, coin, gavel, card, trumpet, alarm, crowd, wind, surf, streets,
)  # fmt: skip
"""Functions of all sounds, each with the name of its file."""


def samples(maker: Callable[[], Wave]) -> list[int]:
    """Return a finished sound as whole numbers of 16 bits."""
    return [int(value) for value in np.round(finished(maker()) * 32767)]


def write(folder: Path) -> None:
    """Write them all."""
    folder.mkdir(parents=True, exist_ok=True)
    for maker in MAKERS:
        with wave.open(str(folder / f"{maker.__name__}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            # Low byte first, as the format demands on every computer.
            file.writeframes(np.array(samples(maker), "<i2").tobytes())


def main() -> None:
    """Write all sounds, by default to the folder of the game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=SOUNDS, help="folder for the sounds (default: that of the game)")
    write(parser.parse_args().out)


if __name__ == "__main__":
    main()

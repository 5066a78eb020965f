"""The page of the settings on which volumes are set. Whoever sets one hears it."""

from __future__ import annotations

from functools import partial
from typing import Final

from client.player.plan import nearest
from client.player.volumes import LOUDEST
from client.screens.settings_page import Choice, Page
from client.screens.shell import Shell
from client.sound.sounds import Sound

STEPS: Final = tuple(range(0, LOUDEST + 1, 10))
_LABELS: Final = ("off", *(f"{step} %" for step in STEPS[1:]))
_NAMES: Final = {
    Sound.DICE: "Dice",
    Sound.MARCH: "Marches",
    Sound.SAIL: "Voyages",
    Sound.CLASH: "Battles",
    Sound.COIN: "Money",
    Sound.GAVEL: "Agreements and votes",
    Sound.CARD: "Cards",
    Sound.TRUMPET: "It is your turn",
    Sound.ALARM: "Caesar attacked",
    Sound.CROWD: "The end of the match",
}
_MUTE: Final = "F9 switches all sound off, and on again, wherever you are."
_NOTHING: Final = "Nothing can be heard: this computer has no sound device, or no driver for it."


def sound_page(shell: Shell) -> Page:
    """All volumes."""
    works = shell.sounds.speaker.works
    choices = (_switch(shell), _whole(shell), *(_single(shell, sound) for sound in Sound))
    return Page("Sound", choices, _MUTE if works else _NOTHING, shell.settings.volumes.reset)


def _switch(shell: Shell) -> Choice:
    """All of it on or off."""
    volumes = shell.settings.volumes

    def choose(index: int) -> None:
        if volumes.muted != bool(index):
            shell.sounds.mute()

    return Choice("Sound", ("on", "off"), lambda: int(volumes.muted), choose, "F9")


def _whole(shell: Shell) -> Choice:
    """How loud all of it is."""
    volumes = shell.settings.volumes

    def choose(index: int) -> None:
        volumes.all = STEPS[index]
        shell.sounds.sample(Sound.TRUMPET)

    return Choice("All together", _LABELS, lambda: nearest(STEPS, volumes.all), choose)


def _single(shell: Shell, sound: Sound) -> Choice:
    """How loud one is among the others."""
    volumes = shell.settings.volumes

    def choose(index: int) -> None:
        volumes.set(sound, STEPS[index])
        shell.sounds.sample(sound)

    return Choice(_NAMES[sound], _LABELS, partial(_place, shell, sound), choose)


def _place(shell: Shell, sound: Sound) -> int:
    return nearest(STEPS, shell.settings.volumes.of(sound))

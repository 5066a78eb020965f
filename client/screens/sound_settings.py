"""Settings page for volumes. A changed volume is played as a sample."""

from __future__ import annotations

from functools import partial
from typing import Final

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.player.sound_settings import LOUDEST
from client.player.table_options import nearest
from client.screens.settings_page import Choice, Page
from client.screens.shell import Shell
from client.sound.sounds import Sound

STEPS: Final = tuple(range(0, LOUDEST + 1, 10))
_LABELS: Final = (_("off"), *(_("{n} %", n=step) for step in STEPS[1:]))
_NAMES: Final = {
    Sound.DICE: _("Dice"),
    Sound.MARCH: _("Marches"),
    Sound.SAIL: _("Voyages"),
    Sound.CLASH: _("Battles"),
    Sound.COIN: _("Money"),
    Sound.GAVEL: _("Agreements and votes"),
    Sound.CARD: _("Cards"),
    Sound.TRUMPET: _("It is your turn"),
    Sound.ALARM: _("Alarm: Caesar or clock"),
    Sound.CROWD: _("The end of the match"),
}
_NOTHING: Final = _("Nothing can be heard: this computer has no sound device, or no driver for it.")


def sound_page(shell: Shell) -> Page:
    """Return the page of all volumes."""
    works = shell.sounds.speaker.works
    choices = (_switch(shell), _whole(shell), *(_single(shell, sound) for sound in Sound))
    mute = _("{key} switches all sound off, and on again, wherever you are.", key=told(Command.MUTE))
    return Page(_("Sound"), choices, mute if works else _NOTHING, shell.settings.volumes.reset)


def _switch(shell: Shell) -> Choice:
    """Return the switch for all sound."""
    volumes = shell.settings.volumes

    def choose(index: int) -> None:
        if volumes.muted != bool(index):
            shell.sounds.mute()

    return Choice(_("Sound"), (_("on"), _("off")), lambda: int(volumes.muted), choose, told(Command.MUTE))


def _whole(shell: Shell) -> Choice:
    """Return the choice of the overall volume."""
    volumes = shell.settings.volumes

    def choose(index: int) -> None:
        volumes.all = STEPS[index]
        shell.sounds.sample(Sound.TRUMPET)

    return Choice(_("All together"), _LABELS, lambda: nearest(STEPS, volumes.all), choose)


def _single(shell: Shell, sound: Sound) -> Choice:
    """Return the choice of one sound's volume relative to the others."""
    volumes = shell.settings.volumes

    def choose(index: int) -> None:
        volumes.set(sound, STEPS[index])
        shell.sounds.sample(sound)

    return Choice(_NAMES[sound], _LABELS, partial(_place, shell, sound), choose)


def _place(shell: Shell, sound: Sound) -> int:
    return nearest(STEPS, shell.settings.volumes.of(sound))

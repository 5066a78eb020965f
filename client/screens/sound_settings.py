"""Settings page for volumes. A changed volume is played as a sample."""

from __future__ import annotations

from functools import partial
from typing import Final

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.player.sound_settings import LOUDEST
from client.player.table_options import nearest
from client.screens.application import Application
from client.screens.settings_page import Choice, Page
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
    Sound.WIND: _("Battle: wind"),
    Sound.SURF: _("Battle: surf"),
    Sound.STREETS: _("Battle: streets"),
}
_NOTHING: Final = _("Nothing can be heard: this computer has no sound device, or no driver for it.")


def sound_page(app: Application) -> Page:
    """Return the page of all volumes."""
    works = app.sounds.speaker.works
    choices = (_switch(app), _whole(app), *(_single(app, sound) for sound in Sound))
    mute = _("{key} switches all sound off, and on again, wherever you are.", key=told(Command.MUTE))
    return Page(_("Sound"), choices, mute if works else _NOTHING, app.settings.sound_settings.reset)


def _switch(app: Application) -> Choice:
    """Return the switch for all sound."""
    sound_settings = app.settings.sound_settings

    def choose(index: int) -> None:
        if sound_settings.muted != bool(index):
            app.sounds.mute()

    return Choice(_("Sound"), (_("on"), _("off")), lambda: int(sound_settings.muted), choose, told(Command.MUTE))


def _whole(app: Application) -> Choice:
    """Return the choice of the overall volume."""
    sound_settings = app.settings.sound_settings

    def choose(index: int) -> None:
        sound_settings.all = STEPS[index]
        app.sounds.sample(Sound.TRUMPET)

    return Choice(_("All together"), _LABELS, lambda: nearest(STEPS, sound_settings.all), choose)


def _single(app: Application, sound: Sound) -> Choice:
    """Return the choice of one sound's volume relative to the others."""
    sound_settings = app.settings.sound_settings

    def choose(index: int) -> None:
        sound_settings.set(sound, STEPS[index])
        app.sounds.sample(sound)

    return Choice(_NAMES[sound], _LABELS, partial(_place, app, sound), choose)


def _place(app: Application, sound: Sound) -> int:
    return nearest(STEPS, app.settings.sound_settings.of(sound))

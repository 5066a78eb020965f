"""Settings page for the display of events and for confirmations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.player.hints import Hints
from client.player.play_settings import BOT_PAUSES, PACES, USUAL_PAUSE, PlaySettings
from client.screens.application import Application
from client.screens.settings_page import Choice, Page, switch

_PACES: Final = {"off": _("off"), "quick": _("quick"), "normal": _("normal"), "slow": _("slow")}
_PAUSES: Final = {"none": _("at once"), "short": _("quick"), "normal": _("normal"), "long": _("slow")}
_WORDS: Final = _("The chronicle tells everything, shown or not. Click the board to speed up a battle.")


def game_page(app: Application) -> Page:
    """Return the page of settings for display and confirmations at the table."""
    play_settings, hints = app.settings.play_settings, app.settings.hints
    choices = (
        _pace(play_settings),
        _bot_pause(play_settings),
        switch(_("Others' battles"), lambda: play_settings.others, _setter(play_settings, "others"),
               _("Show the battles in which you take no part, or skip them."), on=_("shown"), off=_("skipped")),
        switch(_("Motion"), lambda: not play_settings.still, lambda on: setattr(play_settings, "still", not on),
               _("Reduced: nothing flies, falls or turns; texts stay just as long."),
               on=_("full"), off=_("reduced")),
        switch(_("Ask before a phase ends"), lambda: play_settings.ending, _setter(play_settings, "ending"),
               _("If you could still do something in it: march, buy or act.")),
        switch(_("Ask before armies are lost"), lambda: play_settings.dooming, _setter(play_settings, "dooming"),
               _("When a retreat would save nothing, because the army is surrounded.")),
        switch(_("Profile on servers"), lambda: app.settings.known, lambda on: setattr(app.settings, "known", on),
               _("It reserves your name there, and brings your seats to all your devices. From the next visit on.")),
        switch(_("Tips in a first game"), lambda: hints.on, _hinter(hints),
               _("Useful hints, each shown once, in your first match of each game. Switch on again to start over.")),
    )  # fmt: skip

    def reset() -> None:
        play_settings.reset()
        hints.renew()
        app.settings.known = True

    return Page(_("Game"), choices, _WORDS, reset)


def _pace(play_settings: PlaySettings) -> Choice:
    """Return the choice of the playback speed."""
    paces = list(PACES)

    def choose(index: int) -> None:
        play_settings.pace = paces[index]

    def index() -> int:
        return next(i for i, pace in enumerate(paces) if PACES[pace] == play_settings.speed)

    labels = tuple(_PACES[pace] for pace in paces)
    return Choice(_("Animation speed"), labels, index, choose, _("Marches, voyages, and the dice of battles."))


def _bot_pause(play_settings: PlaySettings) -> Choice:
    """Return the choice of the time for which each thing that a bot did is shown."""
    pauses = list(BOT_PAUSES)

    def choose(index: int) -> None:
        play_settings.bots = pauses[index]

    def index() -> int:
        return pauses.index(play_settings.bots if play_settings.bots in BOT_PAUSES else USUAL_PAUSE)

    tip = _("Time to follow each bot, at tables without clocks. A click or {key} goes on; {skip} skips to your turn.",
            key=told(Command.CONFIRM), skip=told(Command.AHEAD))  # fmt: skip
    return Choice(_("Bots play"), tuple(_PAUSES[pause] for pause in pauses), index, choose, tip)


def _hinter(hints: Hints) -> Callable[[bool], object]:
    """Return the switch's action; switching hints on again restarts them from the beginning."""

    def choose(on: bool) -> None:
        if on and not hints.on:
            hints.renew()
        hints.on = on

    return choose


def _setter(play_settings: PlaySettings, name: str) -> Callable[[bool], object]:
    return lambda on: setattr(play_settings, name, on)

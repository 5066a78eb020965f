"""Settings page for the display of events and for confirmations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.language import _
from client.player.hints import Hints
from client.player.play_settings import PACES, PlaySettings
from client.screens.settings_page import Choice, Page, switch
from client.screens.shell import Shell

_PACES: Final = {"off": _("off"), "quick": _("quick"), "normal": _("normal"), "slow": _("slow")}
_WORDS: Final = _(
    "Whatever is not shown on the board stands in the journal. A battle that is shown can always be hurried by a click "
    "on the board."
)


def game_page(shell: Shell) -> Page:
    """Return the page of settings for display and confirmations at the table."""
    manner, hints = shell.settings.manner, shell.settings.hints
    choices = (
        _pace(manner),
        switch(_("Battles of others"), lambda: manner.others, _setter(manner, "others"),
               _("Whether battles are shown in which you take no part."), on=_("shown"), off=_("skipped")),
        switch(_("Motion"), lambda: not manner.still, lambda on: setattr(manner, "still", not on),
               _("Without motion nothing flies, falls or turns; all that is to be read stays as long."),
               on=_("full"), off=_("reduced")),
        switch(_("Ask before a phase ends"), lambda: manner.ending, _setter(manner, "ending"),
               _("While something could still be done in it: a march, a purchase, an action.")),
        switch(_("Ask before armies are lost"), lambda: manner.dooming, _setter(manner, "dooming"),
               _("Where it is surrounded and nothing would come back.")),
        switch(_("Known on servers"), lambda: shell.settings.known, lambda on: setattr(shell.settings, "known", on),
               _("Your name is yours there, and your seats are on all your devices. From the next visit on.")),
        switch(_("Tips in a first game"), lambda: hints.on, _hinter(hints),
               _("What is good to know, said once in the first match of each game. On again: from the beginning.")),
    )  # fmt: skip

    def reset() -> None:
        manner.reset()
        hints.renew()
        shell.settings.known = True

    return Page(_("Game"), choices, _WORDS, reset)


def _pace(manner: PlaySettings) -> Choice:
    """Return the choice of the playback speed."""
    paces = list(PACES)

    def choose(index: int) -> None:
        manner.pace = paces[index]

    def index() -> int:
        return next(i for i, pace in enumerate(paces) if PACES[pace] == manner.speed)

    labels = tuple(_PACES[pace] for pace in paces)
    return Choice(_("Pace of what is shown"), labels, index, choose, _("Marches, voyages, and the dice of battles."))


def _hinter(hints: Hints) -> Callable[[bool], object]:
    """Return the switch's action; switching hints on again restarts them from the beginning."""

    def choose(on: bool) -> None:
        if on and not hints.on:
            hints.renew()
        hints.on = on

    return choose


def _setter(manner: PlaySettings, name: str) -> Callable[[bool], object]:
    return lambda on: setattr(manner, name, on)

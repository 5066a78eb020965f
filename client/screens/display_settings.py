"""Settings page for appearance and language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, languages
from client.player.display_settings import PALETTES, SIZES
from client.screens.application import Application
from client.screens.settings_page import Choice, Page, switch
from shared.ids import MAX_SEATS

V = TypeVar("V")

_EYES: Final = {
    "": _("usual"), "deuteranopia": _("deuteranopia"), "protanopia": _("protanopia"), "tritanopia": _("tritanopia"),
}  # fmt: skip
_WORDS: Final = _(
    "Colours of the owners can be told apart with three kinds of colour blindness: deuteranopia (green), protanopia "
    "(red), tritanopia (blue). With these the signs on pieces and discs are larger too."
)


def display_page(app: Application) -> Page:
    """Return the page of display settings."""
    settings, display_settings = app.settings, app.settings.display_settings

    def size(value: int) -> None:
        display_settings.size = value
        app.dress()

    def palette(value: str) -> None:
        display_settings.palette = value
        app.dress()

    def fill(on: bool) -> None:
        if display_settings.full != on:
            app.fill_screen()

    def language(value: str) -> None:
        settings.language = value
        app.speak()

    def reset() -> None:
        if display_settings.full:
            app.fill_screen()
        display_settings.reset()
        language("")
        app.dress()

    available = languages()
    codes = ("", *available)
    choices = (
        _one_of(_("Size of texts"), SIZES, [_("{n} %", n=n) for n in SIZES], lambda: display_settings.size, size,
                tip=_("At the table all texts grow as far as the window allows; lines to read keep growing.")),
        _one_of(_("Colours of the owners"), PALETTES, tuple(_EYES.values()), lambda: display_settings.palette, palette),
        switch(_("Full screen"), lambda: display_settings.full, fill, told(Command.FULL_SCREEN)),
        _one_of(_("Language"), codes, [_("system"), *available.values()], lambda: settings.language, language,
                tip=_("Changes at once; older lines of the chronicle stay as they are.")),
    )  # fmt: skip
    return Page(_("Display"), choices, _WORDS, reset, tuple(f"marker_{seat}" for seat in range(MAX_SEATS)))


def _one_of(
    words: str, values: Sequence[V], labels: Sequence[str], now: Callable[[], V], choose: Callable[[V], object],
    *, tip: str = "",
) -> Choice:  # fmt: skip
    """Return a choice among some values; an unknown present value counts as the first."""

    def index() -> int:
        return values.index(now()) if now() in values else 0

    return Choice(words, tuple(labels), index, lambda i: choose(values[i]), tip)

"""Settings page for appearance and language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _, languages
from client.player.display_settings import PALETTES, SIZES
from client.screens.settings_page import Choice, Page, switch
from client.screens.shell import Shell
from shared.ids import MAX_SEATS

V = TypeVar("V")

_EYES: Final = {
    "": _("usual"), "deuteranopia": _("deuteranopia"), "protanopia": _("protanopia"), "tritanopia": _("tritanopia"),
}  # fmt: skip
_WORDS: Final = _(
    "Colours of the owners can be told apart with three kinds of colour blindness: deuteranopia (green), protanopia "
    "(red), tritanopia (blue). With these the signs on pieces and discs are larger too."
)


def display_page(shell: Shell) -> Page:
    """Return the page of display settings."""
    settings, looks = shell.settings, shell.settings.looks

    def size(value: int) -> None:
        looks.size = value
        shell.dress()

    def palette(value: str) -> None:
        looks.palette = value
        shell.dress()

    def fill(on: bool) -> None:
        if looks.full != on:
            shell.fill_screen()

    def language(value: str) -> None:
        settings.language = value
        shell.speak()

    def reset() -> None:
        if looks.full:
            shell.fill_screen()
        looks.reset()
        language("")
        shell.dress()

    available = languages()
    codes = ("", *available)
    choices = (
        _one_of(_("Size of texts"), SIZES, [_("{n} %", n=n) for n in SIZES], lambda: looks.size, size,
                tip=_("At the table all texts grow as far as the window allows; lines to read keep growing.")),
        _one_of(_("Colours of the owners"), PALETTES, tuple(_EYES.values()), lambda: looks.palette, palette),
        switch(_("Full screen"), lambda: looks.full, fill, told(Command.FULL_SCREEN)),
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

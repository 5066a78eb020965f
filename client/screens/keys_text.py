"""Key reference for the rules help, generated from the table of commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.drawing.chapters import Chapter
from client.keyboard.commands import COMMANDS, Command, Place
from client.keyboard.keys import KEYS, told
from client.language import _

PLACES: Final = {
    Place.TABLE: _("At the table"),
    Place.FILM: _("In a replay"),
    Place.CONTROLS: _("Buttons, lists and choices"),
    Place.TEXT: _("Where words are typed"),
    Place.EVERYWHERE: _("Everywhere"),
}
"""Names of the places, in the order in which they are shown."""


def keys_page() -> tuple[str, tuple[Chapter, ...]]:
    """Return the page of keys: playing without a mouse, and a list of all keys."""
    return _("Keys"), (Chapter(_("Without a mouse"), _words()), *_lists())


def _words() -> str:
    return _(
        "The arrows go from space to space of the board; {find}, or any letter once the board is marked, finds one "
        "by its name: “gal” is Galatia. {press} does what a click there would do. Beside the space stands what is "
        "there, with numbers that pick it. {next} goes to the next piece that can act, one that has not moved "
        "before one that has a step left.\n"
        "{panels} goes to the panels around the board, and {control} from control to control; plus and minus count. "
        "The numbers also use the things in the tray, with {shift} backwards. {back} goes back, {step} takes the "
        "last step of a draft back.\n"
        "While the board is marked, letters are names: {alt} with a letter is what it does elsewhere; {confirm} "
        "confirms and {end} ends the phase wherever you are. All keys can be changed in the settings.",
        find=told(Command.FIND), press=told(Command.PRESS), next=told(Command.NEXT_PIECE), panels=told(Command.PANELS),
        control=told(Command.NEXT), shift=_("Shift"), back=told(Command.BACK), step=told(Command.STEP_BACK),
        alt=_("Alt"), confirm=KEYS.of(Command.CONFIRM)[-1].told, end=KEYS.of(Command.END)[-1].told,
    )  # fmt: skip


def _lists() -> Iterator[Chapter]:
    for place, title in PLACES.items():
        found = [command for command, entry in COMMANDS.items() if entry.place is place]
        rows = ((told(each), COMMANDS[each].words, _others(each)) for each in found)
        yield Chapter(title, "", rows=((_("Key"), _("What it does"), ""), *rows))


def _others(command: Command) -> str:
    """Return further keys for the same command."""
    more = [chord.told for chord in KEYS.of(command)[1:]]
    return _("also {keys}", keys=", ".join(more)) if more else ""

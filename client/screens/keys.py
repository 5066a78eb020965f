"""Settings page for keys: a list of all commands; and the reference of keys for the rules help."""

from collections.abc import Callable, Iterator
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.chapters import Chapter
from client.drawing.scrolling import ScrollList
from client.drawing.widgets import Button, Label
from client.keyboard.chord import idle, pressed
from client.keyboard.commands import COMMANDS, Command, KeyContext
from client.keyboard.keys import KEYS, told
from client.language import _
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.question import Answer, Question

PLACES: Final = {
    KeyContext.TABLE: _("At the table"),
    KeyContext.FILM: _("In a replay"),
    KeyContext.CONTROLS: _("Buttons, lists and choices"),
    KeyContext.TEXT: _("Where words are typed"),
    KeyContext.EVERYWHERE: _("Everywhere"),
}
"""Names of the places, in the order in which they are shown."""


def keys_page() -> tuple[str, tuple[Chapter, ...]]:
    """Return the page of keys: playing without a mouse, and a list of all keys."""
    return _("Keys"), (Chapter(_("Without a mouse"), _words()), *_key_chapters())


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


def _key_chapters() -> Iterator[Chapter]:
    for place, title in PLACES.items():
        found = [command for command, entry in COMMANDS.items() if entry.place is place]
        rows = ((told(each), COMMANDS[each].words, _others(each)) for each in found)
        yield Chapter(title, "", rows=((_("Key"), _("What it does"), ""), *rows))


def _others(command: Command) -> str:
    """Return further keys for the same command."""
    more = [chord.told for chord in KEYS.of(command)[1:]]
    return _("also {keys}", keys=", ".join(more)) if more else ""


_ROW: Final = 40.0
_ORDER: Final = [command for place in PLACES for command, entry in COMMANDS.items() if entry.place is place]


class KeysScreen(FramedScreen):
    """Choose a command, then press its new key. `awaited`: the command that gets the next key, if any."""

    def __init__(self, app: Application, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self.awaited: Command | None = None
        self._index, self._offset = 0, 0.0

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(900, 720, _("Keys"), elastic=True)
        body = arcade.LRBT(inside.left, inside.right, inside.bottom + theme.px(34), inside.top)
        self._list = self.ui.add(ScrollList[Command](body, _ROW, self._paint, self._wait_for))
        self._list.items, self._list.index = _ORDER, self._index
        self._list.scroll_to(self._offset)
        self._note = self.ui.add(Label(self._words, inside.left, inside.bottom + theme.px(14), colour=theme.INK_SOFT))
        self.back_button(inside)
        again, whole = (self.foot(inside, 240, place, right=True, parts=3) for place in (1, 0))
        self.ui.add(Button(again, _("Reset this key"), self._reset_one, kind="quiet"))
        self.ui.add(Button(whole, _("Reset all keys"), self._ask, kind="quiet"))
        if self.ui.focus is None:
            self.ui.set_focus(self._list)

    @property
    def _words(self) -> str:
        if self.awaited is None:
            return _("{key} or a click changes the marked key.", key=told(Command.PRESS))
        return _("Press the key for “{what}”; {key} leaves it as it is.", what=COMMANDS[self.awaited].words,
                 key=told(Command.BACK))  # fmt: skip

    def _paint(self, command: Command, rect: Rect, chosen: bool) -> None:
        """Draw a command, its place and its keys."""
        entry, y, pad = COMMANDS[command], rect.y, theme.px(14)
        shapes.say(entry.words, rect.left + pad, y, limit=rect.width * 0.4, height=rect.height)
        shapes.say(PLACES[entry.place], rect.left + rect.width * 0.43, y, size=theme.SMALL, colour=theme.INK_SOFT,
                  limit=rect.width * 0.19)  # fmt: skip
        waits = command is self.awaited
        words = "…" if waits else ", ".join(chord.told for chord in KEYS.of(command))
        colour = theme.TERRACOTTA if waits or KEYS.of(command) != entry.keys else theme.INK
        shapes.say(words, rect.right - pad, y, bold=True, align="right", colour=colour, limit=rect.width * 0.36,
                  height=rect.height)  # fmt: skip

    # Changes

    def _wait_for(self, command: Command | None) -> None:
        self.awaited = command
        self._note.words = self._words

    def _take(self, symbol: int, modifiers: int) -> None:
        """Assign the pressed key to the awaited command."""
        if self.awaited is None or KEYS.command(symbol, modifiers, KeyContext.TABLE) is Command.BACK:
            self._wait_for(None)
        elif not idle(symbol):
            refusal = KEYS.change(self.awaited, pressed(symbol, modifiers))
            if refusal:
                self.app.toast(refusal, "bad")
            else:
                self._wait_for(None)
                self._keep()

    def _keep(self) -> None:
        self.app.settings.keys = KEYS.kept()
        self.app.settings.save()
        self._index, self._offset = self._list.index, self._list.offset
        self.relayout()

    def _reset_one(self) -> None:
        command = _ORDER[self._list.index]
        taken = KEYS.takers(command)
        if taken:
            words = _("{key} does something else now: {what}.", key=COMMANDS[command].keys[0].told, what=taken)
            self.app.toast(words, "bad")
        else:
            KEYS.reset(command)
            self._keep()

    def _ask(self) -> None:
        words = (_("All keys have been reset."),)
        sure = Answer(_("Reset all keys"), self._reset_all, grave=True)
        self.app.go.ask(Question(_("Reset all keys?"), words, (sure,)))

    def _reset_all(self) -> None:
        KEYS.reset()
        self._keep()

    # Events

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        if self.awaited is None:
            return super().on_key_press(symbol, modifiers)
        self._take(symbol, modifiers)
        return True

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._wait_for(None)
        return super().on_mouse_press(x, y, button, modifiers)

    def back(self) -> None:
        self._close()
